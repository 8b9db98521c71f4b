"""Suspects: the examples that break a rule, and which."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unwritten.data import IntArray, labels_from
from unwritten.errors import DataError
from unwritten.model import Model
from unwritten.report.fields import Fields, examples_of
from unwritten.report.text import count_text, html, name_text
from unwritten.rules import Sentence
from unwritten.tables import Table

MOST_SHOWN = 100
MOST_RULES = 8  # listed for one row
MOST_CELLS = 12
PER_RULE = 4


@dataclass(frozen=True, eq=False)
class Suspects:
    """Suspect rows at `places`; the first of them as labels, if examples were given, with the sentences each breaks."""

    places: IntArray
    labels: IntArray
    breaks: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, model: Model, examples: object) -> Suspects:
        """The model's suspects, found again in the examples it was mined from (None: their places only)."""
        places = model.suspects
        if examples is None or not len(places):
            return cls(places, np.zeros((0, len(model.variables)), np.int64), ())
        labels = _rows(model, examples, places)[:MOST_SHOWN]
        broken = model.check(labels).violations
        rules = [set(s.rules) for s in model.sentences]
        breaks = (
            tuple(k for k, places in enumerate(rules) if not places.isdisjoint(hits))
            for hits in (np.flatnonzero(row).tolist() for row in broken)
        )
        return cls(places, labels, tuple(breaks))

    def of_rules(self) -> dict[int, list[int]]:
        """For each broken sentence a few suspects that break it."""
        found: dict[int, list[int]] = {}
        for i, broken in enumerate(self.breaks):
            for k in broken:
                if len(found.setdefault(k, [])) < PER_RULE:
                    found[k].append(i)
        return found


def _rows(model: Model, examples: object, places: IntArray) -> IntArray:
    """The labels at these places."""
    if not isinstance(examples, Table):
        labels, _ = labels_from(examples, order=model.variables.names)
        if places.max() >= len(labels) or labels.shape[1] != len(model.variables):
            raise DataError("these are not the examples that the model was mined from: give those, in the same order")
        return labels[places]
    if examples.schema != model.schema or examples.rows <= places.max():
        raise DataError("this is not the table that the model was mined from: give that one")
    parts, start = [], 0
    for block in examples.blocks():
        if start > places.max():
            break
        inside = places[(places >= start) & (places < start + len(block.labels))] - start
        parts.append(block.labels[inside])
        start += len(block.labels)
    return np.concatenate(parts)


def suspects_html(model: Model, fields: Fields, suspects: Suspects) -> str:
    """The section: a row of a table per suspect, or only their places."""
    n = len(suspects.places)
    intro = (
        f"<p>{count_text(n, 'example')} of {examples_of(model):,} "
        f"{'breaks' if n == 1 else 'break'} a rule that nearly all others obey. Places count from 1, without a header."
        "</p>"
    )
    if not len(suspects.labels):
        some = ", ".join(f"{place + 1:,}" for place in suspects.places[:200].tolist())
        more = f" and {n - 200:,} more" if n > 200 else ""
        return f'{intro}<p class="places">At {some}{more}.</p>'
    rows = "".join(
        _row(model, fields, int(place), cells, broken)
        for place, cells, broken in zip(suspects.places, fields.values(suspects.labels), suspects.breaks, strict=False)
    )
    more = f'<p class="hint">{n - MOST_SHOWN:,} more are not shown.</p>' if n > MOST_SHOWN else ""
    return (
        f'{intro}<div class="scroll" tabindex="0" role="group" aria-label="Suspect rows"><table><thead><tr>'
        '<th scope="col" class="number">row</th><th scope="col">values</th><th scope="col">breaks</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div>{more}"
    )


def _row(model: Model, fields: Fields, place: int, cells: list[str], broken: tuple[int, ...]) -> str:
    columns = list(dict.fromkeys(c for k in broken for c in fields.columns[k] if c < len(cells)))
    pairs = "".join(
        f"<li>{_data(fields.names[c], 40)} = <b>{_data(cells[c], 40)}</b></li>" for c in columns[:MOST_CELLS]
    )
    if len(columns) > MOST_CELLS:
        pairs += f"<li>and {len(columns) - MOST_CELLS:,} more columns</li>"
    links = "".join(
        f'<li><a href="#rule-{html(model.sentences[k].id)}">{_data(_plain(model.sentences[k]), 200)}</a></li>'
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
    return f"<bdi>{html(name_text(text, most))}</bdi>"


def _plain(sentence: Sentence) -> str:
    """The text without how often it is broken."""
    noisy = sentence.evidence is not None and sentence.evidence.violations
    return sentence.text.rsplit(" (noisy: ", 1)[0] if noisy else sentence.text
