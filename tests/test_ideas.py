"""The page about ideas defines each of its words before it uses it, and has a picture for each idea."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent / "docs"
PAGE = (DOCS / "ideas" / "index.md").read_text(encoding="utf-8")
DRAWINGS = runpy.run_path(str(DOCS / "site" / "drawings.py"))["DRAWINGS"]

DEFINED = re.compile(r"\*\*([^*]+)\*\*")
MUST_DEFINE = {"rule", "cut", "limit", "evidence", "proof", "label", "weight", "habit", "model", "decision", "bound"}
#: The words that the map of the code lists, each without the sign that stands for it.
WORD_LIST = (DOCS / "architecture.md").read_text(encoding="utf-8").split("## Words")[1].split("##")[0]
LISTED = {re.sub(r"s?( `.*)?$", "", word).lower() for word in re.findall(r"^\| ([^|]+?) \|", WORD_LIST, re.MULTILINE)}
#: Words with a meaning of their own in this project: if the page uses one, it must define it first.
OWN_WORDS = (
    MUST_DEFINE
    | LISTED - {"word", "seen label"}  # a label that was seen needs no definition
    | {
        *("example", "variable", "doubtful", "confidence", "latent", "axis", "slack", "suspect", "polytope"),
        *("nats", "support", "schema", "engine"),
    }
)


def first_use(word: str, text: str) -> int | None:
    """Where a word or its plural first stands in the text of a page: not in a heading, a link or a picture."""
    prose = re.sub(r"^#.*$|!?\[[^\]]*\]\([^)]*\)", lambda found: " " * len(found[0]), text, flags=re.MULTILINE)
    found = re.search(rf"\b{word}s?\b", prose, re.IGNORECASE)
    return None if found is None else found.start()


def too_early(text: str) -> list[str]:
    """The words that a page uses before it defines them, or without."""
    places = {found[1].lower(): found.start(1) for found in DEFINED.finditer(text)}
    uses = {word: first_use(word, text) for word in sorted(OWN_WORDS)}
    return [word for word, use in uses.items() if use is not None and use < places.get(word, len(text))]


def test_the_word_list_is_read() -> None:
    """Words that are added to the list are looked for on the page."""
    assert {"tally", "gram matrix", "fact", "weight", "kernel", "label", "model"} <= LISTED


def test_words_are_defined_before_they_are_used() -> None:
    """Every word of the project's own that is on the page."""
    assert too_early(PAGE) == []
    assert {found[1].lower() for found in DEFINED.finditer(PAGE)} >= MUST_DEFINE


@pytest.mark.parametrize("text", ["a rule, and then a **rule** is defined", "a **rule** with a tally"])
def test_the_test_can_fail(text: str) -> None:
    """A word before its definition, and a word without one, are found."""
    assert too_early(text) != []


@pytest.mark.parametrize("name", DRAWINGS)
def test_pictures_are_those_of_the_script(name: str) -> None:
    """The committed pictures are what the script draws, and the page shows each of them."""
    assert (DOCS / "figures" / f"idea-{name}.svg").read_text(encoding="utf-8") == DRAWINGS[name]().svg()
    assert f"(../figures/idea-{name}.svg)" in PAGE
