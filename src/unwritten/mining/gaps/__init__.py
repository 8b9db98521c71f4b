"""Gaps: values that the difference of two integer columns never takes, such as 0 for "x ≠ y"."""

from unwritten.mining.gaps.gap_miner import GapMiner

__all__ = ["GapMiner"]
