"""Session: the engines prepared for one program, and the rule by which one is chosen.

The rule of `engine="auto"`:
1. *explicit*, if the labels under the rules are few enough to list in milliseconds;
2. else *greedy*, if labels are the bases of a matroid (where its answer breaks a rule or a cut, *lazy*);
   from here on *lazy*, if the cuts are in a file, which it reads from end to end and others would at random, or on
   other machines, where it searches them;
3. else *groups*, if there are rules, all of the form exactly, at most or at least one of 0/1 literals, and no latent
   variables (past its cap it gives way to *lazy*);
4. else *best-first*, if there are cuts and no latent variables (past its cap it gives way to *lazy*);
5. else *lazy*.
"""

from __future__ import annotations

from unwritten import budgets
from unwritten.data.halfspaces import in_memory
from unwritten.errors import DataError, SolverError
from unwritten.solving.backends import TABLE as BACKENDS
from unwritten.solving.backends import installed
from unwritten.solving.engines import ON_BACKEND, TABLE, Engine, Explicit, Groups, TooManyLabelsError
from unwritten.solving.program import Program


class Session:
    """Engines are built when first needed and kept; one session serves one thread at a time."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._engines: dict[tuple[str, str], Engine] = {}
        self._automatic: str | None = None

    def plan(self, engine: str, backend: str) -> list[tuple[str, str]]:
        """The (engine, back end) pairs to try, in order: the one asked for, then every other that could answer."""
        if engine != "auto" and engine not in TABLE:
            raise DataError(f"engine {engine!r} is unknown: use 'auto' or one of {', '.join(TABLE)}")
        if backend != "auto" and backend not in BACKENDS:
            raise DataError(f"backend {backend!r} is unknown: use 'auto' or one of {', '.join(BACKENDS)}")
        if engine == "best-first" and self.program.latents:
            raise DataError("engine 'best-first' takes no latent variables: use engine='auto' or 'lazy' with lifts")
        solvers = installed() if backend == "auto" else [backend, *(b for b in installed() if b != backend)]
        first = self._choose() if engine == "auto" else engine
        if engine == "auto" and backend != "auto":
            first = "lazy"
        if first == "inner":
            return [("inner", "")]
        steps = [(first, solvers[0] if first in ON_BACKEND else "")]
        for solver in solvers:
            steps += [step for step in [("lazy", solver)] if step not in steps]
        return steps

    def engine(self, name: str, backend: str) -> Engine:
        """The engine, ready to answer."""
        key = (name, backend)
        if key not in self._engines:
            try:
                self._engines[key] = TABLE[name](self.program, backend)
            except TooManyLabelsError as error:
                raise SolverError(f"engine 'explicit': {error}") from error
        return self._engines[key]

    def forget(self, name: str, backend: str) -> None:
        """Build the engine anew when it is next needed: it broke down, and may not be whole."""
        self._engines.pop((name, backend), None)

    def _choose(self) -> str:
        if self._automatic is None:
            try:
                self._engines["explicit", ""] = Explicit(self.program, "", budgets.EXPLICIT_LABELS_AUTO)
                self._automatic = "explicit"
            except (TooManyLabelsError, MemoryError):
                self._automatic = self._searching()
        return self._automatic

    def _searching(self) -> str:
        if self.program.structure is not None:
            return "greedy"
        if not in_memory(self.program.cut_weights):
            return "lazy"
        cuts, rules = len(self.program.cut_limits), self.program.rules.matrix
        # Where rules say little and cuts much, bounding by groups is weaker than best-first's order.
        if len(rules) and (not cuts or 2 * (rules != 0).any(axis=0).sum() > self.program.width):
            try:
                self._engines["groups", ""] = Groups(self.program, "")
                return "groups"
            except (SolverError, MemoryError):
                pass
        return "best-first" if cuts and not self.program.latents else "lazy"
