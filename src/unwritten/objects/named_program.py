"""Named program: a model of a solver, and its variables by the user's own names."""

from __future__ import annotations

from typing import Any, NamedTuple


class NamedProgram(NamedTuple):
    """A solver's own model, and its own variables by the names that the rules use.

    It unpacks: `program, variables = model.to_cpmpy()`.
    """

    model: Any
    variables: dict[str, Any]

    def __repr__(self) -> str:
        kind = f"{type(self.model).__module__.partition('.')[0]}.{type(self.model).__name__}"
        names = [*self.variables][:3]
        more = ", …" if len(self.variables) > len(names) else ""
        return f"NamedProgram({kind} of {len(self.variables):,} variables: {', '.join(names)}{more})"
