"""Constraints in extension from XCSP 2.1 files.

The real one is the car manufacturer's file behind the Renault sales: its variables are called as the columns of the
sales and its values are the same integers, so that nothing is translated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar
from xml.etree import ElementTree

from unwritten.errors import FormatError
from unwritten.tables.quoting import shown

MOST_CHARACTERS = 1 << 22
MOST_ENTRIES = 1 << 22  # values and tuple entries once intervals and shared relations are written out

Element = ElementTree.Element
T = TypeVar("T")


@dataclass(frozen=True)
class TupleConstraint:
    """The tuples that the variables of a scope may (`supports`) or may not take together."""

    scope: tuple[str, ...]
    tuples: frozenset[tuple[int, ...]]
    supports: bool


@dataclass(frozen=True)
class Network:
    """Variables with their values, and the tables between them."""

    domains: Mapping[str, tuple[int, ...]]
    tables: tuple[TupleConstraint, ...]

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
        raise FormatError(
            f"the file is <{shown(root.tag)}> of format {form!r}: give an <instance> of format 'XCSP 2.1'"
        )
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
            raise FormatError(
                f"{what} relates {shown(' '.join(scope))} by {arity}-tuples: give {arity} different variables"
            )
        _expect(element, "arity", arity, what)
        tables.append(TupleConstraint(scope, tuples, supports))
    entries = sum(map(len, domains.values())) + sum(len(table.tuples) * len(table.scope) for table in tables)
    _limit(entries)
    return Network(domains, tuple(tables))


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
            raise FormatError(f"<{section}> holds <{shown(element.tag)}>: only <{tag}> can be read there")
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
        raise FormatError(f"{what} announces {key}={said.strip()} but has {count}: the file is damaged, get it again")


def _limit(entries: int) -> None:
    if entries > MOST_ENTRIES:
        raise FormatError(f"the XCSP file stands for more than {MOST_ENTRIES} values and tuple entries: shorten it")
