"""`unwritten solve`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from unwritten.cli import options
from unwritten.cli.console import AsJson, ModelPath, csv_line, model_of, progress, remark, say, say_json, table_argument

if TYPE_CHECKING:
    from unwritten.data import FloatArray
    from unwritten.model import Model


def solve(
    model: ModelPath,
    weights: Annotated[
        str,
        typer.Argument(metavar="WEIGHTS", help="A table: a column per variable (others count 0), a row per question."),
    ],
    engine: Annotated[str, typer.Option(help="auto, or the name of an engine.")] = "auto",
    backend: Annotated[str, typer.Option(help="auto, highs, scipy, cpsat, scip or gurobi.")] = "auto",
    time_limit: Annotated[float | None, typer.Option(min=0.0, help="Seconds per question.")] = None,
    proof: Annotated[str, typer.Option(help="auto, or data to try harder to prove by the data alone.")] = "auto",
    delimiter: options.Delimiter = None,
    as_json: AsJson = False,
) -> None:
    """Find the best row for each row of weights, under the rules. Exit code 1 if a question has no answer.

    Variables are called `column=value` (or `column`, for integers and yes/no columns). Beside each answer stand its
    value, the bound that no row exceeds, the status, and the proof: `data`, `rules` or none.

    Example: unwritten solve sales.rules wishes.csv > best.csv
    """
    read = model_of(model)
    asked = weights_of(weights, read.variables.names, delimiter)
    with progress() as show:
        show("solving", 0, 0)
        decisions = read.decide(asked, engine=engine, backend=backend, time_limit=time_limit, proof=proof)
    answered = [str(status) in ("optimal", "feasible") for status in decisions.status]
    rows = _decoded(read, decisions.labels)
    for k, decision in enumerate(decisions):
        facts = {
            "value": _plain(decision.value),
            "bound": _plain(decision.bound),
            "status": str(decision.status),
            "proof": decision.proof,
        }
        row = rows[k] if answered[k] else dict.fromkeys(rows[k])
        if as_json:
            say_json({"row": row if answered[k] else None, **facts})
        else:
            if not k:
                say(csv_line([*row, *(f"unwritten_{name}" for name in facts)]))
            say(csv_line(_cell(value) for value in (*row.values(), *facts.values())))
    if not all(answered):
        clash = "; ".join(decisions.clash)
        remark(f"{answered.count(False)} questions have no answer" + (f"; these rules clash: {clash}" if clash else ""))
    raise typer.Exit(0 if all(answered) else 1)


def weights_of(path: str, names: Sequence[str], delimiter: str | None = None) -> FloatArray:
    """Weights by the names of the variables, from a file or standard input."""
    from unwritten.tables import open_table
    from unwritten.tables.weights import weights_by_name

    return weights_by_name(open_table(table_argument(path), delimiter=options.delimiter_of(delimiter)), names)


def _decoded(model: Model, labels: Any) -> list[dict[str, Any]]:
    if model.schema is not None:
        return [{k: None if v is ... else v for k, v in row.items()} for row in model.schema.decode(labels)]
    return [dict(zip(model.variables.names, row, strict=True)) for row in labels.tolist()]


def _plain(number: float) -> float | None:
    return float(number) if np.isfinite(number) else None


def _cell(value: Any) -> Any:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case float():
            return repr(value) if value != int(value) else int(value)
    return value
