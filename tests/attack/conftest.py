"""A folder with a secret in it, which no hostile file may bring to light."""

from __future__ import annotations

from pathlib import Path

import pytest

from attack.readers.watch import SECRET


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with two secret files, which is the working directory."""
    for name in ("secret.txt", "secret.csv"):
        (tmp_path / name).write_text(f"{SECRET}\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path
