"""Mutators: change valid inputs, by the meaning of their bytes or at random; all choices come from `rng`."""

from __future__ import annotations

import io
import json
import random
import re
import struct
import warnings
import zipfile
from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

import numpy as np

NUMBERS = [
    *("0", "-0", "-1", "1", "2", "007", "+3", "1e3", "1e999", "-1e999", "nan", "inf", "0x10", "1_000", "1.5", ".5"),
    *("2147483647", "2147483648", "-2147483649", "4294967296", "9223372036854775807", "9223372036854775808"),
    *("-9223372036854775808", "18446744073709551616", "9" * 18, "9" * 19, "9" * 400, "9" * 5_000, "١٢٣", "²", "½"),
]
WORDS = [
    *("", " ", "\0", "\n", "\r", "\r\n", "\t", '"', '""', "'", "`", "\\", ",", ";", "|", "=", "\x1b[31m", "\x9b2J"),
    *("\x7f", "\u202e", "\u2028", "\u2029", "\u00a0", "\ufeff", "\ud800", "\udfff", "é", "日本", "𝔘", "a\u0301", "İ"),
    *("=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "<script>alert(1)</script>", "'; DROP TABLE x; --", "../x"),
    *("__import__('os')", "/etc/passwd", "CON", "NUL", "null", "None", "missing", "true", "requires", "x" * 10_000),
]
WHOLE = [0, 1, 2, 255, 2**15, 2**16 - 1, 2**24, 2**31 - 1, 2**31, 2**32 - 1, 2**40, 2**62, 2**63 - 1, 2**63, 2**64 - 1]
VALUES: list[Any] = [
    *(None, True, False, 0, 1, -1, 2, 2**31, 2**53 + 1, 2**63, -(2**63), 2**64, 10**400, 0.5, -0.0, 1e308, 1e-320),
    *("", "a", "min", "given", "pairs", "x" * 5_000, "\0", "\x1b]0;x\x07", "\u202e", "\ud800", "⅓"),
    *([], {}, [[]], [None], [1, 2, 3], ["a", "a"], {"a": 1}, {"": None}, [[[[[1]]]]], [0] * 1_000, [1e308] * 3),
]


def text_of(rng: random.Random) -> str:
    """Return a hostile number, a hostile word, or random characters."""
    kind = rng.randrange(4)
    if kind == 0:
        return rng.choice(NUMBERS)
    if kind == 1:
        return rng.choice(WORDS)
    if kind == 2:
        return "".join(chr(rng.randrange(rng.choice((32, 128, 0xD7FF)))) for _ in range(4))
    return rng.choice(NUMBERS) + rng.choice(WORDS)


def encoded(text: str) -> bytes:
    """Encode as UTF-8, including lone surrogates."""
    return text.encode("utf-8", "surrogatepass")


def bytes_changed(
    rng: random.Random, data: bytes, other: bytes = b"", place: Callable[[int], int] | None = None
) -> bytes:
    """Make one to four changes of bits, bytes, integers or pieces, which are lost, repeated, moved or replaced."""
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 4))):
        at = place(len(out)) if place and out else rng.randrange(len(out) + 1)
        size = min(rng.choice((1, 1, 2, 4, 8, 16, 100, 1_000)), len(out) - at)
        match rng.randrange(10):
            case 0 | 1 if at < len(out):
                out[at] ^= 1 << rng.randrange(8)
            case 2 if at < len(out):
                out[at] = rng.choice((0, 1, 10, 13, 34, 44, 127, 128, 255, rng.randrange(256)))
            case 3:
                code, most = rng.choice((("<H", 16), ("<I", 32), ("<Q", 64), (">I", 32)))
                out[at : at + struct.calcsize(code)] = struct.pack(code, rng.choice(WHOLE) % 2**most)
            case 4:
                del out[at : at + size if rng.random() < 0.7 else len(out)]
            case 5:
                out[at:at] = out[at : at + size] * rng.choice((1, 1, 2, 50))
            case 6 if len(out) > 1:
                to = rng.randrange(len(out))
                piece = out[at : at + size]
                del out[at : at + size]
                out[to:to] = piece
            case 7:
                source = other or data
                start = rng.randrange(len(source) + 1)
                out[at : at + size] = source[start : start + rng.choice((1, 8, 64, 512, len(source)))]
            case 8:
                out[at:at] = encoded(text_of(rng))
            case _:
                numbers = list(re.finditer(rb"-?\d+(?:\.\d+)?", bytes(out[:20_000])))
                if numbers:
                    where = rng.choice(numbers)
                    out[where.start() : where.end()] = encoded(rng.choice(NUMBERS))
    return bytes(out[: 2**20])


def text_changed(rng: random.Random, text: str, tokens: Sequence[str], other: str = "") -> str:
    """Make one to five changes of the words of a text: swap, drop, double, or replace them by tokens."""
    parts = re.findall(r"\w+|\s+|[^\w\s]", text)
    more = re.findall(r"\w+|\s+|[^\w\s]", other) or [""]
    for _ in range(rng.choice((1, 1, 2, 3, 5))):
        at = rng.randrange(len(parts) + 1)
        match rng.randrange(8):
            case 0:
                parts[at : at + 1] = [rng.choice(tokens)]
            case 1:
                parts.insert(at, rng.choice(tokens))
            case 2:
                parts.insert(at, text_of(rng))
            case 3:
                del parts[at : at + rng.choice((1, 1, 2, 10))]
            case 4:
                parts[at:at] = parts[at : at + rng.choice((1, 3, 20))] * rng.choice((1, 2, 60))
            case 5 if len(parts) > 1:
                a, b = rng.randrange(len(parts)), rng.randrange(len(parts))
                parts[a], parts[b] = parts[b], parts[a]
            case 6:
                start = rng.randrange(len(more))
                parts[at:at] = more[start : start + rng.choice((1, 5, 30))]
            case _:
                numbers = [k for k, part in enumerate(parts) if part.isdigit()]
                if numbers:
                    parts[rng.choice(numbers)] = rng.choice(NUMBERS)
    return "".join(parts)[: 2**20]


def json_changed(rng: random.Random, value: Any) -> Any:
    """Copy a JSON value, and replace, drop, double or swap one to three of its parts."""
    value = json.loads(json.dumps(value))
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        places = list(json_places(value))
        if not places:
            return _value(rng)
        holder, key = rng.choice(places)
        match rng.randrange(6):
            case 0 | 1:
                holder[key] = _value(rng)
            case 2:
                del holder[key]
            case 3:
                there, other = rng.choice(places)
                holder[key] = json.loads(json.dumps(there[other])) if _has(there, other) else None
            case 4 if isinstance(holder, list):
                holder.insert(key, deepcopy(holder[key]) if rng.random() < 0.5 else _value(rng))
            case 5 if isinstance(holder[key], str):
                holder[key] = rng.choice((holder[key] + text_of(rng), text_of(rng)))
            case _ if isinstance(holder[key], int | float):
                holder[key] = rng.choice((-1, 1)) * rng.choice((*WHOLE, 0.5, 1e300))
            case _:
                holder[key] = _value(rng)
    return value


def _value(rng: random.Random) -> Any:
    return deepcopy(rng.choice(VALUES))


def json_places(value: Any) -> Any:
    """Yield every place of a JSON value as its holder and key; of long lists the first 200."""
    if isinstance(value, dict):
        for key in value:
            yield value, key
            yield from json_places(value[key])
    elif isinstance(value, list):
        for k, part in enumerate(value[:200]):
            yield value, k
            yield from json_places(part)


def _has(holder: Any, key: Any) -> bool:
    return key in holder if isinstance(holder, dict) else key < len(holder)


def members_of(data: bytes) -> dict[str, bytes]:
    """Return the members of a zip by name."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(members: Sequence[tuple[str, bytes]], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Make a zip of these members; two may have the same name."""
    file = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about two members of the same name
        with zipfile.ZipFile(file, "w", method, strict_timestamps=False) as archive:
            for name, content in members:
                archive.writestr(zipfile.ZipInfo(name), content, method)
    return file.getvalue()


def zip_fields_changed(rng: random.Random, data: bytes) -> bytes:
    """Overwrite fields of the directory, of local headers or of the end record of a zip."""
    out = bytearray(data)
    starts = [m.start() for m in re.finditer(rb"PK(\x01\x02|\x03\x04|\x05\x06)", data)]
    for _ in range(rng.choice((1, 1, 2, 3))):
        at = rng.choice(starts) + rng.randrange(4, 46)
        code = rng.choice(("<H", "<I", "<B"))
        size = struct.calcsize(code)
        if at + size <= len(out):
            old = int.from_bytes(out[at : at + size], "little")
            choices = [0, 1, old + 1, max(0, old - 1), old * 2, len(data), 8, 12, 14, 99, 2**16 - 1, 2**31, 2**32 - 1]
            struct.pack_into(code, out, at, rng.choice(choices) % 2 ** (8 * size))
    return bytes(out)


def npy_changed(rng: random.Random, data: bytes) -> bytes:
    """Change the header, the shape, the type or some entries of an array."""
    if rng.randrange(6) == 0:
        return bytes_changed(rng, data, place=lambda size: rng.randrange(min(size, 128)))
    try:
        array = np.load(io.BytesIO(data), allow_pickle=False)
    except (ValueError, EOFError, OSError):
        return data
    array = array_changed(rng, array)
    file = io.BytesIO()
    np.lib.format.write_array(file, np.ascontiguousarray(array), (1, 0), allow_pickle=False)
    return file.getvalue()


def array_changed(rng: random.Random, array: Any) -> Any:
    """Change the type, the shape, the length, the order or some entries of an array."""
    kind = rng.choice((1, 2, 3, 4, 5, 5, 5))
    if kind == 1:
        array = array.astype(rng.choice(("<i8", "<f8", "|b1", ">i8", "<i4", "<U3", "<c16", "|V8")))
    elif kind == 2:
        array = array.reshape(rng.choice(((-1,), (1, -1), (-1, 1), (1, -1, 1), (*array.shape, 1))))
    elif kind == 3 and array.ndim:
        array = rng.choice((array[:-1], array[1:], array[:0], array[::-1], np.concatenate([array, array])))
    elif kind == 4 and array.ndim > 1:
        array = rng.choice((array[:, :-1], array[:, 1:], array[:, :0], array[:, ::-1], array.T))
    else:
        array = array.copy()
        for _ in range(rng.choice((1, 1, 3))):
            if array.size:
                _set(rng, array.reshape(-1), rng.randrange(array.size))
    return array


def _set(rng: random.Random, flat: Any, at: int) -> None:
    if flat.dtype.kind == "f":
        flat[at] = rng.choice((0.0, -1.0, 1e308, -1e308, 5e-324, float("nan"), float("inf"), 1e100, 0.1))
    elif flat.dtype.kind == "b":
        flat[at] = not flat[at]
    else:
        flat[at] = rng.choice((0, 1, -1, 2, 3, 2**31 - 1, 2**31, -(2**31), 2**53 + 1, 2**63 - 1, -(2**63), 10**9))
