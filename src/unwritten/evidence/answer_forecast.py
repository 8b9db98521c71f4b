"""Answer forecast: on held-out examples, who answers better, the rules or the best seen label?"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from unwritten.errors import FormatError

MANY = 20  # if rules were right in all of so many queries, they are trusted


@dataclass(frozen=True, repr=False)
class AnswerForecast:
    """How many of the held-out `queries` were answered rightly: with the value of the label that was decided.

    `rules` were answered rightly by rules and cuts, `seen` by the best seen label, `both` by both. `excluded` are those
    whose decided label breaks a rule that was mined without it; of the other wrong answers by rules, each is worth
    more than the decided label, so that a rule is missing.

    >>> forecast = AnswerForecast(queries=200, rules=104, seen=170, both=100, excluded=6)
    >>> forecast.prefers_seen
    True
    >>> print(forecast)
    on 200 held-out examples the best seen label is right in 85 %, the rules in 52 % (difference ± 8)
    """

    queries: int
    rules: int
    seen: int
    both: int
    excluded: int = 0

    def __post_init__(self) -> None:
        numbers = (self.queries, self.rules, self.seen, self.both, self.excluded)
        if not all(type(number) is int and 0 <= number <= self.queries for number in numbers) or not (
            self.queries and self.rules + self.seen - self.queries <= self.both <= min(self.rules, self.seen)
            and self.rules + self.excluded <= self.queries
        ):  # fmt: skip
            raise FormatError("the numbers of a forecast contradict each other: mine the model again")

    @property
    def rules_share(self) -> float:
        """The expected share of fresh queries that rules and cuts answer rightly."""
        return self.rules / self.queries

    @property
    def seen_share(self) -> float:
        """The expected share of fresh queries that the best seen label answers rightly."""
        return self.seen / self.queries

    @property
    def error(self) -> float:
        """The half width of a 95 % interval around the difference of both shares."""
        apart = self.rules + self.seen - 2 * self.both
        return 1.96 * sqrt(max(1, apart)) / self.queries

    @property
    def prefers_seen(self) -> bool:
        """True if the best seen label is the safer answer: it was right more often, or almost as often.

        A wrong seen label is still allowed, a wrong answer by rules mostly is not. So rules must lead by a standard
        error of the difference, unless they were right in all of many queries.
        """
        apart = self.rules + self.seen - 2 * self.both
        lead = self.rules - self.seen
        always_right = self.rules == self.queries >= MANY
        return lead < 0 or (not always_right and lead < max(1.0, sqrt(apart)))

    def summary(self) -> str:
        """The forecast in one sentence."""
        return (
            f"on {self.queries:,} held-out examples the best seen label is right in {100 * self.seen_share:.0f} %, "
            f"the rules in {100 * self.rules_share:.0f} % (difference ± {100 * self.error:.0f})"
        )

    __str__ = summary

    def __repr__(self) -> str:
        return f"AnswerForecast({self.summary()})"

    def state(self) -> dict[str, int]:
        """The forecast as plain JSON."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}
