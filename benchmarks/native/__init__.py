"""The compiled kernels against another version of the library, with both measured in turns in one run."""

from benchmarks.native.comparison import native

__all__ = ["native"]
