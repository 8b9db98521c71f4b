"""XCSP files, what their constraints allow and imply (against brute force), and the Renault constraints."""

import itertools
import os
import sys
from collections.abc import Callable
from functools import cache

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import unwritten
from attack.readers.datasets import NETWORK as SMALL
from experiments import datasets, manufacturer, xcsp
from experiments.manufacturer import Manufacturer
from experiments.xcsp import Network, TupleConstraint
from unwritten.data import Variables
from unwritten.errors import DataError, FormatError, MissingPackageError, SolverError
from unwritten.rules import RuleSet

needs_data = pytest.mark.skipif(
    not os.environ.get(datasets.VARIABLE), reason=f"set {datasets.VARIABLE} to the directory of the data sets"
)


def test_a_small_file_is_read_as_written() -> None:
    """Lists and intervals of values, supports and conflicts are read as they are in the file."""
    network = xcsp.parse(SMALL)
    assert network.domains == {"a": (0, 1, 2), "b": (0, 1, 2), "c": (-1, 4, 5, 6)}
    assert network.constraints == (
        TupleConstraint(("a", "c"), frozenset({(0, -1), (1, 5), (2, 6)}), True),
        TupleConstraint(("b", "a"), frozenset({(1, 1), (0, 2)}), False),
    )


def test_a_small_file_is_decided() -> None:
    """c=4 has no support, a=1 excludes b=1, and the value of a fixes that of c."""
    small = Manufacturer(xcsp.parse(SMALL), ["b", "c"])
    assert small.allows([["0", "4"], ["1", "5"], ["2", "5"], ["0", "6"], ["7", "5"]]).tolist() == [0, 0, 1, 0, 0]
    assert small.allows(np.array([[2, 5], [2, -1]])).all()
    variables = Variables.named(["b=0", "b=1", "c=-1", "c=4", "c=5", "c=6"])
    rules = [
        ({"c=4": 1}, "==", 0),
        ({"b=1": 1, "c=5": 1}, "<=", 1),
        ({"c=-1": 1, "c=5": 1, "c=6": 1}, "==", 1),
        ({"b=0": 1, "c=5": 1}, "<=", 1),
        ({"b=0": 1, "b=1": 1}, "==", 1),  # b=2 is missing
        ({"c=5": 1}, "==", 0),
    ]
    assert small.implies(RuleSet.of(variables, rules)).tolist() == [1, 1, 1, 0, 0, 0]


LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda s: "", "not well-formed"),  # nothing
        (lambda s: s[:300], "not well-formed"),  # cut off
        (lambda s: "\0" + s, "not well-formed"),  # binary
        (lambda s: s.replace("0 1 2", "\ud800"), "not well-formed"),  # half a character
        (lambda s: s.replace("0 1 2", "&b;"), "not well-formed"),  # an entity from nowhere
        (lambda s: LAUGHS + s.replace("0 1 2", "&b;"), "document type"),  # a bomb of entities
        (
            lambda s: s.replace("0 1 2", "&f;").replace("<inst", '<!DOCTYPE x [<!ENTITY f SYSTEM "f">]><inst'),
            "document",
        ),
        (lambda s: s + " " * xcsp.MOST_CHARACTERS, "characters"),  # too long
        (lambda s: s.replace("4..6", "4..999999999999"), "more than"),  # an interval without end
        (lambda s: s.replace("4..6", "9" * 5000), "integer is expected"),  # a number without end
        (lambda s: s.replace("2.1", "3.0"), "format 'XCSP 3.0'"),  # another version
        (lambda s: s.replace("instance", "html"), "<html>"),  # another kind of file
        (lambda s: s.replace("domains", "x"), "no <domains>"),  # a section is missing
        (lambda s: s.replace("relations", "predicates"), "names the relation 'R'"),  # constraints by formula
        (lambda s: s.replace("<constraint ", "<soft ", 1).replace('"R"/>', '"R"></soft>'), "holds <soft>"),
        (lambda s: s.replace('name="a" ', ""), "has no 'name'"),  # a variable without a name
        (lambda s: s.replace('name="b"', 'name="a"'), "used by two"),  # one name twice
        (lambda s: s.replace('domain="E"', 'domain="F"'), "names the domain 'F'"),  # an unknown domain
        (lambda s: s.replace("a c", "a z"), "names the variable 'z'"),  # an unknown variable
        (lambda s: s.replace("a c", "a a"), "2 different variables"),  # a variable twice
        (lambda s: s.replace("a c", "a b c"), "2 different variables"),  # a long scope
        (lambda s: s.replace("1 5", "1 5 0"), "not of its arity 2"),  # a long tuple
        (lambda s: s.replace("1 5", "1 x"), "'x' where an integer"),  # no number
        (lambda s: s.replace("|1 5", ""), "announces nbTuples=3 but has 2"),  # a tuple was lost
        (lambda s: s.replace(" 4..6", ""), "announces nbValues=4 but has 1"),  # values were lost
        (lambda s: s.replace("0 1 2", "0 1 1"), "a value twice"),  # a doubled value
        (lambda s: s.replace("conflicts", "soft"), "semantics 'soft'"),  # weighted relations
    ],
)
def test_bad_files_are_refused(change: Callable[[str], str], message: str) -> None:
    """A damaged, foreign or hostile file is refused with one sentence, before it fills the memory."""
    with pytest.raises(FormatError, match=message):
        xcsp.parse(change(SMALL))


def test_shared_relations_do_not_multiply() -> None:
    """A short file in which many constraints share a long relation is refused before it is written out."""
    tuples = "|".join(f"{i} {i}" for i in range(3000))
    text = SMALL.replace('nbTuples="3" ', "").replace("0 -1|1 5| 2 6", tuples)
    many = "".join(f'<constraint name="{i}" scope="a c" reference="R"/>' for i in range(1000))
    with pytest.raises(FormatError, match="more than"):
        xcsp.parse(text.replace("</constraints>", many + "</constraints>"))


def random_network(rng: np.random.Generator) -> Network:
    names = "abcd"[: rng.integers(2, 5)]
    domains = {
        name: tuple(int(v) for v in rng.choice(np.arange(-2, 5), rng.integers(1, 4), replace=False)) for name in names
    }
    tables = []
    for _ in range(rng.integers(0, 4)):
        scope = tuple(str(name) for name in rng.permutation(list(names))[: rng.integers(1, 4)])
        # Values outside the domains are legal in a relation and mean nothing.
        every = list(itertools.product(*[(*domains[name], 9) for name in scope]))
        keep = rng.random(len(every)) < rng.random()
        tables.append(
            TupleConstraint(
                scope, frozenset(t for t, k in zip(every, keep, strict=True) if k), bool(rng.random() < 0.5)
            )
        )
    return Network(domains, tuple(tables))


def as_text(network: Network) -> str:
    def lines(form: str, items: list[tuple[object, ...]]) -> str:
        return "\n".join(form.format(*item) for item in items)

    tables = list(enumerate(network.constraints))
    domains = lines(
        '<domain name="D{0}">{1}</domain>', [(n, " ".join(map(str, d))) for n, d in network.domains.items()]
    )
    variables = lines('<variable name="{0}" domain="D{0}"/>', [(n,) for n in network.domains])
    relations = lines(
        '<relation name="R{}" arity="{}" semantics="{}">{}</relation>',
        [
            (
                i,
                len(t.scope),
                "supports" if t.supports else "conflicts",
                "|".join(" ".join(map(str, one)) for one in t.tuples),
            )
            for i, t in tables
        ],
    )
    constraints = lines(
        '<constraint name="C{0}" scope="{1}" reference="R{0}"/>', [(i, " ".join(t.scope)) for i, t in tables]
    )
    return (
        f'<instance><presentation format="XCSP 2.1"/><domains>{domains}</domains><variables>{variables}</variables>'
        f"<relations>{relations}</relations><constraints>{constraints}</constraints></instance>"
    )


@pytest.mark.parametrize("seed", range(40))
def test_the_oracle_agrees_with_brute_force(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """On small random networks, also infeasible ones, rows and rules are decided as by listing all solutions."""
    monkeypatch.setattr(manufacturer, "RULES_PER_QUESTION", 4)
    rng = np.random.default_rng(seed)
    network = random_network(rng)
    assert xcsp.parse(as_text(network)) == network
    every = [dict(zip(network.domains, v, strict=True)) for v in itertools.product(*network.domains.values())]
    solutions = [one for one in every if network.holds(one)]
    columns = [str(name) for name in rng.permutation(list(network.domains))[: rng.integers(1, 4)]]
    rows = [tuple(map(str, row)) for row in itertools.product(*[network.domains[name] for name in columns])]
    possible = {tuple(str(one[name]) for name in columns) for one in solutions}

    names = [f"{name}={value}" for name in columns for value in network.domains[name]]
    shown = [str(name) for name in rng.permutation(names)]
    labels = np.array([[row[columns.index(n[0])] == n[2:] for n in shown] for row in possible], np.int64)
    labels = labels.reshape(len(possible), len(shown))
    matrix = rng.integers(-2, 3, (30, len(shown))) * rng.integers(0, 2, (30, len(shown)))
    reach = matrix @ labels.T if len(labels) else np.zeros((30, 1), np.int64)
    # Right-hand sides at the edge of what occurs, so that about half of the rules are implied.
    rhs = reach.max(axis=1) - rng.integers(0, 2, 30)
    senses = ["==" if rng.random() < 0.4 else "<=" for _ in rhs]
    rules = RuleSet.of(Variables.named(shown), list(zip(matrix.tolist(), senses, rhs.tolist(), strict=True)))
    expected = ~rules.violations(labels).any(axis=0) if len(labels) else np.ones(30, bool)

    fresh, warm = Manufacturer(network, columns), Manufacturer(network, columns)
    assert warm.allows(rows).tolist() == [row in possible for row in rows]
    assert np.array_equal(fresh.implies(rules), expected)
    assert np.array_equal(warm.implies(rules), expected)
    assert fresh.allows(rows).tolist() == [row in possible for row in rows]


def test_rules_without_variables_and_no_rules_are_decided() -> None:
    """Every network implies 0 <= 0, none with a solution implies 0 == 1, and no rules give no answers."""
    small = Manufacturer(xcsp.parse(SMALL), ["a"])
    variables = Variables.named(["a=0"])
    rules = RuleSet.of(variables, [({}, "<=", 0), ({}, "==", 1), ({}, "==", -1), ({}, "<=", -1)])
    assert small.implies(rules).tolist() == [1, 0, 0, 0]
    assert small.implies(RuleSet.empty(variables)).shape == (0,)


def test_what_the_constraints_do_not_know_is_refused() -> None:
    """Wrong columns, shapes and variable names are refused, and the errors name the right form."""
    network = xcsp.parse(SMALL)
    with pytest.raises(DataError, match="column 'z'"):
        Manufacturer(network, ["z"])
    with pytest.raises(DataError, match="each of 2 columns"):
        Manufacturer(network, ["a", "b"]).allows([["0"]])
    for name in ("a=7", "b=0", "a", "a0"):
        with pytest.raises(DataError, match=f"do not know '{name}'"):
            Manufacturer(network, ["a"]).implies(RuleSet.empty(Variables.named([name])))


def test_an_undecided_question_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A timeout or a wrong solution of the solver is an error, never an answer."""
    cp_model = pytest.importorskip("ortools.sat.python.cp_model")
    network = xcsp.parse(SMALL)
    monkeypatch.setattr(cp_model.CpSolver, "solve", lambda self, model: cp_model.UNKNOWN)
    with pytest.raises(SolverError, match=r"did not decide .UNKNOWN.*longer time_limit"):
        Manufacturer(network, ["a"]).allows([["0"]])
    monkeypatch.setattr(cp_model.CpSolver, "solve", lambda self, model: cp_model.OPTIMAL)
    monkeypatch.setattr(cp_model.CpSolver, "value", lambda self, variable: 0)
    wrong = Network({"a": (0, 1)}, (TupleConstraint(("a",), frozenset({(1,)}), True),))
    with pytest.raises(SolverError, match="breaks the constraints"):
        Manufacturer(wrong, ["a"]).allows([["0"]])
    with pytest.raises(SolverError, match="breaks no rule"):
        Manufacturer(network, ["a"]).implies(RuleSet.of(Variables.named(["a=0"]), [([1], "<=", 1)]))


def test_without_the_solver_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading a network needs no solver; a question without one is an error that names the package to install."""
    monkeypatch.setitem(sys.modules, "ortools.sat.python", None)
    small = Manufacturer(xcsp.parse(SMALL), ["a"])
    with pytest.raises(MissingPackageError, match=r"ortools.*unwritten\[cpsat\]"):
        small.allows([["0"]])


@cache
def renault() -> tuple[list[str], np.ndarray, Manufacturer]:
    columns, values, _ = datasets.renault()
    return columns, values, Manufacturer(datasets.renault_constraints(), columns)


@needs_data
def test_the_renault_file_holds_what_it_announces() -> None:
    """The file has 148 variables and 174 constraints of supports, and knows every column and value of the sales."""
    columns, values, _ = renault()
    network = datasets.renault_constraints()
    assert (len(network.domains), len(network.constraints)) == (148, 174)
    assert all(table.supports for table in network.constraints)
    for column, sold in zip(columns, values.T, strict=True):
        assert {int(value) for value in sold} <= set(network.domains[column])


@needs_data
def test_every_renault_sale_is_allowed() -> None:
    """All 8,252 sales obey the constraints; a sale with one impossible value does not."""
    columns, values, maker = renault()
    assert maker.allows(values).all()
    never = values[:1].copy()
    never[0, columns.index("v18")] = "3"
    assert not maker.allows(never).any()


def all_solutions(network: Network) -> pd.DataFrame:
    """List every solution without a solver, by joining the constraints, those that add the fewest rows first."""
    parts = [pd.DataFrame(sorted(each.tuples), columns=list(each.scope), dtype="int8") for each in network.constraints]
    parts += [pd.DataFrame({name: domain}, dtype="int8") for name, domain in network.domains.items()]

    @cache
    def growth(k: int, shared: tuple[str, ...]) -> tuple[bool, float]:
        return len(shared) < parts[k].shape[1], len(parts[k]) / len(parts[k][list(shared)].drop_duplicates())

    whole, left = parts[0], dict.fromkeys(range(1, len(parts)))
    while left:
        shared = {k: tuple(name for name in parts[k] if name in whole) for k in left}
        k = min((k for k in left if shared[k]), key=lambda k: growth(k, shared[k]), default=next(iter(left)))
        del left[k]
        whole = whole.merge(parts[k], on=list(shared[k])) if shared[k] else whole.merge(parts[k], how="cross")
    return whole


@needs_data
def test_renault_answers_agree_with_the_list_of_all_solutions() -> None:
    """Changed sales, exactly-one rules and pairs never sold together are decided as by listing all solutions."""
    columns, values, maker = renault()
    maker.allows(values)
    every = all_solutions(datasets.renault_constraints())
    assert len(every) == 278_744  # the count that the publishers give
    vans = every[columns].drop_duplicates().to_numpy()
    assert len(vans) == 247_080

    rng = np.random.default_rng(0)
    changed = values[rng.integers(0, len(values), 300)]
    at = rng.integers(0, len(columns), 300)
    changed[np.arange(300), at] = values[rng.integers(0, len(values), 300), at]
    possible = {tuple(van) for van in vans.tolist()}
    expected = [tuple(map(int, row)) in possible for row in changed.tolist()]
    assert 0 < sum(expected) < 300
    assert maker.allows(changed).tolist() == expected

    frame = pa.table(dict(zip(columns, values.T.tolist(), strict=True)))
    table = unwritten.Table.of(frame, dict.fromkeys(columns, "category"))
    labels, names, groups = table.labels(), table.schema.variables.names, table.schema.blocks
    variables = Variables.named(names)
    assert maker.implies(RuleSet.of(variables, [({names[j]: 1 for j in g}, "==", 1) for g in groups])).all()
    column = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    pairs = np.argwhere(np.triu((labels.T @ labels == 0) & (column[:, None] != column)))
    listed = np.stack(
        [vans[:, j] == int(name.rpartition("=")[2]) for j, name in zip(column, names, strict=True)], axis=1
    )
    together = listed.T.astype(np.float32) @ listed.astype(np.float32)
    impossible = together[tuple(pairs.T)] == 0
    assert (len(pairs), int(impossible.sum())) == (5056, 4606)
    asked = pairs[::8]
    rules = RuleSet.of(variables, [({names[i]: 1, names[j]: 1}, "<=", 1) for i, j in asked])
    assert np.array_equal(maker.implies(rules), impossible[::8])
