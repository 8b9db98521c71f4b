"""Plain conditions: conditions of several cells, in terms of the values and ranges of single cells."""

from __future__ import annotations

from unwritten.conditions import All, Condition, Decides, Either, Known, Missing, Not, OneOf, Same, Within, WithinBy
from unwritten.conditions.across import Entry
from unwritten.tables import Schema
from unwritten.tables.column import Level


def simpler(condition: Condition, schema: Schema) -> Condition | None:
    """Return the same condition one step plainer; None if it is plain, or nothing plainer says it."""
    plain: Condition | None = None
    match condition:
        case Not(Not(part)):
            plain = part
        case Not(All(parts)):
            plain = Either(tuple(Not(part) for part in parts))
        case Not(Either(parts)):
            plain = All(tuple(Not(part) for part in parts))
        case Not(Same(left, right)):
            plain = Same(left, Not(right))
        case Not(part):
            inner = simpler(part, schema)
            plain = None if inner is None else Not(inner)
        case Same(left, right):
            plain = All((Either((Not(left), right)), Either((left, Not(right)))))
        case Known(name) if schema[name].kind in ("category", "boolean"):
            known_values = OneOf(name, schema[name].levels)
            plain = known_values if None in known_values.values else All((Not(Missing(name)), known_values))
        case WithinBy(by, name, ranges):
            tests = ((value, Within(((1, name),), low, high)) for value, low, high in ranges)
            plain = All(tuple(Either((Not(OneOf(by, (value,))), test)) for value, test in tests))
        case Decides(left, right, known) if known:
            values = dict.fromkeys(entry[-1] for entry in known)
            plain = All(tuple(Either((Not(_seen_with(v, left, known)), OneOf(right, (v,)))) for v in values))
    return plain


def _seen_with(value: Level, names: tuple[str, ...], known: tuple[Entry, ...]) -> Condition:
    """Return the test for the values on the left that came with one on the right; most of them share a list."""
    lists: dict[Entry, list[Level]] = {}
    for entry in known:
        if entry[-1] == value:
            lists.setdefault(entry[:-2], []).append(entry[-2])
    entries = ((*((each,) for each in before), tuple(last)) for before, last in lists.items())
    return Either(tuple(All(tuple(map(OneOf, names, entry))) for entry in entries))
