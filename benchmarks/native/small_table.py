"""A table of 300 orders that obey a few rules, and weights to ask about, as CSV files."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

BODIES = {"small": ("petrol", "electric"), "van": ("petrol", "diesel", "electric"), "truck": ("diesel",)}
GEARBOXES = {"petrol": ("manual", "automatic"), "diesel": ("manual", "automatic"), "electric": ("automatic",)}
SEATS = {"small": ("two", "four"), "van": ("four", "seven"), "truck": ("two",)}
COLOURS = ("white", "grey", "red", "blue")


def write_orders(path: Path, rows: int = 300) -> None:
    """Write orders of cars: trucks are diesel with two seats, electric cars are automatic and have no tow bar."""
    rng = np.random.default_rng(0)
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["body", "motor", "gearbox", "seats", "colour", "tow_bar"])
        for _ in range(rows):
            body = str(rng.choice(list(BODIES)))
            motor, seats = str(rng.choice(BODIES[body])), str(rng.choice(SEATS[body]))
            tow_bar = "no" if motor == "electric" else str(rng.choice(["yes", "no"]))
            table.writerow([body, motor, str(rng.choice(GEARBOXES[motor])), seats, str(rng.choice(COLOURS)), tow_bar])


def write_wishes(path: Path, rows: int = 5) -> None:
    """Write random weights of bodies, motors and gearboxes."""
    rng = np.random.default_rng(1)
    names = [f"body={body}" for body in BODIES] + [f"motor={motor}" for motor in GEARBOXES] + ["gearbox=automatic"]
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(names)
        table.writerows(rng.integers(-5, 6, (rows, len(names))).tolist())
