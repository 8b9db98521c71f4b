"""Generators of small data sets to try the library on: Sudoku grids, spanning trees, and tables."""
