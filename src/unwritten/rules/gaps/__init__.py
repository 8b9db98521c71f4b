"""Gaps: rules on the difference of two integers that no linear row can say, such as "x ≠ y"."""

from unwritten.rules.gaps.encoding import GapEncoding, encoded_gaps
from unwritten.rules.gaps.gap import Gap, GapKind, GapPart
from unwritten.rules.gaps.gaps import Gaps

__all__ = ["Gap", "GapEncoding", "GapKind", "GapPart", "Gaps", "encoded_gaps"]
