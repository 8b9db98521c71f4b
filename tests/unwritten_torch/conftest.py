"""One thread for torch: with tensors this small, a second thread costs more time than it saves."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec

import pytest

collect_ignore = [] if find_spec("torch") else ["torch_cases.py"]


@pytest.fixture(autouse=True, scope="package")
def one_thread() -> Iterator[None]:
    """One thread while the tests of this directory run."""
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
