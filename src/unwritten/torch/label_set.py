"""LabelSet: the labels that a layer and its loss are over, and sums and maxima of w·y over them."""

# mypy: disallow-subclassing-any=False
from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, get_args

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from unwritten import budgets
from unwritten.data import FloatArray, IntArray, among
from unwritten.errors import DataError, InfeasibleError
from unwritten.model import Model
from unwritten.model.feasible_labels import feasible_labels, obey_rules_and_cuts
from unwritten.solving.engines.forest import literal_forest
from unwritten.torch.forest_sums import ForestSums
from unwritten.torch.label_lookup import LabelLookup
from unwritten.torch.listed_decoder import ListedDecoder
from unwritten.torch.tensor_checks import checked_logits, require_choice

LabelSetKind = Literal["auto", "listed", "rules", "seen"]


class LabelSet(nn.Module):
    """The labels that a layer or a loss is over: one set for sums and maxima alike, chosen once.

    `kind` names it. "listed": all labels that obey the model's rules and cuts, in a list. "seen": the labels of the
    training set. "rules": all labels that obey rules and cuts, though they are too many to list. Give the same set to
    the loss and to the layer, or give both the same model, which makes equal sets.

    `labels` (k × d) are the labels of the list, or the seen ones. Seen labels come first, so that they win ties.
    `exact` is True if sums and maxima are over all labels that obey the rules.

    Parameters
    ----------
    model
        A mined model.
    kind
        "auto" takes "listed" if the labels can be listed, else "seen": a net that is trained over seen labels must be
        decoded over them. "rules" always decodes by the rules; sums are possible if the rules form a forest, such as a
        hierarchy, and otherwise use a loss that needs maxima only (`FenchelYoungLoss`, `StructuredHingeLoss`).
    limit
        The most partial labels to hold at a time while labels are listed. None: `budgets.LABELSET_LABELS`.
    settings
        Passed to `Model.predict` where that decodes (kind "rules" without a forest), such as ``n_jobs=2``.

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

    def __init__(self, model: Model, kind: LabelSetKind = "auto", limit: int | None = None, **settings: Any) -> None:
        super().__init__()
        if not isinstance(model, Model):
            raise DataError(
                f"the model is of type {type(model).__name__}: give one that unwritten.mine or load returned"
            )
        require_choice(kind, get_args(LabelSetKind), "kind")
        self.model = model
        self.settings = settings
        self.kind, labels = _chosen(model, kind, budgets.LABELSET_LABELS if limit is None else limit)
        if not len(labels):
            raise InfeasibleError("no label obeys all rules and cuts: drop or relax some, or mine more examples")
        self.binary = bool(((labels == 0) | (labels == 1)).all())
        # `.half()` on a network leaves integers alone; the buffer is not persistent because labels are not learnt
        self.register_buffer("labels", torch.from_numpy(_in_narrowest_type(labels)), persistent=False)
        self._lookup = LabelLookup(self.labels)
        self._forest = literal_forest(model.program) if self.kind == "rules" else None
        self._sums = None if self._forest is None else ForestSums(self._forest)
        self.exact = self.kind == "listed" or self._forest is not None

    @property
    def width(self) -> int:
        """The number of variables."""
        return int(self.labels.shape[1])

    def __len__(self) -> int:
        return len(self.labels)

    def __repr__(self) -> str:
        return f"LabelSet({self.extra_repr()})"

    def extra_repr(self) -> str:
        """The size of the set, and whether it has all labels that obey the rules."""
        of = {"listed": f"{len(self)} labels", "seen": f"{len(self)} seen labels", "rules": "labels under rules"}
        return f"{of[self.kind]} of {self.width} variables, exact={self.exact}"

    def argmax(self, logits: Tensor) -> Tensor:
        """The label with the largest w·y for each row, in the type of the logits; it has no gradient."""
        weights = self.checked(logits).detach()
        if self.kind == "rules":
            return torch.from_numpy(self._best_under_rules(weights.cpu().numpy().astype(np.float64))).to(logits)
        with _full_precision(weights), torch.no_grad():
            return self.labels[self._places_of_best(weights)].to(logits.dtype)

    def best_or_target(self, logits: Tensor, targets: Tensor) -> Tensor:
        """The best label of the set and the target of the same row; the target is in the set unless it was not seen."""
        best_labels = self.argmax(logits)
        if self.kind != "seen":
            return best_labels
        ahead = (logits.detach() * (targets - best_labels)).sum(dim=1, keepdim=True) > 0
        return torch.where(ahead, targets, best_labels)

    def logsumexp(self, logits: Tensor) -> Tensor:
        """log Σ_y exp(w·y) over the set, for each row; its gradient is the marginals."""
        weights = self.checked(logits)
        with _full_precision(weights):
            return self._logsumexp(weights)

    def marginals(self, logits: Tensor) -> Tensor:
        """E[y] for each row, where p(y) ∝ exp(w·y) over the set."""
        weights = self.checked(logits)
        with _full_precision(weights):
            if self.kind == "rules":
                return self._gradient(weights)
            total = self._logsumexp(weights)
            blocks = self._blocks(weights)
            return sum(_call(_block_mean, weights, total, block, recompute=len(blocks) > 1) for block in blocks)

    def decoder(self) -> ListedDecoder:
        """A plain module that maps logits to the best label of the list, for TorchScript, ONNX and `torch.compile`."""
        if self.kind == "rules":
            raise DataError("labels under rules are not listed: export a LabelSet of kind 'listed' or 'seen'")
        return ListedDecoder(self.labels)

    def listed(self, targets: Tensor) -> Tensor:
        """Tell which rows are among the listed labels."""
        return self._lookup(targets, self.labels)

    def contains(self, targets: Tensor) -> Tensor:
        """Tell which rows are feasible labels, whether they are listed or not."""
        contained = self.listed(targets)
        if self.kind != "listed" and not contained.all():
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

    def _best_under_rules(self, weights: FloatArray) -> IntArray:
        if self._forest is not None:
            return self._forest.best(weights)
        queries = weights if self.model.sense == "max" else -weights
        labels: IntArray = self.model.predict(queries, **{"progress": False} | self.settings)
        return labels

    def _gradient(self, weights: Tensor) -> Tensor:
        """The gradient of the log-sum, which is the marginals; it has a gradient itself if the weights have one."""
        with torch.enable_grad():
            asked = weights if weights.requires_grad else weights.detach().requires_grad_()
            total = self._logsumexp(asked).sum()
            (marginals,) = torch.autograd.grad(total, asked, create_graph=weights.requires_grad)
        return marginals

    def _logsumexp(self, weights: Tensor) -> Tensor:
        if self.kind == "rules":
            if self._sums is None:
                raise DataError(
                    "the rules form no forest, so that sums over all their labels are out of reach: use a LabelSet of "
                    "kind 'seen', or a loss that needs maxima only"
                )
            return self._sums(weights)
        blocks = self._blocks(weights)
        sums = [_call(_block_logsumexp, weights, block, recompute=len(blocks) > 1) for block in blocks]
        return torch.stack(sums).logsumexp(dim=0) if len(sums) > 1 else sums[0]

    def _blocks(self, weights: Tensor) -> tuple[Tensor, ...]:
        """The labels in blocks, so that the scores of one block fit into memory."""
        rows = max(1, budgets.LABELSET_BLOCK_ENTRIES // max(1, len(weights)))
        blocks: tuple[Tensor, ...] = self.labels.split(rows)
        return blocks


def _chosen(model: Model, kind: LabelSetKind, limit: int) -> tuple[LabelSetKind, IntArray]:
    """The kind of the set, and its labels, seen ones first; under rules, the seen labels that obey them."""
    labels = feasible_labels(model, limit) if kind in ("auto", "listed") else None
    if labels is not None:
        seen = among(labels, model.seen)
        return "listed", np.concatenate([labels[seen], labels[~seen]])
    if kind == "listed":
        raise DataError(
            "the labels that obey the rules are too many to list: use kind 'seen' or 'rules', or raise limit"
        )
    return "rules" if kind == "rules" else "seen", model.seen[obey_rules_and_cuts(model, model.seen)]


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
