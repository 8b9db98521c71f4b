"""Calibration: does what we say hold? Laws without rules, real tables, and families with known rules."""
