"""The compiled part of the engine "groups": depth-first search with propagation, in bands from the best value down.

Propagation counts the literals of each row: a true literal of an "exactly one" or "at most one" row makes the others
false, and the last open literal of an "exactly one" or "at least one" row becomes true. Every variable is in one group
of literals that exclude each other, so the best open gains of the groups add up to an upper bound. A literal that would
push this bound below the band is made false too. With a narrow first band this settles the clues of a puzzle before
any literal is tried.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from unwritten.data import FloatArray
from unwritten.rules.literal_rows import AT_LEAST, AT_MOST

OPEN = 2  # a variable without a value yet
FIRST_LOSSES = 8  # the second band (the first has no width) is as wide as the 8th smallest loss of one literal
BAND_GROWTH = 2.0  # of the width from band to band after that


class PackedRules(NamedTuple):
    """r rows of literals and g groups over d variables, and k cuts."""

    starts: Any  # (r + 1,) start of each row in `literals`
    literals: Any
    kinds: Any  # (r,) EXACTLY, AT_MOST or AT_LEAST
    place_starts: Any  # (2d + 1,) start of each literal in `places`
    places: Any  # the rows of each literal
    group: Any  # (d,) the group of each variable
    member: Any  # (d,) the literal of each variable that is in its group
    group_starts: Any  # (g + 1,) start of each group in `members`
    members: Any
    may_be_empty: Any  # (g,) whether no member may be true
    cuts: Any  # (k, d)
    limits: Any  # (k,)


class GroupTask(NamedTuple):
    """m queries: w·y = bounding·y + constant − price·slack on all labels; values closer than `equal` are equal.

    The slack of an "at most" row is 1 if none of its literals is true; that of an "at least" row is the number of its
    true literals beyond one.
    """

    weights: Any  # (m, d)
    bounding: Any  # (m, d)
    constant: Any  # (m,)
    price: Any  # (r,) at least 0
    equal: Any  # (m,)
    most_nodes: int  # per query


class GroupWalk(NamedTuple):
    """The state of a search, so that it can be interrupted and resumed, and its results."""

    state: Any  # (d,) 0, 1 or OPEN
    true: Any  # (r,) number of true literals of each row
    open: Any  # (r,) number of open literals of each row
    root_state: Any  # the same three before anything is tried
    root_true: Any
    root_open: Any
    trail: Any  # (d,) literals in the order they became true
    top_before: Any  # (d,) `top` of that literal's group before
    gain: Any  # (2d,) what each literal adds to the value
    top: Any  # (g,) best gain of each group
    least: Any  # (g,) worst gain of each group
    taken: Any  # (g,) whether a member is true
    decision: Any  # per depth: the literal tried
    flipped: Any  # per depth: whether its opposite is being tried
    begin: Any  # per depth: the length of the trail before
    bound_before: Any  # per depth: the bound before
    cut_order: Any  # (k,) order in which cuts are tried; cuts that reject a label move forward
    # query, whether it has begun, depth, length of the trail, how much of it is propagated, nodes, root's length
    place: Any
    level: Any  # bound, bound at the root, width of the band, its lower end, the part of the value all labels share
    best: Any  # (m,) best value, at first the floor
    labels: Any  # (m, d) the labels of these values
    rejected: Any  # (m,) best value that a cut rejected
    ceiling: Any  # (m,) no label has more
    nodes: Any  # (m,) nodes visited
    finished: Any  # (m,)

    @classmethod
    def start(cls, rules: PackedRules, floor: FloatArray) -> GroupWalk:
        """Start before the first query; answers must beat `floor`."""
        r, d, g, m = len(rules.kinds), len(rules.group), len(rules.may_be_empty), len(floor)
        sizes = np.diff(rules.starts).astype(np.int32)
        return cls(
            state=np.full(d, OPEN, np.int8),
            true=np.zeros(r, np.int32),
            open=sizes.copy(),
            root_state=np.full(d, OPEN, np.int8),
            root_true=np.zeros(r, np.int32),
            root_open=sizes.copy(),
            trail=np.zeros(d, np.int32),
            top_before=np.zeros(d),
            gain=np.zeros(2 * d),
            top=np.zeros(g),
            least=np.zeros(g),
            taken=np.zeros(g, np.bool_),
            decision=np.zeros(d + 1, np.int64),
            flipped=np.zeros(d + 1, np.bool_),
            begin=np.zeros(d + 1, np.int64),
            bound_before=np.zeros(d + 1),
            cut_order=np.arange(len(rules.limits)),
            place=np.zeros(7, np.int64),
            level=np.array([0.0, 0.0, 0.0, -np.inf, 0.0]),
            best=floor.copy(),
            labels=np.zeros((m, d), np.int64),
            rejected=np.full(m, -np.inf),
            ceiling=np.full(m, np.inf),
            nodes=np.zeros(m, np.int64),
            finished=np.zeros(m, np.bool_),
        )

    @property
    def query(self) -> int:
        """The number of the current query."""
        return int(self.place[0])

    @property
    def visited(self) -> int:
        """The number of nodes visited for all queries."""
        return int(self.place[5])

    def give_up(self) -> None:
        """Leave the current query unfinished and go on with the next."""
        self.place[:2] = self.place[0] + 1, 0


@njit(cache=True, nogil=True)
def settle_root(rules: PackedRules, walk: GroupWalk) -> bool:
    """Draw the conclusions that hold for every query; return False if the rules contradict each other."""
    for i in range(len(rules.kinds)):
        if rules.kinds[i] != AT_MOST:
            size, first = rules.starts[i + 1] - rules.starts[i], rules.starts[i]
            if size == 0:
                return False
            if size == 1:
                literal = rules.literals[first]
                if walk.state[literal >> 1] == OPEN:
                    walk.place[3] = _assign(walk.state, walk.trail, walk.place[3], literal)
                elif walk.state[literal >> 1] == (literal & 1):
                    return False
    if not _propagate(rules, walk, np.zeros(len(rules.kinds)), -np.inf, -np.inf):
        return False
    _copy(walk.state, walk.root_state)
    _copy(walk.true, walk.root_true)
    _copy(walk.open, walk.root_open)
    walk.place[6] = walk.place[3]
    return True


@njit(cache=True, nogil=True)
def advance(rules: PackedRules, task: GroupTask, walk: GroupWalk, until: int) -> bool:
    """Search on; return whether all queries are done before `until` nodes have been visited in all."""
    place, level, best = walk.place, walk.level, walk.best
    while place[0] < len(task.weights):
        q = place[0]
        equal = task.equal[q]
        if not place[1]:
            _prepare(rules, walk, task.bounding[q], task.constant[q])
            walk.ceiling[q], level[1], level[2], level[3] = level[0], level[0], 0.0, level[0] - equal
            place[1] = 1
            if level[1] <= best[q] + equal:
                _end_query(place, walk.finished, True)
                continue
        while True:
            if place[5] >= until:
                return False
            if walk.nodes[q] >= task.most_nodes:
                _end_query(place, walk.finished, False)
                break
            place[5] += 1
            walk.nodes[q] += 1
            alive = _settle(rules, walk, task.price, level[3], best[q] + equal)
            if alive and place[3] == len(walk.state):
                alive = False
                _test_label(rules, walk, task.weights[q], equal)
                if best[q] + equal >= level[1]:
                    _end_query(place, walk.finished, True)
                    break
            if alive:
                _decide(rules, walk)
            elif not _backtrack(rules, walk):
                if level[3] <= best[q] + equal:
                    _end_query(place, walk.finished, True)
                    break
                walk.ceiling[q] = level[3]
                _widen(rules, walk, equal)
    return True


@njit(cache=True, nogil=True)
def _end_query(place: Any, finished: Any, done: bool) -> None:
    """Record whether the current query is finished and go on with the next."""
    finished[place[0]] = done
    place[0] += 1
    place[1] = 0


@njit(cache=True, nogil=True)
def _prepare(rules: Any, walk: Any, bounding: Any, constant: float) -> None:
    """Set the gains of the literals for new weights."""
    for j in range(len(bounding)):
        walk.gain[2 * j], walk.gain[2 * j + 1] = bounding[j], -bounding[j]
        if rules.member[j] & 1:
            constant += bounding[j]  # w·y = w − w·(1 − y)
    walk.level[4] = constant
    _reset(rules, walk)


@njit(cache=True, nogil=True)
def _reset(rules: Any, walk: Any) -> None:
    """Go back to the root."""
    _copy(walk.root_state, walk.state)
    _copy(walk.root_true, walk.true)
    _copy(walk.root_open, walk.open)
    walk.level[0] = walk.level[4]
    for g in range(len(walk.top)):
        top, least, taken = -np.inf, np.inf, False
        if rules.may_be_empty[g]:
            top, least = 0.0, 0.0
        for k in range(rules.group_starts[g], rules.group_starts[g + 1]):
            literal = rules.members[k]
            gain, state = walk.gain[literal], walk.state[literal >> 1]
            if state == OPEN:
                top, least = max(top, gain), min(least, gain)
            elif state != (literal & 1):
                top, least, taken = gain, gain, True
                break
        walk.top[g], walk.least[g], walk.taken[g] = top, least, taken
        walk.level[0] += top
    walk.place[2] = 0
    walk.place[3] = walk.place[4] = walk.place[6]


@njit(cache=True, nogil=True)
def _widen(rules: Any, walk: Any, equal: float) -> None:
    """Go back to the root with the next band: twice as wide, and unlimited once it covers every label."""
    _reset(rules, walk)
    level = walk.level
    smallest = np.full(FIRST_LOSSES, np.inf)
    whole = 0.0
    for g in range(len(walk.top)):
        whole += walk.top[g] - walk.least[g]
        if walk.taken[g]:
            continue
        if rules.may_be_empty[g] and walk.top[g] > equal:
            _insert(smallest, walk.top[g])
        for k in range(rules.group_starts[g], rules.group_starts[g + 1]):
            literal = rules.members[k]
            loss = walk.top[g] - walk.gain[literal]
            if walk.state[literal >> 1] == OPEN and loss > equal:
                _insert(smallest, loss)
    level[2] = max(BAND_GROWTH * level[2], smallest[-1])
    level[3] = level[1] - level[2] - equal if level[2] < whole else -np.inf


@njit(cache=True, nogil=True)
def _insert(ascending: Any, value: float) -> None:
    for k in range(len(ascending)):
        if value < ascending[k]:
            ascending[k], value = value, ascending[k]


@njit(cache=True, nogil=True)
def _copy(source: Any, target: Any) -> None:  # a loop compiles in a tenth of the time of target[:] = source
    for k in range(len(source)):
        target[k] = source[k]


@njit(cache=True, nogil=True)
def _settle(rules: Any, walk: Any, price: Any, low: float, beat: float) -> bool:
    """Propagate rows and band until nothing changes; return False if no label here is above `low` and `beat`."""
    while True:
        if not _propagate(rules, walk, price, low, beat):
            return False
        before = walk.place[3]
        bound = walk.level[0]
        for g in range(len(walk.top)):
            if walk.taken[g]:
                continue
            rest = bound - walk.top[g]
            worst = rest + walk.least[g]
            if worst >= low and worst > beat:
                continue
            left, last = 0, -1
            for k in range(rules.group_starts[g], rules.group_starts[g + 1]):
                literal = rules.members[k]
                if walk.state[literal >> 1] == OPEN:
                    value = rest + walk.gain[literal]
                    if value < low or value <= beat:
                        walk.place[3] = _assign(walk.state, walk.trail, walk.place[3], literal ^ 1)
                    else:
                        left += 1
                        last = literal
            if left == 1 and rules.may_be_empty[g] and (rest < low or rest <= beat):
                walk.place[3] = _assign(walk.state, walk.trail, walk.place[3], last)
        if walk.place[3] == before:
            return True


@njit(cache=True, nogil=True)
def _assign(state: Any, trail: Any, n: int, literal: int) -> int:
    """Make an open literal true; return the new length of the trail."""
    state[literal >> 1] = 1 - (literal & 1)
    trail[n] = literal
    return n + 1


@njit(cache=True, nogil=True)
def _propagate(rules: Any, walk: Any, price: Any, low: float, beat: float) -> bool:
    """Count the new true literals and draw conclusions; return False on a contradiction or if the bound is too low."""
    starts, literals, kinds = rules.starts, rules.literals, rules.kinds
    place_starts, places = rules.place_starts, rules.places
    group, member_of, may_be_empty = rules.group, rules.member, rules.may_be_empty
    group_starts, members = rules.group_starts, rules.members
    state, trail, true, opened = walk.state, walk.trail, walk.true, walk.open
    gain, top, top_before, taken = walk.gain, walk.top, walk.top_before, walk.taken
    n, head, bound = walk.place[3], walk.place[4], walk.level[0]
    consistent = True
    while consistent and head < n:
        literal = trail[head]
        g, member = group[literal >> 1], member_of[literal >> 1]
        top_before[head] = top[g]
        head += 1
        if literal == member:
            taken[g] = True
            bound += gain[member] - top[g]
            top[g] = gain[member]
        elif gain[member] >= top[g] and not taken[g]:
            best = 0.0 if may_be_empty[g] else -np.inf
            for k in range(group_starts[g], group_starts[g + 1]):
                other = members[k]
                if state[other >> 1] != (other & 1) and gain[other] > best:
                    best = gain[other]
            if best > -np.inf:  # else a contradiction, which the row of the group finds
                bound += best - top[g]
                top[g] = best
        consistent = bound >= low and bound > beat
        for p in range(place_starts[literal], place_starts[literal + 1]):
            i = places[p]
            true[i] += 1
            opened[i] -= 1
            if kinds[i] == AT_LEAST:
                bound -= price[i] if true[i] > 1 else 0.0
            elif consistent:
                for k in range(starts[i], starts[i + 1]):
                    other = literals[k]
                    if other != literal:
                        known = state[other >> 1]
                        if known == OPEN:
                            n = _assign(state, trail, n, other ^ 1)
                        elif known != (other & 1):
                            consistent = False
        literal ^= 1
        for p in range(place_starts[literal], place_starts[literal + 1]):
            i = places[p]
            opened[i] -= 1
            if opened[i] <= 1 and true[i] == 0 and consistent:
                if kinds[i] == AT_MOST:
                    left = bound - price[i]
                    if opened[i] == 0:
                        bound = left
                    if opened[i] == 0 or (left >= low and left > beat):
                        continue
                consistent = False
                for k in range(starts[i], starts[i + 1]):
                    other = literals[k]
                    if state[other >> 1] != (other & 1):
                        consistent = True
                        if state[other >> 1] == OPEN:
                            n = _assign(state, trail, n, other)
                        break
    walk.place[3], walk.place[4], walk.level[0] = n, head, bound
    return consistent and bound >= low and bound > beat


@njit(cache=True, nogil=True)
def _decide(rules: Any, walk: Any) -> None:
    """Try the best literal of the row with fewest open ones; if every row is met, the variable of most weight."""
    fewest = len(walk.state) + 1
    for i in range(len(rules.kinds)):
        if walk.open[i] < fewest and walk.true[i] == 0 and rules.kinds[i] != AT_MOST:
            fewest = walk.open[i]
    literal, most = -1, -np.inf
    for i in range(len(rules.kinds)):
        if walk.open[i] == fewest and walk.true[i] == 0 and rules.kinds[i] != AT_MOST:
            first, second, which = -np.inf, -np.inf, -1
            for k in range(rules.starts[i], rules.starts[i + 1]):
                other = rules.literals[k]
                if walk.state[other >> 1] == OPEN:
                    gain = walk.gain[other]
                    if gain > first:
                        first, second, which = gain, first, other
                    elif gain > second:
                        second = gain
            if first - second > most:
                literal, most = which, first - second
    if literal < 0:
        for j in range(len(walk.state)):
            if walk.state[j] == OPEN and abs(walk.gain[2 * j]) > most:
                literal, most = 2 * j + (walk.gain[2 * j] <= 0.0), abs(walk.gain[2 * j])
    depth = walk.place[2]
    walk.decision[depth] = literal
    walk.flipped[depth] = False
    walk.begin[depth] = walk.place[3]
    walk.bound_before[depth] = walk.level[0]
    walk.place[2] = depth + 1
    walk.place[3] = _assign(walk.state, walk.trail, walk.place[3], literal)


@njit(cache=True, nogil=True)
def _backtrack(rules: Any, walk: Any) -> bool:
    """Go back to the last decision whose opposite is untried, and try that; return False if there is none."""
    place = walk.place
    while place[2] > 0 and walk.flipped[place[2] - 1]:
        place[2] -= 1
    if place[2] == 0:
        return False
    depth = place[2] - 1
    for n in range(place[3] - 1, walk.begin[depth] - 1, -1):
        literal = walk.trail[n]
        j = literal >> 1
        walk.state[j] = OPEN
        if n < place[4]:
            g = rules.group[j]
            walk.top[g] = walk.top_before[n]
            if literal == rules.member[j]:
                walk.taken[g] = False
            for p in range(rules.place_starts[literal], rules.place_starts[literal + 1]):
                walk.true[rules.places[p]] -= 1
                walk.open[rules.places[p]] += 1
            for p in range(rules.place_starts[literal ^ 1], rules.place_starts[(literal ^ 1) + 1]):
                walk.open[rules.places[p]] += 1
    place[4] = walk.begin[depth]
    walk.level[0] = walk.bound_before[depth]
    walk.flipped[depth] = True
    place[3] = _assign(walk.state, walk.trail, place[4], walk.decision[depth] ^ 1)
    return True


@njit(cache=True, nogil=True)
def _test_label(rules: Any, walk: Any, weights: Any, equal: float) -> None:
    """Test a whole label: keep it if it is better than the best so far and passes every cut."""
    q, state, order = walk.place[0], walk.state, walk.cut_order
    value = 0.0
    for j in range(len(state)):
        value += weights[j] * state[j]
    if value <= walk.best[q] + equal:
        return
    for k in range(len(order)):
        cut, activity = order[k], 0.0
        for j in range(len(state)):
            activity += rules.cuts[cut, j] * state[j]
        if activity > rules.limits[cut]:
            order[k], order[k // 2] = order[k // 2], cut
            walk.rejected[q] = max(walk.rejected[q], value)
            return
    walk.best[q] = value
    for j in range(len(state)):
        walk.labels[q, j] = state[j]
