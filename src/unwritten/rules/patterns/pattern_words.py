"""Say a pattern once: where it holds, then what holds there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from unwritten.data import IntArray, Variables
from unwritten.rules.patterns.axis_words import AxisWords, and_list
from unwritten.rules.patterns.pattern import Pattern
from unwritten.rules.patterns.pattern_axes import WHOLE
from unwritten.rules.words import NamedTerms, kind_of_row, number_text, signed_text

MOST_TERMS_LISTED = 8


def pattern_text(pattern: Pattern, variables: Variables) -> tuple[str, str]:
    """Return the kind of the rules of a pattern, and one sentence for all of them."""
    words = _Words(pattern, bool(variables.binary[pattern.variables].all()))
    kind, text, style = words.statement
    return kind, f"for {words.header(style)}: {text}"


@dataclass(frozen=True)
class _Words:
    """The words for one pattern. `binary` says that all its variables are 0/1."""

    pattern: Pattern
    binary: bool

    @cached_property
    def statement(self) -> tuple[str, str, str]:
        """The kind, what holds, and the style of the header: windows, steps or symbols."""
        for said in (self._fixed(), self._followed(), self._count(), self._sum(), self._listed()):
            if said is not None:
                return said
        return self._symbolic()

    def header(self, style: str) -> str:
        """Where the pattern holds: "every nurse and every day but sun"."""
        names, others, blocks = [], [], []
        for a, bases in zip(self.pattern.template.moving, self.pattern.bases, strict=True):
            words, span = self._axis(a, style == "symbols"), self.pattern.template.span(a)
            text = words.every(bases, span, style)
            if style == "windows" and words.is_block(bases, span):
                blocks.append(words.many(str(span)))
            elif text == f"every {words.singular}":
                names.append(words.singular)
            else:
                others.append(text)
        if blocks:
            others.append(f"every block of {' × '.join(blocks)}")
        parts = [f"every {and_list(names)}", *others] if names else others
        joints = ["", *(" and " if part.startswith("every ") else ", and for " for part in parts[1:])]
        return "".join(joint + part for joint, part in zip(joints, parts, strict=True))

    def _axis(self, axis: int, symbolic: bool = False) -> AxisWords:
        return AxisWords.of(self.pattern.axes, axis, symbolic)

    # --- what the terms are

    @cached_property
    def _dims(self) -> list[int]:
        """The axes of the grid of the first term."""
        return list(self.pattern.axes.dims[int(self.pattern.template.grids[0])])

    @cached_property
    def _one_grid(self) -> bool:
        return bool((self.pattern.template.grids == self.pattern.template.grids[0]).all())

    @cached_property
    def _unit(self) -> int:
        """1 or −1 if all coefficients are that, else 0."""
        values = set(self.pattern.template.coefficients.tolist())
        return values.pop() if values in ({1}, {-1}) else 0

    @cached_property
    def _places(self) -> dict[int, list[int]] | None:
        """The places of the terms on each axis, if the terms are all combinations of them."""
        if not self._one_grid:
            return None
        places = {a: sorted(set(self.pattern.template.coordinates[:, a].tolist())) for a in self._dims}
        places = {a: list(range(self._size(a))) if own == [WHOLE] else own for a, own in places.items()}
        if not self._is_whole and np.prod([len(own) for own in places.values()]) != len(self.pattern.template.grids):
            return None
        gap = any(places[a] != list(range(len(places[a]))) for a in self.pattern.template.moving if a in places)
        return None if gap else places

    @cached_property
    def _is_whole(self) -> bool:
        return bool((self.pattern.template.coordinates == WHOLE).any())

    def _size(self, axis: int) -> int:
        return len(self.pattern.axes.axes[axis].values)

    # --- statements

    def _scope(self) -> str | None:
        """What a sum runs over: "the 16 nurses at night"; None if that cannot be said in words."""
        places = self._places
        if places is None:
            return None
        windows: list[str] = []
        running: list[str] = []
        fixed: list[str] = []
        for a in self._dims:
            words = self._axis(a)
            if a not in self.pattern.template.moving and len(places[a]) > 1:
                running.append(words.many("its") if self._is_whole else words.scope(places[a]))
            elif len(places[a]) > 1:
                windows.append(words.many(str(len(places[a]))))
            elif a not in self.pattern.template.moving:
                fixed.append(words.fixed(places[a][0]))
        parts = [f"these {' × '.join(windows)}", *running] if windows else running
        if len(parts) > 1:
            parts = [f"({text})" if "," in text else text for text in parts]
        stem = f"{self._stem()} over " if self._stem() else ""
        return stem + " ".join([" × ".join(parts), *fixed]) if parts else None

    def _stem(self) -> str:
        grids = self.pattern.axes.layout.grids
        return grids[int(self.pattern.template.grids[0])].stem if len(grids) > 1 else ""

    def _count(self) -> tuple[str, str, str] | None:
        """A number of 0/1 variables: "at least two of the 16 nurses at night"."""
        scope = self._scope() if self.binary and self._unit else None
        if scope is None:
            return None
        kind, words = self._amount()
        return kind, f"{words} of {scope}", "windows"

    def _amount(self) -> tuple[str, str]:
        template, low = self.pattern.template, self.pattern.low
        limit = number_text(self._unit * template.rhs)
        if low is not None:
            return "between", f"{number_text(low)} to {limit}"
        if template.sense == "==":
            return "exactly", f"exactly {limit}"
        return ("at-most", f"at most {limit}") if self._unit > 0 else ("at-least", f"at least {limit}")

    def _sum(self) -> tuple[str, str, str] | None:
        """A sum of integers: "the sum over the 7 days ≤ 40"."""
        scope = self._scope() if self._unit else None
        if scope is None:
            return None
        template, low = self.pattern.template, self.pattern.low
        limit, total = signed_text(self._unit * template.rhs), f"the sum {'of' if self._stem() else 'over'} {scope}"
        if low is not None:
            return "between", f"{total} is {signed_text(low)} to {limit}", "windows"
        sign = "=" if template.sense == "==" else "≤" if self._unit > 0 else "≥"
        return "equality" if template.sense == "==" else "inequality", f"{total} {sign} {limit}", "windows"

    def _followed(self) -> tuple[str, str, str] | None:
        """Two steps that may not follow one another: "not night and then morning the next day"."""
        template = self.pattern.template
        if not (self.binary and self._one_grid and len(template.grids) == 2 and self.pattern.low is None):
            return None
        if self._unit != 1 or template.rhs != 1 or template.sense != "<=":
            return None
        first, second = template.coordinates[np.argsort(self._steps(), kind="stable")]
        if self._steps().max() == 0 or self._steps().min() > 0 or (first == second)[self._still].all():
            return None
        texts = [self._term(first), self._term(second)]
        if not all(texts):
            return None
        return "at-most", f"not {texts[0]} and then {texts[1]}", "steps"

    @cached_property
    def _still(self) -> list[int]:
        return [a for a in self._dims if a not in self.pattern.template.moving]

    def _steps(self) -> IntArray:
        """How far each term is from the place where the row stands, over all axes together."""
        steps = self.pattern.template.coordinates[:, list(self.pattern.template.moving)]
        return np.asarray(np.maximum(steps, 0).sum(axis=1))

    def _term(self, coordinates: IntArray) -> str:
        """One 0/1 variable by its values and steps: "morning the next day"; empty if it has only numbers."""
        if self._is_whole or not self._still:
            return ""
        still = [(self._axis(a), int(coordinates[a])) for a in self._still]
        days = [words for words, _ in still if words.singular == "day"]
        others = [(words, at) for words, at in still if words not in days]
        texts = [words.one(at) for words, at in others if words.is_plain]
        numbers = [words.one(at) for words, at in others if not words.is_plain]
        on_days = [words.fixed(at) if texts else words.one(at) for words, at in still if words in days]
        if not self.binary or not (texts or on_days):
            return ""
        numbers = [f"({', '.join(numbers)})"] if numbers else []
        moved = [a for a in self.pattern.template.moving if a in self._dims and coordinates[a] > 0]
        later = [self._axis(a).later(int(coordinates[a])) for a in moved]
        return " ".join([*texts, *on_days, *numbers, *later])

    def _fixed(self) -> tuple[str, str, str] | None:
        """One 0/1 variable that is always the same: "never night"."""
        template = self.pattern.template
        if len(template.grids) != 1 or template.sense != "==" or not self.binary or self._is_whole or self._stem():
            return None
        value, term = template.rhs * self._unit, self._term(template.coordinates[0])
        if not term or value not in (0, 1) or not self._unit:
            return None
        return "fixed", f"{'always' if value else 'never'} {term}", "windows"

    def _listed(self) -> tuple[str, str, str] | None:
        """A row whose variables have fixed values, by those: "at most one of night sun, morning mon"."""
        template = self.pattern.template
        if not self._one_grid or len(template.grids) > MOST_TERMS_LISTED or self._stem():
            return None
        names = [self._term(coordinates) for coordinates in template.coordinates]
        if not all(names):
            return None
        return self._said(names, "steps")

    def _symbolic(self) -> tuple[str, str, str]:
        """A row by its indices: "x[i, j] requires open[j]"."""
        template = self.pattern.template
        terms = zip(template.grids.tolist(), template.coordinates, strict=True)
        return self._said([self._symbol(g, coordinates) for g, coordinates in terms], "symbols")

    def _said(self, names: list[str], style: str) -> tuple[str, str, str]:
        template, low = self.pattern.template, self.pattern.low
        row = NamedTerms(names, template.coefficients.tolist(), template.sense, template.rhs, self.binary)
        kind = kind_of_row(row)
        text = kind.text(row)
        if low is None:
            return kind.name, text, style
        return "between", f"{signed_text(low)} ≤ {NamedTerms(names, row.values, '<=', row.rhs, False).linear}", style

    def _symbol(self, g: int, coordinates: IntArray) -> str:
        """One variable by its indices; values have the names of their axes if another grid is like this one."""
        axes, grids, indices = self.pattern.axes, self.pattern.axes.layout.grids, []
        alike = [
            k for k in range(len(grids)) if (grids[k].stem, len(axes.dims[k])) == (grids[g].stem, len(axes.dims[g]))
        ]
        is_alone = alike == [g]
        for a in self.pattern.axes.dims[g]:
            words, at = self._axis(a, symbolic=True), int(coordinates[a])
            if at == WHOLE:
                indices.append("all" if is_alone else words.many("all"))
            elif a in self.pattern.template.moving:
                indices.append(words.singular + (f" + {at}" if at else ""))
            else:
                indices.append(words.value(at) if is_alone else words.one(at))
        return f"{grids[g].stem}[{', '.join(indices)}]"
