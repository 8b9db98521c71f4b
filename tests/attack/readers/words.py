"""Readers of what people type: rules, and rows as JSON."""

from __future__ import annotations

import json
import random

from attack.mutators import bytes_changed, encoded, json_changed, text_changed
from attack.readers.samples import frame, models, table_model
from unwritten.cli.explain import read_row
from unwritten.review import explain
from unwritten.rules import parse_rule

RULES = (
    "trim = sport requires doors = 3",
    'trim ∈ {base, "two words"} excludes "a,b" = missing',
    "doors = 3 exactly when trim = sport",
    "at most two of trim = sport, doors = 5, sold, price = missing",
    "2·[trim = sport] + seats − 3·doors ≤ 5",
    "seats = doors + 2",
    "doors, seats all differ",
    'trim and "a,b" go together: base ↔ y, sport ↔ n',
    "a requires b",
    "exactly one of a, b, c",
    "trim = sport never (noisy: 1 of 9 examples break it)",
)
RULE_TOKENS = [
    *("requires", "excludes", "exactly when", "always", "never", "at most", "at least", "exactly", "two", "of", "and"),
    *("all differ", "go together:", "↔", "<->", "∈", "in", "{", "}", "[", "]", "=", "==", "≠", "!=", "≤", "<=", ">"),
    *("<", "+", "-", "−", "*", "·", ",", '"', "trim", "doors", "seats", "sold", '"a,b"', "base", "sport", "3"),
    *("missing", "a", "b", "(noisy: ", " examples break it)", "not in", "∉", '"\\u0000"', '"\\ud800"', "- " * 500),
    *("a requires " * 400, "[" * 500),
]


def rule_made(rng: random.Random) -> bytes:
    """Make a rule from changed parts of sentences."""
    text = text_changed(rng, rng.choice(RULES), RULE_TOKENS, rng.choice(RULES))
    return bytes([rng.randrange(2)]) + encoded(text)


def rule_read(data: bytes) -> None:
    """Read a rule over columns or over variables, and print a model that has it."""
    model = table_model() if data[:1] == b"\0" else models()[4]
    text = data[1:].decode("utf-8", "surrogatepass")
    parse_rule(text, model.variables, model.schema)
    _ = [str(sentence) for sentence in model.with_rules([text]).sentences]


def row_made(rng: random.Random) -> bytes:
    """Make a byte that chooses the model, then a JSON object."""
    rows = frame().drop_columns(["price", "when"]).to_pylist()
    row = {**rng.choice(rows), "price": 0.5} if rng.random() < 0.7 else {"a": 1, "b": 0, "c": 0, "d": 0}
    text = json.dumps(json_changed(rng, row))
    if rng.random() < 0.3:
        text = bytes_changed(rng, text.encode()).decode("utf-8", "replace")
    return bytes([rng.randrange(2)]) + encoded(text)


def row_read(data: bytes) -> None:
    """Read a row as `unwritten explain` does, and explain it."""
    model = table_model() if data[:1] == b"\0" else models()[4]
    text = data[1:].decode("utf-8", "surrogatepass")
    found = explain(model, read_row(model, text if text.lstrip().startswith("{") else "{" + text), time_limit=1.0)
    json.dumps(found.state(), allow_nan=False)
    found.summary()
