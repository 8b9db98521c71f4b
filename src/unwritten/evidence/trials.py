"""Trials: how many labels could have broken a row, and what naming the row costs."""

from __future__ import annotations

from unwritten.data import IntArray
from unwritten.evidence.chance import price
from unwritten.tally import Tally


def trials_and_price(tally: Tally, row: IntArray) -> tuple[int, float]:
    """The number of labels that could have broken `row`, and its description length in nats.

    Under symmetries a label counts once for every image that the row has, because each image is another row. A row that
    equals all its images is tested once by each given label, but there are few such rows, so its price is lower.
    """
    orbits = tally.symmetry
    if orbits is None:
        return tally.n, price(row, len(row))
    width = tally.seen.shape[1]
    if row[width:].any():  # a row over latent variables, which have no images
        return orbits.n, price(row, len(row))
    images = orbits.images_of(row[:width])
    if images > 1:
        return orbits.trials(images), price(row, width)
    first = orbits.representatives
    return orbits.n, price(row[first], len(first))
