"""The stub of the kernels is that of the compiled module."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import unwritten.native
from unwritten.native import kernels

STUB = Path(unwritten.native.__file__).with_name("kernels.pyi").read_text(encoding="utf-8")


def functions(stub: str) -> dict[str, tuple[str, str, str | None]]:
    """The arguments, the result and the docstring of each function; formatting does not matter."""
    return {
        node.name: (ast.unparse(node.args), ast.unparse(node.returns or node), ast.get_docstring(node))
        for node in ast.parse(stub).body
        if isinstance(node, ast.FunctionDef)
    }


def test_stub_lists_the_functions_of_the_module() -> None:
    assert sorted(functions(STUB)) == sorted(name for name in vars(kernels) if not name.startswith("_"))


def test_stub_is_what_nanobind_prints() -> None:
    """To write it again: `python -m nanobind.stubgen -m unwritten.native.kernels`, then `ruff format`."""
    stubgen = pytest.importorskip("nanobind.stubgen")
    printer = stubgen.StubGen(kernels, quiet=True)
    printer.put(kernels)
    assert functions(STUB) == functions(printer.get())
