"""Rules that hold at nearly all places of a pattern are completed."""

import numpy as np
import pytest

import unwritten

NURSES, DAYS = 6, 5
SHIFTS = ("off", "morning", "night")
AXES = {"nurse": list(range(NURSES)), "day": ["mon", "tue", "wed", "thu", "fri"], "shift": list(SHIFTS)}


def rosters(n, seed, exception=None, rare=0.03):
    """No morning after a night, except for one nurse if asked; the last nurse hardly ever works at night."""
    rng = np.random.default_rng(seed)
    labels = np.zeros((n, NURSES, DAYS, 3), int)
    for nurse in range(NURSES):
        night = rare if nurse == NURSES - 1 else 0.35
        before = np.zeros(n, int)
        for day in range(DAYS):
            shift = rng.choice(3, n, p=[0.65 - night, 0.35, night])
            if nurse != exception:
                shift[(before == 2) & (shift == 1)] = 0
            labels[np.arange(n), nurse, day, shift] = 1
            before = shift
    return labels.reshape(n, -1)


@pytest.mark.parametrize("seed", range(3))
def test_a_nurse_with_few_nights_has_the_rule_of_all_others(seed):
    """Of the last nurse alone, nothing could be told."""
    model = unwritten.mine(rosters(300, seed), axes=AXES)
    assert "for every nurse and day: not night and then morning the next day" in str(model)
    assert model.check(rosters(2_000, seed + 10)).feasible.mean() == 1


def test_an_exception_is_not_covered():
    """A nurse who may work in the morning after a night is left out, and those with few nights are not completed."""
    model = unwritten.mine(rosters(300, 1, exception=2), axes=AXES)
    labels = rosters(2_000, 11, exception=2)
    assert model.check(labels).feasible.all()
    assert "for every day, and for nurses 0, 1, 3 and 4: not night and then morning the next day" in str(model)


def test_without_a_layout_nothing_is_completed():
    """The same labels under plain names have only the rules that they show themselves."""
    labels = rosters(300, 0)
    named, plain = unwritten.mine(labels, axes=AXES), unwritten.mine(labels)
    assert len(named.rules) > len(plain.rules)
