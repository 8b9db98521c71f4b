"""Small linear and integer programs, for miners: the one place outside `solving` where HiGHS is loaded."""

from unwritten.programs.linear_program import LinearProgram, Solved

__all__ = ["LinearProgram", "Solved"]
