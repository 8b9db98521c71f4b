"""The readers that are fuzzed: each has valid inputs to start from, and a way to change them."""

from attack.readers.archives import (
    checkpoint_made,
    checkpoint_read,
    checkpoint_seeds,
    model_made,
    model_read,
    model_seeds,
)
from attack.readers.common import Fuzzed
from attack.readers.datasets import lines_made, lines_read, xcsp_made, xcsp_read
from attack.readers.doors import doors_made, doors_read, doors_ready
from attack.readers.loaded import loaded_made, loaded_read, parts
from attack.readers.samples import models
from attack.readers.tables import (
    arrow_made,
    arrow_read,
    csv_made,
    csv_read,
    json_made,
    json_read,
    parquet_made,
    parquet_read,
    sqlite_made,
    sqlite_read,
    tables_ready,
    weight_seeds,
    weights_made,
    weights_read,
)
from attack.readers.words import row_made, row_read, rule_made, rule_read

READERS = {
    "csv": Fuzzed(csv_made, csv_read, tables_ready),
    "json": Fuzzed(json_made, json_read, tables_ready),
    "sqlite": Fuzzed(sqlite_made, sqlite_read, tables_ready),
    "parquet": Fuzzed(parquet_made, parquet_read, tables_ready),
    "arrow": Fuzzed(arrow_made, arrow_read, tables_ready),
    "doors": Fuzzed(doors_made, doors_read, doors_ready),
    "unwritten": Fuzzed(model_made, model_read, model_seeds),
    "loaded": Fuzzed(loaded_made, loaded_read, parts, chunk=20_000),
    "checkpoint": Fuzzed(checkpoint_made, checkpoint_read, checkpoint_seeds),
    "xcsp": Fuzzed(xcsp_made, xcsp_read, lambda: None),
    "lines": Fuzzed(lines_made, lines_read, lambda: None),
    "rule": Fuzzed(rule_made, rule_read, models),
    "weights": Fuzzed(weights_made, weights_read, weight_seeds),
    "row": Fuzzed(row_made, row_read, models),
}
