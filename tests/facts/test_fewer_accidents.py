"""Kinds of accidents that are not stated: copies of a group or thing, lists of codes, sizes of identifiers, signs."""

from __future__ import annotations

import numpy as np
import pandas as pd

import unwritten
from unwritten.mining.facts.listed_codes import listed_codes
from unwritten.rules import RuleSet
from unwritten.tables import Schema
from unwritten.tables.column import Column


def texts(table: pd.DataFrame) -> list[str]:
    return [sentence.text for sentence in unwritten.mine(table).sentences]


def pupils(schools: int, rows: int) -> pd.DataFrame:
    """Pupils of schools; all that is known of a school is drawn once."""
    rng = np.random.default_rng(0)
    school = np.sort(rng.integers(0, schools, rows))
    known = {f"fact {k}": rng.choice(list("abcdefgh"), schools)[school] for k in range(4)}
    return pd.DataFrame({"school": school, **known, "sex": rng.choice(["f", "m"], rows)})


def test_rows_of_a_school_are_copies() -> None:
    """Which facts about schools met by chance is no rule, however many pupils each school has."""
    said = texts(pupils(60, 1_200))
    assert [text for text in said if "fact" in text and "determine" not in text] == []
    assert sum("school determines" in text for text in said) == 4


def test_rules_that_schools_show_are_stated() -> None:
    """A rule that many schools show is one."""
    table = pupils(200, 1_200)
    table["fact 1"] = np.where(table["fact 0"] == "a", "x", table["fact 1"])
    assert '"fact 0" = a exactly when "fact 1" = x' in texts(table)


def test_lists_of_codes() -> None:
    """A rule that gives a number to each of many values is a list; one in which the values are numbers is none."""
    levels = tuple(str(k) for k in range(40))
    schema = Schema(
        (
            Column("firm", "category", tuple(f"f{k}" for k in range(40))),
            Column("hour", "category", levels, dtype="integer"),
            Column("time", "integer", lower=0, upper=10_000),
        )
    )
    codes = {f"firm=f{k}": 7 * k * k for k in range(40)} | {"time": -1}
    hours = {f"hour={k}": 100 * k for k in range(40)} | {"time": -1}
    rules = RuleSet.of(schema.variables, [(codes, "==", 0), (hours, "==", 0)])
    assert listed_codes(rules, schema).tolist() == [False, False]  # a person may state what they like
    mined = RuleSet.of_rows(schema.variables, rules.bordered, "mined", None, equality=True)
    assert listed_codes(mined, schema).tolist() == [True, False]


def test_numbers_keep_their_sign() -> None:
    """Numbers none of which is negative are at least 0, however far from it they are; few numbers show no sign."""
    values = np.random.default_rng(0).normal(100, 20, 400).round(2)
    assert any(text.startswith("weight from 0 to") for text in texts(pd.DataFrame({"weight": values})))
    assert not any(text.startswith("weight from 0 to") for text in texts(pd.DataFrame({"weight": values[:60]})))


def test_columns_that_say_the_same_are_said_once() -> None:
    """Of two names of a shop, only the first is part of a dependency on two columns."""
    rng = np.random.default_rng(0)
    shop, week = rng.integers(0, 5, 1_500), rng.integers(0, 60, 1_500)
    price = rng.integers(100, 900, (5, 60))[shop, week] / 100
    names = np.array(list("vwxyz"))[shop]
    table = pd.DataFrame({"shop": shop.astype(str), "town": names, "week": week, "price": price})
    assert [text for text in texts(table) if text.endswith("determine price")] == ["shop and week determine price"]


def test_identifiers_have_no_size() -> None:
    """Which numbers identify the rows of a value is no rule about their size."""
    rng = np.random.default_rng(0)
    number = rng.integers(0, 900, 1_500)
    kind = np.where(number < 300, "guest", np.where(rng.random(1_500) < 0.5, "member", "staff"))
    for name, stated in (("subject_id", False), ("dose", True)):
        said = texts(pd.DataFrame({name: number, "kind": kind}))
        assert any("guest" in text and name in text for text in said) == stated


def visits(patients: int, most: int = 3) -> pd.DataFrame:
    """Patients with up to three visits; what is known of each comes with every visit."""
    rng = np.random.default_rng(4)
    patient = np.repeat(np.arange(patients), rng.integers(1, most + 1, patients))
    known = {
        "centre": rng.integers(0, 8, patients).astype(str),
        "height": rng.normal(150, 20, patients).round(1),
        "weight": rng.normal(50, 15, patients).round(1),
        "treatment": rng.choice(["drug", "placebo"], patients),
    }
    visit = np.concatenate([np.arange(count) for count in np.bincount(patient)])
    spread = {name: values[patient] for name, values in known.items()}
    return pd.DataFrame({"patient": patient, "visit": visit, **spread})


def test_visits_of_a_patient_are_copies() -> None:
    """A patient's visits show what the patient decides, not that height and weight together would decide it."""
    said = {text for text in texts(visits(150)) if "determine" in text}
    assert said == {f"patient determines {name}" for name in ("centre", "height", "weight", "treatment")}


def test_prices_of_pairs_are_no_copies() -> None:
    """If things themselves repeat two columns, and a third with them, that is a dependency on two columns."""
    table = visits(900)
    rng = np.random.default_rng(5)
    table["ward"] = rng.integers(0, 6, 900).astype(str)[table["patient"]]
    price = rng.integers(10, 99, (8, 6))
    table["price"] = price[table["centre"].astype(int), table["ward"].astype(int)] / 4
    assert "centre and ward determine price" in texts(table)


def test_ranges_of_things_count_things() -> None:
    """Where each of 40 sites lies, and on which rock, says nothing of other sites, however many plants grow there."""
    rng = np.random.default_rng(3)
    rock, east = rng.choice(["gneiss", "magma"], 40), rng.integers(0, 500, 40)
    east[rock == "gneiss"] += 600
    site = np.tile(np.arange(40), 30)
    table = pd.DataFrame({"site": [f"s{k}" for k in site], "rock": rock[site], "east": east[site]})
    table["iron"] = rng.normal(5, 1, len(site)).round(2)
    said = texts(table)
    assert {"site determines rock", "site and east determine each other"} <= set(said)
    assert not [text for text in said if "rock" in text and "east" in text and "determine" not in text]


def test_a_further_column_does_not_make_a_rule_of_a_near_one() -> None:
    """If a second nearly always means one user, second and rating together do so by luck."""
    rng = np.random.default_rng(6)
    second = np.repeat(np.arange(2_000), 2)
    user = (second * 7_919 // 13 % 300).astype(int)
    user[1:40:4] += 1  # ten seconds have two users
    rating = rng.choice(list("abcdefgh"), len(second))
    rating[0:40:4], rating[1:40:4] = "a", "b"  # which the ratings tell apart
    table = pd.DataFrame({"second": second, "user": user, "rating": rating})
    assert "second and rating determine user" not in texts(table)


def test_a_key_is_said_once() -> None:
    """Of two columns that say the same, only the first is part of a key; what a key follows from is no key."""
    rng = np.random.default_rng(0)
    shop, week = np.divmod(rng.permutation(60 * 50), 50)
    table = pd.DataFrame({"shop": shop, "town": np.char.add("t", shop.astype(str)), "week": week})
    assert [text for text in texts(table) if "unique" in text] == ["shop and week are unique together"]
    table["sign"] = table["town"] + np.where(week < 25, "a", "b")  # each shop had two: sign and week are a key, too
    assert [text for text in texts(table) if "unique" in text] == ["shop and week are unique together"]


def test_identifiers_have_no_order() -> None:
    """That numbers lie below an identifier is no rule about them; two identifiers may be the ends of something."""
    rng = np.random.default_rng(0)
    low, high = np.sort(rng.integers(0, 900, (2, 1_500)), axis=0)
    ward = rng.choice(["north", "south"], 1_500)
    assert "size ≤ total" in texts(pd.DataFrame({"size": low, "total": high, "ward": ward}))
    assert "size ≤ visit_id" not in texts(pd.DataFrame({"size": low, "visit_id": high, "ward": ward}))
    assert "first_id ≤ last_id" in texts(pd.DataFrame({"first_id": low, "last_id": high, "ward": ward}))


def test_columns_that_are_missing_together_are_said_once() -> None:
    """Three columns of few values that are missing in the same rows take one sentence, not one for each two."""
    rng = np.random.default_rng(0)
    asked = rng.random(800) < 0.7
    answers = {f"answer {k}": np.where(asked, rng.choice(["yes", "no", "rather"], 800), None) for k in range(3)}
    table = pd.DataFrame({"ward": rng.choice(["north", "south"], 800), **answers})
    said = [text for text in texts(table) if "missing" in text]
    assert said == ['"answer 0", "answer 1" and "answer 2" are missing together']
