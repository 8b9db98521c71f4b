"""Measurements: every speed is shown beside that of a named alternative in the same run."""
