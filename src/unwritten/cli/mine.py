"""`unwritten mine`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unwritten.cli import options
from unwritten.cli.console import AsJson, Force, model_of, progress, remark, require_free, say, say_json, table_argument
from unwritten.cli.rules import lines_of, sentence_state
from unwritten.errors import DataError
from unwritten.tables.quoting import shown

if TYPE_CHECKING:
    from unwritten.model import Model
    from unwritten.tables import Table

SHOWN_RULES = 30
SHOWN_COLUMNS = 40


def mine(
    table: options.TableArgument,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="MODEL", help="Where to save it.")] = None,
    types: options.Types = None,
    missing: options.Missing = "category",
    delimiter: options.Delimiter = None,
    encoding: options.Encoding = None,
    na: options.Na = None,
    max_levels: options.MaxLevels = 1_000,
    confidence: options.Confidence = 0.95,
    rules: Annotated[str, typer.Option(help="auto, or names of miners with commas.")] = "auto",
    noise: Annotated[str, typer.Option(help="The share of rows that may be wrong, or auto.")] = "0",
    given: Annotated[list[str] | None, typer.Option("--given", help="A rule that is known, as a sentence.")] = None,
    weights: Annotated[Path | None, typer.Option(help="A table of the weights that each row was optimal for.")] = None,
    sense: Annotated[str, typer.Option(help="Whether rows maximise (max) or minimise (min) their weights.")] = "max",
    keep: Annotated[
        Path | None, typer.Option(help="An older model: keep the rules people gave, pinned or dropped there.")
    ] = None,
    checkpoint: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Go on from this file if killed; it is removed at the end.")
    ] = None,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Mine the rules that all rows of a table obey.

    Examples:

        unwritten mine sales.csv -o sales.rules

        unwritten mine orders.parquet -o orders.rules --types price=bins:4,customer=skip --noise auto

        zcat log.csv.gz | unwritten mine - -o log.rules
    """
    import unwritten
    from unwritten.tables import Table

    if output is not None:
        require_free(output, force)
    old = None if keep is None else model_of(keep)
    with progress() as show:
        read = Table.of(
            table_argument(table),
            options.types_of(types),
            missing=missing,
            delimiter=options.delimiter_of(delimiter),
            encoding=encoding,
            missing_words=na or (),
            max_levels=max_levels,
            progress=show,
        )
    if not as_json:
        _show_columns(read)
    with progress() as show:
        read = read.showing(show)
        model = unwritten.mine(
            read,
            _weights(weights, read),
            sense=sense,
            rules="auto" if rules == "auto" else [name for name in rules.split(",") if name],
            prior=given or None,
            confidence=confidence,
            noise=_noise(noise),
            checkpoint=checkpoint,
        )
        show("finding words", 0, 0)
        if old is not None:
            model = model.with_edits_from(old)
        found = model.sentences
    if output is not None:
        model.save(output)
    if as_json:
        say_json(_state(model, output))
        return
    say("")
    say(f"{_count(len(found), 'rule')} from {read.rows:,} rows ({len(model.seen):,} kinds of row kept)")
    for line in lines_of(found[:SHOWN_RULES]):
        say(line)
    if len(found) > SHOWN_RULES:
        more = f"unwritten rules {output}" if output else "-o MODEL saves them all"
        say(f"… and {len(found) - SHOWN_RULES} more: {more}")
    for note in model.notes:
        remark(f"note: {note}")
    if len(model.suspects):
        some = ", ".join(str(row + 1) for row in model.suspects[:20])
        remark(f"note: {_count(len(model.suspects), 'row')} break a rule and look wrong: {some}")
    say(f"saved to {output}" if output else "nothing was saved: -o MODEL keeps it")


def _show_columns(table: Table) -> None:
    columns = table.schema.columns
    say(f"{table.reader.title}: {table.rows:,} rows, {_count(len(columns), 'column')}")
    for column in columns[:SHOWN_COLUMNS]:
        values = ", ".join("missing" if level is None else level for level in column.levels[:6])
        what = f"{len(column.levels)} values: {values}" + (", …" if len(column.levels) > 6 else "")
        what = {"integer": f"{column.lower}..{column.upper}", "skip": column.reason}.get(column.kind, what)
        say(f"  {shown(column.name):<20} {column.kind:<9} {shown(what)}")
    if len(columns) > SHOWN_COLUMNS:
        kinds = ", ".join(f"{sum(c.kind == k for c in columns)} {k}" for k in dict.fromkeys(c.kind for c in columns))
        say(f"  … in all {kinds}")


def _count(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def _noise(text: str) -> float | str:
    try:
        return text if text == "auto" else float(text)
    except ValueError as error:
        raise DataError(f"--noise {text!r} is neither a share nor auto: write e.g. --noise 0.01") from error


def _weights(path: Path | None, table: Table) -> Any:
    if path is None:
        return None
    from unwritten.cli.solve import weights_of

    return weights_of(str(path), table.schema.variables.names)


def _state(model: Model, output: Path | None) -> dict[str, Any]:
    schema = model.schema
    return {
        "model": None if output is None else str(output),
        "about": model.about,
        "columns": [] if schema is None else schema.state(),
        "rules": [sentence_state(sentence) for sentence in model.sentences],
        "notes": list(model.notes),
        "suspects": [int(row) + 1 for row in model.suspects],
    }
