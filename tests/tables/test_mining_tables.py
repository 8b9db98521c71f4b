"""Mining tables: sentences, samples that are verified on all rows, saved models and edits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import unwritten
from table_helpers import trips
from unwritten import budgets
from unwritten.building.despite_noise import _surest_first
from unwritten.errors import DataError, FormatError
from unwritten.formats import read_archive, write_archive
from unwritten.rules import RuleSet
from unwritten.rules.rule import Evidence
from unwritten.samples import sudoku
from unwritten.tables import Table
from unwritten.tally import Tally
from unwritten.tally.pile import Pile


def texts(model: unwritten.Model) -> set[str]:
    return {sentence.text for sentence in model.sentences}


def test_rules_of_trips_in_words() -> None:
    """A sum over small numbers is one sentence, though it is mined from one-hot columns, and so is a requirement."""
    assert texts(unwritten.mine(Table.of(trips(400)))) == {
        "seats = adults + children",
        "visa = yes requires kind = air",
    }


def test_cells_of_a_grid_all_differ() -> None:
    """81 columns of digits: 100 grids give the 27 sentences of Sudoku and nothing else."""
    grids = np.asarray(sudoku.grids(100, 0)).reshape(-1, 81)
    model = unwritten.mine(Table.of(pa.table({f"r{k // 9 + 1}c{k % 9 + 1}": grids[:, k] for k in range(81)})))
    assert {sentence.kind for sentence in model.sentences} == {"all-different"}
    assert len(model.sentences) == 27
    assert {len(sentence.columns) for sentence in model.sentences} == {9}


def test_a_sampled_table_gives_verified_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """If only a sample of the rows is stored, every rule is verified on all rows, and a note of the model says so."""
    table = trips(3_000)
    rare = pa.table({"adults": [1], "children": [0], "seats": [1], "kind": ["rail"], "visa": ["yes"]})
    rare = rare.cast(table.schema)
    whole = unwritten.mine(Table.of(table))
    monkeypatch.setattr(budgets, "KEPT_LABEL_ENTRIES", 1_000)
    sampled = unwritten.mine(Table.of(table))
    assert texts(sampled) == texts(whole)
    assert len(sampled.seen) < len(whole.seen)
    assert sampled.examples == 3_000
    assert any("fair sample" in note for note in sampled.notes)
    broken = unwritten.mine(Table.of(pa.concat_tables([table, rare])))
    assert "visa = yes requires kind = air" not in texts(broken)


def test_the_sample_does_not_depend_on_blocks() -> None:
    """The tally depends neither on the order of the rows nor on how they are cut into blocks, thinned or not."""
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, (4_000, 5))
    whole = Tally.of(labels, 400)
    assert whole.thinned > 0
    assert whole.seen.size <= 400
    for blocks in (np.array_split(labels[::-1], 7), np.array_split(labels, 31)):
        pile = Pile(400)
        for block in blocks:
            pile.add(block)
        assert pile.total() == whole
    counts = {
        tuple(row): n
        for row, n in zip(*(part.tolist() for part in np.unique(labels, axis=0, return_counts=True)), strict=True)
    }
    assert all(counts[tuple(row)] == n for row, n in zip(whole.seen.tolist(), whole.counts.tolist(), strict=True))


def test_noise_and_weights_of_tables() -> None:
    """A noisy table names its suspects by row, and weights by variable give cuts."""
    table = trips(400).to_pydict()
    table["visa"][7], table["kind"][7] = "yes", "bus"
    model = unwritten.mine(Table.of(pa.table(table)), noise=0.01)
    assert 7 in model.suspects.tolist()
    assert any("noisy" in text for text in texts(model))
    small = Table.of(pa.table({"a": ["x", "y", "x", "y"], "b": ["p", "q", "p", "q"]}))
    cuts = unwritten.mine(small, np.array([[2, 1, 3, 1], [1, 2, 1, 3]] * 2, float))
    assert len(cuts.cuts) == 4
    with pytest.raises(DataError, match="names and bounds of its own"):
        unwritten.mine(small, names=["a", "b", "c", "d"])


def test_prior_sentences() -> None:
    """Prior rules can be given as sentences; a sentence that the rows break is refused."""
    model = unwritten.mine(Table.of(trips(400)), prior=["visa = yes requires kind = air"])
    (given,) = [s for s in model.sentences if s.origin == "given"]
    assert given.text == "visa = yes requires kind = air"
    with pytest.raises(DataError, match="break the prior row"):
        unwritten.mine(Table.of(trips(400)), prior=["kind = air requires visa = yes"])


def test_edits_remember_who_decided(tmp_path: Path) -> None:
    """Dropped, pinned and added rules survive saving, and mining again."""
    model = unwritten.mine(Table.of(trips(400)))
    names = {sentence.text: sentence.id for sentence in model.sentences}
    edited = (
        model.pinned([names["seats = adults + children"]])
        .with_rules(["kind = bus requires children in {0, 1, 2}"])
        .without([names["visa = yes requires kind = air"][:4]])
    )
    edited.save(tmp_path / "m.rules")
    again = unwritten.load(tmp_path / "m.rules")
    assert again == edited
    assert {s.text: s.origin for s in again.sentences} == {
        "seats = adults + children": "given",
        "children = 3 requires kind ∈ {air, rail}": "given",
    }
    assert len(again.dropped) == 1
    fresh = unwritten.mine(Table.of(trips(500, 1))).with_edits_from(again)
    assert {s.text: s.origin for s in fresh.sentences} == {s.text: s.origin for s in again.sentences}
    assert fresh.dropped == again.dropped
    for ids, words in ((["zzzzzz"], "no rule has"), ([""], "no rule has"), ("abc", "must be a list")):
        with pytest.raises(DataError, match=words):
            model.without(ids)


def test_a_saved_table_model_is_whole(tmp_path: Path) -> None:
    """The schema, the source and the counts survive saving; damaged ones are refused."""
    model = unwritten.mine(Table.of(trips(300)))
    model.save(tmp_path / "m.rules")
    back = unwritten.load(tmp_path / "m.rules")
    assert back == model
    assert back.schema == model.schema
    assert back.sentences == model.sentences
    assert back.about["rows"] == 300
    header, arrays = read_archive(tmp_path / "m.rules")
    for change in (
        {"schema": [{"name": "x"}]},
        {"schema": header["schema"][1:]},
        {"about": 5},
        {"total": 3},
        {"dropped": [[{"nope": 1}, "<=", 1]]},
    ):
        write_archive(tmp_path / "bad.rules", header | change, arrays)
        with pytest.raises(FormatError):
            unwritten.load(tmp_path / "bad.rules")


def test_mining_is_deterministic() -> None:
    """The same table gives the same model from every kind of frame."""
    table = trips(300)
    assert unwritten.mine(Table.of(table)).sentences == unwritten.mine(Table.of(table.to_pandas())).sentences


def test_a_column_of_huge_numbers_has_no_variables() -> None:
    """Keys whose squares do not fit into 64 bits are left out by name, and the other columns are mined."""
    rows = {"key": (np.arange(400) * 7_919 + 273_026_452).tolist(), "size": ["S", "M"] * 200, "seats": [2, 5] * 200}
    model = unwritten.mine(Table.of(pa.table(rows)))
    assert any("column key (integer)" in note and "64 bits" in note for note in model.notes)
    assert texts(model)


def test_a_table_without_variables_is_mined(tmp_path: Path) -> None:
    """A table of numbers with fractions alone gives a model, which is saved, loaded and checked."""
    rng = np.random.default_rng(0)
    table = pa.table({"x": rng.normal(size=200), "y": rng.normal(size=200)})
    model = unwritten.mine(table)
    assert (len(model.variables), model.examples) == (0, 200)
    assert {sentence.kind for sentence in model.sentences} == {"range", "never-missing"}
    model.save(tmp_path / "m.rules")
    assert unwritten.load(tmp_path / "m.rules") == model
    assert model.check(table).feasible.all()


def flawed_trips(seed: int) -> tuple[pa.Table, set[int]]:
    """Trips with 12 errors, among columns with rare values."""
    rng, n = np.random.default_rng(seed), 3_000
    cells = {name: values.to_numpy(zero_copy_only=False).copy() for name, values in zip_columns(trips(n, seed))}
    wrong = rng.choice(n, 12, replace=False)
    cells["seats"][wrong[:6]] += rng.choice([-1, 1, 2], 6)
    cells["kind"][wrong[6:]], cells["visa"][wrong[6:]] = "bus", "yes"
    for k in range(5):
        cells[f"x{k}"] = rng.choice([f"v{j}" for j in range(12)], n, p=rng.dirichlet(np.full(12, 0.4)))
    return pa.table(cells), set(wrong.tolist())


def zip_columns(table: pa.Table) -> list[tuple[str, pa.ChunkedArray]]:
    return list(zip(table.column_names, table.columns, strict=True))


@pytest.mark.parametrize("seed", [5, 6])
def test_planted_errors_are_the_first_suspects(seed: int) -> None:
    """Twelve planted errors, in a sum and in a rule about two columns, are the suspects; "auto" names no other row."""
    table, wrong = flawed_trips(seed)
    assert wrong == set(unwritten.mine(table, noise=0.02).suspects.tolist())
    guessed = set(unwritten.mine(table, noise="auto").suspects.tolist())
    assert guessed <= wrong
    assert len(guessed) >= 6


def test_suspects_come_in_order_of_evidence() -> None:
    """One exception to a rule comes before many exceptions to another one with as much evidence."""
    evidence = Evidence(300, 3, chance=0.5, price=5.0)
    rows = [({"a": 1, "b": 1}, "<=", 1), ({"a": 1, "c": 1}, "<=", 1)]
    variables = unwritten.mine([[0, 1, 0], [1, 0, 1]], names=["a", "b", "c"]).variables
    rules = replace(RuleSet.of(variables, rows), evidence=(evidence, evidence))
    broken = np.zeros((300, 2), bool)
    broken[[3, 5, 9], 0], broken[[5, 200], 1] = True, True
    suspect = broken.any(axis=1)
    suspect[100] = True  # for another reason than a rule
    assert _surest_first(suspect, broken, rules).tolist() == [100, 5, 200, 3, 9]


def test_rows_of_a_sample_are_counted_not_estimated(tmp_path: Path) -> None:
    """The rows of a rule are those of the whole table that it speaks of, though only a sample of rows was kept."""
    table = trips(20_000).append_column("x", pa.array(np.random.default_rng(0).integers(0, 10**6, 20_000)))
    model = unwritten.mine(table, most_kept=20_000)
    assert model.counts.sum() < 2_000
    support = {sentence.text: sentence.support for sentence in model.sentences}
    assert support["visa = yes requires kind = air"] == table["visa"].to_pylist().count("yes")
    assert support["seats = adults + children"] == 20_000
    model.save(tmp_path / "trips.rules")
    loaded = unwritten.load(tmp_path / "trips.rules")
    assert loaded == model
    assert loaded.sentences == model.sentences
