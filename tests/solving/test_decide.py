"""Deciding: checks, fallbacks, proofs, conflicts, limits and threads."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import unwritten
from solving.programs import allowed, best_value, small
from unwritten.errors import InfeasibleError
from unwritten.samples import trees
from unwritten.solving import NO_LABEL
from unwritten.solving.backends import Reply, highs
from unwritten.solving.decision import Status


def wrong_label(reply: Reply) -> Reply:
    """A label that breaks every equality, claimed optimal."""
    return Reply(Status.OPTIMAL, None if reply.values is None else reply.values * 0 + 7, reply.bound)


FAULTS: dict[str, Callable[[Reply], Reply]] = {
    "a label that breaks the rules": wrong_label,
    "optimal without a label": lambda r: Reply(Status.OPTIMAL),
    "infeasible where seen labels exist": lambda r: Reply(Status.INFEASIBLE),
    "a failure": lambda r: Reply(Status.FAILED, message="HiGHS: Solve error"),
}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda x: x)
@pytest.mark.parametrize("engine", ["lazy", "monolithic"])
def test_a_faulty_solver_is_noticed(fault: str, engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the first solver makes a false claim, another solver gives the right answer, and the note says why."""
    case = small(1)
    queries = np.random.default_rng(0).normal(size=(4, case.labels.shape[1]))
    original = highs.HighsBackend.solve
    monkeypatch.setattr(highs.HighsBackend, "solve", lambda *a, **k: FAULTS[fault](original(*a, **k)))
    decided = case.model.decide(queries, engine=engine, backend="highs")
    assert np.allclose(decided.values, best_value(allowed(case.model), queries))
    assert not any("highs" in name for name in decided.engine)
    assert all(decided.notes)


def test_when_every_solver_fails_the_best_seen_label_is_returned_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    """If every solver fails, the best seen label is returned as feasible, never as optimal or proven."""
    case = small(1)

    def failing(self: object, program: object, backend: str) -> None:
        raise unwritten.errors.SolverError("no solver works here")

    monkeypatch.setattr("unwritten.solving.engines.lazy.Lazy.__init__", failing)
    queries = np.random.default_rng(0).normal(size=(4, case.labels.shape[1]))
    decided = case.model.decide(queries, engine="lazy")
    assert np.allclose(decided.values, decided.seen_values)
    assert set(decided.status) == {"feasible"}
    assert not decided.proven.any()
    assert all("no solver works here" in note for note in decided.notes)


def test_equal_queries_are_answered_once_and_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Repeated rows share one solve; answers come back in the order asked."""
    case = small(4)
    rng = np.random.default_rng(0)
    base = rng.normal(size=(3, case.labels.shape[1]))
    queries = base[[0, 1, 0, 2, 2, 0]]
    calls: list[int] = []
    original = highs.HighsBackend.solve
    monkeypatch.setattr(highs.HighsBackend, "solve", lambda *a, **k: (calls.append(1), original(*a, **k))[1])
    decided = case.model.decide(queries, engine="monolithic")
    assert len(calls) == 3
    assert np.allclose(decided.values, best_value(allowed(case.model), queries))


@pytest.mark.parametrize("engine", ["auto", "lazy", "best-first"])
def test_threads_change_nothing(engine: str) -> None:
    """n_jobs=1 and n_jobs=3 give identical decisions, also when several threads share one model."""
    weights, labels = trees.sample(5, 200, seed=0)
    model = unwritten.mine(labels, weights)
    queries, _ = trees.sample(5, 40, seed=1)
    alone = model.decide(queries, engine=engine)
    split = model.decide(queries, engine=engine, n_jobs=3)
    assert np.array_equal(alone.labels, split.labels)
    assert np.array_equal(alone.proof, split.proof)
    with ThreadPoolExecutor(4) as pool:
        for shared in pool.map(lambda _: model.decide(queries, engine=engine), range(8)):
            assert np.array_equal(shared.labels, alone.labels)


def test_every_certified_answer_is_right() -> None:
    """On spanning trees no proven decision differs in value from the true tree, by either kind of proof."""
    weights, labels = trees.sample(5, 400, seed=0)
    queries, truth = trees.sample(5, 200, seed=1)
    true_values = (queries * truth).sum(axis=1)
    for rules in ("auto", []):
        decided = unwritten.mine(labels, weights, rules=rules).decide(queries, proof="data")
        assert decided.proven.any()
        assert np.allclose(decided.values[decided.proven], true_values[decided.proven])
        assert (decided.bounds >= true_values - 1e-9).all()


def test_proof_by_data_needs_no_mined_rule() -> None:
    """proof="data" proves by data the same answers that cuts alone prove; the other proofs are by rules."""
    weights, labels = trees.sample(5, 400, seed=0)
    queries, _ = trees.sample(5, 100, seed=1)
    outer = unwritten.mine(labels, weights, rules=[]).decide(queries)
    model = unwritten.mine(labels, weights)
    cheap, hard = model.decide(queries), model.decide(queries, proof="data")
    by_data = np.array([kind == "data" for kind in hard.proof])
    assert np.array_equal(by_data, outer.proof == "data")
    assert set(cheap.proof[cheap.proven]) <= {"rules", "data"}
    assert np.array_equal(cheap.proven, hard.proven)
    assert by_data.sum() < hard.proven.sum()


def test_observed_bounds_prove_nothing_by_data() -> None:
    """Bounds read off the data are mined, so a proof that uses them is by rules; declared ones are not."""
    integers = unwritten.mine(np.array([[0, 3], [3, 0], [1, 2]]))
    assert not integers.variables.declared
    assert set(integers.decide(np.array([[1.0, 0.0], [0.0, 1.0]])).proof) == {"rules"}
    declared = unwritten.mine(np.array([[0, 3], [3, 0], [1, 2]]), bounds=(0, 3))
    assert set(declared.decide(np.array([[1.0, 0.0], [0.0, 1.0]])).proof) == {"data"}


def test_an_answer_that_rests_on_slack_cuts_is_not_proven() -> None:
    """If a cut with slack excludes a better label, the answer is not proven."""
    labels = np.array([[1, 0], [0, 1], [1, 0]])
    weights = np.array([[1.0, 0.5], [1.0, 0.9], [2.0, 0.1]])  # the second label is not optimal for its weights
    model = unwritten.mine(labels, weights, rules=[])
    assert not model.cuts.exact
    decided = model.decide([[1.0, 0.9]])
    assert decided.status[0] == "optimal"
    assert decided.proof[0] is None


def test_infeasible_programs_name_the_clash() -> None:
    """If added rules contradict each other, the status and a small set of clashing rules say so, and predict raises."""
    model = unwritten.mine(np.eye(4, dtype=int), rules=["equalities"], names=list("abcd"))
    clashing = model.with_rules([({"a": 1, "b": 1}, ">=", 2), ({"c": 1}, "==", 0)])
    decided = clashing.decide(np.ones((2, 4)))
    assert set(decided.status) == {"infeasible"}
    assert (decided.labels == NO_LABEL).all()
    assert np.isnan(decided.values).all()
    assert set(decided.clash) == {"exactly one of a, b, c, d", "at least two of a, b"}
    with pytest.raises(InfeasibleError, match="at least two of a, b"):
        clashing.predict(np.ones((1, 4)))


def test_infeasibility_is_found_by_every_engine() -> None:
    """Explicit, best-first, lazy and monolithic all report that a program is infeasible."""
    case = small(1)
    width = case.labels.shape[1]
    impossible = case.model.with_rules([([1] * width, ">=", width + 1)])
    for engine in ("auto", "explicit", "best-first", "lazy", "monolithic"):
        assert impossible.decide(np.ones((1, width)), engine=engine).status[0] == "infeasible"


def test_added_rules_bind_answers_and_seen_labels() -> None:
    """A rule added by hand is obeyed, and seen labels that break it no longer count."""
    model = unwritten.mine(np.eye(4, dtype=int), rules=["equalities"], names=list("abcd")).with_rules(
        [({"a": 1}, "==", 0)]
    )
    decided = model.decide([[9.0, 1.0, 2.0, 0.0]])
    assert decided.labels.tolist() == [[0, 0, 1, 0]]
    assert decided.seen_values[0] == 2.0


def test_time_limit_and_gap_are_honest() -> None:
    """With a tiny time limit no unproven optimum is claimed, and with a gap the bounds are valid."""
    weights, labels = trees.sample(6, 300, seed=0)
    queries, _ = trees.sample(6, 5, seed=1)
    model = unwritten.mine(labels, weights, rules=[])
    exact = model.decide(queries)
    hasty = model.decide(queries, engine="lazy", time_limit=1e-6)
    assert (hasty.values <= exact.values + 1e-9).all()
    assert (hasty.bounds >= exact.values - 1e-9).all()
    rough = model.decide(queries, engine="lazy", mip_gap=0.5)
    assert (rough.bounds >= exact.values - 1e-9).all()
    assert (rough.values >= rough.seen_values - 1e-9).all()


def test_the_gap_is_that_of_the_label() -> None:
    """An optimal label has no gap, even if no seen one is as good; without a label the gap is infinite."""
    model = unwritten.mine(np.zeros((2, 4), int), rules=[], bounds=(0, 3))
    best, none = model.decide(np.full((1, 4), 1.0)), model.with_rules([([1] * 4, ">=", 99)]).decide(np.ones((1, 4)))
    assert (best[0].value, best[0].seen_value, best[0].gap, best.gaps.tolist()) == (12.0, 0.0, 0.0, [0.0])
    assert (none[0].gap, none.gaps.tolist()) == (np.inf, [np.inf])


def test_decisions_read_well() -> None:
    """A decision carries its parts, and the summary counts them."""
    decided = unwritten.mine(np.eye(3, dtype=int), rules=["equalities"]).decide([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]])
    one = decided[0]
    assert one.label.tolist() == [0, 0, 1]
    assert (one.value, one.bound, one.gap, one.proven) == (3.0, 3.0, 0.0, True)
    assert one.status.remedy == "nothing to do"
    assert "2 queries: 2 optimal" in decided.summary()
    assert len(list(decided)) == 2


def test_no_queries_no_decisions() -> None:
    """An empty batch is answered with empty arrays, with one thread or several."""
    model = unwritten.mine(np.eye(3, dtype=int), rules=["equalities"])
    for jobs in (1, 2):
        decided = model.decide(np.zeros((0, 3)), n_jobs=jobs)
        assert decided.labels.shape == (0, 3)
        assert len(decided) == 0


HANG = 600  # seconds after which a process counts as hung
#: Writes "running" when HiGHS searches, and its status when it ends; `os.write` keeps the lines of two threads whole.
HARD_QUERIES = """
import os
import numpy as np, unwritten
from unwritten.solving.backends.highs import HighsBackend
called, interrupt, reply = [], HighsBackend._interrupt, HighsBackend._reply
def told_interrupt(self, event):
    if not called:
        called.append(self)
        os.write(1, b"running\\n")
    interrupt(self, event)
def told_reply(self, exponent):
    os.write(1, self._highs.getModelStatus().name.encode() + b"\\n")
    return reply(self, exponent)
HighsBackend._interrupt, HighsBackend._reply = told_interrupt, told_reply
rng = np.random.default_rng(0)
weights = rng.integers(1, 10**6, (40, 60)).astype(float)
rows = [(weights[i].astype(int), "<=", int(weights[i].sum() // 2)) for i in range(40)]
model = unwritten.mine(np.zeros((2, 60), int), rules=[], bounds=(0, 1)).with_rules(rows)
def answer(jobs, time_limit):
    model.decide(rng.normal(10, 1, (4, 60)), engine="lazy", n_jobs=jobs, time_limit=time_limit)
"""


@pytest.mark.parametrize(("jobs", "time_limit"), [(1, None), (1, HANG), (2, None), (2, HANG)])
def test_control_c_stops_a_solver(jobs: int, time_limit: int | None) -> None:
    """SIGINT interrupts a search that takes HiGHS minutes, and no other query is asked."""
    code = f"{HARD_QUERIES}\nanswer({jobs}, {time_limit})"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "running\n"
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=HANG)
    finally:
        process.kill()
    statuses = [line for line in out.splitlines() if line != "running"]
    assert statuses and set(statuses) == {"kInterrupt"}
    assert len(statuses) <= jobs
    assert "KeyboardInterrupt" in errors
