"""Try one problem: `python -m experiments.families.one NAME [--n 500] [--seed 0] [--encoding 0/1] [--fresh 10000]`.

Prints the measures of each encoding and what was mined. Without a name, lists the problems.
"""

from __future__ import annotations

import argparse
import sys

from experiments.families.catalogue import NAMES, problem_named
from experiments.families.measure import measured, mined, trial

SHOWN = 60  # sentences


def main() -> None:
    """Read the command line, and try a problem."""
    parser = argparse.ArgumentParser(prog="python -m experiments.families.one")
    parser.add_argument("name", nargs="?", choices=NAMES)
    parser.add_argument("--n", type=int, default=500, help="training labels, at most 500")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--fresh", type=int, default=10_000, help="held-out solutions")
    parser.add_argument("--encoding", choices=("0/1", "integers"), help="both by default")
    parser.add_argument("--silent", action="store_true", help="only the measures")
    given = parser.parse_args()
    if given.name is None:
        sys.stdout.write("\n".join(NAMES) + "\n")
        return
    for encoding in problem_named(given.name, given.seed).encodings:
        if given.encoding not in (None, encoding):
            continue
        case = trial(given.name, encoding, given.seed, given.fresh)
        model, seconds = mined(case, given.n)
        outcome = measured(case, model, seconds)
        sys.stdout.write(
            f"{given.name} {encoding} d={case.train.shape[1]} n={given.n} seed={given.seed}: "
            f"accepted {outcome.accepted:.4f}, rejected {_text(outcome.rejected)} "
            f"(changed values {_text(outcome.rejected_values)}), swaps {_text(outcome.rejected_swaps)}, "
            f"false {outcome.false} of {outcome.rules} rules, {outcome.sentences} sentences, {seconds:.2f} s\n"
        )
        if not given.silent:
            broken = model.check(case.fresh).violations.sum(axis=0)
            lines = [f"  {sentence.text}" for sentence in model.sentences[:SHOWN]]
            lines += [f"  … and {len(model.sentences) - SHOWN} more"] if len(model.sentences) > SHOWN else []
            lines += [
                f"  FALSE, broken by {times}: {rule}" for rule, times in zip(model.rules, broken, strict=True) if times
            ]
            lines += [f"  doubtful: {sentence.text}" for sentence in model.doubtful_sentences[:SHOWN]]
            lines += [f"  note: {note}" for note in model.notes]
            sys.stdout.write("\n".join(lines) + "\n")


def _text(share: float | None) -> str:
    return "–" if share is None else f"{share:.4f}"


if __name__ == "__main__":
    main()
