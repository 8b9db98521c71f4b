"""Engines: ways to the same exact answer. A new one is a file and a line in `TABLE`."""

from tacit.solving.engines.base import Engine, Queries
from tacit.solving.engines.best_first import BestFirst
from tacit.solving.engines.explicit import AUTOMATIC_SET, Explicit, TooManyLabelsError
from tacit.solving.engines.greedy import Greedy
from tacit.solving.engines.groups import Groups
from tacit.solving.engines.inner import Inner
from tacit.solving.engines.lazy import Lazy
from tacit.solving.engines.monolithic import Monolithic

TABLE: dict[str, type[Engine]] = {
    "monolithic": Monolithic,
    "lazy": Lazy,
    "best-first": BestFirst,
    "groups": Groups,
    "greedy": Greedy,
    "explicit": Explicit,
    "inner": Inner,
}

#: engines that hand their rows to a back end
ON_BACKEND = ("monolithic", "lazy")

__all__ = [
    "AUTOMATIC_SET",
    "ON_BACKEND",
    "TABLE",
    "BestFirst",
    "Engine",
    "Explicit",
    "Groups",
    "Queries",
    "TooManyLabelsError",
]
