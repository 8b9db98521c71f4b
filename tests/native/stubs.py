"""Write `kernels.pyi`, the types of the compiled kernels, from the built library: `python tests/native/stubs.py`."""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from pathlib import Path

STUB = Path(__file__).parents[2] / "src" / "unwritten" / "native" / "kernels.pyi"
#: An array with the layout that nanobind notes; type checkers know only the type of its elements.
LAYOUT = re.compile(r"Annotated\[(NDArray\[[\w.]+\]), dict\([^\[\]]*\)\]")
LONE_LINE = re.compile(r'"""\n *(.+)\n *"""')
WIDTH = 120


def types_of_kernels() -> str:
    """Return the text of the stub for the library that is installed."""
    from nanobind.stubgen import StubGen

    from unwritten.native import kernels

    generator = StubGen(kernels, quiet=True)
    generator.put(kernels)
    text = LONE_LINE.sub(r'"""\1"""', LAYOUT.sub(r"\1", generator.get()))
    for step in (["check", "--fix", "--exit-zero", "--quiet"], ["format", "--quiet"]):
        command = [sys.executable, "-m", "ruff", *step, "--stdin-filename", str(STUB), "-"]
        text = subprocess.run(command, input=text, capture_output=True, text=True, encoding="utf-8", check=True).stdout
    return "".join(map(_wrapped, text.splitlines(keepends=True)))


def _wrapped(line: str) -> str:
    """Break a line that is too long, which can only be one of a docstring."""
    indent = line[: len(line) - len(line.lstrip())]
    return line if len(line) <= WIDTH else textwrap.fill(line, WIDTH, subsequent_indent=indent) + "\n"


if __name__ == "__main__":
    STUB.write_text(types_of_kernels(), encoding="utf-8")
