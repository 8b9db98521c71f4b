"""Programs: the one test of a label against everything, the one list of labels, and values in a fixed order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import unwritten
from solving.programs import allowed, box_of, small
from unwritten.samples import trees
from unwritten.solving import list_labels
from unwritten.solving.program import Program


def program_of(model: unwritten.Model) -> Program:
    """The program that a model asks."""
    return model._desk.program


@pytest.mark.parametrize("binary", [True, False], ids=["0/1", "integers"])
def test_a_label_is_tested_against_everything(binary: bool) -> None:
    """Bounds, rules and cuts together let through what listing all labels lets through."""
    for seed in range(6):
        model = small(seed, binary=binary).model
        points = np.concatenate([box_of(model), box_of(model) + 5])
        program = program_of(model)
        assert np.array_equal(points[program.obeys(points)], allowed(model))
        assert np.array_equal(program.obeys(points, cuts=False), model.check(points).feasible)


def test_the_structure_is_part_of_the_test() -> None:
    """Labels that obey every row but are not bases are refused, unless the structure is left out."""
    model = unwritten.mine(trees.sample(5, 800, seed=0)[1])
    program, points = program_of(model), box_of(model)
    assert np.array_equal(points[program.obeys(points)], points[trees.is_tree(points, 5)])
    assert program.obeys(points, structure=False).sum() > program.obeys(points).sum()


@pytest.mark.parametrize("binary", [True, False], ids=["0/1", "integers"])
def test_all_labels_are_listed(binary: bool) -> None:
    """The list has every label in lexicographic order; seen labels come first if asked for; budgets are kept."""
    for seed in range(6):
        model = small(seed, binary=binary).model
        program = program_of(model)
        labels = list_labels(program, 10_000)
        assert labels is not None and np.array_equal(labels, allowed(model))
        assert np.array_equal(list_labels(program, 10_000, cuts=False), model.labels())
        seen_first = list_labels(program, 10_000, seen_first=True)
        assert seen_first is not None
        assert np.array_equal(seen_first[: len(model.seen)], model.seen)
        assert np.array_equal(np.unique(seen_first, axis=0), labels)
        assert list_labels(program, 1) is None


def test_equal_cuts_keep_their_order() -> None:
    """Cuts broken by the same amount come in their order; worse ones come first."""
    weights = np.random.default_rng(0).normal(size=(1, 20)).repeat(101, axis=0)
    program = program_of(unwritten.mine(np.zeros((2, 20), int), rules=[], bounds=(0, 1)))
    label = (weights[0] > 0).astype(np.int64)
    limits = np.full(101, weights[0] @ label - 1)
    limits[[7, 50]] -= 1
    broken = replace(program, cut_weights=weights, cut_limits=limits).broken_cuts(label)
    assert broken.tolist() == [7, 50, *(k for k in range(101) if k not in (7, 50))]


@pytest.mark.parametrize("engine", ["explicit", "greedy", "groups", "best-first", "lazy", "monolithic", "inner"])
def test_values_do_not_depend_on_the_size_of_a_batch(engine: str) -> None:
    """Values and bounds have the same bits for any size of batch and number of threads."""
    weights, labels = trees.sample(5, 200, seed=0)
    queries = trees.sample(5, 30, seed=1)[0]
    whole = unwritten.mine(labels, weights).decide(queries, engine=engine)
    parts = unwritten.mine(labels, weights).decide(queries, engine=engine, n_jobs=2)
    single = unwritten.mine(labels, weights).decide(queries[:1], engine=engine)
    for part in ("labels", "values", "bounds", "seen_values"):
        assert np.array_equal(getattr(whole, part), getattr(parts, part)), part
        assert np.array_equal(getattr(whole, part)[:1], getattr(single, part)), part
    in_order = np.array(
        [sum(w * y for w, y in zip(*pair, strict=True)) for pair in zip(queries, whole.labels, strict=True)]
    )
    assert np.array_equal(whole.values, in_order)
    optimal = whole.status == "optimal"
    assert np.array_equal(whole.values[optimal], whole.bounds[optimal])
