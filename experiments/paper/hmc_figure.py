"""The figure of hierarchical classification: the exact match (EM) of every method on every base network."""

from __future__ import annotations

from typing import Any

import numpy as np

from experiments.figures import STYLES, figure
from experiments.paper.hmc_scores import BaseOutcome
from experiments.result import Result, RunContext
from unwritten.data import FloatArray

#: three methods give the same answers, so hollow markers of different sizes are used: all stay visible
LOOKS: dict[str, dict[str, Any]] = {
    "Baseline": STYLES[0] | {"linestyle": ":", "marker": ".", "color": "0.4"},
    "Outer": STYLES[1] | {"markersize": 4},
    "Inner": STYLES[0] | {"markersize": 9, "markerfacecolor": "none"},
    "Outer+EQ": STYLES[2] | {"linestyle": "none", "marker": "s", "markersize": 5.5, "markerfacecolor": "none"},
    "Outer+Latent": STYLES[4] | {"linestyle": "none", "marker": "x", "markersize": 4},
}
BAR = {"color": STYLES[1]["color"], "capsize": 2.5, "elinewidth": 0.9}


def draw_outcomes(context: RunContext, result: Result, outcomes: list[BaseOutcome]) -> None:
    """Draw the EM of every method: against the EM of the base model, and for the base models from worst to best."""
    ordered = sorted(outcomes, key=lambda outcome: (outcome.scores["Baseline"].em, outcome.scores["Inner"].em))
    base = [outcome.scores["Baseline"].em for outcome in ordered]
    with figure(context, result, "hmc", columns=2) as (against, sorted_):
        _curves(against, np.array(base), ordered, joined=False)
        _curves(sorted_, np.arange(1.0, len(ordered) + 1), ordered, joined=True)
        against.axline((0, 0), slope=1, zorder=1, **{**LOOKS["Baseline"], "marker": "none"})
        detailed = [k for k, outcome in enumerate(ordered) if outcome.base in result.facts["detailed base models"]]
        for k in detailed:
            label = "in the table" if k == detailed[0] else None
            against.axvspan(base[k] - 1, base[k] + 1, color="0.88", linewidth=0, zorder=0, label=label)
            sorted_.axvspan(k + 0.6, k + 1.4, color="0.88", linewidth=0, zorder=0)
        against.set(xlabel="EM of the base model (%)", ylabel="test EM (%)", xlim=(-3, 80), ylim=(-3, 100))
        sorted_.set(xlabel="base models, worst to best", ylabel="test EM (%)", ylim=(-3, 100))
        white = {"frameon": True, "framealpha": 1, "edgecolor": "none"}
        against.legend(loc="lower right", fontsize=8, **white)
        handles, labels = sorted_.get_legend_handles_labels()
        bars = [k for k, label in enumerate(labels) if "undecided" in label]
        if bars:
            sorted_.legend(
                [handles[k] for k in bars], [labels[k] for k in bars], loc="lower right", fontsize=8, **white
            )
        sorted_.xaxis.get_major_locator().set_params(integer=True)


def _curves(axes: Any, places: FloatArray, ordered: list[BaseOutcome], joined: bool) -> None:
    """Draw one series per method; a bar replaces the marker if undecided queries leave more than one point open."""
    for method, look in LOOKS.items():
        scores = [outcome.scores[method] for outcome in ordered]
        known = np.array([score.at_most - score.em < 1 for score in scores])
        em = np.array([score.em for score in scores])
        axes.plot(
            places, np.where(known, em, np.nan), label=method, **(look if joined else look | {"linestyle": "none"})
        )
        if joined and not known.all():
            low, high = em[~known], np.array([score.at_most for score in scores])[~known]
            middle = (low + high) / 2
            axes.errorbar(
                places[~known], middle, yerr=(high - low) / 2, label=f"{method}, undecided", fmt="none", **BAR
            )
