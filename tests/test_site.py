"""The site: every page is in its navigation, links follow, and the reference has an example of every public name."""

from __future__ import annotations

import ast
import dataclasses
import doctest
import inspect
import os
import re
import runpy
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import unwritten
import unwritten.review
from report.browser import Browser, chromium
from unwritten import objects, review, rules, tables
from unwritten.evidence.answer_forecast import AnswerForecast
from unwritten.evidence.model_evidence import ModelEvidence
from unwritten.mining import Cuts
from unwritten.rules.gaps import Gap

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
HOOKS = runpy.run_path(str(DOCS / "site" / "hooks.py"))
CHECK = runpy.run_path(str(DOCS / "site" / "check_site.py"))
PAGES = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))
NAV = re.findall(r"^ +- (?:[^:\n]+: )?([\w/.-]+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)

LOOK = (Path(__file__).parent / "look.js").read_text(encoding="utf-8")
LEAST_CONTRAST = 4  # black on white has 21; the standard asks for 4.5, which the theme misses slightly in coloured code
SCHEME = "document.body.getAttribute('data-md-color-scheme')"

DIRECTIVE = re.compile(r"^::: ([\w.]+)$", re.MULTILINE)
REFERENCE = {path.name: path.read_text(encoding="utf-8") for path in sorted((DOCS / "reference").glob("*.md"))}

#: What calls return: these are documented as the names in `__all__` are.
RETURNED = [
    *(review.TableCheck, review.Explanation, review.Repair, review.Change, review.Difference, review.TableRepair),
    *(review.Findings, review.Finding, rules.Sentence, rules.Gaps, Gap, ModelEvidence, AnswerForecast),
    *(Cuts, tables.Schema, tables.Column, objects.NamedProgram),
]
#: Classes that signatures of public methods name, and that the reference leaves out, with the reason.
UNDOCUMENTED = {
    "Program": "what engines work on",
    "Comparison": "two rule sets side by side, used by experiments",
    "Encoded": "a block of labels with its unknown cells",
    "SaidRules": "rules or patterns in words",
    "GapPart": "one pair of half-lines of a gap",
    "GapParts": "gaps as arrays",
    "Layout": "grids of variables",
}


def public_classes() -> list[type]:
    """The classes in `__all__`, and those that their methods return."""
    named = [getattr(unwritten, name) for name in unwritten.__all__]
    return [one for one in named if inspect.isclass(one)] + RETURNED


def members(owner: type) -> list[str]:
    """The public methods and properties of a class that are written in this package."""
    fields = {field.name for field in dataclasses.fields(owner)} if dataclasses.is_dataclass(owner) else set()
    if issubclass(owner, tuple):
        fields |= set(getattr(owner, "_fields", ()))
    own = [base for base in owner.__mro__ if base.__module__.startswith("unwritten")]
    names = {name for base in own for name in vars(base) if not name.startswith("_")}
    made = {"get_metadata_routing", "set_output", "set_fit_request", "set_partial_fit_request", "set_score_request"}
    # (by scikit-learn, as methods of every estimator)
    nested = {name for name in names if not hasattr(owner, name)}
    return sorted(names - fields - made - nested)


def examples_of(name: str) -> str:
    """The code below the entry of a name, up to the next entry; the example that runs in its docstring counts too."""
    for text in REFERENCE.values():
        parts = DIRECTIVE.split(text)
        for entry, below in zip(parts[1::2], parts[2::2], strict=True):
            if entry.rpartition(".")[2] == name:
                rest = "\n".join(parts[parts.index(entry) + 1 :]) if below.strip() == "" else below
                return "".join(example.source for example in doctest.DocTestParser().get_examples(rest))
    return ""


def entries() -> set[str]:
    """The last part of the name of every entry of the reference."""
    return {found.rpartition(".")[2] for text in REFERENCE.values() for found in DIRECTIVE.findall(text)}


def used(code: str) -> set[str]:
    """The names and attributes that code uses."""
    tree = ast.parse(code)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return names | {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}


@pytest.mark.parametrize("name", [name for name in unwritten.__all__ if not name.startswith("__")])
def test_every_public_name_has_an_entry_with_an_example(name: str) -> None:
    """The reference has an entry for the name, and code below it that uses it or what it makes."""
    assert name in entries()
    assert examples_of(name)
    if not inspect.isclass(getattr(unwritten, name)):
        assert name in used(examples_of(name))


@pytest.mark.parametrize("owner", public_classes(), ids=lambda owner: owner.__name__)
def test_every_public_method_has_an_example(owner: type) -> None:
    """The code below the entry of a class uses each of its public methods and properties."""
    assert owner.__name__ in entries()
    own = {name: inspect.getattr_static(owner, name) for name in members(owner)}
    in_docstring = {name for name, one in own.items() if ">>>" in (inspect.getdoc(getattr(one, "fget", one)) or "")}
    assert set(own) - used(examples_of(owner.__name__)) - in_docstring == set()


@pytest.mark.parametrize("owner", public_classes(), ids=lambda owner: owner.__name__)
def test_public_objects_print_as_something_to_read(owner: type) -> None:
    """No public class prints its fields as a raw dataclass, except two with a few plain ones."""
    is_raw = dataclasses.is_dataclass(owner) and hasattr(owner.__repr__, "__wrapped__")
    assert not is_raw or owner.__name__ in ("Checkpoint", "Change")


def test_every_name_for_networks_has_an_example() -> None:
    """The entries of `unwritten.torch` are on the page about estimators."""
    source = (ROOT / "src" / "unwritten" / "torch" / "__init__.py").read_text(encoding="utf-8")  # torch loads slowly
    names = set(ast.literal_eval(source.rpartition("__all__ = ")[2]))
    page = REFERENCE["estimators.md"]
    code = "".join(example.source for example in doctest.DocTestParser().get_examples(page))
    assert names <= {found.rpartition(".")[2] for found in DIRECTIVE.findall(page)}
    assert names <= used(code)


def test_what_public_methods_return_is_documented() -> None:
    """A class of this package that a public method returns has an entry, or a reason to have none."""
    documented = {owner.__name__ for owner in public_classes()}
    named = set()
    for owner in public_classes():
        for name in members(owner):
            one = inspect.getattr_static(owner, name)
            function = getattr(one, "func", getattr(one, "fget", getattr(one, "__func__", one)))
            said = getattr(function, "__annotations__", {}).get("return", "")
            words = re.findall(r"\b[A-Z]\w+", str(said))
            scope = getattr(function, "__globals__", {})
            named |= {word for word in words if word not in ("None", "Self", "Any") and _is_own(scope.get(word))}
    assert named - documented <= set(UNDOCUMENTED)
    assert {"Decisions", "RuleSet"} <= named


def _is_own(one: object) -> bool:
    """True for a class of this package, and for a name that only type checkers import."""
    return one is None or (inspect.isclass(one) and one.__module__.startswith("unwritten"))


def test_a_missing_example_is_noticed() -> None:
    """The checks above can fail."""
    assert "without" in used("model.without([1])") and "pinned" not in used("model.without([1])")
    assert examples_of("NoSuchName") == ""


def test_the_command_line_page_is_current() -> None:
    """The page is what the script writes from the commands."""
    script = runpy.run_path(str(DOCS / "site" / "cli_page.py"))
    assert REFERENCE["cli.md"] == script["page"](), "run: python docs/site/cli_page.py"


def test_every_page_is_in_the_navigation() -> None:
    """Each Markdown file, copied file and notebook once, and nothing else."""
    notebooks = [f"notebooks/{path.stem}.md" for path in (DOCS / "notebooks").glob("*.ipynb")]
    assert sorted(NAV) == sorted([*PAGES, *HOOKS["COPIED"].values(), *notebooks])


@pytest.mark.parametrize(
    ("link", "origin", "place", "wanted"),
    [
        ("tables.md", "docs/index.md", "index.md", "tables.md"),
        ("../README.md", "docs/index.md", "index.md", "project/readme.md"),
        ("../../SECURITY.md", "docs/reference/cli.md", "reference/cli.md", "../project/security.md"),
        ("docs/tables.md", "README.md", "project/readme.md", "../tables.md"),
        ("../notebooks/planner.ipynb", "docs/guides/index.md", "guides/index.md", "../notebooks/planner.md"),
        ("https://example.org/a.md", "README.md", "project/readme.md", "https://example.org/a.md"),
    ],
)
def test_links_follow_files_to_their_places(link: str, origin: str, place: str, wanted: str) -> None:
    """Links between the root and docs/ lead to the pages of the site."""
    assert HOOKS["_target"](link, origin, place) == wanted


def test_requests_to_other_hosts_are_found(tmp_path: Path) -> None:
    """The check of the built pages names what is loaded from elsewhere, and links that lead nowhere."""
    (tmp_path / "a.html").write_text(
        '<script src="https://unpkg.com/x"></script><a href="b.html">b</a><a href="#no">c</a><p>So:\n- d</p>'
    )
    (tmp_path / "c.html").write_text(
        '<link rel="canonical" href="https://x.org"><a href="https://x.org">x</a><p id="i">'
    )
    assert [text.split(" ")[1] for text in CHECK["problems"](tmp_path)] == ["loads", "shows", "links", "links"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site; the build is strict, so a broken link is an error."""
    if not all(map(find_spec, ("mkdocs", "material", "mkdocstrings_handlers"))):
        pytest.skip("needs the site generator: make extras")
    place = tmp_path_factory.mktemp("built") / "site"
    command: list[Any] = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", place]
    env = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return place


def test_the_site_loads_nothing_from_other_hosts(site: Path) -> None:
    """Every page is read, and every link followed."""
    assert CHECK["problems"](site) == []
    assert (site / "search" / "search_index.js").exists()
    assert len(list(site.rglob("*.html"))) == len(NAV)


@pytest.fixture
def browser() -> Iterator[Browser]:
    if chromium() is None:
        pytest.skip("no Chromium: apt install chromium, or set CHROMIUM")
    found = Browser()
    yield found
    found.close()


def test_every_page_opens_wide_and_narrow_in_light_and_dark(site: Path, browser: Browser) -> None:
    """No error, no missing picture, nothing wider than the window, and no text that is hard to read."""
    wrong = []
    for path in sorted(site.rglob("*.html")):
        browser.open(path, width=1280, dark=True)
        for width, dark in ((1280, True), (390, True), (390, False), (1280, False)):
            browser.resize(width)
            browser.prefer(dark)
            browser.wait(f"{SCHEME} === '{'slate' if dark else 'default'}'")
            found = browser.run(f"({LOOK})({LEAST_CONTRAST})")
            wrong += [(path.name, width, dark, found)] * (found != {"missing": [], "pale": [], "width": width})
        wrong += [(path.name, problem) for problem in browser.problems]
    assert wrong == []


def test_colours_are_chosen_by_the_button_and_kept(site: Path, browser: Browser) -> None:
    """The button leads from the colours of the system to light and dark ones, and other pages follow."""
    browser.open(site / "index.html", dark=True)
    schemes = []
    for _ in range(3):
        schemes.append(browser.run(SCHEME))
        browser.click("label[for^=__palette]:not([hidden])")
    assert schemes == ["slate", "default", "slate"]
    browser.click("label[for^=__palette]:not([hidden])")
    browser.open(site / "ideas" / "index.html", dark=True)
    assert browser.run(SCHEME) == "default"


def test_search_works_on_pages_that_are_opened_as_files(site: Path, browser: Browser) -> None:
    """A word leads to pages about it, in a list that can be read in the dark."""
    browser.open(site / "index.html", width=1280, dark=True)
    browser.click("input.md-search__input")
    browser.type("habit")
    browser.press("Shift")  # the theme listens to keys, not to text
    browser.wait("document.querySelector('.md-search-result__item a')?.href.includes('habits.html')")
    assert browser.run(f"({LOOK})({LEAST_CONTRAST})")["pale"] == []
    assert browser.problems == []


def test_pale_text_is_found(tmp_path: Path, browser: Browser) -> None:
    """The measure of contrast knows colours that shine through, and text of another opacity."""
    (tmp_path / "a.html").write_text(
        "<body style='background: #000'><p style='color: #fff'>clear<p style='color: #555'>dim"
        "<div style='background: rgba(255, 255, 255, .5)'><p style='color: #fff'>pale</div>"
        "<p style='color: #fff; opacity: .2'>faint<p style='color: #000; display: none'>hidden"
    )
    browser.open(tmp_path / "a.html")
    assert [text for _, text, _ in browser.run(f"({LOOK})({LEAST_CONTRAST})")["pale"]] == ["dim", "pale", "faint"]
