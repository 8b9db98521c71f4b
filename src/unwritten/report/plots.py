"""Plots: how strong the evidence is, how many rows each rule is about, and how often rows repeat."""

from __future__ import annotations

from math import log10
from typing import TYPE_CHECKING

import numpy as np

from unwritten.counted import counted
from unwritten.report.axes import BOTTOM, HEIGHT, LEFT, RIGHT, WIDTH, PlotAxis, across, percent, plot, up
from unwritten.report.fields import noun_of
from unwritten.report.page_text import power_of_ten
from unwritten.report.rule_families import family_of

if TYPE_CHECKING:
    from unwritten.model import Model

MOST_BARS = 240  # of more rules, an even selection is drawn
BINS = 20
MOST_POINTS = 300
MOST_DOTS = 60  # points that are drawn as dots too


def plots(model: Model) -> str:
    """Return the figures that the model has data for."""
    noun = noun_of(model)
    return "".join((_strength(model), _support(model, noun), _repeats(model, noun)))


def _strength(model: Model) -> str:
    """Return bars of all rules, the strongest first; the height is the power of ten in the odds against chance."""
    strengths = [(s.evidence.nats / np.log(10), s.kind) for s in model.sentences if s.evidence is not None]
    if not strengths:
        return ""
    strengths.sort(key=lambda pair: -pair[0])
    number, weak = len(strengths), sum(1 for power, _ in strengths if power < 1)
    bars = [strengths[k] for k in np.unique(np.linspace(0, number - 1, min(number, MOST_BARS)).astype(int))]
    x = PlotAxis("rules, the strongest first", 0, number)
    y = PlotAxis("powers of ten against chance", 0, max(1.0, bars[0][0]))
    step = (WIDTH - LEFT - RIGHT) / len(bars)
    floor_y = HEIGHT - BOTTOM
    marks = "".join(
        f'<rect class="bar k-{family_of(kind)}" x="{LEFT + k * step:.2f}" width="{max(0.5, step - 0.6):.2f}" '
        f'y="{(top := up(y, max(0.0, power))):.1f}" height="{max(0.8, floor_y - top):.1f}"/>'
        for k, (power, kind) in enumerate(bars)
    )
    median = strengths[number // 2][0]
    caption = f"For half of the rules the odds against an accident are at least {power_of_ten(median)} to 1."
    if weak:
        caption += (
            f" {counted(weak, 'rule')} could be {'an accident' if weak == 1 else 'accidents'} if judged alone, and "
            f"{'is' if weak == 1 else 'are'} kept together with others or because a person gave "
            f"{'it' if weak == 1 else 'them'}."
        )
    return plot("How strong the evidence is", x, y, marks, caption)


def _support(model: Model, noun: str) -> str:
    """Return a histogram of the rules by the share of rows that they are about."""
    total = int(model.counts.sum())
    if not model.sentences or not total:
        return ""
    shares = np.clip([s.support / total for s in model.sentences], 0.0, 1.0)
    number, _ = np.histogram(shares, BINS, (0.0, 1.0))
    x = PlotAxis(f"share of {noun}s that the rule is about", 0, 1, form=percent)
    y = PlotAxis("rules", 0, float(max(2, number.max())))
    floor_y = HEIGHT - BOTTOM
    step = (WIDTH - LEFT - RIGHT) / BINS
    marks = "".join(
        f'<rect class="bar" x="{LEFT + k * step + 0.8:.1f}" width="{step - 1.6:.1f}" y="{up(y, float(n)):.1f}" '
        f'height="{floor_y - up(y, float(n)):.1f}"><title>'
        f"{percent(k / BINS)} to {percent((k + 1) / BINS)}: {n}</title></rect>"
        for k, n in enumerate(number.tolist())
        if n
    )
    rare = int((shares < 0.05).sum())
    everywhere = int((shares >= 1).sum())
    verb = "is" if everywhere == 1 else "are"
    caption = f"{counted(everywhere, 'rule')} {verb} about every {noun}, {rare:,} about fewer than 5 % of them."
    return plot(f"How many {noun}s the rules are about", x, y, marks, caption)


def _repeats(model: Model, noun: str) -> str:
    """Return the frequency of the distinct rows against their rank, both on logarithmic axes."""
    counts = np.sort(model.counts)[::-1]
    if not len(counts):
        return ""
    n = len(counts)
    ranks = np.unique(np.geomspace(1, n, min(n, MOST_POINTS)).astype(int))
    x = PlotAxis(f"distinct {noun}s, the most frequent first", 1, float(max(10, n)), log=True)
    y = PlotAxis("times seen", 1, 10 ** max(1.0, log10(float(counts[0])) * 1.02), log=True)
    points = [(across(x, float(r)), up(y, float(counts[r - 1]))) for r in ranks]
    line = "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in points)
    marks = f'<path class="curve" d="{line}"/>'
    if len(points) < MOST_DOTS:
        marks += "".join(f'<circle class="dot" cx="{a:.1f}" cy="{b:.1f}" r="2.6"/>' for a, b in points)
    once = int((model.counts == 1).sum())
    were = "was" if once == 1 else "were"
    caption = (
        f"{counted(once, f'distinct {noun}')} of {n:,} {were} seen only once, so the next {noun} is new "
        f"with a probability of about {100 * model.evidence.unseen:.1f} % (Good–Turing estimate)."
    )
    return plot(f"How often {noun}s repeat", x, y, marks, caption)
