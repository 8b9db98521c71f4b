"""The numbers that the paper publishes."""

from __future__ import annotations

SUDOKU_MODELS = ("ConvNet", "ConvNetMask", "SATNet", "Outer+EQ")
#: percentages of training and test puzzles that are right, by order of the cells and model
SUDOKU: dict[str, dict[str, tuple[float, float]]] = {
    "original": {
        "ConvNet": (72.6, 0.04),
        "ConvNetMask": (91.4, 15.1),
        "SATNet": (99.8, 98.3),
        "Outer+EQ": (100, 100),
    },
    "permuted": {"ConvNet": (0, 0), "ConvNetMask": (0.01, 0), "SATNet": (99.7, 98.3), "Outer+EQ": (100, 100)},
}

MST_MEASURES = ("train EM", "test EM", "edge accuracy", "feasibility")
#: percentages in the order of MST_MEASURES, by number of examples and model
MST = {
    10_000: {
        "NN": (8.3, 6.9, 89.3, 12.8),
        "Inner": (100, 41.6, 93.7, 100),
        "Outer": (100, 71.1, 96.1, 71.1),
        "Outer+EQ": (100, 72.9, 96.1, 72.9),
    },
    20_000: {
        "NN": (9.5, 10.4, 91.1, 13.4),
        "Inner": (100, 69.2, 97.0, 100),
        "Outer": (100, 87.2, 98.0, 87.2),
        "Outer+EQ": (100, 91.8, 98.7, 91.8),
    },
}

HMC_MEASURES = ("EM", "feasibility", "label accuracy")
#: percentages in the order of HMC_MEASURES, by method; the paper does not run Outer+EQ
HMC: dict[str, tuple[float | None, ...]] = {
    "Baseline": (62.6, 73.8, 98.92),
    "Inner": (79.8, 100, 98.98),
    "Outer": (71.3, 89.7, 98.85),
    "Outer+EQ": (None, None, None),
    "Outer+Latent": (79.8, 100, 98.98),
}

#: seconds of training and seconds per query, by problem and model
SECONDS = {
    ("MST", "Outer"): (24.1, 7.9),
    ("MST", "Outer+EQ"): (26.5, 3.8),
    ("Sudoku", "Outer+EQ"): (5.2, 1.2),
    ("HMC", "Outer"): (560.3, 1.1),
    ("HMC", "Outer+Latent"): (599.3, 7.1),
}
#: the same for the base network of each problem
NETWORK_SECONDS = {"MST": (190, 5e-4), "Sudoku": (636, 5e-4), "HMC": (44.9, 4e-4)}
