"""The two figures of the calibration: false rules by law, and stated against observed confidence."""

from __future__ import annotations

import numpy as np
from scipy.stats import beta

from experiments.calibration.laws import DEPENDENT_ROWS, LAWS
from experiments.figures import STYLES, figure
from experiments.result import Result, RunContext

PROMISE = 5.0  # percent of the runs
ENOUGH = 10  # rules in a bin that is drawn
LOOKS = ({"color": "#7fa6c2"}, {"color": "white", "hatch": "////"})


def laws(context: RunContext, result: Result, models: tuple[str, ...], measure: str) -> None:
    """Draw the share of runs with a bad rule, for each law."""
    names = list(LAWS)
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
        axes.legend(fontsize=7, loc="lower center", bbox_to_anchor=(0.4, 1.0), ncols=3)


def reliability(context: RunContext, result: Result, cases: tuple[str, ...]) -> None:
    """Draw the observed share of rules that hold against the stated confidence, with exact binomial intervals."""
    with figure(context, result, "calibration-reliability", columns=len(cases)) as panels:
        for panel, case in zip(np.atleast_1d(panels), cases, strict=True):
            bins = [each for each in result.facts[case]["bins"] if each["low"] > 0 and each["rules"] >= ENOUGH]
            places = np.arange(len(bins))
            stated, observed, alike = (
                np.array([100 * each[key] for each in bins]) for key in ("stated", "observed", "observed_by_source")
            )
            held = np.array([round(each["observed"] * each["rules"]) for each in bins])
            rules = np.array([each["rules"] for each in bins])
            low = np.where(held > 0, beta.ppf(0.025, np.maximum(held, 1), rules - held + 1), 0)
            high = np.where(held < rules, beta.ppf(0.975, held + 1, np.maximum(rules - held, 1)), 1)
            ends = np.abs(100 * np.array([low, high]) - observed)
            panel.errorbar(
                places,
                observed,
                yerr=ends,
                capsize=3,
                label="observed, 95 % interval",
                **(STYLES[0] | {"linestyle": ""}),
            )
            panel.plot(places + 0.12, alike, label="observed, each source alike", **(STYLES[2] | {"linestyle": ""}))
            panel.plot(
                places, stated, label="stated", **(STYLES[1] | {"marker": "_", "markersize": 18, "linestyle": ""})
            )
            names = [f"{each['low']:g} – {each['high']:g}\n{each['rules']:,} rules" for each in bins]
            panel.set_xticks(places, names, fontsize=7)
            panel.set(xlim=(-0.5, max(len(bins), 1) - 0.5), ylabel="rules that no fresh label breaks (%)", title=case)
            panel.set_ylim(top=100.4)
            panel.set_xlabel("stated confidence")
            panel.legend(fontsize=7, loc="lower left")
