"""A griffe extension: examples of docstrings become their own section, as the site expects them.

Docstrings of this project may end with examples without a heading, which Markdown would show as quotes.
"""

from __future__ import annotations

from typing import Any

import griffe

HEADING = "Examples\n--------\n"


class DoctestSections(griffe.Extension):
    """Puts a heading before the first example of each docstring that has none."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change the docstring of one object."""
        if obj.docstring is None or HEADING in obj.docstring.value:
            return
        before, sign, after = obj.docstring.value.partition("\n>>> ")
        if sign:
            obj.docstring.value = f"{before.rstrip()}\n\n{HEADING}>>> {after}"
