"""What a release needs is there, and the check names what is not."""

from __future__ import annotations

import re

import pytest

import release_check

yaml = pytest.importorskip("yaml", reason="needs PyYAML")


def test_the_project_can_be_released() -> None:
    """The version, the changes, the citation and the classifiers agree."""
    assert release_check.problems() == []


def test_a_wrong_tag_is_named() -> None:
    """A tag of another version, and changes without a section for it."""
    found = release_check.problems("v9.9.9")
    assert any("the tag v9.9.9 is not that of version" in text for text in found)
    assert any("have no section" in text for text in found)


def test_notes_are_a_section_of_the_changes() -> None:
    """From one heading of a version to the next."""
    assert "### Added" in release_check.notes("Unreleased")
    assert release_check.notes("0.0.0") == ""


def test_workflows_and_templates_can_be_read() -> None:
    """Every file for GitHub is valid YAML; the release is tested on all versions of Python that are supported."""
    files = sorted((release_check.ROOT / ".github").rglob("*.yml"))
    read = {path.name: yaml.safe_load(path.read_text(encoding="utf-8")) for path in files}
    assert {"release.yml", "wheels.yml", "tests.yml", "bug.yml", "wrong-rule.yml", "idea.yml"} <= set(read)
    assert read["release.yml"]["jobs"]["test"]["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13", "3.14"]
    assert read["release.yml"]["jobs"]["publish"]["permissions"] == {"id-token": "write"}
    citation = yaml.safe_load(release_check.text("CITATION.cff"))
    assert citation["references"][0]["title"].startswith("An Integer Linear Programming Framework")


def test_every_push_is_checked() -> None:
    """The workflow of the tests runs the same targets as `.ci/run`, and the Makefile has them."""
    workflow = release_check.text(".github/workflows/tests.yml")
    jobs = yaml.safe_load(workflow)["jobs"]
    assert jobs["tests"]["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13"]
    commands = [step["run"] for step in jobs["tests"]["steps"] if "run" in step]
    targets = [
        *re.findall(r"^make (\w+)", "\n".join(commands), re.MULTILINE),
        *jobs["native"]["strategy"]["matrix"]["check"],
    ]
    wanted = re.findall(r"^make (\w+)$", release_check.text(".ci/run"), re.MULTILINE)
    assert sorted(targets) == sorted(wanted) == ["extras", "portable", "sanitize", "test"]
    rules = re.findall(r"^(\w+):", release_check.text("Makefile"), re.MULTILINE)
    assert set(wanted) <= set(rules)
