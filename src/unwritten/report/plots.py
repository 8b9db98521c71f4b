"""Plots: how strong the evidence is, how much each rule speaks of, how often rows repeat."""

from __future__ import annotations

from math import log10

import numpy as np

from unwritten.model import Model
from unwritten.report.axes import BOTTOM, HEIGHT, LEFT, RIGHT, WIDTH, Axis, across, percent, plot, up
from unwritten.report.kinds import family_of
from unwritten.report.text import count_text, power_of_ten

BARS = 240  # more rules than this are thinned evenly
BINS = 20
POINTS = 300


def plots(model: Model) -> str:
    """The figures that the model has data for."""
    noun = "example" if model.schema is None else "row"
    return "".join((_strength(model), _support(model, noun), _repeats(model, noun)))


def _strength(model: Model) -> str:
    """Bars of all rules, the strongest first: how many powers of ten against an accident."""
    found = [(s.evidence.nats / np.log(10), s.kind) for s in model.sentences if s.evidence is not None]
    if not found:
        return ""
    found.sort(key=lambda pair: -pair[0])
    number, weak = len(found), sum(1 for tens, _ in found if tens < 1)
    kept = [found[k] for k in np.unique(np.linspace(0, number - 1, min(number, BARS)).astype(int))]
    x = Axis("rules, the strongest first", 0, number)
    y = Axis("powers of ten against chance", 0, max(1.0, kept[0][0]))
    step = (WIDTH - LEFT - RIGHT) / len(kept)
    floor_y = HEIGHT - BOTTOM
    marks = "".join(
        f'<rect class="bar k-{family_of(kind)}" x="{LEFT + k * step:.2f}" width="{max(0.5, step - 0.6):.2f}" '
        f'y="{(top := up(y, max(0.0, tens))):.1f}" height="{max(0.8, floor_y - top):.1f}"/>'
        for k, (tens, kind) in enumerate(kept)
    )
    middle = found[number // 2][0]
    say = f"For half of the rules the odds against an accident are at least {power_of_ten(middle)} to 1."
    if weak:
        say += (
            f" {count_text(weak, 'rule')} could not be told from chance alone: {'it is' if weak == 1 else 'they are'}"
        )
        say += " believed together with the others, or given."
    return plot("How strong the evidence is", x, y, marks, say)


def _support(model: Model, noun: str) -> str:
    """How many rules speak about what share of the rows."""
    total = int(model.counts.sum())
    if not model.sentences or not total:
        return ""
    shares = np.clip([s.support / total for s in model.sentences], 0.0, 1.0)
    number, _ = np.histogram(shares, BINS, (0.0, 1.0))
    x = Axis(f"share of {noun}s that the rule speaks about", 0, 1, form=percent)
    y = Axis("rules", 0, float(max(2, number.max())))
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
    verb = "speaks" if everywhere == 1 else "speak"
    say = f"{count_text(everywhere, 'rule')} {verb} about every {noun}, {rare:,} about fewer than 5 % of them."
    return plot("How much the rules speak about", x, y, marks, say)


def _repeats(model: Model, noun: str) -> str:
    """Rank against frequency of the distinct rows, both logarithmic."""
    counts = np.sort(model.counts)[::-1]
    if not len(counts):
        return ""
    n = len(counts)
    ranks = np.unique(np.geomspace(1, n, min(n, POINTS)).astype(int))
    x = Axis(f"distinct {noun}s, the most frequent first", 1, float(max(10, n)), log=True)
    y = Axis("times seen", 1, 10 ** max(1.0, log10(float(counts[0])) * 1.02), log=True)
    points = [(across(x, float(r)), up(y, float(counts[r - 1]))) for r in ranks]
    line = "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in points)
    marks = f'<path class="curve" d="{line}"/>'
    if len(points) < 60:
        marks += "".join(f'<circle class="dot" cx="{a:.1f}" cy="{b:.1f}" r="2.6"/>' for a, b in points)
    once = int((model.counts == 1).sum())
    were = "was" if once == 1 else "were"
    say = (
        f"{count_text(once, f'distinct {noun}')} of {n:,} {were} seen only once, so the next {noun} is new "
        f"with a probability of about {100 * model.evidence.unseen:.1f} % (Good and Turing)."
    )
    return plot(f"How often {noun}s repeat", x, y, marks, say)
