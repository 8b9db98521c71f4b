"""Reading where a pattern holds: "every nurse and every day but sun", "every block of 3 rows × 3 columns".

Every phrase is asked from `patterns.axis_words`, which writes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from unwritten.rules.columns.scope import Scope
from unwritten.rules.language.reader import Reader
from unwritten.rules.patterns.axis_words import AxisWords
from unwritten.rules.patterns.pattern_axes import PatternAxes


@dataclass(frozen=True)
class Move:
    """Where a row stands on one axis: at these places, or (`but`) at all others where it fits.

    `span` is how many places it takes; None if its terms say that.
    """

    places: tuple[int, ...] = ()
    but: bool = True
    span: int | None = None

    def bases(self, size: int, span: int) -> tuple[int, ...]:
        """The places on an axis of this size at which a row of this span stands."""
        possible = range(size - span + 1)
        return tuple(k for k in possible if k not in self.places) if self.but else self.places


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The axes of all grids in words. `grid` is the one whose axes are meant if several have the same name."""

    axes: PatternAxes
    grid: int

    @cached_property
    def words(self) -> tuple[AxisWords, ...]:
        """The words for each axis."""
        return tuple(AxisWords.of(self.axes, a) for a in range(len(self.axes.axes)))

    @cached_property
    def symbols(self) -> tuple[AxisWords, ...]:
        """The words for each axis where rows are said by their indices."""
        return tuple(AxisWords.of(self.axes, a, symbolic=True) for a in range(len(self.axes.axes)))

    @cached_property
    def dims(self) -> tuple[int, ...]:
        """The axes of the grid."""
        return self.axes.dims[self.grid]

    @cached_property
    def order(self) -> tuple[int, ...]:
        """All axes, those of the grid first."""
        return (*self.dims, *(a for a in range(len(self.words)) if a not in self.dims))

    @cached_property
    def singulars(self) -> dict[str, int]:
        """The axis of each name."""
        symbols = {self.symbols[a].singular: a for a in reversed(self.order)}
        return symbols | {self.words[a].singular: a for a in reversed(self.order)}

    def size(self, a: int) -> int:
        """The number of values of an axis."""
        return len(self.words[a].axis.values)

    def phrases(self, a: int, phrase: Callable[[int], str]) -> dict[str, int]:
        """Each value of an axis by how this method of its words says it."""
        return {phrase(k): k for k in range(self.size(a))}


class PlaceReader(Reader):
    """Reads values of axes, and the beginning of a pattern up to its colon."""

    def __init__(self, text: str, scope: Scope, vocabulary: Vocabulary) -> None:
        super().__init__(text, scope)
        self.vocabulary = vocabulary

    def read_header(self) -> dict[int, Move]:
        """Read the beginning of a pattern: where it stands on each axis along which it moves."""
        moves: dict[int, Move] = {}
        self.try_words("for")
        while True:
            for a, move in self._read_part():
                if a in moves:
                    self.fail(f"{self.vocabulary.words[a].singular} is named twice: name it once")
                moves[a] = move
            if self.try_sign(":"):
                return moves
            if not self.try_words("and") and not (self.try_sign(",") and self.try_words("and", "for")):
                self.fail(f"a colon is missing before {self.rest}: write “for every day: at most two of …”")

    def _read_part(self) -> Iterable[tuple[int, Move]]:
        if not self.try_words("every"):
            return [self._read_listed()]
        if self.try_words("block", "of"):
            return self._read_blocks()
        window = self._try_span(lambda words, span: words.many(f"{span} consecutive"))
        if window is not None:
            axis, span = window
            but = self.try_words("but", "those", "from")
            places = self.read_plain(axis) if but or self.try_words("from") else ()
            return [(axis, Move(places, but or not places, span))]
        first = self._read_axis()
        if self.try_words("but"):
            return [(first, Move(self.read_plain(first)))]
        return [(a, Move()) for a in (first, *self._try_more(self.vocabulary.singulars))]

    def _try_more(self, phrases: dict[str, int]) -> list[int]:
        """Read more of these phrases, with commas or "and" between them."""
        read, start = list[int](), self.place
        while (self.try_sign(",") or self.try_words("and")) and (k := self.try_longest(phrases)) is not None:
            read, start = [*read, k], self.place
        self.place = start
        return read

    def _read_axis(self) -> int:
        a = self.try_longest(self.vocabulary.singulars)
        if a is None:
            known = " or ".join(list(self.vocabulary.singulars)[-3:])
            self.fail(f"there is no index {self._guess()!r}: use the name of one, such as {known}")
        return a

    def _read_blocks(self) -> Iterable[tuple[int, Move]]:
        while True:
            block = self._try_span(lambda words, span: words.many(str(span)))
            if block is None:
                self.fail(
                    f"a number of places is missing before {self.rest}: write “every block of 3 rows × 3 columns”"
                )
            a, span = block
            yield a, Move(tuple(range(0, self.vocabulary.size(a) - span + 1, span)), False, span)
            if not self.try_sign("×"):
                return

    def _try_span(self, phrase: Callable[[AxisWords, int], str]) -> tuple[int, int] | None:
        """Read a number of places of an axis."""
        start = self.place
        span, self.place = self.try_integer(), start
        if not span or span > max(map(self.vocabulary.size, self.vocabulary.order)):
            return None
        vocabulary = self.vocabulary
        a = self.try_longest({phrase(vocabulary.words[a], span): a for a in reversed(vocabulary.order)})
        return None if a is None else (a, span)

    def _read_listed(self) -> tuple[int, Move]:
        for a in self.vocabulary.order:
            start = self.place
            is_symbol = self.try_phrase(f"{self.vocabulary.symbols[a].singular} =")
            places = self.try_plain(a) if is_symbol else self.try_listed(a)
            if places:
                return a, Move(places, but=False)
            self.place = start
            one = self.try_longest(self.vocabulary.phrases(a, self.vocabulary.words[a].one))
            if one is not None:
                return a, Move((one,), but=False)
        self.fail(f"a place is missing before {self.rest}: begin with one such as “for every day”")

    def try_listed(self, a: int) -> tuple[int, ...] | None:
        """Read several values with what stands before them: "nurses 1, 4 and 7", "mon to thu"."""
        start = self.place
        if self.try_phrase(self.vocabulary.words[a].head):
            places = self.try_plain(a)
            if places is not None and len(places) > 1:
                return places
        self.place = start
        return None

    def read_plain(self, a: int) -> tuple[int, ...]:
        """Read values of an axis with commas between them."""
        places = self.try_plain(a)
        if places is None:
            some = ", ".join(self.vocabulary.words[a].value(k) for k in range(min(3, self.vocabulary.size(a))))
            self.fail(f"a value is missing before {self.rest}: use one such as {some}")
        return places

    def try_plain(self, a: int) -> tuple[int, ...] | None:
        """Read values of an axis with commas or "and" between them, or a first and a last one; in their order."""
        values = self.vocabulary.phrases(a, self.vocabulary.words[a].value)
        first = self.try_longest(values)
        if first is None:
            return None
        start = self.place
        if self.try_words("to") and (last := self.try_longest(values)) is not None:
            return tuple(range(first, last + 1)) or None
        self.place = start
        return tuple(sorted({first, *self._try_more(values)}))
