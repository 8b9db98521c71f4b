"""Atomic writes: new files are written beside the old ones and replace them only when all are complete."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO

from unwritten.errors import FormatError
from unwritten.temporary import removed, temporary_path

AnyPath = str | os.PathLike[str]


@contextmanager
def replacing(path: AnyPath) -> Iterator[IO[bytes]]:
    """Open a new file that replaces `path` when the block ends; on any failure the old file stays as it was."""
    with _replacing_all([path]) as (file,):
        yield file


def write_text(path: AnyPath, text: str) -> None:
    """Write a text file as UTF-8."""
    with replacing(path) as file:
        file.write(text.encode())


def write_texts(texts: Mapping[Path, str]) -> None:
    """Write text files as UTF-8, and the folders they need: all of them, or none."""
    with _folders([path.parent for path in texts]), _replacing_all(list(texts)) as files:
        for file, text in zip(files, texts.values(), strict=True):
            file.write(text.encode())


def reason(error: BaseException) -> str:
    """Return an error's message in one line of at most 200 characters, without the path that the system adds."""
    text = (error.strerror or "") if isinstance(error, OSError) else str(error)
    return " ".join(text.split())[:200] or type(error).__name__


@contextmanager
def _replacing_all(paths: Sequence[AnyPath]) -> Iterator[Sequence[IO[bytes]]]:
    """Open new files that replace those at `paths` when the block ends; on any failure all old files stay."""
    with _naming(paths[0]), ExitStack() as stack:
        targets = [_target(path) for path in paths]
        news = [stack.enter_context(_beside(target)) for target in targets]
        with ExitStack() as opened:
            files = [opened.enter_context(open(new, "xb")) for new in news]
            yield files
            for file in files:
                file.flush()
                os.fsync(file.fileno())
        copies = [stack.enter_context(_beside(target)) for target in targets[:-1]]  # the last one needs none
        for target, copy in zip(targets, copies, strict=False):
            if target.exists():
                shutil.copy2(target, copy)
        try:
            for new, target in zip(news, targets, strict=True):
                os.replace(new, target)
        except BaseException:
            for target, copy in zip(targets, copies, strict=False):
                if copy.exists():
                    os.replace(copy, target)
                else:
                    removed(target)
            raise


def _target(path: AnyPath) -> Path:
    """Return where a file is to be written; a link is followed."""
    if not isinstance(path, str | os.PathLike):
        raise FormatError(f"{path!r} is not a path: give a file name")
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise FormatError(f"cannot write {path}: the folder {target.parent} does not exist, create it first")
    if target.is_dir():
        raise FormatError(f"cannot write {path}: it is a folder, add a file name")
    if target.exists() and not target.is_file():
        raise FormatError(f"cannot write {path}: it is not an ordinary file, choose another name")
    return target


def _beside(target: Path) -> AbstractContextManager[Path]:
    """Provide the path of a temporary file in the same folder; the file is removed if it was not moved away."""
    return temporary_path(target.with_name(f".{secrets.token_hex(8)}.rules.tmp"))


@contextmanager
def _folders(folders: Sequence[Path]) -> Iterator[None]:
    """Create folders; if the block fails, remove those that were missing."""
    missing = {each for folder in folders for each in (folder, *folder.parents) if not each.exists()}
    made = sorted(missing, key=lambda each: len(each.parts))
    try:
        for folder in made:
            with _naming(folder):
                folder.mkdir()
        yield
    except BaseException:
        for folder in reversed(made):
            with suppress(OSError):
                folder.rmdir()
        raise


@contextmanager
def _naming(path: AnyPath) -> Iterator[None]:
    """Turn an error of the system into one that names the file; values that are no path raise the other two."""
    try:
        yield
    except FormatError:
        raise
    except (OSError, ValueError, TypeError) as error:
        raise FormatError(f"cannot write {path} ({reason(error)}): make room or choose another place") from error
