"""Groups: "exactly one of S" rules, with three searches for three sizes of data.

`exact_cover` needs few examples; `local_cover` copes with thousands of columns; `cliques` needs only the Gram matrix of
many examples.
"""
