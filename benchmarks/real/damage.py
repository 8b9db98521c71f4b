"""Split a table, and damage one cell in each of a few held-out rows, in three ways."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.real.datasets import Row

DAMAGED = 200  # rows, or all held-out rows of a smaller table
HELD_OUT = 0.3
TRIES = 50
NEGLIGIBLE = 1e-6
WAYS = ("swap", "typo", "shift")
LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Cells:
    """The cells of a table as texts, and the columns that hold nothing but numbers as numbers."""

    texts: pd.DataFrame
    numbers: dict[str, np.ndarray]

    @classmethod
    def of(cls, texts: pd.DataFrame) -> Cells:
        """Tell the columns of numbers."""
        numbers = {}
        for name in texts:
            present = texts[name] != ""
            values = pd.to_numeric(texts[name].where(present), errors="coerce")
            if present.any() and values[present].notna().all():
                numbers[str(name)] = values.to_numpy(float)
        return cls(texts, numbers)

    def written(self, column: str, value: float) -> str:
        """Return a number in the way the column writes its numbers."""
        texts = self.texts[column].to_numpy()[:1000]
        decimals = max((len(text.partition(".")[2]) for text in texts), default=0)
        return f"{value:.{decimals}f}"


def prepared(source: Path, folder: Path, rows: tuple[Row, ...], seed: int) -> dict[str, list[int]]:
    """Write the training rows, the held-out rows and their damaged copies; return the damaged places by way."""
    texts = pd.read_csv(source, dtype=str, keep_default_na=False, na_values=[])
    rng = np.random.default_rng([seed, *source.stem.encode()])
    is_held = np.zeros(len(texts), bool)
    is_held[rng.permutation(len(texts))[: round(HELD_OUT * len(texts))]] = True
    held = texts[is_held].reset_index(drop=True)
    whole, cells = Cells.of(texts), Cells.of(held)
    _require_true(rows, whole, source.stem)
    folder.mkdir(parents=True, exist_ok=True)
    texts[~is_held].to_csv(folder / "train.csv", index=False)
    held.to_csv(folder / "held-out.csv", index=False)
    places: dict[str, list[int]] = {}
    for way in WAYS:
        chosen = rng.permutation(len(held)).tolist()
        changes: dict[int, tuple[str, str]] = {}
        for row in chosen:
            if len(changes) == min(DAMAGED, len(held)):
                break
            change = _change(way, row, cells, whole, rows, rng)
            if change is not None:
                changes[row] = change
        damaged = held.copy()
        for row, (column, text) in changes.items():
            damaged.iat[row, damaged.columns.get_loc(column)] = text
        damaged.to_csv(folder / f"{way}.csv", index=False)
        places[way] = sorted(changes)
    return places


def _require_true(rows: tuple[Row, ...], whole: Cells, name: str) -> None:
    """Raise if a declared sum or order does not hold on every row of the table."""
    for coefficients, sense in rows:
        sums = np.sum([weight * whole.numbers[column] for column, weight in coefficients.items()], axis=0)
        sums = sums[~np.isnan(sums)]
        if not ((np.abs(sums) <= NEGLIGIBLE) if sense == "==" else (sums <= NEGLIGIBLE)).all():
            raise ValueError(f"{name} breaks {coefficients} {sense} 0, which `datasets.py` declares")


def _change(
    way: str, row: int, cells: Cells, whole: Cells, rows: tuple[Row, ...], rng: np.random.Generator
) -> tuple[str, str] | None:
    """Return a column and its new text for one row, or None if this row cannot be damaged so."""
    if way == "swap":
        return _swapped(row, cells, rng)
    if way == "typo":
        return _mistyped(row, cells, whole, rng)
    return _shifted(row, cells, whole, rows, rng) if rows else None


def _swapped(row: int, cells: Cells, rng: np.random.Generator) -> tuple[str, str] | None:
    """Replace a cell by that of another row which differs."""
    for _ in range(TRIES):
        column = str(rng.choice(cells.texts.columns))
        other = str(cells.texts[column].iat[int(rng.integers(len(cells.texts)))])
        if other != cells.texts[column].iat[row]:
            return column, other
    return None


def _mistyped(row: int, cells: Cells, whole: Cells, rng: np.random.Generator) -> tuple[str, str] | None:
    """Mistype a cell so that no row has its new text; a number gets a letter, or leaves its range."""
    names = [name for name in cells.texts if cells.texts[name].iat[row] != ""]
    for _ in range(TRIES if names else 0):
        column = str(rng.choice(names))
        text = str(cells.texts[column].iat[row])
        if column in whole.numbers and rng.random() < 0.5:
            values = whole.numbers[column][~np.isnan(whole.numbers[column])]
            spread = max(float(values.max() - values.min()), 1.0)
            beyond = rng.uniform(0.1, 10) * spread
            new = whole.written(column, values.max() + beyond if rng.random() < 0.5 else values.min() - beyond)
        elif column in whole.numbers:
            k = int(rng.integers(len(text)))
            new = text[:k] + LETTERS[int(rng.integers(len(LETTERS)))] + text[k + 1 :]
        else:
            new = _with_typo(text, rng)
        if not (whole.texts[column] == new).any():
            return column, new
    return None


def _with_typo(text: str, rng: np.random.Generator) -> str:
    """Drop, double, swap or replace one character, as fingers do."""
    k, letter = int(rng.integers(len(text))), LETTERS[int(rng.integers(len(LETTERS)))]
    return [
        text[:k] + text[k + 1 :],
        text[: k + 1] + text[k:],
        text[:k] + text[k + 1 : k + 2] + text[k : k + 1] + text[k + 2 :],
        text[:k] + letter + text[k + 1 :],
    ][int(rng.integers(4))]


def _shifted(
    row: int, cells: Cells, whole: Cells, rows: tuple[Row, ...], rng: np.random.Generator
) -> tuple[str, str] | None:
    """Shift one field of a sum or order so that it no longer holds, within the range of the field where possible."""
    coefficients, sense = rows[int(rng.integers(len(rows)))]
    values = {name: cells.numbers[name][row] for name in coefficients}
    if any(np.isnan(value) for value in values.values()):
        return None
    column = str(rng.choice(list(coefficients)))
    known = whole.numbers[column][~np.isnan(whole.numbers[column])]
    low, high = float(known.min()), float(known.max())
    for attempt in range(TRIES):
        step = float(rng.choice(known) - rng.choice(known))
        text = whole.written(column, values[column] + step)
        value = float(text)
        sums = sum(coefficients[name] * (value if name == column else values[name]) for name in coefficients)
        breaks = abs(sums) > NEGLIGIBLE if sense == "==" else sums > NEGLIGIBLE
        if breaks and (low <= value <= high or attempt > TRIES // 2):
            return column, text
    return None
