"""Solvers that return false claims, break down, overrun their time or hang: no false claim is passed on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from threading import Event, Thread
from typing import Any

import numpy as np
import pytest

import unwritten
from solving.programs import allowed, box_of, small
from unwritten import budgets
from unwritten.solving import conflict
from unwritten.solving.backends import Limits, Reply, WatchedBackend, backend_class, installed, watched
from unwritten.solving.decision import Status
from unwritten.solving.engines import lazy

NAN, INF = float("nan"), float("inf")
HANG = 600  # seconds after which a wait counts as hung


def _shifted(reply: Reply, by: float) -> Reply:
    return reply if reply.values is None else replace(reply, values=reply.values + by)


def _only(reply: Reply, **parts: Any) -> Reply:
    return Reply(**{"status": reply.status, "values": reply.values, "bound": reply.bound, **parts})


#: False replies. Each can be detected by looking at the reply or by asking another solver.
LIES: dict[str, Callable[[Reply], Reply]] = {
    "breaks the rules": lambda r: _shifted(r, 1),
    "outside the bounds": lambda r: _shifted(r, 7),
    "far outside": lambda r: _shifted(r, 1e30),
    "no integers": lambda r: _shifted(r, 0.5),
    "NaN in a label": lambda r: _shifted(r, NAN),
    "infinite label": lambda r: _shifted(r, INF),
    "another label, its bound kept": lambda r: r if r.values is None else _only(r, values=r.values[::-1].copy()),
    "optimal without a label": lambda r: Reply(Status.OPTIMAL),
    "optimal for infeasible": lambda r: _only(r, status=Status.OPTIMAL, values=None if r.values is None else r.values),
    "infeasible": lambda r: Reply(Status.INFEASIBLE),
    "failed": lambda r: Reply(Status.FAILED, message="it did not work"),
    "time limit without one": lambda r: Reply(Status.TIME_LIMIT),
    "NaN bound": lambda r: _only(r, bound=NAN),
    "bound too low": lambda r: _only(r, bound=-1e9),
    "bound −∞": lambda r: _only(r, bound=-INF),
    "bound too high": lambda r: _only(r, bound=1e9),
    "only feasible": lambda r: _only(r, status=Status.FEASIBLE if r.values is not None else r.status),
}
BREAKDOWNS = [RuntimeError("it\nbroke"), MemoryError(), OSError(5, "io"), SystemError("NULL"), OverflowError("wide"),
              ValueError("shapes")]  # fmt: skip
ENGINES = ["auto", "explicit", "groups", "best-first", "lazy", "monolithic", "inner"]
BACKENDS = list(installed())
CASES: dict[str, Callable[[], unwritten.Model]] = {
    "seen": lambda: small(1).model,
    "integers": lambda: small(3, binary=False).model,
    "unseen": lambda: _unseen(),  # noqa: PLW0108 defined below
    "infeasible": lambda: unwritten.mine(np.eye(4, dtype=int), rules=["equalities"]).with_rules(
        [([1, 1, 0, 0], ">=", 2)]
    ),
}


def _unseen() -> unwritten.Model:
    """A model whose seen labels all break a rule that was added, so that nothing is known beforehand."""
    model = unwritten.mine(np.eye(6, dtype=int)[:4], rules=[], bounds=(0, 1))
    return model.with_rules([([1] * 6, ">=", 2), ([1] * 6, "<=", 4)])


@cache
def _mined(case: str) -> unwritten.Model:
    return CASES[case]()


def _fresh(case: str) -> unwritten.Model:
    """The model of a case, without the solvers that it has opened."""
    return replace(_mined(case))


def _patched(monkeypatch: pytest.MonkeyPatch, names: list[str], change: Callable[[Reply], Reply]) -> None:
    for name in names:
        cls = backend_class(name)
        true = cls.solve

        def false(self: Any, *a: Any, _true: Any = true, **k: Any) -> Reply:
            return change(_true(self, *a, **k))

        monkeypatch.setattr(cls, "solve", false)


@cache
def _allowed(case: str) -> np.ndarray:
    return allowed(_mined(case))


def _judge(decided: Any, queries: np.ndarray, what: str) -> None:
    """Every label is allowed, and every claim of optimality, infeasibility or proof is true."""
    points = _allowed(what.partition(",")[0])
    truth = (queries @ points.T).max(axis=1) if len(points) else np.full(len(queries), NAN)
    for decision, best, query in zip(decided, truth, queries, strict=True):
        status = decision.status
        assert status in set(Status), what
        if status in (Status.OPTIMAL, Status.FEASIBLE):
            assert (points == decision.label).all(axis=1).any(), (what, "an unverified label")
            assert decision.value == pytest.approx(float(query @ decision.label)), what
            assert not np.isnan(decision.bound), what
            assert decision.bound >= decision.value - 1e-9, what
        if status == Status.OPTIMAL:
            assert decision.value == pytest.approx(best), (what, "not the optimum")
        if status == Status.INFEASIBLE:
            assert not len(points), (what, "not infeasible")
        if decision.proven:
            assert status == Status.OPTIMAL, what
        if status in (Status.TIME_LIMIT, Status.FAILED):
            assert np.isnan(decision.value), what
            assert decision.note, (what, "no note says why")


def _queries(model: unwritten.Model) -> np.ndarray:
    d = len(model.variables)
    rng = np.random.default_rng(0)
    return np.concatenate([rng.normal(size=(2, d)), np.eye(d)[:1]])


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("case", CASES)
def test_one_lying_solver(case: str, engine: str) -> None:
    """Whichever solver lies and however, answers are right: another one is asked."""
    for backend in BACKENDS:
        if backend != "highs" and (engine not in ("lazy", "monolithic") or case in ("integers", "infeasible")):
            continue
        for name, lie in LIES.items():
            with pytest.MonkeyPatch.context() as patch:
                _patched(patch, [backend], lie)
                model = _fresh(case)
                queries = _queries(model)
                asked = {"backend": backend} if engine in ("lazy", "monolithic") else {}
                decided = model.decide(queries, engine=engine, proof="data", **asked)
                _judge(decided, queries, f"{case}, {engine}, {backend}: {name}")


@pytest.mark.parametrize("engine", ["lazy", "monolithic"])
@pytest.mark.parametrize("lie", [name for name in LIES if name not in ("infeasible", "optimal for infeasible")])
@pytest.mark.parametrize("case", CASES)
def test_all_solvers_tell_the_same_lie(case: str, lie: str, engine: str) -> None:
    """If all solvers fail alike, every label is still verified, and nothing unknown is claimed about it."""
    with pytest.MonkeyPatch.context() as patch:
        _patched(patch, BACKENDS, LIES[lie])
        model = _fresh(case)
        queries = _queries(model)
        _judge(model.decide(queries, engine=engine), queries, f"{case}, {engine}: {lie}")


@pytest.mark.parametrize("error", BREAKDOWNS, ids=lambda e: type(e).__name__)
@pytest.mark.parametrize("method", ["__init__", "solve", "add", "drop_added"])
def test_a_solver_that_breaks_down(error: BaseException, method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """After an exception from any call of a solver the next solver is asked, and the note says so."""

    def broken(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(backend_class("highs"), method, broken)
    for case in ("seen", "unseen", "infeasible"):
        for engine in ENGINES:
            model = _fresh(case)
            queries = _queries(model)
            decided = model.decide(queries, engine=engine, proof="data")
            _judge(decided, queries, f"{case}, {engine}: {method}")
            assert all("\n" not in note for note in decided.notes)
            if engine == "lazy" and method in ("__init__", "solve"):
                assert all(f"broke down ({type(error).__name__}" in note for note in decided.notes)
                assert not any("highs" in name for name in decided.engine)


def test_a_breakdown_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a breakdown the engine is built anew: the same solver answers the next batch."""
    model, true = small(1).model, backend_class("highs").solve
    queries = _queries(model)
    with monkeypatch.context() as patch:
        patch.setattr(backend_class("highs"), "solve", lambda *a, **k: (_ for _ in ()).throw(MemoryError()))
        assert set(model.decide(queries, engine="lazy").engine) <= {"lazy+scipy", "inner"}
    assert backend_class("highs").solve is true
    assert "lazy+highs" in set(model.decide(queries, engine="lazy", backend="highs").engine)


def test_every_solver_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """If every solver breaks down, seen labels are returned as feasible; without them, the query fails with a note."""
    for backend in BACKENDS:
        monkeypatch.setattr(backend_class(backend), "solve", lambda *a, **k: (_ for _ in ()).throw(SystemError("gone")))
    seen, unseen = small(1).model, _unseen()
    assert {str(s) for s in seen.decide(_queries(seen)[:2], engine="lazy").status} <= {"feasible", "optimal"}
    decided = unseen.decide(_queries(unseen), engine="lazy")
    assert set(decided.status) == {Status.FAILED}
    assert all("broke down (SystemError: gone)" in note for note in decided.notes)
    with pytest.raises(unwritten.errors.SolverError):
        unseen.predict(_queries(unseen), engine="lazy")


@pytest.mark.parametrize("passes", [KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("engine", ["lazy", "monolithic"])
def test_ctrl_c_is_not_a_breakdown(engine: str, passes: type[BaseException], monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupt by a person is raised, not treated as a solver's failure."""

    def stopped(*_: object, **__: object) -> None:
        raise passes

    monkeypatch.setattr(backend_class("highs"), "solve", stopped)
    with pytest.raises(passes):
        _fresh("seen").decide(_queries(_mined("seen")), engine=engine)


@pytest.mark.parametrize("engine", ["lazy", "monolithic"])
@pytest.mark.parametrize("says", [Status.TIME_LIMIT, Status.OPTIMAL])
def test_a_solver_that_overruns_its_time(engine: str, says: Status, monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver that overruns its time gets a query's time once; its reply is checked like any other.

    Only an infeasible query is asked a second time, of another engine.
    """
    cls = backend_class("highs")
    true = cls.solve
    clock, allowances = [0.0], list[float]()
    for module in (lazy, watched):
        monkeypatch.setattr(module, "monotonic", lambda: clock[0])

    def slow(self: Any, objective: Any, limits: Limits, pinned: Any = None) -> Reply:
        assert limits.time_limit is not None
        allowances.append(limits.time_limit)
        clock[0] += 0.1
        reply = true(self, objective, Limits(limits.gap, None, limits.stop), pinned)
        return reply if says == Status.OPTIMAL else Reply(Status.TIME_LIMIT, message="late")

    monkeypatch.setattr(cls, "solve", slow)
    for case in ("seen", "unseen", "infeasible"):
        model = _fresh(case)
        queries = _queries(model)
        allowances.clear()
        decided = model.decide(queries, engine=engine, backend="highs", time_limit=0.05)
        engines = 2 if case == "infeasible" and says == Status.OPTIMAL else 1
        assert 1 <= sum(0 < seconds < 0.06 for seconds in allowances) <= engines * len(queries)
        _judge(decided, queries, f"{case}, {engine}: {says}")


@pytest.mark.parametrize("engine", ["lazy", "monolithic"])
@pytest.mark.parametrize("case", ["seen", "unseen", "infeasible"])
def test_a_solver_that_hangs(case: str, engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver that never returns is abandoned and never used again; another solver answers."""
    monkeypatch.setattr(budgets, "SOLVER_GRACE_SECONDS", 0.1)
    monkeypatch.setattr(conflict, "SECONDS_PER_SOLVE", 0.1)
    released, hung, returned, touched = Event(), [], [], []
    cls = backend_class("highs")

    def forever(self: Any, *_: Any) -> Reply:
        hung.append(self)
        released.wait(HANG)
        returned.append(self)
        return Reply(Status.FAILED)

    for method in ("add", "drop_added"):
        true = getattr(cls, method)
        monkeypatch.setattr(cls, method, lambda self, *a, _true=true: touched.append(self) or _true(self, *a))
    monkeypatch.setattr(cls, "solve", forever)
    model = _fresh(case)
    queries = _queries(model)
    decided = model.decide(queries, engine=engine, time_limit=0.2)
    assert not returned
    _judge(decided, queries, f"{case}, {engine}: a hanging solver")
    assert all(decision.note or decision.engine for decision in decided)
    assert hung
    assert len({id(solver) for solver in hung}) == len(hung)
    assert not any(one is other for one in touched for other in hung)
    released.set()


def test_a_stopped_call_leaves_the_solver_usable() -> None:
    """Ctrl-C during a call stops the solver and waits for it; its next answer is right."""

    begun = Event()

    class Slow:
        def solve(self, objective: Any, limits: Limits, pinned: Any = None) -> Reply:
            begun.set()
            return Reply(Status.OPTIMAL if limits.stop.wait(HANG * objective[0]) else Status.FEASIBLE)

        def interrupt(self) -> None:
            pass

        def drop_added(self) -> None:
            self.dropped = True

    slow, limits = Slow(), Limits(time_limit=float(HANG))
    solver = WatchedBackend(slow)  # type: ignore[arg-type]
    Thread(target=lambda: begun.wait(HANG) and limits.stop.set()).start()
    assert solver.solve(np.ones(1), limits).status == Status.OPTIMAL
    solver.drop_added()
    assert slow.dropped
    assert solver.solve(np.zeros(1), Limits(time_limit=float(HANG))).status == Status.FEASIBLE


@pytest.mark.parametrize("kind", ["huge", "tiny", "negative", "NaN", "short", "none"])
@pytest.mark.parametrize("engine", ["best-first", "groups"])
def test_wrong_multipliers_cost_time_only(kind: str, engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The searches take multipliers from a linear program; whatever these are, the answers are right."""
    cls = backend_class("highs")
    true = cls.duals  # type: ignore[attr-defined]
    change: dict[str, Callable[[Any], Any]] = {
        "huge": lambda x: x * 1e30 + 1e25,
        "tiny": lambda x: x * 0 + 1e-300,
        "negative": lambda x: -x - 1,
        "NaN": lambda x: x * NAN,
        "short": lambda x: x[:-1],
        "none": lambda x: None,
    }
    monkeypatch.setattr(cls, "duals", lambda self, w: None if (x := true(self, w)) is None else change[kind](x))
    for case in ("seen", "integers", "unseen", "infeasible"):
        model = _fresh(case)
        queries = _queries(model)
        _judge(model.decide(queries, engine=engine), queries, f"{case}, {engine}: {kind}")


def test_the_cases_differ() -> None:
    """Some cases have seen labels, some have none, one has no label at all."""
    counts = {name: (len(make().seen), len(box_of(make())), len(allowed(make()))) for name, make in CASES.items()}
    assert counts["seen"][2] > 1
    assert counts["unseen"][2] > 10
    assert counts["infeasible"][2] == 0
