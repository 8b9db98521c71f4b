"""Objects: a model as an object of another package, which is imported only when it is asked for."""

from unwritten.objects.highs_model import highs_model
from unwritten.objects.named_program import NamedProgram
from unwritten.objects.program_run import cpmpy_model, ortools_model, pandera_schema

__all__ = ["NamedProgram", "cpmpy_model", "highs_model", "ortools_model", "pandera_schema"]
