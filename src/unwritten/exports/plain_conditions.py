"""Plain conditions: conditions of several cells, in terms of the values and ranges of single cells."""

from __future__ import annotations

from unwritten.conditions import All, Condition, Decides, Either, Known, Missing, Not, OneOf, Same, Within, WithinBy
from unwritten.conditions.across import Entry
from unwritten.tables import Schema
from unwritten.tables.column import Level

MOST_KNOWN = 1_000  # combinations of values in lists, which is what all databases take


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
        case Decides() if 0 < len(condition.known) <= MOST_KNOWN:
            plain = _as_lists(condition)
    return plain


def _as_lists(decides: Decides) -> Condition:
    """Return what each value on the right was seen with; values of the last column on the left share a list."""
    seen: dict[Level, dict[Entry, list[Level]]] = {}
    for *before, last, value in decides.known:
        seen.setdefault(value, {}).setdefault(tuple(before), []).append(last)
    parts = []
    for value, lists in seen.items():
        entries = ((*((each,) for each in before), tuple(last)) for before, last in lists.items())
        came_with = Either(tuple(All(tuple(map(OneOf, decides.left, entry))) for entry in entries))
        parts.append(Either((Not(came_with), OneOf(decides.right, (value,)))))
    return All(tuple(parts))
