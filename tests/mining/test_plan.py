"""The plan of miners: laws that hold for every miner, on labels of many kinds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import unwritten
from experiments.families.catalogue import problem_named
from helpers import rank, same_span
from unwritten import Examples, RuleSet, Variables
from unwritten.building import build_exact as build
from unwritten.data import IntArray
from unwritten.errors import DataError
from unwritten.options import MINERS, MiningOptions
from unwritten.rules import MINED
from unwritten.sources import Gathered
from unwritten.tally import Tally

CHOICES: list[Any] = ["auto", *MINERS, list(MINERS), ["groups", "pairs"], ["pairs", "equalities"], []]


def shaped(seed: int) -> IntArray:
    """Random labels with frequent and rare bits, integers, one-hot groups, copies, constants, products and repeats."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(2, 51)), int(rng.integers(2, 13))
    labels = [
        rng.integers(0, 2, (n, d)),
        rng.integers(-2, 4, (n, d)),
        (rng.random((n, d)) < rng.random(d)).astype(np.int64),
        np.eye(d, dtype=np.int64)[rng.integers(0, d, n)],
        np.column_stack([rng.integers(0, 2, (n, d - 1)), rng.integers(0, 1000, n)]),
        (rng.random((n, d)).argsort(axis=1) < d // 2).astype(np.int64),
    ][seed % 6]
    for _ in range(int(rng.integers(0, 4))):
        a, b = rng.integers(d, size=2)
        match int(rng.integers(6)):
            case 0:
                labels[:, a] = labels[:, b]
            case 1:
                labels[:, a] = 1 - labels[:, b]
            case 2:
                labels[:, a] = rng.integers(-1, 3)
            case 3:
                labels[:, a] *= labels[:, b]
            case 4:
                labels = labels[rng.integers(0, n, n)]
            case 5:
                labels[:, a] = labels.sum(axis=1)
    return labels


@pytest.mark.parametrize("rules", CHOICES, ids=str)
def test_every_training_label_obeys_every_rule(rules: Any) -> None:
    """All labels obey the rules and the matroid; equalities are independent, and redundant rules follow from others."""
    for seed in range(60):
        labels = shaped(seed)
        model = unwritten.mine(labels, rules=rules)
        assert model.check(labels).feasible.all(), seed
        assert not model.redundant.violations(labels).any(), seed
        assert model.rules.implied(model.redundant.rows).all(), seed
        assert model.redundant.equality.all()
        assert rank(model.rules.rows) == len(model.rules.rows) == model.rules.rank, seed
        assert not model.noisy


def test_no_mined_equality_follows_from_the_others() -> None:
    """Mined equalities are independent of each other and of the known rows."""
    for seed in range(60):
        labels = shaped(seed)
        variables = Variables.of(labels)
        all_of_them = unwritten.mine(labels, rules=["equalities"]).rules
        known = all_of_them[:1] + all_of_them[:1]
        model = unwritten.mine(labels, prior=known.triples() if len(known) else None)
        mined = model.rules.by_origin(MINED).equalities
        for k in range(len(mined)):
            others = RuleSet.of(variables, known.triples()) + mined[np.arange(len(mined)) != k]
            rule = mined[k]
            assert not others.implies(rule.coefficients, rule.rhs, rule.sense), seed


def test_the_note_counts_the_equalities_that_were_not_mined() -> None:
    """If "auto" neither states nor doubts equalities that hold, a note gives their number; otherwise there is none."""
    noted = 0
    for seed in range(60):
        labels = shaped(seed)
        for prior in (None, [([1] * labels.shape[1], "<=", 10**9), *[([0] * labels.shape[1], "==", 0)] * 2]):
            model = unwritten.mine(labels, prior=prior)
            whole = unwritten.mine(labels, rules=["equalities"]).rules
            found = model.rules + model.doubtful.equalities
            assert whole.implied(found.rows).all()
            left = whole.rank - found.rank
            notes = [note for note in model.notes if "further equalit" in note]
            assert bool(left) == bool(notes), seed
            if notes:
                assert notes[0].startswith(f"{left} further equalit")
                noted += 1
    assert noted > 10


def test_prior_rows_that_repeat_do_not_hide_the_note() -> None:
    """A prior row that is given twice counts once in the number of equalities left out."""
    labels = np.random.default_rng(0).integers(0, 2, (6, 9))
    labels[:, 1] = labels[:, 0]
    whole = unwritten.mine(labels, rules=["equalities"]).rules.rank
    for times in (1, 3):
        model = unwritten.mine(labels, prior=[([1, -1, *[0] * 7], "==", 0)] * times)
        left = whole - RuleSet.of(model.variables, model.rules.triples()).rank
        assert left > 0
        assert model.notes[0].startswith(f"{left} further equalit")


@pytest.mark.parametrize("rules", ["auto", *MINERS])
def test_the_same_labels_give_the_same_model_in_any_order(rules: str) -> None:
    """Mining is deterministic, and the order of the rows does not matter."""
    for seed in range(30):
        labels = shaped(seed)
        model = unwritten.mine(labels, rules=rules)
        assert unwritten.mine(labels.copy(), rules=rules) == model
        shuffled = np.random.default_rng(seed).permutation(len(labels))
        assert unwritten.mine(labels[shuffled], rules=rules) == model
        assert unwritten.mine(labels[::-1], rules=rules) == model


def test_a_copy_of_a_column_is_equal_to_it() -> None:
    """A copy of a column is accepted, and with enough examples the rule that both are equal is mined."""
    for seed in range(30):
        labels = shaped(seed)
        wider = np.column_stack([labels, labels[:, seed % labels.shape[1]]])
        for rules in ("auto", ["equalities"], ["groups"], ["pairs"], ["covers"]):
            model = unwritten.mine(wider, rules=rules)
            assert model.check(wider).feasible.all()
    labels = np.random.default_rng(0).integers(0, 2, (200, 6))
    model = unwritten.mine(np.column_stack([labels, labels[:, 2]]))
    assert model.rules.implies([0, 0, 1, 0, 0, 0, -1], 0)
    assert model.rules.rank == 1


@pytest.mark.parametrize(("n", "d", "runs"), [(40, 12, 100), (200, 20, 40)])
@pytest.mark.parametrize("share", [0.5, 0.15])
def test_random_labels_show_no_rule(n: int, d: int, runs: int, share: float) -> None:
    """In at least 95 % of draws of independent columns, no rule is mined."""
    draws_with_rules = 0
    for seed in range(runs):
        labels = (np.random.default_rng(seed).random((n, d)) < share).astype(np.int64)
        model = unwritten.mine(labels)
        draws_with_rules += len(model.rules) > 0 or model.matroid is not None
    assert draws_with_rules <= runs // 20


def test_random_labels_show_no_equality() -> None:
    """Equalities that hold by accident on few examples of many columns are mentioned in a note and not mined."""
    draws_with_rules = 0
    for seed in range(50):
        labels = np.random.default_rng(seed).integers(0, 2, (14, 18))
        model = unwritten.mine(labels)
        draws_with_rules += len(model.rules) > 0
        assert model.notes
    assert draws_with_rules <= 3


def test_planted_rules_are_found_from_few_examples() -> None:
    """From 250 examples, a planted group, requirement, exclusion and sum are mined, and no other rule."""
    for seed in range(6):
        rng = np.random.default_rng(seed)
        one = np.eye(4, dtype=np.int64)[rng.integers(0, 4, 250)]
        needs = rng.integers(0, 2, (250, 2))
        needs[:, 1] |= needs[:, 0]
        most = np.eye(3, dtype=np.int64)[rng.integers(0, 3, 250)][:, :2] * 1
        free = rng.integers(0, 2, (250, 3))
        total = free[:, :2].sum(axis=1, keepdims=True)
        names = ["a", "b", "c", "d", "if", "then", "x", "y", "u", "v", "w", "total"]
        model = unwritten.mine(np.concatenate([one, needs, most, free, total], axis=1), names=names)
        expected = {"exactly one of a, b, c, d", "if requires then", "at most one of x, y", "total = u + v"}
        assert set(str(model.rules).splitlines()) == expected, seed
        assert all(e is not None and e.confidence >= 0.95 for e in model.rules.evidence)


def test_ninety_examples_show_an_exactly_one_group() -> None:
    """A group of three colours is mined from 90 examples, is doubtful from nine, and not found in three."""
    labels = np.eye(3, dtype=np.int64)[np.arange(90) % 3]
    shown = unwritten.mine(labels)
    assert str(shown.rules) == "exactly one of y0, y1, y2"
    assert len(shown.doubtful) == 0
    for n in (9, 60):
        unsure = unwritten.mine(labels[:n])
        assert len(unsure.rules) == 0
        assert "exactly one of y0, y1, y2 (doubtful: " in str(unsure.doubtful)
        assert n + unsure.doubtful.evidence[0].needed <= 90  # the promised number is enough
    few = unwritten.mine(labels[:3])
    assert len(few.rules) == len(few.doubtful) == 0
    assert (
        "1 further equality holds on all examples but was not mined, because the examples are too few" in few.notes[0]
    )


@pytest.mark.parametrize("rules", ["groups", "pairs"])
def test_more_confidence_never_adds_a_rule(rules: str) -> None:
    """Rules mined at a higher confidence allow every label that rules mined at a lower confidence allow."""
    for seed in range(25):
        labels = shaped(6 * seed + (0, 2, 3)[seed % 3])
        loose, strict = (unwritten.mine(labels, rules=rules, confidence=c) for c in (0.5, 0.999))
        points = np.random.default_rng(seed).integers(0, 2, (300, labels.shape[1]))
        points = np.concatenate([points, labels])
        allowed = ~loose.rules.violations(points).any(axis=1)
        assert not strict.rules.violations(points)[allowed].any()


def test_equalities_by_name_ignore_confidence() -> None:
    """rules=['equalities'] mines the whole kernel at any confidence, as the paper does."""
    for seed in range(20):
        labels = shaped(seed)
        models = [unwritten.mine(labels, rules=["equalities"], confidence=c) for c in (0, 0.5, 0.999999)]
        assert models[0].rules == models[1].rules == models[2].rules
        both = unwritten.mine(labels, rules=["groups", "equalities"])
        assert same_span(both.rules.rows, models[0].rules.rows)


@pytest.mark.parametrize("confidence", [1, 1.5, -0.1, np.nan, np.inf, "0.9", None, True, [0.9]])
def test_bad_confidence(confidence: Any) -> None:
    """A confidence that is not a share below 1 is refused with an example of a good one."""
    with pytest.raises(DataError, match="use a share from 0 to below 1, such as"):
        unwritten.mine(np.eye(3, dtype=np.int64), confidence=confidence)


def test_good_confidence() -> None:
    """A confidence may be any real number, also of numpy or a fraction."""
    for confidence in (0, np.float32(0.5), 0.999999):
        assert unwritten.mine(np.eye(3, dtype=np.int64).repeat(500, axis=0), confidence=confidence).rules.rank == 1


def test_no_miners_no_rules() -> None:
    """rules=[] mines nothing and accepts one example; any miner needs two."""
    assert len(unwritten.mine([[0, 1]], rules=[]).rules) == 0
    for name in MINERS:
        with pytest.raises(DataError, match="one example cannot show a rule"):
            unwritten.mine([[0, 1]], rules=name)


def test_margin_is_confidence_in_nats() -> None:
    """A confidence of 0.95 is a margin of about three nats, and 0 is a margin of 0."""
    assert MiningOptions(confidence=0.0).margin == 0.0
    assert MiningOptions(confidence=0.95).margin == pytest.approx(2.9957, abs=1e-4)


def test_lifted_labels_keep_the_laws() -> None:
    """With latent pairs, the rules hold on labels with latents, and rules of the labels alone are still found."""
    labels = np.eye(4, dtype=np.int64)[np.random.default_rng(0).integers(0, 4, 200)]
    model = unwritten.mine(labels, lifts="pairs")
    assert model.check(labels).feasible.all()
    assert not model.check(1 - labels).feasible.any()


def test_matroids_only_of_bits() -> None:
    """If bounds allow 2, no matroid is mined, because rows could not exclude a label with a 2."""
    sets = np.array([[1, 0, 1, 0], [0, 1, 0, 1], [0, 1, 1, 0], [1, 0, 0, 1]]).repeat(30, axis=0)
    assert unwritten.mine(sets, rules=["matroid"]).matroid is not None
    assert unwritten.mine(sets, rules=["matroid"], bounds=(0, 2)).matroid is None


def test_a_merged_tally_gives_the_same_model() -> None:
    """For every miner, tallies of chunks give the model of all labels."""
    for seed in range(20):
        labels = shaped(seed)
        cut = len(labels) // 2
        merged = Tally.of(labels[:cut]) + Tally.of(labels[cut:])
        for rules in ("auto", *MINERS):
            assert build(Gathered(merged, Examples.of(labels), merged), MiningOptions(rules=rules)) == unwritten.mine(
                labels, rules=rules
            )


def test_no_rule_is_stated_and_doubtful() -> None:
    """An equality that one miner doubts and another one states is not listed twice."""
    problem = problem_named("paths", 0)
    labels = problem.encoded("0/1").labels(problem.values(500, np.random.default_rng([0, 1])))
    model = unwritten.mine(labels)
    stated = {rule.text for rule in model.rules}
    assert "exactly one of y0, y42" in stated
    assert len(model.doubtful)
    assert not stated & {rule.text for rule in model.doubtful}
