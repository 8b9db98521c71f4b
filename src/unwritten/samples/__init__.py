"""Samples: generated tables, Sudoku grids and spanning trees, and the demo."""

from unwritten.samples.sample_tables import SampleName, sample_csv, sample_rows

__all__ = ["SampleName", "sample_csv", "sample_rows"]
