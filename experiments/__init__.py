"""The paper's experiments and ours: data generators, data sets and runs that use the public API only."""
