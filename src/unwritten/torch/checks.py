"""What a network hands over: tensors are checked here, once, and brought to the type that is computed in."""

from __future__ import annotations

from collections.abc import Collection

import torch
from torch import Tensor

from unwritten.errors import DataError


def checked_logits(logits: Tensor, width: int, what: str = "logits") -> Tensor:
    """Finite floats (batch × width), in float64 if they are, else in float32."""
    logits = _matrix(logits, width, what)
    if not logits.is_floating_point():
        raise DataError(f"{what} are of type {_name(logits)}: give floats, one per variable")
    finite = torch.isfinite(logits)
    if not finite.all():
        row, column = _first(~finite)
        raise DataError(
            f"{what} hold {logits[row, column].item()} at row {row}, column {column}: "
            "lower the learning rate or clip gradients, and mask with large finite values"
        )
    return logits if logits.dtype == torch.float64 else logits.float()


def checked_targets(targets: Tensor, logits: Tensor, what: str = "targets") -> Tensor:
    """0/1 labels, one row for each row of logits, on their device and in their type."""
    targets = _alike(_matrix(targets, logits.shape[1], what), logits, what)
    wrong = (targets != 0) & (targets != 1)
    if wrong.any():
        row, column = _first(wrong)
        raise DataError(f"{what} hold {targets[row, column].item()} at row {row}, column {column}: give 0 or 1")
    return targets.to(logits.dtype)


def checked_weights(weights: Tensor, logits: Tensor, what: str = "weights") -> Tensor:
    """Finite weights, one row for each row of logits, on their device and in their type."""
    return _alike(checked_logits(weights, logits.shape[1], what), logits, what).detach().to(logits.dtype)


def checked_noise(noise: Tensor, logits: Tensor) -> Tensor:
    """Noise (samples × batch × width), on the device of the logits and in their type."""
    if not isinstance(noise, Tensor) or noise.ndim != 3 or noise.shape[1:] != logits.shape or not len(noise):
        shape = tuple(noise.shape) if isinstance(noise, Tensor) else type(noise).__name__
        raise DataError(f"noise is {shape}: give a tensor (samples, {', '.join(map(str, logits.shape))})")
    return noise.detach().to(logits)


def checked_choice(value: object, choices: Collection[object], what: str) -> None:
    """One of a few names."""
    if value not in choices:
        raise DataError(f"{what} is {value!r}: use one of {', '.join(map(repr, choices))}")


def checked_number(value: object, what: str, least: float, strictly: bool = False) -> None:
    """A number, not below (or above) a limit."""
    good = isinstance(value, int | float) and not isinstance(value, bool) and float(value) < float("inf")
    if not (good and (value > least if strictly else value >= least)):  # type: ignore[operator]
        raise DataError(f"{what} is {value!r}: give a number {'above' if strictly else 'of at least'} {least}")


def _matrix(tensor: Tensor, width: int, what: str) -> Tensor:
    if not isinstance(tensor, Tensor):
        raise DataError(f"{what} are of type {type(tensor).__name__}: give a torch tensor, e.g. by torch.as_tensor")
    if tensor.ndim != 2:
        raise DataError(
            f"{what} have shape {tuple(tensor.shape)}: give a batch × {width} tensor"
            + ("; for a single row use row.unsqueeze(0)" if tensor.ndim == 1 else "; flatten the rest into the columns")
        )
    if tensor.shape[1] != width:
        raise DataError(f"{what} have {tensor.shape[1]} columns but there are {width} variables: give one per variable")
    if tensor.is_complex():
        raise DataError(f"{what} are complex numbers: give real ones")
    return tensor


def _alike(tensor: Tensor, logits: Tensor, what: str) -> Tensor:
    if len(tensor) != len(logits):
        raise DataError(f"{what} have {len(tensor)} rows but logits have {len(logits)}: give one row for each")
    if tensor.device != logits.device:
        raise DataError(f"{what} are on {tensor.device} but logits are on {logits.device}: move them with .to(device)")
    return tensor


def _first(bad: Tensor) -> tuple[int, int]:
    row, column = bad.nonzero()[0].tolist()
    return row, column


def _name(tensor: Tensor) -> str:
    return str(tensor.dtype).removeprefix("torch.")
