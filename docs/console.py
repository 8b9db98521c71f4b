"""Compare the console sessions of a page with what their commands print: `python docs/console.py PAGE [--write]`.

In a ```console block, a line that begins with `$ ` is a command, and the lines below it are what the command prints. A
line with `…` alone stands for any number of lines. The commands of a page run one after the other in a new directory.
Without --write, the commands that print something else are shown. With --write, the page is rewritten with what they
print now; around a `…`, as many lines are kept as the page had there.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
ANY_LINES = "…"
SECONDS = 300  # for one command


def sessions(page: str) -> list[tuple[str, list[str]]]:
    """Return every command of a page with the lines that it should print."""
    commands: list[tuple[str, list[str]]] = []
    for block in BLOCK.findall(page):
        for line in block.splitlines():
            if line.startswith("$ "):
                commands.append((line[2:], []))
            else:
                commands[-1][1].append(line)
    return commands


def printed(command: str, folder: Path) -> list[str]:
    """Run a command in a folder; return what it prints, then its exit code if that is not 0."""
    setup = f"export PATH={Path(sys.executable).parent}:$PATH COLUMNS=120;"
    done = subprocess.run(
        ["bash", "-c", setup + command], cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    lines = [line.rstrip() for line in (done.stdout + done.stderr).splitlines()]
    return lines + ([f"exit code {done.returncode}"] if done.returncode else [])


def agrees(lines: list[str], expected: list[str]) -> bool:
    """Return True if the lines are the expected ones, where `…` stands for any number of lines."""
    pattern = "".join(r"(?:.*\n)*?" if line.strip() == ANY_LINES else re.escape(line) + r"\n" for line in expected)
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in lines)) is not None


def shortened(lines: list[str], expected: list[str]) -> list[str]:
    """Leave out the middle of the lines, if the page has a `…`: as many stay on both sides as the page has there."""
    if ANY_LINES not in expected:
        return lines
    head = expected.index(ANY_LINES)
    tail = len(expected) - head - 1
    if len(lines) <= head + tail:
        return lines
    return [*lines[:head], ANY_LINES, *(lines[-tail:] if tail else [])]


def rewritten(page: str, folder: Path) -> str:
    """Return the page with what its commands print now."""

    def new_block(match: re.Match[str]) -> str:
        lines: list[str] = []
        for command, expected in sessions(match[0]):
            lines += [f"$ {command}", *shortened(printed(command, folder), expected)]
        return "```console\n" + "".join(f"{line}\n" for line in lines) + "```"

    return BLOCK.sub(new_block, page)


def differences(page: str, folder: Path) -> list[str]:
    """Return the commands that print something else than the page says, each with the first lines of its output."""
    wrong = []
    for command, expected in sessions(page):
        lines = printed(command, folder)
        if not agrees(lines, expected):
            wrong.append(f"$ {command}\n" + "\n".join(lines[:60]))
    return wrong


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: python docs/console.py PAGE [--write]")
    path = Path(sys.argv[1])
    text = path.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as directory:
        if "--write" in sys.argv:
            path.write_text(rewritten(text, Path(directory)), encoding="utf-8")
        else:
            sys.exit("\n".join(differences(text, Path(directory))) or 0)
