"""Symmetry: mining with declared symmetries gives the same rules as mining the list of all images."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest

import unwritten
from helpers import box, same_span
from unwritten import Examples, Variables, budgets
from unwritten.data import IntArray
from unwritten.errors import DataError
from unwritten.options import MINERS
from unwritten.samples import trees
from unwritten.tally import Symmetry, Tally, gram_of, interchangeable, relabelled

GENERATORS: dict[str, tuple[int, list[Any]]] = {
    "a swap": (4, [[1, 0, 2, 3]]),
    "a cycle": (5, [[1, 2, 3, 4, 0]]),
    "a reflection and a turn": (6, [[1, 2, 3, 4, 5, 0], [5, 4, 3, 2, 1, 0]]),
    "blocks": (6, interchangeable([0, 1], [2, 3], [4, 5])),
    "singles": (5, interchangeable(*[[j] for j in range(5)])),
    "renamed nodes": (6, relabelled(trees.edges(4))),
    "two commuting swaps": (4, [{0: 1, 1: 0}, {2: 3, 3: 2}]),
    "nothing moves": (4, [[0, 1, 2, 3]]),
}


def moves(kind: str) -> Symmetry:
    """The symmetry of this kind."""
    width, generators = GENERATORS[kind]
    return Symmetry.of(generators, Variables.named([f"y{j}" for j in range(width)]))


def group(moves: IntArray) -> IntArray:
    """List all products of the generators."""
    known = {tuple(range(moves.shape[1]))}
    fresh = list(known)
    while fresh:
        fresh = [p for p in {tuple(move[list(q)].tolist()) for q in fresh for move in moves} if p not in known]
        known |= set(fresh)
    return np.array(sorted(known))


def images(labels: IntArray, moves: IntArray) -> IntArray:
    """Every image of every label under each permutation p of the group: entry j goes to place p[j]."""
    out = []
    for p in group(moves):
        image = np.empty_like(labels)
        image[:, p] = labels
        out.append(image)
    return np.concatenate(out)


def drawn(kind: str, seed: int) -> IntArray:
    """Random labels of bits or of small integers."""
    rng = np.random.default_rng(seed)
    width = GENERATORS[kind][0]
    if seed % 3 == 0:
        return rng.integers(-1, 3, (int(rng.integers(1, 5)), width))
    labels = rng.integers(0, 2, (int(rng.integers(1, 8)), width))
    if seed % 3 == 1:
        labels[:, :] = 0
        labels[np.arange(len(labels)), rng.integers(0, width, len(labels))] = 1
    return labels


@pytest.mark.parametrize("kind", GENERATORS)
def test_the_tally_is_that_of_all_images(kind: str) -> None:
    """The Gram matrix is an integer multiple of that of the listed images, and the seen labels are these images."""
    symmetry = moves(kind)
    for seed in range(5):
        labels = drawn(kind, seed)
        listed = images(labels, symmetry.moves)
        tally = symmetry.tally(Tally.of(labels))
        assert tally.gram[-1, -1] == tally.n
        assert np.array_equal(tally.gram * len(listed), gram_of(listed) * tally.n)
        assert np.array_equal(tally.seen, np.unique(listed, axis=0))
        assert len(tally.counts) == len(tally.seen)
        assert tally.counts.sum() == len(labels)  # images that were not given count as never seen
        assert tally.symmetry is not None
        everything = {row.tobytes() for row in listed}
        assert {row.tobytes() for row in tally.symmetry.sample} <= everything


@pytest.mark.parametrize("kind", GENERATORS)
def test_equalities_are_those_of_all_images(kind: str) -> None:
    """Mining with symmetries gives the equalities of the listed images, and they hold on every image."""
    symmetry = moves(kind)
    for seed in range(5):
        labels = drawn(kind, seed)
        if len(labels) < 2:
            continue
        listed = images(labels, symmetry.moves)
        symmetric = unwritten.mine(labels, rules=["equalities"], symmetries=symmetry.moves.tolist()).rules
        assert not symmetric.violations(listed).any()
        assert same_span(symmetric.rows, unwritten.mine(listed, rules=["equalities"]).rules.rows)


@pytest.mark.parametrize("kind", GENERATORS)
def test_pairs_and_groups_are_those_of_all_images(kind: str) -> None:
    """With many examples, pairs and groups allow the same 0/1 labels as those mined from the listed images."""
    symmetry = moves(kind)
    width = symmetry.moves.shape[1]
    every = box(0, 1, width)
    some = 0
    for seed in range(4):
        rng = np.random.default_rng(seed)
        i, j = rng.choice(width, 2, replace=False)
        a, b = rng.integers(0, 2, 2)
        planted = every[
            ~((images(every, symmetry.moves).reshape(-1, 2**width, width)[:, :, [i, j]] == [a, b]).all(2)).any(0)
        ]
        if len(planted) < 3:
            continue
        labels = planted[rng.integers(0, len(planted), 300)]
        listed = images(labels, symmetry.moves)
        for miners in (["pairs"], ["groups", "pairs"]):
            symmetric = unwritten.mine(labels, rules=miners, symmetries=symmetry.moves.tolist(), bounds=(0, 1)).rules
            assert not symmetric.violations(listed).any()
            truth = unwritten.mine(listed, rules=miners, bounds=(0, 1)).rules
            assert np.array_equal(symmetric.violations(every).any(axis=1), truth.violations(every).any(axis=1)), (
                seed,
                miners,
            )
            some += len(truth)
    assert some


@pytest.mark.parametrize("rules", ["auto", *MINERS])
@pytest.mark.parametrize("kind", GENERATORS)
def test_mined_rules_hold_on_every_image(kind: str, rules: str) -> None:
    """With every miner, every image of a label obeys the mined rules."""
    symmetry = moves(kind)
    for seed in range(3):
        labels = np.tile(drawn(kind, seed), (4, 1))
        model = unwritten.mine(labels, rules=rules, symmetries=symmetry.moves.tolist())
        checked = model.check(images(labels, symmetry.moves))
        assert not checked.violations.any()
        assert checked.structured.all()


def test_images_move_rows_of_all_arrays_alike() -> None:
    """The given rows come first, and each image applies one permutation of the group to all arrays."""
    symmetry = moves("a reflection and a turn")
    rng = np.random.default_rng(0)
    weights, labels = rng.normal(size=(3, 6)), np.arange(18).reshape(3, 6)
    moved_weights, moved_labels = symmetry.images(weights, labels, count=40)
    assert len(moved_labels) == len(moved_weights) == 40
    assert np.array_equal(moved_labels[:3], labels)
    elements = group(symmetry.moves)
    for i in range(40):
        matches = [p for p in elements if np.array_equal(moved_labels[i, p], labels[i % 3])]
        assert len(matches) == 1
        assert np.array_equal(moved_weights[i, matches[0]], weights[i % 3])
    assert len(np.unique(moved_labels, axis=0)) > 18  # of 36, and of 18 without the odd ones
    assert len(symmetry.images(labels, count=1)[0]) == 3


def test_cuts_of_images_cut_off_no_image() -> None:
    """With all renamings of nodes, every tree satisfies every cut, and fresh queries are answered better."""
    weights, labels = trees.sample(5, 6, seed=0)
    edges = trees.edges(5)
    moved = unwritten.mine(labels, weights, rules=[], symmetries=relabelled(edges))
    every = box(0, 1, 10)
    every = every[trees.is_tree(every, 5)]
    assert len(every) == 125
    assert (every @ moved.cuts.weights.T <= moved.cuts.limits(moved.variables)).all()
    assert len(moved.cuts) > 100
    assert len(unwritten.mine(labels, weights, rules=[]).cuts) <= 6
    assert moved.cuts.exact


def test_orbits_too_large_to_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """If there are too many images to list, only given labels count as seen; equalities still hold for all images."""
    symmetry = moves("singles")
    labels = np.array([[1, 1, 0, 0, 0], [0, 1, 0, 1, 0]])
    whole = symmetry.tally(Tally.of(labels))
    assert len(whole.seen) == 10
    monkeypatch.setattr(budgets, "CLOSURE_ENTRIES", 20)
    part = symmetry.tally(Tally.of(labels))
    assert np.array_equal(part.seen, Tally.of(labels).seen)
    assert np.array_equal(part.gram, whole.gram)
    model = unwritten.mine(labels, rules=["equalities"], symmetries=symmetry.moves.tolist())
    assert str(model.rules) == "exactly two of y0, y1, y2, y3, y4"


def test_names_places_and_arrays_are_the_same() -> None:
    """A permutation by names, by places, as an array or as a mapping of what moves gives the same model."""
    labels = np.array([[1, 0, 0], [0, 1, 0], [1, 0, 1], [0, 1, 1]] * 5)
    names = ["a", "b", "c"]
    models = [
        unwritten.mine(labels, names=names, symmetries=s)
        for s in (
            [[1, 0, 2]],
            [np.array([1, 0, 2])],
            [{"a": "b", "b": "a"}],
            [{0: 1, 1: 0}],
            [{np.int64(0): "b", "b": 0}],
            interchangeable(["a"], ["b"]),
            [[1, 0, 2], [1, 0, 2], [0, 1, 2]],
        )
    ]
    assert all(model.rules.compare(models[0].rules).same for model in models)
    assert all(np.array_equal(model.seen, models[0].seen) for model in models)


def test_an_empty_list_of_symmetries_changes_nothing() -> None:
    """An empty list of symmetries gives the same model as the default."""
    labels = np.eye(3, dtype=np.int64).repeat(5, axis=0)
    assert unwritten.mine(labels, symmetries=[]) == unwritten.mine(labels)


def test_interchangeable_generates_all_exchanges() -> None:
    """For three blocks, the group is all orders of the blocks, and the variables of a block stay together."""
    swaps = interchangeable([0, 1], [2, 3], [4, 5])
    assert len(swaps) == 2
    elements = group(Symmetry.of(swaps, Variables.named("abcdef")).moves)
    expected = {tuple(2 * k + r for k in order for r in (0, 1)) for order in permutations(range(3))}
    assert {tuple(p) for p in elements.tolist()} == expected
    assert interchangeable() == interchangeable([0, 1]) == []


def test_relabelled_generates_all_renamings() -> None:
    """Four nodes have 24 renamings, each a different permutation of the six edges; directions do not matter."""
    elements = group(moves("renamed nodes").moves)
    edges = trees.edges(4)
    place = {frozenset(edge): k for k, edge in enumerate(edges)}
    expected = {tuple(place[frozenset((p[i], p[j]))] for i, j in edges) for p in permutations(range(4))}
    assert {tuple(p) for p in elements.tolist()} == expected
    turned = relabelled([(j, i) for i, j in edges])
    assert np.array_equal(group(Symmetry.of(turned, Variables.named("abcdef")).moves), elements)


@pytest.mark.parametrize(
    ("symmetries", "cure"),
    [
        (5, "symmetries must be a list of permutations"),
        (None, "symmetries must be a list of permutations"),
        ({0: 1, 1: 0}, "symmetries must be a list of permutations"),
        ([[0, 1]], "does not permute the 3 variables: name each of them exactly once"),
        ([[0, 1, 2, 3]], "does not permute the 3 variables"),
        ([[0, 0, 1]], "does not permute the 3 variables"),
        ([[0, 1, 3]], "does not permute the 3 variables"),
        ([[-1, 0, 1]], "does not permute the 3 variables"),
        ([[[0, 1, 2]]], "does not permute the 3 variables"),
        ([{0: 1}], "does not permute the 3 variables"),
        ([{"a": "b", "b": "c"}], "does not permute the 3 variables"),
        ([{"a": "z", "z": "a"}], "names 'z', which is not a variable: use names, or places"),
        ([{0: 3, 3: 0}], "names 3, which is not a variable"),
        ([{-1: 0, 0: -1}], "names -1, which is not a variable"),
        ([{0.0: 1, 1: 0.0}], "names 0.0, which is not a variable"),
        (interchangeable([0, 1], [1, 2]), "does not permute the 3 variables"),
        ([[0.5, 1, 2]], "symmetries hold 0.5"),
        (["abc"], "symmetries"),
        ([None], "symmetries"),
    ],
)
def test_bad_symmetries(symmetries: Any, cure: str) -> None:
    """Symmetries that are not a list of permutations are refused with a DataError that names the cure."""
    labels = np.eye(3, dtype=np.int64)
    with pytest.raises(DataError, match=cure):
        unwritten.mine(labels, names=list("abc"), symmetries=symmetries)


def test_bad_blocks_and_edges() -> None:
    """Blocks of different lengths, and graphs in which a renamed edge is missing, are refused with a cure."""
    with pytest.raises(DataError, match="different lengths: list the same variables of each"):
        interchangeable([0, 1], [2])
    with pytest.raises(DataError, match="into an edge without a variable: list all edges"):
        relabelled([("u", "v"), ("v", "w")])


def test_examples_with_weights_keep_their_values() -> None:
    """The weights and the label of an image are permuted together, so that the value stays the same."""
    symmetry = moves("blocks")
    rng = np.random.default_rng(0)
    given = Examples.of(rng.integers(0, 2, (4, 6)), rng.normal(size=(4, 6)))
    moved = symmetry.examples(given)
    assert moved.weights is not None
    assert given.weights is not None
    values = (given.weights * given.labels).sum(axis=1)
    assert np.allclose(np.unique(((moved.weights * moved.labels).sum(axis=1)).round(9)), np.unique(values.round(9)))
    assert np.array_equal(moved.labels[:4], given.labels)
    assert len(moved) == 4 * 6  # each image once: there are six orders of three blocks


@pytest.mark.parametrize("kind", GENERATORS)
def test_random_images_reach_the_whole_group(kind: str) -> None:
    """Random images use every permutation of the group, odd ones too."""
    symmetry = moves(kind)
    label = np.arange(symmetry.moves.shape[1])[None]
    drawn_images = symmetry.images(label, count=600)[0]
    assert np.array_equal(np.unique(drawn_images, axis=0), np.unique(images(label, symmetry.moves), axis=0))


def test_images_are_within_the_bounds() -> None:
    """Every image is within the bounds of the model."""
    labels = np.array([[0, 5], [1, 3], [2, 4]])
    model = unwritten.mine(labels, rules=[], symmetries=[[1, 0]])
    assert model.check(model.seen).feasible.all()


def test_few_random_labels_show_no_rule_under_symmetries() -> None:
    """Two random labels of equal size give no rule, although they have many images."""
    singles = interchangeable(*[[j] for j in range(9)])
    draws = [np.random.default_rng(seed).integers(0, 2, (2, 9)) for seed in range(40)]
    assert sum(len(unwritten.mine(labels, symmetries=singles).rules) > 0 for labels in draws) <= 2
