"""Limits: the few inequalities behind optimal decisions."""
