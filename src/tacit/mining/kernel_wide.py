"""The kernel of wide labels, beyond the groups, constants and copies that are stated already."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import numpy as np

from tacit import linalg
from tacit.data import IntArray
from tacit.errors import RangeError
from tacit.mining.equalities import equalities, modulo_blocks
from tacit.mining.hull import break_bound
from tacit.mining.tally import Tally
from tacit.rules import RuleSet

MOST_REDUCED = 250  # rows that are made short
WIDEST = 6_000  # columns whose rank is computed, which takes up to half a minute


def left_over(tally: Tally, stated: RuleSet) -> int:
    """How many equalities hold on all examples beyond those that are stated (which may repeat each other)."""
    return len(tally.gram) - linalg.rank_modulo(tally.gram) - linalg.rank_modulo(stated.rows)


def rest_of_kernel(
    tally: Tally, stated: RuleSet, blocks: Sequence[IntArray], confidence: float | None
) -> tuple[IntArray, str | None]:
    """Short rows for what the stated rules leave of the kernel, or none and a note that says why.

    Most often nothing is left, and a rank modulo a prime proves it. What is left must be settled at the confidence, if
    there is one, and small: more than `MOST_REDUCED` rows would take too long to make readable.
    """
    none = np.zeros((0, len(tally.gram)), np.int64)
    if len(tally.gram) - 1 > WIDEST:
        return none, (
            f"with more than {WIDEST:,} columns, only constants, equal columns and exactly-one groups were sought "
            "among the equalities: mine fewer columns at a time to find others"
        )
    left = left_over(tally, stated)
    if left <= 0:
        return none, None
    hold = f"{left} more equalities hold on all examples but"
    if confidence is not None and break_bound(tally, tally.seen, confidence) > 1 - confidence:
        return none, f"{hold} could be accidents of so few: more examples would tell"
    if left <= MOST_REDUCED:
        with suppress(RangeError):
            return modulo_blocks(equalities(tally.gram, stated.rows), blocks), None
    return none, f"{hold} cannot be made readable in good time, and were left out: mine fewer columns at a time"
