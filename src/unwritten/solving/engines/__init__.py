"""Engines: ways to the same exact answer. A new one is a file here, a line in `TABLE`, and a name in `EngineName`."""

from unwritten.solving.engines.best_first import BestFirst
from unwritten.solving.engines.closure import Closure
from unwritten.solving.engines.engine import Engine, QueryBatch
from unwritten.solving.engines.explicit import Explicit, TooManyLabelsError
from unwritten.solving.engines.forest import Forest
from unwritten.solving.engines.greedy import Greedy
from unwritten.solving.engines.group_branching import GroupBranching
from unwritten.solving.engines.inner import Inner
from unwritten.solving.engines.lazy import Lazy
from unwritten.solving.engines.monolithic import Monolithic

TABLE: dict[str, type[Engine]] = {
    "explicit": Explicit,
    "greedy": Greedy,
    "forest": Forest,
    "closure": Closure,
    "groups": GroupBranching,
    "best-first": BestFirst,
    "lazy": Lazy,
    "monolithic": Monolithic,
    "inner": Inner,
}

#: engines that hand their rows to a back end
ON_BACKEND = ("lazy", "monolithic")

__all__ = [
    "ON_BACKEND",
    "TABLE",
    "BestFirst",
    "Closure",
    "Engine",
    "Explicit",
    "Forest",
    "GroupBranching",
    "Lazy",
    "QueryBatch",
    "TooManyLabelsError",
]
