"""Miners of facts: one file per kind, on a sample of typed rows; what they find is verified on all rows."""

from unwritten.mining.facts.fact_miner import broken_counts, mine_facts
from unwritten.mining.facts.noisy_facts import mine_noisy_facts

__all__ = ["broken_counts", "mine_facts", "mine_noisy_facts"]
