"""pandera: the schema that it infers from training rows, and the rows that fail it."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
from common import run


def pandera(train: pd.DataFrame) -> tuple[Callable[[pd.DataFrame], set[int]], int]:
    """Infer type, range and nullability of each column."""
    import pandera.pandas as pp

    schema = pp.infer_schema(train)
    schema.index = None  # the numbers of the rows are no rule
    rules = sum(len(column.checks) + 1 + (not column.nullable) for column in schema.columns.values())

    def check(frame: pd.DataFrame) -> set[int]:
        try:
            schema.validate(frame, lazy=True)
        except pp.errors.SchemaErrors as error:
            places = error.failure_cases["index"].dropna()
            return {int(place) for place in places}
        return set()

    return check, rules


if __name__ == "__main__":
    run("pandera", pandera)
