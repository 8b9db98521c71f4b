"""Miners of facts: one file per kind, on a sample of typed rows; what they find is verified on all rows."""

from unwritten.mining.facts.copied_rows import rest_on_copies
from unwritten.mining.facts.fact_miner import broken_counts, mine_facts
from unwritten.mining.facts.listed_codes import listed_codes
from unwritten.mining.facts.noisy_facts import mine_noisy_facts
from unwritten.mining.facts.rare_values import seen_together
from unwritten.mining.facts.row_sample import Sample, drawn
from unwritten.mining.facts.sessions import accidents

__all__ = [
    "Sample",
    "accidents",
    "broken_counts",
    "drawn",
    "listed_codes",
    "mine_facts",
    "mine_noisy_facts",
    "rest_on_copies",
    "seen_together",
]
