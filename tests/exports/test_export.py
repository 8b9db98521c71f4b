"""`export`: what it refuses, and what holds for every target."""

import ast
import re
from dataclasses import replace
from typing import Any, get_args

import pyarrow as pa
import pytest

import unwritten
from exports.export_cases import HOSTILE, hostile_table_model, model_of, named_model, table_model
from unwritten.errors import DataError
from unwritten.exports import TARGETS, ExportTarget, export
from unwritten.samples import trees
from unwritten.tables import Table

SMALL = unwritten.mine([[0, 1], [1, 0]] * 9, rules=["equalities"])


def lifted_table() -> unwritten.Model:
    frame = pa.table({"a": ["u", "v", "w"] * 6, "b": ["u", "v"] * 9})
    return unwritten.mine(Table.of(frame), lifts="pairs", rules=["equalities"])


REFUSED: list[tuple[Any, str, Any, str]] = [
    (lambda: SMALL, "xlsx", None, "'xlsx' is not a target of an export: use one of lp, mps, opb, cpmpy, ortools"),
    (lambda: SMALL, "sql", None, "needs a table: mine one"),
    (lambda: SMALL, "pandera", None, "needs a table: mine one"),
    (lambda: SMALL, "lp", [1.0], r"shape \(1,\) for 2 variables: give one number per variable"),
    (lambda: SMALL, "opb", [[1, 2]], r"shape \(1, 2\) for 2 variables"),
    (lambda: SMALL, "mps", [1, float("nan")], "replace or drop"),
    (lambda: SMALL, "lp", ["a", "b"], "weights"),
    *[
        (lambda: SMALL, target, [1, 0.5], f"{target} needs integer weights, and one is 0.5: scale and round")
        for target in ("opb", "cpmpy", "ortools", "minizinc")
    ],
    *[
        (lambda: model_of("cuts"), target, None, "export it to lp or mps, or mine it without weights")
        for target in ("opb", "cpmpy", "ortools", "minizinc")
    ],
    (lifted_table, "sql", None, "mine without lifts"),
    (lifted_table, "pandera", None, "mine without lifts"),
    (lambda: table_model()[0], "sql", [1] * 22, "no place for weights: leave them out"),
    (
        lambda: unwritten.mine(trees.sample(5, 800, seed=0)[1]),
        "lp",
        None,
        "bases of a matroid.*mine again without 'matroid'",
    ),
]


def test_the_type_of_targets_names_them_all() -> None:
    """`ExportTarget` is what type checkers and editors see of `TARGETS`."""
    assert get_args(ExportTarget) == tuple(TARGETS)


@pytest.mark.parametrize(("model", "target", "weights", "message"), REFUSED)
def test_refusals_name_the_cure(model: Any, target: str, weights: Any, message: str) -> None:
    """A refusal is one sentence with the cure."""
    with pytest.raises(DataError, match=message):
        export(model(), target, weights)


@pytest.mark.parametrize("target", TARGETS)
def test_the_same_model_gives_the_same_text(target: str, tmp_path) -> None:
    """A saved and loaded model gives the same text, and its first lines name the source."""
    model = table_model()[0]
    text = export(model, target)
    model.save(tmp_path / "model.rules")
    assert export(unwritten.load(tmp_path / "model.rules"), target) == text
    assert f"written by unwritten {unwritten.__version__} from the table: 600 examples" in "\n".join(
        text.splitlines()[:3]
    )
    text.encode("utf-8")


def skeleton(text: str) -> str:
    """The program without its constants and comments."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            node.value = 0
    return ast.dump(tree)


@pytest.mark.parametrize("target", ["cpmpy", "ortools"])
def test_names_never_become_python(target: str) -> None:
    """Other names change only the constants of the program."""
    plain = [f"name {j}" for j in range(len(HOSTILE))]
    assert skeleton(export(model_of("hostile"), target)) == skeleton(export(named_model(plain), target))


def test_columns_and_values_never_become_python() -> None:
    """The identifiers of the pandera file do not depend on the data."""
    hostile, plain = (export(found()[0], "pandera") for found in (hostile_table_model, table_model))
    names = [{node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)} for text in (hostile, plain)]
    assert names[0] == names[1]


@pytest.mark.parametrize(
    ("target", "sign", "allowed"),
    [
        ("lp", "\\", r"[\w +\-<=:.]*"),
        ("mps", "*", r"[\w '\-.]*"),
        ("opb", "*", r"(min:)?[x\d +\-<>=;]*"),
        ("minizinc", "%", r"[\w :;,.*\-<=()\[\]]*"),
    ],
)
def test_names_never_become_rows(target: str, sign: str, allowed: str) -> None:
    """Outside comments there are only characters of the format."""
    text = export(model_of("hostile"), target, [1] * len(HOSTILE))
    assert text.isascii()
    assert not re.search(r"[^\n\x20-\x7e]", text)
    for line in text.split("\n"):
        code = line.split(sign)[0] if target == "minizinc" else "" if line.startswith(sign) else line
        assert re.fullmatch(allowed, code), line


def test_sources_are_one_line_too() -> None:
    """A hostile file name stays within one comment line."""
    model = replace(SMALL, about={"source": "x\nimport os; coding: latin-1\r.csv"})
    for target in ("lp", "mps", "opb", "cpmpy", "ortools", "minizinc"):
        text = export(model, target)
        assert len(text.splitlines()) == len(export(SMALL, target).splitlines())


def test_rules_that_columns_imply_are_left_out_of_sql() -> None:
    """Every sentence is a constraint, and nothing else: no sentence says that a column has exactly one value."""
    model = table_model()[0]
    kept = set(re.findall(r"CONSTRAINT rule_(\w+)", export(model, "sql")))
    assert kept == {sentence.id for sentence in model.sentences if sentence.kind != "determines"}
