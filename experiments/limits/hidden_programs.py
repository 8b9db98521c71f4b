"""Integer programs whose rows are hidden: examples show only weights, and the label that is best for them.

Weights are whole numbers up to a million, so that values of labels are exact and ties are rare.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from experiments.limits.exact_program import ExactProgram
from unwritten.data import BoolArray, FloatArray, IntArray, Sense, Variables
from unwritten.rules import RuleSet

SCALE = 1_000_000


@dataclass(frozen=True, eq=False)
class HiddenProgram:
    """The true rows over variables with bounds; the weight of column j is drawn between least[j] and most[j]."""

    name: str
    rules: RuleSet
    sense: Sense
    least: FloatArray
    most: FloatArray

    @cached_property
    def program(self) -> ExactProgram:
        """The true rows, loaded."""
        return ExactProgram(self.rules.variables, self.rules)

    def sample(self, n: int, rng: np.random.Generator) -> tuple[FloatArray, IntArray]:
        """Draw n rows of weights; return them with the best label of each."""
        low, high = (np.rint(SCALE * ends).astype(np.int64) for ends in (self.least, self.most))
        weights = rng.integers(low, high, (n, len(low)), endpoint=True)
        signed = weights if self.sense == "max" else -weights
        return weights.astype(np.float64), np.array([self.program.best(row) for row in signed])

    def allowed(self, labels: IntArray) -> BoolArray:
        """Which labels are within the bounds and obey the true rows."""
        variables = self.rules.variables
        inside = np.asarray(((labels >= variables.lower) & (labels <= variables.upper)).all(axis=1))
        inside[inside] = self.rules.obeyed_by(labels[inside])
        return inside


def knapsack(items: int, seed: int, knapsacks: int = 1) -> HiddenProgram:
    """Items of 1 to 19 kg, and the same items in other units for further knapsacks; 30 % of all would fit."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 20, (knapsacks, items))
    rows = np.column_stack([sizes, -(3 * sizes.sum(axis=1) // 10)])
    name = f"knapsack, {items} items" if knapsacks == 1 else f"{knapsacks} knapsacks, {items} items"
    return _program(name, rows, "max", (0.01, 1))


def set_cover(columns: int, seed: int) -> HiddenProgram:
    """Cheapest families of sets that contain every element; an element that another implies is left out."""
    rng = np.random.default_rng(seed)
    ranks = rng.random((columns, columns)).argsort(axis=1)
    contains = np.unique(ranks < rng.integers(2, 6, (columns, 1)), axis=0)  # each element is in two to five sets
    implied = (contains[:, None] >= contains[None]).all(axis=2).sum(axis=1) > 1
    rows = np.column_stack([-contains[~implied].astype(np.int64), np.ones((~implied).sum(), np.int64)])
    return _program(f"set cover, {columns} sets", rows, "min", (0.01, 1))


def cardinality(columns: int, most: int) -> HiddenProgram:
    """At most so many; about half of the columns are worth choosing."""
    rows = np.array([[1] * columns + [-most]])
    return _program(f"at most {most} of {columns}", rows, "max", (-1, 1))


def facilities(clients: int, sites: int) -> HiddenProgram:
    """Each client is served from one site, which must be open: profits (or losses) of clients, then costs of sites."""
    serves = np.eye(clients * sites, dtype=np.int64)
    opened = np.tile(np.eye(sites, dtype=np.int64), (clients, 1))
    rows = np.column_stack([serves, -opened, np.zeros(clients * sites, np.int64)])
    each = np.kron(np.eye(clients, dtype=np.int64), np.ones(sites, np.int64))
    equalities = np.column_stack([each, np.zeros((clients, sites), np.int64), np.full(clients, -1)])
    least = np.repeat([-0.5, -1.0], [clients * sites, sites])
    return _program(f"{clients} clients, {sites} sites", rows, "max", (least, least + 1), equalities=equalities)


def lot_sizing(periods: int, seed: int, capacity: int = 8) -> HiddenProgram:
    """Amounts, then open periods: demand is met in time, and a period must be open to make up to `capacity`.

    Making more than is asked for pays at times, so that the capacity is needed.
    """
    demand = np.random.default_rng(seed).integers(1, 6, periods)
    demand[0] = 0
    zeros, unit = np.zeros((periods, periods), np.int64), np.eye(periods, dtype=np.int64)
    opening = np.column_stack([unit, -capacity * unit, np.zeros(periods, np.int64)])
    meeting = np.column_stack([-np.tri(periods, dtype=np.int64), zeros, demand.cumsum()])[1:]
    least, most = np.repeat([[-0.4, 0.0], [1.0, 4.0]], periods, axis=1)
    upper = np.repeat([capacity, 1], periods)
    return _program(
        f"lot sizes, {periods} periods", np.concatenate([opening, meeting]), "min", (least, most), upper=upper
    )


def precedence(jobs: int, seed: int) -> HiddenProgram:
    """Start times of jobs, some of which must end before others start; some should start early, others late."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(1, 5, jobs)
    before = np.triu(rng.random((jobs, jobs)) < 0.5, 1)
    reach = before.copy()  # before others through a third job
    for middle in range(jobs):
        reach |= reach[:, [middle]] & reach[[middle]]
    arcs = np.argwhere(before & ~(reach.astype(np.int64) @ reach.astype(np.int64) > 0))
    unit = np.eye(jobs, dtype=np.int64)
    rows = np.column_stack([unit[arcs[:, 0]] - unit[arcs[:, 1]], lengths[arcs[:, 0]]])
    ends = np.zeros(jobs, np.int64)
    for job in range(jobs):
        ends[job] = lengths[job] + max(ends[before[:, job]], default=0)
    return _program(f"{jobs} jobs in order", rows, "min", (-1, 1), upper=ends.max() + 3 - lengths)


def _program(
    name: str,
    rows: IntArray,
    sense: Sense,
    weights: tuple[float | FloatArray, float | FloatArray],
    *,
    upper: IntArray | None = None,
    equalities: IntArray | None = None,
) -> HiddenProgram:
    """A program from rows [a, −b] of inequalities and equalities; variables go from 0 to `upper`, or to 1."""
    width = rows.shape[1] - 1
    highest = np.ones(width, np.int64) if upper is None else upper
    variables = Variables(tuple(f"y{j}" for j in range(width)), np.zeros(width, np.int64), highest)
    rules = RuleSet.of_rows(variables, rows, "given", None, equality=False)
    if equalities is not None:
        rules = RuleSet.of_rows(variables, equalities, "given", None) + rules
    least, most = (np.broadcast_to(np.asarray(end, np.float64), width) for end in weights)
    return HiddenProgram(name, rules, sense, least, most)
