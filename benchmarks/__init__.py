"""Side-by-side measurements: every speed is a ratio against a named alternative in the same run."""
