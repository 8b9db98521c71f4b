"""Columns: one normal form of a row over the columns of a table, used by miners, exports and checks."""
