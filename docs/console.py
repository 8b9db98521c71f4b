"""Run the console sessions of a page: `python docs/console.py PAGE [--write]`.

In a ```console block, lines that begin with `$ ` are commands and the others what they print; a line with `…` alone
stands for any lines. Without --write the page is compared with what the commands print now; with it, the page is
written anew, and what stood before and after a `…` in a command's output tells how much of it is kept.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
ANY = "…"


def sessions(page: str) -> list[tuple[str, list[str]]]:
    """Every command with the lines that it should print."""
    found: list[tuple[str, list[str]]] = []
    for block in BLOCK.findall(page):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line)
    return found


def printed(command: str, folder: Path) -> list[str]:
    """What a command prints, both streams, and its exit code where that is not 0."""
    path = f"export PATH={Path(sys.executable).parent}:$PATH COLUMNS=120;"
    done = subprocess.run(
        ["bash", "-c", path + command], cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )
    lines = [line.rstrip() for line in (done.stdout + done.stderr).splitlines()]
    return lines + ([f"exit code {done.returncode}"] if done.returncode else [])


def agrees(shown: list[str], expected: list[str]) -> bool:
    """Whether the lines are those expected, with `…` for any number of them."""
    pattern = "".join(r"(?:.*\n)*?" if line.strip() == ANY else re.escape(line) + r"\n" for line in expected)
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in shown)) is not None


def shortened(shown: list[str], expected: list[str]) -> list[str]:
    """The new lines, as many at the beginning and the end as the page has around its first `…`."""
    if ANY not in expected:
        return shown
    head = expected.index(ANY)
    tail = len(expected) - head - 1
    if len(shown) <= head + tail:
        return shown
    return [*shown[:head], ANY, *(shown[-tail:] if tail else [])]


def rewritten(page: str, folder: Path) -> str:
    """The page with what its commands print now."""

    def block(match: re.Match[str]) -> str:
        lines: list[str] = []
        for command, expected in sessions(match[0]):
            lines += [f"$ {command}", *shortened(printed(command, folder), expected)]
        return "```console\n" + "".join(f"{line}\n" for line in lines) + "```"

    return BLOCK.sub(block, page)


def differences(page: str, folder: Path) -> list[str]:
    """A word on every command that prints something else than the page says."""
    wrong = []
    for command, expected in sessions(page):
        shown = printed(command, folder)
        if not agrees(shown, expected):
            wrong.append(f"$ {command}\n" + "\n".join(shown[:60]))
    return wrong


if __name__ == "__main__":
    place = Path(sys.argv[1])
    text = place.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as where:
        if "--write" in sys.argv:
            place.write_text(rewritten(text, Path(where)), encoding="utf-8")
        else:
            sys.exit("\n".join(differences(text, Path(where))))
