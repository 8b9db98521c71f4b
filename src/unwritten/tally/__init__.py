"""Tally: the mergeable statistics that mining needs, and the symmetries that multiply them."""

from unwritten.tally.gram import gram_of
from unwritten.tally.symmetry import Symmetry, interchangeable, relabelled
from unwritten.tally.tally import Tally

__all__ = ["Symmetry", "Tally", "gram_of", "interchangeable", "relabelled"]
