"""Quick runs of the benchmarks: their facts, not their times."""

from __future__ import annotations

import pytest

from benchmarks import related
from benchmarks.__main__ import TABLES, main
from benchmarks.native import comparison
from benchmarks.native.checkout import BASELINE, Checkout
from benchmarks.native.sudoku17 import PUBLISHED, seventeen_clues
from benchmarks.timing import MarkdownTable
from benchmarks.trace import traced
from unwritten.samples import sudoku


@pytest.mark.parametrize("name", [name for name in TABLES if name in ("mst7", "hmc", "growth", "groups")])
def test_engines_agree_and_proofs_hold(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Queries have the same values as one program of all rows, and no proven answer is wrong."""
    (table,) = main(["--quick", name])
    assert table.rows
    for row in table.rows:
        right, asked = row["same_values"].split(" of ")
        assert right == asked
        assert row["proven_but_wrong"] == 0
    assert table.title in capsys.readouterr().out


def test_probabilities_become_consistent() -> None:
    """Under forests of every shape, probabilities obey all rules in expectation."""
    (table,) = main(["--quick", "scorers"])
    assert len(table.rows) == 8
    assert all(row["worst_miss"] < 1e-5 for row in table.rows)


def test_losses_are_measured() -> None:
    """Each loss is timed on forests of every shape."""
    pytest.importorskip("torch")
    (table,) = main(["--quick", "losses"])
    assert len(table.rows) == 4
    assert all(row[f"{loss}_ms"] > 0 for row in table.rows for loss in ("CRFLoss", "FenchelYoungLoss", "SPOPlusLoss"))


def test_sudoku_table() -> None:
    """The mined rules have rank 249, imply all 324 rules, are sums of nine variables, and solve every puzzle."""
    (table,) = main(["--quick", "sudoku"])
    for row in table.rows:
        assert (row["rank"], row["true_rules_implied"], row["nine_ones"]) == (249, "324 of 324", True)
        assert row["solved"] == "20 of 20"


def test_checking_agrees_with_a_loop() -> None:
    """Checking finds damaged rows, the same ones as a plain Python loop over rows and rules."""
    (table,) = main(["--quick", "check"])
    for row in table.rows:
        right, asked = row["alike"].split(" of ")
        assert right == asked
        assert row["found"] > 0


def test_planted_rules_are_mined() -> None:
    """The three rules of the generated table are mined, and beside them only the ranges of amounts."""
    (table,) = main(["--quick", "memory"])
    (row,) = table.rows
    rules = row["rules"].split("; ")
    ranges = {rule for rule in rules if rule.startswith(("net from", "tax from", "gross from"))}
    engines = {f"engine = {k} requires trim ≥ 2" for k in (2, 3, 4)}
    sport = {rule for rule in rules if "sport" in rule}
    assert len(ranges) == 3 and len(sport) == 1
    assert set(rules) == {"gross = net + tax"} | engines | sport | ranges
    assert row["peak_gib"] < 2


def test_streams_and_workers_find_sudoku() -> None:
    """One pass, one worker and two workers mine the same rules: those of Sudoku."""
    (table,) = main(["--quick", "stream"])
    assert len(table.rows) == 3
    for row in table.rows:
        assert (row["rules"], row["rank"], row["true_rules_implied"]) == (249, 249, "324 of 324")


def test_wide_rules_are_mined() -> None:
    """All planted rules are mined from thousands of columns, and no others."""
    (table,) = main(["--quick", "wide"])
    for row in table.rows:
        assert row["found"] == row["planted"]
        assert row["others"] == 0


def test_calls_are_traced() -> None:
    """Every traced call enters files and functions of the library, and checking enters fewer than mining."""
    entered = {row["call"]: (row["files"], row["functions"]) for row in traced().rows}
    assert list(entered) == ["mine(array)", "mine(csv)", "check(csv)", "mine(dask)"]
    assert all(1 < files < functions for files, functions in entered.values())
    assert entered["check(csv)"] < entered["mine(csv)"]


def test_kernels_are_measured_without_a_baseline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a version to compare with, this one is measured, and a note says how to get the comparison."""
    monkeypatch.delenv(BASELINE, raising=False)
    (table,) = main(["--quick", "native"])
    assert {"unwritten mine small.csv, first / later", "Sudoku, 17 clues, engine"} <= {r["case"] for r in table.rows}
    assert all(row["old"] == "–" for row in table.rows)
    assert BASELINE in table.notes[0]


def test_versions_are_compared_in_turns() -> None:
    """This version beside itself has the same answers."""
    table, this = MarkdownTable("native"), Checkout.this()
    this.verify()
    comparison.add_case(table, "greedy", [this, this], quick=True)
    assert [row["same_answer"] for row in table.rows] == ["yes"]
    assert table.rows[0]["ratio"] > 0


def test_seventeen_clues() -> None:
    """Published puzzles and their images have 17 clues and one solution, and the images differ."""
    puzzles = seventeen_clues(2 * len(PUBLISHED), seed=0)
    assert len({puzzle.tobytes() for puzzle in puzzles}) == len(puzzles)
    for puzzle in (*map(sudoku.parse, PUBLISHED), *puzzles):
        assert (puzzle > 0).sum() == 17
        assert len(sudoku.solutions(puzzle)) == 1


def test_unknown_measurement_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """A wrong name exits with 2 and one sentence that lists the right names."""
    with pytest.raises(SystemExit) as error:
        main(["nonsense"])
    assert error.value.code == 2
    assert "there is no measurement 'nonsense': use sudoku, mst7" in capsys.readouterr().err


def test_help_describes_every_measurement(capsys: pytest.CaptureFixture[str]) -> None:
    """`python -m benchmarks --help` has a line for each measurement."""
    with pytest.raises(SystemExit):
        main(["--help"])
    text = capsys.readouterr().out
    assert all(f"\n  {name} " in text for name in TABLES)


def test_related_tables_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Generated tables have rules or facts, of which none is given up, and pairs that a plain scan finds."""
    monkeypatch.setattr(related, "MAKERS", {make: related.MAKERS[make] for make in (related.standings, related.polls)})
    (table,) = main(["--quick", "related"])
    assert len(table.rows) == 2
    assert all(row["rules"] + row["facts"] and row["decided_pairs"] and not row["given_up"] for row in table.rows)
