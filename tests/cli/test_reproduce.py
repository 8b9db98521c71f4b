"""`unwritten reproduce` in a checkout, and from an installed package, which has no experiments."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import pytest
from typer.testing import CliRunner

from experiments.registry import EXPERIMENTS
from unwritten.cli import app, reproduce
from unwritten.cli.app import main


def test_list_shows_every_experiment() -> None:
    """`unwritten reproduce list` prints a line per experiment: its name and what it shows."""
    done = CliRunner().invoke(app, ["reproduce", "list"], env={"COLUMNS": "200"})
    assert done.exit_code == 0
    lines = dict(line.split(maxsplit=1) for line in done.stdout.splitlines())
    assert lines == {name: experiment.title for name, experiment in EXPERIMENTS.items()}


def test_names_are_completed() -> None:
    """A shell offers the names of the experiments, and the words all and list."""
    assert reproduce.complete_experiments() == ["all", "list", *EXPERIMENTS]


def test_an_installed_package_has_no_experiments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a checkout the command ends with exit code 2 and one sentence that says what to do."""
    monkeypatch.setattr(reproduce, "CHECKOUT", tmp_path)
    monkeypatch.setattr(warnings, "showwarning", warnings.showwarning)  # main() replaces it
    monkeypatch.setattr(sys, "argv", ["unwritten", "reproduce", "list"])
    assert reproduce.complete_experiments() == []
    with pytest.raises(SystemExit) as error:
        main()
    assert error.value.code == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("unwritten: the experiments are not part of the installed package: clone")
    assert printed.err.count("\n") == 1


def test_missing_packages_are_said_before_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An experiment that needs a package which is not installed ends at once with exit code 2, and writes nothing."""
    monkeypatch.setattr("experiments.needed_packages.find_spec", lambda name: None if name == "torch" else name)
    monkeypatch.setattr(warnings, "showwarning", warnings.showwarning)  # main() replaces it
    out = tmp_path / "out"
    for name in ("mst", "all"):
        monkeypatch.setattr(sys, "argv", ["unwritten", "reproduce", name, "--quick", "--out", str(out)])
        with pytest.raises(SystemExit) as error:
            main()
        assert error.value.code == 2
        assert "needs torch, which is not installed" in capsys.readouterr().err
    assert not out.exists()
