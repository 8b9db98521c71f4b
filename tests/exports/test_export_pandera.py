"""pandera: the schema rejects the rows that the model rejects."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from exports.export_cases import TABLES, judged, table_model, wide_model
from unwritten.exports import export
from unwritten.exports.comments import rule_texts

pytest.importorskip("pandera")


def schema_of(text: str) -> Any:
    space: dict[str, Any] = {"__name__": "exported"}
    exec(compile(text, "exported.py", "exec"), space)
    return space["schema"]


def failures(schema: Any, frame: pd.DataFrame) -> pd.DataFrame:
    from pandera.errors import SchemaErrors

    try:
        schema.validate(frame, lazy=True)
    except SchemaErrors as error:
        return error.failure_cases
    return pd.DataFrame({"index": [], "check": []})


@pytest.mark.parametrize("name", TABLES)
def test_same_verdict(name: str) -> None:
    """The schema and the model agree on a thousand rows; fewer for Renault, where pandera is slow."""
    model, table, fine = judged(name)
    places = np.arange(len(table))
    chosen = places[(places % 3 != 2) | (places < (60 if name == "renault" else len(table)))]
    wrong = failures(schema_of(export(model, "pandera")), table.to_pandas().iloc[chosen])
    assert set(wrong["index"].astype(int)) == set(chosen[~fine[chosen]].tolist())


def test_the_checks_are_named_after_the_rules() -> None:
    """A failure says which rule is broken."""
    model, frame = table_model()
    schema = schema_of(export(model, "pandera"))
    assert not len(failures(schema, frame))
    wrong = frame.iloc[[5]].assign(engine="EV", roof="no", led=False)
    wanted = next(i for i, rule in enumerate(model.rules) if rule.text == "engine = EV requires roof = yes")
    assert rule_texts(model)[wanted] in set(failures(schema, wrong)["check"])
    rules = {f"rule_{sentence.id}" for sentence in model.sentences}
    assert {check.name for check in schema.checks} <= rules


@pytest.mark.parametrize("kind", ["category", "string", "object"])
def test_types_of_pandas(kind: str) -> None:
    """Text may come as any type that pandas has for it."""
    model, frame = table_model()
    schema = schema_of(export(model, "pandera"))
    recast = frame.astype(dict.fromkeys(("trim", "engine", "towbar"), kind))
    assert not len(failures(schema, recast))
    assert len(failures(schema, recast.assign(roof="no")))


def test_rows_may_share_an_index() -> None:
    """The index of a frame does not matter."""
    model, frame = table_model()
    schema = schema_of(export(model, "pandera"))
    assert not len(failures(schema, frame.set_axis([0] * len(frame))))


def test_long_rules() -> None:
    """A rule may have more tests than Python can nest in one expression."""
    clause = ({f"c{k}=a": 1 for k in range(300)}, "<=", 299)
    text = export(wide_model(300, [clause]), "pandera")
    rule = schema_of(text).checks[0]
    frame = pd.DataFrame([["a"] * 300, ["b", *["a"] * 299]], columns=[f"c{k}" for k in range(300)])
    assert rule(frame).check_output.tolist() == [False, True]


def test_a_lacking_column_is_told() -> None:
    """The error is one of pandera, not of Python."""
    model, frame = table_model()
    wrong = failures(schema_of(export(model, "pandera")), frame.drop(columns="trim"))
    assert "column_in_dataframe" in set(wrong["check"])
