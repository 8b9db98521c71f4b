"""A model in a few lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unwritten.counted import counted
from unwritten.rules import DEFINITION, GIVEN, MINED
from unwritten.tables.frame_table import FRAME_TITLE

if TYPE_CHECKING:
    from unwritten.model.model import Model


def summary_lines(model: Model, *, short: bool = False) -> list[str]:
    """The examples, rules and cuts of a model, one fact per line; `short` leaves out details and the notes."""
    lines = [_source(model), _rules(model)]
    if len(model.doubtful) and not short:
        many = counted(len(model.doubtful), "more rule")
        lines.append(f"{many} may be {'an accident' if len(model.doubtful) == 1 else 'accidents'} (model.doubtful)")
    if model.matroid is not None:
        lines.append(model.matroid.text)
    if len(model.habits):
        use = "" if short else ", which optimality can explain: nothing uses them unless model.with_habits() is asked"
        lines.append(f"{counted(len(model.habit_sentences), 'habit')}{use}")
    if model.noisy:
        suspects = counted(len(model.suspects), "example")
        lines.append(
            f"{suspects} break a rule (model.suspects): nothing is proven by this model"
            if model.rules_broken
            else f"{suspects} contradict others (model.suspects): a proof needs two examples for each step"
        )
    if len(model.cuts):
        lines.append(f"{counted(len(model.cuts), 'cut')} ({'exact' if model.cuts.exact else 'with slack'})")
    elif not short and model.schema is None:
        lines.append("no cuts")
    if model.forecast is not None and not short:
        chosen = "the best seen label" if model.forecast.prefers_seen else "the rules"
        lines.append(f"{model.forecast}: engine='auto' answers by {chosen}")
    return lines if short else [*lines, *model.notes]


def _source(model: Model) -> str:
    if model.schema is None:
        what, variables = "example", counted(len(model.variables), "variable")
    else:
        what, variables = "row", counted(len(model.schema.used), "column")
    distinct = f"{len(model.seen):,} distinct"
    source = model.about.get("source", FRAME_TITLE)
    of_source = "" if source == FRAME_TITLE else f" of {source}"
    return f"{counted(model.examples, what)}{of_source} ({distinct}) with {variables}"


def _rules(model: Model) -> str:
    """How many rules were mined and given; the rules of a table are counted as sentences."""
    given, latents = len(model.rules.by_origin(GIVEN)), len(model.extended) - len(model.variables)
    mined = model.rules.by_origin(MINED)
    gaps = sum(origin == MINED for origin in model.gaps.origins)
    given += sum(origin == GIVEN for origin in model.gaps.origins) + sum(fact.origin == GIVEN for fact in model.facts)
    if model.schema is None:
        text = f"{counted(len(mined) + gaps, 'rule')} mined (rank {mined.rank})"
    else:
        text = f"{counted(len([s for s in model.sentences if s.origin == MINED]), 'rule')} mined"
    if gaps:
        text += f", {gaps} of them not linear (model.gaps)"
    facts = sum(bool(s.facts) and not s.rules and s.origin == MINED for s in model.sentences) if model.facts else 0
    if facts:
        text += f", {facts} of them about whole columns (model.facts)"
    if given:
        text += f", {given} given"
    if latents:
        defining = len(model.rules.by_origin(DEFINITION))
        text += f"; {counted(latents, 'latent variable')}, which {counted(defining, 'row')} define"
    return text
