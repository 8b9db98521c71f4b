"""Database servers, through SQLAlchemy and the driver that a connection string names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

from unwritten import budgets
from unwritten.errors import DataError, MissingPackageError
from unwritten.tables.one_select import require_one_select
from unwritten.tables.query_rows import Rows, failed, only_table
from unwritten.tables.quoting import first_line, shown

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

#: Parameters that load code, give files of this machine to the server, run a statement, or end the transaction
REFUSED = frozenset(
    ("plugin", "plugin_dir", "lib_dir", "local_infile", "allow_local_infile", "init_command", "autocommit")
)
DRIVER_FILE = re.compile(r"driver\s*=\s*\{?[^;}]*[/\\]", re.IGNORECASE)  # ODBC loads the library of this path
#: The kinds of servers that know SET TRANSACTION READ ONLY
HAVE_READ_ONLY = ("postgresql", "cockroachdb", "redshift", "mysql", "mariadb", "oracle")


def title_of_server(address: str) -> str:
    """Return what to call a database in messages: its kind, host and name, without the user and the password."""
    scheme, _, rest = address.partition("://")
    return shown(f"{scheme}://{rest.rpartition('@')[2].partition('?')[0]}")


class SqlServer:
    """A database behind a connection string, which is only read.

    A query must be one SELECT. It runs in a transaction that cannot write where the server has such, and that is rolled
    back in any case.
    """

    def __init__(self, address: str) -> None:
        self.address, self.title = address, title_of_server(address)

    @contextmanager
    def run(self, query: str) -> Iterator[Rows]:
        """Run a query and fetch its rows in chunks."""
        require_one_select(query, self.title)
        with self._reading() as connection:
            options = connection.execution_options(stream_results=True, no_parameters=True)
            result = options.exec_driver_sql(query)
            yield list(result.keys()), iter(lambda: result.fetchmany(budgets.FRAME_BATCH_ROWS), [])

    def only_table(self) -> str:
        """Return the only table, in the quotes of this database."""
        with self._reading() as connection:
            import sqlalchemy

            about = sqlalchemy.inspect(connection)
            name = only_table(about.get_table_names(), about.get_view_names(), self.title)
            return str(self._engine.dialect.identifier_preparer.quote_identifier(name))

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        engine = self._engine
        import sqlalchemy

        try:
            with self._connected(engine) as connection:
                if engine.dialect.name in HAVE_READ_ONLY:
                    connection.exec_driver_sql("SET TRANSACTION READ ONLY")
                yield connection
                connection.rollback()
        except sqlalchemy.exc.SQLAlchemyError as error:
            raise failed(self.title, error) from error
        finally:
            engine.dispose()

    def _connected(self, engine: Engine) -> Connection:
        try:
            return engine.connect()
        except (TypeError, ValueError, OSError) as error:  # a parameter that the driver does not take, or no network
            raise failed(self.title, error) from error

    @cached_property
    def _engine(self) -> Engine:
        try:
            import sqlalchemy
        except ImportError as error:
            raise MissingPackageError("sqlalchemy", "sql", f"reading {self.title}") from error
        try:
            url = sqlalchemy.make_url(self.address)
        except (sqlalchemy.exc.ArgumentError, ValueError) as error:
            raise self._unknown(error) from error
        _require_harmless(url.query, self.title)
        try:
            return sqlalchemy.create_engine(url)
        except sqlalchemy.exc.ArgumentError as error:
            raise self._unknown(error) from error
        except ImportError as error:
            raise DataError(
                f"the driver of {self.title} is not installed ({first_line(error)}): install it with pip"
            ) from error

    def _unknown(self, error: Exception) -> DataError:
        return DataError(
            f"{self.title} is not a connection string that SQLAlchemy knows ({first_line(error)}): write e.g. "
            "postgresql+psycopg://user:password@host/name"
        )


def _require_harmless(parameters: Any, title: str) -> None:
    """Raise if a parameter of a connection string does more than connect."""
    for name, value in parameters.items():
        if name.lower() in REFUSED or DRIVER_FILE.search(f"{name}={value}") or DRIVER_FILE.search(str(value)):
            raise DataError(
                f"the parameter {shown(name)!r} of {title} loads code or files, or lets a query write: leave it out"
            )
