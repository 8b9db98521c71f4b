"""Suspect rows: the examples that break a rule, and the rules they break."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from unwritten.counted import counted
from unwritten.data import IntArray, labels_from
from unwritten.errors import DataError
from unwritten.report.fields import Fields, examples_of
from unwritten.report.page_text import html, name_text
from unwritten.rules import Sentence
from unwritten.tables import Table
from unwritten.tables.typed_rows import TypedRows

if TYPE_CHECKING:
    from unwritten.model import Model

SUSPECTS_SHOWN = 100  # suspects with their values
MOST_PLACES = 200  # suspects without their values
MOST_RULES = 8  # listed for one suspect
SUSPECT_CELLS = 12  # listed for one suspect
MOST_PER_RULE = 4  # suspects listed for one rule


@dataclass(frozen=True, eq=False)
class SuspectRows:
    """The places of the suspects among the examples, and the first of them as labels with the sentences they break.

    `labels` and `breaks` are empty if the examples were not given.
    """

    places: IntArray
    labels: IntArray
    breaks: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, model: Model, examples: object) -> SuspectRows:
        """Look up the model's suspects in the examples it was mined from; without examples, keep only the places."""
        places = model.suspects
        if examples is None or not len(places):
            return cls(places, np.zeros((0, len(model.variables)), np.int64), ())
        labels = _labels_at(model, examples, places)[:SUSPECTS_SHOWN]
        count = len(model.rules)  # gaps are numbered after the rules
        said = [{*sentence.rules, *(count + k for k in sentence.gaps)} for sentence in model.sentences]
        checked = model.check_labels(labels)
        violations = np.concatenate([checked.violations, checked.gap_violations], axis=1)
        broken_rules = [set(np.flatnonzero(row).tolist()) for row in violations]
        broken_facts = _facts_broken_at(model, examples, places[: len(labels)])
        breaks = (
            tuple(
                k
                for k, sentence in enumerate(model.sentences)
                if not (said[k].isdisjoint(rules) and facts.isdisjoint(sentence.facts))
            )
            for rules, facts in zip(broken_rules, broken_facts, strict=True)
        )
        return cls(places, labels, tuple(breaks))

    def by_sentence(self) -> dict[int, list[int]]:
        """Return for each broken sentence a few of the suspects that break it."""
        suspects: dict[int, list[int]] = {}
        for i, broken in enumerate(self.breaks):
            for k in broken:
                if len(suspects.setdefault(k, [])) < MOST_PER_RULE:
                    suspects[k].append(i)
        return suspects


def _labels_at(model: Model, examples: object, places: IntArray) -> IntArray:
    """Return the labels of the examples at these places."""
    if not isinstance(examples, Table):
        labels, _ = labels_from(examples, order=model.variables.names)
        if places.max() >= len(labels) or labels.shape[1] != len(model.variables):
            raise DataError("these are not the examples that the model was mined from: give those, in the same order")
        return labels[places]
    if examples.schema != model.schema or examples.rows <= places.max():
        raise DataError("this is not the table that the model was mined from: give that table")
    labels, start = np.zeros((len(places), len(model.variables)), np.int64), 0
    for block in examples.blocks():
        if start > places.max():
            break
        inside = np.flatnonzero((places >= start) & (places < start + len(block.labels)))
        labels[inside] = block.labels[places[inside] - start]
        start += len(block.labels)
    return labels


def _facts_broken_at(model: Model, examples: object, places: IntArray) -> list[set[int]]:
    """Return the facts that the rows at these places break; all rows are read, because keys compare them."""
    broken_at: dict[int, set[int]] = {place: set() for place in places.tolist()}
    if model.schema is None or not model.facts or not isinstance(examples, Table):
        return list(broken_at.values())
    checkers, start = [fact.checker() for fact in model.facts], 0
    for batch, _ in examples.reader.batches():
        rows = TypedRows.of_batch(model.schema, batch)
        broken = np.column_stack([check(rows) for check in checkers])
        for place in (place for place in broken_at if start <= place < start + len(broken)):
            broken_at[place] = set(np.flatnonzero(broken[place - start]).tolist())
        start += len(broken)
    return list(broken_at.values())


def suspects_html(model: Model, fields: Fields, suspects: SuspectRows) -> str:
    """Return the section on suspects: a table with a line per suspect, or only their places."""
    n = len(suspects.places)
    intro = (
        f"<p>{counted(n, 'example')} of {examples_of(model):,} "
        f"{'breaks' if n == 1 else 'break'} a rule that nearly all others obey. The first row is row 1; a header does "
        "not count.</p>"
    )
    if not len(suspects.labels):
        listed = ", ".join(f"{place + 1:,}" for place in suspects.places[:MOST_PLACES].tolist())
        more = f" and {n - MOST_PLACES:,} more" if n > MOST_PLACES else ""
        return f'{intro}<p class="places">Row{"s" if n > 1 else ""} {listed}{more}.</p>'
    rows = "".join(
        _suspect_html(model, fields, int(place), cells, broken)
        for place, cells, broken in zip(suspects.places, fields.values(suspects.labels), suspects.breaks, strict=False)
    )
    more = f'<p class="hint">{n - SUSPECTS_SHOWN:,} more are not shown.</p>' if n > SUSPECTS_SHOWN else ""
    return (
        f'{intro}<div class="scroll" tabindex="0" role="group" aria-label="Suspect rows"><table><thead><tr>'
        '<th scope="col" class="number">row</th><th scope="col">values</th><th scope="col">breaks</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div>{more}"
    )


def _suspect_html(model: Model, fields: Fields, place: int, cells: list[str], broken: tuple[int, ...]) -> str:
    """Return the line of one suspect: its place, the cells of the broken rules, and links to these rules."""
    columns = list(dict.fromkeys(c for k in broken for c in fields.columns[k] if c < len(cells)))
    pairs = "".join(
        f"<li>{_data(fields.names[c], 40)} = <b>{_data(cells[c], 40)}</b></li>" for c in columns[:SUSPECT_CELLS]
    )
    if len(columns) > SUSPECT_CELLS:
        pairs += f"<li>and {len(columns) - SUSPECT_CELLS:,} more columns</li>"
    links = "".join(
        f'<li><a href="#rule-{html(model.sentences[k].id)}">{_data(_without_noise(model.sentences[k]), 200)}</a></li>'
        for k in broken[:MOST_RULES]
    )
    if len(broken) > MOST_RULES:
        links += f"<li>and {len(broken) - MOST_RULES:,} more rules</li>"
    if not broken:
        links = "<li>the structure that all other rows have</li>"
    return (
        f'<tr><td class="number">{place + 1:,}</td><td><ul class="cells">{pairs}</ul></td>'
        f'<td><ul class="plain">{links}</ul></td></tr>'
    )


def _data(text: str, most: int) -> str:
    """Return text from data as HTML of at most `most` characters, with its own direction of writing."""
    return f"<bdi>{html(name_text(text, most))}</bdi>"


def _without_noise(sentence: Sentence) -> str:
    """Return the text of a sentence without the remark on how often it is broken."""
    noisy = sentence.evidence is not None and sentence.evidence.violations
    return sentence.text.rsplit(" (noisy: ", 1)[0] if noisy else sentence.text
