"""The rules of a table: the same rows as in any rule set, said in sentences about the table's columns."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from unwritten.counted import counted
from unwritten.data.html import html_table
from unwritten.rules.language.sentence import Sentence
from unwritten.rules.language.sentences import sentences
from unwritten.rules.rule import RULE_HEADS, Rule
from unwritten.rules.ruleset import RULES_SHOWN, RuleSet
from unwritten.shown import shown
from unwritten.tables.schema import Schema


@dataclass(frozen=True, eq=False, repr=False)
class TableRules(RuleSet):
    """Rules over the variables of a table, printed as sentences about its columns.

    >>> from unwritten.tables.column import Column
    >>> schema = Schema((Column("trim", "category", ("base", "sport")), Column("roof", "boolean", ("no", "yes"))))
    >>> rules = RuleSet.of(schema.variables, [({"trim=sport": 1, "roof": -1}, "<=", 0)])
    >>> print(TableRules.over_table(rules, schema))
    trim = sport requires roof = yes
    """

    schema: Schema = field(kw_only=True)

    @classmethod
    def over_table(cls, rules: RuleSet, schema: Schema) -> TableRules:
        """The same rules, said about the columns of this table."""
        return cls(
            rules.variables, rules.matrix, rules.equality, rules.rhs, rules.origins, rules.evidence, schema=schema
        )

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """The rules in words, several in one sentence if that says the same; their support is not counted."""
        width = len(self.schema.variables)
        return sentences(self, self.schema, np.zeros((0, width), np.int64), np.zeros(0, np.int64))

    def _rule(self, i: int) -> Rule:
        rule = super()._rule(i)
        said = sentences(
            self[[i]], self.schema, np.zeros((0, len(self.schema.variables)), np.int64), np.zeros(0, np.int64)
        )
        return replace(rule, text="; ".join(sentence.text for sentence in said)) if said else rule

    def __str__(self) -> str:
        return "\n".join(shown(sentence.text) for sentence in self.sentences) or "no rules"

    def __repr__(self) -> str:
        used = len(self.schema.used)
        return f"RuleSet({counted(len(self.sentences), 'sentence')} about {counted(used, 'column')})"

    def _repr_html_(self) -> str:
        said = self.sentences
        caption = f"{counted(len(said), 'rule')} about {counted(len(self.schema.used), 'column')}"
        if len(said) > RULES_SHOWN:
            caption += f": the first {RULES_SHOWN}, and {len(said) - RULES_SHOWN:,} more that are not shown"
        cells = [(s.text, s.kind, s.origin, s.evidence) for s in said[:RULES_SHOWN]]
        return html_table(RULE_HEADS, cells, caption)
