"""Readings of a few sensors, with the rules that such a table has."""

from __future__ import annotations

from datetime import datetime, timedelta

from unwritten.samples.dice import Dice

Cell = str | int | None

#: The site, the unit, and the middle of the readings in quarters of a unit
SENSORS = {
    "T-01": ("boiler", "celsius", 260),
    "T-02": ("hall", "celsius", 84),
    "P-01": ("boiler", "bar", 24),
    "H-01": ("hall", "percent", 190),
}
CODES = {"ok": 0, "check": 4, "fault": 9}
START = datetime(2025, 3, 1)


def sensors(rows: int, seed: int) -> list[dict[str, Cell]]:
    """Return readings in which, among other things:

    - the sensor decides its site and unit, and the status its code;
    - the timestamp says the date, the hour and the minute; there is one reading of each sensor at a time;
    - low ≤ value ≤ high, all in steps of 0.25;
    - the value is missing exactly when the status is fault.
    """
    dice = Dice(seed)
    made: list[dict[str, Cell]] = []
    for k in range(rows):
        sensor = tuple(SENSORS)[k % len(SENSORS)]
        site, unit, middle = SENSORS[sensor]
        when = START + timedelta(minutes=15 * (k // len(SENSORS)))
        status = "fault" if dice.happens(0.03) else "check" if dice.happens(0.1) else "ok"
        value = middle + dice.between(-12, 12)
        made.append(
            {
                "timestamp": when.isoformat(sep=" "),
                "date": when.date().isoformat(),
                "hour": when.hour,
                "minute": when.minute,
                "sensor": sensor,
                "site": site,
                "unit": unit,
                "low": _quarters(value - dice.between(0, 8)),
                "value": None if status == "fault" else _quarters(value),
                "high": _quarters(value + dice.between(0, 8)),
                "status": status,
                "code": CODES[status],
            }
        )
    return made


def _quarters(number: int) -> str:
    return f"{number // 4}.{25 * (number % 4):02d}"
