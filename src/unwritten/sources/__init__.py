"""Assembly: from examples, their tally, a table, a stream or partitions to a model."""

from unwritten.sources.assemble import chosen_miners, mine_tally
from unwritten.sources.batches_source import mine_stream
from unwritten.sources.dask_source import computed, mine_distributed, stays_apart
from unwritten.sources.noisy import mine_noisy, noise_rate
from unwritten.sources.table_source import mine_table

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
