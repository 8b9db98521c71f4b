"""One hypothesis profile for all tests: no deadline on shared machines, and the same examples every run."""

from hypothesis import settings

settings.register_profile("unwritten", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("unwritten")
