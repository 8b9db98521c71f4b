"""Measure the library and print the results as Markdown tables: `python -m benchmarks [--quick] [NAME …]`."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from benchmarks import groups, limits, losses, mining, native, queries, related, scorers, stream, tables, wide
from benchmarks.timing import MarkdownTable

TABLES: dict[str, Callable[[bool], MarkdownTable]] = {
    "sudoku": mining.sudoku_labels,
    "mst7": queries.mst7,
    "hmc": queries.hmc,
    "growth": queries.growth,
    "groups": groups.groups,
    "limits": limits.limits,
    "check": tables.check,
    "memory": tables.memory,
    "stream": stream.stream,
    "wide": wide.wide,
    "native": native.native,
    "scorers": scorers.scorers,
    "losses": losses.losses,
    "related": related.related,
    "forests": related.forests,
}


def main(arguments: list[str] | None = None) -> list[MarkdownTable]:
    """Run the named measurements, or all of them, and print each as soon as it is done."""
    descriptions = "\n".join(f"  {name:<8} {(run.__doc__ or '').splitlines()[0]}" for name, run in TABLES.items())
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measure the library and print the results as Markdown tables.",
        epilog=f"measurements:\n{descriptions}\n\nexample: python -m benchmarks --quick sudoku mst7",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="the measurements to run (default: all)")
    parser.add_argument("--quick", action="store_true", help="use small sizes, for a first look")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.names if name not in TABLES]
    if unknown:
        parser.error(f"there is no measurement {unknown[0]!r}: use {', '.join(TABLES)}")
    finished = []
    for name in options.names or TABLES:
        table = TABLES[name](options.quick)
        print(table, flush=True)
        finished.append(table)
    return finished


if __name__ == "__main__":
    main()
