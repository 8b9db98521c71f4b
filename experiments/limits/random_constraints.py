"""CombOptNet's random constraints: hidden inequalities over 16 variables, learned from 1,600 optimal decisions."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter

import numpy as np

import unwritten
from experiments.datasets import random_constraints
from experiments.result import Result, RunContext

ROWS = (1, 2, 4, 8)
#: ILP-Loss (NeurIPS 2022) on dataset 0, after about half an hour each
PUBLISHED = {("binary", 4): 92.8, ("dense", 4): 89.5}


def run(context: RunContext) -> Result:
    """Mine with limits and without, answer the test queries, and count the labels that are wholly right."""
    result = Result("random-constraints", "Test labels that are wholly right, in %: 16 variables, hidden inequalities")
    kinds = context.pick(("binary",), ("binary", "dense"))
    sizes = context.pick((1_600,), (200, 400, 800, 1_600))
    queries = context.pick(200, 1_000)
    for kind in kinds:
        for rows in context.pick((1, 4), ROWS):
            for size in sizes:
                outcomes = []
                for dataset in range(context.pick(1, 5)):
                    context.say(f"{kind}, {rows} rows, {size} examples, dataset {dataset}")
                    outcomes.append(_outcome(context, (kind, rows, dataset), size, queries))
                case = f"{kind}, {rows} rows, {size:,} examples"
                for measure in outcomes[0]:
                    numbers = np.array([outcome[measure] for outcome in outcomes])
                    paper = PUBLISHED.get((kind, rows)) if measure == "limits" and size == 1_600 else None
                    unit = "s" if measure == "seconds" else "right"
                    result.add(case, measure, unit, paper, float(np.median(numbers) if unit == "s" else numbers.mean()))
    result.notes.append("Published: ILP-Loss on dataset 0, half an hour each. Seconds are medians.")
    return result


def _outcome(context: RunContext, case: tuple[str, int, int], size: int, queries: int) -> dict[str, float]:
    """The shares of wholly right labels by the best seen label, the cuts alone, and the limits with the cuts."""
    weights, labels = random_constraints(*case, context.data)
    start = perf_counter()
    model = unwritten.mine(labels[:size], weights[:size], sense="min", progress=False)
    seconds = perf_counter() - start
    asked, truth = weights[1_600 : 1_600 + queries], labels[1_600 : 1_600 + queries]
    outer = unwritten.mine(labels[:size], weights[:size], sense="min", rules=[], progress=False)
    answers = {
        "seen labels": model.decide(asked, engine="inner", progress=False),
        "limits": replace(model, forecast=None).decide(asked, progress=False),
    }
    if case[0] == "binary":  # the cuts alone exclude too little of 11^16 labels to be searched in time
        answers["cuts"] = outer.decide(asked, progress=False)
    shares = {name: 100 * float((answer.labels == truth).all(axis=1).mean()) for name, answer in answers.items()}
    return shares | {"seconds": seconds}
