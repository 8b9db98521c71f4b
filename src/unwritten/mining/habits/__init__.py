"""Habits: what the best choices always do, although nothing shows that they must."""
