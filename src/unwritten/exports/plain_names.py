"""Plain names: names for the variables of LP and MPS files, as close to their own names as the formats allow."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

LONGEST_IDENTIFIER = 60  # characters
#: Words that some reader of LP files takes for a keyword.
KEYWORDS = re.compile(
    r"max(imi[zs]e|imum)?|min(imi[zs]e|imum)?|multi|obj(ectives?)?|subject|to|such|that|st|bounds?|free|inf(inity)?|nan|"
    r"bin(ary|aries)?|gen(erals?)?|int(egers?)?|semis?|sc|sin|continuous|sos[12]?|s[12]|end|lazy|user|constraints|cuts|"
    r"ranges|rhs",
    re.IGNORECASE,
)
RESERVED = re.compile(
    r"x\d+|(rule|cut|gap|fact)_\d+|[eE\d].*", re.ASCII
)  # our own names, and what could be read as a number


def plain_names(names: Sequence[str]) -> list[str]:
    """Return different names of ASCII letters, digits and underscores; `x1`, `x2` … if a name cannot be kept.

    >>> plain_names(["trim=sport", "engine", "free", "a b", "a-b", "élan", "日"])
    ['trim_sport', '_engine', '_free', 'x4', 'x5', 'lan', 'x7']
    """
    cleaned = [_cleaned(name) for name in names]
    times = Counter(cleaned)
    return [
        name if name and times[name] == 1 and len(name) <= LONGEST_IDENTIFIER else f"x{j}"
        for j, name in enumerate(cleaned, 1)
    ]


def _cleaned(name: str) -> str:
    plain = re.sub(r"[^A-Za-z0-9_]+", "_", name).strip("_")
    return f"_{plain}" if KEYWORDS.fullmatch(plain) or RESERVED.fullmatch(plain) else plain
