"""Words for axes: every day, every day but sun, every 3 consecutive days, the 16 nurses, at night.

`language.read_patterns` reads these phrases back: it asks the same methods for the phrases that may stand at a place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from unwritten.data.index_order import NUMBER
from unwritten.data.layout import Axis
from unwritten.rules.patterns.pattern_axes import PatternAxes, is_numbered
from unwritten.tables.quoting import plain_json, quoted

LETTERS = "ijklmnopq"
MOST_LISTED = 5  # values of a whole axis that are listed by name, not counted
FEWEST_IN_RANGE = 4  # neighbours that are said as "mon to thu"
PREPOSITIONS = {"day": "on", "month": "in"}
AT = ("night", "noon", "midnight")


@dataclass(frozen=True)
class AxisWords:
    """How to speak of an axis and its values; `symbolic` axes without names are called i, j, k.

    `named` says that values mean little without the name of the axis: numbers, and values that another axis has, too.
    """

    axis: Axis
    singular: str
    named: bool

    @classmethod
    def of(cls, axes: PatternAxes, a: int, symbolic: bool = False) -> AxisWords:
        """The words for one of these axes; r and c together are rows and columns."""
        axis, names = axes.axes[a], {own.name for own in axes.axes}
        name = axis.name
        if {"r", "c"} <= names:
            name = {"r": "row", "c": "column"}.get(name, name)
        if symbolic and is_numbered(axis) and int(name[6:]) <= len(LETTERS):
            letter = LETTERS[int(name[6:]) - 1]
            name = name if letter in names else letter
        return cls(axis, name, a in axes.mixed or all(NUMBER.fullmatch(value) for value in axis.values))

    @property
    def is_word(self) -> bool:
        """True if the name can be used as a noun."""
        return self.singular.isalpha() and len(self.singular) > 1

    @property
    def is_plain(self) -> bool:
        """True if one value stands for a term, without brackets: "night", "value 3"."""
        return self.singular == "value" or not self.named

    @property
    def head(self) -> str:
        """What stands before several values: "nurses", "index 1 ="; empty if they need no name."""
        return "" if not self.named else _plural(self.singular) if self.is_word else f"{self.singular} ="

    def many(self, count: str) -> str:
        """Several of them: "16 nurses"; an axis whose name is not a noun has values."""
        if not self.is_word:
            return f"{count} values of {self.singular}".strip()
        return f"{count} {_plural(self.singular)}".strip()

    def value(self, place: int) -> str:
        """A value as it is written: in quotes if it is no plain word, or a number that might be a count."""
        value = self.axis.values[place]
        return plain_json(value) if not self.named and NUMBER.fullmatch(value) else quoted(value)

    def one(self, place: int) -> str:
        """One value: "night", "nurse 3"."""
        if not self.named:
            return self.value(place)
        return f"{self.singular} {self.value(place)}" if self.is_word else f"{self.singular} = {self.value(place)}"

    def fixed(self, place: int) -> str:
        """One value with a preposition: "on mon", "at night", "with nurse 3"."""
        word = "at" if self.axis.values[place] in AT else PREPOSITIONS.get(self.singular, "with")
        name = f"{self.singular} " if word == "with" and self.is_word and not self.named else ""
        return f"{word} {name}{self.one(place)}"

    def listed(self, places: Sequence[int], last: str = " and ") -> str:
        """Several values: "mon, tue and fri", "nurses 1, 4 and 7", "mon to thu"."""
        if len(places) == 1:
            return self.one(places[0])
        is_range = list(places) == list(range(places[0], places[-1] + 1)) and self.axis.ordered
        is_long = is_range and len(places) >= FEWEST_IN_RANGE
        text = f"{self.value(places[0])} to {self.value(places[-1])}" if is_long else self.plain(places, last)
        return f"{self.head} {text}".lstrip()

    def scope(self, places: Sequence[int]) -> str:
        """What a sum runs over: all values counted or listed, or the values that it runs over."""
        size = len(self.axis.values)
        if len(places) < size:
            return self.listed(places, ", ") if size - len(places) > 2 or size < 6 else self._all_but(places)
        if not self.named and size <= MOST_LISTED:
            return self.plain(places, ", ")
        return self.many(f"the {size}")

    def every(self, bases: Sequence[int], span: int, style: str) -> str:
        """Where a row stands that takes `span` places.

        In the style "windows" that is a window of places; in others ("steps", "symbols"), the terms of the row say how
        far they are from where it stands.
        """
        is_window = span > 1 and style == "windows"
        every = f"every {self.many(f'{span} consecutive')}" if is_window else f"every {self.singular}"
        possible = len(self.axis.values) - span + 1
        if len(bases) == possible:
            return every
        missing = [k for k in range(possible) if k not in bases]
        if len(missing) <= max(1, possible // 4) and len(missing) < len(bases):
            return f"{every} but {'those from ' if is_window else ''}{self.plain(missing)}"
        if style == "symbols":
            return f"{self.singular} = {self.plain(bases)}"
        return f"{every} from {self.plain(bases)}" if is_window else self.listed(bases)

    def is_block(self, bases: Sequence[int], span: int) -> bool:
        """True if places of this span lie side by side: rows 1 to 3, 4 to 6, 7 to 9."""
        return span > 1 and tuple(bases) == tuple(range(0, len(self.axis.values), span))

    def later(self, steps: int) -> str:
        """Some places further on: "the next day", "2 days later"."""
        return f"the next {self.singular}" if steps == 1 else f"{self.many(str(steps))} later"

    def plain(self, places: Sequence[int], last: str = " and ") -> str:
        """Values with commas between them, without the name of the axis."""
        return and_list([self.value(k) for k in places], last)

    def _all_but(self, places: Sequence[int]) -> str:
        missing = [k for k in range(len(self.axis.values)) if k not in places]
        return f"{self.many('all')} but {self.plain(missing)}"


def and_list(parts: Sequence[str], last: str = " and ") -> str:
    """Parts with commas between them, and a word before the last one."""
    return last.join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else parts[0]


def _plural(noun: str) -> str:
    if noun.endswith(("s", "x", "z", "ch", "sh")):
        return f"{noun}es"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}s"
