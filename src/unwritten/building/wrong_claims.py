"""Examples that contradict others: their label is not the best for their weights, or it is not allowed.

Every optimal example claims that a label which is worth more for its weights is not allowed. If a few examples
contradict all others, they are wrong. Without them, cuts are exact and rules can be told from habits.
"""

from __future__ import annotations

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray
from unwritten.mining import Cuts
from unwritten.mining.limits.choices import Choices
from unwritten.options import MiningOptions
from unwritten.sources import Gathered

MOST_WRONG = 0.1  # a larger share of examples is not called wrong unless the user says so


def contradicting(gathered: Gathered, options: MiningOptions, cuts: Cuts) -> tuple[BoolArray, str | None]:
    """The few examples that contradict others; none if there are many, because weights are estimates then.

    How many are few is what `noise` says. If it says too little, a note does.
    """
    examples, none = gathered.examples, np.zeros(len(gathered.examples), bool)
    few_seen = len(examples) * len(gathered.tally.seen) <= budgets.LIMIT_CONTRADICTION_ENTRIES
    searched = "limits" in options.miners and isinstance(options.slack, str)  # "auto"
    if examples.weights is None or cuts.exact or not searched or not few_seen or gathered.stored is not None:
        return none, None
    if len(options.symmetries) or len(examples) != gathered.total.n:
        return none, None
    wrong = Choices.of(examples, examples.weights).contradictory()
    share = MOST_WRONG if options.noise_rate is None else max(options.noise_rate, budgets.LIMIT_WRONG)
    if wrong.mean() <= share:
        return wrong, None
    return none, _too_many(wrong) if wrong.mean() <= MOST_WRONG else None


def _too_many(wrong: BoolArray) -> str:
    """Say that limits are found only if `noise=` tells how many examples are wrong."""
    share = np.ceil(100 * wrong.mean()) / 100
    return (
        f"limits were not searched for, because {int(wrong.sum()):,} examples contradict the others: their labels are "
        f"not optimal for their weights, or not allowed. Correct them, or give noise={share:g}"
    )


def set_aside_note(wrong: BoolArray, reason: str) -> str:
    """Say how many examples were set aside, and what to do about it."""
    count = int(wrong.sum())
    if count == 1:
        return f"1 example was set aside, because {reason}: model.suspects names it; correct it, or give slack for all"
    return (
        f"{count:,} examples were set aside, because {reason}: model.suspects names them; correct them, or give slack "
        "for all"
    )
