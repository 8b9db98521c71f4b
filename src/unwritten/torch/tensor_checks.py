"""Checks of what a network passes in: tensors, which are also brought to the type that is computed in, and settings."""

from __future__ import annotations

from collections.abc import Collection
from math import inf
from typing import TypeGuard

import torch
from torch import Tensor

from unwritten.errors import DataError


def checked_logits(logits: Tensor, width: int, name: str = "logits") -> Tensor:
    """Check that logits are finite floats (batch × width); return them in float64 if they have it, else in float32."""
    logits = _matrix(logits, width, name)
    if not logits.is_floating_point():
        raise DataError(f"{name} are of type {_type_name(logits)}: give floats, one per variable")
    finite = torch.isfinite(logits)
    if not finite.all():
        row, column = _first_place(~finite)
        raise DataError(
            f"{name} hold {logits[row, column].item()} at row {row}, column {column}: "
            "lower the learning rate or clip gradients, and mask with large finite values"
        )
    return logits if logits.dtype == torch.float64 else logits.float()


def checked_targets(targets: Tensor, logits: Tensor, name: str = "targets") -> Tensor:
    """Check that targets are 0/1, with one row per row of logits and on their device; return them in its type."""
    targets = _matching(_matrix(targets, logits.shape[1], name), logits, name)
    wrong = (targets != 0) & (targets != 1)
    if wrong.any():
        row, column = _first_place(wrong)
        raise DataError(f"{name} hold {targets[row, column].item()} at row {row}, column {column}: give 0 or 1")
    return targets.to(logits.dtype)


def checked_weights(weights: Tensor, logits: Tensor, name: str = "weights") -> Tensor:
    """Check that weights are finite, with one row per row of logits and on their device; return them in its type."""
    return _matching(checked_logits(weights, logits.shape[1], name), logits, name).detach().to(logits.dtype)


def checked_noise(noise: Tensor, logits: Tensor) -> Tensor:
    """Check the shape of the noise (samples × batch × width); return it on the device and in the type of the logits."""
    if not isinstance(noise, Tensor) or noise.ndim != 3 or noise.shape[1:] != logits.shape or not len(noise):
        shape = tuple(noise.shape) if isinstance(noise, Tensor) else type(noise).__name__
        raise DataError(f"noise is {shape}: give a tensor (samples, {', '.join(map(str, logits.shape))})")
    return noise.detach().to(logits)


def require_choice(value: object, choices: Collection[object], name: str) -> None:
    """Refuse a setting that is not one of the choices."""
    if value not in choices:
        raise DataError(f"{name} is {value!r}: use one of {', '.join(map(repr, choices))}")


def require_at_least(value: object, least: int, name: str) -> None:
    """Refuse a setting that is not a finite number of at least `least`."""
    if not (_is_number(value) and value >= least):
        raise DataError(f"{name} is {value!r}: give a number of at least {least}")


def require_positive(value: object, name: str) -> None:
    """Refuse a setting that is not a finite number above 0."""
    if not (_is_number(value) and value > 0):
        raise DataError(f"{name} is {value!r}: give a number above 0")


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and float(value) < inf


def _matrix(tensor: Tensor, width: int, name: str) -> Tensor:
    if not isinstance(tensor, Tensor):
        raise DataError(f"{name} are of type {type(tensor).__name__}: give a torch tensor, e.g. by torch.as_tensor")
    if tensor.ndim != 2:
        raise DataError(
            f"{name} have shape {tuple(tensor.shape)}: give a batch × {width} tensor"
            + ("; for a single row use row.unsqueeze(0)" if tensor.ndim == 1 else "; flatten the rest into the columns")
        )
    if tensor.shape[1] != width:
        raise DataError(f"{name} have {tensor.shape[1]} columns but there are {width} variables: give one per variable")
    if tensor.is_complex():
        raise DataError(f"{name} are complex numbers: give real ones")
    return tensor


def _matching(tensor: Tensor, logits: Tensor, name: str) -> Tensor:
    if len(tensor) != len(logits):
        raise DataError(f"{name} have {len(tensor)} rows but logits have {len(logits)}: give one row for each")
    if tensor.device != logits.device:
        raise DataError(f"{name} are on {tensor.device} but logits are on {logits.device}: move them with .to(device)")
    return tensor


def _first_place(mask: Tensor) -> tuple[int, int]:
    row, column = mask.nonzero()[0].tolist()
    return row, column


def _type_name(tensor: Tensor) -> str:
    return str(tensor.dtype).removeprefix("torch.")
