"""The values that options with a fixed choice accept, as types: `--help` lists them and shells complete them.

Engines, back ends, proofs, miners and exports have such types in the library: see `unwritten.solving.solver_choices`,
`unwritten.options` and `unwritten.exports`.
"""

from __future__ import annotations

from typing import Literal

MissingValues = Literal["category", "error"]
RuleFormat = Literal["text", "json", "csv", "markdown"]
RuleOrigin = Literal["mined", "given", "definition", "habit"]
DemoFace = Literal["all", "table", "puzzle", "decisions"]
