"""A quick run of the calibration, and its parts: laws, families, tables, and the tests of rules on fresh labels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import unwritten
from experiments.calibration.draws import with_company
from experiments.calibration.families import FAMILIES
from experiments.calibration.law_runs import ALL_LAWS
from experiments.calibration.laws import DEPENDENT_ROWS, LAWS
from experiments.calibration.outcomes import Outcome, outcomes, try_rules
from experiments.calibration.reliability import bins_of, table_outcomes
from experiments.calibration.run import ABOVE, BAD, FAMILY_BINS, MODELS, TABLE_BINS, run
from experiments.parallel import run_each
from experiments.result import Result, RunContext

pytest.importorskip("matplotlib")


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("calibration")


@pytest.fixture(scope="module")
def result(out: Path) -> Result:
    return run(RunContext(out=out, quick=True))


def test_bounds_hold_in_laws_without_rules(result: Result) -> None:
    """Where rows are independent, hardly any run has a rule that breaks more often than its bound allows."""
    for model in MODELS:
        above = [name for name in LAWS if name not in DEPENDENT_ROWS and result.ours(name, model, ABOVE)]
        assert len(above) <= 2


def test_laws_without_rules_give_hardly_any(result: Result) -> None:
    """Of one run of each law, with and without noise, few state a rule that over 1 % of fresh labels break."""
    bad = [(name, model) for name in ALL_LAWS for model in MODELS if result.ours(name, model, BAD)]
    assert len(bad) <= 0.1 * len(ALL_LAWS) * len(MODELS)
    assert len(LAWS) >= 15


def test_most_rules_hold(result: Result) -> None:
    """Families give rules, and most rules of families and of the tables of scikit-learn hold on fresh labels."""
    for case, least in ((FAMILY_BINS, 50), (TABLE_BINS, 0)):
        facts = result.facts[case]
        assert sum(each["rules"] for each in facts["bins"]) == facts["rules"] >= least
        assert sum(broken for _, broken in facts["by source"].values()) <= 0.1 * facts["rules"]
    assert {"iris", "wine", "breast cancer", "digits"} <= set(result.facts["real tables, read"])


def test_few_examples_are_enough(result: Result) -> None:
    """The trees of 7 nodes from 200; `test_few` has Sudoku from 80 grids."""
    power = result.facts["power"]
    assert power["7 nodes, 200 examples, auto, labels alone"]["EM"] == [100.0]


def test_the_figures_are_drawn(result: Result, out: Path) -> None:
    """Both figures are saved."""
    assert result.figures == ["calibration-laws", "calibration-reliability"]
    assert all((out / f"{name}.svg").stat().st_size > 1_000 for name in result.figures)


@pytest.mark.parametrize("name", FAMILIES)
def test_families_are_drawn_alike_and_vary(name: str) -> None:
    """The same seed gives the same labels; labels differ, and another problem of the family is another one."""
    labels = [FAMILIES[name](np.random.default_rng(seed))(60, np.random.default_rng(5)) for seed in (1, 1, 2)]
    assert np.array_equal(labels[0], labels[1])
    assert len(np.unique(labels[0], axis=0)) > 5
    assert labels[0].shape != labels[2].shape or not np.array_equal(labels[0], labels[2])


def test_families_keep_their_rules() -> None:
    """What each of some families promises holds on every label."""
    rng = np.random.default_rng(3)
    assert len(np.unique(FAMILIES["k of n"](rng)(500, rng).sum(axis=1))) == 1
    jobs = FAMILIES["assignments"](rng)(500, rng)
    size = round(jobs.shape[1] ** 0.5)
    assert (jobs.reshape(-1, size, size).sum(axis=1) == 1).all() and (
        jobs.reshape(-1, size, size).sum(axis=2) == 1
    ).all()
    made, sold, stock = np.moveaxis(FAMILIES["stocks"](rng)(500, rng).reshape(500, -1, 3), 2, 0)
    assert (stock[:, 1:] == stock[:, :-1] + made[:, 1:] - sold[:, 1:]).all() and (stock >= 0).all()
    places = FAMILIES["orders"](rng)(500, rng)
    assert (np.sort(places, axis=1) == np.arange(1, places.shape[1] + 1)).all()


def test_company_breaks_no_rule_and_follows() -> None:
    """The added columns mostly follow another column, and the label itself is unchanged."""
    draw = with_company(lambda n, r: r.integers(0, 2, (n, 3)), 4, np.random.default_rng(0))
    labels = draw(4_000, np.random.default_rng(1))
    assert labels.shape == (4_000, 7)
    agree = np.array([[np.mean(labels[:, k] == labels[:, j]) for j in range(3)] for k in range(3, 7)])
    assert (agree.max(axis=1) > 0.88).all() and (agree.max(axis=1) < 1).all()


def test_rules_are_tested_exactly() -> None:
    """Counts agree with those of the library, and labels with an unknown value test no rule on it."""
    rng = np.random.default_rng(0)
    rules = unwritten.RuleSet.of(
        unwritten.Variables.named(["a", "b", "c"]), [([1, 1, 0], "<=", 1), ([1, 0, -1], "==", 0)]
    )
    labels = rng.integers(0, 2, (1_000, 3))
    trial = try_rules(rules, labels)
    broken = rules.violations(labels)
    assert trial.broken.tolist() == broken.sum(axis=0).tolist() and trial.tested.tolist() == [1_000, 1_000]
    assert trial.lost == broken.any(axis=1).sum()
    unknown = np.zeros(labels.shape, bool)
    unknown[:400, 1] = True
    trial = try_rules(rules, labels, unknown)
    assert trial.tested.tolist() == [600, 1_000]
    assert trial.broken.tolist() == [broken[400:, 0].sum(), broken[:, 1].sum()]


def test_bounds_and_bins() -> None:
    """A bound is exceeded only if chance does not explain it; a bin counts rules, and sources alike."""

    def outcome(source: str, broken: int, confidence: float = 0.999, bound: float = 0.01) -> Outcome:
        return Outcome(source, 100, "sum", "a = b", confidence, bound, 10_000, broken)

    assert [outcome("a", broken).exceeds_bound for broken in (0, 100, 110, 200)] == [False, False, False, True]
    (low, high) = bins_of([outcome("a", 0), outcome("a", 0), outcome("a", 0), outcome("b", 3), outcome("a", 1, 0.96)])
    assert (low.name, low.rules, low.observed) == ("0.95 to 0.97", 1, 0.0)
    assert (high.name, high.rules, high.observed, high.observed_by_source) == ("0.999 and more", 4, 0.75, 0.5)


def test_values_that_were_never_mined_break_no_rule() -> None:
    """A new value in the rows held out is not held against the rules on its column."""
    size = ["small", "large"] * 200
    table = pa.table({"size": size, "crew": ["one" if each == "small" else "two" for each in size]})
    order = np.random.default_rng([7, *b"ships"]).permutation(401)
    late = int(order[-1])  # this row is held out
    strange = pa.table({"size": ["huge"], "crew": ["three"]})
    table = pa.concat_tables([table.slice(0, late), strange, table.slice(late)])
    found = table_outcomes("ships", table, 200, (7,))
    assert found and all(each.holds and each.tested == 200 for each in found)


def test_processes_keep_the_order(tmp_path: Path) -> None:
    """A full run uses all processors and returns what a quick one does."""
    arguments = [(k, 2) for k in range(6)]
    contexts = (RunContext(out=tmp_path, quick=quick) for quick in (True, False))
    assert [run_each(context, "powers", pow, arguments) for context in contexts] == [[0, 1, 4, 9, 16, 25]] * 2


def test_a_matroid_counts_as_a_rule() -> None:
    """What a model says without rows is tested too."""
    rng = np.random.default_rng(0)
    draw = FAMILIES["spanning trees"](np.random.default_rng(0))
    model = unwritten.mine(draw(500, rng))
    kinds = {each.kind for each in outcomes("trees", model, draw(500, rng))}
    assert ("matroid" in kinds) == (model.matroid is not None)
