"""Some examples: what was gathered, and the options, restricted to some of the examples."""

from __future__ import annotations

from dataclasses import replace
from numbers import Real

import numpy as np

from unwritten.data import BoolArray
from unwritten.options import MiningOptions
from unwritten.sources import Gathered
from unwritten.tally import Tally


def of_some(gathered: Gathered, options: MiningOptions, rows: BoolArray) -> tuple[Gathered, MiningOptions]:
    """Restrict what was gathered, and any slack per example, to some of the examples."""
    return subset(gathered, rows), replace(options, slack=slack_of(options.slack, rows))


def subset(gathered: Gathered, rows: BoolArray) -> Gathered:
    """Restrict what was gathered to some of the examples."""
    examples = gathered.examples[rows]
    tally = Tally.of(examples.labels)
    return replace(gathered, tally=tally, examples=examples, total=tally)


def slack_of(slack: object, rows: BoolArray) -> object:
    """The slack of some examples: "auto" or a single number stays unchanged, an array is restricted to their values."""
    return slack if isinstance(slack, str | Real) else np.asarray(slack)[rows]
