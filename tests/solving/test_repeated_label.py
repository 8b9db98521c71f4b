"""A solver that returns an excluded label again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import unwritten
from unwritten.solving.backends import Reply, backend_class
from unwritten.solving.decision import Status


def test_a_solver_that_repeats_an_excluded_label_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """The label breaks a cut that the solver was given; without an end, it would be excluded and returned for ever."""
    model = unwritten.mine(np.eye(4, dtype=int), 1 + np.eye(4), rules=[], slack=0)
    highs = backend_class("highs")
    solve, calls = highs.solve, []

    def repeat(self: Any, *given: Any, **named: Any) -> Reply:
        calls.append(1)
        assert len(calls) < 200, "the engine does not end"
        reply = solve(self, *given, **named)
        return replace(reply, values=np.ones(4), status=Status.OPTIMAL, bound=np.inf)

    monkeypatch.setattr(highs, "solve", repeat)
    decided = model.decide([[3.0, 2.0, 2.0, 1.0]], engine="lazy", backend="highs")
    assert model.check(decided.labels).feasible.all()
    assert decided.proof[0] is None or decided.status[0] == Status.OPTIMAL
