"""TargetForm: return predictions as the labels were given: an array, a sparse matrix or a data frame."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any, Literal, get_args

import numpy as np
from scipy import sparse

from unwritten.data.frames import FrameLike
from unwritten.errors import DataError
from unwritten.sklearn.target_values import TargetValues

Output = Literal["default", "pandas", "polars"]


@dataclass(frozen=True)
class TargetForm:
    """What y was given as: `sparse_type` is the class of a sparse matrix, `frame` the kind of a data frame."""

    names: tuple[str, ...]
    sparse_type: type[Any] | None = None
    frame: FrameLike = field(default_factory=FrameLike)

    @classmethod
    def of(cls, source: Any, names: tuple[str, ...]) -> TargetForm:
        """Remember the form of y."""
        if sparse.issparse(source):
            return cls(names, sparse.csr_matrix if sparse.isspmatrix(source) else sparse.csr_array)
        frame = FrameLike.of(source)
        return cls(names, None, replace(frame, index=None))

    def restored(self, values: TargetValues, output: Output, features: Any) -> Any:
        """Predicted values as y was given, or as the frame that `output` names; rows are named as the features'."""
        if output == "default" and self.sparse_type is not None:
            return self.sparse_type(values)
        if output == "default" and self.frame.backend is None:
            return values
        return self.framed(values, output, features)

    def framed(self, values: TargetValues, output: Output, features: Any) -> Any:
        """A data frame of values (n × columns)."""
        like = self.frame if output == "default" else replace(self.frame, backend=_library(output), is_lazy=False)
        like = replace(like, index=FrameLike.of(features).index)
        if values.dtype.kind != "O":
            return like.frame(self.names, values)
        keep_index = like.backend.is_pandas_like() and like.index is not None
        return like.table(dict(zip(self.names, values.T, strict=True)), keep_index=keep_index)


def checked_output(output: object) -> Output | None:
    """The kind of output that `set_output` was asked for; None changes nothing."""
    if output is None or output in get_args(Output):
        return output  # type: ignore[return-value]
    raise DataError(f"transform is {output!r}: use 'default', 'pandas' or 'polars'")


def _library(output: Output) -> Any:
    import narwhals.stable.v1 as nw

    try:
        import_module(output)
    except ImportError as error:
        raise DataError(f"set_output(transform={output!r}) needs {output}: run pip install {output}") from error
    return nw.Implementation.PANDAS if output == "pandas" else nw.Implementation.POLARS


def is_one_column(source: object) -> bool:
    """True if y is a list, array or series of single values: one class per sample, and nothing for rules to link."""
    if isinstance(source, list | tuple):
        return len(source) > 0 and all(np.ndim(value) == 0 for value in source)
    if source is None or sparse.issparse(source):
        return False
    shape = getattr(source, "shape", None)
    return (np.asarray(source).ndim if shape is None else len(shape)) == 1
