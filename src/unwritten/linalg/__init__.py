"""Exact linear algebra over the integers, on FLINT: products, kernels, ranks and short bases.

There are no tolerances. Results are computed fast modulo a prime, and verified by an exact integer product.
"""

from unwritten.linalg.bases import canonical, pair_reduced, short_basis, shortest_independent
from unwritten.linalg.exact import Integers, exact_product, largest, product, to_int64
from unwritten.linalg.kernels import eliminated, kernel, short_kernel
from unwritten.linalg.modular import PROBE_PRIME, independent, kernel_probe, pivot_columns, rank, rank_modulo

__all__ = [
    "PROBE_PRIME",
    "Integers",
    "canonical",
    "eliminated",
    "exact_product",
    "independent",
    "kernel",
    "kernel_probe",
    "largest",
    "pair_reduced",
    "pivot_columns",
    "product",
    "rank",
    "rank_modulo",
    "short_basis",
    "short_kernel",
    "shortest_independent",
    "to_int64",
]
