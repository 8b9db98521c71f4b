"""Pairing: which sentences of two models are one rule whose values changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from unwritten import budgets
from unwritten.review.shared_variables import SharedVariables
from unwritten.rules import Row, Sentence

FAMILIES = {"requires": "pair", "excludes": "pair", "implies": "pair", "exactly-when": "equal pair"} | dict.fromkeys(
    ("exactly", "at-most", "at-least"), "count"
)
LEAST_TEXT_RATIO = 0.6  # of equal characters, for sentences that only their columns tie together
LEAST_SHARED_COLUMNS = 0.5


@dataclass(frozen=True, eq=False)
class UnmatchedSentence:
    """A sentence that the other model does not say.

    `rows` are its rows over the shared variables (None if it uses others), `implied` is True if the other model's rules
    imply them.
    """

    sentence: Sentence
    rows: list[Row] | None
    implied: bool

    @property
    def family(self) -> str:
        """The kinds of sentence that can turn into each other have one family."""
        return FAMILIES.get(self.sentence.kind, self.sentence.kind)

    @property
    def is_pair(self) -> bool:
        """True if the sentence relates two columns."""
        return self.family.endswith("pair")


def changed_pairs(
    old: Sequence[UnmatchedSentence], new: Sequence[UnmatchedSentence], shared: SharedVariables
) -> tuple[tuple[Sentence, Sentence], ...]:
    """Return (old, new) pairs that are one rule with changed values; each sentence is in at most one pair.

    The two sentences have the same condition on one column, or most of their columns in common, and they are not both
    implied.
    """
    holders: dict[tuple[str, str], list[int]] = defaultdict(list)
    for k, after in enumerate(new):
        for column in after.sentence.columns:
            holders[after.family, column].append(k)
    new_conditions = [set(_conditions(after, shared)) for after in new]
    scored = []
    for i, before in enumerate(old):
        conditions = set(_conditions(before, shared))
        candidates = {k for column in before.sentence.columns for k in holders[before.family, column]}
        has_condition = {k: bool(conditions & new_conditions[k]) for k in candidates}
        ranked = sorted(
            candidates, key=lambda k: (not has_condition[k], -_shared_share(before, new[k]), new[k].sentence.text)
        )
        for k in ranked[: budgets.PAIRED_SENTENCES]:
            score = 0.0 if before.implied and new[k].implied else _score(before, new[k], has_condition[k])
            if score:
                scored.append((-score, i, k))
    taken: set[int] = set()
    partner: dict[int, int] = {}
    for _, i, k in sorted(scored):
        if i not in partner and k not in taken:
            partner[i] = k
            taken.add(k)
    return tuple((old[i].sentence, new[k].sentence) for i, k in sorted(partner.items()))


def _shared_share(old: UnmatchedSentence, new: UnmatchedSentence) -> float:
    """Return the share of their columns that both sentences use."""
    one, other = set(old.sentence.columns), set(new.sentence.columns)
    return len(one & other) / len(one | other)


def _score(old: UnmatchedSentence, new: UnmatchedSentence, same_condition: bool) -> float:
    """Return how much two sentences of a family are alike; 0 if they are not one rule."""
    columns = _shared_share(old, new)
    if old.is_pair and (columns < 1 or not same_condition):
        return 0.0
    text = SequenceMatcher(None, old.sentence.text, new.sentence.text, autojunk=False).ratio()
    if old.is_pair:
        return 1 + text
    return columns + text if columns >= LEAST_SHARED_COLUMNS and text >= LEAST_TEXT_RATIO else 0.0


def _conditions(unmatched: UnmatchedSentence, shared: SharedVariables) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield each column of a two-column row with the values that the row is about, whatever its wording.

    Only the values with the largest coefficient matter, so no shift as in `rules.columns.one_hot_rows` is needed.
    """
    if not unmatched.is_pair or unmatched.rows is None or len(unmatched.rows) != 1:
        return
    entries, sense, _ = unmatched.rows[0]
    columns = shared.schema.used if shared.schema else ()
    blocks = {name: (c.name, c.names) for c in columns if c.one_hot for name in c.names}
    done: set[str] = set()
    for variable in entries:
        column, names = blocks.get(variable, (variable, [variable, ""]))  # a 0/1 variable counts as two values
        if column in done:
            continue
        done.add(column)
        most = max(entries.get(name, 0) for name in names)
        values = frozenset(name for name in names if entries.get(name, 0) == most)
        yield column, values
        if sense == "==":
            yield column, frozenset(names) - values
