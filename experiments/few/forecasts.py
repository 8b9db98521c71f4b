"""Forecast and actual accuracy on spanning trees: can a model tell how good it is without a test set?"""

from __future__ import annotations

import numpy as np

import unwritten
from experiments.figures import STYLES, figure
from experiments.result import Result, RunContext
from unwritten.forecast import forecast
from unwritten.samples import trees


def run(context: RunContext) -> Result:
    """Forecast six sizes with several seeds: Inner by Good–Turing, Outer+EQ by held-out folds."""
    result = Result("forecasts", "Forecast and actual accuracy, spanning trees of 7 nodes, in %")
    seeds = range(context.seed, context.seed + context.pick(1, 3))
    queries, truth = trees.sample(7, context.pick(500, 5_000), 10_000 + context.seed)
    within_error, worst = 0, 0.0
    sizes = context.pick((200, 400), (500, 1_000, 2_000, 5_000, 10_000, 20_000))
    for size in sizes:
        rows = []
        for seed in seeds:
            context.say(f"{size} examples, seed {seed}")
            weights, labels = trees.sample(7, size, seed)
            model = unwritten.mine(labels, weights, rules=["equalities"])
            inner = float((model.predict(queries, engine="inner") == truth).all(axis=1).mean())
            few = context.pick(200, 1_000)
            outer = float((model.predict(queries[:few]) == truth[:few]).all(axis=1).mean())
            predicted = forecast(labels, weights, rules=["equalities"])
            rows.append((100 * predicted.inner, 100 * inner, 100 * predicted.outer, 100 * outer, 100 * predicted.error))
            within_error += abs(predicted.outer - outer) <= predicted.error + 1.96 * np.sqrt(outer * (1 - outer) / few)
        mean, spread = np.mean(rows, axis=0), np.std(rows, axis=0)
        case = f"{size:,} examples"
        for k, (model_name, measure) in enumerate(
            (m, w) for m in ("Inner", "Outer+EQ") for w in ("forecast", "actual")
        ):
            result.add(case, model_name, measure, None, float(mean[k]), spread=float(spread[k]))
        result.add(case, "Outer+EQ", "stated error", None, float(mean[4]))
        worst = max(worst, float(abs(mean[0] - mean[1])))
    result.facts |= {
        "worst mean error of Inner": worst,
        "Outer within its error": [int(within_error), len(seeds) * len(sizes)],
    }
    result.notes.append(
        f"Inner's forecast is the share of labels seen again (Good–Turing); its mean over seeds is within {worst:.1f} "
        f"points everywhere. Outer's comes from ten folds; {within_error} of {len(seeds) * len(sizes)} are within the "
        "stated error and that of the test."
    )
    _draw(context, result, [int(size) for size in sizes])
    return result


def _draw(context: RunContext, result: Result, sizes: list[int]) -> None:
    """Draw forecast and actual accuracy against the number of examples."""
    with figure(context, result, "forecasts") as axes:
        for style, name in zip(STYLES, ("Inner", "Outer+EQ"), strict=False):
            forecasts, actual = (
                [result.ours(f"{size:,} examples", name, measure) for size in sizes]
                for measure in ("forecast", "actual")
            )
            error = (
                [result.ours(f"{s:,} examples", name, "stated error") for s in sizes] if name == "Outer+EQ" else None
            )
            axes.errorbar(sizes, forecasts, yerr=error, label=f"{name}, forecast", capsize=3, **style)
            axes.plot(sizes, actual, label=f"{name}, actual", **(style | {"linestyle": "none", "marker": "x"}))
        axes.set(xscale="log", xlabel="examples", ylabel="exact match (%)", ylim=(-3, 103))
        axes.legend(fontsize=8)
