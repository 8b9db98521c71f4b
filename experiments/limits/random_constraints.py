"""CombOptNet's random constraints: hidden inequalities over 16 variables, learned from 1,600 optimal decisions."""

from __future__ import annotations

from time import perf_counter

import numpy as np

import unwritten
from experiments.datasets import random_constraints
from experiments.result import Result, RunContext

ROWS = (1, 2, 4, 8)
SECONDS, STATED = "s to mine", "rows stated"
COUNTED = (SECONDS, STATED)
#: ILP-Loss (NeurIPS 2022) on dataset 0 with four rows, after about half an hour
PUBLISHED = {4: 92.8}


def run(context: RunContext) -> Result:
    """Mine with limits and without, answer the test queries, and count the labels that are wholly right."""
    result = Result("random-constraints", "Test labels that are wholly right, in %: 16 variables, hidden inequalities")
    sizes = context.pick((800,), (200, 400, 800, 1_600))
    queries = context.pick(200, 1_000)
    for rows in context.pick((1, 4), ROWS):
        for size in sizes:
            outcomes = []
            for dataset in range(context.pick(1, 5)):
                context.say(f"{rows} rows, {size} examples, dataset {dataset}")
                outcomes.append(_outcome(context, (rows, dataset), size, queries))
            case = f"{rows} hidden rows, {size:,} examples"
            for method in outcomes[0]:
                numbers = np.array([outcome[method] for outcome in outcomes])
                paper = PUBLISHED.get(rows) if method == "limits" and size == 1_600 else None
                if method in COUNTED:
                    result.add(case, "limits", method, None, float(np.median(numbers)))
                else:
                    result.add(case, method, "right", paper, float(numbers.mean()))
            result.facts[case] = {method: [outcome[method] for outcome in outcomes] for method in outcomes[0]}
    result.notes.append(
        "0/1 variables, means over datasets 0 to 4; seconds and numbers of rows are medians. The published number is "
        "that of ILP-Loss on dataset 0, after half an hour."
    )
    return result


def _outcome(context: RunContext, case: tuple[int, int], size: int, queries: int) -> dict[str, float]:
    """The shares of wholly right labels by the best seen label, the cuts alone, and the limits with the cuts."""
    weights, labels = random_constraints("binary", *case, context.data)
    asked, truth = weights[1_600 : 1_600 + queries], labels[1_600 : 1_600 + queries]
    outer = unwritten.mine(labels[:size], weights[:size], sense="min", rules=[], progress=False)
    start = perf_counter()
    model = unwritten.mine(labels[:size], weights[:size], sense="min", rules=["limits"], progress=False)
    seconds = perf_counter() - start
    answers = {
        "seen labels": model.decide(asked, engine="inner", progress=False),
        "cuts": outer.decide(asked, progress=False),
        "limits": model.decide(asked, progress=False),
    }
    shares = {name: 100 * float((answer.labels == truth).all(axis=1).mean()) for name, answer in answers.items()}
    return shares | {SECONDS: seconds, STATED: len(model.rules)}
