"""Handwritten digits 1–9 from scikit-learn (UCI, 8 × 8 pixels), in three pools that share no image."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.datasets import load_digits

from unwritten.data import FloatArray, IntArray

SIDE = 8
PIXELS = SIDE * SIDE
#: the numbers of images in the first two pools, in the order of the data set; the third has the rest
TRAIN, VALIDATION = 900, 200


@dataclass(frozen=True, eq=False)
class ImagePool:
    """Images (n × 64, pixels from 0 to 1) with their digits and their places in the data set."""

    images: FloatArray
    digits: IntArray
    places: IntArray

    def __len__(self) -> int:
        return len(self.digits)

    def draw(self, wanted: IntArray, noise: float, rng: np.random.Generator) -> FloatArray:
        """Draw a random image of each wanted digit (… × 64), with normal noise on its pixels; 0 is an empty image."""
        images = np.zeros((*wanted.shape, PIXELS))
        for digit in range(1, 10):
            at = wanted == digit
            images[at] = self.images[rng.choice(np.flatnonzero(self.digits == digit), int(at.sum()))]
        noisy = np.clip(images + noise * rng.standard_normal(images.shape), 0.0, 1.0)
        return np.where((wanted > 0)[..., None], noisy, 0.0)


def pools() -> tuple[ImagePool, ImagePool, ImagePool]:
    """Load the images to train on, to choose the epoch by, and to test on."""
    images, digits = load_digits(return_X_y=True)
    places = np.flatnonzero(digits > 0)
    train, validation, test = (
        ImagePool(images[part] / 16.0, digits[part].astype(np.int64), part)
        for part in np.split(places, [TRAIN, TRAIN + VALIDATION])
    )
    return train, validation, test


def shifted(images: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Move each image (n × 64) by up to one pixel in both directions; the border that comes in is empty."""
    padded = np.pad(images.reshape(-1, SIDE, SIDE), ((0, 0), (1, 1), (1, 1)))
    down, right = rng.integers(0, 3, (2, len(images), 1, 1))
    steps = np.arange(SIDE)
    moved: FloatArray = padded[np.arange(len(images))[:, None, None], down + steps[:, None], right + steps]
    return moved.reshape(len(images), PIXELS)
