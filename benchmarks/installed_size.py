"""Install the package without extras in a new environment and print its size: `python -m benchmarks.installed_size`.

It needs the network and about a minute. Sizes are in MB (10⁶ bytes): of the files that packages bring, and of the
bytecode that pip compiles from them. pip and setuptools, which every environment has, are not counted.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from importlib.metadata import Distribution, distributions
from pathlib import Path

from benchmarks.timing import MarkdownTable

CHECKOUT = Path(__file__).parent.parent
NOT_COUNTED = ("pip", "setuptools", "wheel")
SHOWN = 8  # the largest packages


def installed_sizes() -> MarkdownTable:
    """Install into a new environment, and return the sizes of all packages and of the largest ones."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        (python,) = (path for name in ("bin/python", "Scripts/python.exe") if (path := Path(folder, name)).exists())
        quiet = ["--quiet", "--disable-pip-version-check"]
        subprocess.run([python, "-m", "pip", "install", *quiet, CHECKOUT], check=True)
        (site_packages,) = Path(folder).glob("[Ll]ib/**/site-packages")
        packages = [each for each in distributions(path=[str(site_packages)]) if each.name not in NOT_COUNTED]
        sizes = sorted(((*_megabytes(each), f"{each.name} {each.version}") for each in packages), reverse=True)
    table = MarkdownTable("Installed size without extras")
    table.add(package="all", files_MB=sum(size[0] for size in sizes), bytecode_MB=sum(size[1] for size in sizes))
    for files, bytecode, name in sizes[:SHOWN]:
        table.add(package=name, files_MB=files, bytecode_MB=bytecode)
    return table


def _megabytes(package: Distribution) -> tuple[float, float]:
    """The sizes of a package's files and of its bytecode, in MB."""
    paths = [Path(str(package.locate_file(file))) for file in package.files or []]
    sizes = {path: path.stat().st_size / 1e6 for path in paths if path.exists()}
    bytecode = sum(size for path, size in sizes.items() if path.suffix == ".pyc")
    return sum(sizes.values()) - bytecode, bytecode


if __name__ == "__main__":
    print(installed_sizes())
