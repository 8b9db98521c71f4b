"""Compare what is mined from ImCLEF07A with the rules of the paper's appendix, in exact arithmetic."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import unwritten
from experiments.result import Result
from unwritten.data import IntArray
from unwritten.rules import DEFINITION


def prove(result: Result, paths: IntArray, equal: unwritten.Model, latent: unwritten.Model) -> None:
    """Add facts on which rules imply which, on their ranks and on the integer points that obey them."""
    written = _appendix(latent)
    appendix = latent.rules.by_origin(DEFINITION) + written
    points = {
        "mined": equal.labels(),
        "mined with latents": latent.labels(),
        "appendix": replace(latent, rules=appendix).labels(),
    }
    comparison = latent.rules.compare(appendix)
    result.facts |= {
        "paths": len(paths),
        "mined rules": [rule.text for rule in equal.rules],
        "rules of the appendix": len(written),
        "of these implied by what is mined": int(latent.rules.implied(written.rows).sum()),
        "mined rows that the appendix does not imply": len(comparison.extra),
        "rank of the mined equalities": equal.rules.rank,
        "rank mined with latents": latent.rules.rank,
        "rank of the appendix": appendix.rank,
        "integer points": {kind: len(labels) for kind, labels in points.items()},
        "integer points are the paths": all(np.array_equal(labels, paths) for labels in points.values()),
    }
    case = "rules"
    result.add(case, "mined, with definitions", "rank", None, latent.rules.rank)
    result.add(case, "appendix, with definitions", "rank", None, appendix.rank)


def _appendix(model: unwritten.Model) -> unwritten.RuleSet:
    """Return the rules of the paper's appendix: each layer sums to 1, and a class requires its parent."""
    names = model.variables.names
    rows: list[tuple[object, str, object]] = [
        ({name: 1 for name in names if name.count("/") == depth}, "==", 1) for depth in range(3)
    ]
    for name in names:
        if "/" in name:
            parent = name.rsplit("/", 1)[0]
            order = f"[¬{parent}∧{name}]", f"[{name}∧¬{parent}]"  # the name of a pair begins with the earlier variable
            rows.append(({order[names.index(parent) > names.index(name)]: 1}, "==", 0))
    return unwritten.RuleSet.of(model.extended, rows)
