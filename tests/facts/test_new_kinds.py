"""Date parts, forms of texts, prefixes, steps, orders of sums and rounded sums: what is found, and what is not."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pytest

import unwritten
from unwritten.facts import Order, SumOrder
from unwritten.mining.facts import mine_facts
from unwritten.mining.facts.sum_orders import without_implied_orders
from unwritten.mining.facts.text_forms import forms_of

DAY = datetime.datetime(2021, 3, 1)


def said(columns: dict[str, object], *kinds: str) -> set[str]:
    """The sentences of these kinds that are mined from a table."""
    table = unwritten.Table.of(pa.table(columns))
    return {fact.words(table.schema) for fact in mine_facts(table, 0.95) if fact.kind in kinds}


def moments(n: int, seed: int = 0) -> list[datetime.datetime]:
    return [DAY + datetime.timedelta(minutes=int(m)) for m in np.random.default_rng(seed).integers(0, 1_500_000, n)]


def test_parts_of_a_timestamp() -> None:
    """Numbers, names and dates are told from a timestamp; a number that only resembles a part is not."""
    times = moments(900)
    table = {
        "moment": [str(t) for t in times],
        "day": [str(t.date()) for t in times],
        "jahr": [t.year for t in times],
        "hour": [t.hour for t in times],
        "wochentag": [["Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"][t.weekday()] for t in times],
        "sunday_first": [t.isoweekday() % 7 for t in times],
        "nearly_hour": [t.hour if t.minute % 20 else (t.hour + 1) % 24 for t in times],
    }
    assert said(table, "date-part", "order", "determines") == {
        "day = date of moment",
        "jahr = year of moment",
        "hour = hour of moment",
        "wochentag = weekday of moment: Mo, Di, Mi, Do, Fr, Sa, So",
        "sunday_first = weekday of moment: 1, 2, 3, 4, 5, 6, 0",
    }


def test_labels_of_one_year_are_no_month_names() -> None:
    """A label that each month has only once may be another one in the next year."""
    times = [DAY + datetime.timedelta(days=k % 300) for k in range(900)]
    table = {"at": [str(t.date()) for t in times], "period": [f"{t.year}-{t.month}" for t in times]}
    assert said(table, "date-part") == set()


@pytest.mark.parametrize(
    ("texts", "forms"),
    [
        ([f"INV-{k}" for k in range(7, 9_000, 7)], ("'INV'-9…",)),
        ([f"{'AB'[k % 2]}{'CD'[k % 3 > 0]}-{k:04}" for k in range(300)], ("AA-9999",)),
        ([f"{k * 7919 % 99_991:05}" for k in range(300)], ("99999",)),
        ([f"{k * 2654435761 % 2**32:08x}" for k in range(300)], ("xxxxxxxx",)),
        ([f"it's {k:03}" for k in range(300)], ("'it''s '999",)),
        ([f"{k:03}" for k in range(300)] + [f"A-{k:03}" for k in range(200)], ("999", "'A'-999")),
        ([f"N{k}" for k in range(100, 400)] + ["N12x"], ()),  # a form that came once: others may come
        ([f"{'x' * (k % 7 + 1)}y{k}" for k in range(300)], ()),  # words of any length are no code
        ([f"{k}-{k * k}" for k in range(300)], ()),  # two numbers of any length
    ],
)
def test_forms(texts: Sequence[str], forms: tuple[str, ...]) -> None:
    """Codes have a form; texts that may well come in another one have none."""
    assert forms_of(texts)[0] == forms


def test_lengths() -> None:
    """Texts that are cut off have a longest length; texts that fade out have none."""
    rng = np.random.default_rng(0)
    letters = np.array(list("abc DEF?!é"))
    lengths = rng.integers(30, 200, 2_000)
    notes = ["".join(rng.choice(letters, k)) for k in lengths]
    assert said({"note": [note[:140] for note in notes], "k": lengths.tolist()}, "length") == {
        "note has at most 140 characters"
    }
    fading = ["".join(rng.choice(letters, int(k))) for k in rng.geometric(0.05, 2_000) + 3]
    assert said({"note": fading, "k": lengths.tolist()}, "length", "looks-like") == set()


def test_prefixes() -> None:
    """Codes that begin with the country, or with the year of a date, say so; others do not."""
    times, rng = moments(600), np.random.default_rng(1)
    country = rng.choice(["DE", "FR", "NL", "US"], 600)
    table = {
        "day": [str(t.date()) for t in times],
        "country": country,
        "code": [f"{c}{k:05}" for c, k in zip(country, rng.permutation(600), strict=True)],
        "invoice": [f"R-{t.year}/{k}" for t, k in zip(times, rng.permutation(600), strict=True)],
        "other": [f"{c}{k:05}" for c, k in zip(rng.permutation(country), rng.permutation(600), strict=True)],
    }
    assert said(table, "starts-with", "determines") == {
        "code starts with country",
        'invoice starts with "R-" and year of day',
    }


def test_steps() -> None:
    """Prices in quarters have a step; prices of which one in 100 is none have no step."""
    rng = np.random.default_rng(0)
    quarters, cents = rng.integers(0, 4_000, 800) / 4, rng.integers(0, 99_999, 800) / 100
    assert said({"price": quarters, "other": cents}, "step") == {"price is a multiple of 0.25"}
    assert said({"nearly": np.where(np.arange(800) % 100, quarters, cents), "other": cents}, "step") == set()


def bats(n: int = 4_000, seed: int = 0) -> dict[str, object]:
    rng = np.random.default_rng(seed)
    at_bats = rng.geometric(0.02, n)
    parts = np.array([rng.multinomial(k, [0.4, 0.3, 0.3]) for k in at_bats])
    doubles = rng.binomial(parts[:, 0], 0.3)
    triples = rng.binomial(parts[:, 0] - doubles, 0.2)
    return {
        "at_bats": at_bats,
        "hits": parts[:, 0],
        "strikeouts": parts[:, 1],
        "doubles": doubles,
        "triples": triples,
        "walks": rng.binomial(at_bats, 0.1),
    }


def test_orders_of_sums() -> None:
    """Parts of a whole are found; a part that only tends to leave room is not, and smaller orders follow."""
    found = said(bats(), "sum-order", "order")
    assert {"hits + strikeouts ≤ at_bats", "doubles + triples ≤ hits"} <= found
    assert not [text for text in found if "walks" in text and "+" in text]
    assert "doubles ≤ hits" not in found


def test_wholes_that_parts_cover() -> None:
    """a ≤ b + c is found although a exceeds b in some rows and c in others."""
    rng = np.random.default_rng(3)
    b, c = rng.geometric(0.02, (2, 4_000))
    a = rng.integers(0, b + c + 1)
    assert said({"stock": b, "arrived": c, "sold": a}, "sum-order") == {"sold ≤ stock + arrived"}


def test_implied_orders_of_sums_are_not_said() -> None:
    """a + b ≤ c makes a ≤ c superfluous if b is never below 0; a sum makes an order of sums superfluous."""
    whole = SumOrder(("a", "b"), ("c",))
    orders, sums = without_implied_orders(
        [Order("a", "c"), Order("c", "d")], [whole], [], frozenset("abcd"), lambda _: frozenset("abcd")
    )
    assert ([order.columns for order in orders], sums) == ([("c", "d")], [whole])
    orders, sums = without_implied_orders(
        [Order("a", "c")], [SumOrder(("a",), ("c", "d"))], [], frozenset("acd"), lambda _: frozenset("acd")
    )
    assert (len(orders), sums) == (1, [])


def test_rounded_sums() -> None:
    """Sums of numbers that were rounded hold within the rounding; a share that is forgotten now and then is none."""
    rng = np.random.default_rng(0)
    a, b, c = rng.lognormal(3, 1, (3, 1_500))
    cents = {"a": np.round(a, 2), "b": np.round(b, 2), "both": np.round(a + b, 2)}
    assert said(cents, "sum") == {"both = a + b within 0.01"}
    single = {"a": a.astype(np.float32), "b": b, "both": (a + b).astype(np.float32), "c": c}
    (text,) = said({name: [repr(float(v)) for v in values] for name, values in single.items()}, "sum")
    assert text.startswith("both = a + b within ")
    forgotten = np.where(rng.random(1_500) < 0.1, 0.01, 0.0)
    assert said({**cents, "both": np.round(np.round(a, 2) + np.round(b, 2) + forgotten, 2)}, "sum") == set()


def test_random_columns_have_no_such_facts() -> None:
    """Independent texts, numbers and dates: nothing links them, and free text has no form."""
    kinds = ("date-part", "starts-with", "sum-order", "looks-like", "length", "step", "sum")
    for seed in range(15):
        rng = np.random.default_rng(seed)
        letters = np.array(list("abcdefgh ABC.012"))
        table = {
            "text": ["".join(rng.choice(letters, int(k))) for k in rng.integers(2, 15, 300)],
            "name": ["".join(rng.choice(letters[:8], int(k))).capitalize() for k in rng.integers(3, 9, 300)],
            "day": [str(t.date()) for t in moments(300, seed)],
            "at": [str(t) for t in moments(300, seed + 1_000)],
            "month": rng.integers(1, 13, 300),
            "hour": rng.integers(0, 24, 300),
            "count": rng.poisson(4, 300),
            "size": rng.integers(0, 200, 300),
            "price": np.round(rng.lognormal(3, 1, 300), 2),
            "cost": np.round(rng.lognormal(3, 1, 300), 2),
            "weight": np.abs(rng.normal(size=300)),
        }
        assert said(table, *kinds) == set()
