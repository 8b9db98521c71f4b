"""Indices in names: `x[3,mon]`, `nurse 3 / mon / night`, `r1c4=7` and `x_3_4` are text and index values.

Names of one form have the same text around their indices. Names that could be read in several ways are not read.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from unwritten.data.index_order import DATE_OR_TIME, NUMBER, is_calendar_word

BRACKETS = re.compile(r"([^\[\]()]*?)\s*((?:\[[^\[\]()]+\]|\([^\[\]()]+\))+)")
BETWEEN_BRACKETS = re.compile(r"\]\[|\)\(|,|;")
SEPARATORS = ("/", "|", ",", ";")
VALUE = re.compile(r"(.*[^<>!=\s])\s*=\s*([^=\s][^=]*)")
TOKENS = re.compile(r"\d+|[^\W\d_]+|[\W_]+")
MARKS = " _-.:#="
LEAST_OF_WORDS = 6  # least names of words alone, such as early_north: fewer may form a product by chance


@dataclass(frozen=True)
class IndexedNames:
    """Names of one form: their common text, a label for each index ("" if unknown), their places, and their values."""

    stem: str
    labels: tuple[str, ...]
    places: tuple[int, ...]
    values: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class _Name:
    """One name in pieces: `form` is what all names of one grid share, `tokens` are the pieces of a plain name."""

    place: int
    form: tuple[object, ...]
    stem: str
    labels: tuple[str, ...]
    values: tuple[str, ...]
    tokens: tuple[tuple[str, str], ...] = ()


def indexed_names(names: Sequence[str]) -> list[IndexedNames]:
    """Group names by their form, in the order in which the forms first appear.

    >>> indexed_names(["x[1,mon]", "x[2,mon]"])[0].values
    (('1', 'mon'), ('2', 'mon'))
    """
    groups: dict[tuple[object, ...], list[_Name]] = defaultdict(list)
    for place, name in enumerate(names):
        read = _read(place, name)
        groups[read.form].append(read)
    settled = (part for group in groups.values() for part in _settled(group))
    return [
        IndexedNames(
            group[0].stem,
            group[0].labels,
            tuple(name.place for name in group),
            tuple(name.values for name in group),
        )
        for group in settled
        if group[0].values
    ]


def _read(place: int, name: str) -> _Name:
    """Read one name; a value after the last equals sign is its last index."""
    base, value = name.strip(), None
    if match := VALUE.fullmatch(base):
        base, value = match[1], match[2].strip()
    read = _base(place, base)
    if value is None:
        return read
    return replace(
        read,
        form=(*read.form, "="),
        stem=read.stem if read.values or read.tokens else base,
        labels=(*read.labels, "value"),
        values=(*read.values, value),
    )


def _base(place: int, base: str) -> _Name:
    if match := BRACKETS.fullmatch(base):
        parts = [part.strip().strip("'\"") for part in BETWEEN_BRACKETS.split(match[2][1:-1])]
        return _of_parts(place, match[1], "[", parts)
    for mark in SEPARATORS:
        if mark in base:
            return _of_parts(place, "", mark, [part.strip() for part in base.split(mark)])
    tokens = tuple(_kinds(TOKENS.findall(base)))
    return _Name(place, ("tokens", *_shape(tokens)), "", (), (), tokens)


def _of_parts(place: int, stem: str, mark: str, parts: list[str]) -> _Name:
    """Read a name whose indices stand between marks; each part is one value, or text with numbers such as `nurse 3`."""
    if not all(parts):
        return _Name(place, ("alone", place), "", (), ())
    forms, labels, values = [], [], []
    for part in parts:
        pieces = re.split(r"(\d+)", part)
        if len(pieces) == 1 or NUMBER.fullmatch(part) or DATE_OR_TIME.fullmatch(part):
            forms.append("")
            labels.append("")
            values.append(part)
        else:
            forms.append("#".join(pieces[::2]))
            labels += [text.strip(MARKS) for text in pieces[:-1:2]]
            values += pieces[1::2]
    return _Name(place, (mark, stem, *forms), stem, tuple(labels), tuple(values))


def _kinds(texts: list[str]) -> Iterable[tuple[str, str]]:
    """Each token with its kind: n(umber), c(alendar word), w(ord between marks), t(ext beside a number) or m(ark)."""
    for k, text in enumerate(texts):
        if text.isdecimal():
            yield "n", text
        elif not text[0].isalpha():
            yield "m", text
        elif any(texts[j].isdecimal() for j in (k - 1, k + 1) if 0 <= j < len(texts)):
            yield "t", text
        else:
            yield ("c" if is_calendar_word(text) else "w"), text


def _shape(tokens: tuple[tuple[str, str], ...]) -> list[str]:
    """What names of one grid share before their words are compared; before numbers, the first word is a fixed stem."""
    has_number = any(kind == "n" for kind, _ in tokens)
    return [
        text if kind in "mt" or (kind == "w" and k == 0 and has_number) else kind
        for k, (kind, text) in enumerate(tokens)
    ]


def _settled(group: list[_Name]) -> Iterable[list[_Name]]:
    """Decide which tokens of plain names are indices: numbers, week days and months, and words that form a product."""
    if not group[0].tokens:
        yield group
        return
    kinds = [kind for kind, _ in group[0].tokens]
    certain = [k for k, kind in enumerate(kinds) if kind in "nc"]
    words = [k for k, kind in enumerate(kinds) if kind == "w" and len({name.tokens[k][1] for name in group}) > 1]
    if words and _is_product(group, sorted(certain + words), least=0 if certain else LEAST_OF_WORDS):
        yield [_with_indices(name, sorted(certain + words)) for name in group]
    elif certain or group[0].values:
        parts: dict[tuple[str, ...], list[_Name]] = defaultdict(list)
        for name in group:
            parts[tuple(name.tokens[k][1] for k in words)].append(_with_indices(name, certain))
        yield from parts.values()


def _is_product(group: list[_Name], indices: list[int], least: int) -> bool:
    """True if the names are all combinations of at least two indices (the value after an equals sign is one)."""
    columns = [{name.tokens[k][1] for name in group} for k in indices]
    columns += [{name.values[0] for name in group}] if group[0].values else []
    combinations = 1
    for column in columns:
        combinations *= len(column)
    return sum(len(column) > 1 for column in columns) > 1 and combinations == len(group) >= least


def _with_indices(name: _Name, indices: list[int]) -> _Name:
    """The name with these tokens as its first indices; the other words are labels of numbers, or its stem."""
    tokens = name.tokens
    numbers = [k for k in indices if tokens[k][0] == "n"]
    before = {k: _word_before(tokens, k, indices) for k in numbers}
    owners = [j for j in before.values() if j is not None]
    labelled = len(owners) == len(numbers) and (len(numbers) > 1 or any(len(tokens[j][1]) > 1 for j in owners))
    if not labelled:
        before, owners = {}, []
    labels = tuple("" if (j := before.get(k)) is None else tokens[j][1] for k in indices)
    rest = [text for k, (kind, text) in enumerate(tokens) if kind in "wt" and k not in indices and k not in owners]
    return replace(
        name,
        stem=" ".join(rest),
        labels=labels + name.labels,
        values=tuple(tokens[k][1] for k in indices) + name.values,
    )


def _word_before(tokens: tuple[tuple[str, str], ...], k: int, indices: list[int]) -> int | None:
    """The place of the word before a number, if there is one that is not an index itself."""
    j = k - 1
    if j >= 0 and tokens[j][0] == "m" and tokens[j][1].strip(MARKS) == "":
        j -= 1
    return j if j >= 0 and tokens[j][0] in "wt" and j not in indices else None
