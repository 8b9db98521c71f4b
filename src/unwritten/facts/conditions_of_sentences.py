"""Said conditions: what each sentence about a table says of its rows, in the algebra of conditions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from unwritten.conditions import All, Condition, Either, Known, Not, Within
from unwritten.facts.fact import Fact
from unwritten.rules import Gaps, RuleSet, Sentence
from unwritten.rules.columns.row_condition import row_condition
from unwritten.rules.columns.scope import Scope
from unwritten.tables import Schema


def said_conditions(
    sentences: Sequence[Sentence], rules: RuleSet, gaps: Gaps, facts: Sequence[Fact], schema: Schema
) -> Iterator[tuple[Sentence, Condition | None]]:
    """Yield each sentence with its condition; None if no row whose values are known can break it."""
    conditions = _Conditions(rules, gaps, facts, schema)
    for sentence in sentences:
        parts = tuple(conditions.of(sentence))
        yield sentence, _all(parts) if parts else None


class _Conditions:
    """The conditions of sentences about one table."""

    def __init__(self, rules: RuleSet, gaps: Gaps, facts: Sequence[Fact], schema: Schema) -> None:
        self._rules, self._gaps, self._facts, self._schema = rules, gaps, facts, schema
        self._scope = Scope.of(schema.variables, schema)
        self._names = {column.names[0]: column.name for column in schema.used if not column.one_hot}

    def of(self, sentence: Sentence) -> Iterator[Condition]:
        """Yield the conditions that a sentence states together."""
        facts = [self._facts[k].condition for k in sentence.facts]
        for i in sentence.rules:
            condition = self._row(i, sentence)
            if condition is not None and not any(_is_same_sum(condition, fact) for fact in facts):
                yield condition
        for k in sentence.gaps:
            for part in self._gaps[k].parts:
                terms = tuple((factor, self._names[name]) for name, factor in part.terms)
                yield Not(Within(terms, part.low + 1, part.high - 1))
        yield from facts

    def _row(self, i: int, sentence: Sentence) -> Condition | None:
        """Return what a row states; it says nothing of a new value where such are to be expected."""
        rules = self._rules
        condition = row_condition(self._scope, rules.matrix[i], bool(rules.equality[i]), int(rules.rhs[i]))
        if condition is None:
            return None
        unlike = isinstance(condition, Not)  # its tests name values that were seen, and fail for others
        tested = condition.columns if unlike else ()
        open_columns = [name for name in sentence.columns if not self._schema[name].closed and name not in tested]
        unseen = tuple(Not(Known(name)) for name in open_columns)
        return Either((*unseen, condition)) if unseen else condition


def _all(parts: tuple[Condition, ...]) -> Condition:
    return parts[0] if len(parts) == 1 else All(parts)


def _is_same_sum(condition: Condition, fact: Condition) -> bool:
    """True if a row is the sum that a fact states, which also speaks of values that were never seen."""
    sums = [each for each in (condition, fact) if isinstance(each, Within) and len(each.numbers) == len(each.terms)]
    return len(sums) == 2 and _normal(sums[0]) == _normal(sums[1])


def _normal(total: Within) -> object:
    """Return a sum in a form that does not depend on the order and the signs of its terms."""
    if total.lowest is None or total.lowest != total.highest:
        return total
    terms = sorted((str(name), factor) for factor, name in total.terms)
    sign = -1 if terms[0][1] < 0 else 1
    return [(name, sign * factor) for name, factor in terms], sign * total.lowest, total.tolerance
