"""The names a caller may choose from: engines, back ends, and how hard to look for a proof."""

from __future__ import annotations

from typing import Literal, cast, get_args

from unwritten.errors import DataError

EngineName = Literal[
    "auto", "explicit", "greedy", "forest", "closure", "groups", "best-first", "lazy", "monolithic", "inner"
]
"""Ways of answering a query; `DecideSettings` explains each of them."""

BackendName = Literal["auto", "highs", "scipy", "cpsat", "scip", "gurobi"]
"""Solvers that the engines "lazy" and "monolithic" run on."""

ProofEffort = Literal["auto", "data"]
"""How hard to look for a proof that needs no mined rule."""

ProofKind = Literal["data", "rules"]
"""What an answer is proven by: the data alone, or the data and the mined rules."""


def engine_name(name: object) -> EngineName:
    """Return `name` if it is the name of an engine, else raise a `DataError`."""
    _require(name, get_args(EngineName), "engine")
    return cast(EngineName, name)


def backend_name(name: object) -> BackendName:
    """Return `name` if it is the name of a back end, else raise a `DataError`."""
    _require(name, get_args(BackendName), "backend")
    return cast(BackendName, name)


def proof_effort(name: object) -> ProofEffort:
    """Return `name` if it is a proof effort, else raise a `DataError`."""
    if not isinstance(name, str) or name not in get_args(ProofEffort):
        raise DataError(f"proof is {name!r}: use 'auto', or 'data' to try harder for a proof by the data")
    return cast(ProofEffort, name)


def _require(name: object, names: tuple[str, ...], what: str) -> None:
    if not isinstance(name, str) or name not in names:
        others = ", ".join(other for other in names if other != "auto")
        raise DataError(f"{what} {name!r} is unknown: use 'auto' or one of {others}")
