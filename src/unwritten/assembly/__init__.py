"""Assembly: from examples, their tally, a table, a stream or partitions to a model."""

from unwritten.assembly.assemble import chosen_miners, mine_tally
from unwritten.assembly.cluster import computed, mine_distributed, stays_apart
from unwritten.assembly.from_table import mine_table
from unwritten.assembly.noisy import mine_noisy, noise_rate
from unwritten.assembly.stream import mine_stream

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
