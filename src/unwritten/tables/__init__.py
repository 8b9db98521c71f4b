"""Tables in: columns of any kind become variables with an exact, reversible encoding, read in batches."""

from unwritten.tables.column import MISSING, Column
from unwritten.tables.schema import Encoded, Schema
from unwritten.tables.source import Source, source_of, standard_input
from unwritten.tables.table import Progress, Table, encoded_batches, silent

__all__ = [
    "MISSING",
    "Column",
    "Encoded",
    "Progress",
    "Schema",
    "Source",
    "Table",
    "encoded_batches",
    "silent",
    "source_of",
    "standard_input",
]
