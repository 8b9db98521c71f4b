"""All problems by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from experiments.families import counts, grids, networks, rosters, schedules, services
from experiments.families.problem import FamilyProblem
from unwritten.errors import DataError

MAKERS: tuple[Callable[[int], FamilyProblem], ...] = (
    counts.k_of_n,
    counts.at_most_k,
    counts.between,
    counts.subset_sum,
    counts.knapsack,
    counts.three_knapsacks,
    counts.set_packing,
    counts.set_covering,
    counts.generalised_assignment,
    counts.bin_packing,
    counts.warehouse,
    counts.portfolio,
    counts.lot_sizing,
    grids.latin_square,
    grids.jigsaw_square,
    grids.kenken,
    grids.killer,
    grids.magic_square,
    grids.kakuro,
    grids.queens,
    grids.count_matrix,
    grids.golomb_ruler,
    schedules.precedence,
    schedules.job_shop,
    schedules.car_sequencing,
    schedules.exams,
    schedules.courses,
    schedules.unit_commitment,
    schedules.league,
    networks.assignment,
    networks.flow,
    networks.paths,
    networks.tour,
    networks.independent_set,
    networks.vertex_cover,
    networks.matching,
    networks.colouring,
    networks.facility_location,
    rosters.nurses,
    rosters.days_off,
    rosters.weekly_shifts,
    services.call_centre,
    services.bins_with_conflicts,
    services.open_shop,
    services.teams,
    services.campaigns,
    services.timetable,
    services.crews,
)
NAMES = tuple(maker.__name__ for maker in MAKERS)


@lru_cache(maxsize=4)
def problem_named(name: str, seed: int) -> FamilyProblem:
    """The problem of this name whose numbers, if it has any, are drawn with a seed."""
    if name not in NAMES:
        raise DataError(f"there is no problem {name!r}: use one of {', '.join(NAMES)}")
    return MAKERS[NAMES.index(name)](seed)
