"""What k examples that differ from all others can say for a rule."""

from __future__ import annotations

from math import comb, log

import numpy as np

from unwritten.evidence.stake import most_nats
from unwritten.tally import Tally


def test_examples_at_stake_bound_the_evidence() -> None:
    """Among 50 examples, 2 that differ in the columns of a row can say ln C(50, 2) nats; constant columns say none."""
    labels = np.zeros((50, 3), np.int64)
    labels[:, 2] = np.arange(50)
    labels[[7, 30], 0] = labels[[7, 30], 1] = 1
    tally = Tally.of(labels)
    rows = np.array([[1, -1, 0], [1, -1, 1]])
    assert np.allclose(most_nats(tally, tally.seen, rows), [log(comb(50, 2)), log(comb(50, 49))])
    assert most_nats(tally, tally.seen * 0, rows).tolist() == [0.0, 0.0]
