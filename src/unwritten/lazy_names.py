"""Packages that load their names when they are first asked for: a command hears Ctrl-C from its first moments on."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType

TYPE_CHECKING = False  # as in `typing`, which alone takes half of the time until a command can be stopped
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def load_lazily(package: str, places: Mapping[str, str]) -> None:
    """Let a package find each name of `places` in the module given there, and its own modules without an import.

    A name that is also the name of the module means what the module holds under that name.
    """

    class LazyPackage(ModuleType):
        def __getattr__(self, name: str) -> Any:
            if name in places:
                value = getattr(import_module(places[name]), name)
                setattr(self, name, value)
                return value
            if not name.startswith("_"):
                try:
                    return import_module(f"{package}.{name}")
                except ModuleNotFoundError as error:
                    if error.name != f"{package}.{name}":
                        raise
            raise AttributeError(f"module {package!r} has no attribute {name!r}")

        def __setattr__(self, name: str, value: Any) -> None:
            if isinstance(value, ModuleType) and name in places:  # Python has imported the module of this name
                value = getattr(value, name)
            super().__setattr__(name, value)

        def __dir__(self) -> list[str]:
            return sorted({*vars(self), *places})

    sys.modules[package].__class__ = LazyPackage
