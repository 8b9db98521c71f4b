"""Small linear and integer programs, for miners: the one place outside `solving` where HiGHS is loaded."""

from unwritten.programs.loaded_program import LoadedProgram, Solved

__all__ = ["LoadedProgram", "Solved"]
