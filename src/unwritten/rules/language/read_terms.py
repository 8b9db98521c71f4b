"""Reading the terms of a pattern: "night the next day", "x[i, j + 1]", and what a sum runs over.

A term is a grid with coordinates on all axes, counted from where the row stands on those along which it moves.
"""

from __future__ import annotations

from itertools import product
from typing import NoReturn

from unwritten.rules.columns.scope import Scope
from unwritten.rules.language.read_places import Move, PlaceReader, Vocabulary
from unwritten.rules.language.statements import ColumnLiteral
from unwritten.rules.patterns.pattern_axes import ABSENT, WHOLE

PlacedTerm = tuple[int, tuple[int, ...]]  # a grid, and coordinates on all axes


class TermReader(PlaceReader):
    """Reads terms where a reader of other sentences reads names of columns; `terms` numbers them."""

    def __init__(
        self, text: str, scope: Scope, vocabulary: Vocabulary, moves: dict[int, Move], terms: dict[PlacedTerm, int]
    ) -> None:
        super().__init__(text, scope, vocabulary)
        self._moves, self._terms = moves, terms
        self._still = [a for a in vocabulary.dims if a not in moves]

    def try_column(self) -> int | None:
        """Move past a term, and return its number."""
        start, own = self.place, self.vocabulary.grid
        others = [g for g in range(len(self.vocabulary.axes.dims)) if g != own]
        for g, read in ((own, self._try_phrase_of), *((g, self._try_symbol) for g in (own, *others))):
            coordinates = read(g)
            if coordinates is not None:
                return self._number(g, coordinates)
            self.place = start
        return None

    def read_column(self) -> int:
        """Move past a term, and return its number."""
        term = self.try_column()
        return self._fail_at_term() if term is None else term

    def _fail_at_term(self) -> NoReturn:
        g, symbols = self.vocabulary.grid, self.vocabulary.symbols
        indices = (symbols[a].singular if a in self._moves else symbols[a].value(0) for a in self.vocabulary.dims)
        self.fail(f"a term is missing before {self.rest}: write one such as {self._stem(g)}[{', '.join(indices)}]")

    def _number(self, g: int, coordinates: dict[int, int]) -> int:
        every = tuple(coordinates.get(a, ABSENT) for a in range(len(self.vocabulary.words)))
        return self._terms.setdefault((g, every), len(self._terms))

    def _stem(self, g: int) -> str:
        return self.vocabulary.axes.layout.grids[g].stem

    # --- one term

    def _try_phrase_of(self, g: int) -> dict[int, int] | None:
        """Read a term by its values: "morning the next day", "night on sun (nurse 3)"."""
        vocabulary = self.vocabulary
        if not self._still or (len(vocabulary.axes.dims) > 1 and self._stem(g)):
            return None
        words = vocabulary.words
        days = [a for a in self._still if words[a].singular == "day"]
        plain = [a for a in self._still if a not in days and words[a].is_plain]
        numbers = [a for a in self._still if a not in days and a not in plain]
        phrases = [vocabulary.phrases(a, words[a].one) for a in plain]
        phrases += [vocabulary.phrases(a, words[a].fixed if plain else words[a].one) for a in days]
        coordinates: dict[int, int] = {}
        if not phrases:
            return None
        for a, known in zip((*plain, *days), phrases, strict=True):
            k = self.try_longest(known)
            if k is None:
                return None
            coordinates[a] = k
        for place, a in enumerate(numbers):
            k = None
            if self.try_sign("," if place else "("):
                k = self.try_longest(vocabulary.phrases(a, words[a].one))
            if k is None:
                return None
            coordinates[a] = k
        if numbers and not self.try_sign(")"):
            return None
        return coordinates | {a: self._steps(a) for a in vocabulary.dims if a in self._moves}

    def _steps(self, a: int) -> int:
        """Read how many places further on a term is: "the next day", "2 days later", or nothing."""
        words, start = self.vocabulary.words[a], self.place
        if self.try_phrase(words.later(1)):
            return 1
        steps, self.place = self.try_integer(), start
        return steps if steps and steps < self.vocabulary.size(a) and self.try_phrase(words.later(steps)) else 0

    def _try_symbol(self, g: int) -> dict[int, int] | None:
        """Read a term by its indices: "x[i, j + 1]"."""
        if not self.try_phrase(f"{self._stem(g)}["):
            return None
        coordinates: dict[int, int] = {}
        for place, a in enumerate(self.vocabulary.axes.dims[g]):
            index = self._try_index(a) if not place or self.try_sign(",") else None
            if index is None:
                return None
            coordinates[a] = index
        return coordinates if self.try_sign("]") else None

    def _try_index(self, a: int) -> int | None:
        words = self.vocabulary.symbols[a]
        if a not in self._moves:
            known = self.vocabulary.phrases(a, words.value) | self.vocabulary.phrases(a, words.one)
            return self.try_longest(known | {"all": WHOLE, words.many("all"): WHOLE})
        if not self.try_phrase(words.singular):
            return None
        steps = self.try_integer() if self.try_sign("+") else 0
        return steps if steps is not None and steps < self.vocabulary.size(a) else None

    # --- what a sum runs over

    def read_scope(self) -> tuple[ColumnLiteral, ...]:
        """Read all that a count or a sum runs over: "the 16 nurses at night", "these 3 rows × 3 columns"."""
        vocabulary, stem = self.vocabulary, self._stem(self.vocabulary.grid)
        if len(vocabulary.axes.dims) > 1 and stem and not (self.try_phrase(stem) and self.try_words("over")):
            self.fail(f"“{stem} over” is missing before {self.rest}")
        sides = {a: range(self._moves[a].span or 1) for a in vocabulary.dims if a in self._moves}
        windows = [vocabulary.words[a].many(str(len(side))) for a, side in sides.items() if len(side) > 1]
        if windows and not self.try_phrase(f"these {' × '.join(windows)}"):
            self.fail(f"“these {' × '.join(windows)}” is missing before {self.rest}")
        read: dict[int, tuple[int, ...]] = {}
        for a in self._still:
            start = self.place
            places = self._try_part(a) if not (windows or read) or self.try_sign("×") else None
            if places is None:
                self.place = start
            else:
                read[a] = places
        if not windows and not read:
            self.fail(f"a number of places is missing before {self.rest}: write “of the 7 days”")
        for a in self._still:
            if a not in read:
                k = self.try_longest(vocabulary.phrases(a, vocabulary.words[a].fixed))
                if k is None:
                    self.fail(f"a {vocabulary.words[a].singular} is missing before {self.rest}: name one, or several")
                read[a] = (k,)
        box = {a: sides.get(a) or read[a] for a in vocabulary.dims}
        cells = [dict(zip(box, cell, strict=True)) for cell in product(*box.values())]
        return tuple(ColumnLiteral(self._number(vocabulary.grid, cell), (1,)) for cell in cells)

    def _try_part(self, a: int) -> tuple[int, ...] | None:
        """Read the places of one axis that a sum runs over."""
        words, size = self.vocabulary.words[a], self.vocabulary.size(a)
        if self.try_sign("("):
            places = self._try_part(a)
            return places if self.try_sign(")") else None
        if self.try_phrase(words.many("its")):
            return (WHOLE,)
        if self.try_phrase(words.many(f"the {size}")):
            return tuple(range(size))
        if self.try_phrase(f"{words.many('all')} but"):
            missing = self.read_plain(a)
            return tuple(k for k in range(size) if k not in missing)
        return self.try_listed(a)
