"""Evidence: what a model's examples say of the next one, as sentences for a reader who was not there."""

from __future__ import annotations

from unwritten.model import Model
from unwritten.report.text import count_text
from unwritten.rules import MINED, Sentence

UNSURE = 0.5  # a confidence below this says nothing by itself
NARROW = "\u00a0"  # a space that no line ends at
MOST_SURE = 0.9999  # no more is ever said of a rule


def evidence_lines(model: Model) -> list[str]:
    """The summary of the model's evidence, one sentence each."""
    if not len(model.seen):
        return ["No examples are kept in this model, so it cannot say how sure it is."]
    noun = "example" if model.schema is None else "row"
    lines = [_unseen(model, noun), *_rules(model), *_equalities(model, noun)]
    if model.schema is None:
        found = model.evidence
        lines.append(
            f"The best example seen so far answers {percent(found.inner_accuracy)} of fresh queries, and would answer "
            f"{percent(found.inner_accuracy_after(found.examples))} after as many examples again."
        )
    if model.matroid is not None:
        lines.append(model.matroid.text[:1].upper() + model.matroid.text[1:].rstrip(".") + ".")
    if model.noisy:
        lines.append(f"Some {noun}s break what was mined, so nothing that rests on this model is called proven.")
    return lines


def _unseen(model: Model, noun: str) -> str:
    found, once = model.evidence, int((model.counts == 1).sum())
    bound = found.unseen_bound()
    most = f", at most {percent(bound)} (95\u00a0% confidence)" if bound < 1 else ""
    return (
        f"The next {noun} is one never seen before with probability {percent(found.unseen)}{most}: of "
        f"{len(model.counts):,} distinct {noun}s {once:,} "
        f"{'was' if once == 1 else 'were'} seen once."
    )


def together(sentence: Sentence) -> bool:
    """Whether a sentence is only as sure as the equalities that it is one of."""
    evidence = sentence.evidence
    return sentence.origin == MINED and evidence is not None and evidence.own_confidence < UNSURE <= evidence.confidence


def _rules(model: Model) -> list[str]:
    """How sure the rules are, those apart that are only believed together."""
    mined = [s for s in model.sentences if s.origin == MINED and s.confidence is not None]
    rest = sum(together(s) for s in mined)
    alone = [s.evidence.own_confidence for s in mined if s.evidence is not None and s.evidence.own_confidence >= UNSURE]
    doubtful = len(mined) - rest - len(alone)
    lines = []
    if alone:
        each = "The rule mined is" if len(alone) == 1 else f"Each of {len(alone):,} mined rules is"
        lines.append(f"{each} no accident with at least {percent(min(MOST_SURE, *alone))} confidence.")
    if rest:
        verb, those = ("is", "one") if rest == 1 else ("are", "some")
        lines.append(
            f"{rest:,} {'more ' if alone else ''}{verb} too seldom tested to be sure alone, but {verb} {those} "
            "of the equalities that hold together."
        )
    if doubtful:
        lines.append(f"{count_text(doubtful, 'mined rule')} could well be accidents: these examples cannot tell.")
    return lines


def _equalities(model: Model, noun: str) -> list[str]:
    if not len(model.rules.by_origin(MINED).equalities):
        return []
    found = model.evidence
    bound = found.breaks_bound()
    if bound >= 1:
        return [f"The examples are too few to say how often a new {noun} breaks some equality that all of them obey."]
    return [
        f"The next {noun} breaks a mined equality with probability {percent(found.breaks)}, at most {percent(bound)} "
        "(95\u00a0% confidence)."
    ]


def percent(share: float) -> str:
    """A share in percent, with more digits near its ends."""
    if share in (0, 1):
        return f"{100 * share:.0f}{NARROW}%"
    if share < 0.001:
        return f"{100 * share:.2g}{NARROW}%"
    return f"{100 * min(share, 0.9999):.2f}{NARROW}%" if share > 0.999 else f"{100 * share:.1f}{NARROW}%"
