"""Random integer programs far from 0, their answers, and the judgement of each answer by exact brute force.

Every label of the box is listed, and all sums are Python integers: a float is a whole number times a power of two. Two
values count as equal within the documented tolerance (`data/tolerance.py`), and a cut is obeyed within twice of it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

import unwritten
from unwritten.errors import UnwrittenError
from unwritten.solving.backends import installed

MOST_LABELS = 700  # within the bounds of one program
LABELS_OF = {2: 20, 3: 8, 4: 5, 5: 3, 6: 2, 7: 2, 8: 2}  # largest number of values of most variables
OWN_ENGINES = ("auto", "explicit", "best-first", "groups", "inner")
SOLVER_ENGINES = ("lazy", "monolithic")
Row = tuple[tuple[int, ...], str, int]


@dataclass(frozen=True)
class OffsetProgram:
    """What `mine` and `decide` are called with, as plain Python values, so that it can be printed.

    `added` rows join after mining, so that they may contradict everything.
    """

    lower: tuple[int, ...]
    upper: tuple[int, ...]
    prior: tuple[Row, ...]
    added: tuple[Row, ...]
    labels: tuple[tuple[int, ...], ...]
    weights: tuple[tuple[float, ...], ...] | None
    sense: str
    rules: Any
    declared: bool
    queries: tuple[tuple[float, ...], ...]
    solvers: tuple[tuple[str, str], ...]
    proof: str


def draw(seed: int, number: int, pairs: int) -> OffsetProgram:
    """Draw program `number` of a seed; `pairs` engines on back ends are asked besides the engines of our own."""
    rng = np.random.default_rng((seed, number))
    d = int(rng.integers(2, 9))
    offset = rng.choice([0, 1, -1], d, p=[0.2, 0.4, 0.4]) * 10 ** rng.integers(2, 10, d) + rng.integers(-9, 10, d)
    if rng.random() < 0.3:
        offset = np.full(d, offset[0])
    span = rng.integers(0, LABELS_OF[d], d) + (rng.random(d) < 0.5)
    while np.prod(span + 1) > MOST_LABELS:
        span[rng.integers(d)] //= 2
    lower, upper = offset, offset + span
    box = boxed(lower, upper)
    prior = _rows(rng, box, int(rng.integers(0, 5)), 0.0)
    allowed = box[_obeys(box, prior)]
    examples = int(rng.integers(2, 10))  # the Gram matrix of ten labels around 10⁹ exceeds 64 bits
    sense = "min" if rng.random() < 0.3 else "max"
    weights = np.array([_weights(rng, d) for _ in range(examples)])
    labels = allowed[[int(np.argmax(_exact(w, allowed - lower) * (1 if sense == "max" else -1))) for w in weights]]
    if rng.random() < 0.2:  # not optimal: the cuts need slack
        labels = allowed[rng.integers(0, len(allowed), examples)]
    elif rng.random() < 0.2:
        labels = np.repeat(labels[:1], examples, axis=0)
    queries = [_weights(rng, d) for _ in range(3)]
    if rng.random() < 0.5:
        queries[0] = weights[0]
    every = [(engine, backend) for engine in SOLVER_ENGINES for backend in installed()]
    chosen = rng.permutation(len(every))[:pairs]
    return OffsetProgram(
        tuple(lower.tolist()),
        tuple(upper.tolist()),
        prior,
        _rows(rng, box, int(rng.integers(1, 3)), 0.5) if rng.random() < 0.3 else (),
        tuple(map(tuple, labels.tolist())),
        tuple(map(tuple, weights.tolist())) if rng.random() < 0.8 else None,
        sense,
        "auto" if rng.random() < 0.3 else (),
        bool(rng.random() < 0.8),
        tuple(tuple(query.tolist()) for query in queries),
        tuple(every[i] for i in sorted(chosen)),
        "data" if rng.random() < 0.3 else "auto",
    )


def _weights(rng: np.random.Generator, d: int) -> np.ndarray:
    """Draw weights: integers of one size or of many, decimals, floats, or 0/1; some of them tiny or huge."""
    kind = rng.integers(7)
    weights = (
        rng.integers(-9, 10, d).astype(float),
        rng.integers(-(10**6), 10**6, d).astype(float),
        np.round(rng.normal(size=d), 1),
        rng.normal(size=d),
        rng.integers(0, 2, d).astype(float),
        rng.integers(-3, 4, d) / 8,
        rng.integers(-9, 10, d) * 10.0 ** rng.integers(0, 10, d),
    )[kind]
    return weights * float(rng.choice([1.0, 1.0, 1.0, 1e-9, 1e9, 0.1]))


def _rows(rng: np.random.Generator, box: np.ndarray, count: int, wrong: float) -> tuple[Row, ...]:
    """Draw rows of small integers through one label; the share `wrong` of them misses it."""
    inside = box[rng.integers(len(box))]
    rows = []
    for _ in range(count):
        a = rng.integers(-3, 4, box.shape[1]) * (rng.random(box.shape[1]) < 0.8)
        missed = int(rng.integers(1, 4)) if rng.random() < wrong else 0
        if rng.random() < 0.4:
            rows.append((tuple(a.tolist()), "==", int(a @ inside) + missed))
        else:
            rows.append((tuple(a.tolist()), "<=", int(a @ inside) + int(rng.integers(0, 3)) - 3 * missed))
    return tuple(rows)


def boxed(lower: Any, upper: Any) -> np.ndarray:
    """List every label within the bounds."""
    return np.array(list(product(*(range(a, b + 1) for a, b in zip(lower, upper, strict=True)))), np.int64)


def _obeys(labels: np.ndarray, rows: tuple[Row, ...]) -> np.ndarray:
    obeys = np.ones(len(labels), bool)
    for a, sense, b in rows:
        activity = labels @ np.array(a, np.int64)
        obeys &= activity == b if sense == "==" else activity <= b
    return obeys


def _exact(weights: Any, labels: np.ndarray) -> np.ndarray:
    """Return w·y for every label, times 2^200, as Python integers."""
    mantissas, exponents = np.frexp(np.asarray(weights, float))
    digits = np.ldexp(mantissas, 53).astype(np.int64).tolist()
    whole = [digit << (147 + exponent) for digit, exponent in zip(digits, exponents.tolist(), strict=True)]
    return labels.astype(object) @ np.array(whole, object)


def _room(weights: Any, lower: Any, upper: Any) -> int:
    """Return the documented tolerance of a row of weights, times 2^200."""
    sizes, d = _exact(np.abs(weights), np.array([np.subtract(upper, lower), np.abs(lower)])), len(lower)
    room = int(sizes[0]) // 2**30 + (d + 1) * int(sizes[1]) // 2**51
    whole = sum(sizes) < 2**252 and np.equal(weights, np.rint(weights)).all()
    return min(room, 2**198) if whole else room


@dataclass(frozen=True)
class Truth:
    """The labels of a program by an exact reading of it.

    `sure` labels obey every cut exactly; `possible` ones may break one by its room. A proven answer must be the best of
    all labels under the rules (`by_rules`) or the given rows (`by_data`) that no cut without slack excludes.
    """

    sure: np.ndarray
    possible: np.ndarray
    by_rules: np.ndarray
    by_data: np.ndarray


def truth_of(program: OffsetProgram, model: unwritten.Model) -> Truth:
    """List the labels of a program by exact brute force, without the engines."""
    lower, upper = model.variables.lower, model.variables.upper
    box = boxed(lower, upper)
    sure, possible = np.ones(len(box), bool), np.ones(len(box), bool)
    sign = 1 if program.sense == "max" else -1
    seen = np.unique(np.array(program.labels), axis=0)
    for weights, label in zip(program.weights or (), program.labels, strict=False):
        signed = [sign * w for w in weights]
        values, own = _exact(signed, box - lower), _exact(signed, np.array([label]) - lower)[0]
        slack = max(0, int(max(_exact(signed, seen - lower))) - int(own))
        room = _room(signed, lower, upper)
        if not model.cuts.exact or slack <= room:
            sure &= values <= own + (slack if slack > room else 0)
        possible &= values <= own + slack + 2 * room
    given = _obeys(box, program.prior + program.added)
    matrix, rhs, equality = model.rules.matrix, model.rules.rhs, model.rules.equality
    activity = box @ matrix[:, : box.shape[1]].T
    mined = (np.where(equality, activity == rhs, activity <= rhs)).all(axis=1)
    certain = sure if model.cuts.exact else np.ones(len(box), bool)
    return Truth(box[sure & mined], box[possible & mined & given], box[certain & mined], box[certain & given])


def model_of(program: OffsetProgram) -> unwritten.Model:
    """Mine the model of a program."""
    model = unwritten.mine(
        np.array(program.labels),
        None if program.weights is None else np.array(program.weights),
        sense=program.sense,  # type: ignore[arg-type]
        rules=program.rules if program.rules == "auto" else [],
        prior=list(program.prior),
        bounds=(program.lower, program.upper) if program.declared else None,  # type: ignore[arg-type]
        progress=False,
    )
    return model.with_rules(list(program.added)) if program.added else model


def faults(program: OffsetProgram, counts: Counter[str]) -> list[str]:
    """Ask every engine and return what is wrong with the answers; count what they claim."""
    try:
        model = model_of(program)
    except UnwrittenError:  # with a cure: some numbers are too large to mine from
        counts["refused"] += 1
        return []
    truth = truth_of(program, model)
    queries = np.array(program.queries)
    found = []
    for engine, backend in (*((engine, "auto") for engine in OWN_ENGINES), *program.solvers):
        decided = model.decide(queries, engine=engine, backend=backend, proof=program.proof)  # type: ignore[arg-type]
        for weights, decision in zip(queries, decided, strict=True):
            counts["decisions"] += 1
            counts[str(decision.status)] += 1
            counts["proven"] += decision.proven
            counts["unverified"] += "not proven" in decision.note
            counts["refuted"] += "not the best" in decision.note or "has labels" in decision.note
            what = fault(program, model, truth, weights, decision)
            if what:
                found.append(f"{engine} {backend} ({decision.engine}), {weights.tolist()}: {what}: {decision!r}")
    return found


def fault(program: OffsetProgram, model: unwritten.Model, truth: Truth, weights: np.ndarray, decision: Any) -> str:
    """Say what is wrong with one decision, or nothing."""
    status = str(decision.status)
    if status == "infeasible":
        return "it is not infeasible" if len(truth.sure) else ""
    lower, upper = model.variables.lower, model.variables.upper
    signed = weights if program.sense == "max" else -weights
    room = _room(signed, lower, upper)
    if not decision.has_label:
        return "" if decision.note else "no label, and no note says why"
    if not (truth.possible == decision.label).all(axis=1).any():
        return "the label breaks the program"
    value = int(_exact(signed, decision.label[None] - lower)[0])
    best = max((int(v) for v in _exact(signed, truth.sure - lower)), default=value)
    if status == "optimal" and value < best - room:
        return f"the label is not the best, and the answer is {'proven' if decision.proven else 'not proven'}"
    if decision.proven and status != "optimal":
        return "proven, but not optimal"
    if decision.proven:
        rivals = truth.by_data if decision.proof == "data" else truth.by_rules
        if value < max((int(v) for v in _exact(signed, rivals - lower)), default=value) - room:
            return f"proven by {decision.proof}, which allow a better label"
    bound = decision.bound if program.sense == "max" else -decision.bound
    constant = int(_exact(signed, lower[None])[0])
    if np.isfinite(bound) and int(Fraction(float(bound)) * 2**200) - constant < best - room:
        return "a label exceeds the bound"
    return ""
