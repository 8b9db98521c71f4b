"""Groups: "exactly one of S" rules. One search for each regime.

`exact_cover` needs few examples; `local_cover` copes with thousands of columns; `cliques` needs only the Gram matrix of
many examples.
"""
