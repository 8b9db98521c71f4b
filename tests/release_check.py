"""Check what a release needs, with Python alone: `python tests/release_check.py [--tag v0.1.0]`.

--tag TAG        the tag that starts the release: it must be that of the version, and the changes must have its section
--notes TAG      print the notes of a release: its section of the changes
--requirements   print the packages that an installed wheel needs, for pip
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LATEST_PYTHON = 14  # 3.14
FILES = ("README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "SECURITY.md", "CITATION.cff")


def text(path: str) -> str:
    """The text of a file of the project."""
    return (ROOT / path).read_text(encoding="utf-8")


def version() -> str:
    """The version of the package."""
    return re.findall(r'^__version__ = "([^"]+)"$', text("src/unwritten/__init__.py"), re.MULTILINE)[0]


def notes(name: str) -> str:
    """The section of the changes of a version, or of what is not released yet; empty if there is none."""
    found = re.search(
        rf"^## \[{re.escape(name)}\][^\n]*\n(.*?)(?=^## \[|\Z)", text("CHANGELOG.md"), re.DOTALL | re.MULTILINE
    )
    return found[1].strip() if found else ""


def problems(tag: str | None = None) -> list[str]:
    """One sentence for each thing that stands in the way of a release."""
    found = [f"{name} is missing: write it" for name in FILES if not (ROOT / name).is_file()]
    now = version()
    if not re.fullmatch(r"\d+\.\d+\.\d+", now):
        found.append(f"the version {now} is not of the form 1.2.3: change it in src/unwritten/__init__.py")
    if not re.search(rf"^version: {re.escape(now)}$", text("CITATION.cff"), re.MULTILINE):
        found.append(f"CITATION.cff does not name version {now}: change it there")
    project = tomllib.loads(text("pyproject.toml"))["project"]
    found += [
        f"pyproject.toml does not say that Python 3.{number} is supported: add the classifier"
        for number in range(int(project["requires-python"].partition(".")[2]), LATEST_PYTHON + 1)
        if f"Programming Language :: Python :: 3.{number}" not in project["classifiers"]
    ]
    if tag is None:
        found += [] if notes("Unreleased") else ["the changes have an empty section [Unreleased]: write it"]
    else:
        found += [] if tag == f"v{now}" else [f"the tag {tag} is not that of version {now}: tag v{now}"]
        found += [] if notes(now) else [f"the changes have no section [{now}]: rename [Unreleased]"]
    return found


def main(arguments: list[str]) -> int:
    """Do what the command line asks for."""
    match arguments:
        case ["--notes", tag]:
            print(notes(tag.removeprefix("v")))
        case ["--requirements"]:
            print("\n".join(tomllib.loads(text("pyproject.toml"))["project"]["dependencies"]))
        case [] | ["--tag", _]:
            found = problems(*arguments[1:])
            print("\n".join(found) or f"version {version()} can be released")
            return int(bool(found))
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
