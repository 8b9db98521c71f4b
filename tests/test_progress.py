"""Progress: a line that vanishes in a terminal, nothing in a pipe, and calls of a function of one's own."""

from __future__ import annotations

import io
import sys
from time import sleep

import numpy as np
import pytest

import unwritten
from unwritten.progress import shown_progress
from unwritten.samples import trees

WEIGHTS, LABELS = trees.sample(4, 60, seed=0)


class Terminal(io.StringIO):
    """A standard error that says it is a terminal."""

    def isatty(self) -> bool:
        """Say that this is a terminal."""
        return True


def use_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Make standard error a terminal (in the test itself: pytest sets standard error again before each test)."""
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    return stream


def test_a_terminal_shows_a_line_that_vanishes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A step of known length has a bar, one of unknown length counts seconds, and at the end the line is empty."""
    terminal = use_terminal(monkeypatch)
    with shown_progress(True) as report:
        report("reading", 1, 2)
        report("mining", 0, 0)
        sleep(1.2)
    written = terminal.getvalue()
    assert "reading ███" in written and " 50 %" in written
    assert "mining … 1 s" in written
    assert written.endswith(" \r")


def test_short_work_and_pipes_show_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is shown in the first second, and nothing at all if standard error is not a terminal."""
    terminal = use_terminal(monkeypatch)
    with shown_progress(None) as report:
        report("reading", 1, 2)
    assert terminal.getvalue() == ""
    monkeypatch.setattr(sys, "stderr", pipe := io.StringIO())
    unwritten.mine(LABELS)
    assert pipe.getvalue() == ""


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_deciding_reports_every_query_and_changes_no_answer(n_jobs: int) -> None:
    """The last report says that all distinct queries are done; answers are those without progress."""
    model, steps = unwritten.mine(LABELS, WEIGHTS), []
    plain = model.decide(WEIGHTS, progress=False)
    shown = model.decide(WEIGHTS, n_jobs=n_jobs, progress=lambda *step: steps.append(step))
    assert steps[-1] == ("deciding 60 queries", 60, 60)
    assert np.array_equal(plain.labels, shown.labels) and np.array_equal(plain.bounds, shown.bounds)
    assert model.predict(WEIGHTS[:0], progress=lambda *step: None).shape == (0, 6)


def test_a_forecast_reports_its_folds() -> None:
    """Two rounds of ten folds are reported one by one."""
    steps: list[tuple[str, int, int]] = []
    unwritten.forecast(LABELS, WEIGHTS, rules=["equalities"], progress=lambda *step: steps.append(step))
    assert steps == [("forecasting", k, 20) for k in range(20)]


def test_an_interrupt_passes_and_clears_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C is not swallowed, and the line is removed."""
    terminal = use_terminal(monkeypatch)
    with pytest.raises(KeyboardInterrupt), shown_progress(True) as report:
        report("reading", 1, 2)
        raise KeyboardInterrupt
    assert terminal.getvalue().endswith(" \r")
