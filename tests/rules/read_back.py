"""Do the sentences of many models read back to their rules? `python tests/rules/read_back.py [--full]`.

Models of all families of problems in both encodings, of rosters, sample tables, and random records and tables with
noise, values and lifts; with --full, more of each, and the models of `python -m benchmarks.fingerprint --quick`.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))  # the helpers of tests

import numpy as np

import unwritten
from benchmarks.fingerprint import CASES, QUICK, family
from experiments.families.catalogue import NAMES, problem_named
from laws.records import draw
from laws.table_parts import tabled
from unwritten import Model
from unwritten.errors import DataError, UnwrittenError
from unwritten.rules import GIVEN, Sentence
from unwritten.rules.language.gap_sentences import gap_digest
from unwritten.rules.language.identity import digest, named_rows
from unwritten.rules.words import without_remark
from unwritten.samples import sample_rows, trees
from unwritten.shown import shown

AWKWARD_AXES = {
    "nurse": ["Ann", "Bo Li", "to", "7"],
    "day": ["mon", "tue", "wed"],
    "shift": ["early", "next day", "off"],
}
FEW = ("job_shop", "facility_location", "precedence", "set_covering")
"""Families of problems that are mined in a moment."""
Make = Callable[[], Model]


def unread(model: Model) -> Iterator[tuple[Sentence, str]]:
    """Yield the sentences of a model that do not read back to the same rules, and what happens instead."""
    for sentence in said(model):
        try:
            read = model.with_rules([sentence.text])
        except DataError as error:
            yield sentence, str(error)
        else:
            words = without_remark(sentence.text)  # a sum may be stated as a fact and in doubt as a row: one sentence
            if not any(_added(model, read, other) for other in said(model) if without_remark(other.text) == words):
                yield sentence, "it reads as something else"


def said(model: Model) -> list[Sentence]:
    """Every sentence of a model, of whatever standing, once."""
    parts = (model.sentences, model.rule_sentences, model.habit_sentences, model.doubtful_sentences)
    return list(dict.fromkeys(sentence for part in parts for sentence in part))


def _added(model: Model, new: Model, sentence: Sentence) -> bool:
    """True if the new model is the old one with the rules that the sentence stands for."""
    rows, gaps = new.rules[len(model.rules) :], list(new.gaps)[len(model.gaps) :]
    facts = {fact.digest for fact in new.facts if fact.origin == GIVEN}
    columns = () if model.schema is None else model.schema.used
    blocks = {name: column.names for column in columns if column.one_hot for name in column.names}
    if sentence.gaps:
        return not len(rows) and list(map(gap_digest, gaps)) == [gap_digest(model.gaps[k]) for k in sentence.gaps]
    if len(rows):
        return not gaps and digest(named_rows(rows), blocks).startswith(sentence.id)
    known = {fact.digest for fact in model.facts if fact.origin == GIVEN}
    return facts == known | {model.facts[k].digest for k in sentence.facts}


def models(full: bool) -> Iterator[tuple[str, Make]]:
    """Models by name, to be mined one after the other."""
    yield from ((f"roster {k}", lambda k=k: roster(k)) for k in range(2))  # type: ignore[misc]
    yield "trees", lambda: unwritten.mine(trees.sample(5, 60, 1)[1], names=trees.names(5))
    for name, noise in product(("orders", "shifts", "sensors"), (0, 0.02) if full else (0,)):
        rows = sample_rows(name, rows=None if full else 150)  # type: ignore[arg-type]
        yield f"{name}, noise {noise}", lambda rows=rows, noise=noise: unwritten.mine(rows, noise=noise)  # type: ignore[misc]
    for k in range(150 if full else 24):
        yield f"table {k}", lambda k=k: random_table(k)  # type: ignore[misc]
    for k in range(150 if full else 24):
        yield f"record {k}", lambda k=k: random_record(k)  # type: ignore[misc]
    for name, n in product(NAMES if full else FEW, (40, 300) if full else (40,)):
        for encoding in problem_named(name, 1).encodings:
            yield f"{name}, {encoding}, {n}", lambda name=name, encoding=encoding, n=n: family(name, encoding, n)  # type: ignore[misc]
    if full:
        yield from ((name, CASES[name]) for name in QUICK)


def roster(kind: int) -> Model:
    """Rosters whose axes have awkward values: one shift a day; of kind 1, with hours beside it."""
    rng = np.random.default_rng(kind)
    shifts = rng.integers(0, 3, (150, 4, 3))
    shifts[:, 0] = 2  # the first nurse is always off
    labels = (shifts[..., None] == np.arange(3)).reshape(150, -1).astype(np.int64)
    if not kind:
        return unwritten.mine(labels, axes=AWKWARD_AXES)
    hours = np.where(shifts == 2, 0, 8).reshape(150, -1)
    grids = {"works": AWKWARD_AXES, "hours": {axis: AWKWARD_AXES[axis] for axis in ("nurse", "day")}}
    return unwritten.mine(np.column_stack([labels, hours]), axes=grids)


def random_table(k: int) -> Model:
    """A table of columns with facts of many kinds, and a few odd rows; every third is mined with noise."""
    rng = np.random.default_rng((8, k))
    return unwritten.mine(tabled(rng, int(rng.integers(40, 200))), noise=0.05 if k % 3 == 2 else 0)


def random_record(k: int) -> Model:
    """A random record of any form, mined as it says."""
    record = draw(8, k)
    return unwritten.mine(record.data, record.weights, **record.options)


def main(arguments: list[str]) -> int:
    """Print what does not read back, and counts; exit code 1 if there is anything."""
    counts: Counter[str] = Counter()
    for name, make in models("--full" in arguments):
        try:
            model = make()
        except UnwrittenError as error:
            print(f"{name}: not mined: {error}")
            continue
        failed = list(unread(model))
        counts += Counter(models=1, sentences=len(said(model)), failed=len(failed))
        for sentence, why in failed:
            print(f"{name}: {shown(sentence.text)}\n    {shown(why)}", flush=True)
    print(f"{counts['models']} models, {counts['sentences']} sentences: {counts['failed']} do not read back")
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
