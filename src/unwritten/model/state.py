"""Take a model apart into a JSON header and arrays, for saving, and put it together again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from unwritten import budgets
from unwritten.data import IntArray, Variables
from unwritten.data.layout import Layout
from unwritten.errors import DataError, FormatError, RangeError
from unwritten.facts import Fact, restored
from unwritten.mining import Cuts, Matroid, lifted_labels, lifted_variables
from unwritten.model.known_rules import definitions
from unwritten.model.saved_arrays import SavedArrays
from unwritten.model.saved_evidence import evidence_of, numbers_of
from unwritten.model.saved_header import Numbers, SavedFact, SavedHeader
from unwritten.model.saved_lifts import RAISED_BY_LIFTS, known_lifts, restored_lifts
from unwritten.rules import DEFINITION, HABIT, MINED, Gap, Gaps, RuleSet
from unwritten.rules.language.gap_sentences import gap_digest
from unwritten.rules.language.identity import row_digests
from unwritten.rules.language.read_gaps import parse_gap
from unwritten.shapes import LARGEST_FLOAT, read
from unwritten.tables import Schema
from unwritten.tables.quoting import shown

if TYPE_CHECKING:
    from unwritten.model.model import Model

MOST_EXAMPLES = 2**62  # a file that claims more examples is refused

Parts = tuple[dict[str, Any], dict[str, NDArray[Any]]]


def pack(model: Model) -> Parts:
    """The header and the arrays that describe a model."""
    rules = model.rules
    header = {
        "names": list(model.variables.names),
        "declared": model.variables.declared,
        "sense": model.sense,
        "cuts_exact": model.cuts.exact,
        "lifts": [{"name": lift.name, "state": lift.state()} for lift in model.lifts],
        "notes": list(model.notes),
        "origins": list(rules.origins),
        "evidence": [numbers_of(e) for e in rules.evidence],
        "redundant_evidence": [numbers_of(e) for e in model.redundant.evidence],
        "doubtful_evidence": [numbers_of(e) for e in model.doubtful.evidence],
        "schema": None if model.schema is None else model.schema.state(),
        "dropped": list(model.dropped),
        "about": model.about,
        "total": model.total,
        "forecast": None if model.forecast is None else model.forecast.state(),
    }
    if model.sums:
        header["sums"] = list(model.sums)
    if model.variables.given_layout is not None:
        header["layout"] = model.variables.given_layout.state()
    habits = model.habits
    if len(habits):
        header["habit_evidence"] = [numbers_of(e) for e in habits.evidence]
    if len(model.gaps):
        header["gaps"] = [
            {
                "kind": gap.kind,
                "variables": list(gap.variables),
                "numbers": list(gap.numbers),
                "origin": gap.origin,
                "evidence": numbers_of(gap.evidence),
            }
            for gap in model.gaps
        ]
    if model.facts:
        header["facts"] = [
            {
                "kind": fact.kind,
                "meaning": fact.meaning,
                "origin": fact.origin,
                "evidence": numbers_of(fact.evidence),
            }
            for fact in model.facts
        ]
    arrays = {
        "redundant_matrix": model.redundant.matrix,
        "redundant_rhs": model.redundant.rhs,
        "redundant_equality": model.redundant.equality,
        "doubtful_matrix": model.doubtful.matrix,
        "doubtful_rhs": model.doubtful.rhs,
        "doubtful_equality": model.doubtful.equality,
        "lower": model.variables.lower,
        "upper": model.variables.upper,
        "rule_matrix": rules.matrix,
        "rule_equality": rules.equality,
        "rule_rhs": rules.rhs,
        "cut_weights": model.cuts.weights,
        "cut_values": model.cuts.values,
        "cut_slack": model.cuts.slack,
        "matroid": np.zeros((0, len(model.variables)), np.int64) if model.matroid is None else model.matroid.cocircuits,
        "suspects": model.suspects,
        "seen": model.seen.astype(np.int64, copy=False),
        "counts": model.counts,
    }
    if len(habits):
        arrays |= {"habit_matrix": habits.matrix, "habit_equality": habits.equality, "habit_rhs": habits.rhs}
    return header, arrays


def unpack(header: dict[str, Any], arrays: dict[str, NDArray[Any]], lifts: Iterable[Any] = ()) -> dict[str, Any]:
    """Check the parts that `pack` returned, and return the fields of the model."""
    known = known_lifts(lifts)
    try:
        return _fields(read(SavedHeader, header, "the file's header"), arrays, known)
    except FormatError:
        raise
    except (DataError, RangeError) as error:
        text = shown(" ".join(str(error).split()))[:200]
        raise FormatError(f"the file is not a whole model ({text}): save the model again") from error


def _fields(header: SavedHeader, arrays: dict[str, NDArray[Any]], lifts: dict[str, Any]) -> dict[str, Any]:
    stored = SavedArrays(arrays)
    d, e = len(header.names), stored.columns("rule_matrix")
    if d == 0 and not header.schema:
        raise FormatError("the file has no variables: save the model again")
    layout = None if header.layout is None else Layout.restore(header.layout, d)
    bounds = stored.integers("lower", d), stored.integers("upper", d)
    variables = Variables(header.names, *bounds, header.declared, layout)
    schema = None if header.schema is None else Schema.restore(header.schema)
    if schema is not None and not _same_variables(schema.variables, variables):
        raise FormatError("the file's columns do not fit its variables: save the model again")
    cuts = _cuts(stored, d, header.cuts_exact)
    n = stored.length("counts")
    seen, counts = stored.integers("seen", n, d), stored.integers("counts", n)
    if (counts < (1 if d else 0)).any() or counts.sum(dtype=np.float64) >= MOST_EXAMPLES:
        raise FormatError("the file's counts of labels are impossible: save the model again")
    variables.require(seen)
    fitted = restored_lifts(header.lifts, lifts, e - d if header.origins else 0)
    try:
        extended = lifted_variables(fitted, variables)
        defined = definitions(fitted, variables, extended, lifted_labels(fitted, seen[:1]), schema)
    except RAISED_BY_LIFTS as error:
        raise FormatError("the file's lifts do not fit its variables: save the model again") from error
    rules = _rules(stored, extended, "rule", header.origins, header.evidence)
    if not _same_rows(rules.by_origin(DEFINITION), defined):
        raise FormatError("the file's definitions are not those of its columns and lifts: save the model again")
    doubtful, habits = header.doubtful_evidence, header.habit_evidence
    fields = {
        "variables": variables,
        "rules": rules,
        "redundant": _rules(stored, extended, "redundant", MINED, header.redundant_evidence),
        "cuts": cuts,
        "seen": seen,
        "counts": counts,
        "sense": header.sense,
        "lifts": fitted,
        "notes": header.notes,
        "matroid": _matroid(stored.integers("matroid", stored.length("matroid"), d)),
        "suspects": stored.integers("suspects", stored.length("suspects")),
        "schema": schema,
        "dropped": _dropped(header, variables, schema),
        "about": header.about,
        "total": header.total,
        "doubtful": None if doubtful is None else _rules(stored, extended, "doubtful", MINED, doubtful),
        "habits": _rules(stored, extended, "habit", HABIT, habits) if habits else None,
        "forecast": header.forecast,
        "gaps": _gaps(header, variables),
        "facts": _facts(header, schema),
        "sums": header.sums,
    }
    stored.require_all_used()
    _require_counts_fit(fields)
    return fields


def _rules(
    stored: SavedArrays, variables: Variables, name: str, origins: str | tuple[str, ...], evidence: tuple[Numbers, ...]
) -> RuleSet:
    r = len(evidence)
    return RuleSet(
        variables,
        stored.integers(f"{name}_matrix", r, len(variables)),
        stored.flags(f"{name}_equality", r),
        stored.integers(f"{name}_rhs", r),
        (origins,) * r if isinstance(origins, str) else origins,
        tuple(evidence_of(numbers) for numbers in evidence),
    )


def _cuts(stored: SavedArrays, width: int, exact: bool) -> Cuts:
    k = stored.length("cut_weights")
    return Cuts(
        stored.numbers("cut_weights", k, width, largest=budgets.LARGEST_WEIGHT),
        stored.numbers("cut_values", k, largest=LARGEST_FLOAT),
        stored.numbers("cut_slack", k, largest=LARGEST_FLOAT),
        exact=exact,
    )


def _matroid(rows: IntArray) -> Matroid | None:
    """The matroid, whose rows are independent."""
    if not len(rows):
        return None
    matroid = Matroid(rows, len(rows))
    everything = np.arange(rows.shape[1])
    fits = ((rows == 0) | (rows == 1)).all() and matroid.rank_of(everything) == len(rows)
    if not fits:
        raise FormatError("the file's matroid does not fit its variables: save the model again")
    return matroid


def _gaps(header: SavedHeader, variables: Variables) -> Gaps:
    gaps = [Gap(gap.kind, gap.variables, gap.numbers, gap.origin, evidence_of(gap.evidence)) for gap in header.gaps]
    if any(abs(number) >= budgets.LARGEST_SIDE for gap in gaps for number in gap.numbers):
        raise FormatError("the file's gaps have numbers that are too large: save the model again")
    return Gaps(variables, tuple(gaps))


def _dropped(header: SavedHeader, variables: Variables, schema: Schema | None) -> tuple[str, ...]:
    """The digests of what a person dropped; older files have rows, the words of gaps, and digests of facts alone."""
    rows = RuleSet.of(variables, [row for row in header.dropped if not isinstance(row, str)])
    gaps = (parse_gap(words, variables, schema) for words in header.dropped_gaps)
    digests = [one for one in header.dropped if isinstance(one, str)]
    of_gaps = [gap_digest(gap) for gap in gaps if gap is not None]
    return (*digests, *row_digests(rows), *of_gaps, *header.dropped_facts)


def _facts(header: SavedHeader, schema: Schema | None) -> tuple[Fact, ...]:
    together = tuple(SavedFact("seen-together", meaning, "mined", None) for meaning in header.companions)
    saved = (*header.facts, *together)
    if saved and schema is None:
        raise FormatError("the file has facts and no columns: save the model again")
    return tuple(
        restored(fact.kind, fact.meaning, fact.origin, evidence_of(fact.evidence), cast(Schema, schema))
        for fact in saved
    )


def _same_rows(first: RuleSet, second: RuleSet) -> bool:
    """True if two sets have the same rows, whatever their order."""
    one, other = (np.column_stack([rules.bordered, rules.equality]) for rules in (first, second))
    return Counter(map(bytes, one)) == Counter(map(bytes, other))


def _same_variables(first: Variables, second: Variables) -> bool:
    return (
        first.names == second.names
        and np.array_equal(first.lower, second.lower)
        and np.array_equal(first.upper, second.upper)
    )


def _require_counts_fit(fields: dict[str, Any]) -> None:
    """Refuse totals, sums and places of examples that do not fit the counts of the labels."""
    counted, total, sums, suspects = int(fields["counts"].sum()), fields["total"], fields["sums"], fields["suspects"]
    examples = counted if total is None else total
    if examples < counted or len(sums) not in (0, len(fields["variables"])):
        raise FormatError("the file's number of examples or sums of variables are invalid: save the model again")
    if len(suspects) and not 0 <= suspects.min() <= suspects.max() < examples:
        raise FormatError("the file's suspects are not among its examples: save the model again")
