"""Database servers, through SQLAlchemy and the driver that a connection string names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from unwritten import budgets
from unwritten.errors import DataError, MissingPackageError
from unwritten.tables.database import Rows, failed
from unwritten.tables.quoting import first_line, shown


def title_of_server(address: str) -> str:
    """Return what to call a database in messages: its kind, host and name, without the user and the password."""
    scheme, _, rest = address.partition("://")
    return shown(f"{scheme}://{rest.rpartition('@')[2].partition('?')[0]}")


def rows_of_server(address: str, title: str) -> Callable[[str], AbstractContextManager[Rows]]:
    """Return a function that runs a query and fetches its rows in chunks."""
    try:
        import sqlalchemy
    except ImportError as error:
        raise MissingPackageError("sqlalchemy", "sql", f"reading {title}") from error
    try:
        engine = sqlalchemy.create_engine(address)
    except sqlalchemy.exc.ArgumentError as error:
        raise DataError(
            f"{title} is not a connection string that SQLAlchemy knows ({first_line(error)}): write e.g. "
            "postgresql+psycopg://user:password@host/name"
        ) from error
    except ImportError as error:
        raise DataError(f"the driver of {title} is not installed ({first_line(error)}): install it with pip") from error

    @contextmanager
    def run(query: str) -> Iterator[Rows]:
        try:
            with engine.connect().execution_options(stream_results=True, no_parameters=True) as connection:
                result = connection.exec_driver_sql(query)
                yield list(result.keys()), iter(lambda: result.fetchmany(budgets.FRAME_BATCH_ROWS), [])
        except sqlalchemy.exc.SQLAlchemyError as error:
            raise failed(title, error) from error
        finally:
            engine.dispose()

    return run
