"""Take a model apart into a JSON header and arrays, for saving, and put it together again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from unwritten import budgets
from unwritten.data import Variables
from unwritten.data.layout import Layout
from unwritten.errors import DataError, FormatError
from unwritten.evidence.answer_forecast import AnswerForecast
from unwritten.facts import restored
from unwritten.mining import LIFTS, Cuts, Lift, Matroid, lifted_variables
from unwritten.rules import DEFINITION, GIVEN, HABIT, MINED, Evidence, Gap, Gaps, RuleSet
from unwritten.tables import Schema
from unwritten.tables.quoting import shown

if TYPE_CHECKING:
    from unwritten.model.model import Model

LATER_EVIDENCE = (0, 0, 1.0, 0.0, 0.0, 0.0, 1.0, 0, 0, 0)
"""What the last numbers are if they are absent: doubt, weight and needed in older files; the last two in most rules."""
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
        "evidence": _evidence(rules),
        "redundant_evidence": _evidence(model.redundant),
        "doubtful_evidence": _evidence(model.doubtful),
        "schema": None if model.schema is None else model.schema.state(),
        "dropped": [list(row) for row in model.dropped],
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
        header["habit_evidence"] = _evidence(habits)
    if len(model.gaps) or model.dropped_gaps:
        header["gaps"] = [
            {
                "kind": gap.kind,
                "variables": list(gap.variables),
                "numbers": list(gap.numbers),
                "origin": gap.origin,
                "evidence": None if gap.evidence is None else _numbers(gap.evidence),
            }
            for gap in model.gaps
        ]
        header["dropped_gaps"] = list(model.dropped_gaps)
    if model.facts or model.dropped_facts:
        header["facts"] = [
            {
                "kind": fact.kind,
                "meaning": fact.meaning,
                "origin": fact.origin,
                "evidence": None if fact.evidence is None else _numbers(fact.evidence),
            }
            for fact in model.facts
        ]
        header["dropped_facts"] = list(model.dropped_facts)
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
    known = _known_lifts(lifts)
    try:
        return _fields(header, arrays, known)
    except (KeyError, TypeError, AttributeError, ValueError, IndexError, OverflowError) as error:
        if isinstance(error, FormatError):
            raise
        text = shown(" ".join(str(error).split()))[:200]
        raise FormatError(f"the file is not a whole model ({text}): save the model again") from error


def _fields(header: dict[str, Any], arrays: dict[str, NDArray[Any]], lifts: dict[str, Any]) -> dict[str, Any]:
    names = tuple(header["names"])
    d = len(names)
    if d == 0 and not header.get("schema"):
        raise FormatError("the file has no variables: save the model again")
    layout = Layout.restore(header["layout"], d) if "layout" in header else None
    variables = Variables(names, arrays["lower"], arrays["upper"], bool(header["declared"]), layout)
    fitted = _lifts(header["lifts"], lifts)
    if not set(header["origins"]) <= {MINED, GIVEN, DEFINITION}:
        raise FormatError("the file names an unknown origin of a rule: save the model again")
    extended = lifted_variables(fitted, variables)
    rules = _rules(extended, arrays, "rule", header["origins"], header["evidence"])
    evidence = header["redundant_evidence"]
    redundant = _rules(extended, arrays, "redundant", [MINED] * len(evidence), evidence)
    evidence = header.get("habit_evidence", [])
    habits = _rules(extended, arrays, "habit", [HABIT] * len(evidence), evidence) if evidence else None
    notes = tuple(header["notes"])
    if not all(isinstance(note, str) for note in notes):
        raise FormatError("the file's notes are not text: save the model again")
    cuts = Cuts(
        _typed(arrays["cut_weights"], np.float64, 2),
        _typed(arrays["cut_values"], np.float64, 1),
        _typed(arrays["cut_slack"], np.float64, 1),
        exact=bool(header["cuts_exact"]),
    )
    seen, counts = _typed(arrays["seen"], np.int64, 2), _typed(arrays["counts"], np.int64, 1)
    k = len(cuts)
    if cuts.weights.shape != (k, d) or cuts.values.shape != (k,) or cuts.slack.shape != (k,):
        raise FormatError("the file's cuts do not fit its variables: save the model again")
    if seen.shape != (len(counts), d) or (counts < 0).any() or counts.sum(dtype=np.float64) >= MOST_EXAMPLES:
        raise FormatError("the file's seen labels do not fit its variables: save the model again")
    if not all(np.isfinite(part).all() for part in (cuts.weights, cuts.values, cuts.slack)):
        raise FormatError("the file's cuts hold NaN or infinite numbers: save the model again")
    if header["sense"] not in ("max", "min"):
        raise FormatError("the file's sense is neither max nor min: save the model again")
    return {
        "variables": variables,
        "rules": rules,
        "redundant": redundant,
        "cuts": cuts,
        "seen": seen,
        "counts": counts,
        "sense": header["sense"],
        "lifts": fitted,
        "notes": notes,
        "matroid": _matroid(_typed(arrays["matroid"], np.int64, 2), d),
        "suspects": _typed(arrays["suspects"], np.int64, 1),
        "doubtful": _doubtful(extended, header, arrays),
        "habits": habits,
        **_gaps(header, variables),
        **_later_fields(header, variables, int(counts.sum())),
        **_facts(header),
    }


def _doubtful(variables: Variables, header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> RuleSet:
    """The doubtful rules; older files have none."""
    evidence = header.get("doubtful_evidence")
    if evidence is None:
        return RuleSet.empty(variables)
    return _rules(variables, arrays, "doubtful", [MINED] * len(evidence), evidence)


def _gaps(header: dict[str, Any], variables: Variables) -> dict[str, Any]:
    """Check and return the gaps, and the words of those that were dropped; most files have none."""
    gaps = []
    for entry in header.get("gaps", []):
        numbers, names = tuple(entry["numbers"]), tuple(entry["variables"])
        plain = all(type(number) is int and abs(number) < budgets.LARGEST_SIDE for number in numbers)
        if not plain or not all(isinstance(name, str) for name in names) or entry["origin"] not in (MINED, GIVEN):
            raise FormatError("the file's gaps are not whole: save the model again")
        evidence = None if entry["evidence"] is None else _one_evidence(*entry["evidence"])
        gaps.append(Gap(entry["kind"], names, numbers, entry["origin"], evidence))
    dropped = tuple(header.get("dropped_gaps", []))
    if not all(isinstance(words, str) for words in dropped):
        raise FormatError("the file's dropped gaps are not text: save the model again")
    return {"gaps": Gaps(variables, tuple(gaps)), "dropped_gaps": dropped}


def _facts(header: dict[str, Any]) -> dict[str, Any]:
    """Check and return the facts, and the digests of those that were dropped; older files have none."""
    entries, dropped = list(header.get("facts", [])), tuple(header.get("dropped_facts", []))
    entries += [  # older files kept these apart
        {"kind": "seen-together", "meaning": meaning, "origin": MINED, "evidence": None}
        for meaning in header.get("companions", [])
    ]
    if not all(isinstance(digest, str) for digest in dropped):
        raise FormatError("the file's dropped facts are not text: save the model again")
    if not entries:
        return {"facts": (), "dropped_facts": dropped}
    schema = Schema.restore(header["schema"])
    facts = [
        restored(
            entry["kind"],
            entry["meaning"],
            entry["origin"],
            None if entry["evidence"] is None else _one_evidence(*entry["evidence"]),
            schema,
        )
        for entry in entries
    ]
    return {"facts": tuple(facts), "dropped_facts": dropped}


def _later_fields(header: dict[str, Any], variables: Variables, seen_examples: int) -> dict[str, Any]:
    """Check and return the fields that older files lack: schema, dropped rules, source, size and forecast."""
    state, about, total = header.get("schema"), header.get("about", {}), header.get("total")
    schema = None if state is None else Schema.restore(state)
    if schema is not None and schema.variables.names != variables.names:
        raise FormatError("the file's columns do not fit its variables: save the model again")
    if not isinstance(about, dict) or not (
        total is None or (type(total) is int and seen_examples <= total < MOST_EXAMPLES)
    ):
        raise FormatError("the file's source or number of examples is invalid: save the model again")
    sums = tuple(header.get("sums", []))
    if not all(type(each) is int for each in sums) or len(sums) not in (0, len(variables)):
        raise FormatError("the file's sums of variables are invalid: save the model again")
    dropped = RuleSet.of(variables, [tuple(row) for row in header.get("dropped", [])])
    numbers = header.get("forecast")
    forecast = None if numbers is None else AnswerForecast(**numbers)
    return {
        "schema": schema,
        "dropped": tuple(dropped.triples()),
        "about": about,
        "total": total,
        "sums": sums,
        "forecast": forecast,
    }


def _matroid(rows: NDArray[Any], width: int) -> Matroid | None:
    if rows.shape[1] != width or not np.isin(rows, (0, 1)).all():
        raise FormatError("the file's matroid does not fit its variables: save the model again")
    return Matroid(rows, len(rows)) if len(rows) else None


def _evidence(rules: RuleSet) -> list[list[float] | None]:
    return [None if e is None else _numbers(e) for e in rules.evidence]


def _numbers(e: Evidence) -> list[float]:
    numbers = [e.examples, e.violations, e.chance, e.price, e.joint_confidence, e.doubt, e.weight, e.needed]
    return [*numbers, e.left_out, int(e.estimate)] if e.left_out else numbers


def _rules(
    variables: Variables, arrays: dict[str, NDArray[Any]], name: str, origins: list[str], evidence: list[Any]
) -> RuleSet:
    return RuleSet(
        variables,
        _typed(arrays[f"{name}_matrix"], np.int64, 2),
        _typed(arrays[f"{name}_equality"], np.bool_, 1),
        _typed(arrays[f"{name}_rhs"], np.int64, 1),
        tuple(origins),
        tuple(None if e is None else _one_evidence(*e) for e in evidence),
    )


def _one_evidence(*given: float) -> Evidence:
    """The evidence of a rule; older files have fewer numbers."""
    if len(given) != 5 and not len(LATER_EVIDENCE) - 2 <= len(given) <= len(LATER_EVIDENCE):
        raise FormatError("the file's evidence for a rule is not whole: save the model again")
    numbers: list[float] = [*given, *LATER_EVIDENCE[len(given) :]]
    examples, violations, *shares, needed, left_out, estimate = numbers
    chance, price, joint, doubt, weight = map(float, shares)
    counts = int(needed), int(left_out), bool(estimate)
    evidence = Evidence(int(examples), int(violations), chance, price, joint, doubt, weight, *counts)
    if not (
        0 <= evidence.violations <= evidence.examples < 2**63
        and all(0 <= share <= 1 for share in (evidence.chance, evidence.joint_confidence, evidence.doubt))
        and 0 < evidence.weight <= 1
        and 0 <= evidence.needed < 2**63
        and 0 <= evidence.left_out < 2**63
        and estimate in (0, 1)
    ):
        raise FormatError("the file's evidence for a rule has impossible numbers: save the model again")
    if not 0 <= evidence.price < float("inf"):
        raise FormatError("the file's price of a rule is not a finite number: save the model again")
    return evidence


def _typed(array: NDArray[Any], dtype: type[np.generic], ndim: int) -> NDArray[Any]:
    if array.dtype != dtype or array.ndim != ndim:
        raise FormatError("the file holds an array of the wrong type: save the model again")
    return array


def _known_lifts(own: Any) -> dict[str, Any]:
    """The built-in lifts and the user's own lifts, by name."""
    makers = list(own) if isinstance(own, Iterable) and not isinstance(own, str) else [own]
    for maker in makers:
        if not hasattr(maker, "name") or not hasattr(maker, "restore"):
            raise DataError(
                f"{maker!r} is not a lift: load(path, lifts=[YourLift]) takes classes with name and restore"
            )
    return {**LIFTS, **{maker.name: maker for maker in makers}}


def _lifts(entries: list[dict[str, Any]], known: dict[str, Any]) -> tuple[Lift, ...]:
    fitted = []
    for entry in entries:
        if entry["name"] not in known:
            raise FormatError(
                f"the model uses the lift {entry['name']!r}, which is not known here: load(path, lifts=[YourLift])"
            )
        fitted.append(known[entry["name"]].restore(entry["state"]))
    return tuple(fitted)
