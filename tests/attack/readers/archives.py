"""Readers of archives: models and checkpoints."""

from __future__ import annotations

import io
import json
import random
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import unwritten
from attack.mutators import bytes_changed, json_changed, members_of, npy_changed, text_of, zip_fields_changed, zipped
from attack.readers.common import written
from attack.readers.samples import models
from unwritten import Checkpoint
from unwritten.errors import DataError
from unwritten.samples import trees


@cache
def model_seeds() -> tuple[bytes, ...]:
    """Return the sample models as the bytes of their files."""
    seeds = []
    with tempfile.TemporaryDirectory() as place:
        for model in models():
            model.save(Path(place) / "seed.rules")
            seeds.append((Path(place) / "seed.rules").read_bytes())
    return tuple(seeds)


def model_made(rng: random.Random) -> bytes:
    """Make a changed model file."""
    return archive_changed(rng, model_seeds(), rng.choice(model_seeds()))


def archive_changed(rng: random.Random, seeds: tuple[bytes, ...], data: bytes) -> bytes:
    """Change the bytes of an archive, the fields of the zip, the header, the arrays or the list of members."""
    kind = rng.randrange(12)
    if kind == 0:
        return bytes_changed(rng, data, rng.choice(seeds))
    if kind == 1:
        return zip_fields_changed(rng, data)
    members = members_of(data)
    if kind < 8:
        members["header.json"] = header_changed(rng, members["header.json"], whole=kind == 2)
        if kind == 3:
            members["header.json"] = bytes_changed(rng, members["header.json"])
    if kind >= 7:
        for name in rng.sample(sorted(set(members) - {"header.json"}), rng.choice((1, 1, 2))):
            members[name] = npy_changed(rng, members[name])
    listed = list(members.items())
    if kind == 11:
        change_members(rng, listed)
    return zipped(listed, rng.choice((0, 8, 8, 8)))


def header_changed(rng: random.Random, header: bytes, whole: bool) -> bytes:
    """Change the content of a header, or the whole of it, as JSON."""
    document = json.loads(header)
    if whole:
        document = json_changed(rng, document)
    else:
        document["content"] = json_changed(rng, document["content"])
    return json.dumps(document).encode()


def change_members(rng: random.Random, listed: list[tuple[str, bytes]]) -> None:
    """Drop, repeat, rename or add a member of an archive."""
    k = rng.randrange(len(listed))
    match rng.randrange(4):
        case 0:
            del listed[k]
        case 1:
            listed.append(listed[k])
        case 2:
            name = text_of(rng).replace("\0", "0").encode("utf-8", "replace").decode()[:200] or "x"
            listed[k] = (name, listed[k][1])
        case _:
            listed.append((rng.choice(("../x", "/x", "c:\\x", "a/b.npy", "CON.npy")), rng.randbytes(30)))


def model_read(data: bytes) -> None:
    """Load a model, and ask for its sentences, its summary, a check and another save, as callers do."""
    model = unwritten.load(written(data, ".rules"))
    for sentence in model.sentences:
        str(sentence)
    model.summary()
    model.check(model.seen).summary() if len(model.seen) else None
    model.save("again.rules")
    assert unwritten.load("again.rules") == model


CUTS = "cuts.npy"


@cache
def streams() -> tuple[tuple[list[Any], dict[str, Any]], ...]:
    """Return batches with options: 0/1 labels, integers, more labels than are kept, and weights on disk."""
    rng = np.random.default_rng(0)
    weights, labels = trees.sample(4, 60, seed=0)
    numbers = rng.integers(-3, 4, (40, 2))
    many = rng.integers(0, 2, (64, 8), dtype=np.uint8)
    many[:, 7] = many[:, 0]
    return (
        ([np.eye(4, dtype=np.uint8).repeat(3, axis=0)] * 4, {"names": ["a", "b c", "ü", "=x"]}),
        (list(np.column_stack([numbers, numbers.sum(axis=1)]).reshape(4, 10, 3)), {}),
        (list(many.reshape(4, 16, 8)), {"most_kept": 120}),
        (list(zip(labels.reshape(4, 15, -1), weights.reshape(4, 15, -1), strict=True)), {"cuts": CUTS}),
    )


class KilledError(Exception):
    """Raised instead of killing the process."""


@cache
def checkpoint_seeds() -> tuple[tuple[bytes, bytes], ...]:
    """Return the checkpoint of every stream after two batches, and the file of weights that belongs to it."""
    seeds = []

    def dying(batches: list[Any]) -> Iterator[Any]:
        yield from batches[:2]
        raise KilledError

    with tempfile.TemporaryDirectory() as place:
        path, part = Path(place) / "seed.ckpt", Path(place) / f".{CUTS}.part"
        for batches, options in streams():
            where = {"cuts": Path(place) / CUTS} if "cuts" in options else {}
            try:
                unwritten.mine(dying(batches), checkpoint=Checkpoint(path, every=0), **options | where)
            except DataError:
                seeds.append((path.read_bytes(), part.read_bytes() if where else b""))
            path.unlink()
    return tuple(seeds)


def checkpoint_made(rng: random.Random) -> bytes:
    """Make a byte that chooses the stream, then its checkpoint, changed at random or consistently wrong."""
    seeds = tuple(seed for seed, _ in checkpoint_seeds())
    k = rng.randrange(len(seeds))
    changed = consistently_wrong(rng, seeds[k]) if rng.random() < 0.5 else archive_changed(rng, seeds, seeds[k])
    return bytes([k]) + changed


def consistently_wrong(rng: random.Random, data: bytes) -> bytes:
    """Change counts, labels, Gram matrix, ranges or options of a checkpoint so that they fit each other but no data."""
    members = members_of(data)
    document = json.loads(members["header.json"])
    header = document["content"]
    arrays = {name: np.load(io.BytesIO(content)) for name, content in members.items() if name != "header.json"}
    gram, seen, counts, lower, upper = (arrays[f"{name}.npy"] for name in ("gram", "seen", "counts", "lower", "upper"))
    for _ in range(rng.choice((1, 2, 3))):
        i, j = rng.randrange(len(gram)), rng.randrange(len(gram) - 1)
        match rng.randrange(6):
            case 0:
                gram[i, j] = gram[j, i] = rng.choice((0, 1, -1, 2**31, 2**62, -(2**63), 2**63 - 1))
            case 1:
                counts[rng.randrange(len(counts))] = rng.choice((1, 2, 10**6, 2**40, 2**62, 2**63 - 1))
                header["n"] = int(counts.sum())
                gram[-1, -1] = header["n"]
            case 2:
                seen[rng.randrange(len(seen)), j] = rng.choice((0, 1, -1, 2**31, 2**53 + 1, 2**62, -(2**63)))
                lower, upper = np.minimum(lower, seen.min(axis=0)), np.maximum(upper, seen.max(axis=0))
            case 3:
                lower[j], upper[j] = rng.choice(
                    ((-(2**63), 2**63 - 1), (-5, 5), (lower[j], 2**62), (-(2**31), upper[j]))
                )
            case 4:
                header["thinned"], header["most"] = rng.choice((0, 1, 5, 63)), rng.choice((None, 0, 1, 10, 2**62))
            case _:
                header["batches"] = rng.choice((0, 1, 3, 4, 2**62))
    arrays |= {"lower.npy": lower, "upper.npy": upper}
    packed = [("header.json", json.dumps(document).encode())]
    for name, array in arrays.items():
        file = io.BytesIO()
        np.lib.format.write_array(file, array, (1, 0), allow_pickle=False)
        packed.append((name, file.getvalue()))
    return zipped(packed)


def checkpoint_read(data: bytes) -> None:
    """Continue from a checkpoint, with the batches that it was made from."""
    k = (data[0] if data else 0) % len(streams())
    batches, options = streams()[k]
    Path(f".{CUTS}.part").write_bytes(checkpoint_seeds()[k][1])
    model = unwritten.mine(batches, checkpoint=written(data[1:], ".ckpt"), **options)
    model.summary()
