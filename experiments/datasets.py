"""The public data sets of the experiments, read from a directory that the user names.

Nothing is downloaded and nothing is shipped. If a data set is absent, the error says where to get it.
"""

from __future__ import annotations

import hashlib
import lzma
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from experiments import xcsp
from unwritten.data import FloatArray, IntArray
from unwritten.errors import DataError
from unwritten.samples import trees
from unwritten.tables.quoting import shown

VARIABLE = "UNWRITTEN_DATA"
MOST_BYTES = 64 * 2**20  # far above every data set here; a small xz file can unpack to gigabytes


@dataclass(frozen=True)
class DatasetFile:
    """The path of a data set in the data directory, where it is published, and the checksum of its unpacked content."""

    file: str
    origin: str
    sha256: str


_PAPER = "https://github.com/uclanlp/ILPLearning"
_CFN = "https://github.com/toulbar2/CFN-learn"
_RANDOM = "https://github.com/dair-iitd/ilploss, its tests (arrays weights_S and labels_S of datasets S = 0…4)"
_HIERARCHIES = f"{_PAPER}, or HMC_data/others in https://github.com/EGiunchiglia/C-HMCNN"

SOURCES = {
    "satnet": DatasetFile(
        "sudoku/satnet.csv.xz",
        f"Sudoku/test-sets in {_CFN}",
        "9585649bf43b2f570ae7db86319883bda5475ec90f586be4508ae8833b58cc7f",
    ),
    "mst-test": DatasetFile(
        "mst/test.txt.xz", _PAPER, "2d34c00bd727a78077d80b41d0bc32803df71d5f2e143ecfc763e813f6756c61"
    ),
    "imclef-train": DatasetFile(
        "hmc/ImCLEF07A_Train.arff.xz",
        _HIERARCHIES,
        "2e635b9b7ba7d41396748aa6a2abe1982e42760ac956fa6d0b7e245f016a0247",
    ),
    "imclef-test": DatasetFile(
        "hmc/ImCLEF07A_Test.arff.xz",
        _HIERARCHIES,
        "bc6ae0197f7cfd4684bffab1325acb6a0c94ebab78861ab343160845a4594068",
    ),
    "renault-sales": DatasetFile(
        "renault/config_medium.txt.xz",
        f"renault/config_medium_filtered.txt in {_CFN}",
        "72915c56f377a746f77a7ed932f49b65ffee5206156426a038a6527cd19f7eaf",
    ),
    "renault-folds": DatasetFile(
        "renault/folds_medium.txt",
        f"renault/index_csv_medium.txt in {_CFN}",
        "4b9da68e99df2231d47be73c66b903ec395a9e59bb741b9a9b6d95c479cfd404",
    ),
    "random-binary-1": DatasetFile(
        "random-constraints/binary_1.npz", _RANDOM, "d1929b04eaab06024e2b9dd7a34f85fd94d07955e96ac25ff3dfab9b0163a591"
    ),
    "random-binary-2": DatasetFile(
        "random-constraints/binary_2.npz", _RANDOM, "e3aca1b4875bbfc6b97a87e97517b9cc554a2907d452c9666d31bdefcee15294"
    ),
    "random-binary-4": DatasetFile(
        "random-constraints/binary_4.npz", _RANDOM, "1393d3ad09b9c058a30a6faf7e0ce6d144d79f70217ca9db9d96d0e29ac7a104"
    ),
    "random-binary-8": DatasetFile(
        "random-constraints/binary_8.npz", _RANDOM, "05383eac7e8a77d33e5e10da3b6273b3d1884206325be43fb4c9d17cf7b3ee79"
    ),
    "random-dense-1": DatasetFile(
        "random-constraints/dense_1.npz", _RANDOM, "a299abefdaff95076d8d2dddb2b82845fb606853a7033673d2da3700ca1a7403"
    ),
    "random-dense-2": DatasetFile(
        "random-constraints/dense_2.npz", _RANDOM, "1bccda331a2fb19dbe7a4b859450256ab1fce60f97ce373a4b227f73e6cd5f79"
    ),
    "random-dense-4": DatasetFile(
        "random-constraints/dense_4.npz", _RANDOM, "10da85a3bc7eb34b80c3c5b3724a55147aada2618ceb136e3f5b1e8c1a48ac3a"
    ),
    "random-dense-8": DatasetFile(
        "random-constraints/dense_8.npz", _RANDOM, "5964843f7cdc44d9ed372e6512f9c9348c07252f69f7201d6447ac3870620b99"
    ),
    "renault-constraints": DatasetFile(
        "renault/medium_constraints.xml.xz",
        f"renault/medium_domainsorted.xml in {_CFN}",
        "32b746197f0691665f86f2f3610dd87c471801e4b77708f8c5bf2cb44c4b2d90",
    ),
}


def find(name: str, data: str | os.PathLike[str] | None = None) -> Path:
    """Return the file of a data set, packed or not, in `data` or in the directory that `UNWRITTEN_DATA` names."""
    if name not in SOURCES:
        raise DataError(f"there is no data set {name!r}: use one of {', '.join(SOURCES)}")
    source = SOURCES[name]
    places = [Path(place) for place in (data, os.environ.get(VARIABLE)) if place]
    for place in places:
        for path in (place / source.file, place / source.file.removesuffix(".xz")):
            if path.is_file():
                return path
    where = f"was not found in {' or '.join(map(str, places))}" if places else "needs a data directory"
    raise DataError(
        f"the data set {name!r} {where}: get it from {source.origin}, save it as {source.file} in a directory, "
        f"and give that directory as `data` or in the variable {VARIABLE}"
    )


def satnet(data: str | os.PathLike[str] | None = None) -> tuple[IntArray, IntArray]:
    """Read the 10,000 Sudoku puzzles of the SATNet paper and their solutions (each 10,000 × 81; 0 is blank)."""
    return satnet_of(_lines("satnet", data))


def satnet_of(lines: Sequence[str]) -> tuple[IntArray, IntArray]:
    """Parse the lines of the SATNet file as puzzles and solutions."""
    with _reading("satnet"):
        digits = [[list(grid) for grid in line.split(",")] for line in lines]
        both = np.array(digits).astype(np.int64).reshape(-1, 2, 81)
    return both[:, 0], both[:, 1]


def mst_test(data: str | os.PathLike[str] | None = None) -> tuple[FloatArray, IntArray]:
    """Read the paper's 500 minimum spanning trees: distances and labels (each 500 × 21), one column per edge."""
    return mst_of(_lines("mst-test", data))


def mst_of(lines: Sequence[str]) -> tuple[FloatArray, IntArray]:
    """Parse the lines of the paper's test file as distances and labels."""
    with _reading("mst-test"):
        numbers = np.array([line.split() for line in lines], np.float64).reshape(-1, 2, 7, 7)
        if not np.isfinite(numbers).all():
            raise ValueError("a number is not finite")
    first, second = np.array(trees.edges(7)).T
    upper = numbers[:, :, first, second]
    return upper[:, 0], upper[:, 1].astype(np.int64)


def imclef(split: str, data: str | os.PathLike[str] | None = None) -> tuple[FloatArray, IntArray, list[str]]:
    """Read X-ray images in a tree of 96 classes: features (n × 80), 0/1 labels (n × 96) and the class names.

    Parameters
    ----------
    split
        "train" (10,000 images) or "test" (1,006, sorted by class).
    """
    if split not in ("train", "test"):
        raise DataError(f"the split is {split!r}: use 'train' or 'test'")
    return arff_of(_lines(f"imclef-{split}", data))


def arff_of(lines: Sequence[str]) -> tuple[FloatArray, IntArray, list[str]]:
    """Parse the lines of a hierarchical ARFF file as features, labels and class names."""
    with _reading("imclef"):
        start = list(lines).index("@DATA")
        classes_of = [line.split()[-1].split(",") for line in lines[:start] if line.startswith("@ATTRIBUTE class")]
        names = classes_of[0]
        column = {name: j for j, name in enumerate(names)}
        rows = [line.rsplit(",", 1) for line in lines[start + 1 :]]
        features = np.array([row.split(",") for row, _ in rows], np.float64)
        labels = np.zeros((len(rows), len(names)), np.int64)
        for label, (_, classes) in zip(labels, rows, strict=True):
            for path in classes.split("@"):
                parts = path.split("/")  # "6/2/0" stands for 6, 6/2 and 6/2/0
                label[[column["/".join(parts[: depth + 1])] for depth in range(len(parts))]] = 1
    return features, labels, names


def renault(data: str | os.PathLike[str] | None = None) -> tuple[list[str], npt.NDArray[np.str_], IntArray]:
    """Read a year of van sales: 44 column names, values (8,252 × 44, integers as text) and the cross-validation folds.

    In an optional column −1 means "without". Equal sales are in the same fold. The publishers removed the sales that
    the manufacturer's constraints forbid, so all sales here obey them.
    """
    return renault_of(_lines("renault-sales", data), _lines("renault-folds", data))


def renault_of(sales: Sequence[str], folds: Sequence[str]) -> tuple[list[str], npt.NDArray[np.str_], IntArray]:
    """Parse the lines of the sales file and of the folds file as column names, values and folds."""
    with _reading("renault-sales"):
        header, *rows = (line.split() for line in sales)
        return header, np.array(rows, str).reshape(-1, len(header)), np.array(folds).astype(np.int64)


def renault_constraints(data: str | os.PathLike[str] | None = None) -> xcsp.Network:
    """Read the manufacturer's constraints: 148 variables, of which 44 have the names of the columns of the sales."""
    return xcsp.parse("\n".join(_lines("renault-constraints", data)))


def random_constraints(
    kind: str, rows: int, dataset: int, data: str | os.PathLike[str] | None = None
) -> tuple[FloatArray, IntArray]:
    """Read weights and the labels that minimise them (each 2,600 × 16) under 1, 2, 4 or 8 hidden inequalities.

    Parameters
    ----------
    kind
        "binary" (0/1) or "dense" (−5…5).
    """
    path = find(f"random-{kind}-{rows}", data)
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != SOURCES[f"random-{kind}-{rows}"].sha256:
        raise DataError(f"{path} is not the data set that the experiments were run with: get it again")
    with np.load(path, allow_pickle=False) as arrays, _reading("random constraints"):
        return arrays[f"weights_{dataset}"].astype(np.float64), arrays[f"labels_{dataset}"].astype(np.int64)


def _lines(name: str, data: str | os.PathLike[str] | None) -> list[str]:
    """Return the non-empty lines of a data set whose checksum is right."""
    path = find(name, data)
    try:
        content = _unpacked(path).replace(b"\r\n", b"\n")  # published copies differ in their line endings
    except (OSError, lzma.LZMAError) as error:
        raise DataError(f"{path} cannot be read ({error}): get it again from {SOURCES[name].origin}") from error
    if hashlib.sha256(content).hexdigest() != SOURCES[name].sha256:
        raise DataError(
            f"{path} is not the data set {name!r} that the experiments were run with (its checksum differs): "
            f"get it again from {SOURCES[name].origin}"
        )
    return [line for line in content.decode("ascii").split("\n") if line.strip()]


@contextmanager
def _reading(name: str) -> Iterator[None]:
    """Turn whatever fails while lines are parsed into one error that names the data set."""
    try:
        yield
    except (ValueError, KeyError, IndexError, OverflowError) as error:
        text = shown(" ".join(str(error).split()))[:160]
        raise DataError(f"the lines do not belong to the data set {name!r} ({text}): get it again") from error


def _unpacked(path: Path) -> bytes:
    """Return the content of a file, unpacked if it is xz, up to `MOST_BYTES`."""
    with path.open("rb") as file:
        raw = file.read(MOST_BYTES)
    if path.suffix != ".xz":
        return raw
    return lzma.LZMADecompressor(memlimit=4 * MOST_BYTES).decompress(raw, max_length=MOST_BYTES)
