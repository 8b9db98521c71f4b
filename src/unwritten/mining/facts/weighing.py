"""Weighing: the evidence of a fact.

A fact that no row breaks may still be broken by rows to come. Two things are weighed:

- Let half of all candidates be rules, and let the others be broken by a share of rows of which nothing is known. If a
  candidate could have failed in m rows and did not, it is no rule with probability 1/(m + 2).
- Candidates of the same kind that few rows break show how common small shares of exceptions are. Let these shares be
  spread evenly over orders of magnitude. Of c candidates that between one row and one in a hundred of n rows break,
  there are c / ln(n/100) for each unit of the logarithm, and ln(3/2) times as many have no exception in n rows but one
  in the next n/2. Divided by the number of facts, that is the doubt in each.
"""

from __future__ import annotations

from math import exp, log

from unwritten.rules.rule import Evidence

NEAR = 0.01
"""Share of rows that may break a candidate which counts as nearly a fact."""

SOON = log(1.5)  # orders of magnitude, as a logarithm, of shares that show in the next half of the rows


def evidence_of(trials: float, nats: float, price: float, doubt: float = 0.0) -> Evidence:
    """Return the evidence of a fact.

    Parameters
    ----------
    trials
        Rows in which the fact could have failed.
    nats
        How much better the fact explains them than chance does, before the price.
    price
        The logarithm of the number of candidates.
    doubt
        The probability that rows to come break it, as far as other candidates show that.
    """
    examples = max(1, int(trials))
    chance = exp(-max(0.0, nats) / examples)
    doubted = min(1.0, 1.0 / (examples + 2.0) + doubt)
    return Evidence(examples, chance=rounded(chance), price=rounded(price), doubt=rounded(doubted))


def doubt_of_kind(near: int, facts: int, rows: int) -> float:
    """Return the doubt in each of some facts if `near` candidates of their kind are nearly facts."""
    return min(1.0, near * SOON / max(1.0, log(max(1.0, NEAR * rows))) / max(1, facts))


def price_of(candidates: float) -> float:
    """Return the price of choosing one of so many candidates."""
    return log(max(1.0, candidates))


def rounded(value: float) -> float:
    """Return a number as it is saved: the last bits of a logarithm differ between processors."""
    return float(f"{value:.12g}")
