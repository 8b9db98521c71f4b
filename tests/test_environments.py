"""What `make test` skips runs somewhere, and it is noticed if it does not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import environments
import outcomes
from environments import ENVIRONMENTS, Environment, requirements

CASES = """
import pytest

def test_runs(): pass

@pytest.mark.xfail(strict=True)
def test_fails_as_expected(): raise ValueError

def test_needs_a_package(): pytest.importorskip("{package}", reason="needs a package")

@pytest.mark.skipif(True, reason="no CUDA: cannot be installed")
def test_needs_a_machine(): pass
"""
WHOLE_FILE = """
import pytest
pytest.importorskip("{package}", reason="needs a package")

def test_needs_it_too(): pass
"""


@pytest.mark.parametrize(
    ("packages", "left"),
    [
        (("no_such_package",), ["test_cases.test_needs_a_package", "test_whole_file"]),
        (("no_such_package", "json"), []),  # the second environment has it
    ],
)
def test_what_nothing_runs_is_named(tmp_path: Path, packages: tuple[str, ...], left: list[str]) -> None:
    """Skipped tests and files are named unless another run has them, or the machine lacks what they need."""
    for package in packages:
        (tmp_path / "test_cases.py").write_text(CASES.format(package=package), encoding="utf-8")
        (tmp_path / "test_whole_file.py").write_text(WHOLE_FILE.format(package=package), encoding="utf-8")
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={package}.xml"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout
    (tmp_path / "ended_early.xml").touch()
    found = outcomes.never_run(tmp_path)
    assert [name for name, _ in found] == left
    assert all("needs a package" in reason for _, reason in found)


def test_every_test_of_the_table_is_there() -> None:
    """Tests are named by file, or by file and function."""
    for wanted in ENVIRONMENTS.values():
        for test in wanted.tests:
            path, _, function = test.partition("::")
            assert f"def {function}" in (environments.ROOT / path).read_text(encoding="utf-8")


def test_extras_are_followed() -> None:
    """An extra that names others brings their packages, and known builds are kept."""
    wanted = requirements("experiments", "notebooks")
    assert {"torch>=2.2", "torch==2.13.0", "matplotlib>=3.8", "nbclient>=0.10"} <= set(wanted)
    assert not any(line.startswith("unwritten") for line in wanted)
    assert not any(line.startswith("torch") for line in requirements("docs"))


def test_a_package_that_cannot_be_had_is_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Without its packages, an environment fails with a sentence, and runs nothing."""
    monkeypatch.setattr(environments, "MADE", tmp_path)
    monkeypatch.setattr(outcomes, "KEPT", tmp_path)
    monkeypatch.setitem(ENVIRONMENTS, "other", Environment(("tests/test_site.py",), packages=("no-such-package",)))
    monkeypatch.setitem(os.environ, "PIP_NO_INDEX", "1")
    assert environments.main(["other"]) == 1
    told = capfd.readouterr()
    assert "No matching distribution" in told.err
    assert "the environment other cannot be made, and its tests have not run" in told.out
    assert told.out.endswith("the environment other failed\n")
