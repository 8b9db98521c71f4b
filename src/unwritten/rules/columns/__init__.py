"""Columns: rows over the columns of a table, and the one normal form that each of them has."""
