"""DecideSettings: the names that can be chosen are those of the tables, and other values are refused."""

from __future__ import annotations

from time import monotonic
from typing import Any, get_args

import numpy as np
import pytest

import unwritten
from unwritten.errors import DataError
from unwritten.solving import BackendName, DecideSettings, EngineName, ProofEffort
from unwritten.solving.backends import TABLE as BACKENDS
from unwritten.solving.backends import Limits, installed
from unwritten.solving.engines import ON_BACKEND
from unwritten.solving.engines import TABLE as ENGINES


def test_names_and_tables_agree() -> None:
    """Every engine and back end can be chosen by its name, in the order of its table, and nothing else can."""
    assert get_args(EngineName) == ("auto", *ENGINES)
    assert get_args(BackendName) == ("auto", *BACKENDS)
    assert set(ON_BACKEND) <= set(ENGINES)


def test_every_name_is_accepted() -> None:
    """DecideSettings take every engine, every installed back end and every proof effort."""
    for engine in get_args(EngineName):
        assert DecideSettings(engine=engine).engine == engine
    for backend in ("auto", *installed()):
        assert DecideSettings(backend=backend).backend == backend  # type: ignore[arg-type]
    for proof in get_args(ProofEffort):
        assert DecideSettings(proof=proof).proof == proof


@pytest.mark.parametrize("name", ["", "warp", "Lazy", None, 3, ["lazy"]], ids=repr)
@pytest.mark.parametrize("field", ["engine", "backend", "proof"])
def test_other_names_are_refused(field: str, name: Any) -> None:
    """The error repeats the wrong name and says which names there are."""
    with pytest.raises(DataError, match=rf"{field} .*: use 'auto'"):
        DecideSettings(**{field: name})


def test_every_engine_is_explained() -> None:
    """The docstring of the settings has a line for every engine and names every back end."""
    text = DecideSettings.__doc__ or ""
    assert all(f'- "{engine}" ' in text for engine in get_args(EngineName))
    assert all(f'"{backend}"' in text for backend in get_args(BackendName))


def test_an_answer_may_be_rough_only_with_a_limit() -> None:
    """Without a gap or a time limit, no solver may stop before it has the best label."""
    assert not DecideSettings().may_stop_early
    assert DecideSettings(mip_gap=0.1).may_stop_early
    assert DecideSettings(time_limit=1.0).may_stop_early


def test_queries_share_what_is_left_of_the_time() -> None:
    """Each query gets its time limit while there is time, less than that near the end, and nothing after it."""
    now = monotonic()
    assert Limits().shared(3).time_limit is None
    assert Limits(time_limit=2.0, end=now + 100).shared(10).time_limit == 2.0
    near, late = Limits(time_limit=2.0, end=now + 10), Limits(time_limit=2.0, end=now - 1)
    assert 0 < (near.shared(10).time_limit or 0) <= 1.0
    assert (late.shared(1).time_limit, late.over, near.over) == (0.0, True, False)


def test_a_list_of_all_labels_keeps_the_time_limit() -> None:
    """Engine explicit gives up its list when its time is over, and says so; the next query may have more time."""
    model = unwritten.mine(np.zeros((2, 14), int), rules=[], bounds=(0, 1)).with_rules([([1] * 14, "<=", 9)])
    hasty = model.decide(np.ones((1, 14)), engine="explicit", time_limit=1e-9)
    assert (hasty.engine[0], str(hasty.status[0])) == ("inner", "feasible")
    assert "no time to list all labels" in hasty.notes[0]
    assert model.decide(np.ones((1, 14)), engine="explicit").values.tolist() == [9.0]
