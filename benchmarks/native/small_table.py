"""A table of 300 orders that obey a few rules, and weights to ask about, as CSV files."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

BODIES = {"small": ("petrol", "electric"), "van": ("petrol", "diesel", "electric"), "truck": ("diesel",)}
GEARBOXES = {"petrol": ("manual", "automatic"), "diesel": ("manual", "automatic"), "electric": ("automatic",)}
COLOURS = ("white", "grey", "red", "blue")


def write_orders(path: Path, rows: int = 300) -> None:
    """Write orders of cars: trucks are diesel, electric cars are automatic and have no tow bar, and a sum holds."""
    rng = np.random.default_rng(0)
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["body", "motor", "gearbox", "colour", "tow_bar", "net", "extras", "total"])
        for _ in range(rows):
            body = str(rng.choice(list(BODIES)))
            motor = str(rng.choice(BODIES[body]))
            gearbox = str(rng.choice(GEARBOXES[motor]))
            tow_bar = "no" if motor == "electric" else str(rng.choice(["yes", "no"]))
            net, extras = int(rng.integers(10, 40)), int(rng.integers(0, 6))
            table.writerow([body, motor, gearbox, str(rng.choice(COLOURS)), tow_bar, net, extras, net + extras])


def write_wishes(path: Path, rows: int = 5) -> None:
    """Write random weights of bodies, motors and gearboxes."""
    rng = np.random.default_rng(1)
    names = [f"body={body}" for body in BODIES] + [f"motor={motor}" for motor in GEARBOXES] + ["gearbox=automatic"]
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(names)
        table.writerows(rng.integers(-5, 6, (rows, len(names))).tolist())
