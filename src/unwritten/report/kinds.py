"""Kinds of rules in a few families, each with one colour and one dash."""

from __future__ import annotations

#: Family of each kind; the page has a colour for each family (`page.css`).
FAMILY = {
    "requires": "requires",
    "implies": "requires",
    "excludes": "excludes",
    "at-most": "excludes",
    "exactly-when": "same",
    "equal": "same",
    "go-together": "same",
    "exactly": "count",
    "at-least": "count",
    "all-different": "differ",
    "always": "fixed",
    "never": "fixed",
    "fixed": "fixed",
    "bound": "fixed",
}
OTHER = "linear"

#: What each family is called in a legend.
LEGEND = {
    "requires": "requires",
    "excludes": "excludes, at most",
    "same": "equal, exactly when, go together",
    "count": "exactly, at least so many",
    "differ": "all different",
    "linear": "sums and other linear rows",
    "fixed": "fixed values and bounds",
}


def family_of(kind: str) -> str:
    """The family of a kind; sums and whatever else is linear are one."""
    return FAMILY.get(kind, OTHER)


def kind_text(kind: str) -> str:
    """The kind in words."""
    return kind.replace("-", " ")
