"""The engine that is chosen by default against the paper's way: all rows in one MILP, on the same open solver."""

from __future__ import annotations

from time import perf_counter

import numpy as np

import unwritten
from benchmarks.timing import MarkdownTable
from experiments import hierarchy
from unwritten.data import FloatArray, IntArray
from unwritten.samples import trees


def compare(
    table: MarkdownTable, case: str, model: unwritten.Model, weights: FloatArray, truth: IntArray, reference: int
) -> None:
    """Time `engine="auto"` on all queries and one MILP of all rows on the first few; both must have the same values.

    `truth` are the best labels of the true feasible set: a proven decision must attain their value.
    """
    model.decide(weights[:1])  # compiles once; what else the first query costs is shown as set-up
    start = perf_counter()
    fresh = unwritten.Model(**{name: getattr(model, name) for name in model.__dataclass_fields__})
    fresh.decide(weights[:1])
    setup = perf_counter() - start
    start = perf_counter()
    chosen = fresh.decide(weights)
    ours = (perf_counter() - start) / len(weights)
    fresh.decide(weights[:1], engine="monolithic")  # loads the rows
    start = perf_counter()
    slow = fresh.decide(weights[:reference], engine="monolithic")
    theirs = (perf_counter() - start) / reference
    true_values = np.einsum("ij,ij->i", weights, truth.astype(float))
    wrong = int((chosen.proven & (np.abs(chosen.values - true_values) > 1e-9)).sum())
    engines, counts = np.unique(chosen.engine.astype(str), return_counts=True)
    table.add(
        case=case,
        cuts=len(model.cuts),
        engine=", ".join(f"{e} {c}" for e, c in zip(engines, counts, strict=True)),
        set_up_s=setup,
        ms_per_query=1000 * ours,
        monolithic_ms=1000 * theirs,
        ratio=theirs / ours,
        same_values=f"{int((np.abs(slow.values - chosen.values[:reference]) < 1e-9).sum())} of {reference}",
        exact_match=f"{100 * (chosen.labels == truth).all(axis=1).mean():.1f} %",
        proven=f"{100 * chosen.proven.mean():.1f} %",
        proven_but_wrong=wrong,
    )


def mst7(quick: bool) -> MarkdownTable:
    """Queries on spanning trees of 7 nodes, with and without mined equalities, against one MILP."""
    examples, queries, reference = (2_000, 50, 2) if quick else (20_000, 500, 20)
    weights, labels = trees.sample(7, examples, seed=0)
    tests, truth = trees.sample(7, queries, seed=1)
    table = MarkdownTable(f"MST-7, {examples:,} examples, {queries} queries, {reference} of them also monolithic")
    for case, rules in (("Outer+EQ", ["equalities"]), ("Outer", [])):
        compare(table, case, unwritten.mine(labels, weights, rules=rules), tests, truth, reference)
    if not quick:
        model = unwritten.mine(labels, weights, rules=["equalities"])
        listed, chosen = model.decide(tests, engine="explicit"), model.decide(tests)
        same = int((np.abs(listed.values - chosen.values) < 1e-9).sum())
        table.notes.append(f"The explicit set of Outer+EQ gives the same value on {same} of {queries} queries.")
        by_data = model.decide(tests, proof="data")
        share = 100 * np.mean([kind == "data" for kind in by_data.proof])
        table.notes.append(f'With proof="data", {share:.1f} % are proven by the data alone.')
    return table


def growth(quick: bool) -> MarkdownTable:
    """Queries on spanning trees of larger graphs, with mined equalities, against one MILP."""
    examples, queries = (1_000, 10) if quick else (20_000, 100)
    table = MarkdownTable(f"Growth: Outer+EQ, {examples:,} examples, {queries} queries, 1 of them also monolithic")
    for nodes in (8, 9) if quick else (8, 10, 12, 15, 20, 25, 30):
        weights, labels = trees.sample(nodes, examples, seed=0)
        tests, truth = trees.sample(nodes, queries, seed=1)
        case = f"{nodes} nodes, d = {labels.shape[1]}"
        compare(table, case, unwritten.mine(labels, weights, rules=["equalities"]), tests, truth, 1)
    return table


def hmc(quick: bool) -> MarkdownTable:
    """Queries on label paths of a hierarchy, with noisy scores and computed slack, against one MILP."""
    examples, queries, reference = (1_000, 50, 2) if quick else (10_000, 1_000, 10)
    weights, labels = hierarchy.sample(examples, seed=0)
    tests, _ = hierarchy.sample(queries, seed=1)
    paths = hierarchy.paths(seed=0)
    truth = paths[(tests @ paths.T).argmax(axis=1)]
    table = MarkdownTable(
        f"HMC-shaped, 96 labels, {examples:,} examples, {queries} queries, {reference} of them also monolithic"
    )
    for case, rules in (("Outer+EQ", ["equalities"]), ("Outer", [])):
        if case == "Outer" and quick:
            continue
        compare(table, case, unwritten.mine(labels, weights, rules=rules), tests, truth, reference)
    return table
