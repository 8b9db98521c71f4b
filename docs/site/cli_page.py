"""Write the reference of the command line from the commands themselves: `python docs/site/cli_page.py`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from types import NoneType
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from typer.models import ArgumentInfo, OptionInfo

PAGE = Path(__file__).resolve().parents[1] / "reference" / "cli.md"
HEAD = """# The command line

This page is written by `python docs/site/cli_page.py` from the commands themselves; a test compares it with them.

`unwritten --install-completion` teaches your shell every command and choice. `-h` and `--help` explain a command.
Exit codes: 0 success; 1 the answer is no (rows break rules, models differ, a question has no answer); 2 wrong input or
wrong use; 130 after Ctrl-C, 143 after SIGTERM, 129 after SIGHUP. With `--json`, an error is JSON too:
`{"error": …, "cure": …}`.
"""
WORDS = {int: "INTEGER", float: "NUMBER", str: "TEXT", Path: "PATH"}


class Parameter(NamedTuple):
    """One argument or option of a command."""

    name: str
    plain: Any  # its type, without None and list
    info: ArgumentInfo | OptionInfo
    default: object

    @property
    def is_argument(self) -> bool:
        """True if it has no name on the command line."""
        return isinstance(self.info, ArgumentInfo)

    @property
    def value(self) -> str:
        """What to write for its value: the choices, or a word; nothing for a switch."""
        if get_origin(self.plain) is Literal and not self.is_argument:
            return "|".join(get_args(self.plain))
        if self.plain is bool:
            return ""
        return self.info.metavar or WORDS.get(self.plain, self.name.upper())

    @property
    def words(self) -> str:
        """How it is typed."""
        if self.is_argument:
            return self.value if self.default is inspect.Parameter.empty else f"[{self.value}]"
        said = (self.info.default, *(self.info.param_decls or ()))  # typer puts the first name where a default would be
        names = [name for name in said if isinstance(name, str) and name.startswith("-")]
        own = "--" + self.name.replace("_", "-")
        return f"{', '.join(names or [own])} {self.value}".rstrip()


def parameters(function: Callable[..., Any]) -> list[Parameter]:
    """The arguments and options of a command, from its signature."""
    hints = get_type_hints(function, include_extras=True)
    found = []
    for name, one in inspect.signature(function).parameters.items():
        kind, *extras = get_args(hints[name])
        info = next(extra for extra in extras if isinstance(extra, ArgumentInfo | OptionInfo))
        found.append(Parameter(name, _plain(kind), info, one.default))
    return found


def _plain(kind: Any) -> Any:
    """A type without None, and the entries of a list."""
    if get_origin(kind) is list:
        return _plain(get_args(kind)[0])
    others = [part for part in get_args(kind) if part is not NoneType]
    return _plain(others[0]) if get_args(kind) and get_origin(kind) is not Literal and len(others) == 1 else kind


def section(name: str, function: Callable[..., Any]) -> str:
    """One command: what it does, its examples, its arguments and its options."""
    given = sorted(parameters(function), key=lambda one: not one.is_argument)
    usage = " ".join(["unwritten", name, *(one.words for one in given if one.is_argument), "[OPTIONS]"])
    about, _, examples = inspect.cleandoc(function.__doc__ or "").partition("\n\nExample")
    calls = [line.strip() for line in examples.removeprefix("s").removeprefix(":").splitlines() if line.strip()]
    lines = [f"## {name}", f"```text\n{usage}\n```", about]
    lines += ["```text\n" + "\n".join(calls) + "\n```"] if calls else []
    table = ["| argument or option | meaning | default |", "|---|---|---|"]
    for one in given:
        unsaid = any(one.default is nothing for nothing in (inspect.Parameter.empty, None, False))
        cells = (f"`{one.words}`", one.info.help or "", "" if unsaid else f"`{one.default}`")
        table.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    return "\n\n".join([*lines, "\n".join(table)]) + "\n"


def page() -> str:
    """The text of the page."""
    from unwritten.cli.app import app

    functions = [command.callback for command in app.registered_commands if command.callback is not None]
    return HEAD + "".join(f"\n{section(function.__name__, function)}" for function in functions)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
