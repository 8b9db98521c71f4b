"""Streams: the same model as in memory, in any chunks; if only a sample is kept, all labels obey the rules."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from stream_helpers import examples, odd_chunks, saved, sets, weighted

import unwritten
from unwritten.data import fingerprints
from unwritten.errors import DataError
from unwritten.tally import Tally, gram_of
from unwritten.verification.verify import BROKEN, HOLDS, UNKNOWN, by_counts


def test_odd_chunks_give_the_bytes_of_one_array(tmp_path: Path) -> None:
    """Blocks of any size, type and order, as lists, iterators or functions, give the bytes of one array."""
    labels = examples()
    whole = saved(unwritten.mine(labels), tmp_path)
    chunks = odd_chunks(labels)
    for batches in (
        chunks,
        iter(chunks),
        lambda: (chunk[::-1] for chunk in reversed(chunks)),
        [chunk.astype(np.uint8) for chunk in chunks],
        [sp.csr_array(chunk) if k % 2 else chunk.astype(np.int8) for k, chunk in enumerate(chunks)],
        [chunk.tolist() for chunk in chunks if len(chunk)],
    ):
        assert saved(unwritten.mine(batches), tmp_path) == whole


def test_options_are_those_of_mine(tmp_path: Path) -> None:
    """Names, bounds, sense, miners, priors and lifts mean what they mean in memory."""
    labels = examples()[:, :4]
    options: dict[str, Any] = {
        "names": list("abcd"),
        "bounds": (0, 1),
        "sense": "min",
        "rules": ["equalities", "pairs"],
        "prior": ["a excludes b"],
        "lifts": "pairs",
        "confidence": 0.9,
    }
    options["prior"] = [([1, 1, 0, 0], "<=", 1)]
    assert saved(unwritten.mine(odd_chunks(labels), **options), tmp_path) == saved(
        unwritten.mine(labels, **options), tmp_path
    )
    frames = [pd.DataFrame(chunk, columns=list("wxyz")) for chunk in odd_chunks(labels)]
    assert saved(unwritten.mine(frames), tmp_path) == saved(unwritten.mine(pd.concat(frames)), tmp_path)


def test_weights_come_in_pairs(tmp_path: Path) -> None:
    """(labels, weights) batches give the cuts of all examples in order."""
    labels, weights = weighted()
    pairs = [(labels[k : k + 7], weights[k : k + 7]) for k in range(0, len(labels), 7)]
    for slack in ("auto", 0.5, np.linspace(1, 2, len(labels))):
        whole = saved(unwritten.mine(labels, weights, slack=slack), tmp_path)
        assert saved(unwritten.mine(iter(pairs), slack=slack), tmp_path) == whole


def test_partial_fit_in_odd_chunks_is_fit(tmp_path: Path) -> None:
    """`partial_fit` on chunks gives the model of `fit` on all examples, with weights and without."""
    labels, weights = weighted()
    cuts = np.sort(np.random.default_rng(1).choice(np.arange(1, len(labels)), 6, replace=False))
    for given_weights in (weights, None):
        fitted = unwritten.ConstraintMiner().fit(given_weights, labels)
        miner = unwritten.ConstraintMiner()
        for part in np.split(np.arange(len(labels)), cuts):
            miner.partial_fit(None if given_weights is None else given_weights[part], labels[part])
        assert saved(miner.model_, tmp_path) == saved(fitted.model_, tmp_path)


def test_a_thinned_stream_is_verified_in_a_second_pass() -> None:
    """A rare label outside the sample removes the rules that it breaks, and the other rules stay."""
    labels = sets()
    batches = odd_chunks(labels)
    model = unwritten.mine(batches, most_kept=18_000)
    assert len(model.seen) < len(np.unique(labels, axis=0))
    assert model.examples == 6_000
    assert any("fair sample" in note for note in model.notes)
    texts = {rule.text for rule in model.rules}
    assert {"exactly one of y0, y1, y2, y3", "y5 requires y4", "at least one of y6, y7, y8"} <= texts
    assert not model.check(labels).violations.any()
    breaking = _breaking(labels)
    rare = breaking[fingerprints(breaking) > 2**63][0]  # not in a sample of one in two or more
    fallen = unwritten.mine([*batches, rare[None]], most_kept=18_000)
    assert "at least one of y6, y7, y8" not in {rule.text for rule in fallen.rules}
    assert not fallen.check(np.concatenate([labels, rare[None]])).violations.any()
    assert any("were dropped" in note for note in fallen.notes)


def _breaking(labels: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Labels that break the cover."""
    rows = labels.copy()
    rows[:, 6:9] = 0
    return rows


def test_a_thinned_iterator_keeps_what_counts_prove() -> None:
    """From an iterator, only rules that the Gram matrix proves are kept, and a note says what is left out."""
    labels = sets()
    model = unwritten.mine(iter(odd_chunks(labels)), most_kept=18_000)
    texts = {rule.text for rule in model.rules}
    assert {"exactly one of y0, y1, y2, y3", "y5 requires y4"} <= texts
    assert "at least one of y6, y7, y8" not in texts
    assert any("read only once" in note and "left out" in note for note in model.notes)
    rare = labels[:1].copy()
    rare[0, 4:6] = 0, 1  # breaks the pair, and is one label of thousands
    fallen = unwritten.mine(iter([labels, rare]), most_kept=18_000)
    assert "y5 requires y4" not in {rule.text for rule in fallen.rules}


@given(st.integers(0, 2**32 - 1))
def test_every_rule_of_a_thinned_stream_holds(seed: int) -> None:
    """No training label breaks a mined rule, however few labels are kept."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, (60, 6)) * rng.integers(0, 2, 6)
    labels[:, 5] = labels[:, 0] | labels[:, 1]
    for batches in ([labels[:30], labels[30:]], iter([labels[:30], labels[30:]])):
        model = unwritten.mine(batches, most_kept=60, confidence=0)
        assert not model.check(labels).violations.any()


@given(st.integers(0, 2**32 - 1))
def test_counts_decide_equalities_and_pairs(seed: int) -> None:
    """Verdicts from the Gram matrix agree with testing every label, or are UNKNOWN."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, rng.integers(2, 4), (rng.integers(1, 12), 4))
    rows = []
    for _ in range(20):
        row = rng.integers(-1, 2, 4)
        rows.append((row, str(rng.choice(["==", "<="])), int(rng.integers(-1, 2))))
    rules = unwritten.RuleSet.of(unwritten.Variables.of(labels), rows)
    verdicts, broken = by_counts(rules, gram_of(labels)), rules.violations(labels).any(axis=0)
    assert not broken[verdicts == HOLDS].any()
    assert broken[verdicts == BROKEN].all()
    assert (verdicts[rules.equality] != UNKNOWN).all()


def test_cuts_of_a_thinned_stream_keep_all_labels() -> None:
    """Slack is computed from all labels if they can be read again; otherwise the cuts are not called exact."""
    labels, _ = weighted(500)
    weights = np.random.default_rng(3).normal(size=labels.shape)  # not what the labels were optimal for
    batches = [(labels[k : k + 50], weights[k : k + 50]) for k in range(0, 500, 50)]
    model = unwritten.mine(batches, most_kept=60, rules=[])
    assert len(model.seen) < len(np.unique(labels, axis=0))
    limits = model.cuts.limits(model.variables)
    assert (model.cuts.weights @ labels.T <= limits[:, None]).all()
    assert not unwritten.mine(iter(batches), most_kept=60, rules=[]).cuts.exact
    with pytest.raises(DataError, match="not optimal"):
        unwritten.mine(batches, most_kept=60, rules=[], slack=0)


def test_a_second_pass_must_see_the_same() -> None:
    """Batches that change between two passes are refused."""
    passes = iter([odd_chunks(sets()), odd_chunks(sets(5_000))])
    with pytest.raises(DataError, match="second pass"):
        unwritten.mine(lambda: next(passes), most_kept=18_000)


def test_narrow_integers_have_the_same_tally() -> None:
    """Blocks of bool, int8, uint8 and int64 give equal tallies and equal samples."""
    labels = np.random.default_rng(0).integers(0, 2, (500, 40))
    for most in (None, 2_000):
        whole = Tally.of(labels, most)
        assert all(Tally.of(labels.astype(kind), most) == whole for kind in (bool, np.int8, np.uint8, np.int32))
    wide = np.random.default_rng(0).integers(-128, 128, (500, 5))
    assert Tally.of(wide.astype(np.int8), 900) == Tally.of(wide, 900)


def test_pickled_tallies_are_small() -> None:
    """A pickled tally comes back equal, thinned or not, and 0/1 labels take a bit each."""
    for labels in (sets(), examples()):
        for most in (None, 2_000):
            tally = Tally.of(labels, most)
            twin = pickle.loads(pickle.dumps(tally))  # noqa: S301
            assert twin == tally
            assert twin + tally == tally + tally
            assert twin.minable().seen.dtype == np.int64
    tally = Tally.of(sets())
    assert len(pickle.dumps(tally)) < tally.seen.nbytes / 4


BAD = [
    (iter([]), {}, "no batches"),  # nothing at all
    ([np.zeros((0, 3), int)], {}, "empty"),  # batches, but no labels
    (lambda: 7, {}, "type int"),  # not batches
    ([[[1, 0]], [[1, 0, 1]]], {}, "batch 1: .*3 columns"),  # another width
    ([[[1, 0]], [[1, 0.5]]], {}, "batch 1: .*0.5"),  # a fraction
    ([[[1, 0]], [["a", "b"]]], {}, "batch 1: .*text"),  # text
    ([pd.DataFrame({"a": [1], "b": [0]}), pd.DataFrame({"b": [1], "a": [0]})], {}, "batch 1: .*names"),  # turned
    ([pd.DataFrame({"a": [1], "b": [0]}), [[1, 0]]], {}, "batch 1: .*names"),  # names, then none
    ([([[1, 0]], [[1.0, 2.0]]), [[1, 0]]], {}, "batch 1: .*weights"),  # weights, then none
    ([[[1, 0]], ([[1, 0]], [[1.0, 2.0]])], {}, "batch 1: .*weights"),  # none, then weights
    ([([[1, 0]], [[1.0, 2.0], [1.0, 2.0]])], {}, "batch 0: .*one row of weights"),  # more weights than labels
    ([([[1, 0]], [[1.0, np.nan]])], {}, "batch 0: .*nan"),  # a missing weight
    ([([[1, 0]],)], {}, "batch 0: .*tuple"),  # a tuple of one
    ([[[1, 0]], [[0, 3]]], {"bounds": (0, 1)}, "batch 1: .*outside its bounds"),  # beyond what was declared
    ([[[1, 0]]], {"names": ["a"]}, "batch 0: .*1 names"),  # too few names
    ([[[1, 0]]], {"bounds": 3}, "batch 0: .*pair"),  # bounds that are not a pair
    ([[[1, 0]]], {"sense": "up"}, "sense"),
    ([[[1, 0]]], {"rules": ["magic"]}, "no miner"),
    ([[[1, 0]]], {"confidence": 1}, "confidence"),
    ([[[1, 0]]], {"slack": "some"}, "slack"),
    ([[[1, 0]]], {"most_kept": 0}, "most_kept"),
    ([[[1, 0]]], {"checkpoint": -1}, "checkpoint"),
    ([([[1, 0]], [[1.0, 2.0]])], {"checkpoint": "x"}, "cuts="),  # weights in memory are in no checkpoint
    ([([[1, 0]], [[1.0, 2.0]])], {"cuts": "no/such/folder/cuts.npy"}, "directory"),
]


@pytest.mark.parametrize(("batches", "options", "message"), BAD)
def test_bad_input_is_refused(batches: Any, options: dict[str, Any], message: str) -> None:
    """An error about bad input says what is wrong and in which batch."""
    with pytest.raises(DataError, match=message):
        unwritten.mine(batches, **options)
