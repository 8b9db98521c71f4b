"""Families: classical problems whose rules are mined from solutions alone, without weights."""
