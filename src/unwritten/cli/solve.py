"""`unwritten solve`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

from unwritten.cli import shared_options as options
from unwritten.cli.console import csv_line, say_json, say_note, say_whole
from unwritten.cli.files import load_model, read_weights
from unwritten.cli.progress_bar import progress_bar
from unwritten.counted import counted
from unwritten.solving.solver_choices import BackendName, EngineName, ProofEffort

if TYPE_CHECKING:
    from unwritten.data import IntArray
    from unwritten.model import Model


@options.with_reading
def solve(
    model: options.ModelPath,
    weights: Annotated[
        str,
        typer.Argument(
            metavar="WEIGHTS",
            help="A table with one question per row and one column per variable; variables without a column weigh 0.",
        ),
    ],
    engine: Annotated[EngineName, typer.Option(help="The search method; auto chooses one for the rules.")] = "auto",
    backend: Annotated[
        BackendName, typer.Option(help="The solver for the engines that need one; auto takes the first installed.")
    ] = "auto",
    time_limit: Annotated[float | None, typer.Option(min=0.0, help="The most seconds to spend on a question.")] = None,
    proof: Annotated[
        ProofEffort, typer.Option(help="With data, spend more time on proofs that do not rest on mined rules.")
    ] = "auto",
    *,
    reading: options.Reading,
    habits: options.Habits = False,
    as_json: options.AsJson = False,
) -> None:
    """Find the best row that obeys the rules, for each row of weights.

    Takes a model and a table of weights whose columns are called `column=value` (or `column`, for integers and yes/no
    columns). Prints one row per question, with its value, the bound that no row exceeds, its status, and what proves
    it: `data`, `rules` or nothing; with --json also the engine, a note, and the forecast of how often such answers are
    right. The exit code is 1 if a question has no answer.

    Example: unwritten solve sales.rules wishes.csv > best.csv
    """
    rules = load_model(model, habits)
    questions = read_weights(weights, rules.variables.names, reading)
    with progress_bar() as update:
        update("solving", 0, 0)
        decisions = rules.decide(questions, engine=engine, backend=backend, time_limit=time_limit, proof=proof)
    answered = [str(status) in ("optimal", "feasible") for status in decisions.status]
    rows = _rows_of(rules, decisions.labels)
    forecast = None if decisions.forecast is None else decisions.forecast.state()
    for k, decision in enumerate(decisions):
        certificate = {
            "value": _finite(decision.value),
            "bound": _finite(decision.bound),
            "status": str(decision.status),
            "proof": decision.proof,
        }
        row = rows[k] if answered[k] else dict.fromkeys(rows[k])
        if as_json:
            trust = {"engine": decision.engine, "note": decision.note, "forecast": forecast}
            say_json({"row": row if answered[k] else None, **certificate, **trust})
        else:
            if not k:
                say_whole(csv_line([*row, *(f"unwritten_{name}" for name in certificate)]))
            say_whole(csv_line(_cell(value) for value in (*row.values(), *certificate.values())))
    by_seen = [decision.engine for decision in decisions].count("inner")
    if by_seen and decisions.forecast is not None:
        say_note(f"{counted(by_seen, 'question')} answered by the best row seen: {decisions.forecast}")
    if not all(answered):
        clash = "; ".join(decisions.clash)
        say_note(
            f"{counted(answered.count(False), 'question')} without an answer"
            + (f"; these rules contradict each other: {clash}" if clash else "")
        )
    raise typer.Exit(0 if all(answered) else 1)


def _rows_of(model: Model, labels: IntArray) -> list[dict[str, object]]:
    """Translate labels into rows of the table, or into values by variable if no table was mined."""
    if model.schema is not None:
        return [
            {name: None if value is ... else value for name, value in row.items()}
            for row in model.schema.decode(labels)
        ]
    return [dict(zip(model.variables.names, row, strict=True)) for row in labels.tolist()]


def _finite(number: float) -> float | None:
    return float(number) if np.isfinite(number) else None


def _cell(value: object) -> object:
    """Format a value for CSV: nothing as an empty cell, whole floats without a point."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case float():
            return repr(value) if value != int(value) else int(value)
    return value
