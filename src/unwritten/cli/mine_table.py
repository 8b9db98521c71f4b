"""`unwritten mine`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unwritten.cli import shared_options as options
from unwritten.cli.console import say, say_json, say_next, say_note
from unwritten.cli.files import load_model, read_weights, require_apart, require_free, source_of
from unwritten.cli.progress_bar import progress_bar
from unwritten.cli.rules import say_rules, sentence_state
from unwritten.counted import counted
from unwritten.data import Sense
from unwritten.tables.quoting import shown

if TYPE_CHECKING:
    from unwritten.model import Model
    from unwritten.tables import Table

PRINTED_RULES, PRINTED_HABITS = 30, 10
PRINTED_COLUMNS = 40
PRINTED_SUSPECTS = 20


@options.with_reading
def mine(
    tables: options.TableArguments,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="MODEL", help="Where to save the model; nothing is saved by default."),
    ] = None,
    types: options.Types = None,
    missing: options.Missing = "category",
    *,
    reading: options.Reading,
    max_levels: options.MaxLevels = 1_000,
    confidence: options.Confidence = 0.95,
    rules: Annotated[
        str,
        typer.Option(
            metavar="NAME,…",
            help=f"The miners to run: auto, or any of {options.MINERS}, separated by commas.",
            autocompletion=options.complete_miners,
        ),
    ] = "auto",
    noise: Annotated[
        str,
        typer.Option(
            metavar="SHARE",
            help="The share of rows that may be wrong, e.g. 0.01, or auto.",
            autocompletion=lambda: ["auto", "0.01"],
        ),
    ] = "0",
    given: Annotated[
        list[str] | None,
        typer.Option("--given", metavar="RULE", help="A rule that is known to hold, written as a sentence."),
    ] = None,
    weights: Annotated[
        Path | None,
        typer.Option(
            metavar="WEIGHTS", help="A table with a row of weights for each row of TABLE, which was the best for them."
        ),
    ] = None,
    sense: Annotated[
        Sense, typer.Option(help="Whether the rows of TABLE maximise or minimise the value of their weights.")
    ] = "max",
    keep: Annotated[
        Path | None,
        typer.Option(metavar="MODEL", help="An older model: repeat the edits that people made to it."),
    ] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Save progress here and resume from it after a kill; removed at the end."),
    ] = None,
    time_limit: Annotated[
        float | None,
        typer.Option(min=0.0, metavar="SECONDS", help="The most seconds to mine; notes say what was left out."),
    ] = None,
    as_json: options.AsJson = False,
    force: options.Force = False,
) -> None:
    """Mine the rules that all rows of a table obey.

    Takes a table with one decision per row. Prints what each column was taken for and the rules, the most useful
    first; -o saves the model that all other commands read.

    Examples:

        unwritten mine sales.csv -o sales.rules

        unwritten mine orders.parquet --types price=bins:4,customer=skip --noise auto

        unwritten mine january.csv february.csv -o months.rules

        unwritten mine shop.db --query 'SELECT * FROM orders' -o shop.rules
    """
    import unwritten
    from unwritten.tables import Table

    inputs = (tables, weights, keep)
    if output is not None:
        require_free(output, force, inputs)
    if checkpoint is not None:
        require_apart(checkpoint, inputs)
    miners, wrong_share = options.miners_of(rules), options.noise_of(noise)
    edited = None if keep is None else load_model(keep)
    with progress_bar() as update:
        rows = Table.of(
            source_of(tables),
            options.types_of(types),
            missing=missing,
            max_levels=max_levels,
            progress=update,
            **reading,
        )
    if not as_json:
        _print_columns(rows)
    with progress_bar() as update:
        model = unwritten.mine(
            rows,
            None if weights is None else read_weights(str(weights), rows.schema.variables.names),
            sense=sense,
            rules=miners,
            prior=given or None,
            confidence=confidence,
            noise=wrong_share,
            checkpoint=checkpoint,
            time_limit=time_limit,
            progress=update,
        )
        update("finding words", 0, 0)
        if edited is not None:
            model = model.with_edits_from(edited)
        _ = model.sentences  # computed once, here, while the progress bar is shown
    if output is not None:
        model.save(output)
    if as_json:
        say_json(_state(model, output))
    else:
        _print_model(model, rows.rows, output)


def _print_columns(table: Table) -> None:
    """Print the role and the first values of each column, or why it has no variables."""
    columns = table.schema.columns
    say(f"{table.reader.title}: {counted(table.rows, 'row')}, {counted(len(columns), 'column')}")
    for column in columns[:PRINTED_COLUMNS]:
        role = column.kind if column.width or column.role == "unknown" else column.role
        say(f"  {shown(column.name):<20} {role:<9} {shown(column.content)}", hang=33)
    if "decimal" in table.reader.facts:
        say("  numbers are read with a decimal comma; --decimal . reads them as they are")
    if len(columns) > PRINTED_COLUMNS:
        kinds = ", ".join(f"{sum(c.kind == k for c in columns)} {k}" for k in dict.fromkeys(c.kind for c in columns))
        say(f"  … in all {kinds}")


def _print_model(model: Model, rows: int, output: Path | None) -> None:
    """Print the first rules, the notes and where the model was saved."""
    sentences = model.sentences
    say("")
    distinct = counted(len(model.seen), "distinct row")
    say(f"{counted(len(sentences), 'rule')} from {counted(rows, 'row')} ({distinct} kept)")
    say_rules(sentences[:PRINTED_RULES])
    if len(sentences) > PRINTED_RULES:
        more = f"unwritten rules {output}" if output else "-o MODEL saves them all"
        say(f"… and {len(sentences) - PRINTED_RULES} more: {more}")
    if model.habit_sentences:
        say(f"{counted(len(model.habit_sentences), 'habit')}: all rows do this too, but optimality can explain it")
        say_rules(model.habit_sentences[:PRINTED_HABITS])
    if held := len(model.doubtful_sentences):
        more = f"unwritten rules {output} --doubtful" if output else "-o MODEL keeps them apart"
        say(f"{counted(held, 'rule')} held back, which too few rows show: {more}")
    for note in _notes(model):
        say_note(f"note: {note}")
    if len(model.suspects):
        places = ", ".join(str(row + 1) for row in model.suspects[:PRINTED_SUSPECTS])
        say_note(f"note: {counted(len(model.suspects), 'row')} break a rule and look wrong, the surest first: {places}")
    if output is None:
        say("nothing was saved: -o MODEL saves the model")
        return
    say(f"saved to {output}")
    name = shlex.quote(str(output))
    say_next(
        (f"unwritten check {name} NEW.csv", "which new rows break a rule"),
        (f"unwritten explain {name} NEW.csv:1", "why, and which cell to change"),
        (f"unwritten report {name} -o REPORT.html", "all rules on one page"),
    )


def _notes(model: Model) -> list[str]:
    """Return the notes, without those on columns whose lines have said it; those on other columns are counted."""
    from unwritten.sources.readers import note_of

    columns = () if model.schema is None else model.schema.columns
    of_columns = [note_of(column) for column in columns if not column.width]
    said = sum(not column.width for column in columns[:PRINTED_COLUMNS])
    hidden, others = of_columns[said:], [note for note in model.notes if note not in set(of_columns)]
    if len(hidden) > 1:
        hidden = [f"{hidden[0]}; {len(hidden) - 1:,} more columns like it are listed by --json"]
    return [*hidden, *others]


def _state(model: Model, output: Path | None) -> dict[str, object]:
    """Return the model as plain JSON; rows are counted from 1."""
    schema = model.schema
    return {
        "model": None if output is None else str(output),
        "about": model.about,
        "columns": [] if schema is None else schema.state(),
        "rules": [sentence_state(sentence) for sentence in model.sentences],
        "habits": [sentence_state(sentence) for sentence in model.habit_sentences],
        "doubtful": [sentence_state(sentence) for sentence in model.doubtful_sentences],
        "notes": list(model.notes),
        "suspects": [int(row) + 1 for row in model.suspects],
    }
