"""Orders of a web shop, with the rules that such a table has."""

from __future__ import annotations

from datetime import date, timedelta

from unwritten.samples.dice import Dice

Cell = str | int | None

COUNTRIES = {"DE": "EUR", "FR": "EUR", "NL": "EUR", "GB": "GBP", "CH": "CHF", "US": "USD"}
TAX_PERMILLE = {"DE": 190, "FR": 200, "NL": 210, "GB": 200, "CH": 81, "US": 0}
STATUSES = ("open", "shipped", "delivered", "delivered", "delivered", "delivered", "returned")
FIRST_DAY = date(2025, 1, 1)


def orders(rows: int, seed: int) -> list[dict[str, Cell]]:
    """Return orders in which, among other things:

    - order_id is unique, and the country decides the currency and the rate of tax;
    - net = quantity · unit_price, and gross = net + tax, to the cent;
    - an order is shipped no earlier than ordered and delivered no earlier than shipped;
    - shipped_at is missing exactly when the status is open, and a returned order has a refund above 0.
    """
    dice = Dice(seed)
    made: list[dict[str, Cell]] = []
    for k in range(rows):
        country, status = dice.one_of(tuple(COUNTRIES)), dice.one_of(STATUSES)
        quantity, price = dice.between(1, 9), dice.between(199, 14_999)
        net = quantity * price
        tax = (net * TAX_PERMILLE[country] + 500) // 1000
        ordered = FIRST_DAY + timedelta(days=k * 300 // rows)
        shipped = None if status == "open" else ordered + timedelta(days=dice.between(0, 6))
        is_delivered = status in ("delivered", "returned") and shipped is not None
        delivered = shipped + timedelta(days=dice.between(1, 9)) if is_delivered and shipped is not None else None
        share = dice.between(1, 4) if status == "returned" else 0
        made.append(
            {
                "order_id": 100_001 + k,
                "ordered_at": ordered.isoformat(),
                "customer": f"C{dice.between(1, 400):04d}",
                "channel": dice.one_of(("web", "app", "phone")),
                "country": country,
                "currency": COUNTRIES[country],
                "quantity": quantity,
                "unit_price": _money(price),
                "net": _money(net),
                "tax": _money(tax),
                "gross": _money(net + tax),
                "status": status,
                "shipped_at": None if shipped is None else shipped.isoformat(),
                "delivered_at": None if delivered is None else delivered.isoformat(),
                "refund": _money((net + tax) * share // 4),
            }
        )
    return made


def _money(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02d}"
