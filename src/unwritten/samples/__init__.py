"""Generators of small data sets to try the library on: Sudoku grids and spanning trees."""
