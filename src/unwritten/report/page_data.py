"""Page data: the rules and their example rows as JSON for the page's script, within a budget of bytes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from unwritten.data import IntArray
from unwritten.report.evidence_sentences import is_sure_only_with_others
from unwritten.report.fields import Fields, noun_of
from unwritten.report.linked_columns import Links
from unwritten.report.page_text import clipped, name_text, rounded, visible
from unwritten.report.rule_families import family_of, kind_text
from unwritten.report.sample_rows import SampleRows
from unwritten.report.suspect_rows import SuspectRows
from unwritten.rules import Sentence

if TYPE_CHECKING:
    from unwritten.model import Model

MOST_CHARACTERS = 1_200_000  # of the texts of all rules together
LONGEST_TEXT, SHORTEST_LIMIT = 4_000, 120  # characters of one text
MOST_LINES = 12  # linear rows of one rule
PAGE_TERMS = 120_000  # of all linear rows together
MOST_NEIGHBOURS = 3  # columns shown beside those of a rule
LONGEST_CELL = 60  # characters
LONGEST_VARIABLE = 80  # characters


def page_data(model: Model, fields: Fields, links: Links, samples: SampleRows, suspects: SuspectRows) -> dict[str, Any]:
    """Return everything that the page's script needs."""
    longest = _text_limit([len(sentence.text) for sentence in model.sentences])
    lines = _LinearRows(model)
    suspects_by_rule = suspects.by_sentence()
    rules = [
        _rule(sentence, columns, samples.places[k], suspects_by_rule.get(k, []), lines, longest)
        for k, (sentence, columns) in enumerate(zip(model.sentences, fields.columns, strict=True))
    ]
    return {
        "total": int(model.counts.sum()),
        "distinct": len(model.seen),
        "noun": noun_of(model),
        "fields": [name_text(name) for name in fields.names],
        "near": [_nearest_columns(links, c) for c in range(len(fields.names))],
        "variables": lines.names,
        "kinds": {kind: [kind_text(kind), family_of(kind)] for kind in sorted({s.kind for s in model.sentences})},
        "rules": rules,
        "seen": _coded_rows(fields.values(samples.labels), samples.counts.tolist(), len(fields.names)),
        "suspects": _coded_rows(
            fields.values(suspects.labels),
            (suspects.places[: len(suspects.labels)] + 1).tolist(),
            len(fields.names),
        ),
    }


def _nearest_columns(links: Links, c: int) -> list[int]:
    """Return the columns with the most links to column `c`."""
    neighbours = links.neighbours.get(c, Counter())
    return sorted(neighbours, key=lambda other: (-neighbours[other], other))[:MOST_NEIGHBOURS]


def _text_limit(lengths: list[int]) -> int:
    """Return the longest allowed text such that all texts together stay below MOST_CHARACTERS."""
    limit = LONGEST_TEXT
    while limit > SHORTEST_LIMIT and sum(min(length, limit) for length in lengths) > MOST_CHARACTERS:
        limit = limit * 3 // 4
    return max(SHORTEST_LIMIT, limit)


class _LinearRows:
    """Linear rows as [equality, right-hand side, variable, factor, …], and the names of the variables they use."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.terms_left = PAGE_TERMS
        self.names: list[str] = []
        self.places: dict[int, int] = {}

    def of(self, rules: tuple[int, ...]) -> list[list[int]]:
        """Return the first rows of these rules; fewer, or none, once PAGE_TERMS is used up."""
        rows = []
        for i in rules[:MOST_LINES]:
            a: IntArray = self.model.rules.matrix[i]
            used = np.flatnonzero(a).tolist()
            if len(used) > self.terms_left:
                break
            self.terms_left -= len(used)
            pairs = [number for j in used for number in (self._place(j), int(a[j]))]
            rows.append([int(self.model.rules.equality[i]), int(self.model.rules.rhs[i]), *pairs])
        return rows

    def _place(self, j: int) -> int:
        """Return the place of variable `j` in `names`, which it joins when it is first used."""
        if j not in self.places:
            self.places[j] = len(self.names)
            self.names.append(name_text(self.model.extended.names[j], LONGEST_VARIABLE))
        return self.places[j]


def _rule(
    sentence: Sentence,
    columns: tuple[int, ...],
    sample_places: tuple[int, ...],
    suspect_places: list[int],
    lines: _LinearRows,
    longest: int,
) -> dict[str, Any]:
    """Return one rule for the script."""
    evidence = sentence.evidence
    rule: dict[str, Any] = {
        "id": sentence.id,
        "text": clipped(visible(sentence.text), longest),
        "kind": sentence.kind,
        "columns": list(columns),
        "origin": sentence.origin,
        "support": sentence.support,
        "lines": lines.of(sentence.rules),
        "rows": len(sentence.rules),
        "shows": list(sample_places),
    }
    if suspect_places:
        rule["breaks"] = suspect_places
    if evidence is not None:
        rule["evidence"] = [
            evidence.examples,
            evidence.violations,
            *(rounded(x) for x in (evidence.chance, evidence.price, evidence.nats, evidence.confidence)),
            rounded(evidence.expected),
            rounded(evidence.bound()),
        ]
        if is_sure_only_with_others(sentence):
            rule["together"] = True
    return rule


def _coded_rows(rows: Iterable[list[str]], numbers: list[int], width: int) -> dict[str, Any]:
    """Return rows as places in the list of values of each column, so that each value is written once."""
    values: list[dict[str, int]] = [{} for _ in range(width)]
    coded = [
        [
            places.setdefault(name_text(cell, LONGEST_CELL), len(places))
            for places, cell in zip(values, row, strict=False)
        ]
        for row in rows
    ]
    return {"numbers": numbers, "values": [list(places) for places in values], "rows": coded}
