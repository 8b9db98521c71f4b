"""The layer and the losses inside torch: mixed precision, compiling, copies, data loaders, devices, lazy imports."""

from __future__ import annotations

import copy
import io
import pickle
import subprocess
import sys
from collections.abc import Callable
from functools import partial

import pytest

torch = pytest.importorskip("torch")

from torch_cases import batch, model, shared  # noqa: E402

from unwritten.torch import (  # noqa: E402
    CRFLoss,
    FeasibleLayer,
    FenchelYoungLoss,
    SPOPlusLoss,
    StructuredHingeLoss,
    crf_loss,
    fenchel_young_loss,
    spo_plus_loss,
    structured_hinge_loss,
)

LOSSES: dict[str, Callable[..., torch.nn.Module]] = {
    "crf": CRFLoss,
    "hinge": StructuredHingeLoss,
    "spo+": SPOPlusLoss,
    "fenchel-young": partial(FenchelYoungLoss, seed=0),
}
LAYERS = {
    "straight-through": FeasibleLayer,
    "perturbed": partial(FeasibleLayer, gradient="perturbed", seed=0),
}
DEVICES = ["cpu", pytest.param("cuda", marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA"))]


class Decoded(torch.utils.data.Dataset):  # type: ignore[type-arg]
    """Rows that the loading worker decodes."""

    def __init__(self, layer: FeasibleLayer, rows: torch.Tensor) -> None:
        self.layer, self.rows = layer, rows

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, i: int) -> torch.Tensor:
        return self.layer(self.rows[i : i + 1])[0]


@pytest.mark.parametrize("name", LOSSES)
def test_losses_under_autocast(name: str) -> None:
    """In mixed precision the loss is computed in float32 from the net's output, and trains the net."""
    net = torch.nn.Linear(4, 6)
    _, targets = batch("trees", 8, dtype=torch.float32)
    inputs = torch.randn(8, 4)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits = net(inputs)
        loss = LOSSES[name](shared("trees"))(logits, targets)
    assert logits.dtype == torch.bfloat16
    assert loss.dtype == torch.float32
    assert torch.equal(loss, LOSSES[name](shared("trees"))(logits.float(), targets))
    loss.backward()
    assert torch.isfinite(net.weight.grad).all() and net.weight.grad.any()


@pytest.mark.parametrize("name", LAYERS)
def test_layers_under_autocast(name: str) -> None:
    """In mixed precision the layer returns labels in the type of the logits and passes a gradient back."""
    net = torch.nn.Sequential(torch.nn.Linear(4, 6), LAYERS[name](shared("trees")))
    inputs = torch.randn(8, 4)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        labels = net(inputs)
    assert labels.dtype == torch.bfloat16
    labels.float().square().sum().backward()
    assert torch.isfinite(net[0].weight.grad).all() and net[0].weight.grad.any()


@pytest.mark.parametrize("name", [*LOSSES, *LAYERS])
def test_compiled(name: str) -> None:
    """A compiled step gives the values and gradients of a plain one."""
    torch.manual_seed(0)
    net = torch.nn.Linear(4, 6)
    logits, targets = batch("trees", 8, dtype=torch.float32)
    inputs = logits[:, :4]

    def run(compiled: bool) -> tuple[float, torch.Tensor]:
        part = LOSSES[name](shared("trees")) if name in LOSSES else LAYERS[name](shared("trees"))

        def step(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
            hidden = torch.tanh(net(x)) * 2
            return part(hidden, y) * 3 if name in LOSSES else ((part(hidden) - y) ** 2).sum() * 3

        net.zero_grad()
        value = (torch.compile(step, backend="aot_eager") if compiled else step)(inputs, targets)
        value.backward()
        return value.item(), net.weight.grad.clone()

    plain, compiled = run(False), run(True)
    assert plain[0] == pytest.approx(compiled[0])
    assert torch.allclose(plain[1], compiled[1])


FUNCTIONS = {
    "crf": crf_loss,
    "hinge": structured_hinge_loss,
    "spo+": spo_plus_loss,
    "fenchel-young": partial(fenchel_young_loss, noise=torch.zeros(2, 8, 6)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_compiled_functions(name: str) -> None:
    """A loss function gives the same value and gradient inside a compiled step."""
    logits, targets = batch("trees", 8, dtype=torch.float32)
    logits.requires_grad_()
    labels = shared("trees")

    def step(w: torch.Tensor) -> torch.Tensor:
        return FUNCTIONS[name](2 * w, targets, labels) * 3

    plain, compiled = step(logits), torch.compile(step, backend="aot_eager")(logits)
    assert torch.allclose(plain, compiled)
    assert torch.allclose(*(torch.autograd.grad(value, logits)[0] for value in (plain, compiled)))


@pytest.mark.parametrize("name", [*LOSSES, *LAYERS])
def test_copies(name: str) -> None:
    """A deep copy, a pickled copy and a saved copy give the results that the original would have given."""
    logits, targets = batch("trees", 8)
    part = LOSSES[name](model("trees")) if name in LOSSES else LAYERS[name](model("trees"))
    arguments = (logits, targets) if name in LOSSES else (logits,)
    part(*arguments)
    file = io.BytesIO()
    torch.save(part, file)
    file.seek(0)
    copies = [copy.deepcopy(part), pickle.loads(pickle.dumps(part)), torch.load(file, weights_only=False)]  # noqa: S301
    truth = part(*arguments)
    assert all(torch.equal(one(*arguments), truth) for one in copies)


@pytest.mark.parametrize("name", [*LOSSES, *LAYERS])
def test_no_state(name: str) -> None:
    """Labels are not learnt: state dict and parameters are empty."""
    part = LOSSES[name](shared("trees")) if name in LOSSES else LAYERS[name](shared("trees"))
    assert not part.state_dict()
    assert not list(part.parameters())
    part.load_state_dict({})


def test_data_loader_workers() -> None:
    """Two workers decode the rows they load."""
    rows, _ = batch("trees", 8)
    layer = FeasibleLayer(shared("trees")).eval()
    loader = torch.utils.data.DataLoader(Decoded(layer, rows), batch_size=4, num_workers=2)
    assert torch.equal(torch.cat(list(loader)), layer(rows))


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", [*LOSSES, *LAYERS])
def test_devices(name: str, device: str) -> None:
    """`.to` moves the labels, and results are on the device of the logits."""
    logits, targets = (part.to(device) for part in batch("trees", 8, dtype=torch.float32))
    part = (LOSSES[name](model("trees")) if name in LOSSES else LAYERS[name](model("trees"))).to(device)
    assert {buffer.device.type for buffer in part.buffers()} == {device}
    logits.requires_grad_()
    value = part(logits, targets) if name in LOSSES else part(logits).square().sum()
    value.backward()
    assert value.device.type == logits.grad.device.type == device
    assert torch.isfinite(logits.grad).all()


def test_labels_on_another_device() -> None:
    """`.to` moves every buffer; logits on another device raise an error that names the cure."""
    layer = copy.deepcopy(FeasibleLayer(model("trees"))).to("meta")
    assert {buffer.device.type for buffer in layer.buffers()} == {"meta"}
    message = r"labels are on meta but logits are on cpu: move .* \.to"
    with pytest.raises(ValueError, match=message):
        layer(torch.zeros(1, 6))
    for loss in LOSSES.values():
        with pytest.raises(ValueError, match=message):
            loss(layer.labels)(torch.zeros(1, 6), torch.zeros(1, 6))


WITHOUT = """
import sys
{block}
import unwritten
assert "torch" not in sys.modules or sys.modules["torch"] is None
"""


def test_unwritten_alone_does_not_load_torch() -> None:
    """`import unwritten` does not import torch."""
    subprocess.run([sys.executable, "-c", WITHOUT.format(block="")], check=True)


def test_without_torch() -> None:
    """Without torch, `import unwritten` works, and importing `unwritten.torch` says how to install torch."""
    code = WITHOUT.format(block='sys.modules["torch"] = None') + (
        "try:\n    import unwritten.torch\nexcept unwritten.errors.MissingPackageError as error:\n"
        "    assert \"pip install 'unwritten[torch]'\" in str(error)\nelse:\n    raise SystemExit(1)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_loads_on_demand() -> None:
    """After a plain `import unwritten`, importing the package by name makes the layer an attribute of it."""
    code = WITHOUT.format(block="") + (
        "import importlib\n"
        "assert importlib.import_module('unwritten.torch').FeasibleLayer is unwritten.torch.FeasibleLayer\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
