"""Label sets against brute force: maxima, sums, marginals, membership, blocks, and sets too large to list."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torch_cases import BIG, SMALL, batch, every, labels_of, model, shared  # noqa: E402

import unwritten  # noqa: E402
from unwritten import budgets  # noqa: E402
from unwritten.errors import DataError, InfeasibleError  # noqa: E402
from unwritten.torch import LabelSet  # noqa: E402
from unwritten.torch.label_lookup import LabelLookup  # noqa: E402


@pytest.mark.parametrize("kind", SMALL)
def test_small_sets_are_listed(kind: str) -> None:
    """The set is exact and holds each feasible label once."""
    label_set = shared(kind)
    assert label_set.exact and label_set.binary
    assert sorted(label_set.labels.tolist()) == sorted(every(kind).tolist())


@pytest.mark.parametrize("blocks", [1 << 24, 200])
@pytest.mark.parametrize("kind", SMALL)
def test_maxima_sums_and_marginals(kind: str, blocks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Values and gradients equal brute force, whether the labels are scored at once or in many blocks."""
    monkeypatch.setattr(budgets, "LABELSET_BLOCK_ENTRIES", blocks)
    logits, _ = batch(kind, 6)
    logits.requires_grad_()
    scores = logits @ labels_of(kind).T
    label_set = shared(kind)
    assert torch.equal(label_set.argmax(logits), labels_of(kind)[scores.argmax(dim=1)])
    assert torch.allclose(label_set.logsumexp(logits), scores.logsumexp(dim=1))
    assert torch.allclose(label_set.marginals(logits), scores.softmax(dim=1) @ labels_of(kind))
    weights = torch.randn(6, label_set.width, dtype=torch.float64)
    value = (label_set.marginals(logits) * weights).sum() + label_set.logsumexp(logits).sum()
    ours = torch.autograd.grad(value, logits)[0]
    brute = (scores.softmax(dim=1) @ labels_of(kind) * weights).sum() + scores.logsumexp(dim=1).sum()
    assert torch.allclose(ours, torch.autograd.grad(brute, logits)[0])


def test_marginals_are_the_gradient_of_the_sum() -> None:
    """The gradient of log Σ exp(w·y) is the marginals E[y]."""
    logits = batch("trees", 5)[0].requires_grad_()
    (gradient,) = torch.autograd.grad(shared("trees").logsumexp(logits).sum(), logits)
    assert torch.allclose(gradient, shared("trees").marginals(logits))


@pytest.mark.parametrize("kind", SMALL)
def test_membership(kind: str) -> None:
    """Feasible labels are in the set; labels with one bit flipped are in it only if they are feasible."""
    labels = labels_of(kind)[:50]
    label_set = shared(kind)
    assert label_set.contains(labels).all()
    flipped = labels.clone()
    flipped[:, 0] = 1 - flipped[:, 0]
    known = {tuple(row) for row in every(kind).tolist()}
    assert label_set.contains(flipped).tolist() == [tuple(row) in known for row in flipped.long().tolist()]


def test_keys_that_meet_are_drawn_again() -> None:
    """If two rows have the same key, other factors are drawn, and the rows get different keys."""
    seeded = torch.Generator().manual_seed(0)
    factors = torch.randint(-(2**62), 2**62, (2,), generator=seeded)
    step = torch.tensor([[int(factors[1]) // 2**40, 0], [0, int(factors[0]) // 2**40]])
    rows = torch.cat([step, torch.tensor([[0, 0], [1, 0], [0, 1]])])
    lookup = LabelLookup(rows)
    assert lookup(rows, rows).all()
    assert not lookup(rows + 7, rows).any()


def test_big_sets_are_decided_by_the_model() -> None:
    """With too many labels to list, maxima are over all of them, sums over the seen ones, and `exact` is False."""
    label_set = LabelSet(model(BIG), n_jobs=1)
    assert not label_set.exact
    assert len(label_set) == len(model(BIG).seen)
    logits, targets = batch(BIG, 8)
    assert np.array_equal(label_set.argmax(logits).numpy(), model(BIG).predict(logits.numpy()))
    assert label_set.contains(targets).all()
    unseen = (logits > 0).double()
    unseen[:, 18] = 1 - unseen[:, 0]
    assert label_set.contains(unseen).all()
    unseen[3, 18] = unseen[3, 0]
    assert label_set.contains(unseen).tolist() == [True] * 3 + [False] + [True] * 4
    assert torch.isfinite(label_set.logsumexp(logits)).all()


def test_seen_labels_alone() -> None:
    """With a limit of 0 only the seen labels are listed, and maxima are still over all feasible ones."""
    labels = every("groups")
    label_set = LabelSet(unwritten.mine(labels[:5].repeat(3, axis=0), rules=["equalities"]), limit=0)
    assert not label_set.exact and len(label_set) == 5
    assert label_set.argmax(torch.tensor(2.0 * labels[5:] - 1)).tolist() == labels[5:].tolist()


def test_default_limit_is_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a limit, the budget at the time when the set is made is used."""
    monkeypatch.setattr(budgets, "LABELSET_LABELS", 2)
    assert not LabelSet(model("groups")).exact
    assert LabelSet(model("groups"), limit=1_000).exact


def test_integers_of_any_size() -> None:
    """Labels other than 0 and 1 are listed in the smallest type that holds them, which `.half()` leaves alone."""
    labels = np.array([[k, 300 - k] for k in range(0, 301, 20)])
    label_set = LabelSet(unwritten.mine(labels, rules=["equalities"])).half()
    assert label_set.labels.dtype == torch.int16
    assert label_set.exact and not label_set.binary
    assert label_set.argmax(torch.tensor([[0.5, 0.1]])).tolist() == [[300.0, 0.0]]


def test_seen_labels_win_ties() -> None:
    """Of equally good labels a seen one is chosen, as by the model."""
    best = tuple(shared("cuts").argmax(torch.zeros(1, 6)).int().tolist()[0])
    assert best in set(map(tuple, model("cuts").seen.tolist()))


def test_no_label_at_all() -> None:
    """Rules that no label obeys raise an error when the set is made."""
    with pytest.raises(InfeasibleError, match="no label obeys"):
        LabelSet(model("one-hot").with_rules([([1] * 5, "==", 2)]))


def test_only_models() -> None:
    """An array of labels in place of a model is refused."""
    with pytest.raises(DataError, match=r"unwritten\.mine"):
        LabelSet(every("one-hot"))  # type: ignore[arg-type]


def test_repr_is_one_line() -> None:
    """The repr tells the size of the set and whether all labels are listed."""
    assert repr(shared("groups")) == "LabelSet(6 labels of 5 variables, exact=True)"
