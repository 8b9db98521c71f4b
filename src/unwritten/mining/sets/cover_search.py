"""The compiled search for covers. Importing it loads numba, so import it only where it is used."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from unwritten.data import IntArray

MOST_COVERS = 2_000  # number of covers after which the search ends


class CoverState(NamedTuple):
    """A set of columns on its way to becoming a cover of n labels over d columns."""

    starts: Any  # label i has columns[starts[i] : starts[i + 1]]
    columns: Any
    heads: Any  # column j is in labels[heads[j] : heads[j + 1]]
    labels: Any
    member: Any  # (d,)
    since: Any  # (d,) the step at which a column was last added or dropped
    gain: Any  # (d,) weight of the unhit labels that have this column
    loss: Any  # (d,) weight of the labels that only this member hits
    hit: Any  # (n,) number of members that hit a label
    only: Any  # (n,) sum of the numbers of these members; if one member hits the label, its number
    weight: Any  # (n,)
    unhit: Any  # (n,) the labels not hit come first
    place: Any  # (n,) position of a label in `unhit`
    tally: Any  # (number of labels not hit, number of members, work done)

    @classmethod
    def over(cls, seen: IntArray) -> CoverState:
        """The state of an empty set over the seen labels."""
        n, d = seen.shape
        columns, labels = np.nonzero(seen)[1], np.nonzero(seen.T)[1]
        starts, heads = (np.concatenate([[0], np.cumsum(seen.sum(axis=axis))]) for axis in (1, 0))
        since, gain, loss = np.zeros((3, d), np.int64)
        hit, only, weight, unhit, place = np.zeros((5, n), np.int64)
        member, tally = np.zeros(d, np.bool_), np.zeros(3, np.int64)
        return cls(starts, columns, heads, labels, member, since, gain, loss, hit, only, weight, unhit, place, tally)


@njit(cache=True, nogil=True)
def _reset(s: Any) -> None:
    s.member[:] = False
    s.since[:] = 0
    s.loss[:] = 0
    s.hit[:] = 0
    s.only[:] = 0
    s.weight[:] = 1
    s.tally[0], s.tally[1] = len(s.hit), 0
    for j in range(len(s.gain)):
        s.gain[j] = s.heads[j + 1] - s.heads[j]
    for i in range(len(s.hit)):
        s.unhit[i] = s.place[i] = i


@njit(cache=True, nogil=True)
def _add(s: Any, j: int) -> None:
    s.member[j] = True
    s.tally[1] += 1
    for at in range(s.heads[j], s.heads[j + 1]):
        i = s.labels[at]
        if s.hit[i] == 0:
            s.tally[0] -= 1
            last = s.unhit[s.tally[0]]
            s.unhit[s.place[i]] = last
            s.place[last] = s.place[i]
            for q in range(s.starts[i], s.starts[i + 1]):
                s.gain[s.columns[q]] -= s.weight[i]
            s.tally[2] += s.starts[i + 1] - s.starts[i]
            s.loss[j] += s.weight[i]
        elif s.hit[i] == 1:
            s.loss[s.only[i]] -= s.weight[i]
        s.hit[i] += 1
        s.only[i] += j
    s.tally[2] += s.heads[j + 1] - s.heads[j]


@njit(cache=True, nogil=True)
def _drop(s: Any, j: int) -> None:
    s.member[j] = False
    s.tally[1] -= 1
    s.loss[j] = 0
    for at in range(s.heads[j], s.heads[j + 1]):
        i = s.labels[at]
        s.hit[i] -= 1
        s.only[i] -= j
        if s.hit[i] == 0:
            s.unhit[s.tally[0]] = i
            s.place[i] = s.tally[0]
            s.tally[0] += 1
            for q in range(s.starts[i], s.starts[i + 1]):
                s.gain[s.columns[q]] += s.weight[i]
            s.tally[2] += s.starts[i + 1] - s.starts[i]
        elif s.hit[i] == 1:
            s.loss[s.only[i]] += s.weight[i]
    s.tally[2] += s.heads[j + 1] - s.heads[j]


@njit(cache=True, nogil=True)
def _least_missed(s: Any, one: int, other: int, newest: int) -> int:
    """The member to drop: the one that loses least, the oldest of equals; never the pair or the newest; −1 if none."""
    worst = -1
    for j in range(len(s.member)):
        if (
            s.member[j]
            and j not in (one, other, newest)
            and (worst < 0 or s.loss[j] < s.loss[worst] or (s.loss[j] == s.loss[worst] and s.since[j] < s.since[worst]))
        ):
            worst = j
    s.tally[2] += len(s.member)
    return worst


@njit(cache=True, nogil=True)
def _search(s: Any, one: int, other: int, largest: int, steps: int, work: int, state: Any, best: Any) -> bool:
    """Search from a pair; True if `best` now holds the smallest cover met, with at most `largest` columns."""
    _reset(s)
    _add(s, one)
    _add(s, other)
    while s.tally[0] > 0:
        _add(s, int(np.argmax(s.gain)))
    while True:
        worst = _least_missed(s, one, other, -1)
        if worst < 0 or (s.tally[1] <= largest and s.loss[worst] > 0):
            break
        _drop(s, worst)
    if s.tally[1] > largest:
        return False
    have, quiet, clock, newest = False, 0, 0, -1
    while quiet < steps and s.tally[2] < work:
        clock += 1
        worst = _least_missed(s, one, other, newest)
        if s.tally[0] == 0:
            if worst < 0 or s.loss[worst] > 0:
                best[:] = s.member
                have, quiet = True, 0
            if worst < 0:
                break
            _drop(s, worst)
            s.since[worst] = clock
            continue
        quiet += 1
        if worst < 0:
            break
        _drop(s, worst)
        s.since[worst] = clock
        state[0] ^= state[0] << np.uint64(13)
        state[0] ^= state[0] >> np.uint64(7)
        state[0] ^= state[0] << np.uint64(17)
        i = s.unhit[np.int64(state[0] >> np.uint64(33)) % s.tally[0]]
        newest = -1
        for q in range(s.starts[i], s.starts[i + 1]):
            j = s.columns[q]
            if j != worst and (
                newest < 0
                or s.gain[j] > s.gain[newest]
                or (s.gain[j] == s.gain[newest] and s.since[j] < s.since[newest])
            ):
                newest = j
        if newest < 0:
            newest = worst
        _add(s, newest)
        s.since[newest] = clock
        for at in range(s.tally[0]):
            i = s.unhit[at]
            s.weight[i] += 1
            for q in range(s.starts[i], s.starts[i + 1]):
                s.gain[s.columns[q]] += 1
            s.tally[2] += s.starts[i + 1] - s.starts[i]
    return have


@njit(cache=True, nogil=True)
def find_covers(s: Any, pairs: Any, largest: int, steps: int, patience: int, work: int, seed: int) -> Any:
    """Minimal covers of at most `largest` columns: a search from each pair that no cover found so far contains.

    A search swaps one member at a time and lets the weight of labels that stay unhit grow (row weighting, the local
    search that does best on set covering). The searches end after `patience` of them in a row without a new cover, or
    after `work` elementary steps.
    """
    d = len(s.member)
    covers = np.zeros((MOST_COVERS, d), np.bool_)
    best = np.zeros(d, np.bool_)
    state = np.array([2 * seed + 1], np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    count, failures = 0, 0
    for p in range(len(pairs)):
        if failures >= patience or s.tally[2] >= work or count == MOST_COVERS:
            break
        one, other = pairs[p, 0], pairs[p, 1]
        known = False
        for c in range(count):
            known = known or (covers[c, one] and covers[c, other])
        if known:
            continue
        failures += 1
        if not _search(s, one, other, largest, steps, work, state, best):
            continue
        _reset(s)
        for j in range(d):
            if best[j]:
                _add(s, j)
        for j in (one, other):
            if s.loss[j] == 0:
                _drop(s, j)
        new = True
        for c in range(count):
            same = True
            for j in range(d):
                same = same and covers[c, j] == s.member[j]
            new = new and not same
        if new:
            covers[count] = s.member
            count += 1
            failures = 0
    return covers[:count]
