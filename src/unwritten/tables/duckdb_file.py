"""DuckDB files, locked: a query reads this file and nothing else, whatever the file or the query says."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from unwritten import budgets
from unwritten.errors import MissingPackageError
from unwritten.tables.query_rows import Rows, Run, failed, not_reading, rows_of

TABLES = (
    "SELECT schema_name, table_name, 'table' FROM duckdb_tables() WHERE NOT internal UNION ALL "
    "SELECT schema_name, view_name, 'view' FROM duckdb_views() WHERE NOT internal"
)


def lock() -> dict[str, Any]:
    """Return the settings of a DuckDB that reaches no file, network, extension or variable of Python."""
    return {
        "enable_external_access": False,
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "allow_community_extensions": False,
        "allow_persistent_secrets": False,  # they are files in the home folder
        "python_enable_replacements": False,  # a name of a table could mean a variable
        "temp_directory": "",
        "memory_limit": f"{budgets.DATABASE_MEMORY_BYTES >> 20}MiB",
        "lock_configuration": True,
    }


def duckdb_rows(place: str, title: str) -> Run:
    """Return a function that runs a query on a DuckDB file, or on an empty database in memory."""
    try:
        import duckdb
    except ImportError as error:
        raise MissingPackageError("duckdb", "duckdb", f"reading {title}") from error
    path = str(Path(place).absolute()) if place else ":memory:"  # "md:x" would be a name on a network

    @contextmanager
    def run(query: str) -> Iterator[Rows]:
        try:
            with duckdb.connect(path, read_only=bool(place), config=lock()) as connection:
                statements = connection.extract_statements(query)
                if [statement.type for statement in statements] != [duckdb.StatementType.SELECT]:
                    raise not_reading(title, "is another statement, or more than one")
                yield rows_of(connection.execute(statements[0]))
        except duckdb.Error as error:
            raise failed(title, error, f"{Path(path).parent}{os.sep}" if place else "") from error

    return run
