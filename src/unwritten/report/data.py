"""Data: the rules and their example rows as JSON for the page, within a budget."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from unwritten.data import IntArray
from unwritten.model import Model
from unwritten.report.evidence import together
from unwritten.report.fields import Fields
from unwritten.report.kinds import family_of, kind_text
from unwritten.report.links import Links
from unwritten.report.samples import Samples
from unwritten.report.suspects import Suspects
from unwritten.report.text import clipped, name_text, rounded, visible
from unwritten.rules import Sentence

TEXTS = 1_200_000  # characters of all rules' texts together
LONGEST, SHORTEST = 4_000, 120  # characters of one text
LINES = 12  # linear rows of one rule
TERMS = 120_000  # of all linear rows
NEAR = 3
CELL = 60  # characters


def payload(model: Model, fields: Fields, links: Links, samples: Samples, suspects: Suspects) -> dict[str, Any]:
    """Everything that the page's script needs."""
    most = _text_limit([len(sentence.text) for sentence in model.sentences])
    lines = _Lines(model)
    broken = suspects.of_rules()
    rules = [
        _rule(sentence, columns, samples.places[k], broken.get(k, []), lines, most)
        for k, (sentence, columns) in enumerate(zip(model.sentences, fields.columns, strict=True))
    ]
    return {
        "total": int(model.counts.sum()),
        "distinct": len(model.seen),
        "noun": "example" if model.schema is None else "row",
        "fields": [name_text(name) for name in fields.names],
        "near": [[b for b, _ in _ranked(links, c)] for c in range(len(fields.names))],
        "variables": lines.names,
        "kinds": {kind: [kind_text(kind), family_of(kind)] for kind in sorted({s.kind for s in model.sentences})},
        "rules": rules,
        "seen": _coded(fields.values(samples.labels), samples.counts.tolist(), len(fields.names)),
        "suspects": _coded(
            fields.values(suspects.labels),
            (suspects.places[: len(suspects.labels)] + 1).tolist(),
            len(fields.names),
        ),
    }


def _ranked(links: Links, c: int) -> list[tuple[int, int]]:
    """The nearest columns of one."""
    near = links.neighbours.get(c, Counter())
    return sorted(near.items(), key=lambda pair: (-pair[1], pair[0]))[:NEAR]


def _text_limit(lengths: list[int]) -> int:
    """The longest text such that all together fit."""
    limit = LONGEST
    while limit > SHORTEST and sum(min(length, limit) for length in lengths) > TEXTS:
        limit = limit * 3 // 4
    return max(SHORTEST, limit)


class _Lines:
    """Linear rows as [equality, right-hand side, variable, factor, …], with the names of the variables they use."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.left = TERMS
        self.names: list[str] = []
        self.places: dict[int, int] = {}

    def of(self, rules: tuple[int, ...]) -> list[list[int]]:
        found = []
        for i in rules[:LINES]:
            a: IntArray = self.model.rules.matrix[i]
            used = np.flatnonzero(a).tolist()
            if len(used) > self.left:
                break
            self.left -= len(used)
            pairs = [number for j in used for number in (self._place(j), int(a[j]))]
            found.append([int(self.model.rules.equality[i]), int(self.model.rules.rhs[i]), *pairs])
        return found

    def _place(self, j: int) -> int:
        if j not in self.places:
            self.places[j] = len(self.names)
            self.names.append(name_text(self.model.extended.names[j], 80))
        return self.places[j]


def _rule(
    sentence: Sentence, columns: tuple[int, ...], shows: tuple[int, ...], broken: list[int], lines: _Lines, most: int
) -> dict[str, Any]:
    evidence = sentence.evidence
    found: dict[str, Any] = {
        "id": sentence.id,
        "text": clipped(visible(sentence.text), most),
        "kind": sentence.kind,
        "columns": list(columns),
        "origin": sentence.origin,
        "support": sentence.support,
        "lines": lines.of(sentence.rules),
        "rows": len(sentence.rules),
        "shows": list(shows),
    }
    if broken:
        found["breaks"] = broken
    if evidence is not None:
        found["evidence"] = [
            evidence.examples,
            evidence.violations,
            *(rounded(x) for x in (evidence.chance, evidence.price, evidence.nats, evidence.confidence)),
            rounded(evidence.expected),
            rounded(evidence.bound()),
        ]
        if together(sentence):
            found["together"] = True
    return found


def _coded(rows: Iterable[list[str]], numbers: list[int], width: int) -> dict[str, Any]:
    """Rows as places in the list of values of each column."""
    values: list[dict[str, int]] = [{} for _ in range(width)]
    coded = [
        [part.setdefault(name_text(cell, CELL), len(part)) for part, cell in zip(values, row, strict=False)]
        for row in rows
    ]
    return {"numbers": numbers, "values": [list(part) for part in values], "rows": coded}
