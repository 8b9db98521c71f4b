"""LabelSet: the feasible labels of a model as a tensor, and sums and maxima of w·y over them."""

# mypy: disallow-subclassing-any=False
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from unwritten import budgets
from unwritten.errors import DataError, InfeasibleError
from unwritten.model import Model
from unwritten.torch.checks import checked_logits
from unwritten.torch.listing import feasible, listed, smallest
from unwritten.torch.lookup import Lookup


class LabelSet(nn.Module):
    """The labels that obey a model's rules and cuts; where they are too many, the seen ones, and `exact` is False.

    `labels` (k × d) are the labels listed, seen ones first, so that they win ties. Where the set is not exact, maxima
    are still over all labels (found by `Model.predict`, on the CPU), but sums run over the listed labels alone.

    Parameters
    ----------
    model
        A mined model.
    limit
        List the labels if that means looking at no more than this many partial labels at a time; 0 takes the seen ones.
    settings
        Passed to `Model.predict` where labels are not listed, such as ``n_jobs=2``.

    Examples
    --------
    >>> import unwritten, torch
    >>> labels = LabelSet(unwritten.mine([[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 9))
    >>> labels.exact, len(labels)
    (True, 3)
    >>> labels.argmax(torch.tensor([[0.1, 0.3, 0.2]]))
    tensor([[0., 1., 0.]])
    >>> labels.marginals(torch.zeros(1, 3))
    tensor([[0.3333, 0.3333, 0.3333]])
    """

    labels: Tensor

    def __init__(self, model: Model, limit: int = budgets.LABELSET_LABELS, **settings: Any) -> None:
        super().__init__()
        if not isinstance(model, Model):
            raise DataError(
                f"the model is of type {type(model).__name__}: give one that unwritten.mine or load returned"
            )
        self.model = model
        self.settings = settings
        found, self.exact = listed(model, limit)
        if not len(found):
            raise InfeasibleError("no label obeys all rules and cuts: drop or relax some, or mine more examples")
        self.binary = bool(((found == 0) | (found == 1)).all())
        # integers, which `.half()` on a network leaves alone; not persistent, for they are not learnt
        self.register_buffer("labels", torch.from_numpy(smallest(found)), persistent=False)
        self._lookup = Lookup(self.labels)

    @property
    def width(self) -> int:
        """The number of variables."""
        return int(self.labels.shape[1])

    def __len__(self) -> int:
        return len(self.labels)

    def extra_repr(self) -> str:
        """How many labels, and whether these are all."""
        return f"{len(self)} labels of {self.width} variables, exact={self.exact}"

    def argmax(self, logits: Tensor) -> Tensor:
        """The feasible label with the largest w·y for each row, in the type of the logits; it has no gradient."""
        weights = self.checked(logits).detach()
        if not self.exact:
            sign = 1.0 if self.model.sense == "max" else -1.0
            found = self.model.predict(sign * weights.cpu().numpy().astype(np.float64), **self.settings)
            return torch.from_numpy(found).to(logits)
        with _plain(weights), torch.no_grad():
            return self.labels[self._best(weights)].to(logits.dtype)

    def logsumexp(self, logits: Tensor) -> Tensor:
        """log Σ_y exp(w·y) over the listed labels, for each row; its gradient is the marginals."""
        weights = self.checked(logits)
        with _plain(weights):
            return self._logsumexp(weights)

    def marginals(self, logits: Tensor) -> Tensor:
        """E[y] for each row, where p(y) ∝ exp(w·y) over the listed labels."""
        weights = self.checked(logits)
        with _plain(weights):
            total = self._logsumexp(weights)
            parts = self._parts(weights)
            return sum(_lean(len(parts) > 1, _mean, weights, total, part) for part in parts)

    def listed(self, targets: Tensor) -> Tensor:
        """Which rows are among the listed labels."""
        return self._lookup(targets, self.labels)

    def contains(self, targets: Tensor) -> Tensor:
        """Which rows are feasible labels, listed or not."""
        found = self.listed(targets)
        if not self.exact and not found.all():
            unlisted = targets[~found].cpu().numpy().astype(np.int64)
            found[~found] = torch.from_numpy(feasible(self.model, unlisted)).to(found.device)
        return found

    def checked(self, logits: Tensor) -> Tensor:
        """Logits fit to be computed with: finite, one per variable, on the device of the labels."""
        weights = checked_logits(logits, self.width)
        if weights.device != self.labels.device:
            raise DataError(
                f"labels are on {self.labels.device} but logits are on {weights.device}: "
                "move the layer, loss or label set with .to(device)"
            )
        return weights

    def _best(self, weights: Tensor) -> Tensor:
        """The place of the best label for each row; the first of equals."""
        value = torch.full_like(weights[:, 0], -torch.inf)
        best = torch.zeros_like(value, dtype=torch.long)
        start = 0
        for part in self._parts(weights):
            ahead, place = (weights @ part.to(weights.dtype).T).max(dim=1)
            best = torch.where(ahead > value, start + place, best)
            value = torch.maximum(ahead, value)
            start += len(part)
        return best

    def _logsumexp(self, weights: Tensor) -> Tensor:
        parts = self._parts(weights)
        sums = [_lean(len(parts) > 1, _sum, weights, part) for part in parts]
        return torch.stack(sums).logsumexp(dim=0) if len(sums) > 1 else sums[0]

    def _parts(self, weights: Tensor) -> tuple[Tensor, ...]:
        found: tuple[Tensor, ...] = self.labels.split(max(1, budgets.LABELSET_BLOCK_ENTRIES // max(1, len(weights))))
        return found


def _sum(weights: Tensor, part: Tensor) -> Tensor:
    return (weights @ part.to(weights.dtype).T).logsumexp(dim=1)


def _mean(weights: Tensor, total: Tensor, part: Tensor) -> Tensor:
    some = part.to(weights.dtype)
    return (weights @ some.T - total[:, None]).exp() @ some


def _lean(lean: bool, function: Callable[..., Tensor], *arguments: Tensor) -> Tensor:
    """Call the function; if lean, scores are computed again when going back, rather than kept."""
    if not (lean and torch.is_grad_enabled()):
        return function(*arguments)
    return checkpoint(function, *arguments, use_reentrant=False, preserve_rng_state=False)


def _plain(weights: Tensor) -> Any:
    """No mixed precision: sums over many labels need every bit."""
    return torch.autocast(weights.device.type, enabled=False)
