"""The compiled kernels: searches and counts that Python would be too slow for.

They are C++, one file per kernel, and know nothing of the library: each takes arrays and limits of work, and returns
arrays. `kernels.pyi` lists them.
"""
