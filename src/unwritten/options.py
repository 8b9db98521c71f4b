"""The options of mining: checked once, frozen, and passed on whole."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import log
from numbers import Real
from typing import Any, Literal, get_args

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


@dataclass(frozen=True, kw_only=True)
class MiningOptions:
    """How to mine. Every field has the meaning of the argument of `unwritten.mine` with the same name.

    >>> MiningOptions(confidence=2)
    Traceback (most recent call last):
    ...
    unwritten.errors.DataError: confidence is 2: use a share from 0 to below 1, such as 0.95
    """

    sense: Sense = "max"
    rules: Rules = "auto"
    slack: object = "auto"
    prior: object = None
    lifts: Any = ()
    names: Sequence[str] | None = None
    bounds: Bounds | None = None
    axes: Axes | None = None
    confidence: float = 0.95
    symmetries: Any = ()
    noise: float | Literal["auto"] = 0
    without: tuple[MinerName, ...] = ()
    """Miners that are not run although `rules` names them: in the same examples they find nothing, or nothing true."""
    effort: Effort = field(default_factory=Effort, compare=False)
    """The seconds that are left, and what was given up: `time_limit` of `unwritten.mine`."""

    def __post_init__(self) -> None:
        sense_of(self.sense)
        _ = self.miners, self.noise_rate, self.layout
        if isinstance(self.confidence, bool) or not isinstance(self.confidence, Real) or not 0 <= self.confidence < 1:
            raise DataError(f"confidence is {self.confidence!r}: use a share from 0 to below 1, such as 0.95")
        if isinstance(self.slack, str | Real):
            given_slack(self.slack, 1)
        elif len(self.symmetries):
            raise DataError(
                "slack per example cannot be used with symmetries: use 'auto' or one number for all examples"
            )

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
    def layout(self) -> Layout | None:
        """The layout of the columns that was declared, if any."""
        return None if self.axes is None else declared_layout(self.axes)

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
