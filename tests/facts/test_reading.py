"""Facts that people write: every sentence of a fact is read back as the same fact."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from orders_table import orders

import unwritten
from unwritten.conditions.forms import literal
from unwritten.conditions.time_parts import NAMED, PARTS
from unwritten.errors import DataError
from unwritten.facts import (
    FACTS,
    DatePart,
    Dependency,
    Fact,
    Key,
    LinearFact,
    MissingTogether,
    MissingWhen,
    NeverMissing,
    Order,
    ProductFact,
    RangeBy,
    RangeFact,
    RangeWhen,
    SeenTogether,
    StartsWith,
    Step,
    SumOrder,
    TextForm,
    TextLength,
    Unequal,
    parse_fact,
)
from unwritten.tables import Column, Schema

NUMBERS = ("net", "tax", "is", 'a "b"', "of and", "year")
TEXTS = ("code", "from", "looks like", "Ünïcode", "7 up", "and")
DAYS = ("day", "to", "determines")
SHAPES = ("round", "flat, or so", '"', "-3", None, "missing")
COLUMNS = (
    Column("shape", "category", SHAPES),
    *(Column(name, "skip", role="decimal", scale=k % 3) for k, name in enumerate(NUMBERS)),
    Column("half", "skip", role="float"),
    *(Column(name, "skip", role="text") for name in TEXTS),
    *(Column(name, "skip", role="date") for name in DAYS),
    Column("time of day", "skip", role="timestamp"),
)
SCHEMA = Schema(COLUMNS)
ALL = [column.name for column in COLUMNS]
TIMES = (*DAYS, "time of day")


def several(names: list[str] | tuple[str, ...], least: int, most: int = 4) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(list(names)), min_size=least, max_size=most, unique=True).map(tuple)


FORM = st.lists(
    st.one_of(
        st.sampled_from(["9", "A", "a", "X", "x", "-", "/", "."]),
        st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=4).map(literal),
    ),
    min_size=1,
    max_size=5,
).map("-".join)


@st.composite
def facts(draw: st.DrawFn) -> Fact:  # noqa: PLR0911, PLR0912, PLR0915
    """A fact of any kind about the columns."""
    kind = draw(st.sampled_from(sorted(FACTS)))
    number = st.integers(-5_000, 5_000)
    match kind:
        case "sum":
            names = draw(several(NUMBERS, 2))
            factors = draw(st.lists(number.filter(bool), min_size=len(names), max_size=len(names)))
            tolerance = draw(st.sampled_from([0, 1, 2, 30, 0.25]))
            return LinearFact(names, tuple(factors), draw(number), tolerance)
        case "order":
            low, high = draw(st.one_of(several(NUMBERS, 2, 2), several(TIMES, 2, 2)))
            return Order(low, high, draw(st.booleans()))
        case "sum-order":
            names = draw(several(NUMBERS, 3))
            cut = draw(st.integers(1, len(names) - 1))
            return SumOrder(names[:cut], names[cut:])
        case "key":
            return Key(draw(several(ALL, 1)))
        case "determines":
            names = draw(several(ALL, 2))
            return Dependency(names[:-1], names[-1], (), both=len(names) == 2 and draw(st.booleans()))
        case "date-part":
            part = draw(st.sampled_from(PARTS))
            called = st.one_of(st.none(), st.text(min_size=1, max_size=4))
            size = NAMED.get(part, 0) if draw(st.booleans()) else 0
            values = tuple(draw(st.lists(called, min_size=size, max_size=size)))
            return DatePart(draw(st.sampled_from(ALL)), part, draw(st.sampled_from(TIMES)), values)
        case "starts-with":
            name, before = draw(st.sampled_from(TEXTS)), draw(st.text(max_size=5))
            if draw(st.booleans()):
                return StartsWith(name, draw(st.sampled_from(TIMES)), before, "year")
            return StartsWith(name, draw(st.sampled_from((*TEXTS, *NUMBERS))), before)
        case "missing-together":
            return MissingTogether(draw(several(ALL, 2)))
        case "looks-like":
            return TextForm(draw(st.sampled_from(TEXTS)), tuple(draw(st.lists(FORM, min_size=1, max_size=3))))
        case "length":
            low, high = sorted(draw(st.tuples(st.integers(0, 90), st.integers(0, 90))))
            return TextLength(draw(st.sampled_from(TEXTS)), low, high)
        case "range-when":
            by, value = draw(st.sampled_from([("shape", None), ("shape", "round"), ("code", "007"), ("code", "a, b")]))
            low, high = sorted(draw(st.tuples(number, number)))
            bounds = draw(st.sampled_from([(low, high), (low, None), (None, high), (low, low)]))
            name = draw(st.sampled_from((*NUMBERS, *TIMES, "half")))
            return RangeWhen(by, value, name, *(None if b is None else float(b) for b in bounds), draw(st.booleans()))
        case "range-by":
            values = draw(several(("round", "flat, or so", '"', "-3", "missing"), 1))
            ends = [sorted(draw(st.tuples(number, number))) for _ in values]
            ranges = tuple(
                (v, float(low), draw(st.sampled_from([float(high), None])))
                for v, (low, high) in zip(values, ends, strict=True)
            )
            return RangeBy("shape", draw(st.sampled_from((*NUMBERS, *TIMES))), ranges)
        case "missing-when":
            levels = draw(st.permutations(SHAPES))
            cut, end = sorted(draw(st.tuples(st.integers(0, len(levels)), st.integers(1, len(levels)))))
            exactly = end == len(levels) and 0 < cut < end and draw(st.booleans())
            return MissingWhen(
                draw(st.sampled_from(ALL)), "shape", tuple(levels[:cut]), tuple(levels[cut:end]), exactly
            )
        case "seen-together":
            levels = {"shape": draw(st.sampled_from(SHAPES)), "code": draw(st.sampled_from(["007", None, "-3"]))}
            levels["from"] = draw(st.text(min_size=1, max_size=4))
            names = draw(several(list(levels), 2))
            return SeenTogether(tuple((name, levels[name]) for name in names), draw(st.integers(1, 9)))
        case "unequal":
            return Unequal(*draw(several(ALL, 2, 2)))
        case "product":
            name, *factors = draw(several(NUMBERS, 3))
            return ProductFact(name, tuple(factors))
        case "step":
            return Step(draw(st.sampled_from(NUMBERS)), draw(st.integers(1, 9_999)))
        case "range":
            low, high = sorted(draw(st.tuples(number, number)))
            bounds = [draw(st.sampled_from([bound, None])) for bound in (float(low), float(high))]
            return RangeFact(draw(st.sampled_from((*NUMBERS, *TIMES, "half"))), *bounds)
    return NeverMissing(draw(several(ALL, 1)))


@settings(max_examples=600, deadline=None)
@given(facts())
def test_every_sentence_is_read_back(fact: Fact) -> None:
    """Words → fact → words changes nothing, whatever the columns are called."""
    words = fact.words(SCHEMA)
    read = parse_fact(words, SCHEMA)
    assert read.words(SCHEMA) == words
    assert (read.kind, read.identity) == (fact.kind, fact.identity)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("net is uniqe", "is unique"),
        ("nett is unique", "did you mean net"),
        ("net determines net", "on one side only"),
        ("net from 5 to 2", "smaller number first"),
        ("code from 0 to 2", "holds no numbers"),
        ("net is a multiple of 0.25", "more digits"),
        ("net = hour of tax", "holds no dates"),
        ("net = weekday of day: mon, tue", "list all of them"),
        ("code looks like [A-Z]+", "no form of texts"),
        ("code looks like 9…-9…", "more than one"),
        ("net + net = tax", "named twice"),
        ("net < tax + half", "has ≤"),
        ("net <= day", "between numbers, or between two dates"),
        ("net, net and tax are never missing", "named twice"),
        ("code starts with day", "year of"),
        ("net = tax within x", "a number is missing"),
    ],
)
def test_what_cannot_be_read_is_said(text: str, message: str) -> None:
    """A wrong sentence gets one line with the cure."""
    with pytest.raises(DataError, match=message):
        parse_fact(text, SCHEMA)


@pytest.fixture(scope="module")
def model() -> unwritten.Model:
    return unwritten.mine(orders(400))


def test_given_facts_are_checked(model: unwritten.Model) -> None:
    """Facts are read beside rules, become given, and are checked; a mined one keeps the values it has learned."""
    given = ["paid <= gross", "net from 0 to 500", "city determines refunded_by", "customer determines city"]
    edited = model.with_rules(given)
    texts = {s.text: s for s in edited.sentences if s.origin == "given"}
    assert set(texts) == {
        "paid ≤ gross",
        "net from 0 to 500",
        "city determines refunded_by",
        "customer determines city",
    }
    learned = {fact.words(model.schema): fact for fact in model.facts if isinstance(fact, Dependency)}  # type: ignore[arg-type]
    same = next(f for f in edited.facts if f.columns == ("customer", "city"))
    assert isinstance(same, Dependency)
    assert same.mapping == learned["customer determines city"].mapping
    row = orders(400).slice(0, 1).to_pylist()[0]
    broken = edited.explain(row | {"net": "600.00", "gross": "700.00"}).broken
    assert "net from 0 to 500" in [sentence.text for sentence in broken]


def test_a_given_dependency_compares_the_rows_of_a_table(model: unwritten.Model) -> None:
    """Without learned values, the first row with a left value counts, also across batches and for missing values."""
    fact = Dependency(("city",), "refunded_by", (), both=True)
    check = fact.checker()
    rows = [("a", "x"), ("a", "x"), ("b", None), ("a", "y"), ("b", "x")]
    from unwritten.tables.typed_rows import TypedRows

    broken = []
    for city, by in rows:
        broken += check(TypedRows.of_texts(model.schema, {"city": city, "refunded_by": by})).tolist()  # type: ignore[arg-type]
    assert broken == [False, False, False, True, True]


def test_prior_facts() -> None:
    """A prior fact is given; one that rows break is refused with their number."""
    model = unwritten.mine(orders(200), prior=["order looks like A999999", "customer is never missing"])
    assert [s.text for s in model.sentences[:2]] == ["order looks like A999999", "customer is never missing"]
    with pytest.raises(DataError, match="200 of 200 rows break the prior rule “order looks like 999”"):
        unwritten.mine(orders(200), prior=["order looks like 999"])


def test_edits_survive_saving(model: unwritten.Model, tmp_path: object) -> None:
    """Given facts are saved, and taken over by a model of other rows."""
    edited = model.with_rules(["city determines refunded_by", "net is a multiple of 0.01"])
    path = f"{tmp_path}/edited.rules"
    edited.save(path)
    again = unwritten.load(path)
    assert again.facts == edited.facts
    later = unwritten.mine(orders(300, seed=2)).with_edits_from(again)
    assert {"city determines refunded_by", "net is a multiple of 0.01"} <= {s.text for s in later.sentences}
