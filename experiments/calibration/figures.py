"""The two figures of the calibration: false rules by law, and stated against observed confidence."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.stats import beta

from experiments.calibration.law_runs import ALL_LAWS
from experiments.calibration.laws import DEPENDENT_ROWS
from experiments.figures import STYLES, figure
from experiments.result import Result, RunContext
from unwritten.data import FloatArray

PROMISE = 5.0  # percent of the runs
ENOUGH = 10  # rules in a bin that is drawn
POINTS: dict[str, Any] = {"linestyle": "", "clip_on": False}
LOOKS: tuple[dict[str, Any], ...] = ({"color": "#7fa6c2"}, {"color": "white", "hatch": "////"})


def laws(context: RunContext, result: Result, models: tuple[str, ...], measure: str) -> None:
    """Draw the share of runs with a bad rule, for each law."""
    names = list(ALL_LAWS)
    with figure(context, result, "calibration-laws") as axes:
        for i, (model, look) in enumerate(zip(models, LOOKS, strict=True)):
            shares = [result.ours(name, model, measure) for name in names]
            places = np.arange(len(names)) + (i - 0.5) * 0.36
            axes.barh(places, shares, 0.36, label=model, edgecolor="black", linewidth=0.6, zorder=2, **look)
        axes.axvline(PROMISE, color="black", linestyle="--", linewidth=0.8, label=f"{PROMISE:g} %")
        labels = [f"{name} *" if name in DEPENDENT_ROWS else name for name in names]
        axes.set_yticks(range(len(names)), labels, fontsize=7)
        axes.invert_yaxis()
        axes.set_xlim(left=0)
        axes.set_xlabel("runs with a rule that over 1 % of fresh labels break (%)", fontsize=8)
        axes.grid(axis="y", visible=False)
        axes.legend(fontsize=7, loc="lower right", frameon=True)


def reliability(context: RunContext, result: Result, cases: tuple[str, ...], asides: tuple[str, ...]) -> None:
    """Draw the observed share of rules that hold beside the stated confidence, with exact binomial intervals."""
    with figure(context, result, "calibration-reliability", columns=len(cases)) as panels:
        for panel, case, aside in zip(panels, cases, asides, strict=True):
            bins = _drawn_bins(result, case)
            panel.set_title(case)
            if not bins:
                panel.text(0.5, 0.5, "too few rules", ha="center")
                continue
            places: FloatArray = np.arange(len(bins), dtype=float)
            stated = [100 * each["stated"] for each in bins]
            panel.plot(places, stated, label="stated", **(POINTS | {"color": "black", "marker": "_", "markersize": 22}))
            _observed(panel, bins, places - 0.1, "observed, 95 % interval", STYLES[0])
            alike = [100 * each["observed_by_source"] for each in bins]
            panel.plot(places, alike, label="each source alike", **(STYLES[2] | POINTS))
            lows = [each["low"] for each in bins]
            others = [each for each in _drawn_bins(result, aside) if each["low"] in lows]
            at = np.array([lows.index(each["low"]) for each in others], float)
            _observed(panel, others, at + 0.1, aside, STYLES[1])
            names = [f"{each['low']:g} – {each['high']:g}\n{each['rules']:,} rules" for each in bins]
            panel.set_xticks(places, names, fontsize=7)
            panel.set(xlim=(-0.5, len(bins) - 0.5), ylabel="rules that no fresh label breaks (%)")
            panel.set_xlabel("stated confidence")
            panel.legend(fontsize=7, loc="lower right")


def _drawn_bins(result: Result, case: str) -> list[dict[str, Any]]:
    """The bins of confidence that was asked for, and that have rules enough."""
    bins: list[dict[str, Any]] = result.facts[case]["bins"]
    return [each for each in bins if each["low"] > 0 and each["rules"] >= ENOUGH]


def _observed(panel: Any, bins: list[dict[str, Any]], places: FloatArray, label: str, style: dict[str, Any]) -> None:
    """Draw the observed shares of some bins."""
    if bins:
        rules = np.array([each["rules"] for each in bins])
        held = np.array([round(each["observed"] * each["rules"]) for each in bins])
        low = np.where(held > 0, beta.ppf(0.025, np.maximum(held, 1), rules - held + 1), 0)
        high = np.where(held < rules, beta.ppf(0.975, held + 1, np.maximum(rules - held, 1)), 1)
        ends = 100 * np.abs(np.array([low, high]) - held / rules)
        panel.errorbar(places, 100 * held / rules, yerr=ends, capsize=3, label=label, **(style | POINTS))
