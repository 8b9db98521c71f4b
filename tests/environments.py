"""Run in environments of their own what `make test` skips: `make extras`, or `python tests/environments.py [NAME …]`.

Each environment gets the packages of some extras from the package index, and runs some tests. After all of them, no
test may be left that neither `make test` nor an environment has run. With `--` after one name, the Python of that
environment runs what follows instead: `python tests/environments.py site -- -m mkdocs build`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import outcomes

ROOT = Path(__file__).resolve().parents[1]
MADE = ROOT / "build" / "environments"
TOOLS = ("pytest>=8", "hypothesis>=6.100")
#: Becomes nobody, who can read every file, as if the checkout belonged to someone else.
AS_NOBODY = (
    *("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"),
    *("--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"),
)
AS_ROOT = ("sudo", "--non-interactive", "--preserve-env")


@dataclass(frozen=True)
class Environment:
    """The tests that run there, and what they need: extras of this package, other packages, or another user."""

    tests: tuple[str, ...]
    extras: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    as_other_user: bool = False


ENVIRONMENTS = {
    "site": Environment(("tests/test_site.py",), extras=("docs",)),
    "packages": Environment(
        (
            "tests/test_notebooks.py::test_a_kernel_runs_them",
            "tests/exports/test_export_gx.py",
            "tests/unwritten_torch/test_torch_labelset.py::test_the_decoder_becomes_onnx",
        ),
        extras=("notebooks", "gx", "sql", "onnx"),
    ),
    # dbt-core 1.12 fetches a program from outside the package index while it is installed
    "dbt": Environment(("tests/exports/test_export_dbt.py",), packages=("dbt-core>=1.10.5,<1.12", "dbt-duckdb>=1.9")),
    "server": Environment(("tests/attack/test_server_door.py",), extras=("sql",), packages=("psycopg[binary]>=3.1",)),
    "other-user": Environment(
        (
            "tests/attack/test_disk.py::test_a_read_only_directory",
            "tests/test_read_only.py::test_the_command_needs_no_rights",
            "tests/test_read_only.py::test_no_search_needs_rights",
        ),
        as_other_user=True,
    ),
}


def requirements(*extras: str) -> list[str]:
    """What pip installs for the package with some extras and those that they name, in the builds that `dev` names."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    def followed(name: str) -> Iterator[str]:
        for line in project["optional-dependencies"][name]:
            if line.startswith("unwritten["):
                for other in line.removeprefix("unwritten[").removesuffix("]").split(","):
                    yield from followed(other)
            else:
                yield line

    wanted = [*project["dependencies"], *(line for name in extras for line in followed(name))]
    packages = {re.split(r"[^\w-]", line)[0] for line in wanted}
    builds = [line for line in followed("dev") if "==" in line and line.partition("==")[0] in packages]
    return list(dict.fromkeys([*wanted, *builds]))


def python_of(name: str) -> Path:
    """The Python of an environment, which is made unless it has been made from the same requirements."""
    wanted = ENVIRONMENTS[name]
    if wanted.as_other_user:
        return Path(sys.executable)
    place = MADE / name
    python = place / ("Scripts" if os.name == "nt" else "bin") / "python"
    lines = [*requirements(*wanted.extras), *wanted.packages, *TOOLS]
    made, content = place / "requirements.txt", "\n".join([f"# for Python {sys.version}", *lines])
    if made.exists() and made.read_text(encoding="utf-8") == content:
        return python
    shutil.rmtree(place, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(python)]
    done = subprocess.run([*pip, "install", "--quiet", "--quiet", "--no-compile", *lines], check=False)
    if done.returncode:
        raise SystemExit(f"the environment {name} cannot be made, and its tests have not run: see what pip says above")
    (packages,) = place.glob("**/site-packages")
    (packages / "checkout.pth").write_text(f"{ROOT / 'src'}\n", encoding="utf-8")  # compiled when `.venv` was made
    made.write_text(content, encoding="utf-8")
    return python


def other_user() -> Sequence[str]:
    """What runs a command as nobody, if this is root, or else as root."""
    command = AS_NOBODY if os.geteuid() == 0 else AS_ROOT
    if shutil.which(command[0]) is None:
        raise SystemExit(f"the tests for another user cannot run: they need {command[0]}")
    return command


def run(name: str, arguments: Sequence[str]) -> int:
    """Run the Python of an environment with some arguments, and with its programs first on the path."""
    python = python_of(name)
    path = os.pathsep.join([str(python.parent), os.environ.get("PATH", "")])
    env = os.environ | {"PATH": path, "OPENBLAS_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    as_user = other_user() if ENVIRONMENTS[name].as_other_user else ()
    return subprocess.run([*as_user, python, *arguments], cwd=ROOT, env=env, check=False).returncode


def run_tests(name: str) -> int:
    """Run the tests of an environment and keep their outcomes."""
    record = outcomes.path_of(name)
    record.unlink(missing_ok=True)
    python_of(name)
    record.touch()
    record.chmod(0o666)  # another user writes it
    tests = ENVIRONMENTS[name].tests
    return run(name, ["-m", "pytest", "-p", "no:cacheprovider", f"--junitxml={record}", *tests])


def main(arguments: Sequence[str]) -> int:
    """Do what the command line asks for."""
    if "--" in arguments[1:2]:
        return run(arguments[0], arguments[2:])
    failed = []
    for name in arguments or ENVIRONMENTS:
        print(f"environment {name}", flush=True)
        try:
            failed += [name] if run_tests(name) else []
        except SystemExit as error:
            print(error, flush=True)
            failed.append(name)
    left = [] if arguments else outcomes.never_run()
    for test, reason in left:
        print(f"nothing runs {test}: {reason}")
    for name in failed:
        print(f"the environment {name} failed")
    if not (arguments or failed or left):
        print(
            f"no test was skipped everywhere, except for what no package brings: {', '.join(outcomes.OF_THE_MACHINE)}"
        )
    return int(bool(failed or left))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
