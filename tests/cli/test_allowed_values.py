"""The choices that the command line offers are those that the library has."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from unwritten.cli import allowed_values
from unwritten.cli import shared_options as options
from unwritten.options import MINERS
from unwritten.rules import DEFINITION, GIVEN, HABIT, MINED


@pytest.mark.parametrize(
    ("choices", "names"),
    [
        (allowed_values.RuleOrigin, (MINED, GIVEN, DEFINITION, HABIT)),
    ],
)
def test_choices_are_those_of_the_library(choices: Any, names: Any) -> None:
    """A new origin of rules has to be offered too."""
    assert get_args(choices) == tuple(names)


def test_miners_are_completed_one_after_the_other() -> None:
    """A shell offers every miner, and behind a comma those that are not named yet."""
    assert options.complete_miners("") == ["auto", *MINERS]
    assert "pairs,groups" in options.complete_miners("pairs,")
    assert "pairs,pairs" not in options.complete_miners("pairs,")
