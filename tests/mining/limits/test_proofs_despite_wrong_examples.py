"""Proofs if some examples are wrong: two examples must say each thing, so one that is wrong alone proves nothing."""

from dataclasses import replace

import numpy as np
from limit_cases import box

import unwritten

SIZES, ROOM = np.array([3, 5, 2, 7, 4, 6, 1, 5, 4, 2]), 18
ALLOWED = box(10)[box(10) @ SIZES <= ROOM]


def optimal(n, seed):
    """Weights, and the best allowed label for each row of them."""
    weights = np.random.default_rng(seed).uniform(0, 1, (n, 10))
    return weights, ALLOWED[(weights @ ALLOWED.T).argmax(axis=1)]


def wrong_proofs(model, weights):
    """How many answers are proven, and how many of these are not the best allowed label."""
    decided = model.decide(weights, proof="data")
    right = np.isclose(decided.values, (weights @ ALLOWED.T).max(axis=1)) & (decided.labels @ SIZES <= ROOM)
    return int(decided.proven.sum()), int((decided.proven & ~right).sum())


def test_every_proof_is_right():
    """Two labels far from the best are named; many answers are proven all the same, and every proof is right."""
    weights, labels = optimal(300, seed=0)
    labels[[17, 230]] = 0
    model = unwritten.mine(labels, weights, rules=["limits"], bounds=(0, 1))
    assert model.suspects.tolist() == [17, 230]
    assert "2 examples contradict others (model.suspects): a proof needs two examples for each step" in model.summary()
    proven, not_right = wrong_proofs(model, np.concatenate([optimal(200, seed=1)[0], weights]))
    assert proven > 50 and not not_right


def test_one_word_is_not_enough():
    """A second best label that nothing contradicts is not named: its example alone would prove what is not true."""
    weights, labels = optimal(150, seed=2)
    _, place, often = np.unique(labels, axis=0, return_inverse=True, return_counts=True)
    trusted = 0
    for i in np.flatnonzero(often[place.ravel()] == 1)[:20]:
        changed = labels.copy()
        changed[i] = ALLOWED[np.argsort(-(weights[i] @ ALLOWED.T))[1]]
        model = unwritten.mine(changed, weights, rules=[], bounds=(0, 1))
        if model.cuts.exact:
            trusted += wrong_proofs(model, weights[i : i + 1])[1]
            doubting = replace(model, suspects=np.array([150]))  # another example was wrong, and set aside
            assert not wrong_proofs(doubting, weights)[1]
    assert trusted


def test_equal_examples_count_as_one():
    """An example that was copied is still one word."""
    weights, labels = np.array([[3.0, 2.0], [3.0, 2.0]]), np.array([[0, 1], [0, 1]])
    model = unwritten.mine(labels, weights, rules=[], bounds=(0, 1))
    assert model.decide(weights[:1], proof="data")[0].proof == "data"
    assert model.decide(weights[:1], proof="data")[0].label.tolist() == [0, 1]
    assert replace(model, suspects=np.array([2])).decide(weights[:1], proof="data")[0].proof is None
