"""Gaps: rules on differences of integers that no linear row can say, such as "x ≠ y"."""

from unwritten.rules.gaps.encoding import GapEncoding, encoded_gaps
from unwritten.rules.gaps.gap import Gap, GapKind
from unwritten.rules.gaps.gaps import Gaps
from unwritten.rules.gaps.parts import GapPart, GapParts

__all__ = ["Gap", "GapEncoding", "GapKind", "GapPart", "GapParts", "Gaps", "encoded_gaps"]
