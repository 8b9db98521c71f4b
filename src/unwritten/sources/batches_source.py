"""Mining a stream: one pass over batches, in memory bounded by d² and the labels that are kept."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from numbers import Real
from pathlib import Path
from typing import Any

from unwritten import budgets
from unwritten.data import Examples, Sense, Variables, sense_of
from unwritten.errors import DataError
from unwritten.mining.cuts import given_slack
from unwritten.model import Model
from unwritten.sources.assemble import checked_confidence, chosen_miners, mine_tally
from unwritten.sources.blocks import Batches, Block, named, opened
from unwritten.sources.checkpoint import Checkpoint, State, mark_of
from unwritten.sources.cut_file import InMemory, OnDisk, Store
from unwritten.sources.gather import Bounds, Gathered, Gathering
from unwritten.sources.verify import Found, Test, verified


def mine_stream(
    batches: Batches,
    *,
    sense: str = "max",
    rules: str | Sequence[str] = "auto",
    slack: object = "auto",
    prior: object = None,
    lifts: Any = (),
    names: Sequence[str] | None = None,
    bounds: Bounds | None = None,
    confidence: float = 0.95,
    symmetries: object = (),
    cuts: str | os.PathLike[str] = "memory",
    checkpoint: str | os.PathLike[str] | None = None,
    every: float = budgets.CHECKPOINT_SECONDS,
    resume: bool = True,
    keep: bool = False,
    most_kept: int = budgets.KEPT_LABEL_ENTRIES,
) -> Model:
    """Mine batches of examples, in one pass and without holding them all.

    The model is that of `mine` on all batches together, as long as the distinct labels have at most `most_kept`
    entries. Past that a fair sample of them is kept, and every mined rule is verified on all labels: by their counts,
    or in a second pass, if `batches` can be read again.

    Parameters
    ----------
    batches
        Blocks of labels (what `mine` reads), or pairs (labels, weights) as tuples: a list or another collection, a
        function that returns an iterable (both can be read again), or an iterator (which cannot).
    sense, rules, slack, prior, lifts, names, bounds, confidence, symmetries
        As in `mine`.
    cuts
        "memory", or the path of a .npy file: weights are then kept there and never all in memory.
    checkpoint
        A file to go on from if the run is killed. It is written at most every so many seconds (`every`), found again
        if `resume`, and removed at the end, unless `keep`.
    most_kept
        Entries of distinct labels to keep.

    Examples
    --------
    >>> model = mine_stream([[[1, 0, 0], [0, 1, 0]], [[0, 0, 1]]] * 2, names=["red", "green", "blue"])
    >>> print(model.rules)
    exactly one of red, green, blue
    """
    options: dict[str, Any] = {"rules": rules, "slack": slack, "prior": prior, "lifts": lifts}
    options |= {"confidence": confidence, "symmetries": symmetries}
    _check(sense, every, most_kept, options)
    source = opened(batches)
    first = next(source, None)
    if first is None:
        raise DataError("there are no batches: give at least one block of labels")
    head = named("batch", 0, Block.of, first)
    store = _store(head, cuts, checkpoint)
    saver, state = None, None
    if checkpoint is not None:
        saver = Checkpoint(checkpoint, float(every), resume)
        settled = [options, sense, names, bounds, most_kept, os.fspath(cuts)]
        state = saver.start(mark_of(head.labels, head.names, head.weights, settled))
    work = Gathering(names, bounds, most_kept, None if state is None else state.total)
    try:
        total = _read(chain([first], source), work, store, saver, state)
        model = _mined(total, store, total.variables(names, bounds), sense_of(sense), options)
        if total.tally.thinned:
            again = not isinstance(batches, Iterator)
            model = verified(model, total.tally, (lambda test: _scan(batches, test)) if again else None, slack)
    except BaseException:
        if store is not None and saver is None:
            store.clean()
        raise
    if store is not None:
        store.clean()
    if saver is not None:
        saver.done(keep)
    return model


def _mined(total: Gathered, store: Store | None, variables: Variables, sense: Sense, options: dict[str, Any]) -> Model:
    """The model of what is kept of the labels."""
    tally = total.tally.minable()
    if store is None:
        return mine_tally(Examples.of(tally.seen, sense=sense, variables=variables), tally, **options)
    made = store.cuts(variables, sense, tally.seen, options["slack"])
    return mine_tally(store.examples(variables, sense), tally, **options, cuts=made)


def _check(sense: str, every: object, most_kept: object, options: dict[str, Any]) -> None:
    """Complain of options before the first batch is read, not after the last."""
    sense_of(sense)
    if isinstance(every, bool) or not isinstance(every, Real) or not float(every) >= 0:
        raise DataError(f"every is {every!r}: use seconds, 0 for a checkpoint after every batch")
    if isinstance(most_kept, bool) or not isinstance(most_kept, int) or most_kept < 1:
        raise DataError(f"most_kept is {most_kept!r}: use a number of entries, such as {budgets.KEPT_LABEL_ENTRIES}")
    chosen_miners(options["rules"])
    checked_confidence(options["confidence"])
    if isinstance(options["slack"], str | Real):
        given_slack(options["slack"], 1)


def _store(head: Block, cuts: str | os.PathLike[str], checkpoint: object) -> Store | None:
    if head.weights is None:
        return None
    if cuts != "memory":
        return OnDisk(Path(cuts))
    if checkpoint is not None:
        raise DataError("a checkpoint of examples with weights needs these on disk: use cuts='cuts.npy'")
    return InMemory()


def _read(
    batches: Iterable[Any], work: Gathering, store: Store | None, saver: Checkpoint | None, state: State | None
) -> Gathered:
    """Take in all batches behind those of the checkpoint, and write others on the way."""
    if state is not None and isinstance(store, OnDisk):
        store.resume(state.values, state.first)
    done, skipped = 0, 0 if state is None else state.batches
    for batch in batches:
        done += 1
        if done <= skipped:
            continue
        named("batch", done - 1, _take, batch, work, store)
        if saver is not None and saver.due and not work.empty:
            if isinstance(store, OnDisk):
                store.sync()
                saver.write(State(done, work.total(), store.values, store.first_labels))
            else:
                saver.write(State(done, work.total()))
    if done < skipped:
        raise DataError(f"the checkpoint is of {skipped} batches and there are {done}: start anew with resume=False")
    return work.total()


def _take(batch: object, work: Gathering, store: Store | None) -> None:
    block = Block.of(batch)
    if (block.weights is None) != (store is None):
        raise DataError("some batches have weights and some have none: give weights with every batch or with none")
    work.add(block)
    if store is not None and block.weights is not None and len(block.labels):
        store.add(block.labels, block.weights)


def _scan(batches: Batches, test: Test) -> Iterator[Found]:
    for k, batch in enumerate(opened(batches)):
        yield test(named("batch", k, Block.of, batch).labels)
