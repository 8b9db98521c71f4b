"""Constraints in extension from XCSP 2.1 files, and an exact oracle of what they allow and imply.

The real one is the car manufacturer's file behind the Renault sales: its variables are called as the columns of the
sales and its values are the same integers, so that nothing is translated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar
from xml.etree import ElementTree

import numpy as np
import numpy.typing as npt

from tacit.data import BoolArray, IntArray
from tacit.errors import DataError, FormatError, MissingPackageError, SolverError
from tacit.rules import RuleSet

MOST_CHARACTERS = 1 << 22
MOST_ENTRIES = 1 << 22  # values and tuple entries once intervals and shared relations are written out
TOGETHER = 256  # rules asked about in one question to the solver

Element = ElementTree.Element
T = TypeVar("T")


@dataclass(frozen=True)
class Table:
    """The tuples that the variables of a scope may (`supports`) or may not take together."""

    scope: tuple[str, ...]
    tuples: frozenset[tuple[int, ...]]
    supports: bool


@dataclass(frozen=True)
class Network:
    """Variables with their values, and the tables between them."""

    domains: Mapping[str, tuple[int, ...]]
    tables: tuple[Table, ...]

    def holds(self, solution: Mapping[str, int]) -> bool:
        """Whether this value of every variable is in its domain and every table agrees."""
        return all(solution[name] in domain for name, domain in self.domains.items()) and all(
            (tuple(solution[name] for name in table.scope) in table.tuples) == table.supports for table in self.tables
        )


def parse(text: str) -> Network:
    """Read an XCSP 2.1 instance whose constraints are all given by relations."""
    if len(text) > MOST_CHARACTERS:
        raise FormatError(f"the XCSP file has {len(text)} characters: give one of at most {MOST_CHARACTERS}")
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise FormatError("the XCSP file declares a document type, whose entities can grow without end: remove it")
    try:
        root = ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError) as error:
        raise FormatError(f"the XCSP file is not well-formed XML ({error}): get it again") from error
    presentation = root.find("presentation")
    form = "" if presentation is None else presentation.get("format", "")
    if root.tag != "instance" or form != "XCSP 2.1":
        raise FormatError(f"the file is <{root.tag}> of format {form!r}: give an <instance> of format 'XCSP 2.1'")
    values = _domains(root)
    domains: dict[str, tuple[int, ...]] = {}
    for name, element in _named(root, "variables", "variable"):
        domains[name] = _known(values, _attribute(element, "domain"), f"variable {name!r}", "domain")
    relations = dict(_relations(root))
    tables = []
    for name, element in _named(root, "constraints", "constraint"):
        what = f"constraint {name!r}"
        scope = tuple(_attribute(element, "scope").split())
        tuples, arity, supports = _known(relations, _attribute(element, "reference"), what, "relation")
        for variable in scope:
            _known(domains, variable, what, "variable")
        if len(scope) != arity or len(set(scope)) != arity:
            raise FormatError(f"{what} relates {' '.join(scope)} by {arity}-tuples: give {arity} different variables")
        _expect(element, "arity", arity, what)
        tables.append(Table(scope, tuples, supports))
    entries = sum(map(len, domains.values())) + sum(len(table.tuples) * len(table.scope) for table in tables)
    _limit(entries)
    return Network(domains, tuple(tables))


class Manufacturer:
    """What a network says about some of its variables, the columns: exact answers, by CP-SAT.

    A row gives a value to every column. The other variables are free: a row is allowed if some values of theirs
    make a whole solution.

    Parameters
    ----------
    time_limit
        Seconds for one question to the solver; past it a `SolverError` is raised, never a guess returned.
    """

    def __init__(self, network: Network, columns: Sequence[str], time_limit: float = 60.0) -> None:
        for column in columns:
            if column not in network.domains:
                raise DataError(f"the constraints do not know the column {column!r}: give names of their variables")
        self._network = network
        self._columns = tuple(columns)
        self._time_limit = time_limit
        self._known: dict[tuple[str, ...], bool] = {}  # every row ever decided

    def allows(self, rows: npt.ArrayLike) -> BoolArray:
        """Which rows (n × columns, integers or their text) are part of a solution; unknown values never are."""
        table = np.asarray(rows).astype(str)
        if table.ndim != 2 or table.shape[1] != len(self._columns):
            raise DataError(f"rows of shape {table.shape}: give one value for each of {len(self._columns)} columns")
        asked = [tuple(row) for row in table.tolist()]
        for row in dict.fromkeys(asked):
            if row not in self._known:
                self._known[row] = self._extends(row)
        return np.array([self._known[row] for row in asked], bool)

    def implies(self, rules: RuleSet) -> BoolArray:
        """Which rules over 0/1 variables "column=value" hold in every solution.

        A rule that an allowed row breaks is not implied. About the others the solver is asked for a solution that
        breaks any of several; each one found settles at least one rule, and if there is none, all are implied.
        """
        places = [self._place(name) for name in rules.variables.names]
        allowed = [row for row, yes in self._known.items() if yes]
        implied = np.ones(len(rules), bool)
        if allowed:
            implied = np.logical_not(rules.violations(_labels(allowed, places)).any(axis=0))
        waiting = np.flatnonzero(implied)
        while waiting.size:
            several = waiting[:TOGETHER]
            row = self._breaks(rules, several, places)
            if row is None:
                waiting = waiting[TOGETHER:]
                continue
            broken = rules.violations(_labels([row], places))[0]
            if not broken[several].any():
                raise SolverError("CP-SAT gave a solution that breaks no rule it was asked about: try another version")
            self._known[row] = True
            implied[broken] = False
            waiting = waiting[~broken[waiting]]
        return implied

    def _place(self, name: str) -> tuple[int, str]:
        """Column and value of a one-hot variable."""
        column, _, value = name.rpartition("=")
        if column not in self._columns or value not in self._positions[column]:
            raise DataError(f"the constraints do not know {name!r}: name variables column=value, with values they have")
        return self._columns.index(column), value

    @cached_property
    def _positions(self) -> dict[str, dict[str, int]]:
        """The place of each value, as text, in its domain: the solver sees places, so any integer will do."""
        return {name: {str(v): k for k, v in enumerate(self._network.domains[name])} for name in self._columns}

    @cached_property
    def _solver(self) -> Any:
        """CP-SAT's module, or an error that says how to get it."""
        try:
            from ortools.sat.python import cp_model
        except ImportError as error:
            raise MissingPackageError("ortools", "cpsat", "deciding what constraints imply") from error
        return cp_model

    @cached_property
    def _base(self) -> tuple[Any, dict[str, Any], dict[tuple[int, str], Any]]:
        """The constraints as a model, its variables, and a 0/1 variable for each column and value."""
        model = self._solver.CpModel()
        domains = self._network.domains
        if not all(domains.values()):
            model.add_bool_or([])
        variables = {name: model.new_int_var(0, max(0, len(domain) - 1), name) for name, domain in domains.items()}
        index = {name: {value: k for k, value in enumerate(domain)} for name, domain in domains.items()}
        for table in self._network.tables:
            places = [index[name] for name in table.scope]
            inside = [
                [place[value] for place, value in zip(places, one, strict=True)]
                for one in sorted(table.tuples)
                if all(value in place for place, value in zip(places, one, strict=True))
            ]
            scope = [variables[name] for name in table.scope]
            if not inside:  # the solver's own reading of an empty table is not documented
                if table.supports:
                    model.add_bool_or([])
            elif table.supports:
                model.add_allowed_assignments(scope, inside)
            else:
                model.add_forbidden_assignments(scope, inside)
        literals = {}
        for j, column in enumerate(self._columns):
            for value, k in self._positions[column].items():
                literal = literals[j, value] = model.new_bool_var(f"{column}={value}")
                model.add(variables[column] == k).only_enforce_if(literal)
                model.add(variables[column] != k).only_enforce_if(~literal)
        return model, variables, literals

    def _extends(self, row: tuple[str, ...]) -> bool:
        model, variables, _ = self._base
        fixed = model.clone()
        for column, value in zip(self._columns, row, strict=True):
            if value not in self._positions[column]:
                return False
            fixed.add(variables[column] == self._positions[column][value])
        return self._solution(fixed) is not None

    def _breaks(self, rules: RuleSet, which: IntArray, places: list[tuple[int, str]]) -> tuple[str, ...] | None:
        """The row of a solution that breaks one of these rules, if there is one."""
        base, _, literals = self._base
        model = base.clone()
        ways = []
        for i in which.tolist():
            used = np.flatnonzero(rules.matrix[i])
            terms = [literals[places[j]] for j in used.tolist()]
            total = self._solver.LinearExpr.weighted_sum(terms, rules.matrix[i, used].tolist())
            rhs = int(rules.rhs[i])
            for outside in (total >= rhs + 1, total <= rhs - 1)[: 1 + int(rules.equality[i])]:
                ways.append(model.new_bool_var(""))
                model.add(outside).only_enforce_if(ways[-1])
        model.add_bool_or(ways)
        solution = self._solution(model)
        return None if solution is None else tuple(str(solution[column]) for column in self._columns)

    def _solution(self, model: Any) -> dict[str, int] | None:
        """A solution of the model, tested against the tables; None if there is none."""
        solver = self._solver.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = 0
        solver.parameters.presolve_inclusion_work_limit = 0  # that presolve step proves wrong optima (or-tools #5293)
        solver.parameters.max_time_in_seconds = self._time_limit
        status = solver.solve(model)
        if status == self._solver.INFEASIBLE:
            return None
        if status not in (self._solver.OPTIMAL, self._solver.FEASIBLE):
            raise SolverError(
                f"CP-SAT did not decide ({solver.status_name(status)} {model.validate()}".rstrip()
                + f") in {self._time_limit:g} s: allow a longer time_limit or ask about smaller rules"
            )
        domains, variables = self._network.domains, self._base[1]
        solution = {name: domains[name][solver.value(variable)] for name, variable in variables.items()}
        if not self._network.holds(solution):
            raise SolverError("CP-SAT gave a solution that breaks the constraints: try another version")
        return solution


def _labels(rows: Sequence[tuple[str, ...]], places: Sequence[tuple[int, str]]) -> IntArray:
    """Rows as 0/1 labels over one-hot variables."""
    return np.array([[row[column] == value for column, value in places] for row in rows], np.int64)


def _domains(root: Element) -> dict[str, tuple[int, ...]]:
    values: dict[str, tuple[int, ...]] = {}
    entries = 0
    for name, element in _named(root, "domains", "domain"):
        what = f"domain {name!r}"
        ranges = []
        for word in (element.text or "").split():
            low, _, high = word.partition("..")
            ranges.append(range(_integer(low, what), _integer(high or low, what) + 1))
            entries += max(0, ranges[-1].stop - ranges[-1].start)
            _limit(entries)
        values[name] = tuple(value for each in ranges for value in each)
        if len(set(values[name])) != len(values[name]):
            raise FormatError(f"{what} has a value twice: give each value once")
        _expect(element, "nbValues", len(values[name]), what)
    return values


def _relations(root: Element) -> Iterator[tuple[str, tuple[frozenset[tuple[int, ...]], int, bool]]]:
    for name, element in _named(root, "relations", "relation"):
        what = f"relation {name!r}"
        semantics = _attribute(element, "semantics")
        if semantics not in ("supports", "conflicts"):
            raise FormatError(f"{what} has semantics {semantics!r}: only 'supports' and 'conflicts' can be read")
        arity = _integer(_attribute(element, "arity"), what)
        text = (element.text or "").strip()
        tuples = [tuple(_integer(word, what) for word in part.split()) for part in text.split("|")] if text else []
        if any(len(one) != arity for one in tuples):
            raise FormatError(f"{what} has a tuple that is not of its arity {arity}: get the file again")
        _expect(element, "nbTuples", len(tuples), what)
        yield name, (frozenset(tuples), arity, semantics == "supports")


def _named(root: Element, section: str, tag: str) -> Iterator[tuple[str, Element]]:
    """The elements of a section with their names, each used once; constraints and relations may be absent."""
    parent = root.find(section)
    if parent is None:
        if tag in ("domain", "variable"):
            raise FormatError(f"the XCSP file has no <{section}>: get it again")
        return
    seen = set()
    for element in parent:
        if element.tag != tag:
            raise FormatError(f"<{section}> holds <{element.tag}>: only <{tag}> can be read there")
        name = _attribute(element, "name")
        if name in seen:
            raise FormatError(f"the name {name!r} is used by two of the {section}: rename one of them")
        seen.add(name)
        yield name, element


def _attribute(element: Element, key: str) -> str:
    value = element.get(key)
    if value is None:
        raise FormatError(f"<{element.tag} name={element.get('name')!r}> has no {key!r}: add it or get the file again")
    return value


def _known(table: Mapping[str, T], name: str, what: str, kind: str) -> T:
    if name not in table:
        raise FormatError(f"{what} names the {kind} {name!r}, which the file does not define: define it as a {kind}")
    return table[name]


def _integer(word: str, what: str) -> int:
    try:
        return int(word)
    except ValueError as error:
        raise FormatError(f"{what} holds {word[:40]!r} where an integer is expected: get the file again") from error


def _expect(element: Element, key: str, count: int, what: str) -> None:
    """Counts in the file are optional, but those given have to be right: they show where text was lost."""
    said = element.get(key)
    if said is not None and _integer(said, what) != count:
        raise FormatError(f"{what} announces {key}={said} but has {count}: the file is damaged, get it again")


def _limit(entries: int) -> None:
    if entries > MOST_ENTRIES:
        raise FormatError(f"the XCSP file stands for more than {MOST_ENTRIES} values and tuple entries: shorten it")
