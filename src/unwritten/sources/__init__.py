"""Sources: where examples come from (arrays, tables, batches, Dask), behind one protocol."""

from unwritten.sources.checkpoint import Checkpoint
from unwritten.sources.example_source import ExampleSource, Gathered
from unwritten.sources.opening import open_source

__all__ = ["Checkpoint", "ExampleSource", "Gathered", "open_source"]
