"""FeasibleLayer: its outputs are the model's decisions, and its gradients are those it documents."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torch_cases import BIG, SMALL, batch, labels_of, model, shared  # noqa: E402

import unwritten  # noqa: E402
from unwritten.errors import DataError  # noqa: E402
from unwritten.torch import FeasibleLayer, perturbed_argmax  # noqa: E402


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16, torch.float16])
@pytest.mark.parametrize("kind", [*SMALL, BIG])
def test_decodes_as_the_model(kind: str, dtype: torch.dtype) -> None:
    """The labels are those of `Model.predict`, in the type of the logits; logits are maximised in either sense."""
    logits = batch(kind, 20)[0].to(dtype)
    output = FeasibleLayer(shared(kind))(logits)
    sign = -1 if model(kind).sense == "min" else 1
    assert output.dtype == dtype
    assert np.array_equal(output.double().numpy(), model(kind).predict(sign * logits.double().numpy()))


def test_integer_labels() -> None:
    """Labels need not be 0 or 1; logits of a type that cannot hold them exactly are refused."""
    mined = unwritten.mine(np.array([[k, 1000 - k] for k in range(0, 1001, 50)]), rules=["equalities"])
    layer = FeasibleLayer(mined)
    assert layer(torch.tensor([[0.1, 0.5]])).tolist() == [[0.0, 1000.0]]
    with pytest.raises(DataError, match=r"too large for torch\.bfloat16"):
        layer(torch.zeros(1, 2, dtype=torch.bfloat16))


def test_straight_through() -> None:
    """The gradient passes as through the identity, and the output is exactly 0 and 1."""
    logits = batch("trees", 4, dtype=torch.float32)[0].requires_grad_()
    weights = torch.randn(4, 6)
    output = FeasibleLayer(shared("trees"))(logits)
    (gradient,) = torch.autograd.grad((output * weights).sum(), logits)
    assert torch.equal(gradient, weights)
    assert set(output.unique().tolist()) == {0.0, 1.0}


@pytest.mark.parametrize("gradient", ["straight-through", "perturbed", None])
def test_evaluation_decodes(gradient: str | None) -> None:
    """In evaluation mode every layer decodes and has no gradient; None has none in training either."""
    logits = batch("trees", 4)[0].requires_grad_()
    layer = FeasibleLayer(shared("trees"), gradient=gradient)
    plain = FeasibleLayer(shared("trees"), gradient=None)(logits)
    assert not plain.requires_grad
    assert torch.equal(layer.eval()(logits), plain)
    assert not layer(logits).requires_grad
    assert layer.train()(logits).requires_grad == (gradient is not None)


def test_perturbed_is_unbiased() -> None:
    """With two labels E[ŷ] and its Jacobian have closed forms; the means of many estimates equal both."""
    # y = (1, 0) wins iff w₀ − w₁ + σ(Z₀ − Z₁) > 0, i.e. with probability Φ((w₀ − w₁) / (σ√2))
    mined = unwritten.mine(np.eye(2, dtype=np.int64).repeat(90, axis=0))
    sigma, gap = 0.7, 0.4
    normal = torch.distributions.Normal(0.0, 1.0)
    scaled = torch.tensor(gap / (sigma * 2**0.5))
    density = normal.log_prob(scaled).exp() / (sigma * 2**0.5)
    logits = torch.tensor([[gap, 0.0]]).repeat(2000, 1).requires_grad_()
    layer = FeasibleLayer(mined, gradient="perturbed", samples=20, sigma=sigma, seed=3)
    output = layer(logits)
    (gradient,) = torch.autograd.grad(output[:, 0].sum(), logits)
    assert output.detach().mean(dim=0)[0] == pytest.approx(normal.cdf(scaled).item(), abs=0.01)
    assert gradient.mean(dim=0).tolist() == pytest.approx([density.item(), -density.item()], abs=0.02)


def test_perturbed_against_the_sampled_smooth_function() -> None:
    """On trees the mean gradient equals finite differences of the smoothed output under the same noise."""
    logits, _ = batch("trees", 1)
    weights = torch.arange(6, dtype=torch.float64)
    noise = torch.randn(1, 200_000, 6, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    copies = logits.repeat(200_000, 1).requires_grad_()
    output = perturbed_argmax(copies, shared("trees"), noise)  # one draw for each of many equal rows
    ours = torch.autograd.grad((output * weights).sum(), copies)[0].mean(dim=0)

    def smooth(at: torch.Tensor) -> torch.Tensor:
        values = (at + noise[0]) @ labels_of("trees").T
        return (labels_of("trees")[values.argmax(dim=1)] @ weights).mean()

    steps = 0.25 * torch.eye(6, dtype=torch.float64)
    slopes = torch.stack([(smooth(logits + step) - smooth(logits - step)) / 0.5 for step in steps])
    assert torch.allclose(ours, slopes, atol=0.06)


def test_leaving_one_out_keeps_the_mean() -> None:
    """Subtracting the mean of the other draws lowers the spread of the gradient and leaves its mean."""
    logits = batch("trees", 1)[0].repeat(4000, 1).requires_grad_()
    weights = torch.arange(6, dtype=torch.float64)
    means, spreads = [], []
    for samples in (1, 8):
        noise = torch.randn(samples, 4000, 6, dtype=torch.float64, generator=torch.Generator().manual_seed(2))
        (gradient,) = torch.autograd.grad((perturbed_argmax(logits, shared("trees"), noise) * weights).sum(), logits)
        means.append(gradient.mean(dim=0))
        spreads.append(gradient.std(dim=0).mean().item())
    assert torch.allclose(means[0], means[1], atol=0.35)
    assert spreads[1] < spreads[0] / 2


def test_seeds() -> None:
    """A seed gives the same draws in every run and new ones in every call; without one, torch's seed decides."""
    logits = torch.zeros(3, 6)
    one, other = (FeasibleLayer(shared("trees"), gradient="perturbed", seed=5) for _ in range(2))
    first = one(logits)
    torch.manual_seed(0)
    assert torch.equal(first, other(logits))
    assert not torch.equal(first, one(logits))
    free = FeasibleLayer(shared("trees"), gradient="perturbed")
    torch.manual_seed(1)
    first = free(logits)
    torch.manual_seed(1)
    assert torch.equal(first, free(logits))


def test_perturbed_on_a_big_set() -> None:
    """If labels are not listed, the model decides every draw."""
    logits = batch(BIG, 3)[0].requires_grad_()
    output = FeasibleLayer(shared(BIG), gradient="perturbed", samples=4, seed=0)(logits)
    (gradient,) = torch.autograd.grad(output.square().sum(), logits)
    assert torch.allclose(output[:, 0] + output[:, 18], torch.ones(3, dtype=torch.float64))
    assert torch.isfinite(gradient).all() and gradient.abs().sum() > 0


@pytest.mark.parametrize("gradient", ["straight-through", "perturbed"])
def test_training_through_the_layer(gradient: str) -> None:
    """A linear net learns the labels from a squared distance behind the layer."""
    torch.manual_seed(0)
    labels = labels_of("groups", torch.float32)
    targets = labels[torch.randint(len(labels), (120,))]
    inputs = targets @ torch.randn(5, 8) + 0.3 * torch.randn(120, 8)
    net = torch.nn.Sequential(torch.nn.Linear(8, 5), FeasibleLayer(shared("groups"), gradient, sigma=0.5, seed=0))
    optimiser = torch.optim.Adam(net.parameters(), lr=0.1)
    for _ in range(60):
        optimiser.zero_grad()
        (net(inputs) - targets).square().sum(dim=1).mean().backward()
        optimiser.step()
    assert (net.eval()(inputs) == targets).all(dim=1).float().mean() > 0.9


def test_empty_batch() -> None:
    """An empty batch gives an empty batch of labels."""
    assert FeasibleLayer(shared("trees"))(torch.zeros(0, 6)).shape == (0, 6)
    assert FeasibleLayer(shared(BIG))(torch.zeros(0, 19)).shape == (0, 19)


BAD = {
    "rows alone": (torch.zeros(6), r"row\.unsqueeze"),
    "three dimensions": (torch.zeros(2, 2, 6), "flatten the rest"),
    "a column too many": (torch.zeros(2, 7), "7 columns but there are 6"),
    "integers": (torch.zeros(2, 6, dtype=torch.long), "of type int64: give floats"),
    "complex": (torch.zeros(2, 6, dtype=torch.complex64), "complex"),
    "nan": (torch.tensor([[0.0] * 6, [0.0, 0.0, float("nan"), 0.0, 0.0, 0.0]]), "nan at row 1, column 2"),
    "infinity": (torch.full((1, 6), float("-inf")), "-inf at row 0, column 0"),
    "an array": (np.zeros((2, 6)), "ndarray: give a torch tensor"),
}


@pytest.mark.parametrize("case", BAD)
@pytest.mark.parametrize("gradient", ["straight-through", "perturbed", None])
def test_bad_logits(case: str, gradient: str | None) -> None:
    """Logits that cannot be used raise an error that names the cure."""
    logits, message = BAD[case]
    with pytest.raises(DataError, match=message):
        FeasibleLayer(shared("trees"), gradient=gradient)(logits)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"gradient": "exact"}, "use one of 'straight-through', 'perturbed', None"),
        ({"sigma": 0}, "above 0"),
        ({"sigma": float("nan")}, "above 0"),
        ({"samples": 0}, "at least 1"),
        ({"samples": 2.5}, "whole number"),
        ({"seed": -1}, "at least 0"),
    ],
)
def test_bad_settings(settings: dict[str, object], message: str) -> None:
    """Settings are checked when the layer is made."""
    with pytest.raises(DataError, match=message):
        FeasibleLayer(shared("trees"), **settings)  # type: ignore[arg-type]


def test_bad_noise() -> None:
    """Noise must have one draw for each logit."""
    with pytest.raises(DataError, match=r"give a tensor \(samples, 2, 6\)"):
        perturbed_argmax(torch.zeros(2, 6), shared("trees"), torch.zeros(2, 6))


def test_repr_is_one_line() -> None:
    """The repr of a layer, alone and in a network, names its labels and how it is trained."""
    layer = FeasibleLayer(shared("groups"), "perturbed", samples=4, sigma=0.5)
    text = "FeasibleLayer(LabelSet(6 labels of 5 variables, exact=True), gradient='perturbed', samples=4, sigma=0.5)"
    assert repr(layer) == text
    assert f"  (0): {text}\n" in repr(torch.nn.Sequential(layer))
