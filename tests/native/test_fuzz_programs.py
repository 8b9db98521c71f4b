"""Random small programs: the engines agree with a list of all labels, and a wrong engine is found."""

from __future__ import annotations

import numpy as np
import pytest

from native import small_programs
from native.fuzz_programs import first_difference, main, report, shrunk
from native.small_programs import draw, listed
from unwritten.solving.backends import Limits
from unwritten.solving.decision import Answers
from unwritten.solving.engines import BestFirst, QueryBatch


def test_engines_agree_with_a_list_of_all_labels() -> None:
    """On 2,000 random programs, status, labels, values, bounds and used cuts are those of the listed labels."""
    assert first_difference(0, 0, 2_000) is None


def test_programs_are_of_every_kind() -> None:
    """Some programs have no label, in some a cut excludes labels, and some have neither rules nor cuts."""
    kinds = set()
    for number in range(300):
        small = draw(0, number)
        under_rules, points = listed(small)
        kinds.add((small.engine, len(points) > 0, len(points) < len(under_rules), len(small.rows) > 0))
    assert len(kinds) >= 12


class _ForgetfulSearch(BestFirst):
    """An engine that forgets to raise the first variable."""

    def answer(self, queries: QueryBatch, limits: Limits) -> Answers:
        """Return the answers with the first variable at its lower bound."""
        answers = super().answer(queries, limits)
        answers.labels[:, 0] = np.minimum(answers.labels[:, 0], self._program.lower[0])
        return answers


def test_a_wrong_engine_is_found(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A wrong engine is found among few programs, and the program that shows it is made small."""
    monkeypatch.setitem(small_programs.ENGINES, "best-first", _ForgetfulSearch)
    found = first_difference(0, 0, 100)
    assert found is not None
    small = shrunk(draw(0, found[0]))
    assert len(small.weights) == 1 and len(small.lower) <= 2
    report(0, *found)
    assert "SmallProgram(engine='best-first'" in capsys.readouterr().out


def test_the_command_says_how_it_ended(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a difference the exit code is 0, and the summary counts the programs."""
    assert main(["--programs", "10"]) == 0
    assert "10 programs" in capsys.readouterr().out
