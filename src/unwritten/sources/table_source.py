"""Mining a table: read in blocks, in memory bounded by the distinct rows that the tally keeps."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from unwritten import budgets
from unwritten.data import Examples, IntArray
from unwritten.errors import DataError
from unwritten.model import Model
from unwritten.sources.assemble import mine_tally
from unwritten.sources.blocks import Block
from unwritten.sources.checkpoint import Checkpoint, State, mark_of
from unwritten.sources.gather import Gathering
from unwritten.sources.noisy import mine_noisy
from unwritten.sources.verify import verified
from unwritten.tables import Table
from unwritten.tally import Tally


def mine_table(
    table: Table,
    weights: object,
    sense: str,
    rate: float | None,
    options: dict[str, Any],
    checkpoint: str | os.PathLike[str] | None = None,
) -> Model:
    """The model of a table; `rate` is the share of wrong rows, None to estimate it."""
    options = options | {"schema": table.schema}
    variables = table.schema.variables
    if weights is not None or rate != 0:
        if checkpoint is not None:
            raise DataError("a table with weights or noise is mined in memory: leave out the checkpoint")
        examples = Examples.of(table.labels(), weights, sense=sense, variables=variables)
        model = (
            mine_noisy(examples, rate, options)
            if rate != 0
            else mine_tally(examples, Tally.of(examples.labels), **options)
        )
    else:
        saver = None if checkpoint is None else Checkpoint(checkpoint)
        tally = _tally(table, saver, options)
        table.progress("mining", 0, 0)
        kept = tally.minable()
        model = mine_tally(Examples.of(kept.seen, sense=sense, variables=variables), kept, **options)
        if tally.thinned:
            model = verified(model, tally, lambda test: (test(block.labels) for block in table.blocks("verifying")))
        if saver is not None:
            saver.done()
    skipped = [f"column {c.name} was left out: {c.reason}" for c in table.schema.columns if not c.width]
    about = {"source": table.reader.title, "rows": table.rows, **table.reader.facts}
    return replace(model, about=about, notes=(*skipped, *model.notes))


def _tally(table: Table, saver: Checkpoint | None, options: dict[str, Any]) -> Tally:
    """The tally of all rows, from where a checkpoint left off."""
    state = None
    if saver is not None:
        plain = {name: option for name, option in options.items() if name != "schema"}
        first = next(_blocks(table, 0))
        state = saver.start(mark_of(first, table.rows, table.reader.title, table.schema.state(), plain))
    done = 0 if state is None else state.batches
    work = Gathering(None, None, budgets.KEPT_LABEL_ENTRIES, None if state is None else state.total)
    for labels in _blocks(table, done):
        done += 1
        work.add(Block(labels))
        if saver is not None and saver.due:
            saver.write(State(done, work.total()))
    return work.total().tally


def _blocks(table: Table, skipped: int) -> Iterator[IntArray]:
    """The labels of the table behind so many blocks, which are not even encoded."""
    step = max(1, budgets.TABLE_BLOCK_ENTRIES // len(table.schema.variables))
    batches = (
        (batch.slice(start, step), done)
        for batch, done in table.reader.batches()
        for start in range(0, batch.num_rows, step)
    )
    for part, done in islice(batches, skipped, None):
        yield table.schema.encode(part).labels
        table.progress("reading", done, table.reader.size)
