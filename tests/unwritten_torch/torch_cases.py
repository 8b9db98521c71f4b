"""Mined models that the layer and the losses are tried on, with all their labels listed without the code under test."""

from __future__ import annotations

from functools import cache
from itertools import permutations, product

import numpy as np
import torch
from torch import Tensor

import unwritten
from experiments import hierarchy
from helpers import box
from unwritten.data import IntArray
from unwritten.samples import trees
from unwritten.torch import LabelSet

SMALL = ["one-hot", "groups", "hierarchy", "trees", "sudoku", "cuts", "min"]
BIG = "big"  # 2¹⁸ labels under one rule: too many to list


@cache
def model(kind: str) -> unwritten.Model:
    """A model mined from labels of that kind."""
    if kind == "cuts":  # cuts leave fewer labels than the rules do
        weights, labels = trees.sample(4, 60, seed=1)
        return unwritten.mine(labels, weights, rules=["equalities"])
    if kind == "min":
        return unwritten.mine(every("one-hot").repeat(60, axis=0), sense="min")
    if kind == BIG:
        labels = np.random.default_rng(0).integers(0, 2, (3000, 19))
        labels[:, 18] = 1 - labels[:, 0]
        return unwritten.mine(labels, rules=["equalities"])
    if kind == "trees":
        return unwritten.mine(trees.sample(4, 400, seed=0)[1])
    return unwritten.mine(every(kind).repeat(3, axis=0), rules=["equalities"])


@cache
def every(kind: str) -> IntArray:
    """All feasible labels, listed without the code under test."""
    if kind in ("one-hot", "min"):
        return np.eye(5, dtype=np.int64)
    if kind == "groups":  # one of three and one of two
        return np.array([[*a, *b] for a, b in product(np.eye(3, dtype=np.int64), np.eye(2, dtype=np.int64))])
    if kind == "hierarchy":
        return hierarchy.paths(0)
    if kind == "trees":
        return box(0, 1, 6)[trees.is_tree(box(0, 1, 6), 4)]
    if kind == "cuts":
        mined = model(kind)
        three_edges = box(0, 1, 6)[box(0, 1, 6).sum(axis=1) == 3]
        return three_edges[(three_edges @ mined.cuts.weights.T <= mined.cuts.limits(mined.variables)).all(axis=1)]
    if kind == "sudoku":
        rows = list(permutations(range(4)))
        bands = [(a, b) for a, b in product(rows, repeat=2) if {*a[:2], *b[:2]} == set(range(4)) == {*a[2:], *b[2:]}]
        grids = [np.array(top + low) for top, low in product(bands, repeat=2)]
        solved = [grid for grid in grids if (np.sort(grid, axis=0) == np.arange(4)[:, None]).all()]
        return np.stack([np.eye(4, dtype=np.int64)[grid].ravel() for grid in solved])
    raise KeyError(kind)


@cache
def shared(kind: str) -> LabelSet:
    """The label set of that model, shared by all tests because none changes it."""
    return LabelSet(model(kind), "rules" if kind == BIG else "listed")


def labels_of(kind: str, dtype: torch.dtype = torch.float64) -> Tensor:
    """All feasible labels as a tensor."""
    return torch.tensor(every(kind), dtype=dtype)


def batch(kind: str, rows: int, seed: int = 0, dtype: torch.dtype = torch.float64) -> tuple[Tensor, Tensor]:
    """Random logits and feasible targets."""
    generator = torch.Generator().manual_seed(seed)
    labels = labels_of(kind, dtype) if kind != BIG else torch.tensor(model(BIG).seen, dtype=dtype)
    targets = labels[torch.randint(len(labels), (rows,), generator=generator)]
    return torch.randn(rows, labels.shape[1], generator=generator, dtype=dtype), targets


def slope(function: object, logits: Tensor, step: float = 1e-6) -> Tensor:
    """The gradient by central differences, one entry at a time."""
    out = torch.zeros_like(logits)
    for place in product(*map(range, logits.shape)):
        ahead, behind = logits.clone(), logits.clone()
        ahead[place] += step
        behind[place] -= step
        out[place] = (function(ahead) - function(behind)) / (2 * step)  # type: ignore[operator]
    return out
