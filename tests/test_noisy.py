"""Mining with noise: rules say how often they are broken, the broken rows are the suspects, and nothing is proven."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import unwritten
from unwritten import Model, Status
from unwritten.data import IntArray
from unwritten.errors import DataError, FormatError
from unwritten.formats import write_archive
from unwritten.mining import lifted_labels
from unwritten.model.state import pack
from unwritten.samples import trees

KINDS = ["one-hot", "groups", "trees", "implication", "integers beside"]
CASES = [(kind, noise) for kind in KINDS for noise in ("auto", 0.03)]


@cache
def spoilt(kind: str, n: int = 400) -> tuple[IntArray, frozenset[int]]:
    """Labels that obey known rules except for eight rows with one flipped bit, and the places of these rows."""
    rng, wrong = np.random.default_rng(0), np.arange(0, n, n // 8)
    groups = [np.eye(6, dtype=np.int64)[rng.integers(0, 6, n)] for _ in range(3)]
    labels, width = {
        "one-hot": (groups[0], 6),
        "groups": (np.concatenate(groups, axis=1), 18),
        "trees": (trees.sample(5, n, seed=0)[1], 10),
        "implication": (rng.integers(0, 2, (n, 12)), 0),
        "integers beside": (np.column_stack([groups[0], rng.integers(-3, 9, n)]), 6),
    }[kind]
    if kind == "implication":
        labels[:, 1] |= labels[:, 0]
        labels[wrong, 0], labels[wrong, 1] = 1, 0
    else:
        labels[wrong, rng.integers(0, width, 8)] ^= 1
    return labels, frozenset(wrong.tolist())


def size(noise: Any) -> int:
    """How many examples there are: "auto" takes eight of them for wrong only if they are rare."""
    return 1_600 if noise == "auto" else 400


@cache
def noisy(kind: str, noise: Any) -> Model:
    """The model of the spoilt labels."""
    return unwritten.mine(spoilt(kind, size(noise))[0], noise=noise)


@pytest.mark.parametrize(("kind", "noise"), CASES)
def test_suspects_are_the_broken_rows(kind: str, noise: Any) -> None:
    """Exactly the spoilt rows are suspects, and exactly these rows break mined rules."""
    labels, wrong = spoilt(kind, size(noise))
    model = noisy(kind, noise)
    assert set(model.suspects.tolist()) == wrong
    assert model.noisy
    checked = model.check(labels)
    infeasible = checked.violations.any(axis=1) | ~checked.structured
    assert np.array_equal(np.flatnonzero(infeasible), np.sort(model.suspects))
    assert model.examples == len(labels) - len(wrong)
    assert model.check(model.seen).feasible.all()


@pytest.mark.parametrize(("kind", "noise"), CASES)
def test_noisy_rules_say_so(kind: str, noise: Any) -> None:
    """The evidence and the text of a rule give the number of examples that break it."""
    labels, _ = spoilt(kind, size(noise))
    model = noisy(kind, noise)
    broken = model.rules.violations(lifted_labels(model.lifts, labels)).sum(axis=0)
    assert broken.any()
    for rule, count in zip(model.rules, broken.tolist(), strict=True):
        assert rule.evidence is not None
        assert rule.evidence.violations == count
        assert rule.evidence.examples == len(labels) or not count
        remark = f"(noisy: {count} of {len(labels)} examples break it)"
        assert (remark in rule.text) == (count > 0)
        assert rule.evidence.bound() >= count / len(labels)
        assert rule.evidence.lemma2 == 1.0 or not count
    assert "of them are noisy: some examples break them" in model.evidence.summary()
    assert (
        f"{len(model.suspects)} examples break a rule (model.suspects): nothing is proven by this model"
        in model.summary()
    )


@pytest.mark.parametrize("kind", KINDS)
def test_the_rules_are_those_of_the_clean_rows(kind: str) -> None:
    """With noise, all rules are mined that the clean rows alone would give."""
    labels, wrong = spoilt(kind)
    clean = unwritten.mine(np.delete(labels, sorted(wrong), axis=0))
    model = noisy(kind, 0.03)
    assert np.array_equal(model.rules.matrix, clean.rules.matrix)
    assert np.array_equal(model.rules.rhs, clean.rules.rhs)
    assert model.matroid == clean.matroid
    assert np.array_equal(model.seen, clean.seen)
    assert np.array_equal(model.counts, clean.counts)
    rules_despite_noise = set(str(unwritten.mine(labels).rules).splitlines())
    assert not set(str(clean.rules).splitlines()) <= rules_despite_noise


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_proven(kind: str) -> None:
    """With suspects no decision is proven, by any engine; without noise some decisions are."""
    labels, wrong = spoilt(kind)
    queries = np.random.default_rng(1).normal(size=(8, labels.shape[1]))
    clean = unwritten.mine(np.delete(labels, sorted(wrong), axis=0))
    proven = clean.decide(queries)
    assert proven.proven.any()
    for model in (noisy(kind, 0.03), noisy(kind, 0.03).with_rules([([1] * labels.shape[1], "<=", 100)])):
        for engine in ("auto", "lazy", "explicit", "inner"):
            decided = model.decide(queries, engine=engine, proof="data")
            assert not decided.proven.any()
            if engine != "inner":
                assert (decided.status == Status.OPTIMAL).all()
                assert np.allclose(decided.values, proven.values)


@pytest.mark.parametrize(("kind", "noise"), CASES)
def test_clean_labels_give_the_same_model(kind: str, noise: Any) -> None:
    """On clean labels, allowing for noise changes neither the rules nor the proofs."""
    labels, wrong = spoilt(kind, size(noise))
    rows = np.delete(labels, sorted(wrong), axis=0)
    model, exact = unwritten.mine(rows, noise=noise), unwritten.mine(rows)
    assert not model.noisy
    assert len(model.suspects) == 0
    for part in ("matrix", "equality", "rhs"):
        assert np.array_equal(getattr(model.rules, part), getattr(exact.rules, part))
    assert model.matroid == exact.matroid
    queries = np.random.default_rng(1).normal(size=(8, labels.shape[1]))
    assert model.decide(queries).proof.tolist() == exact.decide(queries).proof.tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_keeps_the_noise(kind: str, tmp_path: Path) -> None:
    """Suspects, violations and the refusal to prove survive saving and loading."""
    model = noisy(kind, 0.03)
    model.save(tmp_path / "a.rules")
    loaded = unwritten.load(tmp_path / "a.rules")
    assert loaded == model
    assert loaded.noisy
    assert np.array_equal(loaded.suspects, model.suspects)
    assert [rule.text for rule in loaded.rules] == [rule.text for rule in model.rules]
    assert not loaded.decide(np.random.default_rng(1).normal(size=(4, len(model.variables)))).proven.any()
    loaded.save(tmp_path / "b.rules")
    assert (tmp_path / "a.rules").read_bytes() == (tmp_path / "b.rules").read_bytes()


@pytest.mark.parametrize("suspects", [np.zeros((1, 2), np.int64), np.zeros(2), np.array([True])])
def test_files_with_broken_suspects(suspects: np.ndarray, tmp_path: Path) -> None:
    """A file with suspects of a wrong shape or type is refused."""
    header, arrays = pack(noisy("one-hot", 0.03))
    write_archive(tmp_path / "bad.rules", header, {**arrays, "suspects": suspects})
    with pytest.raises(FormatError, match="save the model again"):
        unwritten.load(tmp_path / "bad.rules")


@pytest.mark.parametrize("noise", [-0.1, 0.5, 1, 2, np.nan, np.inf, True, None, "some", "0.1", [0.1]])
def test_bad_noise(noise: Any) -> None:
    """A noise that is neither a share below one half nor "auto" is refused with the cure."""
    with pytest.raises(DataError, match="use a share from 0 to below 0.5, or 'auto'".replace(".", r"\.")):
        unwritten.mine(np.eye(3, dtype=np.int64).repeat(5, axis=0), noise=noise)


def test_no_noise_is_the_default() -> None:
    """With noise=0, the default, one wrong row is enough to refute a rule."""
    labels, _ = spoilt("one-hot")
    for noise in (0, 0.0, np.float64(0)):
        assert unwritten.mine(labels, noise=noise) == unwritten.mine(labels)
    assert not unwritten.mine(labels).rules.implies([1] * 6, 1)


def shaped(seed: int) -> IntArray:
    """Random labels of many kinds, repeated or not, with rules or without."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(2, 60)), int(rng.integers(2, 10))
    labels = [
        rng.integers(0, 2, (n, d)),
        rng.integers(-2, 4, (n, d)),
        np.eye(d, dtype=np.int64)[rng.integers(0, d, n)],
        (rng.random((n, d)) < rng.random(d)).astype(np.int64),
        np.repeat(rng.integers(0, 2, (3, d)), 20, axis=0),
    ][seed % 5]
    flips = rng.random(labels.shape) < 0.02 * (seed % 3)
    return np.where(flips, 1 - labels, labels)


@pytest.mark.parametrize("noise", ["auto", 0.02, 0.2, 0.49])
def test_laws_of_noisy_models(noise: Any) -> None:
    """On random labels, suspects are the rows that break a rule, and at most the allowed share breaks each rule."""
    for seed in range(50):
        labels = shaped(seed)
        for rules in ("auto", ["equalities"], ["groups", "pairs"]):
            model = unwritten.mine(labels, rules=rules, noise=noise)
            checked = model.check(labels)
            broken = checked.violations
            assert np.array_equal(np.flatnonzero(broken.any(axis=1) | ~checked.structured), np.sort(model.suspects)), (
                seed
            )
            assert noise == "auto" or (broken.mean(axis=0) <= noise).all()
            assert noise != "auto" or (broken.mean(axis=0) <= 0.25).all()
            assert [e.violations for e in model.rules.evidence if e] == broken.sum(axis=0).tolist()
            assert model.check(model.seen).feasible.all()
            assert not model.redundant.violations(lifted_labels(model.lifts, model.seen)).any()
            assert model.examples + len(model.suspects) == len(labels)


def test_the_order_of_rows_only_moves_the_suspects() -> None:
    """Shuffled rows give the same rules, and the same rows are suspect."""
    labels, wrong = spoilt("one-hot")
    order = np.random.default_rng(2).permutation(len(labels))
    model = unwritten.mine(labels[order], noise=0.03)
    assert {int(order[i]) for i in model.suspects} == wrong
    assert model.rules == noisy("one-hot", 0.03).rules


def test_weights_of_suspects_make_no_cuts() -> None:
    """A wrong label is not optimal for its weights: its cut is left out, so that the others stay exact."""
    weights, labels = trees.sample(4, 400, seed=0)
    labels[[5, 77, 300]] = [1, 1, 1, 1, 0, 0]
    model = unwritten.mine(labels, weights, noise=0.05)
    assert model.suspects.tolist() == [5, 77, 300]
    assert model.cuts.exact
    clean = unwritten.mine(np.delete(labels, [5, 77, 300], axis=0), np.delete(weights, [5, 77, 300], axis=0))
    assert model.cuts == clean.cuts
    fresh, truth = trees.sample(4, 50, seed=1)
    assert np.array_equal(model.predict(fresh), truth)


@pytest.mark.parametrize("noise", ["auto", 0.03])
def test_a_prior_row_may_be_broken_by_suspects(noise: Any) -> None:
    """A prior row that suspects break stays a given rule, and its evidence counts these examples."""
    model = unwritten.mine(spoilt("one-hot")[0], noise=noise, prior=[([1] * 6, "==", 1)])
    assert [rule.origin for rule in model.rules] == ["given"]
    assert model.rules[0].text.endswith("(noisy: 8 of 400 examples break it)")


def test_a_prior_row_is_never_lost() -> None:
    """A prior row that too many examples break is refused or kept, and never dropped silently."""
    try:
        model = unwritten.mine(spoilt("one-hot")[0], noise=0.01, prior=[([1] * 6, "==", 1)])
    except DataError:
        return
    assert len(model.rules.by_origin("given")) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_auto_takes_no_exception_for_wrong_that_may_be_rare(kind: str) -> None:
    """If eight of 400 rows break a rule, it may have exceptions: "auto" leaves it out and says how to mine it."""
    labels, wrong = spoilt(kind)
    model = unwritten.mine(labels, noise="auto")
    assert not model.noisy
    assert model.rules == unwritten.mine(labels).rules
    (note,) = [note for note in model.notes if "may be rare rather than wrong" in note]
    assert note.endswith("give the share of wrong examples, such as noise=0.02 (--noise 0.02), to mine such rules")
    assert set(noisy(kind, 0.03).suspects.tolist()) == wrong


def test_slack_per_example_goes_with_its_example() -> None:
    """If suspect rows are set aside, the other rows keep their own slack."""
    labels = np.repeat(np.eye(4, dtype=np.int64), 25, axis=0)
    labels[7, 2] = 1
    weights = labels + 0.5 * np.roll(labels, 1, axis=1)
    slack = np.linspace(0, 1, len(labels))
    model = unwritten.mine(labels, weights, noise=0.02, slack=slack)
    assert model.suspects.tolist() == [7]
    assert len(model.cuts) <= 99 and not model.cuts.exact
    assert set(model.cuts.slack.tolist()) <= set(np.delete(slack, 7).tolist())


def test_noise_and_symmetries_are_refused_together() -> None:
    """Noise together with symmetries is refused."""
    with pytest.raises(DataError, match="cannot be combined: use one of them"):
        unwritten.mine(np.eye(4, dtype=int), noise=0.1, symmetries=[[1, 0, 2, 3]])


@pytest.mark.parametrize("seed", range(3))
def test_many_wrong_examples_are_not_guessed(seed: int) -> None:
    """Neighbours on a grid are mostly equal: so a fifth of all examples is not wrong, unless one says so."""
    rng = np.random.default_rng(seed)
    labels = np.zeros((400, 3, 3), np.int64)
    for i, j in np.ndindex(3, 3):
        before = [labels[:, i - 1, j]] * (i > 0) + [labels[:, i, j - 1]] * (j > 0)
        labels[:, i, j] = rng.random(400) < (0.03 + 0.94 * np.mean(before, axis=0) if before else 0.5)
    model = unwritten.mine(labels.reshape(400, 9), noise="auto")
    assert not len(model.rules) and not len(model.suspects)
    assert any("may be rare rather than wrong" in note for note in model.notes)
    assert len(unwritten.mine(labels.reshape(400, 9), noise=0.25).suspects) > 40
