"""Variables: the names and integer bounds of the entries of a label."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from unwritten.data.arrays import BoolArray, IntArray, LabelArray, frozen, integers
from unwritten.data.declared_axes import declared_names, require_width
from unwritten.data.layout import Layout
from unwritten.errors import DataError


@dataclass(frozen=True, eq=False)
class Variables:
    """Names and inclusive integer bounds of `d` variables.

    `declared` is True if a person gave the bounds or every variable is 0/1, and False if some bounds are only the range
    that the data shows. A proof "by the data alone" may use declared bounds only. `given_layout` is the layout that a
    person or labelled data declared; otherwise `layout` is read off the names.

    >>> Variables.named(["a", "b"], upper=[1, 3])
    Variables(a: 0..1, b: 0..3)
    """

    names: tuple[str, ...]
    lower: IntArray
    upper: IntArray
    declared: bool = True
    given_layout: Layout | None = None

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for name in self.names:
            if not isinstance(name, str) or not name:
                raise DataError(f"variable name {name!r} is not a non-empty string: rename that column")
            if name in seen:
                raise DataError(f"the name {name!r} is used by two variables: rename one of them")
            seen.add(name)
        lower, upper = (self._bound(side) for side in (self.lower, self.upper))
        crossed = np.flatnonzero(lower > upper)
        if crossed.size:
            j = int(crossed[0])
            raise DataError(
                f"variable {self.names[j]!r} has lower bound {lower[j]} above its upper bound {upper[j]}: swap them"
            )
        object.__setattr__(self, "lower", lower)
        object.__setattr__(self, "upper", upper)

    def _bound(self, side: object) -> IntArray:
        """Return one bound per variable, from one number for all or one number each."""
        array = integers(side, "bounds")
        if array.ndim == 0:
            array = np.full(len(self.names), array, np.int64)
        if array.shape != (len(self.names),):
            raise DataError(f"bounds have shape {array.shape}: give one number per variable, {len(self.names)} of them")
        return frozen(array)

    @classmethod
    def named(cls, names: Sequence[str], lower: Sequence[int] | int = 0, upper: Sequence[int] | int = 1) -> Variables:
        """Return variables with declared bounds, 0..1 by default."""
        return cls(tuple(names), integers(lower, "bounds"), integers(upper, "bounds"))

    @classmethod
    def of(
        cls,
        labels: LabelArray,
        names: Sequence[str] | None = None,
        bounds: tuple[Sequence[int] | int, Sequence[int] | int] | None = None,
        layout: Layout | None = None,
    ) -> Variables:
        """Return the variables of `labels`; without `bounds`, 0/1 columns have 0..1 and others their observed range.

        Without `names`, they are made from the layout if one is given.
        """
        d = labels.shape[1]
        if d == 0:
            raise DataError("there are no variables: give labels with at least one column")
        if layout is not None:
            require_width(layout, d)
        if names is None and layout is not None:
            names = declared_names(layout)
        if names is None:
            names = [f"y{j}" for j in range(d)]
        if not isinstance(names, Iterable) or isinstance(names, Set):
            raise DataError("names must be a list: give one name per column, in the order of the columns")
        names = tuple(names)
        if len(names) != d:
            raise DataError(f"{len(names)} names were given for {d} columns: give one name per column")
        if bounds is not None:
            if not isinstance(bounds, tuple | list) or len(bounds) != 2:
                raise DataError("bounds must be a pair (lower, upper): numbers, or one number per variable")
            variables = replace(cls.named(names, *bounds), given_layout=layout)
            variables.require(labels)
            return variables
        low, high = (ends.astype(np.int64) for ends in (labels.min(axis=0), labels.max(axis=0)))
        binary = (low >= 0) & (high <= 1)
        return cls(names, np.where(binary, 0, low), np.where(binary, 1, high), bool(binary.all()), layout)

    def require(self, labels: LabelArray) -> None:
        """Raise unless every label lies within the bounds."""
        outside = (labels < self.lower) | (labels > self.upper)
        if outside.any():
            i, j = np.argwhere(outside)[0]
            raise DataError(
                f"label {i} has {self.names[j]} = {labels[i, j]}, outside its bounds "
                f"{self.lower[j]}..{self.upper[j]}: widen the bounds or drop the row"
            )

    @cached_property
    def binary(self) -> BoolArray:
        """A mask of the variables whose bounds lie within 0..1."""
        return np.asarray((self.lower >= 0) & (self.upper <= 1))

    @cached_property
    def reach(self) -> IntArray:
        """The largest absolute value that each variable can take."""
        return np.maximum(np.abs(self.lower), np.abs(self.upper))

    @cached_property
    def layout(self) -> Layout:
        """The grids that the variables form, as declared or as their names show."""
        return Layout.of_names(self.names) if self.given_layout is None else self.given_layout

    @cached_property
    def index(self) -> dict[str, int]:
        """The position of each name."""
        return {name: j for j, name in enumerate(self.names)}

    def __len__(self) -> int:
        return len(self.names)

    def __add__(self, other: Variables) -> Variables:
        return Variables(
            self.names + other.names,
            np.concatenate([self.lower, other.lower]),
            np.concatenate([self.upper, other.upper]),
            self.declared and other.declared,
            self.layout if other.given_layout is None else self.layout.followed_by(other.given_layout, len(self)),
        )

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Variables)
            and self.names == other.names
            and self.declared == other.declared
            and (self.given_layout is other.given_layout or self.layout == other.layout)
            and np.array_equal(self.lower, other.lower)
            and np.array_equal(self.upper, other.upper)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        parts = [
            f"{name}: {low}..{high}" for name, low, high in zip(self.names[:4], self.lower, self.upper, strict=False)
        ]
        if len(self) > 4:
            parts.append(f"… {len(self)} in all")
        return f"Variables({', '.join(parts)})"
