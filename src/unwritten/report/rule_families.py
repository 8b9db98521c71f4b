"""Rule families: the kinds of rules in a few families, each with one colour and one kind of line."""

from __future__ import annotations

#: The family of each kind; `page.css` has a colour for each family.
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
    "between": "count",
    "all-different": "differ",
    "always": "fixed",
    "never": "fixed",
    "fixed": "fixed",
    "bound": "fixed",
}
OTHER_FAMILY = "linear"

#: The name of each family in the legend of a picture.
LEGEND = {
    "requires": "requires",
    "excludes": "excludes, at most",
    "same": "equal, exactly when, go together",
    "count": "exactly or at least a number of",
    "differ": "all different",
    "linear": "sums and other linear rows",
    "fixed": "fixed values and bounds",
}


def family_of(kind: str) -> str:
    """Return the family of a kind; sums and all other linear rows are one family."""
    return FAMILY.get(kind, OTHER_FAMILY)


def kind_text(kind: str) -> str:
    """Return the kind in words."""
    return kind.replace("-", " ")
