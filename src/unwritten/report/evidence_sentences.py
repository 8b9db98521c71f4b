"""Evidence sentences: how sure the model is, in words for a reader who has not seen the data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unwritten.counted import counted
from unwritten.report.fields import noun_of
from unwritten.rules import MINED, Sentence

if TYPE_CHECKING:
    from unwritten.model import Model

LEAST_CONFIDENCE = 0.5  # below it, a rule could well be an accident
MOST_CONFIDENCE = 0.9999  # the page never claims more
NO_BREAK = "\u00a0"  # a space at which no line ends


def evidence_sentences(model: Model) -> list[str]:
    """Return the evidence of the whole model, one sentence per entry."""
    if not len(model.seen):
        return ["This model holds no examples, so it cannot say how sure it is."]
    noun = noun_of(model)
    lines = [_unseen(model, noun), *_mined_rules(model), *_equalities(model, noun)]
    if model.schema is None:
        evidence = model.evidence
        lines.append(
            f"The best example seen so far is the right answer to {percent(evidence.inner_accuracy)} of new queries. "
            f"After as many examples again it would be {percent(evidence.inner_accuracy_after(evidence.examples))}."
        )
    if model.forecast is not None:
        chosen = "that label" if model.forecast.prefers_seen else "the rules"
        text = model.forecast.summary()
        lines.append(f"{text[:1].upper()}{text[1:]}: queries are answered by {chosen}.")
    if model.matroid is not None:
        lines.append(model.matroid.text[:1].upper() + model.matroid.text[1:].rstrip(".") + ".")
    if model.rules_broken:
        lines.append(f"Some {noun}s break a mined rule, so no answer of this model is called proven.")
    return lines


def _unseen(model: Model, noun: str) -> str:
    once = int((model.counts == 1).sum())
    bound = model.evidence.unseen_bound()
    at_most = f" (at most {percent(bound)} with 95{NO_BREAK}% confidence)" if bound < 1 else ""
    were = "was" if once == 1 else "were"
    return (
        f"The next {noun} is a new one with probability {percent(model.evidence.unseen)}{at_most}: {once:,} of the "
        f"{len(model.counts):,} distinct {noun}s {were} seen only once."
    )


def is_sure_only_with_others(sentence: Sentence) -> bool:
    """Return True if a rule could be an accident by itself, but is kept as one of the equalities that hold together."""
    evidence = sentence.evidence
    if sentence.origin != MINED or evidence is None:
        return False
    return evidence.own_confidence < LEAST_CONFIDENCE <= evidence.confidence


def _mined_rules(model: Model) -> list[str]:
    """Return how sure the mined rules are; rules that are only sure together are counted apart."""
    mined = [s for s in model.sentences if s.origin == MINED and s.confidence is not None]
    together = sum(is_sure_only_with_others(s) for s in mined)
    alone = [
        s.evidence.own_confidence
        for s in mined
        if s.evidence is not None and s.evidence.own_confidence >= LEAST_CONFIDENCE
    ]
    doubtful = len(mined) - together - len(alone)
    lines = []
    if alone:
        subject = "The mined rule is" if len(alone) == 1 else f"Each of {len(alone):,} mined rules is"
        lines.append(f"{subject} not an accident, with at least {percent(min(MOST_CONFIDENCE, *alone))} confidence.")
    if together:
        is_, one = ("is", "one") if together == 1 else ("are", "some")
        lines.append(
            f"{counted(together, 'more rule' if alone else 'mined rule')} {is_} tested by too few examples to be "
            f"sure alone, but {is_} {one} of the equalities that hold together."
        )
    if doubtful:
        accidents = "an accident" if doubtful == 1 else "accidents"
        lines.append(f"{counted(doubtful, 'mined rule')} could well be {accidents}: the examples are too few to tell.")
    return lines


def _equalities(model: Model, noun: str) -> list[str]:
    """Return how often a new example breaks one of the mined equalities."""
    if not len(model.rules.by_origin(MINED).equalities):
        return []
    bound = model.evidence.breaks_bound()
    if bound >= 1:
        return [f"The examples are too few to say how often a new {noun} breaks a mined equality."]
    return [
        f"The next {noun} breaks a mined equality with probability {percent(model.evidence.breaks)} (at most "
        f"{percent(bound)} with 95{NO_BREAK}% confidence)."
    ]


def percent(share: float) -> str:
    """Return a share in percent, with more digits near 0 and 1."""
    if share in (0, 1):
        return f"{100 * share:.0f}{NO_BREAK}%"
    if share < 0.001:
        return f"{100 * share:.2g}{NO_BREAK}%"
    return f"{100 * min(share, MOST_CONFIDENCE):.{2 if share > 0.999 else 1}f}{NO_BREAK}%"
