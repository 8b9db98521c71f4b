"""Shifts of a small team over half a year, with the rules that such a table has."""

from __future__ import annotations

from datetime import date, timedelta

from unwritten.samples.dice import Dice

Cell = str | int | None

TEAMS = {
    "desk": ("Ada", "Ben", "Cleo", "Dan"),
    "lab": ("Eva", "Finn", "Gus", "Hana"),
    "store": ("Ivo", "Jana", "Kim", "Leo"),
}
STARTS = {"early": (6, 7, 8), "day": (9, 10), "late": (13, 14)}
LENGTHS = (4, 6, 8)
FIRST_MONDAY = date(2025, 1, 6)
MOST_A_WEEK = 5


def shifts(rows: int, seed: int) -> list[dict[str, Cell]]:
    """Return shifts in which, among other things:

    - a person works for one team, at most once a day and at most five times a week;
    - start < end, and hours = end − start; a shift of six hours or more has a break of 30 minutes;
    - early shifts start from 6 to 8, day shifts at 9 or 10, late shifts at 13 or 14.
    """
    dice = Dice(seed)
    made: list[dict[str, Cell]] = []
    week = 0
    while len(made) < rows:
        for team, people in TEAMS.items():
            for person in people:
                days = {dice.between(0, 6) for _ in range(dice.between(2, 7))}
                made += [_shift(dice, week, day, person, team) for day in sorted(days)[:MOST_A_WEEK]]
        week += 1
    made.sort(key=lambda row: (str(row["date"]), str(row["person"])))
    return made[:rows]


def _shift(dice: Dice, week: int, day: int, person: str, team: str) -> dict[str, Cell]:
    when = FIRST_MONDAY + timedelta(weeks=week, days=day)
    shift = dice.one_of(tuple(STARTS))
    start, hours = dice.one_of(STARTS[shift]), dice.one_of(LENGTHS)
    return {
        "date": when.isoformat(),
        "week": when.isocalendar().week,
        "weekday": ("mon", "tue", "wed", "thu", "fri", "sat", "sun")[day],
        "person": person,
        "team": team,
        "shift": shift,
        "start": start,
        "end": start + hours,
        "hours": hours,
        "break_minutes": 30 if hours >= 6 else 0,
        "swapped": "yes" if dice.happens(0.1) else "no",
    }
