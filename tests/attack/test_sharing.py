"""One model with many users: threads, forked processes, and processes that receive it by pickle."""

from __future__ import annotations

import multiprocessing
import pickle
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np
import pytest

import unwritten
from attack.readers.samples import table_model
from unwritten.samples import trees
from unwritten.solving.backends import installed

WEIGHTS, LABELS = trees.sample(5, 150, seed=0)
QUERIES = trees.sample(5, 12, seed=1)[0]
HANG = 300  # seconds after which a process counts as hung
ENGINES = ["auto", "best-first", "lazy", "monolithic", "inner"]


@cache
def model_bytes(kind: str) -> bytes:
    """Mine a model of a kind, and pickle it before it is used."""
    if kind == "cuts":
        model = unwritten.mine(LABELS, WEIGHTS)
    elif kind == "matroid":
        model = unwritten.mine(LABELS)
    elif kind == "lift":
        model = unwritten.mine(LABELS[:60, :5], rules=["equalities"], lifts=["pairs"])
    else:
        model = table_model()
    return pickle.dumps(model)


def new_model(kind: str) -> unwritten.Model:
    """Return a new model of a kind."""
    return pickle.loads(model_bytes(kind))  # noqa: S301 our own bytes


def answers(model: unwritten.Model, engine: str) -> Any:
    """Return what a model answers to every kind of question, as plain values that can be compared."""
    d = len(model.variables)
    queries = np.resize(QUERIES, (6, d))
    plain = engine if not (engine == "monolithic" and model.matroid is not None) else "lazy"
    plain = "lazy" if plain == "best-first" and model.lifts else plain
    decided = model.decide(queries, engine=plain)
    return (
        decided.labels.tolist(),
        decided.values.tolist(),
        [str(status) for status in decided.status],
        list(decided.proof),
        model.predict(queries[:2], engine=plain).tolist(),
        model.check(model.seen).feasible.tolist(),
        [sentence.text for sentence in model.sentences],
        model.summary(),
        model.evidence.summary() if hasattr(model.evidence, "summary") else "",
    )


@pytest.mark.parametrize("kind", ["cuts", "matroid", "lift", "table"])
def test_eight_threads_on_one_model(kind: str) -> None:
    """Eight threads that ask a new model at once get the same answers as a single thread."""
    engines = ["auto", "inner"] if kind == "table" else ENGINES
    alone = {engine: answers(new_model(kind), engine) for engine in engines}
    shared = new_model(kind)
    engine_of_call = [engines[k % len(engines)] for k in range(16)]
    with ThreadPoolExecutor(8) as pool:
        answered = list(pool.map(lambda engine: answers(shared, engine), engine_of_call))
    for engine, each in zip(engine_of_call, answered, strict=True):
        assert each == alone[engine], engine


def _in_child(model: unwritten.Model, engine: str, pipe: Any) -> None:
    pipe.send(answers(model, engine))
    pipe.close()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can fork a process with threads")
@pytest.mark.parametrize("engine", ENGINES)
def test_a_fork_after_use(engine: str) -> None:
    """A forked child that inherits open solvers gets the same answers, and so does the parent afterwards."""
    model = new_model("cuts")
    before = answers(model, engine)
    for backend in installed():
        model.decide(QUERIES[:1], engine="lazy", backend=backend)
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    child = context.Process(target=_in_child, args=(model, engine, theirs))
    child.start()
    theirs.close()
    try:
        assert ours.poll(HANG), "the child hangs"
        assert ours.recv() == before
        child.join(HANG)
        assert child.exitcode == 0
    finally:
        child.kill()
        child.join()
    assert answers(model, engine) == before


def _asked(part: tuple[unwritten.Model, str]) -> Any:
    return answers(*part)


def test_a_pickle_for_a_fresh_process() -> None:
    """A model that was used can be pickled for a new process; its open solvers stay behind."""
    models = [new_model(kind) for kind in ("cuts", "lift")]
    before = [answers(model, "auto") for model in models]
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert list(pool.map(_asked, [(model, "auto") for model in models])) == before
    for model in models:
        assert pickle.loads(pickle.dumps(model)) == model  # noqa: S301 our own bytes
