"""Examples that are read block by block: a user's batches, or the rows of a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol

from unwritten.data import Examples
from unwritten.errors import DataError
from unwritten.options import MiningOptions
from unwritten.sources.blocks import Block, naming_errors
from unwritten.sources.checkpoint import Checkpoint
from unwritten.sources.checkpoint_file import CheckpointFile, RunState
from unwritten.sources.cut_file import InMemory, OnDisk
from unwritten.sources.example_source import Gathered
from unwritten.sources.label_counter import CountedLabels, LabelCounter
from unwritten.sources.label_test import LabelTest, LabelTestResult
from unwritten.sources.readers import skip_blocks
from unwritten.sources.run_mark import mark_of
from unwritten.tables import Schema, Table
from unwritten.tally.following import example_weight


class BlockReader(Protocol):
    """Where the blocks come from."""

    what: str  # what a block is called in errors
    schema: Schema | None
    table: Table | None
    rereadable: bool

    def open(self, skip: int = 0) -> Iterator[Any]:
        """Start a pass over the blocks after the first `skip` ones: labels, or tuples (labels, weights)."""

    def facts(self) -> tuple[dict[str, Any], tuple[str, ...]]:
        """Facts about the data, and notes for the user."""


class StreamSource:
    """Counts blocks in one pass. Memory is bounded by the d × d Gram matrix and the labels that are kept.

    Parameters
    ----------
    cuts
        None keeps weights in memory; a path keeps them in that .npy file.
    most_kept
        Integers of distinct labels to keep; above it a fair sample of the labels is kept.
    """

    def __init__(
        self, reader: BlockReader, options: MiningOptions, checkpoint: Checkpoint | None, cuts: Path | None, most: int
    ) -> None:
        self._reader, self._options, self._most, self._cuts = reader, options, most, cuts
        self._file = None if checkpoint is None else CheckpointFile(checkpoint)
        self._store: InMemory | OnDisk | None = None
        self._weight = 1.0

    @property
    def table(self) -> Table | None:
        """The table that is read, if it is one."""
        return self._reader.table

    def gather(self) -> Gathered:
        """Read all blocks after those that the checkpoint counts, and write new checkpoints on the way."""
        blocks = self._reader.open()
        first = next(blocks, None)
        if first is None:
            raise DataError("there are no batches: give at least one block of labels")
        head = naming_errors(self._reader.what, 0, Block.of, first)
        self._store = self._opened_store(head)
        self._weight = example_weight(head.labels)
        state = self._file.start(self._mark(head)) if self._file is not None else None
        if state is None:
            return self._gathered(self._count(_behind(first, blocks), 0, None))
        if self._reader.rereadable:
            rest = self._reader.open(state.batches)
        else:
            rest = skip_blocks(blocks, state.batches - 1, before=1)
        return self._gathered(self._count(rest, state.batches, state))

    def scan(self, test: LabelTest) -> Iterable[LabelTestResult] | None:
        """Test all labels in a second pass."""
        if not self._reader.rereadable:
            return None
        return (
            test(naming_errors(self._reader.what, k, Block.of, block).labels)
            for k, block in enumerate(self._reader.open())
        )

    def close(self, *, finished: bool) -> None:
        """Remove the temporary file of weights unless a checkpoint needs it, and the checkpoint of a finished run."""
        if self._store is not None and (finished or self._file is None):
            self._store.clean()
        if self._file is not None:
            self._file.close(finished=finished)

    def _mark(self, head: Block) -> str:
        schema = None if self._reader.schema is None else self._reader.schema.state()
        settings = [self._options, self._most, None if self._cuts is None else str(self._cuts), schema]
        return mark_of(head.labels, head.names, head.weights, settings)

    def _opened_store(self, head: Block) -> InMemory | OnDisk | None:
        if head.weights is None:
            return None
        if self._cuts is not None:
            return OnDisk(self._cuts)
        if self._file is not None:
            raise DataError("a checkpoint of examples with weights needs these on disk: use cuts='cuts.npy'")
        return InMemory()

    def _count(self, blocks: Iterable[Any], done: int, state: RunState | None) -> CountedLabels:
        store = self._store
        start = None if state is None else state.counted
        counter = LabelCounter(self._options, self._most, start)
        if state is not None and isinstance(store, OnDisk):
            store.resume(state.values, state.first)
        for block in blocks:
            naming_errors(self._reader.what, done, self._take, block, counter)
            done += 1
            if self._file is not None and self._file.due and not counter.empty:
                if isinstance(store, OnDisk):
                    store.sync()
                    self._file.write(RunState(done, counter.total(), store.values, store.first_labels))
                else:
                    self._file.write(RunState(done, counter.total()))
        return counter.total()

    def _take(self, batch: object, counter: LabelCounter) -> None:
        block = Block.of(batch)
        if (block.weights is None) != (self._store is None):
            raise DataError("some batches have weights and some have none: give weights with every batch or with none")
        counter.add(block)
        if self._store is not None and block.weights is not None and len(block.labels):
            self._store.add(block.labels, block.weights)

    def _gathered(self, counted: CountedLabels) -> Gathered:
        options, schema = self._options, self._reader.schema
        tally = counted.tally.minable()
        variables = counted.variables(options) if schema is None else schema.variables
        if self._store is None:
            examples = Examples.of(tally.seen, sense=options.sense, variables=variables)
        else:
            examples = self._store.examples(variables, options.sense)
        about, notes = self._reader.facts()
        stored = self._store if isinstance(self._store, OnDisk) else None
        return Gathered(tally, examples, counted.tally, stored, schema, about, notes, self._weight)


def _behind(first: Any, rest: Iterator[Any]) -> Iterator[Any]:
    yield first
    yield from rest
