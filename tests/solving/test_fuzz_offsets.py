"""Random programs far from 0: no wrong proof, optimum, bound or "infeasible"; and a wrong one would be found."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

import unwritten
from solving.fuzz_offsets import checked, main
from solving.offset_programs import OffsetProgram, draw, fault, faults, model_of, truth_of
from unwritten.solving.backends import Reply, highs, installed
from unwritten.solving.decision import Status

FAR = OffsetProgram(
    lower=(6986, 5089, -2675, -8933, 7404, -7838, 6504, 6127),
    upper=(6988, 5095, -2671, -8930, 7410, -7830, 6509, 6129),
    prior=(((2, -2, -1, -2, 2, -3, 3, 2), "==", 94412), ((2, -2, 2, 2, 1, -2, -1, 0), "<=", -2852)),
    added=(),
    labels=((6986, 5089, -2671, -8932, 7404, -7830, 6509, 6129),) * 2,
    weights=None,
    sense="max",
    rules=(),
    declared=True,
    queries=((-1.0, -1.0, 8.0, -3.0, -9.0, 8.0, -1.0, 1.0),),
    solvers=(),
    proof="auto",
)


def test_answers_are_those_of_brute_force() -> None:
    """On random programs with offsets up to 10⁹, every claim of every engine and back end is true."""
    counts, found = checked(0, 0, 150, 2)
    assert not found, found[0]
    assert counts["proven"] > 600 and counts["infeasible"] > 150
    assert counts["refused"] < 15


def test_weights_of_very_different_sizes() -> None:
    """A solver's floats do not tell 5·10⁹ and 5·10⁹ + 3 apart; our own search does, before an answer is optimal."""
    program = replace(draw(15, 932, 0), solvers=tuple(product(("lazy", "monolithic"), installed())))
    assert not faults(program, Counter())


@pytest.mark.parametrize(("seed", "number"), [(77123, 38893), (20261119, 32024)])
def test_small_weights_beside_large_ones(seed: int, number: int) -> None:
    """Weights below a solver's own tolerance can tell labels apart, so our own search looks, too."""
    every = tuple(product(("lazy", "monolithic"), installed()))
    assert not faults(replace(draw(seed, number, 0), solvers=every), Counter())


def test_cuts_of_very_different_sizes() -> None:
    """HiGHS in scipy loses labels where a cut has entries of 4·10⁹ and 2; our own search finds them."""
    every = tuple(product(("lazy", "monolithic"), installed()))
    program, counts = replace(draw(4242, 17824, 0), solvers=every), Counter[str]()
    assert program.weights is not None and program.weights[1] == (-4e9, 2.0)
    assert not faults(program, counts)
    assert counts["refuted"]


@pytest.mark.parametrize(("seed", "number"), [(88411, 50335), (20261119, 96084)])
def test_rows_that_scipy_does_not_resolve(seed: int, number: int) -> None:
    """Nobody can set the tolerance of scipy's HiGHS, so entries of 10⁻⁷ of the largest are lost on it."""
    solvers = (("lazy", "scipy"), ("monolithic", "scipy"))
    assert not faults(replace(draw(seed, number, 0), solvers=solvers), Counter())


def test_equal_labels_are_no_chain() -> None:
    """A label is no proof for one that counts as equal to it, if a better one does not count as equal to both."""
    program, counts = draw(20261119, 33736, 0), Counter[str]()
    assert not faults(program, counts)
    assert counts["proven"]


def test_a_fixed_variable_hides_no_difference() -> None:
    """A 0/1 variable that is fixed at 1 is a constant part too, however large its weight is."""
    model = unwritten.mine(np.array([[1, 0], [1, 0]]), rules=[], bounds=([1, 0], [1, 1]))
    for engine in ("auto", "explicit", "best-first", "groups", "lazy"):
        decision = model.decide([[7e18, 1e9]], engine=engine)[0]
        assert decision.label.tolist() == [1, 1] and not decision.proven


@pytest.mark.parametrize("backend", ["auto", *installed()])
@pytest.mark.parametrize("engine", ["auto", "lazy", "monolithic", "best-first", "explicit"])
def test_a_large_constant_part_hides_no_better_label(engine: str, backend: str) -> None:
    """Three units are a difference, even if all values are around −136,300."""
    decision = model_of(FAR).decide(FAR.queries, engine=engine, backend=backend)[0]  # type: ignore[arg-type]
    assert decision.value == decision.bound == -136300
    assert decision.status == "optimal" and decision.proof is None  # the best label was never seen
    assert decision.label.tolist() == [6988, 5089, -2671, -8933, 7404, -7830, 6507, 6129]


def _worst(true: Any) -> Any:
    """Return a HiGHS that finds the worst label and calls it the best."""

    def solve(self: highs.HighsBackend, objective: np.ndarray, *rest: object) -> Reply:
        reply: Reply = true(self, -objective, *rest)
        return replace(reply, bound=0.0 if reply.values is None else float(objective @ reply.values))

    return solve


def test_a_wrong_solver_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver that calls the worst label the best is refuted by our own search, and another solver answers."""
    monkeypatch.setattr(highs.HighsBackend, "solve", _worst(highs.HighsBackend.solve))
    labels = np.array([[10**9, 5], [10**9 + 1, 4]])
    model = unwritten.mine(labels[:1], rules=[], bounds=(labels.min(axis=0), labels.max(axis=0)))
    model = model.with_rules([([1, 1], "==", 10**9 + 5)])
    decision = model.decide([[2.0, 1.0]], engine="lazy", backend="highs")[0]
    assert decision.label.tolist() == labels[1].tolist()
    assert "called optimal a label that is not the best" in decision.note
    assert decision.engine == "lazy+scipy"


def test_the_judge_sees_wrong_answers() -> None:
    """Of a right answer, a wrong label, status, proof or bound is a fault."""
    seen = Counter[str]()
    for number in range(40):
        program = draw(3, number, 0)
        model = model_of(program)
        truth, weights = truth_of(program, model), np.array(program.queries[0])
        decision = model.decide(weights[None], engine="explicit")[0]
        assert not fault(program, model, truth, weights, decision)
        if decision.status != "optimal":
            continue
        values = (truth.sure - model.variables.lower) @ weights
        least, most = int(values.argmin()), int(values.argmax())
        worst = truth.sure[least if program.sense == "max" else most]
        lower = -1e300 if program.sense == "max" else 1e300
        for wrong in (
            replace(decision, status=Status.INFEASIBLE),
            replace(decision, label=worst),
            replace(decision, label=model.variables.upper + 1),
            replace(decision, bound=lower),
            replace(decision, status=Status.FEASIBLE, proof="rules"),
        ):
            seen[fault(program, model, truth, weights, wrong).partition(",")[0]] += 1
    assert set(seen) - {""} == {
        "it is not infeasible",
        "the label is not the best",
        "the label breaks the program",
        "a label exceeds the bound",
        "proven",
    }


def test_the_command_says_how_it_ended(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a fault the exit code is 0, and the summary counts programs and claims."""
    assert main(["--programs", "3", "--pairs", "1"]) == 0
    assert "3 programs" in capsys.readouterr().out
