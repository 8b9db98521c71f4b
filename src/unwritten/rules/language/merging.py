"""Merging: several rows in one statement, where that says exactly as much.

Each merge is exact by construction, given that a column has exactly one level; the docstrings say why.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from unwritten.rules.columns.profile import Profile, Sets, of_literals
from unwritten.rules.columns.scope import Scope
from unwritten.rules.language.reading import clause, equivalence, statement_of
from unwritten.rules.language.rectangles import cover
from unwritten.rules.language.statements import Differ, Linear, Literal, Statement, Together

Said = tuple[Statement, tuple[int, ...]]  # a statement, and the places of the rows that it says
Facts = dict[Profile, tuple[int, ...]]  # profiles, and the places of the rows that have them


def merged(facts: Facts, scope: Scope) -> list[Said]:
    """Statements that together say what the facts say, each exactly what its rows say."""
    facts = dict(sorted(facts.items(), key=lambda fact: (fact[0].blocks, fact[0].numbers, fact[1])))
    found = list(_all_different(facts, scope))
    found += _fixed(facts, scope)
    found += _together(facts, scope)
    found += _clauses(facts, scope)
    _unite(facts, scope)
    return found + [(statement_of(profile, scope), places) for profile, places in facts.items()]


def _take(facts: Facts, profiles: list[Profile]) -> tuple[int, ...]:
    """Remove these facts; the places of their rows."""
    return tuple(sorted({place for profile in profiles for place in facts.pop(profile)}))


def _all_different(facts: Facts, scope: Scope) -> Iterator[Said]:
    """One row per level, each with that level of all the columns, at most or exactly one of them true.

    With as many columns as levels both are the same, and all equalities but one imply the last: the columns' own
    equalities sum to as much.
    """
    groups: dict[tuple[int, ...], dict[str | None, list[Profile]]] = defaultdict(lambda: defaultdict(list))
    for profile in facts:
        found = profile.literals
        if found is None or found[1] != 1 or len(found[0]) < 2 or any(len(levels) != 1 for _, levels in found[0]):
            continue
        values = {scope.columns[c].levels[levels[0]] for c, levels in found[0]}
        if len(values) == 1:
            groups[tuple(c for c, _ in found[0])][values.pop()].append(profile)
    for columns, rows in groups.items():
        known = {frozenset(scope.columns[c].levels) for c in columns}
        n = len(scope.columns[columns[0]].levels)
        if len(known) > 1 or n < 3 or len(columns) > n:
            continue
        whole = len(rows) == n and (len(columns) == n or not any(p.equality for ps in rows.values() for p in ps))
        exact = [value for value, profiles in rows.items() if any(profile.equality for profile in profiles)]
        if whole or (len(columns) == n and len(exact) >= n - 1):
            yield Differ(columns), _take(facts, [profile for profiles in rows.values() for profile in profiles])


def _fixed(facts: Facts, scope: Scope) -> Iterator[Said]:
    """The levels that one column never has: it has none of them iff it has none of each part."""
    groups: dict[int, list[Profile]] = defaultdict(list)
    for profile in facts:
        if profile.literals is not None and len(profile.blocks) == 1 and not profile.equality and profile.rhs == 0:
            groups[profile.blocks[0][0]].append(profile)
    for c, profiles in groups.items():
        never = {k for profile in profiles for k, value in enumerate(profile.blocks[0][1]) if value}
        if len(never) < scope.size(c):
            union = of_literals(((c, tuple(sorted(never))),), False, 0, scope)
            yield statement_of(union, scope), _take(facts, profiles)


def _together(facts: Facts, scope: Scope) -> Iterator[Said]:
    """As many levels here as there, each true exactly when its partner is; all of these rows but one imply the last."""
    groups: dict[tuple[int, int], dict[Profile, tuple[int, int]]] = defaultdict(dict)
    for profile in facts:
        if profile.equality and len(profile.blocks) == 2 and profile.literals is not None and profile.rhs == 1:
            (a, values), (b, others) = profile.blocks
            for one, zero in ((1, 0), (0, 1)):  # the first is true where the second is not
                if values.count(one) == others.count(zero) == 1:
                    groups[a, b][profile] = values.index(one), others.index(zero)
                    break
    for (a, b), rows in groups.items():
        n, pairs = scope.size(a), dict(rows.values())
        one_to_one = len(set(rows.values())) == len(pairs) == len(set(pairs.values()))
        if n < 3 or scope.size(b) != n or not one_to_one:
            continue
        if len(pairs) == n - 1:
            pairs[(set(range(n)) - set(pairs)).pop()] = (set(range(n)) - set(pairs.values())).pop()
        if len(pairs) == n:
            yield _matched(a, b, pairs, scope), _take(facts, list(rows))


def _matched(a: int, b: int, pairs: dict[int, int], scope: Scope) -> Statement:
    """The match as an equation between numbers if it is one: `a = b`, `a + b = 9`, `a − b = 2`."""
    ours, theirs = scope.columns[a].numbers, scope.columns[b].numbers
    if ours is not None and theirs is not None:
        for sign in (-1, 1):
            sums = {ours[i] + sign * theirs[k] for i, k in pairs.items()}
            if len(sums) == 1:
                return Linear(((1, a), (sign, b)), "=", sums.pop())
    return Together(a, b, tuple(sorted(pairs.items())))


def _clauses(facts: Facts, scope: Scope) -> Iterator[Said]:
    """Pairs of levels that two columns never have, in rectangles; two that say "A iff B" in one."""
    groups: dict[tuple[int, int], list[Profile]] = defaultdict(list)
    for profile in facts:
        found = profile.literals
        if found is not None and not profile.equality and len(found[0]) == 2 and found[1] == 1:
            groups[found[0][0][0], found[0][1][0]].append(profile)
    for (a, b), profiles in groups.items():
        rows = [facts[profile] for profile in profiles]
        _take(facts, profiles)
        found_rectangles = cover([(_mask(p.blocks[0][1]), _mask(p.blocks[1][1])) for p in profiles])
        said = {r: tuple(sorted({place for i in inside for place in rows[i]})) for r, inside in found_rectangles}
        whole = (1 << scope.size(a)) - 1, (1 << scope.size(b)) - 1
        if whole in said:  # nothing is left of the two columns: their rows say why
            said = {(_mask(p.blocks[0][1]), _mask(p.blocks[1][1])): rows[i] for i, p in enumerate(profiles)}
        while said:
            left, right = next(iter(said))
            places = said.pop((left, right))
            converse = said.pop((whole[0] & ~left, whole[1] & ~right), ())
            yield _clause((a, left), (b, right), bool(converse), scope), tuple(sorted({*places, *converse}))


def _clause(left: tuple[int, int], right: tuple[int, int], converse: bool, scope: Scope) -> Statement:
    """That (column, levels) and (column, levels) are never both true, or (the converse) exactly one of them is."""
    sides = [Literal(c, _levels(mask)) for c, mask in (left, right)]
    if converse:
        return equivalence(sides[0], Literal(right[0], scope.others(right[0], sides[1].levels)), scope)
    partial = [x for x in sides if len(x.levels) < scope.size(x.column)]
    if len(partial) == 1:
        only = of_literals(((partial[0].column, partial[0].levels),), False, 0, scope)
        return statement_of(only, scope)
    return clause(sides[0], sides[1], scope)


def _unite(facts: Facts, scope: Scope) -> None:
    """At most k of literals that differ in one column: at most one level of it is true, so the union says the same."""
    counted = [p for p in facts if p.literals is not None and not p.equality and len(p.blocks) > 2]
    changed = True
    while changed:
        changed = False
        for at in range(max((len(p.blocks) for p in counted), default=0)):
            groups: dict[tuple[Sets, int, int], list[Profile]] = defaultdict(list)
            for profile in counted:
                found = profile.literals
                if found is not None and at < len(found[0]):
                    sets, k = found
                    groups[(*sets[:at], *sets[at + 1 :]), sets[at][0], k].append(profile)
            for (rest, c, k), profiles in groups.items():
                union = {i for p in profiles for i, value in enumerate(p.blocks[at][1]) if value}
                if len(profiles) < 2 or len(union) == scope.size(c):
                    continue
                joined = of_literals(tuple(sorted((*rest, (c, tuple(sorted(union)))))), False, k, scope)
                places = _take(facts, profiles)
                facts[joined] = tuple(sorted({*places, *facts.get(joined, ())}))
                counted.append(joined)
                changed = True
            counted = list(dict.fromkeys(p for p in counted if p in facts))


def _mask(values: tuple[int, ...]) -> int:
    return sum(1 << k for k, value in enumerate(values) if value)


def _levels(mask: int) -> tuple[int, ...]:
    return tuple(k for k in range(mask.bit_length()) if mask >> k & 1)
