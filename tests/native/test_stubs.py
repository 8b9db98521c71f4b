"""The types of the compiled kernels, which are part of the package, are those of the library."""

from __future__ import annotations

import pytest

from native.stubs import STUB, types_of_kernels


def test_the_stub_is_that_of_the_library() -> None:
    """`kernels.pyi` lists every kernel with the types that it takes; `make stubs` writes it anew."""
    pytest.importorskip("nanobind.stubgen")
    pytest.importorskip("ruff")
    assert STUB.read_text(encoding="utf-8") == types_of_kernels()
