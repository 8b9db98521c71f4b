"""HiGHS model: the rules, cuts, gaps and facts of a model as a loaded `highspy.Highs`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from unwritten.exports.linear_program import program_of
from unwritten.exports.plain_names import plain_names
from unwritten.exports.stated_models import require_stated
from unwritten.objects.named_program import NamedProgram

if TYPE_CHECKING:
    from unwritten.model import Model


def highs_model(model: Model, weights: object = None) -> NamedProgram:
    """Return a `highspy.Highs` with the rules, cuts, gaps and facts as rows, and its variables by name.

    HiGHS writes names to files as they are, so columns get plain names, as in an exported LP file; the returned
    variables have the user's own names.
    """
    import highspy

    require_stated(model)
    program = program_of(model, weights)
    variables, rows = program.variables, program.rows
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = len(variables), len(rows)
    lp.sense_ = highspy.ObjSense.kMaximize if program.sense == "max" else highspy.ObjSense.kMinimize
    costs = np.zeros(len(variables))
    for weight, j in program.objective or ():
        costs[j] = weight
    lp.col_cost_ = costs
    lp.col_lower_ = np.array([variable.low for variable in variables], float)
    lp.col_upper_ = np.array([variable.high for variable in variables], float)
    upper = np.array([row.rhs for row in rows], float)
    lp.row_upper_ = upper
    lp.row_lower_ = np.where([row.equality for row in rows], upper, -highspy.kHighsInf) if rows else upper
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = np.cumsum([0, *(len(row.terms) for row in rows)])
    lp.a_matrix_.index_ = np.array([j for row in rows for _, j in row.terms], np.int32)
    lp.a_matrix_.value_ = np.array([times for row in rows for times, _ in row.terms], float)
    kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
    lp.integrality_ = [kinds[variable.whole] for variable in variables]
    lp.col_names_ = plain_names(program.names)
    lp.row_names_ = [row.name for row in rows]
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("mip_rel_gap", 0.0)
    highs.passModel(lp)
    columns = highs.getVariables()
    return NamedProgram(highs, dict(zip(program.names, columns, strict=True)))
