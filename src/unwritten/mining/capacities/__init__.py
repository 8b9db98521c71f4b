"""Capacities: bounds on sums with unknown coefficients, learned from labels alone."""
