"""The experiments of the paper and our own: data sets, and runs that use the public API of the library."""
