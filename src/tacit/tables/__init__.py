"""Tables in: columns of any kind become variables with an exact, reversible encoding, read in batches."""

from tacit.tables.column import MISSING, Column
from tacit.tables.schema import Encoded, Schema
from tacit.tables.source import Source, source_of, standard_input
from tacit.tables.table import Progress, Table, encoded_batches, silent

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
