"""The report in a real browser: it opens without an error, filters, sorts, opens rules, and runs nothing from data."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from report.browser import Browser, chromium
from report.models import car_model, hostile_model, many_rules, noisy_cars, sudoku_model
from unwritten.report import report

pytestmark = pytest.mark.skipif(chromium() is None, reason="no Chromium: apt install chromium, or set CHROMIUM")

MANY = 600
COUNT = "document.getElementById('count').textContent"
TEXTS = "[...document.querySelectorAll('#list .text')].map((e) => e.textContent)"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("pages")
    noisy, table = noisy_cars()
    made = {
        "cars": report(car_model()),
        "noisy": report(noisy, table),
        "hostile": report(hostile_model()),
        "sudoku": report(sudoku_model()),
        "many": report(many_rules(MANY)),
    }
    for name, page in made.items():
        (home / f"{name}.html").write_text(page, encoding="utf-8")
    return home


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    found = Browser()
    yield found
    found.close()


def choose(browser: Browser, control: str, value: str) -> None:
    """Set a control and send the input event that a person would cause."""
    browser.run(
        f"(() => {{ const e = document.getElementById('{control}'); e.value = '{value}'; "
        "e.dispatchEvent(new Event('input', {bubbles: true})); })()"
    )


@pytest.mark.parametrize("name", ["cars", "noisy", "hostile", "sudoku", "many"])
@pytest.mark.parametrize(("width", "dark"), [(380, True), (1400, False)])
def test_a_page_opens_without_an_error_and_never_wider_than_the_window(
    browser: Browser, folder: Path, name: str, width: int, dark: bool
) -> None:
    """Every page opens without an error, narrow or wide, dark or light, and fits the window."""
    browser.open(folder / f"{name}.html", width=width, dark=dark)
    browser.run("document.querySelectorAll('.head').forEach((head) => head.click())")
    assert browser.run("document.documentElement.scrollWidth") <= width
    assert browser.run("document.querySelectorAll('#list > li').length") > 0
    assert browser.problems == []


def test_typing_narrows_the_list(browser: Browser, folder: Path) -> None:
    """Typing words lists the rules that contain all of them, and the button shows all rules again."""
    texts = [sentence.text for sentence in car_model().sentences]
    browser.open(folder / "cars.html")
    assert browser.run(COUNT) == f"{len(texts)} rules"
    browser.click("#search")
    browser.type("ENGINE sport")
    found = [text for text in texts if "engine" in text and "sport" in text]
    assert 0 < len(found) < len(texts)
    assert browser.run(TEXTS) == found
    assert browser.run(COUNT) == f"{len(found)} of {len(texts)} rules"
    browser.click("#clear")
    assert browser.run(TEXTS) == texts


def test_filters_by_kind_column_and_confidence(browser: Browser, folder: Path) -> None:
    """The list can be filtered by kind, column and least confidence."""
    said = car_model().sentences
    browser.open(folder / "cars.html")
    choose(browser, "kind", "requires")
    assert browser.run(TEXTS) == [s.text for s in said if s.kind == "requires"]
    choose(browser, "kind", "")
    place = list(car_model().schema.places).index("rack")  # type: ignore[union-attr]
    choose(browser, "column", str(place))
    assert browser.run(TEXTS) == [s.text for s in said if "rack" in s.columns]
    choose(browser, "column", "")
    choose(browser, "confidence", "0.9999")
    assert browser.run(TEXTS) == [s.text for s in said if (s.confidence or 0) >= 0.9999]


@pytest.mark.parametrize("order", ["confidence", "support", "text"])
def test_sorting(browser: Browser, folder: Path, order: str) -> None:
    """The list can be sorted by confidence, number of rows and text."""
    said = car_model().sentences
    keys = {
        "confidence": lambda s: -s.evidence.nats,
        "support": lambda s: -s.support,
        "text": lambda s: s.text,
    }
    browser.open(folder / "cars.html")
    choose(browser, "sort", order)
    assert browser.run(TEXTS) == [s.text for s in sorted(said, key=keys[order])]


def test_a_rule_opens_by_mouse_and_by_keyboard(browser: Browser, folder: Path) -> None:
    """A click shows a rule's evidence and example rows, and the Enter key hides them."""
    place = [s.text for s in car_model().sentences].index("trim = sport requires engine = big")
    browser.open(folder / "cars.html")
    item = f"#list > li:nth-child({place + 1})"
    browser.click(f"{item} .head")
    assert browser.run(f"document.querySelector('{item} .head').getAttribute('aria-expanded')") == "true"
    detail = browser.run(f"document.querySelector('{item} .detail').innerText")
    assert "147 rows, 36.8\u00a0% of all" in detail
    assert "of new rows break it" in detail
    assert "[trim=sport]" in detail
    cells = f"[...document.querySelectorAll('{item} .sample tbody tr')].map((row) => row.cells[0].textContent)"
    assert set(browser.run(cells)) == {"sport"}
    assert browser.run("document.querySelectorAll('.network .node.on').length") == 2
    assert browser.run("location.hash") == f"#rule-{car_model().sentences[place].id}"
    browser.run(f"document.querySelector('{item} .head').focus()")
    browser.press("Enter")
    assert browser.run(f"document.querySelector('{item} .detail').hidden") is True
    assert browser.problems == []


def test_suspects_link_to_the_rules_they_break(browser: Browser, folder: Path) -> None:
    """The link of a suspect row opens the rule that it breaks."""
    browser.open(folder / "noisy.html")
    browser.click("#suspects tbody a")
    assert "Suspects that break it" in browser.wait("document.querySelector('#list .open .detail')?.innerText")


def test_a_deep_link_opens_its_rule_even_far_down(browser: Browser, folder: Path) -> None:
    """The address of the last of many rules opens that rule and scrolls to it."""
    last = many_rules(MANY).sentences[-1]
    browser.open(folder / "many.html", f"#rule-{last.id}")
    assert browser.run("document.querySelector('#list .open .text').textContent") == last.text
    browser.wait("document.querySelector('#list .open').getBoundingClientRect().top < innerHeight")


def test_thousands_of_rules_are_shown_a_part_at_a_time(browser: Browser, folder: Path) -> None:
    """Only the first of many rules are drawn, and a search takes less than a second."""
    browser.open(folder / "many.html")
    assert browser.run("document.querySelectorAll('#list > li').length") < 300
    took = browser.run(
        "(() => { const start = performance.now(); const e = document.getElementById('search'); e.value = 'option 7'; "
        "e.dispatchEvent(new Event('input')); return performance.now() - start; })()"
    )
    assert took < 1_000


def test_a_column_of_the_network_filters_the_list(browser: Browser, folder: Path) -> None:
    """The Enter key on a column of the network lists the rules about that column."""
    browser.open(folder / "cars.html")
    place = list(car_model().schema.places).index("trim")  # type: ignore[union-attr]
    browser.run(f"document.querySelector('.node[data-column=\"{place}\"]').focus()")
    browser.press("Enter")
    assert browser.run(TEXTS) == [s.text for s in car_model().sentences if "trim" in s.columns]


def test_a_rule_marks_its_cells_and_a_cell_lists_its_rules(browser: Browser, folder: Path) -> None:
    """An open rule marks its cells in the grid, and a click on a cell lists the rules about it."""
    browser.open(folder / "sudoku.html", width=1400)
    browser.click("#list > li .head")
    assert browser.run("document.querySelectorAll('.cell.on').length") == 9
    browser.click(".cell[data-columns='0']")
    expected = sum("r1c1" in s.columns for s in sudoku_model().sentences)
    assert browser.run(COUNT) == f"{expected} of {len(sudoku_model().sentences)} rules"


def test_hostile_names_do_nothing(browser: Browser, folder: Path) -> None:
    """Names that contain scripts or markup have no effect."""
    browser.open(folder / "hostile.html")
    browser.run("document.querySelectorAll('.head').forEach((head) => head.click())")
    browser.run(
        "document.querySelectorAll('*').forEach((e) => { e.dispatchEvent(new PointerEvent('pointerenter')); "
        "e.dispatchEvent(new MouseEvent('mouseover')); })"
    )
    assert browser.run("typeof window.harm") == "undefined"
    assert browser.run("document.querySelectorAll('img, b[onmouseover]').length") == 0
    assert browser.problems == []


def test_printing_shows_every_rule(browser: Browser, folder: Path) -> None:
    """All rules are drawn before the page is printed."""
    browser.open(folder / "many.html")
    browser.run("window.dispatchEvent(new Event('beforeprint'))")
    assert browser.run("document.querySelectorAll('#list > li').length") == MANY
