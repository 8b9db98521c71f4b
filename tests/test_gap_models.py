"""Models with gaps: asked, checked, explained, compared, edited, saved and reported."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import unwritten
from mining.gaps.gap_cases import colourings, machine
from unwritten.cli.app import app
from unwritten.data import IntArray
from unwritten.errors import DataError
from unwritten.rules import Gaps
from unwritten.solving import Status

SENTENCES = (
    "a ≠ b",
    "all different: a, b, c",
    "all different: a, b + 1, c + 2",
    "|b - c| != 2",
    "c + 2 <= d or d + 3 <= c",
    "a + 1 ≠ d",
    "all differences differ: a, c, d",
    "a + b + d <= 7",
    "b + 2 >= d",
)


def model_of(sentences: list[str]) -> unwritten.Model:
    """A model of given rules over four numbers from −1 to 4, with one label that it has seen."""
    labels = every_label()
    known = unwritten.mine(labels[:2], rules=[], names=list("abcd"), bounds=(-1, 4)).with_rules(sentences)
    fine = labels[known.check(labels).feasible]
    return unwritten.mine(fine[[0, -1]], rules=[], names=list("abcd"), bounds=(-1, 4), prior=sentences)


def every_label() -> IntArray:
    return np.array(list(product(range(-1, 5), repeat=4)), np.int64)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("engine", ["auto", "lazy", "monolithic", "explicit"])
def test_decide_as_by_brute_force(engine: str, seed: int) -> None:
    """Every engine that takes gaps finds the best of all labels that obey them."""
    rng = np.random.default_rng(seed)
    model = model_of([SENTENCES[k] for k in rng.permutation(len(SENTENCES))[:4]])
    labels = every_label()
    fine = labels[model.check(labels).feasible]
    weights = rng.integers(-5, 6, (4, 4))
    decisions = model.decide(weights, engine=engine)
    assert (decisions.status == Status.OPTIMAL).all()
    assert decisions.values.tolist() == (weights @ fine.T).max(axis=1).tolist()
    assert model.check(decisions.labels).feasible.all()
    assert model.labels().tolist() == fine.tolist()


def test_wide_bounds_use_big_rows() -> None:
    """Variables of many values get one 0/1 variable per gap, and answers stay exact."""
    names, rng = ["x", "y"], np.random.default_rng(1)
    model = unwritten.mine(
        [[0, 50], [800, 0]],
        rules=[],
        names=names,
        bounds=(0, 1000),
        prior=["x + 40 <= y or y + 7 <= x", "x + y <= 900"],
    )
    assert model.program.latents == 1
    for weights in rng.integers(1, 9, (6, 2)):
        best = max(
            int(weights @ (x, y))
            for x in range(0, 901)
            for y in (900 - x, min(900 - x, x - 7))
            if y >= 0 and (x + 40 <= y or y + 7 <= x)
        )
        assert model.decide([weights]).values[0] == best


def test_best_first_is_refused() -> None:
    """An engine that cannot obey gaps says so."""
    with pytest.raises(DataError, match="gaps"):
        model_of(["a ≠ b"]).decide([[1, 1, 1, 1]], engine="best-first")


def test_clashing_rules_are_named_in_words() -> None:
    """If nothing is allowed, the gap is named, and no row that stands for it."""
    model = model_of(["a ≠ b"]).with_rules(["a = b"])
    assert set(model.decide([[1, 0, 0, 0]]).clash) == {"a = b", "a ≠ b"}


def test_mined_gaps_prove_by_rules_only() -> None:
    """An answer that rests on a mined gap is not proven by the data."""
    model = unwritten.mine(colourings(400), bounds=(0, 3))
    best = model.seen[np.argmax(model.seen @ np.arange(1, 9))]
    weights = np.where(best > 1, 1, -1)
    decisions = model.decide([weights])
    assert decisions.proof[0] in (None, "rules")


def test_check_names_the_gap() -> None:
    """A label that breaks a gap is reported under its sentence, within the seen range and beyond it."""
    model = unwritten.mine(machine(500), names=["a", "b", "c"])
    checked = model.check([[0, 2, 9], [0, 3, 9], [100, 200, 203], [100, 200, 204]])
    assert checked.feasible.tolist() == [False, True, False, True]
    assert [str(rule) for rule in checked.broken(0)] == ["a + 3 ≤ b or b + 4 ≤ a"]
    assert checked.problems(2) == ["b + 4 ≤ c or c + 2 ≤ b"]
    assert "1 label: a + 3 ≤ b or b + 4 ≤ a" in checked.summary()
    assert checked.to_frame().num_rows == 2


def test_explain() -> None:
    """The broken gap, and a change that mends it; values beyond the seen range are allowed."""
    model = unwritten.mine(machine(500), names=["a", "b", "c"])
    explained = model.explain([0, 2, 9])
    assert [sentence.text for sentence in explained.broken] == ["a + 3 ≤ b or b + 4 ≤ a"]
    assert len(explained.repairs[0].changes) == 1
    both = model.explain([5, 5, 5])
    assert not both.feasible
    assert both.repairs


def test_sentences_and_summary() -> None:
    """print(model) shows gaps as sentences, and nothing of the rows behind them."""
    model = unwritten.mine(colourings(400))
    assert {s.text for s in model.sentences if s.gaps} == {gap.text for gap in model.gaps}
    text = str(model)
    assert f"{len(model.gaps)} of them not linear (model.gaps)" in text
    assert "all different: y0, y1, y2" in text
    assert "[" not in text
    assert len({s.id for s in model.sentences}) == len(model.sentences)


def test_save_and_load(tmp_path: Path) -> None:
    """A saved model is the same model, with its gaps, their evidence, and those that were dropped."""
    model = unwritten.mine(colourings(400))
    edited = model.without([model.sentences[0].id]).pinned([model.sentences[1].id])
    for each in (model, edited):
        each.save(tmp_path / "model.rules")
        assert unwritten.load(tmp_path / "model.rules") == each
    assert edited != model


def test_edits() -> None:
    """Gaps are dropped, confirmed and given like other rules, and edits are carried over to a newer model."""
    model = unwritten.mine(colourings(400))
    first = model.sentences[0]
    dropped = model.without([first.id])
    assert len(dropped.gaps) == len(model.gaps) - 1
    assert dropped.with_rules(["y0 ≠ y7"]).gaps[-1].origin == "given"
    pinned = model.pinned([first.id])
    assert [gap.origin for gap in pinned.gaps].count("given") == 1
    newer = unwritten.mine(colourings(500, seed=1))
    assert (
        newer.with_edits_from(dropped).gaps == newer.gaps[[k for k, g in enumerate(newer.gaps) if g.text != first.text]]
    )
    merged = newer.with_edits_from(pinned.with_rules(["y0 ≠ y7"]))
    assert {gap.text for gap in merged.gaps if gap.origin == "given"} == {first.text, "y0 ≠ y7"}
    assert len(merged.gaps) == len(newer.gaps) + 1


def test_prior() -> None:
    """Known gaps are stated, implied ones are not mined again, and labels that break one are refused."""
    labels = colourings(400)
    model = unwritten.mine(labels, prior=["all different: y0, y1, y2"])
    assert model.gaps[0].origin == "given"
    assert sum("y0, y1, y2" in gap.text for gap in model.gaps) == 1
    with pytest.raises(DataError, match="break the prior row"):
        unwritten.mine(labels, prior=["y0 ≠ y7"])


def test_diff() -> None:
    """Gaps that only one model states are gained, or not shown again, or lost if rows break them; implied ones not."""
    labels = colourings(400)
    old, new = unwritten.mine(labels), unwritten.mine(labels, rules=[], prior=["y0 ≠ y1"])
    difference = old.diff(new)
    assert not difference.gained
    assert len(difference.unshown) == len(old.gaps)
    assert not difference.lost
    other = unwritten.mine(np.random.default_rng(0).integers(0, 3, labels.shape), rules=[])
    assert len(old.diff(other).lost) == len(old.gaps)
    assert [s.text for s in new.diff(old).gained] == [s.text for s in old.sentences if s.gaps]
    assert old.diff(old).same


def test_report() -> None:
    """The page shows each gap as a rule."""
    model = unwritten.mine(colourings(400))
    page = model.report(examples=colourings(400))
    assert "all different: y0, y1, y2" in page
    assert "not equal" in page


def test_models_without_gaps() -> None:
    """A model without gaps has an empty set of them."""
    model = unwritten.mine([[1, 0], [0, 1]] * 40)
    assert model.gaps == Gaps(model.variables)
    assert model.program.gap_latents == 0


def test_tables(tmp_path: Path) -> None:
    """Integer columns of a table: mined, checked row by row, explained, and printed by the command line."""
    frame = pd.DataFrame(machine(500), columns=["cut", "drill", "paint it"])
    frame["shift"] = np.random.default_rng(0).choice(["early", "late"], len(frame))
    types = dict.fromkeys(["cut", "drill", "paint it"], "integer")
    model = unwritten.mine(frame, types=types)
    texts = {sentence.text for sentence in model.sentences}
    assert 'cut + 3 ≤ "paint it" or "paint it" + 2 ≤ cut' in texts
    bad = pd.DataFrame([{"cut": 0, "drill": 8, "paint it": 1, "shift": "late"}, dict(frame.iloc[0])])
    checked = model.check(bad)
    assert checked.feasible.tolist() == [False, True]
    assert checked.findings[0].texts == ('cut + 3 ≤ "paint it" or "paint it" + 2 ≤ cut',)
    assert model.explain(bad.iloc[0]).broken[0].columns == ("cut", "paint it")
    again = unwritten.mine(frame, types=types, rules=[], prior=sorted(text for text in texts if " or " in text))
    assert {sentence.text for sentence in again.sentences} == {text for text in texts if " or " in text}
    model.save(tmp_path / "m.rules")
    shown = CliRunner().invoke(app, ["rules", str(tmp_path / "m.rules"), "--json", "--kind", "either-or"])
    assert {entry["text"] for entry in json.loads(shown.stdout)} == {text for text in texts if " or " in text}


@pytest.mark.parametrize(
    "change",
    [
        {"numbers": [0.5, 0]},
        {"kind": "apart"},
        {"variables": ["y0", "nobody"]},
        {"origin": "habit"},
        {"numbers": [2**60, 0]},
        {"evidence": [1]},
    ],
)
def test_damaged_files(change: dict[str, object]) -> None:
    """A file whose gaps are not whole is refused."""
    from unwritten.model.state import pack, unpack

    header, arrays = pack(unwritten.mine(colourings(400)))
    header["gaps"][-1] |= change
    with pytest.raises(unwritten.errors.FormatError):
        unpack(header, arrays)
