"""Car sales: do the rules mined from nine folds hold on the tenth, and does the manufacturer say them too?

Equal sales share a published fold, so that every held-out sale is of a kind never seen; random folds, where equal sales
may be on both sides, are the control.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

import unwritten
from experiments import datasets
from experiments.manufacturer import Manufacturer
from experiments.paper.figures import figure
from experiments.paper.result import Context, Result
from unwritten.data import BoolArray, IntArray, distinct
from unwritten.errors import DataError
from unwritten.mining.pairs.clauses import Clauses
from unwritten.model import Model
from unwritten.rules import MINED, RuleSet

ALL, EQUALITIES = "all rules", "equalities"
KINDS = (ALL, EQUALITIES, "implies", "at-most", "at-least")
COUNT, BROKEN, LOST, KINDS_LOST = "rules", "rules broken", "sales lost (%)", "kinds of sale lost (%)"
IMPLIED, FOUND, RIGHT = "implied by the manufacturer (%)", "impossible pairs found (%)", "pairs excluded rightly (%)"
SHOWN = 10  # broken rules of a fold that are told
SAMPLE = 40  # rules that the manufacturer is asked about in a quick run
PROMISE = 0.5  # per cent of held-out sales that may break a rule


@dataclass(frozen=True)
class Way:
    """How the rules are mined and tested."""

    name: str
    confidence: float = 0.95
    shuffled: bool = False


EVERY = Way("published folds")
SHUFFLED = Way("random folds", shuffled=True)
SURER = tuple(Way(f"published folds, {share}", confidence=share) for share in (0.99, 0.999))


@dataclass(frozen=True)
class Sales:
    """All sales as a table, as 0/1 labels with a variable for every value, and the published folds."""

    frame: pa.Table
    names: tuple[str, ...]
    labels: IntArray
    folds: IntArray

    @classmethod
    def load(cls, context: Context) -> Sales:
        """Read the data set."""
        columns, values, folds = datasets.renault(context.data)
        frame = pa.table(dict(zip(columns, values.T.tolist(), strict=True)))
        table = Sales.table(frame)
        return cls(frame, table.schema.variables.names, table.labels(), folds)

    @staticmethod
    def table(frame: pa.Table) -> unwritten.Table:
        """Sales with a variable for every value, also where there are only 0 and 1."""
        return unwritten.Table.of(frame, dict.fromkeys(frame.column_names, "category"))

    def mined(self, way: Way, rows: BoolArray) -> Model:
        """The model of some of the sales."""
        return unwritten.mine(self.table(self.frame.filter(pa.array(rows))), confidence=way.confidence)


def run(context: Context) -> Result:
    """Every fold held out once, each way; then what the manufacturer says of the rules of all sales."""
    result = Result("renault", "Rules of car sales, on sales held out and beside the manufacturer's")
    sales = Sales.load(context)
    ways = context.pick((EVERY,), (EVERY, SHUFFLED, *SURER))
    folds = np.unique(sales.folds).tolist()
    # the first two folds happen to lose nothing
    result.facts |= {"folds": context.pick(folds[2:4], folds), "lost per fold": {}, "broken": {}}
    maker = Manufacturer(datasets.renault_constraints(context.data), sales.frame.column_names)
    for way in ways:
        models = _cross_validated(context, result, sales, way)
        if way == EVERY:
            context.say(f"{way.name}: asking the manufacturer")
            whole = models[0] if context.quick else sales.mined(way, np.ones(len(sales.labels), bool))
            _ask(context, result, maker, way, whole)
            if not context.quick:
                _pairs(result, maker, sales, way, whole)
    _add_notes(context, result, sales)
    _draw(context, result, [way for way in ways if way not in SURER])
    return result


def _cross_validated(context: Context, result: Result, sales: Sales, way: Way) -> list[Model]:
    """The models without each fold, and the means of their numbers on it."""
    folds = np.random.default_rng(context.seed).permutation(sales.folds) if way.shuffled else sales.folds
    numbers: dict[tuple[str, str], list[float]] = defaultdict(list)
    models = []
    for fold in result.facts["folds"]:
        context.say(f"{way.name}: fold {fold}")
        models.append(sales.mined(way, folds != fold))
        mined = models[-1].rules.by_origin(MINED)
        held = _encoded(models[-1], sales.frame.filter(pa.array(folds == fold)))
        by_sale, by_kind = mined.violations(held), mined.violations(_kinds_of_sale(held))
        kinds = _kinds(mined)
        for kind in KINDS:
            chosen = (kinds == kind) | (kind == ALL)
            numbers[kind, COUNT].append(float(chosen.sum()))
            numbers[kind, BROKEN].append(float(by_sale[:, chosen].any(axis=0).sum()))
            numbers[kind, LOST].append(100 * float(by_sale[:, chosen].any(axis=1).mean()))
            numbers[kind, KINDS_LOST].append(100 * float(by_kind[:, chosen].any(axis=1).mean()))
        broken = mined[np.flatnonzero(by_sale.any(axis=0))]
        result.facts["broken"].setdefault(way.name, []).append([rule.text for rule in broken[:SHOWN]])
    result.facts["lost per fold"][way.name] = numbers[ALL, LOST]
    for (kind, measure), found in numbers.items():
        result.add(way.name, kind, measure, None, float(np.mean(found)), spread=float(np.std(found, ddof=1)))
    return models


def _encoded(model: Model, frame: pa.Table) -> IntArray:
    """Sales as labels of a model; a value that it has never seen is none of its variables."""
    if model.schema is None:
        raise DataError("the model was not mined from a table: mine one")
    return model.schema.encode(frame).labels


def _kinds(rules: RuleSet) -> npt.NDArray[np.str_]:
    """The kind of each rule, all equalities as one."""
    return np.array([EQUALITIES if rule.sense == "==" else rule.kind for rule in rules], str)


def _kinds_of_sale(labels: IntArray) -> IntArray:
    """Each different label once."""
    return distinct(labels, np.ones(len(labels), np.int64))[0]


def _ask(context: Context, result: Result, maker: Manufacturer, way: Way, model: Model) -> None:
    """The share of the mined rules that hold in every van that can be made."""
    rules = model.rules.by_origin(MINED)
    if context.quick:
        rules = rules[np.random.default_rng(context.seed).choice(len(rules), min(SAMPLE, len(rules)), replace=False)]
    implied, kinds = maker.implies(rules), _kinds(rules)
    for kind in KINDS:
        chosen = (kinds == kind) | (kind == ALL)
        if chosen.any():
            result.add(way.name, kind, IMPLIED, None, 100 * float(implied[chosen].mean()))
    result.facts.setdefault("asked", {})[way.name] = len(rules)
    result.facts.setdefault("not implied", {})[way.name] = [rule.text for rule in rules[~implied]]


def _pairs(result: Result, maker: Manufacturer, sales: Sales, way: Way, model: Model) -> None:
    """Of the pairs of values that no van can have, the share that the rules exclude, by unit propagation."""
    rules = model.rules
    column = np.array([name.rpartition("=")[0] for name in sales.names])
    never = np.argwhere(np.triu((sales.labels.T @ sales.labels == 0) & (column[:, None] != column)))
    rows = np.zeros((len(never), len(sales.names)), np.int64)
    rows[np.arange(len(never))[:, None], never] = 1
    impossible = maker.implies(RuleSet.of(rules.variables, [(row, "<=", 1) for row in rows]))
    clauses = Clauses.of(rules, len(sales.names))
    excluded = np.array([clauses.excludes(2 * i, 2 * j) for i, j in never.tolist()], bool)
    result.add(way.name, ALL, FOUND, None, 100 * float(excluded[impossible].mean()))
    result.add(way.name, ALL, RIGHT, None, 100 * float(impossible[excluded].mean()))
    result.facts["pairs"] = {"never sold": len(never), "impossible": int(impossible.sum())}


def _add_notes(context: Context, result: Result, sales: Sales) -> None:
    """What a reader must know, and what was found."""
    kinds = len(_kinds_of_sale(sales.labels))
    lost = result.facts["lost per fold"]
    result.notes += [
        f"{len(sales.labels):,} sales of {kinds} different kinds, {len(sales.names)} values of "
        f"{sales.frame.num_columns} columns; means over {len(lost[EVERY.name])} folds, ± their standard deviation. A "
        "sale is lost if it breaks a mined rule.",
        f"At most {max(lost[EVERY.name]):.2f} % of a fold is lost. A fold keeps equal sales together, and one kind was "
        "sold a hundred times: mining counts it once, for by Good–Turing not nearly all kinds have been seen.",
        "The manufacturer's answers are exact (CP-SAT). A mined rule that is not implied may still be true of what is "
        "sold: a van that could be made, but that nobody ordered."
        + context.pick(f" Here: {SAMPLE} rules of one fold.", " Here: the rules of all sales."),
    ]


def _draw(context: Context, result: Result, ways: list[Way]) -> None:
    """Sales lost in each fold, a bar per way."""
    lost = result.facts["lost per fold"]
    looks = ({"color": "#7fa6c2"}, {"color": "white", "hatch": "////"}, {"color": "#e8e8e8", "hatch": "..."})
    with figure(context, result, "renault") as axes:
        for i, (way, look) in enumerate(zip(ways, looks[: len(ways)], strict=True)):
            places = np.arange(len(lost[way.name])) + (i - (len(ways) - 1) / 2) * 0.28
            axes.bar(places, lost[way.name], 0.28, label=way.name, edgecolor="black", linewidth=0.7, zorder=2, **look)
        axes.axhline(PROMISE, color="black", linestyle="--", linewidth=0.8, label=f"{PROMISE} %")
        axes.set_xticks(range(len(result.facts["folds"])), result.facts["folds"])
        axes.set_xlabel("fold held out")
        axes.set_ylabel("sales that break a mined rule (%)")
        axes.grid(axis="x", visible=False)
        axes.set_ylim(0, 1.3 * max(PROMISE, *lost[EVERY.name]))  # room for the legend
        axes.legend(fontsize=8, ncols=2, loc="upper center")
