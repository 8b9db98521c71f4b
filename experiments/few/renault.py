"""Car sales: do the rules mined from nine folds hold on the tenth, and does the manufacturer state them too?

The published folds keep equal sales together, so every held-out sale is of a kind that was never mined. Random folds,
which may split equal sales, are the control.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

import unwritten
from experiments import datasets
from experiments.figures import figure
from experiments.manufacturer import Manufacturer
from experiments.result import Result, RunContext
from unwritten.data import BoolArray, IntArray, distinct
from unwritten.errors import DataError
from unwritten.mining.pairs.clauses import Clauses
from unwritten.model import Model
from unwritten.rules import MINED, RuleSet

ALL, EQUALITIES = "all rules", "equalities"
KINDS = (ALL, EQUALITIES, "implies", "at-most", "at-least")
COUNT, BROKEN, LOST, KINDS_LOST = "rules", "rules broken", "sales lost (%)", "kinds of sale lost (%)"
IMPLIED, FOUND, RIGHT = "implied by the manufacturer (%)", "impossible pairs found (%)", "pairs excluded rightly (%)"
SHOWN = 10  # the most broken rules of a fold that are reported
SAMPLE = 40  # rules that a quick run compares with the manufacturer's constraints
PROMISE = 0.5  # the greatest acceptable percentage of held-out sales that break a rule


@dataclass(frozen=True)
class FoldSetting:
    """The confidence to mine with, and whether the folds are random."""

    name: str
    confidence: float = 0.95
    shuffled: bool = False


PUBLISHED = FoldSetting("published folds")
SHUFFLED = FoldSetting("random folds", shuffled=True)
SURER = tuple(FoldSetting(f"published folds, {share}", confidence=share) for share in (0.99, 0.999))


@dataclass(frozen=True)
class Sales:
    """All sales as a table and as 0/1 labels with a variable for every value, and the published folds."""

    frame: pa.Table
    names: tuple[str, ...]
    labels: IntArray
    folds: IntArray

    @classmethod
    def load(cls, context: RunContext) -> Sales:
        """Read the data set."""
        columns, values, folds = datasets.renault(context.data)
        frame = pa.table(dict(zip(columns, values.T.tolist(), strict=True)))
        table = Sales.table(frame)
        return cls(frame, table.schema.variables.names, table.labels(), folds)

    @staticmethod
    def table(frame: pa.Table) -> unwritten.Table:
        """Return sales as a table with a variable for every value, also in columns of only 0 and 1."""
        return unwritten.Table.of(frame, dict.fromkeys(frame.column_names, "category"))

    def mined(self, setting: FoldSetting, rows: BoolArray) -> Model:
        """Mine the chosen rows."""
        return unwritten.mine(self.table(self.frame.filter(pa.array(rows))), confidence=setting.confidence)


def run(context: RunContext) -> Result:
    """Hold out every fold once in each setting, then compare the rules of all sales with the manufacturer's."""
    result = Result("renault", "Rules of car sales, on sales held out and beside the manufacturer's")
    sales = Sales.load(context)
    settings = context.pick((PUBLISHED,), (PUBLISHED, SHUFFLED, *SURER))
    folds = np.unique(sales.folds).tolist()
    # a quick run skips the first two folds, in which no sale happens to break a rule
    result.facts |= {"folds": context.pick(folds[2:4], folds), "lost per fold": {}, "broken": {}}
    maker = Manufacturer(datasets.renault_constraints(context.data), sales.frame.column_names)
    for setting in settings:
        models = _cross_validated(context, result, sales, setting)
        if setting == PUBLISHED:
            context.say(f"{setting.name}: asking the manufacturer")
            whole = models[0] if context.quick else sales.mined(setting, np.ones(len(sales.labels), bool))
            _compare_with_manufacturer(context, result, maker, setting, whole)
            if not context.quick:
                _measure_impossible_pairs(result, maker, sales, setting, whole)
    _add_notes(context, result, sales)
    _draw(context, result, [setting for setting in settings if setting not in SURER])
    return result


def _cross_validated(context: RunContext, result: Result, sales: Sales, setting: FoldSetting) -> list[Model]:
    """Mine without each fold in turn, and add the means of what is measured on the fold that was left out."""
    folds = np.random.default_rng(context.seed).permutation(sales.folds) if setting.shuffled else sales.folds
    numbers: dict[tuple[str, str], list[float]] = defaultdict(list)
    models = []
    for fold in result.facts["folds"]:
        context.say(f"{setting.name}: fold {fold}")
        models.append(sales.mined(setting, folds != fold))
        mined = models[-1].rules.by_origin(MINED)
        held = _encoded(models[-1], sales.frame.filter(pa.array(folds == fold)))
        by_sale, by_kind = mined.violations(held), mined.violations(_distinct_sales(held))
        kinds = _kinds(mined)
        for kind in KINDS:
            chosen = (kinds == kind) | (kind == ALL)
            numbers[kind, COUNT].append(float(chosen.sum()))
            numbers[kind, BROKEN].append(float(by_sale[:, chosen].any(axis=0).sum()))
            numbers[kind, LOST].append(100 * float(by_sale[:, chosen].any(axis=1).mean()))
            numbers[kind, KINDS_LOST].append(100 * float(by_kind[:, chosen].any(axis=1).mean()))
        broken = mined[np.flatnonzero(by_sale.any(axis=0))]
        result.facts["broken"].setdefault(setting.name, []).append([rule.text for rule in broken[:SHOWN]])
    result.facts["lost per fold"][setting.name] = numbers[ALL, LOST]
    for (kind, measure), values in numbers.items():
        result.add(setting.name, kind, measure, None, float(np.mean(values)), spread=float(np.std(values, ddof=1)))
    return models


def _encoded(model: Model, frame: pa.Table) -> IntArray:
    """Encode sales as labels of a model; a value that the model does not know sets no variable."""
    if model.schema is None:
        raise DataError("the model was not mined from a table: mine a table")
    return model.schema.encode(frame).labels


def _kinds(rules: RuleSet) -> npt.NDArray[np.str_]:
    """Return the kind of each rule; all equalities count as one kind."""
    return np.array([EQUALITIES if rule.sense == "==" else rule.kind for rule in rules], str)


def _distinct_sales(labels: IntArray) -> IntArray:
    """Return each distinct label once."""
    return distinct(labels, np.ones(len(labels), np.int64))[0]


def _compare_with_manufacturer(
    context: RunContext, result: Result, maker: Manufacturer, setting: FoldSetting, model: Model
) -> None:
    """Measure the share of the mined rules that hold for every van that can be made."""
    rules = model.rules.by_origin(MINED)
    if context.quick:
        rules = rules[np.random.default_rng(context.seed).choice(len(rules), min(SAMPLE, len(rules)), replace=False)]
    implied, kinds = maker.implies(rules), _kinds(rules)
    for kind in KINDS:
        chosen = (kinds == kind) | (kind == ALL)
        if chosen.any():
            result.add(setting.name, kind, IMPLIED, None, 100 * float(implied[chosen].mean()))
    result.facts.setdefault("asked", {})[setting.name] = len(rules)
    result.facts.setdefault("not implied", {})[setting.name] = [rule.text for rule in rules[~implied]]


def _measure_impossible_pairs(
    result: Result, maker: Manufacturer, sales: Sales, setting: FoldSetting, model: Model
) -> None:
    """Measure the share of the impossible pairs of values that the rules exclude, by unit propagation."""
    rules = model.rules
    column = np.array([name.rpartition("=")[0] for name in sales.names])
    never = np.argwhere(np.triu((sales.labels.T @ sales.labels == 0) & (column[:, None] != column)))
    rows = np.zeros((len(never), len(sales.names)), np.int64)
    rows[np.arange(len(never))[:, None], never] = 1
    impossible = maker.implies(RuleSet.of(rules.variables, [(row, "<=", 1) for row in rows]))
    clauses = Clauses.of(rules, len(sales.names))
    excluded = np.array([clauses.excludes(2 * i, 2 * j) for i, j in never.tolist()], bool)
    result.add(setting.name, ALL, FOUND, None, 100 * float(excluded[impossible].mean()))
    result.add(setting.name, ALL, RIGHT, None, 100 * float(impossible[excluded].mean()))
    result.facts["pairs"] = {"never sold": len(never), "impossible": int(impossible.sum())}


def _add_notes(context: RunContext, result: Result, sales: Sales) -> None:
    """Add the notes that a reader needs to understand the numbers."""
    kinds = len(_distinct_sales(sales.labels))
    lost = result.facts["lost per fold"]
    result.notes += [
        f"{len(sales.labels):,} sales of {kinds} different kinds, {len(sales.names)} values of "
        f"{sales.frame.num_columns} columns; means over {len(lost[PUBLISHED.name])} folds, ± their standard deviation. "
        "A sale is lost if it breaks a mined rule.",
        f"At most {max(lost[PUBLISHED.name]):.2f} % of a fold is lost. A fold keeps equal sales together, and one kind "
        "was sold a hundred times: mining counts it once, because by Good–Turing many kinds have not been seen yet.",
        "The manufacturer's answers are exact (CP-SAT). A mined rule that is not implied may still be true of what is "
        "sold: a van that could be made, but that nobody ordered."
        + context.pick(f" Here: {SAMPLE} rules of one fold.", " Here: the rules of all sales."),
    ]


def _draw(context: RunContext, result: Result, settings: list[FoldSetting]) -> None:
    """Draw the sales lost in each fold, with a bar for each setting."""
    lost = result.facts["lost per fold"]
    looks = ({"color": "#7fa6c2"}, {"color": "white", "hatch": "////"}, {"color": "#e8e8e8", "hatch": "..."})
    with figure(context, result, "renault") as axes:
        for i, (setting, look) in enumerate(zip(settings, looks[: len(settings)], strict=True)):
            places = np.arange(len(lost[setting.name])) + (i - (len(settings) - 1) / 2) * 0.28
            axes.bar(
                places, lost[setting.name], 0.28, label=setting.name, edgecolor="black", linewidth=0.7, zorder=2, **look
            )
        axes.axhline(PROMISE, color="black", linestyle="--", linewidth=0.8, label=f"{PROMISE} %")
        axes.set_xticks(range(len(result.facts["folds"])), result.facts["folds"])
        axes.set_xlabel("fold held out")
        axes.set_ylabel("sales that break a mined rule (%)")
        axes.grid(axis="x", visible=False)
        axes.set_ylim(0, 1.3 * max(PROMISE, *lost[PUBLISHED.name]))  # room for the legend
        axes.legend(fontsize=8, ncols=2, loc="upper center")
