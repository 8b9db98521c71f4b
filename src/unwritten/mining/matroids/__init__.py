"""Matroids: the structure of labels that are bases, and linear algebra over GF(2)."""
