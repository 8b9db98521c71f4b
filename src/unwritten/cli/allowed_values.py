"""The values that options with a fixed choice accept, as types: `--help` lists them and shells complete them."""

from __future__ import annotations

from typing import Literal

EngineName = Literal["auto", "monolithic", "lazy", "best-first", "groups", "greedy", "explicit", "inner"]
BackendName = Literal["auto", "highs", "scipy", "cpsat", "scip", "gurobi"]
ProofEffort = Literal["auto", "data"]
MissingValues = Literal["category", "error"]
ExportTarget = Literal["lp", "mps", "opb", "cpmpy", "ortools", "minizinc", "sql", "pandera"]
RuleFormat = Literal["text", "json", "csv", "markdown"]
RuleOrigin = Literal["mined", "given", "definition"]
MinerName = Literal["groups", "equalities", "pairs", "matroid", "covers", "ranks"]
