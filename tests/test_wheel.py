"""The wheel and the source distribution: what is in them, and that the installed package does what the pages say."""

from __future__ import annotations

import ast
import doctest
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageMetadata, distributions
from pathlib import Path

import pytest

for tool in ("build", "scikit_build_core", "nanobind", "cmake", "ninja"):
    pytest.importorskip(tool, reason=f"needs {tool}, with which the package is built")
if not any(shutil.which(name) for name in (os.environ.get("CXX"), "c++", "g++", "clang++", "cl") if name):
    pytest.skip("needs a C++ compiler", allow_module_level=True)

CHECKOUT = Path(__file__).parent.parent
PAGES = [CHECKOUT / "README.md", *sorted((CHECKOUT / "docs").glob("*.md"))]
DATA = "UNWRITTEN_DATA"
#: Runs the examples of a page (second argument) with the package in a directory (first argument).
RUN_PAGE = """
import doctest, pathlib, sys, unwritten
if not pathlib.Path(unwritten.__file__).is_relative_to(sys.argv[1]):
    sys.exit(f"{unwritten.__file__} is not in {sys.argv[1]}")
page = doctest.testfile(sys.argv[2], module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE, encoding="utf-8")
sys.exit(0 if page.attempted and not page.failed else 1)
"""


def run(
    command: Sequence[str | Path], folder: Path, python_path: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run Python with a command in a folder; without `python_path`, PYTHONPATH is unset."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if python_path is not None:
        environment["PYTHONPATH"] = str(python_path)
    command = [sys.executable, *command]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
    )


def build(source: Path, out: Path, *targets: str) -> None:
    """Build a directory with the tools of this environment, which needs no network."""
    done = run(["-m", "build", "--no-isolation", "--outdir", out, *(f"--{target}" for target in targets)], source)
    assert done.returncode == 0, done.stdout + done.stderr


@dataclass(frozen=True)
class Built:
    """The wheel, and the names of the files in the source distribution that it was built from."""

    wheel: Path
    source_names: tuple[str, ...]

    @property
    def wheel_names(self) -> list[str]:
        """The paths of all files in the wheel."""
        return zipfile.ZipFile(self.wheel).namelist()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The source distribution of this checkout, and the wheel that is built from it."""
    out = tmp_path_factory.mktemp("dist")
    build(CHECKOUT, out, "sdist")
    (sdist,) = out.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(out, filter="data")
    (source,) = (path for path in out.iterdir() if path.is_dir())
    listed = sorted(path for path in source.rglob("*") if path.is_file())
    build(source, out, "wheel")
    (wheel,) = out.glob("*.whl")
    return Built(wheel, tuple(path.relative_to(source).as_posix() for path in listed))


@pytest.fixture(scope="module")
def installed(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory that the wheel is installed in, without its dependencies."""
    target = tmp_path_factory.mktemp("installed") / "packages"
    options = ["--no-deps", "--no-index", "--disable-pip-version-check", "--target"]
    done = run(["-m", "pip", "install", *options, target, built.wheel], target.parent)
    assert done.returncode == 0, done.stderr
    return target


@pytest.fixture(scope="module")
def metadata(installed: Path) -> PackageMetadata:
    """The metadata of the installed wheel."""
    (distribution,) = distributions(path=[str(installed)])
    return distribution.metadata


def test_the_wheel_holds_the_package_and_nothing_else(built: Built) -> None:
    """The wheel has one package, with the page of the report and the mark of its types, and no tests or experiments."""
    names = built.wheel_names
    roots = {name.split("/")[0] for name in names}
    assert len(roots) == 2 and "unwritten" in roots
    assert any(root.endswith(".dist-info") for root in roots)
    assert {"unwritten/py.typed", "unwritten/report/page.css", "unwritten/report/page.js"} <= set(names)
    folders = {folder for name in names for folder in name.split("/")[:-1]}
    assert folders.isdisjoint({"experiments", "tests", "benchmarks", "docs", "src", "__pycache__"})
    source = CHECKOUT / "src"
    modules = {path.relative_to(source).as_posix() for path in (source / "unwritten").rglob("*.py")}
    assert {name for name in names if name.endswith(".py")} == modules


def test_the_wheel_has_one_library_and_no_source_of_it(built: Built) -> None:
    """The compiled library and its types are in the wheel, and no C++."""
    inside = [Path(name) for name in built.wheel_names if name.startswith("unwritten/")]
    (library,) = (path for path in inside if path.suffix in (".so", ".pyd", ".dylib", ".dll"))
    assert library.parent == Path("unwritten/native") and library.name.startswith("kernels.")
    stubs = {path.relative_to(CHECKOUT / "src") for path in (CHECKOUT / "src").rglob("*.pyi")}
    assert {path for path in inside if path.suffix == ".pyi"} == stubs
    assert {path.suffix for path in inside} <= {".py", ".pyi", ".typed", ".css", ".js", library.suffix}


def test_one_wheel_serves_python_3_12_and_newer(built: Built) -> None:
    """The wheel has the tag of the stable interface of Python 3.12, or on Python 3.11 the tag of 3.11."""
    python, interface, platform = built.wheel.stem.split("-")[2:]
    assert (python, interface) == (("cp312", "abi3") if sys.version_info >= (3, 12) else ("cp311", "cp311"))
    assert platform == re.sub(r"[-.]", "_", sysconfig.get_platform())


def test_the_metadata_are_complete(metadata: PackageMetadata) -> None:
    """A package index shows name, version, author, licence, classifiers, Python version and extras, and no address."""
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert metadata["Name"] == "unwritten"
    assert metadata["Summary"] == project["description"]
    assert metadata["Author"] == "Unwritten developers"
    assert metadata["License-Expression"] == "MIT"
    assert metadata.get_all("License-File") == ["LICENSE"]
    assert metadata["Requires-Python"] == ">=3.11"
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert metadata.json["description"].strip() == (CHECKOUT / "README.md").read_text(encoding="utf-8").strip()
    classifiers = metadata.get_all("Classifier") or []
    assert sorted(classifiers) == sorted(project["classifiers"])
    for topic in ("Development Status", "Intended Audience", "Programming Language", "Topic", "Typing"):
        assert any(line.startswith(f"{topic} :: ") for line in classifiers)
    assert set(metadata.get_all("Provides-Extra") or []) == set(project["optional-dependencies"])
    required = [line for line in metadata.get_all("Requires-Dist") or [] if "extra ==" not in line]
    assert len(required) == len(project["dependencies"])
    assert not any(name in line for line in required for name in ("numba", "llvmlite", "nanobind", "cmake"))
    addresses = ("Home-page", "Download-URL", "Project-URL", "Author-email", "Maintainer-email")
    assert not any(metadata.get_all(name) for name in addresses)


def test_the_source_distribution_has_all_sources(built: Built) -> None:
    """The source distribution, from which the wheel is built, has the sources and the texts, and nothing compiled."""
    expected = ["src/unwritten/__init__.py", "src/unwritten/native/module.cpp", "pyproject.toml", "CMakeLists.txt"]
    expected += ["README.md", "LICENSE", "CHANGELOG.md", "Makefile", ".github/workflows/wheels.yml"]
    expected += ["tests/test_wheel.py", "docs/index.md", "experiments/registry.py", "benchmarks/__main__.py"]
    assert [name for name in expected if name not in built.source_names] == []
    assert [name for name in built.source_names if name.endswith((".so", ".pyd", ".pyc"))] == []


def test_the_wheel_has_the_bytes_of_the_checkout(built: Built) -> None:
    """Every Python file in the wheel is the one of the checkout."""
    with zipfile.ZipFile(built.wheel) as archive:
        inside = {name: archive.read(name) for name in archive.namelist() if name.endswith(".py")}
    assert {name: (CHECKOUT / "src" / name).read_bytes() for name in inside} == inside


def test_the_installed_command_says_its_version(installed: Path, metadata: PackageMetadata, tmp_path: Path) -> None:
    """`python -m unwritten --version` prints the version of the metadata."""
    done = run(["-m", "unwritten", "--version"], tmp_path, installed)
    assert (done.returncode, done.stderr) == (0, "")
    assert metadata["Version"] in done.stdout.split()


def test_the_installed_command_has_no_experiments(installed: Path, tmp_path: Path) -> None:
    """`python -m unwritten reproduce list` ends with exit code 2 and one sentence that says what to do."""
    done = run(["-m", "unwritten", "reproduce", "list"], tmp_path, installed)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("unwritten: the experiments are not part of the installed package: clone")
    assert done.stderr.count("\n") == 1


@cache
def examples(page: Path) -> str:
    """The Python code of the examples of a page."""
    return "".join(example.source for example in doctest.DocTestParser().get_examples(page.read_text(encoding="utf-8")))


def imports(code: str) -> Iterator[str]:
    """The packages that code imports."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            yield from (name.name.split(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.split(".")[0]


def used_without_checkout(page: Path) -> bool:
    """True if a page has examples, none of which needs the experiments: these are not part of the wheel."""
    return examples(page) != "" and "experiments" not in imports(examples(page))


@pytest.mark.parametrize("page", [page for page in PAGES if used_without_checkout(page)], ids=lambda page: page.name)
def test_the_installed_package_does_what_a_page_says(page: Path, installed: Path, tmp_path: Path) -> None:
    """Every example of a page prints what the page shows, in a process that imports the installed wheel."""
    packages = set(imports(examples(page)))
    if DATA in examples(page) and not os.environ.get(DATA):
        pytest.skip(f"set {DATA} to the directory of the data sets")
    for package in sorted(packages - {"unwritten"}):
        pytest.importorskip(package)
    done = run(["-c", RUN_PAGE, installed, page], tmp_path, installed)
    assert done.returncode == 0, done.stdout + done.stderr
