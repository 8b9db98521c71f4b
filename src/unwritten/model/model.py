"""Model: variables, rules, cuts and seen labels, frozen; it is asked, checked, saved."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from typing import Any

import numpy as np

from unwritten.data import IntArray, Sense, Variables, labels_from, weights_from
from unwritten.errors import DataError, InfeasibleError, SolverError
from unwritten.evidence.model_evidence import ModelEvidence
from unwritten.formats import read_archive, write_archive
from unwritten.mining import Cuts, Lift, Matroid, lifted_labels, lifted_variables
from unwritten.model import edits
from unwritten.model.label_check import Check
from unwritten.model.state import pack, unpack
from unwritten.rules import DEFINITION, GIVEN, MINED, Row, RuleSet, Sentence, sentences
from unwritten.solving import (
    Decisions,
    Desk,
    Program,
    Settings,
    Status,
    backend_name,
    engine_name,
    list_labels,
    proof_effort,
)
from unwritten.tables import Schema


@dataclass(frozen=True, eq=False)
class Model:
    """What was mined from `examples` labels.

    `rules` are over `extended` variables: the labels' own and, behind them, the latents of the lifts. `redundant`
    rules follow from these and only make solving faster; `notes` say what was not mined, and why. `matroid` is the one
    whose bases the labels are, if they are. `suspects` are the examples (by place) that break a rule mined with noise.

    Where labels are the rows of a table, `schema` is the way between the two. `dropped` are mined rules that a person
    took out, `about` says what was mined and how, and `total` is the number of examples where `seen` is only a fair
    sample of their distinct labels.
    """

    variables: Variables
    rules: RuleSet
    redundant: RuleSet
    cuts: Cuts
    seen: IntArray
    counts: IntArray
    sense: Sense = "max"
    lifts: tuple[Lift, ...] = ()
    notes: tuple[str, ...] = ()
    matroid: Matroid | None = None
    suspects: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))
    schema: Schema | None = None
    dropped: tuple[Row, ...] = ()
    about: dict[str, Any] = field(default_factory=dict)
    total: int | None = None

    @property
    def examples(self) -> int:
        """The number of labels mined."""
        return int(self.counts.sum()) if self.total is None else self.total

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """The rules in words, merged where one sentence says several; the most useful first."""
        found = sentences(self.rules, self.schema, self.seen, self.counts)
        if self.total is None:
            return found
        share = self.total / max(1, int(self.counts.sum()))  # of a fair sample of the labels
        return tuple(replace(sentence, support=round(share * sentence.support)) for sentence in found)

    @cached_property
    def extended(self) -> Variables:
        """The variables and the latents."""
        return lifted_variables(self.lifts, self.variables)

    @property
    def noisy(self) -> bool:
        """Whether some examples break what was mined; then nothing is ever called proven."""
        return len(self.suspects) > 0

    @cached_property
    def evidence(self) -> ModelEvidence:
        """How far to trust the model: what its examples say of the next label."""
        return ModelEvidence(self.rules, lifted_labels(self.lifts, self.seen), self.counts)

    @cached_property
    def _desk(self) -> Desk:
        return Desk(
            Program(
                variables=self.extended,
                rules=self.rules,
                redundant=self.redundant,
                width=len(self.variables),
                cut_weights=self.cuts.weights,
                cut_limits=self.cuts.limits(self.variables),
                cuts_exact=self.cuts.exact,
                seen=self.seen,
                lift=lambda labels: lifted_labels(self.lifts, labels),
                structure=self.matroid,
                noisy=self.noisy,
            )
        )

    def decide(
        self,
        weights: object,
        engine: str = "auto",
        backend: str = "auto",
        mip_gap: float = 0,
        time_limit: float | None = None,
        n_jobs: int = 1,
        proof: str = "auto",
    ) -> Decisions:
        """The best label for each row of weights, with its value, bound, status and proof.

        Parameters
        ----------
        weights
            (m × d) array, sparse matrix or data frame; in the sense the model was mined with.
        engine
            "auto", or one of "explicit", "best-first", "lazy", "monolithic" (all give the same values), or "inner"
            (the best seen label).
        backend
            "auto", or one of "highs", "scipy", "cpsat", "scip", "gurobi".
        mip_gap, time_limit
            Relative gap, and seconds per query, at which a solver may stop.
        n_jobs
            Threads; answers do not depend on it.
        proof
            "auto" proves by the data where that is cheap; "data" tries harder.
        """
        settings = Settings(
            engine_name(engine), backend_name(backend), mip_gap, time_limit, n_jobs, proof_effort(proof)
        )
        asked = weights_from(weights, len(self.variables), order=self.variables.names)
        sign = 1.0 if self.sense == "max" else -1.0
        found = self._desk.decide(sign * asked + 0.0, settings)
        if self.sense == "max":
            return found
        return replace(found, values=-found.values, bounds=-found.bounds, seen_values=-found.seen_values)

    def predict(self, weights: object, **settings: Any) -> IntArray:
        """The labels alone (m × d); raises where a query has no answer."""
        decisions = self.decide(weights, **settings)
        for status, note in zip(decisions.status, decisions.notes, strict=True):
            if status == Status.INFEASIBLE:
                clash = "; ".join(decisions.clash) or "not found in time"
                raise InfeasibleError(f"no label obeys all rules; these clash: {clash}", decisions.clash)
            if status in (Status.TIME_LIMIT, Status.FAILED):
                raise SolverError(f"a query has no answer ({note}): {status.remedy}")
        return decisions.labels

    def check(self, labels: object) -> Check:
        """Per label: feasible or not, and which rules it breaks."""
        checked, _ = labels_from(labels, order=self.variables.names)
        if checked.shape[1] != len(self.variables):
            raise DataError(
                f"labels have {checked.shape[1]} columns but the model has {len(self.variables)} variables: "
                "give the columns it was mined from, in that order"
            )
        inside = np.asarray(((checked >= self.variables.lower) & (checked <= self.variables.upper)).all(axis=1))
        fits = np.ones(len(checked), bool) if self.matroid is None else self.matroid.is_basis(checked)
        return Check(self.rules, self.rules.violations(lifted_labels(self.lifts, checked)), inside, fits)

    def labels(self, limit: int = 1_000_000) -> IntArray:
        """Every label within bounds that obeys the rules (cuts aside), in lexicographic order.

        Raises if listing them means looking at more than `limit` partial labels at a time.
        """
        found = list_labels(self._desk.program, limit, cuts=False)
        if found is None:
            raise SolverError(
                f"too many labels obey the rules to list within {limit} branches: raise limit, or add rules"
            )
        return found

    def with_rules(self, rows: RuleSet | Iterable[Any]) -> Model:
        """The same model with rules that a person knows, whether or not the data bear them out.

        They are sentences, such as those of `sentences`, or (coefficients, sense, right-hand side) triples.
        """
        return edits.with_rules(self, rows)

    def without(self, ids: Iterable[str]) -> Model:
        """The same model without some sentences, by their ids; it remembers what was dropped."""
        return edits.without(self, ids)

    def pinned(self, ids: Iterable[str]) -> Model:
        """The same model with some sentences, by their ids, vouched for by a person."""
        return edits.pinned(self, ids)

    def with_edits_from(self, old: Model) -> Model:
        """The same model with what people decided about an older one: rules they gave or pinned, and dropped."""
        return edits.with_edits_from(self, old)

    def save(self, path: str | PathLike[str]) -> None:
        """Write a `.rules` file: whole or not at all."""
        write_archive(path, *pack(self))

    @classmethod
    def load(cls, path: str | PathLike[str], lifts: Iterable[Any] = ()) -> Model:
        """Read a `.rules` file; `lifts` are the classes of any lifts of your own that the model was mined with."""
        return cls(**unpack(*read_archive(path), lifts))

    def summary(self) -> str:
        """What was mined from what."""
        mined = self.rules.by_origin(MINED)
        given = len(self.rules.by_origin(GIVEN))
        latents = len(self.extended) - len(self.variables)
        lines = [f"{self.examples} examples ({len(self.seen)} distinct) of {len(self.variables)} variables"]
        lines.append(f"{len(mined)} rules mined (rank {mined.rank})" + (f", {given} given" if given else ""))
        if latents:
            lines.append(f"{latents} latent variables, {len(self.rules.by_origin(DEFINITION))} rows define them")
        if self.matroid is not None:
            lines.append(self.matroid.text)
        if self.noisy:
            lines.append(f"{len(self.suspects)} examples break a rule: nothing is proven by this model")
        kind = "exact" if self.cuts.exact else "with slack"
        lines.append(f"{len(self.cuts)} cuts ({kind})" if len(self.cuts) else "no cuts")
        return "\n".join([*lines, *self.notes])

    def __repr__(self) -> str:
        return f"Model({'; '.join(self.summary().splitlines())})"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Model)
            and self.variables == other.variables
            and self.rules == other.rules
            and self.redundant == other.redundant
            and self.notes == other.notes
            and self.matroid == other.matroid
            and np.array_equal(self.suspects, other.suspects)
            and self.cuts == other.cuts
            and np.array_equal(self.seen, other.seen)
            and np.array_equal(self.counts, other.counts)
            and self.sense == other.sense
            and (self.schema, self.dropped, self.about, self.total)
            == (other.schema, other.dropped, other.about, other.total)
            and [(lift.name, lift.state()) for lift in self.lifts]
            == [(lift.name, lift.state()) for lift in other.lifts]
        )

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, Any]:
        """Fields only: open solvers stay behind when a model is copied or sent to another process."""
        return {name: vars(self)[name] for name in self.__dataclass_fields__}


def load(path: str | PathLike[str], lifts: Iterable[Any] = ()) -> Model:
    """Read a model from a `.rules` file."""
    return Model.load(path, lifts)
