"""Tables in: columns of any kind become variables through an exact, reversible encoding, read in batches."""

from unwritten.tables.column import MISSING, Column
from unwritten.tables.read_options import USUAL_MISSING, ReadOptions
from unwritten.tables.schema import Encoded, Schema
from unwritten.tables.table import Table, encoded_batches
from unwritten.tables.table_opening import open_table, standard_input
from unwritten.tables.table_reader import TableReader

__all__ = [
    "MISSING",
    "USUAL_MISSING",
    "Column",
    "Encoded",
    "ReadOptions",
    "Schema",
    "Table",
    "TableReader",
    "encoded_batches",
    "open_table",
    "standard_input",
]
