"""The comparison on public tables: damage is what it says, and the quick form runs without the network."""

from __future__ import annotations

import json
import runpy
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from benchmarks import real_listed, real_tables
from benchmarks.real import drawn
from benchmarks.real.damage import WAYS, prepared
from benchmarks.real.datasets import BY_NAME, TABLES, order, total
from benchmarks.real.environment import SCRATCH, Scratch
from benchmarks.real.measure import judged
from unwritten.samples.sample_tables import sample_csv

RESULTS = runpy.run_path(str(Path(__file__).parent.parent / "docs" / "results.py"))


def read(path: Path) -> pd.DataFrame:
    """A file as texts."""
    return pd.read_csv(path, dtype=str, keep_default_na=False, na_values=[])


def test_one_cell_is_damaged_in_each_chosen_row(tmp_path: Path) -> None:
    """Swapped values are those of other rows, typos are new, shifts break the sum; all other cells stay."""
    path = tmp_path / "orders.csv"
    path.write_text(sample_csv("orders", rows=400), encoding="utf-8")
    places = prepared(path, tmp_path / "split", total("gross", net=1.0, tax=1.0), seed=0)
    whole, held, train = read(path), read(tmp_path / "split/held-out.csv"), read(tmp_path / "split/train.csv")
    assert (len(train), len(held)) == (280, 120)
    assert sorted([*train["order_id"], *held["order_id"]]) == sorted(whole["order_id"])
    for way in WAYS:
        damaged = read(tmp_path / f"split/{way}.csv")
        changed = (damaged != held).to_numpy()
        assert np.flatnonzero(changed.any(axis=1)).tolist() == places[way] == list(range(120))
        assert (changed.sum(axis=1) == 1).all()
        for row, column in np.argwhere(changed):
            known = (held if way == "swap" else whole).iloc[:, column].tolist()
            if way != "shift":
                assert (damaged.iat[row, column] in known) == (way == "swap")
        if way == "shift":
            cents = damaged[["net", "tax", "gross"]].astype(float).mul(100).round().astype(int)
            assert (cents["gross"] != cents["net"] + cents["tax"]).all()
    again = prepared(path, tmp_path / "again", total("gross", net=1.0, tax=1.0), seed=0)
    assert again == places
    assert read(tmp_path / "again/typo.csv").equals(read(tmp_path / "split/typo.csv"))


def test_a_false_declaration_is_refused(tmp_path: Path) -> None:
    """A sum or order that some row breaks is an error, and a table without one has no shifted rows."""
    path = tmp_path / "shifts.csv"
    path.write_text(sample_csv("shifts", rows=60), encoding="utf-8")
    with pytest.raises(ValueError, match="shifts breaks"):
        prepared(path, tmp_path / "split", order("end", "start"), seed=0)
    assert prepared(path, tmp_path / "split", (), seed=0)["shift"] == []


def test_only_new_alarms_count_as_noticed() -> None:
    """A row that raised an alarm before it was damaged is a false alarm, and not noticed."""
    alarms = {"held-out": [0, 1], "swap": [0, 2], "typo": [2, 3], "shift": []}
    raw = {"seconds": 1, "check_seconds": 1, "peak_gib": 1, "rules": 3, "alarms": alarms, "rule_alarms": alarms}
    outcome = judged(raw, {"swap": [0, 2], "typo": [2, 3], "shift": []}, held_out=10)
    assert outcome.noticed == {"swap": 0.5, "typo": 1.0, "shift": None}
    assert outcome.false_alarms == 0.2
    assert outcome.spill == 0
    raw["alarms"] = alarms | {"typo": [2, 3, 5]}
    assert judged(raw, {"typo": [2, 3]}, held_out=10).spill == 0.1


def test_the_twelve_tables_are_declared() -> None:
    """The default is the twelve tables, and names are unique."""
    assert len(TABLES) == 12
    assert len(BY_NAME) == len({table.name for table in BY_NAME.values()}) > 12


def test_the_quick_comparison_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a scratch environment a sample table is split, damaged, mined and checked; results can be written."""
    monkeypatch.setattr(real_tables, "GENERATED", {"shifts": real_tables.GENERATED["shifts"]})
    scratch = SCRATCH if Scratch(SCRATCH).has(real_tables.QUICK) else tmp_path
    comparison = real_tables.main(["--quick", "--scratch", str(scratch), "--out", str(tmp_path)])
    tables = len(comparison.outcomes)
    assert tables == (1 if scratch == tmp_path else len(real_tables.QUICK))
    for outcome in comparison.outcomes.values():
        assert not outcome.refused
        assert outcome.noticed is not None
        assert outcome.false_alarms is not None and 0 <= outcome.false_alarms <= 1
    assert max((o.noticed or {})["typo"] or 0 for o in comparison.outcomes.values()) > 0.3
    assert f"most damage noticed on {tables} of {tables} tables" in capsys.readouterr().out
    written = json.loads((tmp_path / "real-tables" / "results.json").read_text(encoding="utf-8"))
    page = RESULTS["rendered"](written, RESULTS["_wide"](written["rows"]))
    assert "`python -m benchmarks.real_tables --quick --seed 0`: " in page


def test_listed_rules_are_looked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The sum of an invoice is found beside two dates; the tables of all other rules can be made."""
    assert {rule.table for rule in real_listed.LISTED} - set(BY_NAME) == {real_listed.INVOICES}
    real_listed.main([real_listed.INVOICES, "--out", str(tmp_path)])
    assert "gross = net + tax\n1 of 1 rules found" in capsys.readouterr().out
    written = json.loads((tmp_path / "real-listed" / "results.json").read_text(encoding="utf-8"))
    assert [row["ours"] for row in written["rows"] if row["measure"] == "found"] == [1.0]
    with pytest.raises(SystemExit):
        real_listed.main(["titanic"])


def test_tables_are_drawn_by_a_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seed draws the same tables again, of moderate size, and none that was chosen or read before."""
    listed = [["p", f"t{k}", 500, 6] for k in range(40)]
    listed += [["p", "short", 20, 6], ["p", "OJ", 500, 6], ["dplyr", "storms", 500, 6]]
    done = subprocess.CompletedProcess([], 0, stdout=json.dumps(listed))
    monkeypatch.setattr(drawn.subprocess, "run", lambda *_, **__: done)
    chosen = [[table.name for table in drawn.drawn_tables(Scratch(), 40, seed)] for seed in (1, 1, 2)]
    assert chosen[0] == chosen[1] != chosen[2]
    assert set(chosen[0]) == set(chosen[2]) == {f"t{k}" for k in range(40)}


def test_wrong_names_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """A table or tool that there is not exits with 2."""
    with pytest.raises(SystemExit) as error:
        real_tables.main(["titanic"])
    assert error.value.code == 2
    assert "there is no 'titanic': use flights, weather" in capsys.readouterr().err
