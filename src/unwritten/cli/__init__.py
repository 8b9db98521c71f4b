"""The command line, one command per file. The only place that prints."""

from __future__ import annotations

from unwritten.cli.supervised import supervised
from unwritten.lazy_names import TYPE_CHECKING, load_lazily

if TYPE_CHECKING:
    from unwritten.cli.app import app

__all__ = ["app", "main"]

load_lazily("unwritten.cli", {"app": "unwritten.cli.app"})


def main() -> None:
    """Run the command line, and end the process; Ctrl-C and a request to end stop it at once, whatever it does."""

    def command() -> None:
        from unwritten.cli.app import main

        main()

    supervised(command)
