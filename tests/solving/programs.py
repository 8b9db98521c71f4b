"""Small programs whose every label can be listed, shared by the tests of engines, decisions and proofs."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

import unwritten
from unwritten.data import FloatArray, IntArray


@dataclass(frozen=True)
class Small:
    """A hidden feasible set, examples that are optimal in it, and what they were mined to."""

    feasible: IntArray
    weights: FloatArray
    labels: IntArray
    model: unwritten.Model


def small(seed: int, *, examples: int = 12, binary: bool = True, rules: object = "auto", **options: object) -> Small:
    """A random integer program: up to 6 variables under a random equality and a random inequality."""
    rng = np.random.default_rng(seed)
    d = int(rng.integers(3, 7))
    low, high = (0, 1) if binary else (-1, 2)
    box = np.array(list(product(range(low, high + 1), repeat=d)))
    anchor = box[rng.integers(len(box))]
    equality, inequality = rng.integers(-1, 2, d), rng.integers(-2, 3, d)
    feasible = box[(box @ equality == anchor @ equality) & (box @ inequality <= anchor @ inequality)]
    weights = rng.normal(size=(examples, d))
    labels = feasible[(weights @ feasible.T).argmax(axis=1)]
    bounds = (low, high)
    options = {"confidence": 0.5, **options}  # a dozen examples are too few to be surer
    model = unwritten.mine(labels, weights, rules=rules, bounds=bounds, **options)  # type: ignore[arg-type]
    return Small(feasible, weights, labels, model)


def box_of(model: unwritten.Model) -> IntArray:
    """Every label within the bounds."""
    ranges = [range(a, b + 1) for a, b in zip(model.variables.lower, model.variables.upper, strict=True)]
    return np.array(list(product(*ranges)))


def allowed(model: unwritten.Model) -> IntArray:
    """Every label within the bounds that passes all rules and cuts, by listing."""
    points = box_of(model)
    points = points[model.check(points).feasible]
    limits = model.cuts.limits(model.variables)
    return points[(points @ model.cuts.weights.T <= limits).all(axis=1)]


def best_value(points: IntArray, weights: FloatArray) -> FloatArray:
    """The true maximum of each query over listed points."""
    return np.asarray((weights @ points.T).max(axis=1))
