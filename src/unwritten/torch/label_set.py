"""LabelSet: the feasible labels of a model as a tensor, and sums and maxima of w·y over them."""

# mypy: disallow-subclassing-any=False
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from unwritten import budgets
from unwritten.data import IntArray, among
from unwritten.errors import DataError, InfeasibleError
from unwritten.model import Model
from unwritten.model.feasible_labels import feasible_labels, obey_rules_and_cuts
from unwritten.torch.label_lookup import LabelLookup
from unwritten.torch.tensor_checks import checked_logits


class LabelSet(nn.Module):
    """The labels that obey a model's rules and cuts: all of them if they can be listed, else the seen ones.

    `labels` (k × d) are the listed labels. Seen labels come first, so that they win ties. `exact` is True if all
    feasible labels are listed. If it is False, sums run over the listed labels only, but maxima are still over all
    feasible labels: `Model.predict` finds them, on the CPU.

    Parameters
    ----------
    model
        A mined model.
    limit
        The most partial labels to hold at a time while labels are listed; if more are needed, the seen labels are
        used. None: `budgets.LABELSET_LABELS`. 0: always the seen labels.
    settings
        Passed to `Model.predict` if not all labels are listed, such as ``n_jobs=2``.

    Examples
    --------
    >>> import unwritten, torch
    >>> labels = LabelSet(unwritten.mine([[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 40))
    >>> labels
    LabelSet(3 labels of 3 variables, exact=True)
    >>> labels.argmax(torch.tensor([[0.1, 0.3, 0.2]]))
    tensor([[0., 1., 0.]])
    >>> labels.marginals(torch.zeros(1, 3))
    tensor([[0.3333, 0.3333, 0.3333]])
    """

    labels: Tensor

    def __init__(self, model: Model, limit: int | None = None, **settings: Any) -> None:
        super().__init__()
        if not isinstance(model, Model):
            raise DataError(
                f"the model is of type {type(model).__name__}: give one that unwritten.mine or load returned"
            )
        self.model = model
        self.settings = settings
        labels, self.exact = _listed(model, budgets.LABELSET_LABELS if limit is None else limit)
        if not len(labels):
            raise InfeasibleError("no label obeys all rules and cuts: drop or relax some, or mine more examples")
        self.binary = bool(((labels == 0) | (labels == 1)).all())
        # `.half()` on a network leaves integers alone; the buffer is not persistent because labels are not learnt
        self.register_buffer("labels", torch.from_numpy(_in_narrowest_type(labels)), persistent=False)
        self._lookup = LabelLookup(self.labels)

    @property
    def width(self) -> int:
        """The number of variables."""
        return int(self.labels.shape[1])

    def __len__(self) -> int:
        return len(self.labels)

    def __repr__(self) -> str:
        return f"LabelSet({self.extra_repr()})"

    def extra_repr(self) -> str:
        """The number of labels, and whether these are all."""
        return f"{len(self)} labels of {self.width} variables, exact={self.exact}"

    def argmax(self, logits: Tensor) -> Tensor:
        """The feasible label with the largest w·y for each row, in the type of the logits; it has no gradient."""
        weights = self.checked(logits).detach()
        if not self.exact:
            sign = 1.0 if self.model.sense == "max" else -1.0
            queries = sign * weights.cpu().numpy().astype(np.float64)
            best_labels = self.model.predict(queries, **{"progress": False} | self.settings)
            return torch.from_numpy(best_labels).to(logits)
        with _full_precision(weights), torch.no_grad():
            return self.labels[self._places_of_best(weights)].to(logits.dtype)

    def logsumexp(self, logits: Tensor) -> Tensor:
        """log Σ_y exp(w·y) over the listed labels, for each row; its gradient is the marginals."""
        weights = self.checked(logits)
        with _full_precision(weights):
            return self._logsumexp(weights)

    def marginals(self, logits: Tensor) -> Tensor:
        """E[y] for each row, where p(y) ∝ exp(w·y) over the listed labels."""
        weights = self.checked(logits)
        with _full_precision(weights):
            total = self._logsumexp(weights)
            blocks = self._blocks(weights)
            return sum(_call(_block_mean, weights, total, block, recompute=len(blocks) > 1) for block in blocks)

    def listed(self, targets: Tensor) -> Tensor:
        """Tell which rows are among the listed labels."""
        return self._lookup(targets, self.labels)

    def contains(self, targets: Tensor) -> Tensor:
        """Tell which rows are feasible labels, whether they are listed or not."""
        contained = self.listed(targets)
        if not self.exact and not contained.all():
            unlisted = targets[~contained].cpu().numpy().astype(np.int64)
            contained[~contained] = torch.from_numpy(obey_rules_and_cuts(self.model, unlisted)).to(contained.device)
        return contained

    def checked(self, logits: Tensor) -> Tensor:
        """Check that logits are finite, one per variable, and on the device of the labels; return them as floats."""
        weights = checked_logits(logits, self.width)
        if weights.device != self.labels.device:
            raise DataError(
                f"labels are on {self.labels.device} but logits are on {weights.device}: "
                "move the layer, loss or label set with .to(device)"
            )
        return weights

    def _places_of_best(self, weights: Tensor) -> Tensor:
        """The place of the best label for each row; of equally good labels, the first."""
        best_value = torch.full_like(weights[:, 0], -torch.inf)
        best_place = torch.zeros_like(best_value, dtype=torch.long)
        start = 0
        for block in self._blocks(weights):
            value, place = (weights @ block.to(weights.dtype).T).max(dim=1)
            best_place = torch.where(value > best_value, start + place, best_place)
            best_value = torch.maximum(value, best_value)
            start += len(block)
        return best_place

    def _logsumexp(self, weights: Tensor) -> Tensor:
        blocks = self._blocks(weights)
        sums = [_call(_block_logsumexp, weights, block, recompute=len(blocks) > 1) for block in blocks]
        return torch.stack(sums).logsumexp(dim=0) if len(sums) > 1 else sums[0]

    def _blocks(self, weights: Tensor) -> tuple[Tensor, ...]:
        """The labels in blocks, so that the scores of one block fit into memory."""
        rows = max(1, budgets.LABELSET_BLOCK_ENTRIES // max(1, len(weights)))
        blocks: tuple[Tensor, ...] = self.labels.split(rows)
        return blocks


def _listed(model: Model, limit: int) -> tuple[IntArray, bool]:
    """All feasible labels, seen ones first, and True; if they are too many to list, the seen ones and False."""
    labels = feasible_labels(model, limit)
    if labels is None:
        return model.seen[obey_rules_and_cuts(model, model.seen)], False
    seen = among(labels, model.seen)
    return np.concatenate([labels[seen], labels[~seen]]), True


def _in_narrowest_type(labels: IntArray) -> NDArray[Any]:
    """The same labels in the smallest integer type that holds them."""
    low, high = int(labels.min()), int(labels.max())
    types = (np.int8, np.int16, np.int32, np.int64)
    return labels.astype(next(kind for kind in types if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max))


def _block_logsumexp(weights: Tensor, block: Tensor) -> Tensor:
    return (weights @ block.to(weights.dtype).T).logsumexp(dim=1)


def _block_mean(weights: Tensor, total: Tensor, block: Tensor) -> Tensor:
    labels = block.to(weights.dtype)
    return (weights @ labels.T - total[:, None]).exp() @ labels


def _call(function: Callable[..., Tensor], *arguments: Tensor, recompute: bool) -> Tensor:
    """Call the function; with `recompute`, the backward pass computes its scores again instead of storing them."""
    if not (recompute and torch.is_grad_enabled()):
        return function(*arguments)
    return checkpoint(function, *arguments, use_reentrant=False, preserve_rng_state=False)


def _full_precision(weights: Tensor) -> Any:
    """Switch mixed precision off: sums over many labels need every bit."""
    return torch.autocast(weights.device.type, enabled=False)
