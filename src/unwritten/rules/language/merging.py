"""Merging: several rows in one statement, where that statement means exactly the same.

Each merge is exact because a column has exactly one level; the docstrings say why.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from unwritten.rules.columns.normal_row import LevelSets, NormalRow, count_row
from unwritten.rules.columns.scope import Scope
from unwritten.rules.language.rectangles import cover
from unwritten.rules.language.shortest_statement import equivalence, exclusion, statement_of
from unwritten.rules.language.statements import AllDiffer, ColumnLiteral, GoTogether, Linear, Statement


@dataclass(frozen=True)
class StatedRules:
    """A statement, and the places (in a rule set) of the rules that it says."""

    statement: Statement
    rules: tuple[int, ...]


RulesByRow = dict[NormalRow, tuple[int, ...]]  # rows in normal form, and the places of the rules that have it


def merged(rows: RulesByRow, scope: Scope) -> list[StatedRules]:
    """Statements that together mean what the rows mean, each exactly what its own rows mean.

    Each step below takes the rows that it can merge out of `rows`; those that are left get one statement each.
    """
    rows = dict(sorted(rows.items(), key=lambda entry: (entry[0].blocks, entry[0].numbers, entry[1])))
    stated = list(_all_differ(rows, scope))
    stated += _fixed(rows, scope)
    stated += _go_together(rows, scope)
    stated += _exclusions(rows, scope)
    _unite_counts(rows, scope)
    return stated + [StatedRules(statement_of(row, scope), places) for row, places in rows.items()]


def _take(rows: RulesByRow, chosen: list[NormalRow]) -> tuple[int, ...]:
    """Remove the chosen rows; return the places of their rules."""
    return tuple(sorted({place for row in chosen for place in rows.pop(row)}))


def _all_differ(rows: RulesByRow, scope: Scope) -> Iterator[StatedRules]:
    """Columns that all differ: for each level a row that lets at most (or exactly) one of the columns have it.

    With as many columns as levels, "at most" and "exactly" have the same solutions. Then all equalities but one imply
    the last, since the equalities "each column has exactly one level" have the same sum.
    """
    groups: dict[tuple[int, ...], dict[str | None, list[NormalRow]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        counted = row.literals
        if counted is None:
            continue
        sets, number = counted
        if number != 1 or len(sets) < 2 or any(len(levels) != 1 for _, levels in sets):
            continue
        values = {scope.columns[c].levels[levels[0]] for c, levels in sets}
        if len(values) == 1:
            groups[tuple(c for c, _ in sets)][values.pop()].append(row)
    for columns, by_level in groups.items():
        level_sets = {frozenset(scope.columns[c].levels) for c in columns}
        n = scope.size(columns[0])
        if len(level_sets) > 1 or n < 3 or len(columns) > n:
            continue
        exact = [level for level, group in by_level.items() if any(row.equality for row in group)]
        every_level = len(by_level) == n and (len(columns) == n or not exact)
        if every_level or (len(columns) == n and len(exact) >= n - 1):
            group_rows = [row for group in by_level.values() for row in group]
            yield StatedRules(AllDiffer(columns), _take(rows, group_rows))


def _fixed(rows: RulesByRow, scope: Scope) -> Iterator[StatedRules]:
    """All levels that a column never has, in one statement: it has none of the union iff it has none of each part."""
    groups: dict[int, list[NormalRow]] = defaultdict(list)
    for row in rows:
        if row.literals is not None and len(row.blocks) == 1 and not row.equality and row.rhs == 0:
            groups[row.blocks[0][0]].append(row)
    for c, group in groups.items():
        never = {k for row in group for k, value in enumerate(row.blocks[0][1]) if value}
        if len(never) < scope.size(c):
            union = count_row(((c, tuple(sorted(never))),), False, 0, scope)
            yield StatedRules(statement_of(union, scope), _take(rows, group))


def _go_together(rows: RulesByRow, scope: Scope) -> Iterator[StatedRules]:
    """Two columns with equally many levels, each true exactly when its partner is.

    All of these rows but one imply the last: the levels that are left over are partners.
    """
    groups: dict[tuple[int, int], dict[NormalRow, tuple[int, int]]] = defaultdict(dict)
    for row in rows:
        if row.equality and len(row.blocks) == 2 and row.literals is not None and row.rhs == 1:
            (a, values_a), (b, values_b) = row.blocks
            for one, zero in ((1, 0), (0, 1)):  # the first is true where the second is not
                if values_a.count(one) == values_b.count(zero) == 1:
                    groups[a, b][row] = values_a.index(one), values_b.index(zero)
                    break
    for (a, b), group in groups.items():
        n, partner = scope.size(a), dict(group.values())
        one_to_one = len(set(group.values())) == len(partner) == len(set(partner.values()))
        if n < 3 or scope.size(b) != n or not one_to_one:
            continue
        if len(partner) == n - 1:
            partner[(set(range(n)) - set(partner)).pop()] = (set(range(n)) - set(partner.values())).pop()
        if len(partner) == n:
            yield StatedRules(_match(a, b, partner, scope), _take(rows, list(group)))


def _match(a: int, b: int, partner: dict[int, int], scope: Scope) -> Statement:
    """The match as an equation between numbers if it is one (`a = b`, `a + b = 9`, `a − b = 2`), else as a list."""
    numbers_a, numbers_b = scope.columns[a].numbers, scope.columns[b].numbers
    if numbers_a is not None and numbers_b is not None:
        for sign in (-1, 1):
            sums = {numbers_a[i] + sign * numbers_b[k] for i, k in partner.items()}
            if len(sums) == 1:
                return Linear(((1, a), (sign, b)), "=", sums.pop())
    return GoTogether(a, b, tuple(sorted(partner.items())))


def _exclusions(rows: RulesByRow, scope: Scope) -> Iterator[StatedRules]:
    """Pairs of levels that two columns never have, as rectangles; two rectangles that mean "A iff B" in one."""
    groups: dict[tuple[int, int], list[NormalRow]] = defaultdict(list)
    for row in rows:
        counted = row.literals
        if counted is not None and not row.equality and len(counted[0]) == 2 and counted[1] == 1:
            groups[counted[0][0][0], counted[0][1][0]].append(row)
    for (a, b), group in groups.items():
        places = [rows[row] for row in group]
        _take(rows, group)
        given = [(_mask(row.blocks[0][1]), _mask(row.blocks[1][1])) for row in group]
        stated = {
            rectangle: tuple(sorted({place for i in inside for place in places[i]}))
            for rectangle, inside in cover(given)
        }
        all_levels = (1 << scope.size(a)) - 1, (1 << scope.size(b)) - 1
        if all_levels in stated:  # no pair of levels is left: the single rows show why
            stated = dict(zip(given, places, strict=True))
        while stated:
            left, right = next(iter(stated))
            own = stated.pop((left, right))
            converse = stated.pop((all_levels[0] & ~left, all_levels[1] & ~right), ())
            statement = _rectangle((a, left), (b, right), bool(converse), scope)
            yield StatedRules(statement, tuple(sorted({*own, *converse})))


def _rectangle(left: tuple[int, int], right: tuple[int, int], converse: bool, scope: Scope) -> Statement:
    """The statement that two (column, mask of levels) are never both true; with `converse`, exactly one is true."""
    sides = [ColumnLiteral(c, _levels(mask)) for c, mask in (left, right)]
    if converse:
        return equivalence(sides[0], ColumnLiteral(right[0], scope.other_levels(right[0], sides[1].levels)), scope)
    partial = [x for x in sides if len(x.levels) < scope.size(x.column)]
    if len(partial) == 1:
        never = count_row(((partial[0].column, partial[0].levels),), False, 0, scope)
        return statement_of(never, scope)
    return exclusion(sides[0], sides[1], scope)


def _unite_counts(rows: RulesByRow, scope: Scope) -> None:
    """Join rows "at most k of these literals" that differ in the levels of one column only.

    At most one level of that column is true, so the union of the levels means the same.
    """
    counts = [row for row in rows if row.literals is not None and not row.equality and len(row.blocks) > 2]
    changed = True
    while changed:
        changed = False
        for at in range(max((len(row.blocks) for row in counts), default=0)):
            groups: dict[tuple[LevelSets, int, int], list[NormalRow]] = defaultdict(list)
            for row in counts:
                counted = row.literals
                if counted is not None and at < len(counted[0]):
                    sets, number = counted
                    groups[(*sets[:at], *sets[at + 1 :]), sets[at][0], number].append(row)
            for (others, c, number), group in groups.items():
                union = {k for row in group for k, value in enumerate(row.blocks[at][1]) if value}
                if len(group) < 2 or len(union) == scope.size(c):
                    continue
                joined = count_row(tuple(sorted((*others, (c, tuple(sorted(union)))))), False, number, scope)
                places = _take(rows, group)
                rows[joined] = tuple(sorted({*places, *rows.get(joined, ())}))
                counts.append(joined)
                changed = True
            counts = list(dict.fromkeys(row for row in counts if row in rows))


def _mask(values: tuple[int, ...]) -> int:
    """The levels with a value other than 0, as a bit mask."""
    return sum(1 << k for k, value in enumerate(values) if value)


def _levels(mask: int) -> tuple[int, ...]:
    return tuple(k for k in range(mask.bit_length()) if mask >> k & 1)
