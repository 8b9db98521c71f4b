"""`python -m benchmarks [--quick] [NAME …]`: run the tables and print them as Markdown."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from benchmarks import groups, mining, queries, stream, tables, wide
from benchmarks.timing import Table

TABLES: dict[str, Callable[[bool], Table]] = {
    "sudoku": mining.sudoku_labels,
    "mst7": queries.mst7,
    "hmc": queries.hmc,
    "growth": queries.growth,
    "groups": groups.groups,
    "check": tables.check,
    "memory": tables.memory,
    "stream": stream.stream,
    "wide": wide.wide,
}


def main(arguments: list[str] | None = None) -> list[Table]:
    """Run the named tables, all of them by default."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(TABLES)} (default: all)")
    parser.add_argument("--quick", action="store_true", help="small sizes, for a first look")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.names if name not in TABLES]
    if unknown:
        parser.error(f"there is no table {unknown[0]!r}: use {', '.join(TABLES)}")
    done = []
    for name in options.names or TABLES:
        table = TABLES[name](options.quick)
        print(table, flush=True)
        done.append(table)
    return done


if __name__ == "__main__":
    main()
