"""Stop commands, engines and solvers at random moments: how long until they end, and what do they leave?

    python tests/interrupting.py [--moments N] [--seed S] [--quick] [--only NAME]

A command gets Ctrl-C, SIGTERM or SIGHUP; a program that uses the library gets Ctrl-C while it decides. Each must end
within a second, a command with exit code 130, 143 or 129 and without a traceback, and nothing may be left in its folder
or among temporary files. A busy machine takes longer, so the load is printed too.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

SECOND = 1.0  # in which everything must end
LONGEST = 2.5  # seconds after which a case is interrupted at the latest
FIRST = 0.08  # seconds that Python itself may take to start
HANG = 60.0  # seconds after which a process counts as hung
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

#: Each name has the arguments of a command that takes long; `<` names its standard input.
COMMANDS = {
    "demo": ["demo"],
    "many puzzles": ["demo", "puzzle", "--grids", "100000"],
    "mine": ["mine", "big.csv", "-o", "out.rules"],
    "mine a pipe": ["mine", "-", "-o", "out.rules", "<big.csv"],
    "mine a query": ["mine", "sqlite:///big.db?query=SELECT * FROM t", "-o", "out.rules"],
    "check": ["check", "small.rules", "big.csv"],
    "check without end": ["check", "small.rules", "-", "<zero"],
    "report": ["report", "small.rules", "--table", "big.csv", "-o", "out.html"],
    "export": ["export", "small.rules", "--to", "sql", "-o", "out.sql"],
    "solve, highs": ["solve", "hard.rules", "wishes.csv", "--engine", "lazy", "--backend", "highs"],
    "solve, scipy": ["solve", "hard.rules", "wishes.csv", "--engine", "lazy", "--backend", "scipy"],
    "solve, cpsat": ["solve", "hard.rules", "wishes.csv", "--engine", "lazy", "--backend", "cpsat"],
    "solve, scip": ["solve", "hard.rules", "wishes.csv", "--engine", "monolithic", "--backend", "scip"],
    "solve, gurobi": ["solve", "hard.rules", "wishes.csv", "--engine", "lazy", "--backend", "gurobi"],
    "solve, explicit": ["solve", "wide.rules", "wishes.csv", "--engine", "explicit"],
}
ENGINES = [
    *(
        (engine, solver)
        for engine in ("lazy", "monolithic")
        for solver in ("highs", "scipy", "cpsat", "scip", "gurobi")
    ),
    ("best-first", "auto"),
    ("explicit", "auto"),
    ("groups", "auto"),
    ("auto", "auto"),
]
LIBRARY = """
import sys, numpy as np, unwritten
model = unwritten.load("wide.rules" if sys.argv[1] in ("explicit", "groups") else "hard.rules")
queries = np.random.default_rng(1).normal(10, 1, (200, len(model.variables)))
print("running", flush=True)
while True:
    model.decide(queries, engine=sys.argv[1], backend=sys.argv[2], n_jobs=int(sys.argv[3]))
"""
FILES = """
import numpy as np, unwritten
from unwritten.samples import sample_csv
rng = np.random.default_rng(0)
open("small.csv", "w").write(sample_csv("orders"))
unwritten.mine("small.csv").save("small.rules")
weights = rng.integers(1, 10**6, (40, 60))
rows = [(row, "<=", int(row.sum() // 2)) for row in weights]
names = [f"y{j}" for j in range(60)]
mined = unwritten.mine(np.zeros((2, 60), int), rules=[], bounds=(0, 1), names=names)
mined.with_rules(rows).save("hard.rules")
pairs = [np.isin(np.arange(60), rng.choice(60, 6, False)).astype(int) for _ in range(30)]
mined.with_rules([(row, "<=", 2) for row in pairs]).save("wide.rules")
with open("wishes.csv", "w") as file:
    file.write(",".join(names) + "\\n")
    for _ in range(20):
        file.write(",".join(f"{w:.4f}" for w in rng.normal(10, 1, 60)) + "\\n")
"""


@dataclass
class Outcome:
    """What the runs of one case did."""

    seconds: list[float] = field(default_factory=list)
    codes: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def prepare(folder: Path, rows: int = 300_000) -> None:
    """Write the files that the cases read."""
    subprocess.run([sys.executable, "-c", FILES], cwd=folder, check=True)
    head, *lines = (folder / "small.csv").read_text().splitlines()
    with open(folder / "big.csv", "w") as file:
        file.write(head + "\n")
        for start in range(0, rows, len(lines)):
            file.write("\n".join(line.replace("-0", f"-{start}0", 1) for line in lines) + "\n")
    with sqlite3.connect(folder / "big.db") as base:
        base.execute("create table t (a, b, c)")
        base.executemany("insert into t values (?, ?, ?)", ((k, k % 7, str(k % 11)) for k in range(rows)))
    base.close()


def interrupt(name: str, folder: Path, rng: random.Random, outcome: Outcome) -> None:
    """Run one case, stop it at a random moment, and note what happened."""
    library = name not in COMMANDS
    number = signal.SIGINT if library else rng.choice(SIGNALS)
    source = subprocess.DEVNULL
    if library:
        engine, solver, jobs = name.split(" ")[:3]
        command = [sys.executable, "-c", LIBRARY, engine, solver, jobs]
    else:
        command = [sys.executable, "-m", "unwritten", *(word for word in COMMANDS[name] if word[0] != "<")]
        source = next(
            (os.open("/dev/zero" if word == "<zero" else folder / word[1:], os.O_RDONLY) for word in COMMANDS[name]
             if word[0] == "<"),
            source,
        )  # fmt: skip
    with tempfile.TemporaryDirectory() as spools:
        before = set(os.listdir(folder))
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=source,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"TMPDIR": spools},
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 ignored in the background
        )
        assert process.stdout
        if library:
            process.stdout.readline()
        moment = rng.uniform(FIRST, LONGEST)
        time.sleep(moment)
        over = process.poll() is not None
        began = time.monotonic()
        process.send_signal(number)
        try:
            out, errors = process.communicate(timeout=HANG)
        except subprocess.TimeoutExpired:
            process.kill()
            out, errors = process.communicate()
        if source >= 0:
            os.close(source)
        if not over:
            outcome.seconds.append(time.monotonic() - began)
        outcome.codes["over" if over else str(process.returncode)] += 1
        left = [*os.listdir(spools), *sorted(set(os.listdir(folder)) - before)]
        if over:
            left = [path for path in left if not path.startswith("out.")]
        for path in set(os.listdir(folder)) - before:
            (folder / path).unlink()
    at = f"{signal.Signals(number).name} after {moment:.2f} s"
    expected = -signal.SIGINT if library else 128 + number
    if not over and process.returncode != expected:
        outcome.faults.append(f"{at}: exit code {process.returncode}, {out[-200:]!r} {errors[-300:]!r}")
    if "Traceback" in errors and not (library and errors.rstrip().endswith("KeyboardInterrupt")):
        outcome.faults.append(f"{at}: a traceback: {errors[-300:]!r}")
    if left:
        outcome.faults.append(f"{at}: left {left}")


def run(moments: int, seed: int, only: str = "", rows: int = 300_000) -> dict[str, Outcome]:
    """Interrupt all cases in turn until there were so many moments."""
    rng = random.Random(seed)
    names = [*COMMANDS, *(f"{engine} {solver} {jobs}" for engine, solver in ENGINES for jobs in (1, 2))]
    names = [name for name in names if only in name]
    outcomes: dict[str, Outcome] = defaultdict(Outcome)
    with tempfile.TemporaryDirectory() as place:
        prepare(Path(place), rows)
        for k in range(moments):
            name = names[k % len(names)]
            interrupt(name, Path(place), rng, outcomes[name])
    return outcomes


def main() -> None:
    """Print a table of latencies, and every fault."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--moments", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--quick", action="store_true", help="one moment for each case")
    options = parser.parse_args()
    load = os.getloadavg()[0]
    moments = len(COMMANDS) + 2 * len(ENGINES) if options.quick else options.moments
    outcomes = run(moments, options.seed, options.only)
    print(f"{'case':<24} {'runs':>4} {'worst':>7} {'mean':>7}  exit codes")
    for name, outcome in outcomes.items():
        seconds = outcome.seconds or [0.0]
        codes = ", ".join(f"{code} ×{count}" for code, count in outcome.codes.items())
        mean = sum(seconds) / len(seconds)
        print(f"{name:<24} {sum(outcome.codes.values()):>4} {max(seconds):>5.2f} s {mean:>5.2f} s  {codes}")
    everything = [second for outcome in outcomes.values() for second in outcome.seconds]
    faults = [f"{name}: {fault}" for name, outcome in outcomes.items() for fault in outcome.faults]
    late = sum(second > SECOND for second in everything)
    print(
        f"worst {max(everything):.2f} s, {late} of {len(everything)} above {SECOND:g} s; {len(faults)} faults; ", end=""
    )
    print(f"load {load:.1f} before and {os.getloadavg()[0]:.1f} after, {os.cpu_count()} cores")
    print("\n".join(faults))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
