"""Engines: ways to the same exact answer. A new one is a file and a line in `TABLE`."""

from unwritten.solving.engines.base import Engine, Queries
from unwritten.solving.engines.best_first import BestFirst
from unwritten.solving.engines.explicit import Explicit, TooManyLabelsError
from unwritten.solving.engines.greedy import Greedy
from unwritten.solving.engines.groups import Groups
from unwritten.solving.engines.inner import Inner
from unwritten.solving.engines.lazy import Lazy
from unwritten.solving.engines.monolithic import Monolithic

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
    "ON_BACKEND",
    "TABLE",
    "BestFirst",
    "Engine",
    "Explicit",
    "Groups",
    "Queries",
    "TooManyLabelsError",
]
