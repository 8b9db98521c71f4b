"""Label sets against brute force: maxima, sums, marginals, membership, blocks, and sets too large to list."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torch_cases import BIG, SMALL, batch, every, labels_of, model, shared  # noqa: E402

import unwritten  # noqa: E402
from helpers import box  # noqa: E402
from unwritten import budgets  # noqa: E402
from unwritten.errors import DataError, InfeasibleError  # noqa: E402
from unwritten.solving.engines.literal_forest import LiteralForest  # noqa: E402
from unwritten.solving.engines.packed_literals import PackedLiterals  # noqa: E402
from unwritten.torch import CRFLoss, FeasibleLayer, LabelSet, forest_paths  # noqa: E402
from unwritten.torch.forest_sums import ForestSums  # noqa: E402
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


def test_big_sets_are_over_the_seen_labels() -> None:
    """With too many labels to list, sums and maxima are both over the seen labels, and `exact` is False."""
    label_set = LabelSet(model(BIG))
    assert label_set.kind == "seen" and not label_set.exact
    seen = torch.tensor(model(BIG).seen, dtype=torch.float64)
    logits, _ = batch(BIG, 8)
    values = logits @ seen.T
    torch.testing.assert_close(label_set.logsumexp(logits), values.logsumexp(dim=1))
    torch.testing.assert_close((label_set.argmax(logits) * logits).sum(dim=1), values.max(dim=1).values)
    assert "seen labels" in repr(label_set)


def test_labels_under_rules() -> None:
    """Asked for, maxima are over all labels that obey the rules, and so are sums if the rules form a forest."""
    label_set = LabelSet(model(BIG), "rules", n_jobs=1)
    assert label_set.exact
    logits, targets = batch(BIG, 8)
    assert np.array_equal(label_set.argmax(logits).numpy(), model(BIG).predict(logits.numpy()))
    assert label_set.contains(targets).all()
    unseen = (logits > 0).double()
    unseen[:, 18] = 1 - unseen[:, 0]
    assert label_set.contains(unseen).all()
    unseen[3, 18] = unseen[3, 0]
    assert label_set.contains(unseen).tolist() == [True] * 3 + [False] + [True] * 4
    # y18 = 1 − y0, and 17 columns are free
    free = torch.nn.functional.softplus(logits[:, 1:18]).sum(dim=1)
    expected = torch.logaddexp(logits[:, 0], logits[:, 18]) + free
    torch.testing.assert_close(label_set.logsumexp(logits), expected)


@pytest.mark.parametrize("shallow", [0, forest_paths.SHALLOW])
@pytest.mark.parametrize("seed", range(6))
def test_sums_over_forests_are_those_of_brute_force(seed: int, shallow: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """On random rows of literals that form a forest, log-sums, marginals and their gradients equal sums over labels.

    That holds whether the forest is divided into paths, as deep ones are, or not.
    """
    monkeypatch.setattr(forest_paths, "SHALLOW", shallow)
    rng = np.random.default_rng(seed)
    forest, d = None, 7
    while forest is None:
        chosen = [rng.choice(d, int(rng.integers(1, 4)), replace=False) for _ in range(4)]
        rows = [([2 * int(j) + int(rng.integers(2)) for j in columns], int(rng.integers(3))) for columns in chosen]
        forest = LiteralForest.of(PackedLiterals.joined(d, rows))
    cube = box(0, 1, d)
    inside = np.ones(len(cube), bool)
    for literals, kind in rows:
        count = sum(cube[:, literal >> 1] ^ (literal & 1) for literal in literals)
        inside &= [count == 1, count <= 1, count >= 1][kind]
    labels = torch.tensor(cube[inside], dtype=torch.float64)
    logits = torch.tensor(rng.normal(0, 2, (5, d)), requires_grad=True)
    sums = ForestSums(forest)
    torch.testing.assert_close(sums(logits), (logits @ labels.T).logsumexp(dim=1))
    (marginals,) = torch.autograd.grad(sums(logits).sum(), logits, create_graph=True)
    expected = (logits @ labels.T).softmax(dim=1) @ labels
    torch.testing.assert_close(marginals, expected)
    steps = torch.arange(5 * d).reshape(5, d).double()
    (ours,) = torch.autograd.grad((steps * marginals).sum(), logits)
    torch.testing.assert_close(ours, torch.autograd.grad((steps * expected).sum(), logits)[0])


def test_sums_over_a_long_chain() -> None:
    """If 700 labels each require the one before, 701 labels obey, and sums keep their digits in single precision."""
    step = np.eye(700, dtype=int)
    chain = [(step[j] - step[j - 1], "<=", 0) for j in range(1, 700)]
    labels = LabelSet(unwritten.mine(np.zeros((1, 700), int), rules=[], prior=chain, progress=False), "rules")
    logits = torch.randn(3, 700, generator=torch.Generator().manual_seed(0)) * 2
    prefixes = torch.nn.functional.pad(logits.double().cumsum(dim=1), (1, 0))
    torch.testing.assert_close(labels.logsumexp(logits).double(), prefixes.logsumexp(dim=1), rtol=1e-5, atol=1e-4)
    reached = prefixes.softmax(dim=1).flip(1).cumsum(dim=1).flip(1)[:, 1:]
    torch.testing.assert_close(labels.marginals(logits).double(), reached, rtol=1e-3, atol=1e-4)


def test_paths_with_branches_agree_with_depths(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a deep forest whose paths have branches, and branches of branches, both ways to sum agree."""
    rng = np.random.default_rng(0)
    each = np.eye(150, dtype=int)
    parents = [-1, *(int(max(0, j - 1 - rng.geometric(0.5))) for j in range(1, 150))]
    rows = [(each[j] - each[parent], "<=", 0) for j, parent in enumerate(parents) if parent >= 0]
    mined = unwritten.mine(np.zeros((1, 150), int), rules=[], prior=rows, progress=False)
    logits = torch.tensor(2 * rng.normal(size=(3, 150)))
    sums = []
    for shallow in (1, 200):
        monkeypatch.setattr(forest_paths, "SHALLOW", shallow)
        labels = LabelSet(mined, "rules")
        assert labels._sums is not None
        sums.append((labels.logsumexp(logits), labels.marginals(logits), len(labels._sums.levels)))
    (paths, path_marginals, levels), (depths, depth_marginals, depth) = sums
    assert levels < 8
    assert depth > 32
    torch.testing.assert_close(paths, depths)
    torch.testing.assert_close(path_marginals, depth_marginals)


def test_loss_and_layer_are_over_one_set() -> None:
    """400 random labels of 40 columns, linear scores: what is trained over the seen labels is decoded over them."""
    rng = np.random.default_rng(0)
    labels = torch.tensor((rng.random((400, 40)) < 0.1).astype(np.float32))
    mined = unwritten.mine(labels.numpy().astype(int), progress=False)
    loss, layer = CRFLoss(mined), FeasibleLayer(mined)
    assert loss.labels.kind == layer.labels.kind == "seen"
    torch.manual_seed(0)
    features = labels @ torch.randn(40, 60)
    net = torch.nn.Linear(60, 40)
    optimiser = torch.optim.Adam(net.parameters(), lr=0.3)
    for _ in range(150):
        optimiser.zero_grad()
        loss(net(features), labels).backward()
        optimiser.step()
    assert (layer.eval()(net(features)) == labels).all(dim=1).double().mean() == 1


def test_a_set_that_cannot_be_summed() -> None:
    """Rules that form a cycle leave maxima, but sums name the cure; too many labels cannot be listed on demand."""
    labels = np.eye(30, dtype=int)
    prior = [(row, "<=", 1) for row in (labels[[0, 1]].sum(0), labels[[1, 2]].sum(0), labels[[0, 2]].sum(0))]
    mined = unwritten.mine(labels, rules=[], prior=prior, progress=False)
    label_set = LabelSet(mined, "rules")
    assert label_set.argmax(torch.ones(1, 30)).sum() == 28
    with pytest.raises(DataError, match="form no forest"):
        label_set.logsumexp(torch.ones(1, 30))
    with pytest.raises(DataError, match="too many to list"):
        LabelSet(mined, "listed")
    with pytest.raises(DataError, match="kind is 'some'"):
        LabelSet(mined, "some")  # type: ignore[arg-type]
    with pytest.raises(DataError, match="not listed"):
        label_set.decoder()


@pytest.mark.parametrize("kind", ["groups", "hierarchy"])
def test_the_decoder_can_be_exported(kind: str) -> None:
    """The decoder of a list survives TorchScript and torch.export, and compiles in one graph."""
    decoder = shared(kind).decoder()
    logits, _ = batch(kind, 6)
    expected = shared(kind).argmax(logits)
    torch.testing.assert_close(torch.jit.script(decoder)(logits), expected)
    torch.testing.assert_close(torch.export.export(decoder, (logits,)).module()(logits), expected)
    torch.testing.assert_close(torch.compile(decoder, backend="eager", fullgraph=True)(logits), expected)


def test_the_decoder_becomes_onnx() -> None:
    """The decoder is exported to ONNX for batches of any size; ONNX's own evaluator gives the same labels."""
    onnx = pytest.importorskip("onnx", reason="needs ONNX: make extras")
    pytest.importorskip("onnxscript", reason="needs onnxscript, which torch exports with: make extras")
    allowed = LabelSet(unwritten.mine([[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 0]] * 40))
    logits = torch.randn(5, 4, generator=torch.Generator().manual_seed(0))
    batch = torch.export.Dim("batch")
    decoder = allowed.decoder().eval()
    program = torch.onnx.export(decoder, (logits,), dynamic_shapes=({0: batch},), dynamo=True, verbose=False)
    evaluator = onnx.reference.ReferenceEvaluator(program.model_proto)
    (name,) = evaluator.input_names
    for rows in (logits, logits[:2]):
        (labels,) = evaluator.run(None, {name: rows.numpy()})
        torch.testing.assert_close(torch.from_numpy(labels), allowed.argmax(rows))


def test_seen_labels_alone() -> None:
    """Seen labels can be asked for where all could be listed."""
    labels = every("groups")
    label_set = LabelSet(unwritten.mine(labels[:5].repeat(3, axis=0), rules=["equalities"]), "seen")
    assert not label_set.exact and len(label_set) == 5
    assert set(map(tuple, label_set.argmax(torch.randn(20, 5)).int().tolist())) <= set(map(tuple, labels[:5].tolist()))


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
