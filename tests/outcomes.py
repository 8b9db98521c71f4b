"""What happened to each test in every run whose outcomes were kept, as pytest writes them with `--junitxml`."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

KEPT = Path(__file__).resolve().parents[1] / "build" / "checks"
#: Reasons that no package can cure. Tests that are skipped for them may be left out on a machine.
OF_THE_MACHINE = (
    "no CUDA",
    "SCIPY_ARRAY_API",  # a switch for arrays of other libraries, which are not promised
    "UNWRITTEN_DATA",  # the public data sets are not part of the checkout
    "needs the right to mount the file system read-only",
)


def path_of(run: str) -> Path:
    """The file for the outcomes of a run."""
    KEPT.mkdir(parents=True, exist_ok=True)
    return KEPT / f"{run}.xml"


def skipped(path: Path) -> dict[str, str]:
    """The tests of a run, each with the reason why it was skipped; "" if it was run."""
    found = {}
    for case in ElementTree.parse(path).iter("testcase"):
        name = ".".join(filter(None, (case.get("classname"), case.get("name"))))
        skip = case.find("skipped")
        if skip is None or skip.get("type") == "pytest.xfail":  # an expected failure was run
            found[name] = ""
        else:
            found[name] = str(skip.get("message") if skip.get("type") else skip.text)  # of a test, or of a whole file
    return found


def never_run(folder: Path = KEPT) -> list[tuple[str, str]]:
    """The tests that were skipped in every run that has them, each with a reason that some package could cure."""
    reasons: dict[str, list[str]] = {}
    for path in sorted(folder.glob("*.xml")):
        if path.stat().st_size == 0:  # the run ended before its first test
            continue
        for name, reason in skipped(path).items():
            reasons.setdefault(name, []).append(reason)
    ran = [name for name, said in reasons.items() if "" in said]
    return [
        (name, said[0])
        for name, said in sorted(reasons.items())
        if "" not in said
        and not any(word in reason for reason in said for word in OF_THE_MACHINE)
        and not any(one.startswith(f"{name}.") for one in ran)  # a whole file was skipped, and its tests ran elsewhere
    ]
