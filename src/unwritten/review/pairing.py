"""Pairing: which sentences of two models are one rule whose values changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from unwritten import budgets
from unwritten.review.common import Common
from unwritten.rules import Row, Sentence

FAMILIES = {"requires": "pair", "excludes": "pair", "implies": "pair", "exactly-when": "equal pair"} | dict.fromkeys(
    ("exactly", "at-most", "at-least"), "count"
)
ALIKE = 0.6  # of the characters of two texts, where nothing but columns ties them together


@dataclass(frozen=True, eq=False)
class Open:
    """A sentence that the other model does not have, its rows over the common variables, and whether it is implied."""

    sentence: Sentence
    rows: list[Row] | None
    implied: bool

    @property
    def family(self) -> str:
        """Kinds that can turn into each other."""
        return FAMILIES.get(self.sentence.kind, self.sentence.kind)


def paired(old: Sequence[Open], new: Sequence[Open], common: Common) -> tuple[tuple[Sentence, Sentence], ...]:
    """Pairs (old, new), not both implied, with the same condition on one column or most columns in common."""
    holders: dict[tuple[str, str], list[int]] = defaultdict(list)
    for k, after in enumerate(new):
        for column in after.sentence.columns:
            holders[after.family, column].append(k)
    sides = [set(_sides(after, common)) for after in new]
    scored = []
    for i, before in enumerate(old):
        here = set(_sides(before, common))
        near = {k for column in before.sentence.columns for k in holders[before.family, column]}
        ranked = sorted(near, key=lambda k: (not here & sides[k], -_shared(before, new[k]), new[k].sentence.text))
        for k in ranked[: budgets.PAIRED_SENTENCES]:
            score = 0.0 if before.implied and new[k].implied else _score(before, new[k], bool(here & sides[k]))
            if score:
                scored.append((-score, i, k))
    taken: set[int] = set()
    found: dict[int, int] = {}
    for _, i, k in sorted(scored):
        if i not in found and k not in taken:
            found[i] = k
            taken.add(k)
    return tuple((old[i].sentence, new[k].sentence) for i, k in sorted(found.items()))


def _shared(old: Open, new: Open) -> float:
    """The share of their columns that both have."""
    one, other = set(old.sentence.columns), set(new.sentence.columns)
    return len(one & other) / len(one | other)


def _score(old: Open, new: Open, same_side: bool) -> float:
    """How much two sentences of a family are alike; 0 if they are not one rule."""
    columns = _shared(old, new)
    if old.family.endswith("pair") and (columns < 1 or not same_side):
        return 0.0
    text = SequenceMatcher(None, old.sentence.text, new.sentence.text, autojunk=False).ratio()
    if old.family.endswith("pair"):
        return 1 + text
    return columns + text if columns >= 0.5 and text >= ALIKE else 0.0


def _sides(open_: Open, common: Common) -> Iterator[tuple[str, frozenset[str]]]:
    """For a row over two columns, each column with the values that the row is about, whichever way it is phrased.

    Only the values with the largest coefficient matter here, so no shift as in `rules.columns.one_hot_rows` is needed.
    """
    if not open_.family.endswith("pair") or open_.rows is None or len(open_.rows) != 1:
        return
    entries, sense, _ = open_.rows[0]
    blocks = {
        name: (c.name, c.names) for c in (common.schema.used if common.schema else ()) if c.one_hot for name in c.names
    }
    done: set[str] = set()
    for variable in entries:
        column, names = blocks.get(variable, (variable, [variable, ""]))  # a 0/1 variable is as good as two values
        if column in done:
            continue
        done.add(column)
        most = max(entries.get(name, 0) for name in names)
        chosen = frozenset(name for name in names if entries.get(name, 0) == most)
        yield column, chosen
        if sense == "==":
            yield column, frozenset(names) - chosen
