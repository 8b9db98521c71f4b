"""The command line, one command per file. The only place that prints."""

from unwritten.cli.app import app, main

__all__ = ["app", "main"]
