"""Capacities: limits on weighted sums whose weights are unknown, learned from labels alone."""
