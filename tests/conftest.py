"""One hypothesis profile for all tests (no deadline, the same examples every run), and a folder with secrets."""

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("unwritten", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("unwritten")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with two secret files, which is the working directory."""
    from attack.readers.watch import SECRET

    for name in ("secret.txt", "secret.csv"):
        (tmp_path / name).write_text(f"{SECRET}\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path
