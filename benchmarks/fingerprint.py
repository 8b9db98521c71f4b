"""Compare the mined rules with stored fingerprints: `python -m benchmarks.fingerprint [--write] [--quick] [NAME …]`.

A fingerprint is a digest of everything that mining decides: the rules of every kind in their order, whatever their
standing, with their evidence to nine digits; the sentences; the cuts' right-hand sides, the seen labels, their counts,
the suspects and the forecast. A change of the code that is not meant to change what is mined must leave every
fingerprint as it is. Data sets are read from the directory in UNWRITTEN_DATA.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import astuple
from pathlib import Path

import numpy as np
import pyarrow as pa

import unwritten
from experiments import datasets
from experiments.families.catalogue import problem_named
from experiments.families.problem import Encoding
from experiments.few.structures import FAMILIES
from unwritten import Model
from unwritten.data import IntArray
from unwritten.facts import SeenTogether
from unwritten.rules import Row, RuleSet
from unwritten.samples import sample_csv, sample_rows, sudoku, tours, trees

PROBLEMS: tuple[tuple[str, Encoding, int], ...] = (
    ("latin_square", "integers", 100),
    ("kenken", "integers", 60),
    ("queens", "integers", 60),
    ("golomb_ruler", "integers", 300),
    ("job_shop", "integers", 300),
    ("nurses", "0/1", 300),
    ("knapsack", "0/1", 400),
    ("exams", "integers", 200),
    ("lot_sizing", "integers", 400),
    ("set_packing", "0/1", 400),
)
STORED = Path(__file__).with_name("fingerprints.json")


def sudoku_labels(n: int, seed: int = 0) -> IntArray:
    """Return the labels of `n` random SATNet grids."""
    grids = datasets.satnet()[1]
    return sudoku.one_hot(grids[np.random.default_rng(seed).choice(len(grids), n, replace=False)])


def sudoku_digits() -> Model:
    """Mine ten grids whose digits are declared interchangeable."""
    digits = [[9 * cell + digit for cell in range(81)] for digit in range(9)]
    return unwritten.mine(sudoku_labels(10), symmetries=unwritten.interchangeable(*digits))


def tree_model(nodes: int, n: int, weighted: bool, **options: object) -> Model:
    """Mine spanning trees of a complete graph, with or without the weights they are optimal for."""
    weights, labels = trees.sample(nodes, n, seed=1)
    return unwritten.mine(labels, weights if weighted else None, **options)  # type: ignore[arg-type]


def imclef(**options: object) -> Model:
    """Mine the label paths of ImCLEF07A."""
    _, labels, names = datasets.imclef("train")
    return unwritten.mine(labels, names=names, **options)  # type: ignore[arg-type]


def noisy_imclef() -> Model:
    """Mine 3,000 label paths of ImCLEF07A with one bit flipped in 2 % of them."""
    _, labels, names = datasets.imclef("train")
    rng = np.random.default_rng(3)
    some = labels[:3000].copy()
    rows = rng.choice(3000, 60, replace=False)
    columns = rng.integers(0, labels.shape[1], 60)
    some[rows, columns] = 1 - some[rows, columns]
    return unwritten.mine(some, names=names, noise=0.02)


def renault(fold: int | None, **options: object) -> Model:
    """Mine car sales as a table, all of them or without one fold."""
    columns, values, folds = datasets.renault()
    rows = values if fold is None else values[folds != fold]
    frame = pa.table(dict(zip(columns, rows.T.tolist(), strict=True)))
    return unwritten.mine(unwritten.Table.of(frame), **options)  # type: ignore[arg-type]


def numbers() -> Model:
    """Mine integer columns that obey two sums."""
    rng = np.random.default_rng(5)
    net, tax, units = rng.integers(0, 90, 400), rng.integers(0, 20, 400), rng.integers(1, 9, 400)
    return unwritten.mine(np.column_stack([net, tax, net + tax, units, 3 * units - net]))


def structure(make: Callable[[int], object], size: int, weighted: bool) -> Model:
    """Mine a problem of one of the families of `unwritten reproduce structures`."""
    problem = make(size)
    weights, labels = problem.sample(300, np.random.default_rng((0, size)))  # type: ignore[attr-defined]
    names = problem.own.variables.names  # type: ignore[attr-defined]
    return unwritten.mine(labels, weights if weighted else None, names=names)


def family(name: str, encoding: Encoding, n: int, **options: object) -> Model:
    """Mine solutions of one of the problems of `unwritten reproduce families`."""
    problem = problem_named(name, 1).encoded(encoding)
    labels = problem.labels(problem.values(n, np.random.default_rng(1)))
    return unwritten.mine(labels, names=problem.label_names, **options)  # type: ignore[arg-type]


def damaged_orders(noise: float | str) -> Model:
    """Mine a table in which 1 % of the rows have another cell."""
    rows, rng = sample_rows("orders"), np.random.default_rng(4)
    for i in rng.choice(len(rows), len(rows) // 100, replace=False).tolist():
        name = str(rng.choice(["country", "status", "gross", "shipped_at"]))
        rows[i] = rows[i] | {name: rows[int(rng.integers(len(rows)))][name]}
    return unwritten.mine(rows, noise=noise)  # type: ignore[arg-type]


def streamed_orders() -> Model:
    """Mine a file in blocks of which only a sample of the distinct rows is kept."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "orders.csv"
        path.write_text(sample_csv("orders", rows=6000), encoding="utf-8")
        return unwritten.mine(path, most_kept=20_000)


CASES: dict[str, Callable[[], Model]] = (
    {
        "sudoku 80": lambda: unwritten.mine(sudoku_labels(80)),
        "sudoku 300": lambda: unwritten.mine(sudoku_labels(300)),
        "sudoku 9000": lambda: unwritten.mine(sudoku_labels(9000)),
        "sudoku 9000, equalities": lambda: unwritten.mine(sudoku_labels(9000), rules=["equalities"]),
        "sudoku 10, interchangeable digits": sudoku_digits,
        "16×16 sudoku 500": lambda: unwritten.mine(sudoku.one_hot(sudoku.large_grids(500, 0))),
        "trees 7, 200 labels": lambda: tree_model(7, 200, False),
        "trees 7, 1000 with weights": lambda: tree_model(7, 1000, True),
        "trees 7, 1000, equalities and ranks": lambda: tree_model(7, 1000, True, rules=["equalities", "ranks"]),
        "trees 10, 500 labels": lambda: tree_model(10, 500, False),
        "trees 10, 500, ranks": lambda: tree_model(10, 500, False, rules=["ranks"]),
        "trees 15, 1000 labels": lambda: tree_model(15, 1000, False),
        "trees 6, node symmetry": lambda: tree_model(6, 100, True, symmetries=unwritten.relabelled(trees.edges(6))),
        "imclef": imclef,
        "imclef, pairs lifted": lambda: imclef(lifts="pairs", rules=["equalities"]),
        "imclef, 2 % noise": noisy_imclef,
        "renault": lambda: renault(None),
        "renault without fold 3": lambda: renault(3),
        "renault, confidence 0.999": lambda: renault(None, confidence=0.999),
        "numbers": numbers,
        "tours with weights": lambda: unwritten.mine(*reversed(tours.sample(300)), names=tours.names()),
        "orders": lambda: unwritten.mine(sample_rows("orders")),
        "shifts": lambda: unwritten.mine(sample_rows("shifts")),
        "sensors": lambda: unwritten.mine(sample_rows("sensors")),
        "orders, 1 % wrong": lambda: damaged_orders(0.02),
        "orders, wrong rows estimated": lambda: damaged_orders("auto"),
        "orders, streamed": streamed_orders,
        "orders, a rule given": lambda: unwritten.mine(sample_rows("orders"), prior=["net ≤ gross"]),
    }
    | {
        f"{name}, {encoding}": (lambda name=name, encoding=encoding, n=n: family(name, encoding, n))  # type: ignore[misc]
        for name, encoding, n in PROBLEMS
    }
    | {
        f"{make.__name__} {size}{', with weights' if weighted else ''}": (
            lambda make=make, size=size, weighted=weighted: structure(make, size, weighted)  # type: ignore[misc]
        )
        for make, sizes in FAMILIES
        for size in sizes
        for weighted in (False, True)
    }
)
QUICK = (
    "sudoku 80",
    "trees 7, 200 labels",
    "trees 7, 1000 with weights",
    "imclef",
    "renault without fold 3",
    "numbers",
    "tours with weights",
    "orders",
    "sensors",
    "orders, 1 % wrong",
    "orders, streamed",
    "latin_square, integers",
    "nurses, 0/1",
)


def fingerprint(model: Model) -> dict[str, object]:
    """Return the number of sentences, and digests of the rules, of their evidence, their words and all the rest."""
    facts = [fact for fact in model.facts if not isinstance(fact, SeenTogether)]
    sets = [model.rules, model.redundant, model.habits, model.doubtful]
    rows = [[sorted(a.items()), sense, b, origin] for part in sets for (a, sense, b), origin in _with_origins(part)]
    others = [
        [[gap.kind, gap.variables, gap.numbers, gap.origin] for gap in model.gaps],
        [[fact.kind, fact.meaning, fact.origin] for fact in facts],
        [[sorted(map(list, each.cells)), each.rows] for each in model.facts if isinstance(each, SeenTogether)],
        None if model.matroid is None else model.matroid.cocircuits.tolist(),
    ]
    evidence = [e for part in sets for e in part.evidence]
    evidence += [each.evidence for each in (*model.gaps, *facts)]
    said = [*model.sentences, *model.habit_sentences, *model.doubtful_sentences]
    rest = hashlib.sha256()
    for array in (model.seen, model.counts, model.suspects, np.round(model.cuts.values, 9)):
        rest.update(np.ascontiguousarray(array).tobytes())
    rest.update(repr((model.total, model.forecast)).encode())
    return {
        "sentences": len(said),
        "rules": _digest([rows, others]),
        "evidence": _digest([None if e is None else [f"{number:.9g}" for number in astuple(e)] for e in evidence]),
        "words": _digest([[s.id, s.text, s.kind, s.support] for s in said]),
        "rest": rest.hexdigest()[:16],
    }


def _with_origins(rules: RuleSet) -> Iterator[tuple[Row, str]]:
    return zip(rules.triples(), rules.origins, strict=True)


def _digest(plain: object) -> str:
    return hashlib.sha256(json.dumps(plain, default=str).encode()).hexdigest()[:16]


def main(arguments: list[str] | None = None) -> int:
    """Mine every case; exit code 1 if a fingerprint differs from the stored one."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fingerprint", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="cases (default: all)")
    parser.add_argument("--quick", action="store_true", help=f"only {', '.join(QUICK)}")
    parser.add_argument("--write", action="store_true", help="store the fingerprints instead of comparing them")
    options = parser.parse_args(arguments)
    stored = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {}
    different = 0
    for name in options.names or (QUICK if options.quick else CASES):
        found = fingerprint(CASES[name]())
        same = stored.get(name) == found
        different += not same
        verdict = "stored" if options.write else "same" if same else f"DIFFERENT, stored {stored.get(name)}"
        parts = " ".join(str(found[part])[:8] for part in ("rules", "evidence", "words", "rest"))
        print(f"{name:<40} {found['sentences']:>5} sentences  {parts}  {verdict}", flush=True)
        if options.write:
            stored[name] = found
    if options.write:
        STORED.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        return 0
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
