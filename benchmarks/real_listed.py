"""Rules that a person sees in public tables: whether each of them is found by default, in the whole table.

`python -m benchmarks.real_listed` fetches the tables as `benchmarks.real_tables` does, mines all rows and columns of
each without any option, and prints one line for each rule. `--out DIR` writes the numbers for `docs/results.py`.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np
import pandas as pd

import unwritten
from benchmarks.real.datasets import BY_NAME
from benchmarks.real.environment import SCRATCH, Scratch
from experiments.result import Result, RunContext
from unwritten.facts import Dependency

INVOICES = "invoices"
INVOICE_ROWS = 400


@dataclass(frozen=True)
class Listed:
    """A rule in a person's words, and the form of the sentence that says it."""

    table: str
    words: str
    sentence: str

    @property
    def determined(self) -> bool:
        """True if one column determines another: then all of its values must have been learned."""
        return "determine" in self.sentence


LISTED = (
    Listed("midwest", "the parts of the population are all of it", r"poptotal = popwhite \+ popblack \+ .* popother"),
    Listed("ames", "the floors are the area", r"area = X1st\.Flr\.SF \+ X2nd\.Flr\.SF \+ Low\.Qual\.Fin\.SF"),
    Listed("flights", "scheduled time is hour and minute", r"sched_dep_time = 100·hour \+ minute"),
    Listed(INVOICES, "gross is net and tax, beside two dates", r"gross = net \+ tax"),
    Listed("cgd", "an interval starts before it stops", r"tstart < tstop"),
    Listed("heart", "an interval starts before it stops", r"start < stop"),
    Listed("prothr", "an interval does not stop before it starts", r"Tstart ≤ Tstop"),
    Listed("baseball", "no more hits than times at bat", r"h ≤ ab"),
    Listed("sp500", "the day's low is at most its opening", r"low ≤ open"),
    Listed("sp500", "the closing is at most the day's high", r"close ≤ high"),
    Listed("weather", "the dew point is at most the temperature", r"dewp ≤ temp"),
    Listed("senators", "a term does not end before it starts", r"start_date ≤ end_date"),
    Listed("polls", "a poll does not end before it starts", r"startdate ≤ enddate"),
    Listed("storms", "a depression's wind is at most 30", r'status = "tropical depression" requires wind ≤ 3[0-4]'),
    Listed("storms", "category 1 by the wind", r"category = 1 (requires|exactly when) wind from 6[1-4] to 8[0-4]"),
    Listed("storms", "category 4 by the wind", r"category = 4 (requires|exactly when) wind from 11[1-5] to 13[5-9]"),
    Listed("storms", "category 5 by the wind", r"category = 5 (requires|exactly when) wind ≥ 13[6-9]"),
    Listed("movielens", "a film has one title", r"movieId determines title"),
    Listed("pizzaplace", "name and size of a pizza have one price", r"name and size determine price"),
    Listed("cgd", "a patient has one treatment", r"id determines treat"),
    Listed("prothr", "a patient has one treatment", r"id determines treat"),
    Listed("birds", "each airline has one code", r"opid and operator determine each other"),
)


def invoices(seed: int) -> pd.DataFrame:
    """Generate invoices with two dates that have nothing to do with each other or with the amounts."""
    rng = np.random.default_rng(seed)
    net, tax = rng.integers(100, 90_000, INVOICE_ROWS), rng.integers(0, 9_000, INVOICE_ROWS)
    days = rng.integers(0, 700, (2, INVOICE_ROWS)).astype("timedelta64[D]") + np.datetime64("2024-01-01")
    amounts = {"net": net / 100, "tax": tax / 100, "gross": (net + tax) / 100}
    return pd.DataFrame({"billed": days[0], **amounts, "seen": days[1]})


def found(path: Path) -> tuple[dict[str, float | None], unwritten.Model]:
    """Mine a table by default; return its sentences with their confidence, and the model."""
    model = unwritten.mine(str(path))
    return {sentence.text: sentence.confidence for sentence in model.sentences}, model


def values_learned(rule: Listed, model: unwritten.Model, path: Path) -> tuple[int, int]:
    """Return how many left values of a dependency the model knows, and how many the table has."""
    fact = next(f for f in model.facts if isinstance(f, Dependency) and f.words(model.schema) in _said(rule, model))
    table = pd.read_csv(path, dtype=str, keep_default_na=False, usecols=list(fact.left))
    return len(fact.mapping), len(table.drop_duplicates())


def _said(rule: Listed, model: unwritten.Model) -> list[str]:
    return [s.text for s in model.sentences if re.fullmatch(rule.sentence, s.text)]


def main(arguments: list[str] | None = None) -> Result:
    """Mine the tables and print a line for each rule."""
    names = list(dict.fromkeys(rule.table for rule in LISTED))
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.real_listed", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("names", nargs="*", metavar="TABLE", help=f"tables to try (default: all): {', '.join(names)}")
    parser.add_argument("--scratch", type=Path, default=SCRATCH, help="where the environment and the tables are kept")
    parser.add_argument("--out", type=Path, help="also write the numbers for docs/results.py to this folder")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the generated table")
    options = parser.parse_args(arguments)
    if unknown := [name for name in options.names if name not in names]:
        parser.error(f"there is no {unknown[0]!r}: use {', '.join(names)}")
    chosen = options.names or names
    scratch = Scratch(options.scratch)
    if public := [BY_NAME[name] for name in chosen if name != INVOICES]:
        scratch.prepare(public)
    result = Result("real-listed", "Rules a person sees", facts={"command": "python -m benchmarks.real_listed"})
    with tempfile.TemporaryDirectory() as place:
        invoices(options.seed).to_csv(Path(place) / f"{INVOICES}.csv", index=False)
        for name in chosen:
            path = Path(place) / f"{name}.csv" if name == INVOICES else scratch.csv_file(name)
            started = perf_counter()
            sentences, model = found(path)
            seconds = perf_counter() - started
            for rule in (each for each in LISTED if each.table == name):
                said = _said(rule, model)
                learned = values_learned(rule, model, path) if said and rule.determined else None
                shown = said[0] if said else f"not found: {rule.words}"
                result.add(name, shown, "found", None, bool(said))
                if said:
                    result.add(name, shown, "sure (%)", None, 100 * (sentences[said[0]] or 0.0))
                if learned:
                    result.add(name, shown, "values known (%)", None, 100 * learned[0] / learned[1])
                known = f" ({learned[0]:,} of {learned[1]:,} values known)" if learned else ""
                print(f"{name:12}{seconds:6.1f} s  {shown}{known}", flush=True)
    rows = [row for row in result.rows if row.measure == "found"]
    result.notes.append(f"{sum(int(row.ours) for row in rows)} of {len(rows)} rules found")
    print(result.notes[-1])
    if options.out:
        result.save(RunContext(options.out / result.name, seed=options.seed))
    return result


if __name__ == "__main__":
    main()
