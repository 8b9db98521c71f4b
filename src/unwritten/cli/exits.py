"""How a command ends: with an exit code and, if something is wrong, with one sentence on standard error."""

from __future__ import annotations

import errno
import mmap
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from itertools import pairwise

from unwritten import budgets
from unwritten.cli.console import complain, drop_output, flush, say_json
from unwritten.errors import InfeasibleError, SolverError, UnwrittenError

FINE, NO, MISUSE, FAILED, INTERRUPTED, UNREAD = 0, 1, 2, 3, 130, 141
CODES = (
    f"Exit codes: {FINE} success; {NO} the answer is no (rows break rules, models differ, a question has no answer); "
    f"{MISUSE} wrong input or wrong use, or a place that cannot be read or written; {FAILED} the program itself "
    "failed, or ran out of memory."
)


def exit_code(run: Callable[[], int]) -> int:
    """Run a command and return its exit code; what it raises becomes one sentence, also as JSON if that is asked for.

    With --debug, or if the variable UNWRITTEN_DEBUG is set, the traceback comes first.
    """
    try:
        _require_room()
        code = run()
        flush()
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except SystemExit as ending:
        if isinstance(ending.__context__, BrokenPipeError):  # typer and rich then ask for exit code 1
            drop_output()
            return UNREAD
        return ending.code if isinstance(ending.code, int) else FAILED if ending.code else FINE
    except Exception as error:  # noqa: BLE001  nothing may leave a command but an exit code
        if wants_traceback():
            complain(traceback.format_exc().rstrip())
        code, said = _verdict(error)
        traceback.clear_frames(error.__traceback__)  # whatever filled the memory
        return _say(said, code)


def wants_json() -> bool:
    """Return whether a program reads the output."""
    arguments = sys.argv[1:]
    return "--json" in arguments or "--format=json" in arguments or ("--format", "json") in pairwise(arguments)


def wants_traceback() -> bool:
    """Return whether a person looks for the cause of a failure."""
    return "--debug" in sys.argv[1:] or bool(os.environ.get("UNWRITTEN_DEBUG"))


def _require_room() -> None:
    """Raise unless the numeric libraries will find room; they do not say so themselves."""
    if hasattr(mmap, "MAP_PRIVATE"):  # elsewhere no limit is set on address space
        mmap.mmap(-1, budgets.LIBRARY_BYTES, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=0).close()


def _verdict(error: Exception) -> tuple[int, UnwrittenError]:
    """Return the exit code of an error, and the error to say."""
    if any(_is_of_memory(cause) for cause in _causes(error)):
        return FAILED, UnwrittenError(
            "there is not enough memory: mine or check fewer rows or columns at once, raise the limit of memory, or "
            "use a larger machine"
        )
    match error:
        case InfeasibleError():
            return NO, error
        case SolverError():
            return FAILED, error
        case UnwrittenError():
            return MISUSE, error
        case OSError():
            drop_output()  # which has usually failed
            reason = error.strerror or type(error).__name__
            return MISUSE, UnwrittenError(f"cannot read or write ({reason}): free some space, or choose another path")
    what = " ".join(f"{type(error).__name__} {error}".split())[:200]
    return FAILED, UnwrittenError(
        f"the program failed ({what}), which is a mistake in it and not yours: please report it with what "
        "`unwritten --debug …` prints"
    )


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error, and those that led to it."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _is_of_memory(error: BaseException) -> bool:
    """Return whether an error comes from a lack of memory; loaders and drivers say so in words of the system only."""
    return isinstance(error, MemoryError) or os.strerror(errno.ENOMEM) in str(error)


def _say(error: UnwrittenError, code: int) -> int:
    """Print one sentence on standard error, and JSON on standard output if that was asked for; return the code."""
    complain(f"unwritten: {error}")
    if wants_json():
        try:
            say_json({"error": str(error), "cure": error.cure})
            flush()
        except OSError:
            drop_output()
    return code
