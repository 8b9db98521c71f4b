"""Assembly: from examples, their tally or a table to a model."""

from tacit.assembly.assemble import chosen_miners, mine_tally
from tacit.assembly.from_table import mine_table
from tacit.assembly.noisy import mine_noisy, noise_rate

__all__ = ["chosen_miners", "mine_noisy", "mine_table", "mine_tally", "noise_rate"]
