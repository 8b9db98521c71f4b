"""Assembly: from examples, their tally, a table, a stream or partitions to a model."""

from tacit.assembly.assemble import chosen_miners, mine_tally
from tacit.assembly.cluster import computed, mine_distributed, stays_apart
from tacit.assembly.from_table import mine_table
from tacit.assembly.noisy import mine_noisy, noise_rate
from tacit.assembly.stream import mine_stream

__all__ = [
    "chosen_miners",
    "computed",
    "mine_distributed",
    "mine_noisy",
    "mine_stream",
    "mine_table",
    "mine_tally",
    "noise_rate",
    "stays_apart",
]
