"""Unwritten on the same rows, in a process of its own: mined by default options, and checked."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from time import perf_counter

import unwritten
from benchmarks.real.measure import FILES
from unwritten.errors import UnwrittenError

SURE = 0.99


def main(folder: Path) -> None:
    """Mine the training rows, check the other files, and write what was found."""
    start = perf_counter()
    try:
        model = unwritten.mine(str(folder / "train.csv"))
        sentences = model.sentences
    except UnwrittenError as error:
        outcome = {"refused": str(error), "seconds": perf_counter() - start}
        (folder / "unwritten.json").write_text(json.dumps(outcome), encoding="utf-8")
        return
    mined = perf_counter()
    checks = {file: model.check(str(folder / f"{file}.csv")) for file in FILES}
    sure = {sentence.id for sentence in sentences if sentence.confidence is not None and sentence.confidence >= SURE}
    broken = {sentence.id for finding in checks["held-out"].findings for sentence in finding.broken}
    peak = re.search(r"VmHWM:\s*(\d+)", Path("/proc/self/status").read_text(encoding="utf-8"))
    outcome = {
        "seconds": mined - start,
        "check_seconds": perf_counter() - mined,
        "peak_gib": int(peak[1]) / 2**20 if peak else None,
        "rules": len(sentences),
        "sure": len(sure),
        "sure_broken": len(sure & broken),
        "broken": [sentence.text for sentence in sentences if sentence.id in broken],
        "texts": [sentence.text for sentence in sentences],
        "alarms": {file: [finding.row - 1 for finding in check.findings] for file, check in checks.items()},
        "rule_alarms": {
            file: [finding.row - 1 for finding in check.findings if finding.broken] for file, check in checks.items()
        },
    }
    (folder / "unwritten.json").write_text(json.dumps(outcome), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
