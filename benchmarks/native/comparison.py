"""The table of `python -m benchmarks native`: this checkout beside the baseline."""

from __future__ import annotations

from contextlib import ExitStack
from time import perf_counter

from benchmarks.native.checkout import WITHOUT_BASELINE, Checkout
from benchmarks.native.cold_start import COMMANDS, cold_starts, import_seconds
from benchmarks.timing import MarkdownTable

CASES = ("sudoku9", "sudoku16", "best-first", "group-search", "set-search", "greedy", "bit-counts", "calls")
QUICK_CASES = ("sudoku9", "greedy")
QUICK_COMMANDS = ("unwritten mine small.csv",)
FEWEST, MOST = 2, 40  # runs of a measure in each version, in turns
PATIENCE = 3.0  # seconds after which a measure gets no more than the fewest runs
FRESH = 2  # fresh environments for each command
SCALES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))


def native(quick: bool) -> MarkdownTable:
    """The compiled kernels, first calls and whole calls, against the version in UNWRITTEN_BASELINE."""
    this, baseline = Checkout.this(), Checkout.baseline()
    checkouts = [this] if baseline is None else [this, baseline]
    for checkout in checkouts:
        checkout.verify()
    table = MarkdownTable("Native kernels" if baseline is None else f"Native kernels against {baseline.commit}")
    for command in QUICK_COMMANDS if quick else COMMANDS:
        add_command(table, command, checkouts, 1 if quick else FRESH)
    add_times(table, "import unwritten", "import", import_seconds(checkouts, 2 if quick else 10))
    for case in QUICK_CASES if quick else CASES:
        add_case(table, case, checkouts, quick)
    if baseline is None:
        table.notes.append(WITHOUT_BASELINE)
    else:
        table.notes.append(
            f"The fastest of {FEWEST} to {MOST} runs each, in turns, on one thread. Ratios are old / new."
        )
    return table


def add_command(table: MarkdownTable, command: str, checkouts: list[Checkout], times: int) -> None:
    """Add the first and a later run of a command, and how much slower the first is."""
    runs = cold_starts(checkouts, command, times)
    same = _same([first.digest for first, _ in runs]) if all(a.digest == b.digest for a, b in runs) else "no"
    add_times(table, f"{command}, first run", "run", [first.wall for first, _ in runs], same)
    add_times(table, f"{command}, later run", "run", [later.wall for _, later in runs], same)
    add_times(table, f"{command}, first run, CPU", "run", [first.cpu for first, _ in runs], same)
    slower = [f"{a.wall / b.wall:.2f} × (CPU {a.cpu / b.cpu:.2f} ×)" for a, b in runs]
    cells = {"new": slower[0], "old": slower[1] if len(slower) > 1 else "–"}
    table.add(case=f"{command}, first / later", per="", **cells, ratio="–", same_answer=same)


def add_case(table: MarkdownTable, case: str, checkouts: list[Checkout], quick: bool) -> None:
    """Set a case up in every checkout, then run each of its measures in turns."""
    with ExitStack() as stack:
        running = [stack.enter_context(checkout.case(case, quick)) for checkout in checkouts]
        measures = [process.measures() for process in running]  # waits until all of them are set up
        for measure, of in measures[0].items():
            patience = 0.0 if quick else PATIENCE
            best, digests = [float("inf")] * len(running), [""] * len(running)
            start, rounds = perf_counter(), 0
            while rounds < (1 if quick else FEWEST) or (rounds < MOST and perf_counter() - start < patience):
                rounds += 1
                for k, process in enumerate(running):
                    seconds, digests[k] = process.run(measure)
                    best[k] = min(best[k], seconds)
            add_times(table, measure, of, best, _same(digests))


def add_times(table: MarkdownTable, case: str, of: str, seconds: list[float], same: str = "–") -> None:
    """Add a row: the seconds of this checkout and, if there is one, of the baseline."""
    new, old = seconds[0], seconds[1] if len(seconds) > 1 else None
    table.add(
        case=case,
        per=of,
        new=_time(new),
        old="–" if old is None else _time(old),
        ratio="–" if old is None else old / new,
        same_answer=same,
    )


def _same(digests: list[str]) -> str:
    """Return whether both versions have the same answer."""
    return "–" if len(digests) < 2 else "yes" if len(set(digests)) == 1 else "no"


def _time(seconds: float) -> str:
    """Write seconds in the largest unit that makes them at least 1."""
    scale, unit = next((pair for pair in SCALES if seconds >= pair[0]), SCALES[-1])
    return f"{seconds / scale:.3g} {unit}"
