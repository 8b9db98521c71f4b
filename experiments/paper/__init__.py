"""The paper's tables and figures, each by one call: `run(context)` in the module of its name."""

from __future__ import annotations

from experiments.paper.result import Context, Result

#: name: what it shows
EXPERIMENTS = {
    "sudoku": "Sudoku, original and permuted, with the paper's baselines",
    "mst": "Spanning trees: NN, Inner, Outer, Outer+EQ at 10k and 20k examples",
    "hmc": "ImCLEF07A: all base models, with and without mined rules",
    "sizes": "Sizes of the inner and outer polytope, with Lemma 3",
    "runtime": "Training and query times, beside the paper's way in the same run",
    "scaling": "Query time against the number of variables",
    "mipgap": "Accuracy and time against the MIP gap",
}


__all__ = ["EXPERIMENTS", "Context", "Result"]
