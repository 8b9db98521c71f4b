"""Read XCSP 2.1 files whose constraints are lists of allowed or forbidden tuples.

The experiments read the car manufacturer's file behind the Renault sales. Its variables have the names of the columns
of the sales, and its values are the same integers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar
from xml.etree import ElementTree

from unwritten.errors import FormatError
from unwritten.tables.quoting import shown

MOST_CHARACTERS = 1 << 22
MOST_ENTRIES = 1 << 22  # values and tuple entries, after intervals and shared relations are written out

Element = ElementTree.Element
T = TypeVar("T")


@dataclass(frozen=True)
class TupleConstraint:
    """The tuples of values that the variables of a scope may (`supports`) or may not take together."""

    scope: tuple[str, ...]
    tuples: frozenset[tuple[int, ...]]
    supports: bool


@dataclass(frozen=True)
class Network:
    """Variables with their domains, and the constraints between them."""

    domains: Mapping[str, tuple[int, ...]]
    constraints: tuple[TupleConstraint, ...]

    def holds(self, solution: Mapping[str, int]) -> bool:
        """Return whether every value is in the domain of its variable and every constraint allows its tuple."""
        return all(solution[name] in domain for name, domain in self.domains.items()) and all(
            (tuple(solution[name] for name in each.scope) in each.tuples) == each.supports for each in self.constraints
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
        domains[name] = _defined(values, _attribute(element, "domain"), f"variable {name!r}", "domain")
    relations = dict(_relations(root))
    constraints = []
    for name, element in _named(root, "constraints", "constraint"):
        what = f"constraint {name!r}"
        scope = tuple(_attribute(element, "scope").split())
        tuples, arity, supports = _defined(relations, _attribute(element, "reference"), what, "relation")
        for variable in scope:
            _defined(domains, variable, what, "variable")
        if len(scope) != arity or len(set(scope)) != arity:
            raise FormatError(
                f"{what} relates {shown(' '.join(scope))} by {arity}-tuples: give {arity} different variables"
            )
        _expect(element, "arity", arity, what)
        constraints.append(TupleConstraint(scope, tuples, supports))
    entries = sum(map(len, domains.values())) + sum(len(each.tuples) * len(each.scope) for each in constraints)
    _require_few(entries)
    return Network(domains, tuple(constraints))


def _domains(root: Element) -> dict[str, tuple[int, ...]]:
    """Read the named domains; `1..3` in a domain is an interval."""
    values: dict[str, tuple[int, ...]] = {}
    entries = 0
    for name, element in _named(root, "domains", "domain"):
        what = f"domain {name!r}"
        ranges = []
        for word in (element.text or "").split():
            low, _, high = word.partition("..")
            ranges.append(range(_integer(low, what), _integer(high or low, what) + 1))
            entries += max(0, ranges[-1].stop - ranges[-1].start)
            _require_few(entries)
        values[name] = tuple(value for each in ranges for value in each)
        if len(set(values[name])) != len(values[name]):
            raise FormatError(f"{what} has a value twice: give each value once")
        _expect(element, "nbValues", len(values[name]), what)
    return values


def _relations(root: Element) -> Iterator[tuple[str, tuple[frozenset[tuple[int, ...]], int, bool]]]:
    """Yield each relation by name: its tuples, their length, and whether they are the allowed ones."""
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
    """Yield the elements of a section with their names, which must differ.

    The sections of constraints and relations may be absent.
    """
    parent = root.find(section)
    if parent is None:
        if tag in ("domain", "variable"):
            raise FormatError(f"the XCSP file has no <{section}>: get it again")
        return
    names = set()
    for element in parent:
        if element.tag != tag:
            raise FormatError(f"<{section}> holds <{shown(element.tag)}>: only <{tag}> can be read there")
        name = _attribute(element, "name")
        if name in names:
            raise FormatError(f"the name {name!r} is used by two of the {section}: rename one of them")
        names.add(name)
        yield name, element


def _attribute(element: Element, key: str) -> str:
    value = element.get(key)
    if value is None:
        raise FormatError(f"<{element.tag} name={element.get('name')!r}> has no {key!r}: add it or get the file again")
    return value


def _defined(definitions: Mapping[str, T], name: str, what: str, kind: str) -> T:
    """Return the definition of a name, or fail if the file has none."""
    if name not in definitions:
        raise FormatError(f"{what} names the {kind} {name!r}, which the file does not define: define it as a {kind}")
    return definitions[name]


def _integer(word: str, what: str) -> int:
    """Read an integer; `what` names the element it stands in."""
    try:
        return int(word)
    except ValueError as error:
        raise FormatError(f"{what} holds {word[:40]!r} where an integer is expected: get the file again") from error


def _expect(element: Element, key: str, count: int, what: str) -> None:
    """Compare a count in the file, if it has one, with the true count: a difference shows that text was lost."""
    announced = element.get(key)
    if announced is not None and _integer(announced, what) != count:
        raise FormatError(
            f"{what} announces {key}={announced.strip()} but has {count}: the file is damaged, get it again"
        )


def _require_few(entries: int) -> None:
    """Refuse a file whose intervals and relations would need too much memory."""
    if entries > MOST_ENTRIES:
        raise FormatError(f"the XCSP file describes more than {MOST_ENTRIES} values and tuple entries: shorten it")
