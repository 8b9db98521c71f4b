"""Fact: the protocol of a statement about whole columns of a table."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from hashlib import sha256
from typing import Any, ClassVar

from unwritten.conditions import Checker, Condition
from unwritten.conditions.condition import named_columns
from unwritten.rules.language.reader import Reader
from unwritten.rules.rule import MINED, Evidence
from unwritten.tables import Schema


@dataclass(frozen=True, kw_only=True, repr=False)
class Fact(ABC):
    """One statement about the columns of a table, with where it came from and its evidence.

    A row breaks a fact only if its cells say so: missing values break no fact about numbers, and values that the fact
    has never seen break no dependency.
    """

    kind: ClassVar[str]
    about: ClassVar[tuple[str, ...]] = ("name",)
    """The fields that name its columns."""
    same: ClassVar[tuple[str, ...]] = ()
    """The fields that make it the same fact when it is mined again; all of them if none is named."""

    origin: str = MINED
    evidence: Evidence | None = None

    def __repr__(self) -> str:
        """The kind and the columns; the words need the table's schema: `fact.words(model.schema)`."""
        return f"{type(self).__name__}({', '.join(self.columns)})"

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it is about."""
        return named_columns(self, self.about)

    @classmethod
    @abstractmethod
    def read(cls, reader: Reader) -> Fact:
        """Read the sentence as people write it; the fact is given."""

    @abstractmethod
    def words(self, schema: Schema) -> str:
        """The sentence."""

    @property
    @abstractmethod
    def condition(self) -> Condition:
        """What it says of rows, in the algebra that Python evaluates and exports render."""

    def checker(self) -> Checker:
        """A new function that says which rows break the fact; it may remember the rows it has seen before."""
        return Checker(self.condition)

    def require(self, schema: Schema) -> None:
        """Raise if the numbers of the fact are none that its columns can have: it could not be said."""
        _ = self.words(schema), self.digest

    @property
    def meaning(self) -> dict[str, Any]:
        """What the fact says, as plain JSON: its fields without origin and evidence."""
        plain = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in plain.items() if name not in ("origin", "evidence")}

    @property
    def digest(self) -> str:
        """The SHA-256 of what the fact means."""
        return sha256(json.dumps([self.kind, self.identity]).encode()).hexdigest()

    @property
    def identity(self) -> Any:
        """The part of its meaning that makes it the same fact when it is mined again."""
        return [getattr(self, name) for name in self.same] or self.meaning
