"""Pairs: exclusions, implications and "one of two" rules between 0/1 columns."""
