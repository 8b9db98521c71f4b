"""Mining a table: read in blocks, in memory bounded by the distinct rows that the tally keeps."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tacit.assembly.assemble import mine_tally
from tacit.assembly.noisy import mine_noisy
from tacit.data import Examples
from tacit.errors import DataError
from tacit.mining import Tally, lifted_labels
from tacit.model import Model
from tacit.rules import MINED
from tacit.tables import Table


def mine_table(table: Table, weights: object, sense: str, rate: float | None, options: dict[str, Any]) -> Model:
    """The model of a table; `rate` is the share of wrong rows, None to estimate it."""
    options = options | {"schema": table.schema}
    variables = table.schema.variables
    if weights is not None or rate != 0:
        examples = Examples.of(table.labels(), weights, sense=sense, variables=variables)
        model = (
            mine_noisy(examples, rate, options)
            if rate != 0
            else mine_tally(examples, Tally.of(examples.labels), **options)
        )
    else:
        tally = Tally.of_blocks(block.labels for block in table.blocks())
        table.progress("mining", 0, 0)
        model = mine_tally(Examples.of(tally.seen, sense=sense, variables=variables), tally, **options)
        if tally.thinned:
            model = _verified(model, table, tally)
    skipped = [f"column {c.name} was left out: {c.reason}" for c in table.schema.columns if not c.width]
    about = {"source": table.source.title, "rows": table.rows, **table.source.facts}
    return replace(model, about=about, notes=(*skipped, *model.notes))


def _verified(model: Model, table: Table, tally: Tally) -> Model:
    """The rules that every row obeys, where they were mined from a sample of the distinct rows."""
    broken = np.zeros(len(model.rules), np.int64)
    fits = True
    for block in table.blocks("verifying"):
        broken += model.rules.violations(lifted_labels(model.lifts, block.labels)).sum(axis=0)
        fits = fits and (model.matroid is None or bool(model.matroid.is_basis(block.labels).all()))
    kept = broken == 0
    wrong = ~kept & np.array([origin != MINED for origin in model.rules.origins], bool)
    if wrong.any():
        text = model.rules[int(np.flatnonzero(wrong)[0])].text
        raise DataError(f"{int(broken[wrong][0])} rows break the prior row “{text}”: drop that row, or correct those")
    note = (
        f"of the distinct rows a fair sample is kept, {len(tally.seen):,} or one in {2**tally.thinned}; every rule was "
        f"verified on all {tally.n:,} rows" + ("" if kept.all() else f", and {int((~kept).sum())} fell")
    )
    return replace(
        model,
        rules=model.rules[kept],
        redundant=model.redundant if kept.all() else model.redundant[:0],
        matroid=model.matroid if fits else None,
        notes=(*model.notes, note),
        total=tally.n,
    )
