"""Tables of related columns, and label sets of hierarchies: how long each is mined, beside a plain scan of all pairs.

Standings, polls, addresses, orders and cars are small, but nearly every column depends on others in them: totals,
differences, shares, codes and names. Such tables have thousands of near-rules, which must not keep mining busy.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from time import process_time
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier

import unwritten
from benchmarks.timing import MarkdownTable
from unwritten.data import IntArray
from unwritten.sklearn import ConstrainedClassifier

T = TypeVar("T")
Columns = dict[str, list[Any]]
Rng = np.random.Generator

FIRST_DAY = date(2015, 1, 1)
QUICK_ROWS = 150


def standings(rows: int, rng: Rng) -> Columns:
    """Generate seasons of a league: wins and losses at home and away, points for and against, and their shares."""
    teams = [f"team {k}" for k in range(24)]
    division = {team: f"division {k % 4}" for k, team in enumerate(teams)}
    team = [teams[k % 24] for k in range(rows)]
    home, away, ties = (rng.integers(low, high, rows) for low, high in ((10, 40), (5, 36), (0, 3)))
    wins, games = home + away, 82
    scored, against = rng.integers(7_000, 9_500, rows), rng.integers(7_000, 9_500, rows)
    return {
        "year": (1990 + np.arange(rows) // 24).tolist(),
        "team": team, "division": [division[t] for t in team],
        "conference": ["east" if division[t] in ("division 0", "division 1") else "west" for t in team],
        "W": wins.tolist(), "L": (games - wins - ties).tolist(), "T": ties.tolist(), "G": [games] * rows,
        "home W": home.tolist(), "home L": (41 - home).tolist(),
        "away W": away.tolist(), "away L": (41 - ties - away).tolist(),
        "pct": (wins / games).round(3).tolist(), "PF": scored.tolist(), "PA": against.tolist(),
        "diff": (scored - against).tolist(), "PF per game": (scored / games).round(1).tolist(),
        "made playoffs": np.where(wins > 42, "yes", "no").tolist(),
        "rank": (1 + np.argsort(np.argsort(-wins)) * 24 // rows).tolist(),
    }  # fmt: skip


def polls(rows: int, rng: Rng) -> Columns:
    """Generate polls: who asked when, whom and how many, and shares for four candidates that need not add up to 100."""
    pollsters = [(f"pollster {k}", "ABC"[k % 3] + ("+" if k % 2 else ""), ("phone", "web")[k % 2]) for k in range(40)]
    states = [(f"state {k}", f"S{k}", k % 5 == 0) for k in range(50)]
    who, where = rng.integers(0, 40, rows), rng.integers(0, 50, rows)
    start, length = rng.integers(0, 600, rows), rng.integers(1, 8, rows)
    size = rng.integers(300, 4_000, rows)
    shares = [rng.integers(low, high, rows) for low, high in ((35, 52), (33, 50), (1, 10), (0, 4))]
    first, second = shares[0], shares[1]
    days = [[FIRST_DAY + timedelta(int(day)) for day in part] for part in (start, start + length)]
    return {
        "poll": list(range(1, rows + 1)),
        "pollster": [pollsters[k][0] for k in who], "grade": [pollsters[k][1] for k in who],
        "mode": [pollsters[k][2] for k in who],
        "state": [states[k][0] for k in where], "code": [states[k][1] for k in where],
        "swing": ["yes" if states[k][2] else "no" for k in where],
        "start": days[0], "end": days[1], "days": length.tolist(),
        "size": size.tolist(), "error": (98 / np.sqrt(size)).round(1).tolist(),
        "population": rng.choice(["likely", "registered", "adults"], rows).tolist(),
        **{f"candidate {k + 1}": share.tolist() for k, share in enumerate(shares)},
        "others": np.maximum(0, 100 - sum(shares)).tolist(),
        "lead": (first - second).tolist(), "winner": np.where(first >= second, "first", "second").tolist(),
    }  # fmt: skip


def addresses(rows: int, rng: Rng) -> Columns:
    """Generate addresses: a postcode decides the city, this the county, this the state, and this the region."""
    postcodes = max(20, rows // 8)
    city_of = np.sort(rng.integers(0, postcodes // 3, postcodes))
    county_of = np.sort(rng.integers(0, 60, postcodes // 3))
    state_of = np.sort(rng.integers(0, 20, 60))
    place = rng.integers(0, postcodes, rows)
    city = city_of[place]
    county = county_of[city]
    state = state_of[county]
    return {
        "name": [f"person {k}" for k in rng.integers(0, rows, rows)],
        "number": rng.integers(1, 200, rows).tolist(),
        "street": [f"street {k}" for k in rng.integers(0, 80, rows)],
        "zip": [f"{10_000 + 7 * k}" for k in place], "city": [f"city {k}" for k in city],
        "county": [f"county {k}" for k in county], "fips": (1000 * state + county).tolist(),
        "state": [f"state {k}" for k in state], "state code": [f"S{k}" for k in state],
        "region": [f"region {k}" for k in state // 5], "zone": [("E", "C", "M", "P")[k // 5] for k in state],
        "area code": (200 + county % 50).tolist(), "country": ["US"] * rows,
        "kind": rng.choice(["home", "work"], rows).tolist(),
    }  # fmt: skip


def orders(rows: int, rng: Rng) -> Columns:
    """Generate orders: a customer decides the address, dates follow each other, freight has a class."""
    customer, employee = rng.integers(0, 89, rows), rng.integers(1, 10, rows)
    ordered = np.sort(rng.integers(0, 660, rows))
    shipped = ordered + rng.integers(1, 30, rows)
    freight = (rng.gamma(1.2, 60, rows)).round(2)
    day = [[FIRST_DAY + timedelta(int(k)) for k in part] for part in (ordered, ordered + 28, shipped)]
    return {
        "order": (10_248 + np.arange(rows)).tolist(), "customer": [f"C{k:03d}" for k in customer],
        "employee": employee.tolist(), "ordered": day[0], "required": day[1], "shipped": day[2],
        "via": rng.integers(1, 4, rows).tolist(), "freight": freight.tolist(),
        "ship name": [f"shop {k}" for k in customer], "ship address": [f"road {k * 7}" for k in customer],
        "ship city": [f"city {k % 70}" for k in customer],
        "ship region": [None if k % 70 % 3 else f"region {k % 70 % 9}" for k in customer],
        "ship code": [f"{20_000 + k % 70}" for k in customer],
        "ship country": [f"country {k % 70 % 21}" for k in customer],
    }  # fmt: skip


def cars(rows: int, rng: Rng) -> Columns:
    """Generate models of cars: categories that nearly decide each other, and whole numbers of few values."""
    maker = rng.integers(0, 30, rows)
    line = 4 * maker + rng.integers(0, 4, rows)
    cylinders = rng.choice([3, 4, 6, 8, 12], rows, p=[0.05, 0.45, 0.3, 0.17, 0.03])
    litres = (cylinders / 2 + rng.integers(-3, 4, rows) / 5).round(1)
    gears = rng.choice([5, 6, 7, 8], rows)
    automatic = rng.random(rows) < 0.8
    city = (42 - 2 * cylinders + rng.integers(-3, 4, rows)).clip(9)
    highway = city + 5 + rng.integers(0, 4, rows)
    drive = rng.integers(0, 4, rows)
    air = np.where(cylinders > 6, "turbo", "none")
    return {
        "division": [f"maker {k}" for k in maker], "group": [f"group {k // 5}" for k in maker],
        "line": [f"line {k}" for k in line], "class": [f"class {k % 9}" for k in line],
        "cylinders": cylinders.tolist(), "litres": litres.tolist(), "gears": gears.tolist(),
        "gearbox": np.where(automatic, "automatic", "manual").tolist(),
        "gearbox code": [("A" if a else "M") + str(g) for a, g in zip(automatic, gears, strict=True)],
        "drive": [("front", "rear", "all", "part-time")[k] for k in drive], "drive code": ["FRAP"[k] for k in drive],
        "air": air.tolist(), "air code": np.where(air == "turbo", "TC", "NA").tolist(),
        "fuel": np.where(cylinders > 4, "premium", "regular").tolist(),
        "city": city.tolist(), "highway": highway.tolist(),
        "combined": np.rint(0.55 * city + 0.45 * highway).astype(int).tolist(),
        "smog": (9 - cylinders // 2).clip(1).tolist(), "cost": (60 * (40 - city)).clip(500).tolist(),
        "guzzler": np.where(city < 15, "yes", "no").tolist(),
        "lockup": rng.choice(["yes", "no"], rows, p=[0.9, 0.1]).tolist(),
        "valves": rng.choice([2, 4], rows).tolist(), "stop-start": rng.choice(["yes", "no"], rows).tolist(),
        "doors": rng.choice([2, 4, 5], rows).tolist(), "seats": rng.choice([2, 4, 5, 7], rows).tolist(),
    }  # fmt: skip


MAKERS: dict[Callable[[int, Rng], Columns], tuple[int, ...]] = {
    standings: (438, 2_400),
    polls: (873, 4_200),
    addresses: (1_000, 5_000),
    orders: (830, 3_000),
    cars: (1_100, 5_000),
}


def forest(labels: int, rows: int, seed: int, several: float = 0.05) -> IntArray:
    """Generate label sets of a random forest of four levels: one path of labels each, two or three in some rows."""
    rng = np.random.default_rng(seed)
    parent, level = [-1] * 3, [0] * 3
    has_children: set[int] = set()
    while len(parent) < labels:
        node = int(rng.integers(len(parent)))
        if level[node] < 3:
            for _ in range(1 if node in has_children else 2):  # an only child would equal its parent
                parent.append(node)
                level.append(level[node] + 1)
            has_children.add(node)
    leaves = np.setdiff1d(np.arange(len(parent)), parent)
    shares = rng.dirichlet(np.full(len(leaves), 5.0))
    found = np.zeros((rows, len(parent)), np.int64)
    for label, paths in zip(
        found, rng.choice([1, 2, 3], rows, p=[1 - several, 0.8 * several, 0.2 * several]), strict=True
    ):
        for leaf in rng.choice(leaves, paths, p=shares).tolist():
            node = leaf
            while node >= 0:
                label[node] = 1
                node = parent[node]
    return found


def related(quick: bool) -> MarkdownTable:
    """Mining small tables in which nearly every column depends on others: CPU seconds beside a scan of all pairs."""
    table = MarkdownTable("Tables of related columns: one seed for each size")
    for make, sizes in MAKERS.items():
        for seed, rows in enumerate((QUICK_ROWS,) if quick else sizes):
            columns = make(rows, np.random.default_rng(seed))
            scan, pairs = _timed(lambda columns=columns: _decided_pairs(columns))
            seconds, model = _timed(lambda columns=columns: unwritten.mine(pa.table(columns)))
            _add(
                table, make.__name__, f"{rows:,} × {len(columns)}", seconds, model, scan_cpu_s=scan, decided_pairs=pairs
            )
    table.notes.append("`scan` tests for each pair of columns whether one decides the other, and nothing else.")
    return table


def forests(quick: bool) -> MarkdownTable:
    """Mining label sets of hierarchies of 100 to 700 labels, and fitting the default classifier on them."""
    table = MarkdownTable("Label sets of forests of four levels, 2,000 rows")
    for labels in (100,) if quick else (100, 250, 400, 550, 700):
        for several in (0.05, 0.7):
            found = forest(labels, 500 if quick else 2_000, labels, several)
            seconds, model = _timed(lambda found=found: unwritten.mine(found))
            features = np.random.default_rng(0).normal(size=(found.shape[1], 20))
            inputs = found @ features
            fitted, _ = _timed(
                lambda found=found, inputs=inputs: ConstrainedClassifier(OneVsRestClassifier(LogisticRegression())).fit(
                    inputs, found
                )
            )
            distinct = len(np.unique(found, axis=0))
            _add(
                table, f"{found.shape[1]} labels, {100 * several:.0f} % with several paths", f"{distinct:,} distinct",
                seconds, model, classifier_cpu_s=fitted,
            )  # fmt: skip
    return table


def _add(table: MarkdownTable, case: str, size: str, seconds: float, model: unwritten.Model, **more: object) -> None:
    table.add(
        case=case, size=size, cpu_s=seconds, rules=len(model.rules), doubtful=len(model.doubtful),
        facts=len(model.facts), given_up=sum("not searched to the end" in note for note in model.notes), **more,
    )  # fmt: skip


def _timed(run: Callable[[], T]) -> tuple[float, T]:
    start = process_time()
    result = run()
    return process_time() - start, result


def _decided_pairs(columns: Columns) -> int:
    """Count the pairs of columns of which the first decides the second."""
    codes = [np.unique([str(value) for value in column], return_inverse=True)[1] for column in columns.values()]
    sizes = [int(code.max()) + 1 for code in codes]
    return sum(
        len(np.unique(one * size + other)) == own
        for i, (one, own) in enumerate(zip(codes, sizes, strict=True))
        for j, (other, size) in enumerate(zip(codes, sizes, strict=True))
        if i != j
    )
