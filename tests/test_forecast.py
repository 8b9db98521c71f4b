"""How a forecast is shown; whether forecasts come true is tested with the evidence."""

from __future__ import annotations

from unwritten import Forecast

FORECAST = Forecast(60, 5 / 12, 0.95, 0.0523)


def test_repr_rounds_shares() -> None:
    """The repr has three digits of each share, on one line."""
    assert repr(FORECAST) == "Forecast(examples=60, inner=0.417, outer=0.950, error=0.052)"


def test_notebooks_show_a_table() -> None:
    """The HTML has one row for the best seen label and one for rules and cuts, in percent."""
    html = FORECAST._repr_html_()
    assert html.startswith("<table")
    for text in ("from 60 examples", "the best seen label", "41.7 %", "rules and cuts", "95.0 ± 5.2 %"):
        assert text in html
