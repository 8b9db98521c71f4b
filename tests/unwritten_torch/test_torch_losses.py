"""Losses over mined sets: values by brute force, gradients by finite differences, training, and bad use."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torch_cases import BIG, SMALL, batch, every, labels_of, model, shared, slope  # noqa: E402

import unwritten  # noqa: E402
from unwritten.errors import DataError  # noqa: E402
from unwritten.torch import (  # noqa: E402
    CRFLoss,
    FenchelYoungLoss,
    LabelSet,
    SPOPlusLoss,
    StructuredHingeLoss,
    crf_loss,
    fenchel_young_loss,
    spo_plus_loss,
    structured_hinge_loss,
)

Tensor = torch.Tensor
LOSSES: dict[str, Callable[..., torch.nn.Module]] = {
    "crf": CRFLoss,
    "hinge": StructuredHingeLoss,
    "hinge-half": partial(StructuredHingeLoss, scale=0.5),
    "spo+": SPOPlusLoss,
    "fenchel-young": partial(FenchelYoungLoss, samples=6, sigma=0.8, seed=0),
}


def brute(name: str, logits: Tensor, targets: Tensor, labels: Tensor) -> Tensor:
    """The loss of each row, from its formula and the list of labels."""
    scores, own = logits @ labels.T, (logits * targets).sum(dim=1)
    apart = (labels[None] != targets[:, None]).sum(dim=2)
    if name == "crf":
        return scores.logsumexp(dim=1) - own
    if name == "spo+":
        true = 2 * targets - 1
        return ((2 * logits - true) @ labels.T).amax(dim=1) - 2 * own + (true * targets).sum(dim=1)
    if name == "fenchel-young":
        noise = FenchelYoungLoss(shared("trees"), samples=6, seed=0).noise.draw(logits)
        noisy = logits + 0.8 * noise
        return (noisy @ labels.T).amax(dim=2).mean(dim=0) - (noisy.mean(dim=0) * targets).sum(dim=1)
    return (scores + {"hinge": 1.0, "hinge-half": 0.5}[name] * apart).amax(dim=1) - own


@pytest.mark.parametrize("kind", SMALL)
@pytest.mark.parametrize("name", LOSSES)
def test_values(name: str, kind: str) -> None:
    """Values of every reduction equal brute force, and none is negative."""
    logits, targets = batch(kind, 12)
    truth = brute(name, logits, targets, labels_of(kind))
    for reduction, value in {"none": truth, "sum": truth.sum(), "mean": truth.mean()}.items():
        assert torch.allclose(LOSSES[name](shared(kind), reduction=reduction)(logits, targets), value)
    assert (truth >= -1e-12).all()


@pytest.mark.parametrize("kind", ["groups", "trees", "cuts"])
@pytest.mark.parametrize("name", LOSSES)
def test_gradients(name: str, kind: str) -> None:
    """Gradients equal finite differences; hinge and SPO+ are linear around random logits."""
    logits, targets = batch(kind, 3, seed=4)
    logits.requires_grad_()
    (ours,) = torch.autograd.grad(LOSSES[name](shared(kind), reduction="sum")(logits, targets), logits)
    # a fresh module for each value, so that the noise is the same
    numeric = slope(lambda at: LOSSES[name](shared(kind), reduction="sum")(at, targets), logits.detach())
    assert torch.allclose(ours, numeric, atol=1e-6)
    assert ours.abs().sum() > 0
    each = LOSSES[name](shared(kind), reduction="none")
    if name != "fenchel-young":
        assert torch.autograd.gradcheck(lambda at: each(at, targets), logits)


def test_crf_gradient_is_marginals_less_target() -> None:
    """∇ = E[y] − y*."""
    logits, targets = batch("hierarchy", 5)
    logits.requires_grad_()
    (ours,) = torch.autograd.grad(crf_loss(logits, targets, shared("hierarchy"), reduction="sum"), logits)
    assert torch.allclose(ours, shared("hierarchy").marginals(logits) - targets)


def test_fenchel_young_with_given_noise() -> None:
    """With fixed noise the loss is a function that gradcheck accepts, and its gradient is the mean label − y*."""
    logits, targets = batch("trees", 2)
    logits.requires_grad_()
    noise = torch.randn(9, 2, 6, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    loss = partial(fenchel_young_loss, targets=targets, labels=shared("trees"), noise=noise, reduction="none")
    assert torch.autograd.gradcheck(loss, logits)
    (ours,) = torch.autograd.grad(loss(logits).sum(), logits)
    best = shared("trees").argmax((logits + noise).flatten(0, 1)).view_as(noise)
    assert torch.allclose(ours, best.mean(dim=0) - targets)


def test_spo_plus_with_true_weights() -> None:
    """With true weights the loss is at least the regret of deciding by the logits, and 0 if both agree."""
    weights, labels = batch("trees", 40)[0], labels_of("trees")
    logits, _ = batch("trees", 40, seed=9)
    loss = spo_plus_loss(logits, None, shared("trees"), weights=weights, reduction="none")
    best = (weights @ labels.T).amax(dim=1)
    regret = best - (weights * shared("trees").argmax(logits)).sum(dim=1)
    assert (loss >= regret - 1e-12).all()
    assert regret.max() > 0
    own = shared("trees").argmax(weights)
    truth = ((2 * logits - weights) @ labels.T).amax(dim=1) - ((2 * logits - weights) * own).sum(dim=1)
    assert torch.allclose(loss, truth)
    assert torch.allclose(SPOPlusLoss(shared("trees"), reduction="none")(logits, own, weights), truth)
    assert torch.allclose(spo_plus_loss(weights, None, shared("trees"), weights=weights), torch.zeros(()).double())


def test_spo_plus_is_twice_a_hinge() -> None:
    """For labels alone SPO+ is twice the structured hinge loss of scale ½, in value and gradient."""
    logits, targets = batch("hierarchy", 6)
    logits.requires_grad_()
    both = [
        spo_plus_loss(logits, targets, shared("hierarchy")),
        2 * structured_hinge_loss(logits, targets, shared("hierarchy"), scale=0.5),
    ]
    assert torch.allclose(*both)
    assert torch.allclose(*(torch.autograd.grad(value, logits)[0] for value in both))


@pytest.mark.parametrize("name", LOSSES)
def test_training(name: str) -> None:
    """Fifty steps of a linear net lower the loss and raise the share of labels decoded right."""
    torch.manual_seed(0)
    labels = labels_of("groups", torch.float32)
    targets = labels[torch.randint(len(labels), (120,))]
    inputs = targets @ torch.randn(5, 8) + 0.3 * torch.randn(120, 8)
    net = torch.nn.Linear(8, 5)
    loss_of = LOSSES[name](shared("groups"))
    optimiser = torch.optim.Adam(net.parameters(), lr=0.1)

    def right() -> float:
        return (shared("groups").argmax(net(inputs)) == targets).all(dim=1).float().mean().item()

    before, values = right(), []
    for _ in range(50):
        optimiser.zero_grad()
        loss = loss_of(net(inputs), targets)
        loss.backward()
        optimiser.step()
        values.append(loss.item())
    assert np.mean(values[-5:]) < 0.5 * values[0]
    assert right() > max(0.9, before)


@pytest.mark.parametrize("name", LOSSES)
def test_big_sets(name: str) -> None:
    """If labels are not listed, losses are still over all of them."""
    logits, targets = batch(BIG, 4)
    targets = targets.clone()
    targets[0] = (logits[0] > 0).double()
    targets[0, 18] = 1 - targets[0, 0]
    logits.requires_grad_()
    value = LOSSES[name](shared(BIG), reduction="none")(logits, targets)
    (gradient,) = torch.autograd.grad(value.sum(), logits)
    assert torch.isfinite(gradient).all()
    assert (value >= -1e-9).all()
    signs = torch.cartesian_prod(*[torch.tensor([0.0, 1.0], dtype=torch.float64)] * 18)
    listed = torch.cat([signs, 1 - signs[:, :1]], dim=1)
    if name == "crf":
        truth = [brute("crf", logits[r : r + 1], targets[r : r + 1], listed).squeeze() for r in range(4)]
    else:
        truth = [brute_big(name, logits[r], targets[r], listed, r) for r in range(4)]
    assert torch.allclose(value, torch.stack(truth))


def test_targets_outside_the_seen_labels_are_added_to_them() -> None:
    """With seen labels, a target that obeys the rules but was not seen counts as one of them: no loss is below 0."""
    seen = LabelSet(model(BIG), "seen")
    logits, _ = batch(BIG, 6)
    targets = (logits > 0).double()
    targets[:, 18] = 1 - targets[:, 0]
    for name in ("crf", "hinge", "fenchel-young"):
        assert (LOSSES[name](seen, reduction="none")(5 * logits, targets) >= 0).all(), name


def brute_big(name: str, logits: Tensor, target: Tensor, listed: Tensor, row: int) -> Tensor:
    """The loss of one row over 2¹⁸ labels; the Hamming distance is linear, so no table of pairs is needed."""
    if name == "spo+":
        shifted = 2 * logits - (2 * target - 1)
        return (listed @ shifted).max() - shifted @ target
    if name == "fenchel-young":
        drawn = FenchelYoungLoss(shared(BIG), samples=6, seed=0).noise.draw(torch.zeros(4, 19).double())[:, row]
        return torch.stack([(listed @ (logits + 0.8 * z)).max() - (logits + 0.8 * z) @ target for z in drawn]).mean()
    scale = {"hinge": 1.0, "hinge-half": 0.5}[name]
    return (listed @ logits + scale * (listed - target).abs().sum(dim=1)).max() - logits @ target


@pytest.mark.parametrize("name", LOSSES)
def test_targets_outside_the_set(name: str) -> None:
    """A target that breaks the rules raises an error that names its row, or is replaced, or is skipped."""
    logits, targets = batch("groups", 4)
    bad = targets.clone()
    bad[2] = torch.tensor([1.0, 1.0, 1.0, 1.0, 0.0])
    with pytest.raises(DataError, match=r"target of row 2 breaks the mined rules \(1 of 4"):
        LOSSES[name](shared("groups"))(logits, bad)
    whole = LOSSES[name](shared("groups"), reduction="none")(logits, targets)
    skipped = LOSSES[name](shared("groups"), reduction="none", on_infeasible="skip")(logits, bad)
    feasible_rows = torch.tensor([0, 1, 3])
    assert torch.allclose(skipped[feasible_rows], whole[feasible_rows])
    assert skipped[2] == 0
    mean = LOSSES[name](shared("groups"), on_infeasible="skip")(logits, bad)
    assert torch.allclose(mean, whole[feasible_rows].mean())
    nearest = bad.clone()
    nearest[2] = shared("groups").argmax(2 * bad[2:3] - 1)[0]
    assert (nearest[2] - bad[2]).abs().sum() == 2
    replaced = LOSSES[name](shared("groups"), reduction="none", on_infeasible="nearest")(logits, bad)
    assert torch.allclose(replaced, LOSSES[name](shared("groups"), reduction="none")(logits, nearest))


def test_nearest_in_a_big_set() -> None:
    """If labels are not listed, the model finds the nearest one."""
    logits, targets = batch(BIG, 3)
    bad = targets.clone()
    bad[1, 18] = bad[1, 0]
    loss = structured_hinge_loss(logits, bad, shared(BIG), reduction="none", on_infeasible="nearest")
    nearest = shared(BIG).argmax(2 * bad - 1)
    assert (nearest - bad).abs().sum(dim=1).tolist() == [0, 1, 0]
    assert torch.allclose(loss, structured_hinge_loss(logits, nearest, shared(BIG), reduction="none"))


@pytest.mark.parametrize("name", LOSSES)
def test_nothing_to_learn_from(name: str) -> None:
    """The loss of an empty batch, or of one whose rows are all skipped, is 0, and so is its gradient."""
    loss_of = LOSSES[name](shared("groups"), on_infeasible="skip")
    for rows in (0, 3):
        logits = torch.zeros(rows, 5, requires_grad=True)
        loss = loss_of(logits, torch.ones(rows, 5))
        loss.backward()
        assert loss.item() == 0
        assert not logits.grad.any()


@pytest.mark.parametrize("kind", [torch.bool, torch.uint8, torch.int64, torch.float16])
def test_types_of_targets(kind: torch.dtype) -> None:
    """Targets may be of any type that holds 0 and 1."""
    logits, targets = batch("groups", 4, dtype=torch.float32)
    assert torch.equal(
        crf_loss(logits, targets.to(kind), shared("groups")), crf_loss(logits, targets, shared("groups"))
    )


def test_large_logits() -> None:
    """Logits in the thousands neither overflow nor lose the gradient."""
    logits = torch.tensor([[3000.0, -3000.0, 0.0, 2500.0, 0.0]], requires_grad=True)
    loss = crf_loss(logits, torch.tensor([[0, 0, 1, 0, 1]]), shared("groups"))
    loss.backward()
    assert loss.item() == pytest.approx(5500.0)
    assert logits.grad.tolist() == [[1, 0, -1, 1, -1]]


GOOD = torch.tensor([[1, 0, 0, 1, 0], [0, 1, 0, 0, 1]])
BAD = {
    "no label at all": (torch.zeros(2, 5), torch.full((2, 5), 2), "2 at row 0, column 0: give 0 or 1"),
    "between 0 and 1": (torch.zeros(2, 5), 0.5 * GOOD, "0.5 at row 0, column 0: give 0 or 1"),
    "nan in targets": (torch.zeros(2, 5), torch.full((2, 5), float("nan")), "give 0 or 1"),
    "class numbers": (torch.zeros(2, 5), torch.tensor([0, 3]), r"shape \(2,\): give a batch × 5 tensor"),
    "columns": (torch.zeros(2, 5), GOOD[:, :4], "4 columns but there are 5"),
    "rows": (torch.zeros(2, 5), GOOD[:1], "1 rows but logits have 2"),
    "logits": (torch.zeros(2, 4), GOOD, "4 columns but there are 5"),
    "nan": (torch.full((2, 5), float("nan")), GOOD, "nan at row 0, column 0"),
    "integers": (GOOD, GOOD, "give floats"),
    "device": (torch.zeros(2, 5), GOOD.to("meta"), r"on meta but logits are on cpu: move them with \.to"),
    "a list": (torch.zeros(2, 5), GOOD.tolist(), "of type list: give a torch tensor"),
}


@pytest.mark.parametrize("case", BAD)
@pytest.mark.parametrize("name", LOSSES)
def test_bad_use(name: str, case: str) -> None:
    """Logits and targets that cannot be used raise an error that names the cure."""
    logits, targets, message = BAD[case]
    with pytest.raises(DataError, match=message):
        LOSSES[name](shared("groups"))(logits, targets)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: CRFLoss(shared("groups"), reduction="average"), "use one of 'mean', 'sum', 'none'"),
        (lambda: CRFLoss(shared("groups"), on_infeasible="drop"), "use one of 'error', 'nearest', 'skip'"),
        (lambda: StructuredHingeLoss(shared("groups"), scale=-1), "at least 0"),
        (lambda: FenchelYoungLoss(shared("groups"), sigma=-1), "above 0"),
        (lambda: FenchelYoungLoss(shared("groups"), samples=0), "at least 1"),
        (lambda: FenchelYoungLoss(shared("groups"), seed="a"), "seed is 'a'"),
        (lambda: CRFLoss(every("groups")), "unwritten.mine"),  # type: ignore[arg-type]
        (lambda: SPOPlusLoss(shared("groups"))(torch.zeros(2, 5)), "give targets, weights or both"),
        (lambda: SPOPlusLoss(shared("groups"))(torch.zeros(2, 5), weights=torch.zeros(1, 5)), "weights have 1 rows"),
        (lambda: crf_loss(torch.zeros(2, 5), GOOD, shared("groups"), reduction="all"), "reduction is 'all'"),
    ],
)
def test_bad_settings(make: Callable[[], object], message: str) -> None:
    """Settings that make no sense raise an error that names the choices."""
    with pytest.raises(DataError, match=message):
        make()


def test_integer_labels_are_no_targets() -> None:
    """Losses need 0/1 labels; for others the error recommends one-hot columns."""
    mined = unwritten.mine(np.array([[k, 10 - k] for k in range(11)]), rules=["equalities"])
    with pytest.raises(DataError, match="mine one-hot columns"):
        crf_loss(torch.zeros(1, 2), torch.zeros(1, 2), LabelSet(mined))


REPRS = {
    "crf": "CRFLoss({}, reduction='mean', on_infeasible='error')",
    "hinge-half": "StructuredHingeLoss({}, scale=0.5, reduction='mean', on_infeasible='error')",
    "spo+": "SPOPlusLoss({}, reduction='mean', on_infeasible='error')",
    "fenchel-young": "FenchelYoungLoss({}, samples=6, sigma=0.8, reduction='mean', on_infeasible='error')",
}


@pytest.mark.parametrize("name", REPRS)
def test_repr_is_one_line(name: str) -> None:
    """The repr of a loss names its labels and its settings."""
    assert repr(LOSSES[name](shared("groups"))) == REPRS[name].format("LabelSet(6 labels of 5 variables, exact=True)")
