"""Session: the engines prepared for one program, and the rule by which one is chosen.

`engine="auto"` takes the first of these that fits:

1. *explicit*, if the labels under the rules are few enough to list in milliseconds;
2. *greedy*, if labels are the bases of a matroid (if its answer breaks a rule or a cut, *lazy* answers);
3. *forest*, if there are no cuts, and rows of 0/1 literals link variables without a cycle: hierarchies, groups;
4. *closure*, if there are no cuts, and all rules are implications between 0/1 literals, with cycles or without;
5. *lazy*, if the cuts are in a file or on other machines: it reads them from end to end, where the searches below
   would read them in random order;
6. *groups*, if all variables are 0/1 without latents, and if rules of the form exactly, at most or at least one of some
   literals cover most of them, or are the only rules and there are no cuts (past its budget, *lazy* answers);
7. *best-first*, if there are no latent variables, and if there are cuts or rules and columns are not too many (past its
   budget, *lazy* answers);
8. *lazy*.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from unwritten import budgets
from unwritten.data import FloatArray, IntArray
from unwritten.data.halfspaces import in_memory, number_per_row
from unwritten.errors import DataError, SolverError
from unwritten.rules.literal_rows import have_literal_form
from unwritten.solving.backends import installed
from unwritten.solving.engines import (
    ON_BACKEND,
    TABLE,
    Closure,
    Engine,
    Explicit,
    Forest,
    GroupBranching,
    TooManyLabelsError,
)
from unwritten.solving.program import Program
from unwritten.solving.solver_choices import BackendName, EngineName
from unwritten.solving.verification import Verifier


class Session:
    """Builds engines when they are first needed, and keeps them. One session serves one thread at a time."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._engines: dict[tuple[str, str], Engine] = {}
        self._automatic: EngineName | None = None

    @cached_property
    def verifier(self) -> Verifier:
        """The search that verifies what solvers say about this program."""
        return Verifier(self.program)

    @cached_property
    def finest_rule(self) -> float:
        """The smallest entry of a rule, as a share of its largest one."""
        return float(_smallest_shares(self.program.rules.matrix).min(initial=1.0))

    @cached_property
    def finest_cut(self) -> float:
        """The smallest entry of a cut, as a share of its largest one."""
        shares = number_per_row(self.program.cut_weights, _smallest_shares, self.program.width)
        return float(shares.min(initial=1.0))

    @cached_property
    def proof_verifier(self) -> Verifier:
        """The search for proofs, which must not rest on cuts with slack."""
        return self.verifier if self.program.cuts_exact else Verifier(self.program.without_cuts())

    def plan(self, engine: EngineName, backend: BackendName) -> list[tuple[str, str]]:
        """Return the (engine, back end) pairs to try, in order: the chosen one, then every other that could answer."""
        if engine == "best-first" and self.program.latents:
            raise DataError(
                "engine 'best-first' takes no latent variables and no gaps: use engine='auto' or 'lazy' with these"
            )
        solvers = list(installed())
        if backend != "auto":
            solvers = [backend, *(solver for solver in solvers if solver != backend)]
        first = engine
        if engine == "auto":
            first = self._automatic_engine() if backend == "auto" else "lazy"
        if first == "inner":
            return [("inner", "")]
        chosen = (first, solvers[0] if first in ON_BACKEND else "")
        return [chosen, *(("lazy", solver) for solver in solvers if ("lazy", solver) != chosen)]

    def engine(self, name: str, backend: str) -> Engine:
        """Return the engine, ready to answer."""
        key = (name, backend)
        if key not in self._engines:
            self._engines[key] = TABLE[name](self.program, backend)
        return self._engines[key]

    def forget(self, name: str, backend: str) -> None:
        """Drop an engine that broke down, so that it is built anew when it is next needed."""
        self._engines.pop((name, backend), None)

    def _automatic_engine(self) -> EngineName:
        if self._automatic is None:
            try:
                self._engines["explicit", ""] = Explicit(self.program, "", budgets.EXPLICIT_LABELS_AUTO)
                self._automatic = "explicit"
            except (TooManyLabelsError, MemoryError):
                self._automatic = self._engine_without_listing()
        return self._automatic

    def _engine_without_listing(self) -> EngineName:
        if self.program.structure is not None:
            return "greedy"
        without_search: dict[EngineName, type[Engine]] = {"forest": Forest, "closure": Closure}
        for name, engine in without_search.items():
            try:
                self._engines[name, ""] = engine(self.program, "")
                return name
            except SolverError:
                pass
        if not in_memory(self.program.cut_weights):
            return "lazy"
        if groups_say_much(self.program):
            try:
                self._engines["groups", ""] = GroupBranching(self.program, "")
                return "groups"
            except (SolverError, MemoryError):
                pass
        is_small = self.program.rules.matrix.size <= budgets.BEST_FIRST_ENTRIES
        searchable = len(self.program.cut_limits) > 0 or is_small
        return "best-first" if searchable and not self.program.latents else "lazy"


def _smallest_shares(rows: FloatArray | IntArray) -> FloatArray:
    """Return, for each row, its smallest entry other than 0 as a share of the largest; 1 if there is none."""
    sizes = np.abs(rows).astype(np.float64)
    most = sizes.max(axis=1, initial=0.0)
    least = np.where(sizes > 0, sizes, np.inf).min(axis=1, initial=np.inf)
    shares: FloatArray = np.divide(least, most, out=np.ones(len(sizes)), where=most > 0)
    return shares


def groups_say_much(program: Program) -> bool:
    """True if groups of literals cover most variables, or are all there is: else best-first's order bounds more."""
    rules = program.rules
    grouped = have_literal_form(rules.matrix, rules.equality, rules.rhs)
    if len(rules) and grouped.all() and not len(program.cut_limits):
        return True
    return bool(2 * (rules.matrix[grouped] != 0).any(axis=0).sum() > program.width)
