"""What is mined stays as it is: quick cases of `python -m benchmarks.fingerprint` have their stored fingerprints."""

from __future__ import annotations

import json
import os
from dataclasses import replace

import pytest

from benchmarks.fingerprint import CASES, QUICK, STORED, fingerprint, main
from experiments.datasets import VARIABLE

NEEDS_NO_DATA = tuple(name for name in QUICK if not name.startswith(("sudoku", "imclef", "renault")))
needs_data = pytest.mark.skipif(
    not os.environ.get(VARIABLE), reason=f"set {VARIABLE} to the directory of the data sets"
)


@pytest.mark.parametrize(
    "name", [name if name in NEEDS_NO_DATA else pytest.param(name, marks=needs_data) for name in QUICK]
)
def test_a_case_has_its_stored_fingerprint(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The command says "same" for a quick case, and ends with exit code 0."""
    code = main([name])
    assert capsys.readouterr().out.rstrip().endswith("  same")
    assert code == 0


def test_every_case_is_stored() -> None:
    """Every case has a stored fingerprint, so that none is compared with nothing."""
    assert set(json.loads(STORED.read_text(encoding="utf-8"))) == set(CASES)
    assert set(NEEDS_NO_DATA) < set(QUICK) <= set(CASES)


def test_another_model_has_another_fingerprint(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A rule more or less, another order of rules or other labels change the fingerprint, and the command says so."""
    model = CASES["numbers"]()
    one_rule_less = replace(model, rules=model.rules[1:])
    others = [
        one_rule_less,
        model.with_rules([([1, 0, 0, 0, 0], "<=", 89)]),
        replace(model, rules=model.rules[::-1]),
        replace(model, seen=model.seen[1:], counts=model.counts[1:]),
    ]
    assert len({repr(fingerprint(one)) for one in (model, *others)}) == 1 + len(others)
    monkeypatch.setitem(CASES, "numbers", lambda: one_rule_less)
    assert main(["numbers"]) == 1
    assert "DIFFERENT, stored" in capsys.readouterr().out
