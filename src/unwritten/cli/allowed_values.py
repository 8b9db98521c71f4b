"""The values that options with a fixed choice accept, as types: `--help` lists them and shells complete them.

Engines, back ends, proofs and miners have such types in the library: `unwritten.solving.solver_choices` and
`unwritten.options`.
"""

from __future__ import annotations

from typing import Literal

MissingValues = Literal["category", "error"]
ExportTarget = Literal["lp", "mps", "opb", "cpmpy", "ortools", "minizinc", "sql", "pandera"]
RuleFormat = Literal["text", "json", "csv", "markdown"]
RuleOrigin = Literal["mined", "given", "definition"]
