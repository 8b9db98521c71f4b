"""The `.rules` container: reading returns what was written, and no bytes can do harm."""

import errno
import io
import json
import os
import random
import re
import signal
import struct
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from unwritten.errors import FormatError
from unwritten.formats import read_archive, write_archive

HEADER = {"names": ["a", "ü"], "rules": [{"rhs": 1, "text": "a + ü = 1"}], "nothing": None}
ARRAYS = {
    "labels": np.arange(12).reshape(3, 4),
    "weights": np.linspace(0.0, 1.0, 7),
    "flags": np.array([True, False]),
    "empty": np.zeros((0, 3)),
    "scalar": np.array(5),
}
DOCUMENT = {"format": "unwritten", "version": 1, "arrays": ["a"], "content": {}}

columns = st.sampled_from(["?", "<i8", "<f8", ">i8", ">f8"]).flatmap(
    lambda code: arrays(code, array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=5))
)
plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def same(left: dict[str, Any], right: dict[str, Any]) -> bool:
    """Equal names, types, shapes and bytes."""
    return left.keys() == right.keys() and all(
        left[name].dtype == right[name].dtype
        and left[name].shape == right[name].shape
        and left[name].tobytes() == right[name].tobytes()
        for name in left
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with known content."""
    path = tmp_path / "model.rules"
    write_archive(path, HEADER, ARRAYS)
    return path


@settings(max_examples=60, deadline=None)
@given(
    header=st.dictionaries(st.text(), plain, max_size=4),
    content=st.dictionaries(st.from_regex(r"\A[a-z_]{1,8}\Z"), columns, max_size=4),
)
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, header: dict[str, Any], content: dict[str, Any]) -> None:
    """Reading gives back the header and every array, in native byte order and writable."""
    path = tmp_path_factory.mktemp("round") / "x.rules"
    write_archive(path, header, content)
    header_back, content_back = read_archive(path)
    assert header_back == header
    assert same(content_back, {name: a.astype(a.dtype.newbyteorder("=")) for name, a in content.items()})
    assert all(array.flags.writeable for array in content_back.values())


def test_same_bytes_twice(path: Path, tmp_path: Path) -> None:
    """Equal content gives equal bytes, whatever the order of names, the memory layout and the clock."""
    again = tmp_path / "again.rules"
    fortran = {name: np.asfortranarray(ARRAYS[name]) if ARRAYS[name].ndim else ARRAYS[name] for name in sorted(ARRAYS)}
    write_archive(again, dict(reversed(HEADER.items())), fortran)
    assert again.read_bytes() == path.read_bytes()


def test_is_an_ordinary_zip_of_npy_files(path: Path) -> None:
    """Anyone can open the file with a zip tool, a JSON reader and numpy."""
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        assert json.loads(archive.read("header.json"))["content"] == HEADER
        assert np.array_equal(np.load(io.BytesIO(archive.read("labels.npy"))), ARRAYS["labels"])


@pytest.mark.parametrize("failure", [KeyboardInterrupt(), OSError(errno.ENOSPC, "No space left on device")])
@pytest.mark.parametrize("place", ["os.fsync", "os.replace", "numpy.lib.format.write_array"])
def test_failed_write_leaves_the_old_file(
    path: Path, monkeypatch: pytest.MonkeyPatch, failure: BaseException, place: str
) -> None:
    """A full disk or Ctrl-C at any stage leaves the old content and no temporary file."""

    def fail(*_: object, **__: object) -> None:
        raise failure

    before = path.read_bytes()
    monkeypatch.setattr(place, fail)
    with pytest.raises(FormatError if isinstance(failure, OSError) else KeyboardInterrupt):
        write_archive(path, {}, {"a": np.zeros(3)})
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == [path.name]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
def test_killed_writer_leaves_a_whole_file(path: Path) -> None:
    """A process killed while it rewrites the file leaves one whole version of it."""
    code = (
        "import sys, numpy as np\n"
        "from unwritten.formats import write_archive\n"
        "while True:\n"
        "    write_archive(sys.argv[1], {'k': 1}, {'a': np.arange(200_000)})\n"
        "    print('written', flush=True)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE)
    assert child.stdout is not None
    with child.stdout:
        written = [child.stdout.readline() for _ in range(10)]
        child.kill()  # during the next write: there is no end of them
        child.wait()
    assert written == [b"written\n"] * 10
    assert child.returncode == -signal.SIGKILL
    header, _ = read_archive(path)
    assert header == {"k": 1}


def test_a_link_stays_a_link(path: Path, tmp_path: Path) -> None:
    """Writing through a symbolic link replaces what it points to."""
    link = tmp_path / "link.rules"
    link.symlink_to(path)
    write_archive(link, {"k": 1}, {})
    assert link.is_symlink()
    assert read_archive(path) == ({"k": 1}, {})


def npy(array: object, **changes: Any) -> bytes:
    """The bytes of an array in npy form, after replacing parts of them."""
    file = io.BytesIO()
    np.save(file, np.asarray(array), allow_pickle=True)
    data = file.getvalue()
    for old, new in changes.get("replace", []):
        data = data.replace(old, new)
    return data


def packed(members: dict[str, bytes], document: object = DOCUMENT) -> bytes:
    """A zip with the given members and header."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        if document is not None:
            text = document if isinstance(document, bytes) else json.dumps(document).encode()
            archive.writestr("header.json", text)
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


def edited(offset: int, code: str, value: int, array: bytes = b"") -> bytes:
    """An archive with one field of the array's directory entry overwritten."""
    data = bytearray(packed({"a.npy": array or npy(np.arange(50))}))
    struct.pack_into(code, data, data.rindex(b"PK\x01\x02") + offset, value)
    return bytes(data)


def doubled() -> bytes:
    """An archive with two members of one name."""
    file = io.BytesIO(packed({"a.npy": npy([1])}))
    with zipfile.ZipFile(file, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("a.npy", npy([2]))
    return file.getvalue()


def cut(share: float) -> bytes:
    """The first part of a valid archive."""
    data = packed({"a.npy": npy(np.arange(50))})
    return data[: int(share * len(data))]


def with_header(**changes: object) -> bytes:
    """An archive whose header differs in some fields."""
    return packed({"a.npy": npy([1])}, DOCUMENT | changes)


def with_local(offset: int, code: str, value: int) -> bytes:
    """An archive in which the local header of the array contradicts the directory."""
    data = bytearray(packed({"a.npy": npy(np.arange(50))}))
    struct.pack_into(code, data, data.rindex(b"PK\x03\x04") + offset, value)
    return bytes(data)


def overlapping() -> bytes:
    """An archive with two members that share their bytes, as some zip bombs have."""
    data = bytearray(packed({"a.npy": ONE, "b.npy": ONE}, DOCUMENT | {"arrays": ["a", "b"]}))
    first, second = (m.start() for m in re.finditer(rb"PK\x01\x02.{42}[ab]\.npy", bytes(data), re.DOTALL))
    data[second + 42 : second + 46] = data[first + 42 : first + 46]
    return bytes(data)


def nested(depth: int) -> bytes:
    """A zip in a zip in a zip, of zeros."""
    data = bytes(2**20)
    for _ in range(depth):
        data = packed({"a.npy": data})
    return data


def special(name: str, mode: int) -> bytes:
    """An archive with a link or a device among its members."""
    file = io.BytesIO(packed({"a.npy": ONE}))
    with zipfile.ZipFile(file, "a") as archive:
        entry = zipfile.ZipInfo(name)
        entry.create_system, entry.external_attr = 3, mode << 16
        archive.writestr(entry, b"/etc/passwd")
    return file.getvalue()


def commented() -> bytes:
    """An archive with a comment that contains a second end-of-directory record."""
    file = io.BytesIO(packed({"a.npy": ONE}))
    with zipfile.ZipFile(file, "a") as archive:
        archive.comment = b"PK\x05\x06" + bytes(18)
    return file.getvalue()


def pickled() -> bytes:
    """An array of objects whose pickle would run a command."""

    class Runs:
        def __reduce__(self) -> tuple[Callable[[str], object], tuple[str]]:
            return os.system, ("touch executed",)

    return packed({"a.npy": npy(np.array([Runs()], object))})


def versioned(major: int) -> bytes:
    """An array in another version of the npy format."""
    file = io.BytesIO()
    np.lib.format.write_array(file, np.arange(3), version=(major, 0))
    return packed({"a.npy": file.getvalue()})


ONE = npy(np.arange(3))
BAD: dict[str, tuple[Callable[[], bytes], str]] = {
    # not archives of ours
    "empty": (lambda: b"", "not a complete .rules file"),
    "text": (lambda: b"rules: a + b = 1\n" * 50, "not a complete .rules file"),
    "another zip": (lambda: packed({"mimetype": b"x"}, None), "a zip archive but not a .rules file"),
    "another header": (lambda: packed({}, {"format": "other"}), "a zip archive but not a .rules file"),
    # damaged on the way
    "cut in the middle": (lambda: cut(0.5), "save the model again"),
    "cut in the directory": (lambda: cut(0.9), "save the model again"),
    "last byte lost": (lambda: cut(0.999), "save the model again"),
    "bytes added": (lambda: cut(1) + b"x", "save the model again"),
    "front lost": (lambda: cut(1)[100:], "save the model again"),
    "checksum": (lambda: edited(16, "<I", 1), "CRC"),
    "an array is missing": (lambda: packed({}), "header lists"),
    # names
    "foreign member": (lambda: packed({"a.npy": ONE, "b.txt": b"x"}), "header lists"),
    "upper case": (lambda: packed({"A.npy": ONE}, DOCUMENT | {"arrays": ["A"]}), "lists impossible names"),
    "parent directory": (lambda: packed({"../a.npy": ONE}, DOCUMENT | {"arrays": ["../a"]}), "lists impossible names"),
    "absolute path": (lambda: packed({"/a.npy": ONE}, DOCUMENT | {"arrays": ["/a"]}), "lists impossible names"),
    "backslashes": (lambda: packed({"..\\a.npy": ONE}, DOCUMENT | {"arrays": ["..\\a"]}), "lists impossible names"),
    "a device": (lambda: packed({"CON": ONE, "a.npy": ONE}), "header lists"),
    "a link": (lambda: special("link.npy", 0o120777), "header lists"),
    "a device node": (lambda: special("dev.npy", 0o020666), "header lists"),
    "two headers": (lambda: packed({"a.npy": ONE, "HEADER.json": b"{}"}), "header lists"),
    "name with NUL": (lambda: packed({"a.npy": ONE, "b\0.npy": ONE}), "header lists"),
    "folder": (lambda: packed({"a.npy": ONE, "d/": b""}), "header lists"),
    "name twice": (doubled, "two with the same name"),
    "many members": (lambda: packed({f"{'a' * k}.npy": ONE for k in range(1, 70)}), "too many members"),
    # sizes
    "bomb": (lambda: packed({"a.npy": npy(np.zeros(2**24, bool))}), "raise max_bytes"),
    "claims more than its shape": (lambda: edited(24, "<I", 600), "shape"),
    "claims more than it has": (lambda: edited(24, "<I", 848, npy(np.arange(50), replace=[(b"(50,)", b"(90,)")])),
        "ends early"),
    "claims less than it has": (lambda: edited(24, "<I", 300), "save the model again"),
    "overlapping members": (overlapping, "overlap"),
    "a bomb in a bomb": (lambda: nested(3), "is not an array"),
    "directory of another length": (lambda: cut(1)[:-10] + struct.pack("<I", 2**20) + cut(1)[-6:], "too long"),
    "begins beyond the file": (lambda: edited(42, "<I", 2**31), "save the model again"),
    "local header of another name": (lambda: with_local(30, "<B", 98), "save the model again"),
    "local header of another place": (lambda: with_local(0, "<I", 0), "save the model again"),
    "local extra field beyond the file": (lambda: with_local(28, "<H", 65535), "save the model again"),
    "a comment": (commented, "a zip archive but not a .rules file"),
    "impossible ratio": (lambda: edited(24, "<I", 2**31), "impossible size"),
    "larger than the file": (lambda: edited(20, "<I", 2**20), "larger than the file"),
    "header above the limit": (lambda: packed({}, b" " * (64 * 2**20 + 1)), "header claims"),
    "shape above the size": (lambda: packed({"a.npy": npy([1, 2, 3], replace=[(b"(3,)", b"(9,)")])}), "shape"),
    "shape beyond 64 bits": (lambda: packed({"a.npy": npy([], replace=[(b"(0,), ", b"(0, 999999999999999999, 9), ")])}),
        "save the model again"),
    # ways of packing
    "encrypted": (lambda: edited(8, "<H", 1), "encrypted"),
    "foreign compression": (lambda: edited(10, "<H", 14), "another method than DEFLATE"),
    # arrays
    "no array": (lambda: packed({"a.npy": b"hello, world"}), "is not an array"),
    "array too short": (lambda: packed({"a.npy": b"\x93NUM"}), "is not an array"),
    "a pickle that runs": (pickled, "not a plain array"),
    "npy 2": (lambda: versioned(2), "is not an array"),
    "npy 3": (lambda: versioned(3), "is not an array"),
    "negative shape": (lambda: packed({"a.npy": npy([1], replace=[(b"(1,), ", b"(-1,), ")])}), "not a plain array"),
    "endless npy header": (lambda: packed({"a.npy": ONE[:8] + b"\xff\xff" + ONE[10:]}), "is not an array"),
    "objects": (lambda: packed({"a.npy": npy(np.array([{}], object))}), "not a plain array"),
    "another type": (lambda: packed({"a.npy": npy(np.arange(3, dtype=np.int32))}), "not a plain array"),
    "text array": (lambda: packed({"a.npy": npy(["a"])}), "not a plain array"),
    "big endian": (lambda: packed({"a.npy": npy(np.arange(3, dtype=">i8"))}), "not a plain array"),
    "fortran order": (lambda: packed({"a.npy": npy(np.ones((2, 3), order="F"))}), "not a plain array"),
    "code in the shape": (lambda: packed({"a.npy": npy([1], replace=[(b"(1,)", b"f()#")])}), "not a plain array"),
    "a bool of 2": (lambda: packed({"a.npy": npy([True])[:-1] + b"\x02"}), "neither true nor false"),
    # headers
    "no JSON": (lambda: packed({}, b"{'format': 'unwritten'}"), "damaged"),
    "not UTF-8": (lambda: packed({}, b'{"format": "\xff"}'), "damaged"),
    "deep JSON": (lambda: packed({}, b"[" * 100_000), "damaged"),
    "endless number": (lambda: packed({}, b"9" * 100_000), "damaged"),
    "NaN": (lambda: packed({}, b'{"format": "unwritten", "content": NaN}'), "NaN"),
    "a list": (lambda: packed({}, []), "a zip archive but not a .rules file"),
    "newer version": (lambda: with_header(version=2), "upgrade"),
    "far newer version": (lambda: with_header(version=10**30), "upgrade"),
    "version 1.0": (lambda: with_header(version=1.0), "lacks the version"),
    "negative version": (lambda: with_header(version=-1), "lacks the version"),
    "names twice": (lambda: with_header(arrays=["a", "a"]), "header lists"),
    "a name that is a number": (lambda: with_header(arrays=[1]), "lists impossible names"),
    "no version": (lambda: with_header(version=None), "lacks the version"),
    "version true": (lambda: with_header(version=True), "lacks the version"),
    "content is a list": (lambda: with_header(content=[]), "lacks the version or the content"),
    "arrays is a number": (lambda: with_header(arrays=1), "does not list the arrays"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_bad_files(tmp_path: Path, case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every bad file ends in one sentence that says what to do, and no file appears."""
    monkeypatch.chdir(tmp_path)
    make, message = BAD[case]
    path = tmp_path / "bad.rules"
    path.write_bytes(make())
    with pytest.raises(FormatError, match=message) as caught:
        read_archive(path, max_bytes=2**23 if case == "bomb" else 2**27)
    assert "\n" not in str(caught.value)
    assert ": " in str(caught.value)
    assert os.listdir(tmp_path) == ["bad.rules"]


def test_flipped_bytes(path: Path) -> None:
    """A file with flipped bytes reads as it was or not at all."""
    good, rng = path.read_bytes(), random.Random(7)
    for _ in range(500):
        data = bytearray(good)
        for _ in range(rng.randint(1, 3)):
            data[rng.randrange(len(data))] ^= rng.randint(1, 255)
        path.write_bytes(data)
        try:
            header, content = read_archive(path)
        except FormatError:
            continue
        assert header == HEADER
        assert same(content, ARRAYS)


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("missing/x.rules", "does not exist"),  # no such directory, nor file
        ("", "not an ordinary file"),  # a directory
        ("a\0b", "does not exist"),  # a name that no system accepts
    ],
)
def test_reading_nothing(tmp_path: Path, where: str, message: str) -> None:
    """The error for a path that is not a file names the path and the cure."""
    with pytest.raises(FormatError, match=f"{message}, check the path"):
        read_archive(os.path.join(tmp_path, where))


@pytest.mark.parametrize(
    ("where", "header", "content", "message"),
    [
        ("missing/x.rules", {}, {}, "create it first"),  # no such directory
        ("", {}, {}, "add a file name"),  # a directory
        ("a\0b", {}, {}, "another place"),  # a name that no system accepts
        ("x", {"k": float("nan")}, {}, "use plain values"),  # JSON has no NaN
        ("x", {"k": np.int64(1)}, {}, "use plain values"),  # nor numpy numbers
        ("x", {}, {"A": np.zeros(1)}, "lower-case"),  # a name that reading would refuse
        ("x", {}, {"a": np.zeros(1, np.int32)}, "convert it"),  # a type that reading would refuse
        ("x", {}, {"a": np.array([None])}, "convert it"),  # objects would need pickle
        ("x", {}, {"a" * k: np.zeros(1) for k in range(1, 65)}, "join some of them"),  # too many arrays
    ],
)
def test_bad_writes(tmp_path: Path, where: str, header: dict[str, Any], content: dict[str, Any], message: str) -> None:
    """Content that cannot be written, or could not be read back, is refused and no file appears."""
    with pytest.raises(FormatError, match=message):
        write_archive(os.path.join(tmp_path, where), header, content)
    assert os.listdir(tmp_path) == []
