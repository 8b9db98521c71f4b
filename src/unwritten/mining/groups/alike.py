"""Groups alike: groups that meet the other groups in the same way.

In a Sudoku, each group of a row and a digit shares one member with 9 cells and with 9 columns, and three members with 3
boxes. A set that only luck holds together, such as a group with a rare column left out or exchanged, meets the groups
in a way of its own. So groups that meet the others alike are compared with near-rules that do so, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from unwritten.data import FloatArray, IntArray
from unwritten.tally import Tally
from unwritten.tally.equal_columns import first_equal_columns

EXCHANGES = 6  # up to so many groups with one of two equal columns, all ways to share them out are compared
COMPARED = 1_000  # most groups of which all pairs are compared

Meeting = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class GroupsAlike:
    """Groups, as rows `[a, −1]` over [y, 1], and how many of them meet the others in each way."""

    rows: IntArray

    @cached_property
    def _kinds(self) -> Counter[Meeting]:
        return Counter(self.meetings(self.rows))

    def odds(self, rows: IntArray, near: IntArray) -> FloatArray:
        """The odds that each row is lucky, if no example breaks the groups that are alike, and few break near-rules.

        There is one near-rule of each kind more than was found: the rule of succession. Infinite for rows of no kind.
        """
        lucky = Counter(self.meetings(near))
        pairs = [(lucky[key] + 1, self._kinds[key] if key else 0) for key in self.meetings(rows)]
        return np.array([more / holding if holding else np.inf for more, holding in pairs])

    def meetings(self, rows: IntArray) -> list[Meeting]:
        """How each row meets the groups: its size, and the sorted numbers of members that it shares with others.

        Empty for rows that are no groups, and for groups with a member that no other group has: they hardly meet any.
        """
        from scipy.sparse import csr_array  # loaded when it is first needed

        meetings: list[Meeting] = [()] * len(rows)
        groups = np.flatnonzero((rows[:, -1] == -1) & ((rows[:, :-1] == 0) | (rows[:, :-1] == 1)).all(axis=1))
        members, ours = csr_array(rows[groups, :-1]), csr_array(self.rows[:, :-1])
        memberships, sizes, common = ours.sum(axis=0), ours.sum(axis=1), members @ ours.T
        for k, i in enumerate(groups.tolist()):
            others = slice(common.indptr[k], common.indptr[k + 1])
            columns = members.indices[members.indptr[k] : members.indptr[k + 1]]
            shared, theirs = common.data[others], sizes[common.indices[others]]
            itself = (shared == len(columns)) & (shared == theirs)
            if (memberships[columns] > itself.sum()).all():
                meetings[i] = (len(columns), *np.sort(shared[~itself]).tolist())
        return meetings


def shared_out(rows: IntArray, blocks: Sequence[IntArray], tally: Tally) -> IntArray:
    """The groups; of two equal columns, each group gets the one that leaves the fewest kinds of groups.

    In a few examples, a column can equal another one by accident, and the search leaves out the second. If a block of
    the layout has it, other groups may have it too. They stay as they are unless one way to share the two columns out
    is better than all others.
    """
    if not len(blocks) or len(rows) > COMPARED:
        return rows
    varying = np.flatnonzero((tally.gram[-1, :-1] > 0) & (tally.gram[-1, :-1] < tally.n))
    first = first_equal_columns(tally.gram, varying)
    laid_out = {block.tobytes() for block in blocks}
    for k in np.flatnonzero(first != np.arange(len(first))).tolist():
        twin, column = int(varying[k]), int(varying[first[k]])
        free = [i for i in np.flatnonzero(rows[:, column]) if np.flatnonzero(rows[i, :-1]).tobytes() not in laid_out]
        if any(twin in block for block in blocks) and 0 < len(free) <= EXCHANGES:
            rows = _best_shares(rows, np.array(free), column, twin)
    return rows


def _best_shares(rows: IntArray, free: IntArray, column: int, twin: int) -> IntArray:
    """The rows, some of the free ones with the twin of a column, so that kinds are fewest; the same rows if unclear."""
    ways: list[tuple[int, IntArray]] = []
    for choice in product((False, True), repeat=len(free)):
        changed = rows.copy()
        moved = free[np.array(choice, bool)]
        changed[moved, column], changed[moved, twin] = 0, 1
        ways.append((_number_of_kinds(changed), changed))
    fewest = min(kinds for kinds, _ in ways)
    best = [changed for kinds, changed in ways if kinds == fewest]
    return best[0] if len(best) == 1 else rows


def _number_of_kinds(rows: IntArray) -> int:
    """The number of ways to meet other groups: in how many members, and through how many groups that both meet."""
    members = rows[:, :-1].astype(np.float64)  # whole numbers far below 2⁵³, so products are exact
    common = members @ members.T
    through = common @ common
    ways = np.sort(common * (through.max(initial=0.0) + 1) + through, axis=1)
    return len({way.tobytes() for way in ways})
