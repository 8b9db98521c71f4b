"""The options of mining: checked once, frozen, and passed on whole."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from math import log
from numbers import Real
from typing import Any, Literal, get_args

from unwritten import budgets
from unwritten.data import Sense, sense_of
from unwritten.data.declared_axes import Axes, declared_layout
from unwritten.data.examples import given_slack
from unwritten.data.layout import Layout
from unwritten.effort import Effort
from unwritten.errors import DataError

MinerName = Literal[
    "groups", "equalities", "pairs", "matroid", "covers", "ranks", "gaps", "bounds", "values", "capacities", "limits"
]
MINERS: tuple[MinerName, ...] = get_args(MinerName)
"""The miners in the order in which they run: those that need fewest examples first."""

AUTO: tuple[MinerName, ...] = (
    "groups", "equalities", "pairs", "matroid", "covers", "gaps", "bounds", "values", "capacities", "limits",
)  # fmt: skip
"""The miners that `rules="auto"` runs."""

Rules = Literal["auto"] | MinerName | Sequence[MinerName]
Bounds = tuple[Sequence[int] | int, Sequence[int] | int]


@dataclass(frozen=True, kw_only=True, repr=False)
class Settings:
    """How to mine, beside what everybody knows of their data: each may also be given to `unwritten.mine` by its name.

    Parameters
    ----------
    sense
        "max" if labels maximise their weights, "min" if they minimise them.
    slack
        "auto" (computed if labels are not optimal for their weights), 0, or one number per example.
    lifts
        Latent variables: "pairs", "values", or objects of your own.
    bounds
        A pair (lower, upper); read off the data by default.
    axes
        What the columns are indexed by, if their names do not say: a mapping from each axis to its values in order,
        such as {"nurse": [1, 2, 3], "day": ["mon", "tue"]}. The columns run through the last axis fastest. For several
        grids of columns, one after the other, give a list of such mappings, or a mapping from the name of each grid to
        its axes. Columns without names are then called "nurse 1 / mon".
    symmetries
        Permutations of the variables that turn feasible labels into feasible labels; each example then counts as all
        its images. Lists of places, mappings, or `interchangeable(...)` and `relabelled(...)`.
    checkpoint
        A file from which a killed run goes on, for tables and batches: a path, or a `Checkpoint`.
    cuts
        "memory", or the path of a .npy file in which the weights of batches are kept.
    most_kept
        How many integers of distinct labels to keep in memory, for tables and batches. If there are more, rules are
        mined from a fair sample of the labels and verified on all of them.
    time_limit
        Seconds for all of mining. When they are over, what is being searched for is given up, and what would come next
        is left out; the model's notes say what. What was mined before stays. None sets no limit, and what is mined
        then does not depend on the machine.

    >>> Settings(sense="best")
    Traceback (most recent call last):
    ...
    unwritten.errors.DataError: sense is 'best': use 'max' or 'min'
    """

    sense: Sense = "max"
    slack: object = "auto"
    lifts: Any = ()
    bounds: Bounds | None = None
    axes: Axes | None = None
    symmetries: Any = ()
    checkpoint: Any = field(default=None, compare=False)  # this and what follows does not change what is mined
    cuts: str | os.PathLike[str] = field(default="memory", compare=False)
    most_kept: int | None = field(default=None, compare=False)
    time_limit: float | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        sense_of(self.sense)
        _ = self.layout
        if isinstance(self.slack, str | Real):
            given_slack(self.slack, 1)
        elif len(self.symmetries):
            raise DataError(
                "slack per example cannot be used with symmetries: use 'auto' or one number for all examples"
            )
        most = self.most_kept
        if most is not None and (isinstance(most, bool) or not isinstance(most, int) or most < 1):
            raise DataError(f"most_kept is {most!r}: use a number of entries, such as {budgets.KEPT_LABEL_ENTRIES}")
        if not isinstance(self.cuts, str | os.PathLike):
            raise DataError(f"cuts is {self.cuts!r}: use 'memory', or the path of a .npy file")
        Effort.lasting(self.time_limit)

    def __repr__(self) -> str:
        given = ((part.name, getattr(self, part.name)) for part in fields(Settings))
        changed = (f"{name}={value!r}" for name, value in given if value is not getattr(Settings, name))
        return f"{type(self).__name__}({', '.join(changed)})"

    @property
    def layout(self) -> Layout | None:
        """The layout of the columns that was declared, if any."""
        return None if self.axes is None else declared_layout(self.axes)


@dataclass(frozen=True, kw_only=True, repr=False)
class MiningOptions(Settings):
    """The settings, and the arguments of `unwritten.mine` with these names.

    >>> MiningOptions(confidence=2)
    Traceback (most recent call last):
    ...
    unwritten.errors.DataError: confidence is 2: use a share from 0 to below 1, such as 0.95
    """

    rules: Rules = "auto"
    prior: object = None
    names: Sequence[str] | None = None
    confidence: float = 0.95
    noise: float | Literal["auto"] = 0
    without: tuple[MinerName, ...] = ()
    """Miners that are not run although `rules` names them: in the same examples they find nothing, or nothing true."""
    effort: Effort = field(default_factory=Effort, compare=False)
    """The seconds that are left, and what was given up."""

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.miners, self.noise_rate
        if isinstance(self.confidence, bool) or not isinstance(self.confidence, Real) or not 0 <= self.confidence < 1:
            raise DataError(f"confidence is {self.confidence!r}: use a share from 0 to below 1, such as 0.95")

    @property
    def miners(self) -> tuple[MinerName, ...]:
        """The names of the miners to run, in the order in which they run."""
        rules: object = self.rules
        if isinstance(rules, str):
            rules = AUTO if rules == "auto" else (rules,)
        if not isinstance(rules, Iterable):
            raise DataError(f"rules is {rules!r}: use 'auto', [] or names from {', '.join(MINERS)}")
        names = list(rules)
        unknown = [name for name in names if name not in MINERS]
        if unknown:
            raise DataError(f"there is no miner {unknown[0]!r}: use 'auto', [] or names from {', '.join(MINERS)}")
        return tuple(name for name in MINERS if name in names and name not in self.without)

    @property
    def automatic(self) -> bool:
        """True for rules="auto": state only rules with enough evidence, not all that hold on the examples."""
        return isinstance(self.rules, str) and self.rules == "auto"

    @property
    def margin(self) -> float:
        """The evidence in nats that a rule needs at this confidence: −ln(1 − confidence)."""
        return -log(1.0 - self.confidence)

    @property
    def noise_rate(self) -> float | None:
        """The share of examples that may be wrong; None if it is to be estimated."""
        noise: object = self.noise
        if isinstance(noise, str) and noise == "auto":
            return None
        if isinstance(noise, bool) or not isinstance(noise, Real) or not 0 <= float(noise) < 0.5:
            raise DataError(f"noise is {noise!r}: use a share from 0 to below 0.5, or 'auto'")
        return float(noise)
