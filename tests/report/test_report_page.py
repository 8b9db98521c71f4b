"""The report as text: complete, escaped, self-contained, bounded, the same every time."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

from report.models import (
    HOSTILE,
    car_model,
    cars,
    hostile_model,
    many_rules,
    noisy_cars,
    plain_model,
    sudoku_model,
)
from unwritten import load, mine
from unwritten.errors import DataError
from unwritten.model import Model
from unwritten.report import report
from unwritten.report.grid import grids_of, place_of
from unwritten.report.page_text import embedded, html, visible
from unwritten.samples import sudoku
from unwritten.tables import Table


class Parts(HTMLParser):
    """The tags and attributes of a page, and the text of its scripts."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.text = ""
        self._inside = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._inside = tag
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "script":
            self.scripts[-1] += data
        elif self._inside != "style":
            self.text += data


def data_of(page: str) -> dict[str, Any]:
    """What the page's script reads."""
    found: dict[str, Any] = json.loads(Parts(page).scripts[0])
    return found


def pages() -> list[Model]:
    empty = mine(np.random.default_rng(0).integers(0, 2, (40, 3)), names=["a", "b", "c"])
    return [car_model(), noisy_cars()[0], hostile_model(), plain_model(), empty]


def test_every_sentence_is_in_the_page_with_its_evidence() -> None:
    """The page has every sentence of the model with its id, support and evidence."""
    model = car_model()
    rules = data_of(report(model))["rules"]
    assert [(rule["id"], rule["text"], rule["support"]) for rule in rules] == [
        (s.id, s.text, s.support) for s in model.sentences
    ]
    assert all(rule["lines"] and rule["shows"] and len(rule["evidence"]) == 8 for rule in rules)


def test_example_rows_meet_the_condition_of_a_rule() -> None:
    """The example rows of "A requires B" have the value A."""
    data = data_of(report(car_model()))
    rule = next(rule for rule in data["rules"] if rule["text"] == "trim = sport requires engine = big")
    seen = data["seen"]
    trim = data["fields"].index("trim")
    assert rule["shows"]
    assert {seen["values"][trim][seen["rows"][at][trim]] for at in rule["shows"]} == {"sport"}


def test_example_rows_of_an_equivalence_show_it_being_true() -> None:
    """The example rows of an equivalence have both values."""
    model, _ = noisy_cars()
    data = data_of(report(model))
    rule = next(rule for rule in data["rules"] if rule["text"].startswith("body = sedan exactly when doors = 4"))
    seen, doors = data["seen"], data["fields"].index("doors")
    assert {seen["values"][doors][seen["rows"][at][doors]] for at in rule["shows"]} == {"4"}


@pytest.mark.parametrize("which", range(5))
def test_the_same_model_gives_the_same_page_and_so_does_its_file(which: int, tmp_path: Any) -> None:
    """The page is the same every time, also for a model that was saved and loaded."""
    model = pages()[which]
    model.save(tmp_path / "model.rules")
    assert report(model) == report(model) == report(load(tmp_path / "model.rules"))


@pytest.mark.parametrize("which", range(5))
def test_a_page_asks_the_network_for_nothing(which: int) -> None:
    """The page loads nothing from elsewhere and has no inline handlers or styles."""
    page = report(pages()[which])
    assert not re.search(r"https?://|@import|url\(|fetch\(|XMLHttpRequest|innerHTML|eval\(", page)
    for tag, attributes in Parts(page).tags:
        assert tag not in ("img", "iframe", "object", "embed", "base")
        assert all(not name.startswith("on") and name != "style" for name in attributes)
        assert (attributes.get("href") or "#").startswith(("#", "data:,"))
        assert "src" not in attributes


def test_the_policy_allows_the_pages_own_script_and_style_only() -> None:
    """The page's security policy allows only its own script and style."""
    parts = Parts(report(plain_model()))
    policy = next(a["content"] for t, a in parts.tags if a.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy


def test_hostile_names_are_text_everywhere() -> None:
    """Names with markup or control characters are shown as text, and long names are cut."""
    model = hostile_model()
    page = report(model)
    parts = Parts(page)
    assert [tag for tag, _ in parts.tags].count("script") == 2
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u2028\u2029\u202a-\u202e\ud800-\udfff]", page)
    assert HOSTILE[0] in data_of(page)["fields"]
    assert HOSTILE[0] in parts.text
    page.encode("utf-8")
    assert len(page) < 150_000  # names of 10,000 characters are cut


def test_text_is_escaped_for_html_and_for_scripts() -> None:
    """Text is escaped for HTML and for scripts, and invisible characters are made visible."""
    assert html("<a href=\"x\" title='y'>&") == "&lt;a href=&quot;x&quot; title=&#x27;y&#x27;&gt;&amp;"
    assert embedded({"</script>": "<!--\u2028&"}) == '{"\\u003c/script\\u003e":"\\u003c!--\\u2028\\u0026"}'
    assert visible("\ud800\n\u2066") == "⟨D800⟩⟨000A⟩⟨2066⟩"


def test_ten_thousand_rules_stay_below_five_megabytes() -> None:
    """A page with 10,000 rules is smaller than 5 MB."""
    model = many_rules(10_000)
    page = report(model)
    assert len(data_of(page)["rules"]) == 10_000
    assert len(page.encode()) < 5_000_000


def test_a_model_without_rules_says_so() -> None:
    """The page of a model without rules says that there are none."""
    model = mine(np.random.default_rng(0).integers(0, 2, (40, 3)))
    assert not model.sentences
    page = report(model)
    assert data_of(page)["rules"] == []
    assert "No rule links two variables" in page


def test_a_model_without_examples_or_table_is_reported() -> None:
    """A model without examples or a table has a page with its variables and rules."""
    page = report(plain_model())
    assert "Variables</h2>" in page
    assert [rule["text"] for rule in data_of(page)["rules"]] == ["both = left + right"]


def test_suspects_are_shown_with_the_rules_they_break() -> None:
    """With the examples, the page lists the suspect rows and the rules that they break."""
    model, table = noisy_cars()
    assert model.suspects.tolist() == [17, 140, 333]
    for examples in (table, table.labels()):
        page = report(model, examples)
        text = Parts(page).text
        assert "3 examples of 1,200 break a rule" in text
        data = data_of(page)
        assert data["suspects"]["numbers"] == [18, 141, 334]
        broken = [rule for rule in data["rules"] if "breaks" in rule]
        assert broken[0]["text"].split(" (noisy")[0] == "body = cabriolet exactly when doors = 2"
        assert broken[0]["breaks"] == [0, 1, 2]


def test_without_the_table_only_the_places_of_suspects_are_known() -> None:
    """Without the examples, the page gives only the numbers of the suspect rows."""
    model, _ = noisy_cars()
    text = Parts(report(model)).text
    assert "Rows 18, 141, 334." in text


@pytest.mark.parametrize("examples", [cars(20), Table.of(cars(20)), [[1, 0]]])
def test_other_examples_than_the_models_are_refused(examples: object) -> None:
    """Examples that are not those of the model are refused."""
    model, _ = noisy_cars()
    with pytest.raises(DataError):
        report(model, examples)


def test_skipped_columns_are_listed_with_the_reason() -> None:
    """The page names skipped columns and the reason."""
    frame = cars().assign(price=np.linspace(1, 2, 400))
    model = mine(Table.of(frame))
    skipped = [column for column in model.schema.columns if not column.width]  # type: ignore[union-attr]
    assert [column.name for column in skipped] == ["price"]
    assert skipped[0].reason in Parts(report(model)).text


def test_rules_that_were_given_or_dropped_are_marked() -> None:
    """The page marks rules that a person gave, and counts rules that a person dropped."""
    model = car_model()
    first = model.sentences[0].id
    edited = model.without([first]).with_rules(["paint = red requires body = sedan"])
    page = report(edited)
    given = [rule for rule in data_of(page)["rules"] if rule["origin"] == "given"]
    assert [rule["text"] for rule in given] == ["paint = red requires body = sedan"]
    assert "<dt>removed</dt>" in page


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("r1c2", ("", 1, 2, "")),
        ("R10C3=7", ("", 10, 3, "7")),
        ("x_1_2", ("x_", 1, 2, "")),
        ("x[1,2]", ("x", 1, 2, "")),
        ("x[1][2]", ("x", 1, 2, "")),
        ("cell(1, 2)", ("cell", 1, 2, "")),
        ("y[1,2,3]", ("y", 1, 2, "3")),
        ("shift 3x4", ("shift ", 3, 4, "")),
        ("engine", None),
        ("v12", None),
        ("1" * 10_000, None),
    ],
)
def test_names_that_are_places(name: str, place: object) -> None:
    """Names such as r1c2 or x[1,2] are read as the cell of a grid; other names are not."""
    assert place_of(name) == place


def test_a_grid_fills_most_of_a_rectangle() -> None:
    """Names form a grid only if they fill most of a rectangle."""
    assert not grids_of(("a_1_1", "a_1_2", "a_2_1"))
    assert not grids_of(tuple(f"a_{k}_{k}" for k in range(6)))
    assert not grids_of(tuple(f"a_1_{k}" for k in range(6)))
    grid = grids_of(("a_1_1", "a_1_2", "a_2_1", "a_2_2", "b"))[0]
    assert (grid.title, grid.rows, grid.columns, len(grid.cells)) == ("a", (1, 2), (1, 2), 4)


def test_sudoku_has_a_grid_with_its_boxes() -> None:
    """The page of a Sudoku model has a grid of 81 cells with lines between the boxes."""
    page = report(sudoku_model())
    cells = [a for _, a in Parts(page).tags if a.get("class") == "cell"]
    assert len(cells) == 81
    assert page.count('<tr class="thick-below">') == 2
    assert page.count('<td class="thick-right">') == 18
    assert 'class="matrix"' in page


def test_variables_with_a_third_index_share_a_cell() -> None:
    """Variables that differ only in a third index share a cell of the grid."""
    grids = sudoku.grids(12, seed=0)
    page = report(mine(sudoku.one_hot(grids), names=sudoku.names(), rules=["groups"]))
    cells = [a for _, a in Parts(page).tags if a.get("class") == "cell"]
    assert len(cells) == 81
    assert all(len((a["data-columns"] or "").split()) == 9 for a in cells)
