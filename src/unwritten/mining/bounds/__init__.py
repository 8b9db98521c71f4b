"""Bounds on sums, differences and links that labels alone support, without weights."""
