"""Run one function on many arguments: one after another in quick runs, on all processors in full ones."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

from experiments.result import RunContext

Out = TypeVar("Out")


def run_each(
    context: RunContext, what: str, function: Callable[..., Out], arguments: Sequence[tuple[object, ...]]
) -> list[Out]:
    """Return the results in the order of the arguments, whatever the number of processors."""
    done: list[Out] = []

    def note(result: Out) -> None:
        done.append(result)
        context.say(f"{what}: {len(done):,} of {len(arguments):,}")

    if context.quick or not arguments:
        for each in arguments:
            note(function(*each))
        return done
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        for result in pool.map(function, *zip(*arguments, strict=True)):
            note(result)
    return done
