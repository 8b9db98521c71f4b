"""Calibration: does what is said of a rule come true? Laws without rules, families with rules, real tables; power."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from experiments.calibration import figures, power
from experiments.calibration.aside import FAMILIES_ASIDE
from experiments.calibration.families import FAMILIES, Family
from experiments.calibration.law_runs import ALL_LAWS, EXAMPLES, LAW_FRESH, OFTEN, LawRun, Noise, law_run
from experiments.calibration.laws import DEPENDENT_ROWS
from experiments.calibration.outcomes import Outcome
from experiments.calibration.real_tables import ASIDE, BUNDLED, USED, Load, read_tables
from experiments.calibration.reliability import FRESH, SIZES, bins_of, family_outcomes, table_outcomes
from experiments.parallel import run_each
from experiments.result import Result, RunContext

CLEAN, AUTO = "mine(labels)", 'mine(labels, noise="auto")'
MODELS: dict[str, Noise] = {CLEAN: 0.0, AUTO: "auto"}
FALSE, BAD, ABOVE = "runs with a false rule (%)", "with one that over 1 % break (%)", "with a bound exceeded (%)"
RULES, LOST = "rules per run", "the most fresh labels lost"
STATED, OBSERVED, BY_SOURCE, COUNT = "stated (%)", "observed (%)", "observed, each source alike (%)", "rules in the bin"
FAMILY_BINS, TABLE_BINS = "generated families", "real tables"
FAMILY_BINS_ASIDE, TABLE_BINS_ASIDE = "families kept aside", "tables kept aside"
ROWS = (300, 3_000)  # the most rows of a real table that are mined
FEW_RULES = 100  # a bin with fewer rules says little


def run(context: RunContext) -> Result:
    """Measure how often false rules are stated, whether stated confidence is observed, and what is still found."""
    result = Result("calibration", "Calibration: what is said of a rule, and what comes true")
    _laws(context, result)
    families = _of_families(context, FAMILY_BINS, FAMILIES)
    _reliability(result, FAMILY_BINS, families)
    _reliability(result, FAMILY_BINS_ASIDE, _of_families(context, FAMILY_BINS_ASIDE, context.pick({}, FAMILIES_ASIDE)))
    _reliability(result, TABLE_BINS, _of_tables(context, result, TABLE_BINS, context.pick(BUNDLED, USED)))
    _reliability(result, TABLE_BINS_ASIDE, _of_tables(context, result, TABLE_BINS_ASIDE, context.pick({}, ASIDE)))
    _by_size(result, families)
    _power(context, result)
    figures.laws(context, result, tuple(MODELS), BAD)
    figures.reliability(context, result, (FAMILY_BINS, TABLE_BINS), (FAMILY_BINS_ASIDE, TABLE_BINS_ASIDE))
    return result


def _laws(context: RunContext, result: Result) -> None:
    """Mine laws that have no rule."""
    runs, fresh, most = context.pick(1, 200), context.pick(5_000, LAW_FRESH), context.pick(200, EXAMPLES[1])
    result.facts["laws"] = {}
    pairs = [(name, model) for name in ALL_LAWS for model in MODELS]
    every = [(name, (context.seed, k), MODELS[model], fresh, most) for name, model in pairs for k in range(runs)]
    made = run_each(context, "laws without rules", law_run, every)
    for i, (name, model) in enumerate(pairs):
        _add_law(result, name, model, made[i * runs : (i + 1) * runs])
    worst = {
        model: max((result.ours(name, model, BAD), name) for name in ALL_LAWS if name not in DEPENDENT_ROWS)
        for model in MODELS
    }
    result.notes.append(
        f"{runs} runs of each law, 20 to {most:,} examples, 5 to 60 columns; no law has a rule, so every stated rule "
        f"is false. It breaks on some of {fresh:,} fresh labels unless it breaks very rarely. Largest share of runs "
        "with a rule that over 1 % of fresh labels break, for laws with independent rows: "
        + "; ".join(f"{share:.1f} % ({name}) for {model}" for model, (share, name) in worst.items())
        + "."
    )


def _add_law(result: Result, name: str, model: str, made: Sequence[LawRun]) -> None:
    counts = {
        FALSE: sum(run.false > 0 for run in made),
        BAD: sum(run.bad > 0 for run in made),
        ABOVE: sum(run.above_bound > 0 for run in made),
    }
    for measure, count in counts.items():
        result.add(name, model, measure, None, 100 * count / len(made))
    result.add(name, model, RULES, None, sum(run.rules for run in made) / len(made))
    result.facts["laws"].setdefault(name, {})[model] = {"runs": len(made), **counts, LOST: max(r.lost for r in made)}


def _of_families(context: RunContext, what: str, families: dict[str, Family]) -> list[Outcome]:
    sizes, fresh = context.pick((100,), SIZES), context.pick(2_000, FRESH)
    every = [(name, (context.seed, k), sizes, fresh) for name in families for k in range(context.pick(1, 4))]
    return list(chain.from_iterable(run_each(context, what, family_outcomes, every)))


def _of_tables(context: RunContext, result: Result, what: str, wanted: dict[str, Load]) -> list[Outcome]:
    tables, absent = read_tables(context.data, wanted)
    every = [
        (name, table, size, (context.seed, 0))
        for name, table in tables.items()
        for size in sorted({min(len(table) // 2, most) for most in ROWS})
    ]
    result.facts[f"{what}, read"], result.facts[f"{what}, absent"] = list(tables), absent
    if absent:
        result.notes.append(f"{len(absent)} of the {what} are absent: {', '.join(absent)}.")
    return list(chain.from_iterable(run_each(context, what, table_outcomes, every)))


def _reliability(result: Result, case: str, found: list[Outcome]) -> None:
    """Add what was stated beside what was observed, by bins of stated confidence, and by numbers of examples."""
    made = bins_of(found)
    for each in made:
        result.add(case, each.name, STATED, None, 100 * each.stated)
        result.add(case, each.name, OBSERVED, None, 100 * each.observed)
        result.add(case, each.name, BY_SOURCE, None, 100 * each.observed_by_source)
        result.add(case, each.name, COUNT, None, each.rules)
    above = sum(each.exceeds_bound for each in found)
    result.facts[case] = {
        "bins": [vars(each) for each in made],
        "rules": len(found),
        "above bound": above,
        "by kind": _stated_and_broken(found, "kind"),
        "by source": _stated_and_broken(found, "source"),
    }
    gaps = [(100 * each.gap, each.name) for each in made if each.rules >= FEW_RULES]
    worst = (
        f"; the largest gap in a bin of {FEW_RULES} rules is {max(gaps)[0]:.1f} points ({max(gaps)[1]})" if gaps else ""
    )
    false = sum(not each.holds for each in found)
    result.notes.append(
        f"{case.capitalize()}: {len(found):,} rules of {len({each.source for each in found})} sources, {false} broken "
        f"by a label that was not mined, {above} broken significantly more often than their bound{worst}."
    )


def _stated_and_broken(found: list[Outcome], part: str) -> dict[str, list[int]]:
    """Count the rules and the broken ones, by kind or source."""
    counts: dict[str, list[int]] = {}
    for each in found:
        count = counts.setdefault(getattr(each, part), [0, 0])
        count[0] += 1
        count[1] += not each.holds
    return counts


def _by_size(result: Result, found: list[Outcome]) -> None:
    """Add how many rules of the families are stated, and how many are false, by the number of labels."""
    for size in sorted({each.examples for each in found}):
        chosen = [each for each in found if each.examples == size]
        case = f"all families, {size} labels"
        result.add(case, CLEAN, "rules stated", None, len(chosen))
        result.add(case, CLEAN, "broken by a fresh label", None, sum(not each.holds for each in chosen))
        result.add(case, CLEAN, "by over 1 % of them", None, sum(each.rate > OFTEN for each in chosen))


def _power(context: RunContext, result: Result) -> None:
    """Add what is found of what is known to be true."""
    found = power.measure(context)
    result.rows += [row for row in found.rows if not row.measure.startswith("s to mine")]
    result.notes += found.notes
    result.facts["power"] = found.facts
