"""The compiled heart of covers, matroids and rank rules. Importing it loads numba, so import it where it is used."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from tacit.data import IntArray

WORD = 64
MOST_COVERS = 2_000  # after which no more are sought


def packed(rows: IntArray) -> Any:
    """For each column the bits of its rows, in words: (r × d) 0/1 becomes d × ⌈r/64⌉ (at least one word)."""
    words = np.zeros((rows.shape[1], max(1, -(-len(rows) // WORD))), np.uint64)
    for r, row in enumerate(rows):
        words[row != 0, r // WORD] |= np.uint64(1 << (r % WORD))
    return words


@njit(cache=True, nogil=True)
def _grows(vector: Any, basis: Any, used: Any) -> bool:
    """Whether a vector over GF(2) is independent of a basis, which then takes it in; `vector` is overwritten."""
    for word in range(len(vector)):
        while vector[word]:
            low = vector[word] & (~vector[word] + np.uint64(1))
            pivot = word * 64
            rest = low
            while rest > np.uint64(1):
                rest >>= np.uint64(1)
                pivot += 1
            if not used[pivot]:
                basis[pivot] = vector
                used[pivot] = True
                return True
            for k in range(word, len(vector)):
                vector[k] ^= basis[pivot, k]
    return False


@njit(cache=True, nogil=True)
def take(codes: Any, order: Any, most: int) -> Any:
    """For each row of column numbers (−1 ends it), take columns in turn while the rank grows, up to `most` of them."""
    bits = codes.shape[1] * 64
    taken = np.zeros((len(order), len(codes)), np.int64)
    basis = np.empty((bits, codes.shape[1]), np.uint64)
    used = np.zeros(bits, np.bool_)
    vector = np.empty(codes.shape[1], np.uint64)
    for i in range(len(order)):
        used[:] = False
        rank = 0
        for j in order[i]:
            if j < 0 or rank == most:
                break
            vector[:] = codes[j]
            if _grows(vector, basis, used):
                taken[i, j] = 1
                rank += 1
    return taken


@njit(cache=True, nogil=True)
def least_rank(codes: Any, starts: Any, columns: Any, enough: int) -> int:
    """The least rank of the columns of any label (label i has columns[starts[i]:starts[i + 1]]), or `enough`.

    It stops at the first label below `enough`, whose rank is returned.
    """
    bits = codes.shape[1] * 64
    basis = np.empty((bits, codes.shape[1]), np.uint64)
    used = np.zeros(bits, np.bool_)
    vector = np.empty(codes.shape[1], np.uint64)
    for i in range(len(starts) - 1):
        used[:] = False
        rank = 0
        for place in range(starts[i], starts[i + 1]):
            vector[:] = codes[columns[place]]
            if _grows(vector, basis, used):
                rank += 1
                if rank == enough:
                    break
        if rank < enough:
            return rank
    return enough


class Search(NamedTuple):
    """A set of columns on its way to becoming a cover of n labels over d columns."""

    starts: Any  # label i has columns[starts[i] : starts[i + 1]]
    columns: Any
    heads: Any  # column j is in labels[heads[j] : heads[j + 1]]
    labels: Any
    member: Any  # (d,)
    since: Any  # (d,) when a column last came or went
    gain: Any  # (d,) weight of the unhit labels that have this column
    loss: Any  # (d,) weight of the labels that only this member hits
    hit: Any  # (n,) by how many members
    only: Any  # (n,) the sum of these members: where it is one member, that one
    weight: Any  # (n,)
    unhit: Any  # (n,) the labels not hit come first
    place: Any  # (n,) where a label stands in `unhit`
    tally: Any  # (labels not hit, members, work done)

    @classmethod
    def over(cls, seen: IntArray) -> Search:
        """No members yet."""
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
    """The member to drop (the oldest of equals): not the pair, not the newest; −1 if there is none."""
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
    """Leave in `best` the smallest cover met from a pair, if one has at most `largest` columns."""
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
def climb(s: Any, pairs: Any, largest: int, steps: int, patience: int, work: int, seed: int) -> Any:
    """Minimal covers of at most `largest` columns: a search from each pair that no cover found so far contains.

    A search swaps one member at a time and lets the weight of labels that stay unhit grow (row weighting, the local
    search that does best on set covering). It all ends after `patience` searches in a row without a new cover, or
    when the work is done.
    """
    d = len(s.member)
    found = np.zeros((MOST_COVERS, d), np.bool_)
    best = np.zeros(d, np.bool_)
    state = np.array([2 * seed + 1], np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    count, failures = 0, 0
    for p in range(len(pairs)):
        if failures >= patience or s.tally[2] >= work or count == MOST_COVERS:
            break
        one, other = pairs[p, 0], pairs[p, 1]
        known = False
        for c in range(count):
            known = known or (found[c, one] and found[c, other])
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
                same = same and found[c, j] == s.member[j]
            new = new and not same
        if new:
            found[count] = s.member
            count += 1
            failures = 0
    return found[:count]


@njit(cache=True, nogil=True)
def rank_table(masks: Any, width: int) -> Any:
    """For each of the 2^d sets the most ones that any label has of it, and its size; sets and labels are masks."""
    every = 1 << width
    rank = np.zeros(every, np.int8)  # at first 1 for the subsets of labels
    size = np.zeros(every, np.int8)
    for mask in masks:
        rank[mask] = 1
    for j in range(width):
        for mask in range(every):
            if mask >> j & 1:
                rank[mask ^ (1 << j)] |= rank[mask]
    for mask in range(1, every):
        size[mask] = size[mask >> 1] + (mask & 1)
        rank[mask] *= size[mask]
    for j in range(width):
        for mask in range(every):
            if mask >> j & 1:
                rank[mask] = max(rank[mask], rank[mask ^ (1 << j)])
    return rank, size


@njit(cache=True, nogil=True)
def spread(above: Any, below: Any, width: int) -> None:
    """Pass the least rank of rules down to all subsets, and the most |T| − r(T) up to all supersets."""
    for j in range(width):
        for mask in range(len(above)):
            if mask >> j & 1:
                above[mask ^ (1 << j)] = min(above[mask ^ (1 << j)], above[mask])
                below[mask] = max(below[mask], below[mask ^ (1 << j)])


@njit(cache=True, nogil=True)
def grow(starts: Any, columns: Any, pairs: Any, allowed: Any, most: int, work: int) -> Any:
    """Sets grown from pairs by the column that the fewest labels at their most have; kept where a rule is allowed.

    Labels are as in `Search`. A set is kept when its rank is about to rise and is at most allowed[size].
    """
    n, d = len(starts) - 1, len(allowed) - 1
    found = np.zeros((most, d), np.bool_)
    first = np.zeros(most, np.bool_)  # the smallest set from a pair: the pairs in it need no start of their own
    count, done = 0, 0
    for p in range(len(pairs)):
        one, other = pairs[p]
        if count == most or done >= work:
            break
        if (found[:count, one] & found[:count, other] & first[:count]).any():
            continue
        before = count
        member = np.zeros(d, np.bool_)
        ones = np.zeros(n, np.int64)
        rank, size, add = 0, 0, one
        while size < d and count < most:
            member[add] = True
            size += 1
            top = np.zeros(d, np.int64)
            near = np.zeros(d, np.int64)
            for i in range(n):
                for q in range(starts[i], starts[i + 1]):
                    ones[i] += columns[q] == add
                rank = max(rank, ones[i])
            for i in range(n):
                if ones[i] >= rank - 1:
                    for q in range(starts[i], starts[i + 1]):
                        if ones[i] == rank:
                            top[columns[q]] += 1
                        else:
                            near[columns[q]] += 1
            done += 2 * len(columns)
            add = other if size == 1 else -1
            for j in range(d):
                if (
                    size > 1
                    and not member[j]
                    and (add < 0 or top[j] < top[add] or (top[j] == top[add] and near[j] < near[add]))
                ):
                    add = j
            if rank <= allowed[size] and (add < 0 or top[add] > 0):
                found[count], first[count] = member, count == before
                count += 1
    return found[:count]
