// Programs and queries of the best-first search.
#pragma once

#include <cstdint>
#include <vector>

#include "cut_scan.h"
#include "search_answers.h"
#include "view.h"
#include "watch.h"

namespace unwritten {

// r rules matrix · y = rhs (or ≤ rhs) over d integer variables within bounds.
struct BoundedRules {
    Matrix<const std::int64_t> matrix;  // (r, d)
    View<const std::int64_t> rhs;       // (r)
    View<const bool> equality;          // (r)
    View<const std::int64_t> lower, upper;  // (d)
};

// m queries. Any multipliers are valid that are at least 0 on inequalities.
struct BestFirstQueries {
    Matrix<const double> weights;      // (m, d)
    Matrix<const double> multipliers;  // (m, r)
    View<const double> floor;          // (m) answers must have more value
    View<const double> equal;          // (m) values closer than this are equal
    std::int64_t most_labels;          // per query
    double seconds;                    // per query
};

// Visit labels in bands from the best value down, and test each against all cuts. `scan` remembers cuts between calls.
SearchAnswers search_best_first(const BoundedRules &rules, const CutTable &cuts, CutScan &scan,
                                   const BestFirstQueries &queries, Watch &watch);

}  // namespace unwritten
