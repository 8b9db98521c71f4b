"""The jobs of `faults.py`: every command that writes files, over older ones, and a stream with a checkpoint."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np

import unwritten
from unwritten.exports import TARGETS


@dataclass(frozen=True)
class Job:
    """What is run in a folder; whether it prints its result; and which files a failure leaves to go on from."""

    name: str
    run: Callable[[], int]
    prints: bool = False
    may_stay: tuple[str, ...] = ()


def command(line: str) -> Callable[[], int]:
    """Return a function that runs a command, and returns its exit code or raises what it raises."""

    def run() -> int:
        from unwritten.cli import app

        sys.argv = ["unwritten", *shlex.split(line)]
        code = app(standalone_mode=False)
        return code if isinstance(code, int) else 0

    return run


def stream() -> int:
    """Mine weighted batches with a checkpoint after each of them and cuts on disk, and save the model."""
    from unwritten.sources import Checkpoint

    weights = np.random.default_rng(0).normal(size=(60, 6))
    labels = (weights == weights.max(axis=1, keepdims=True)).astype(int)
    batches = [(labels[k : k + 20], weights[k : k + 20]) for k in range(0, 60, 20)]
    checkpoint = Checkpoint("run.rules", every=0)
    unwritten.mine(batches, cuts="cuts.npy", checkpoint=checkpoint, rules=["groups"]).save("m.rules")
    return 0


def write_old_files(folder: Path) -> None:
    """Write the inputs of all jobs, and an older version of every output."""
    folder.mkdir()
    vans = product(["petrol", "diesel", "electric"], ["red", "white", "blue", "grey"], range(2, 7))
    rows = [(fuel, paint, "no" if fuel == "electric" else "yes", n) for fuel, paint, n in vans]
    text = "".join(",".join(map(str, row)) + "\n" for row in [("engine", "paint", "exhaust", "seats"), *rows])
    (folder / "new.csv").write_text(text)
    model = unwritten.mine(str(folder / "new.csv"))
    model.save(folder / "in.rules")
    older = model.without([model.sentences[0].id])
    older.save(folder / "m.rules")
    (folder / "page.html").write_text("an older page")
    for target, writer in TARGETS.items():
        if writer.files is None:
            (folder / f"export.{target}").write_text("an older export")
    older.export("dbt", path=folder / "dbt")
    np.save(folder / "cuts.npy", np.ones((2, 6)))


JOBS = (
    Job("mine", command("mine new.csv -o m.rules --force")),
    Job("checkpoint and cuts", stream, may_stay=("run.rules", ".cuts.npy.part", "cuts.npy")),
    Job("edit", command("edit in.rules --add 'paint = red requires seats = 2' -o m.rules --force")),
    Job("report", command("report in.rules --table new.csv -o page.html --force")),
    Job("sample", command("sample shifts --rows 50 -o page.html --force")),
    *(
        Job(f"export {target}", command(f"export in.rules --to {target} -o export.{target} --force"))
        for target, writer in TARGETS.items()
        if writer.files is None
    ),
    Job("export dbt", command("export in.rules --to dbt -o dbt --force")),
    Job("export dbt anew", command("export in.rules --to dbt -o project/dbt")),
    Job("export printed", command("export in.rules --to sql"), prints=True),
    Job("check printed", command("check in.rules new.csv --json"), prints=True),
    Job("rules printed", command("rules in.rules"), prints=True),
)
