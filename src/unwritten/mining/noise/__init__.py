"""Noise: which examples are probably wrong, so that rules can be mined exactly from the others."""
