// Every kernel of the library. None of them knows Python; each is in the file of its section.
#pragma once

#include <cstdint>
#include <vector>

#include "sparse_labels.h"
#include "view.h"
#include "watch.h"

namespace unwritten {

// --- bit_counts.cpp

// Entry (i, j) counts the bits that are 1 in both row i and row j of `supports` (width × words): width × width.
// The counts are incomplete if the watch stopped the count.
std::vector<std::int32_t> common_counts(Matrix<const std::uint64_t> supports, Watch &watch);

// --- halfspaces.cpp

// 1 for each label with weights · y ≤ limits in every row of `weights` (k × d), else 0; all 0 if the watch stopped
// the test. Sums are added from the first column to the last.
std::vector<std::uint8_t> labels_within(SparseLabels labels, Matrix<const double> weights, View<const double> limits,
                                        Watch &watch);

// --- obeyed_rules.cpp

// Rule r has the columns and coefficients from starts[r] to starts[r + 1]; it is an equality or "at most".
struct SparseRules {
    View<const std::int64_t> starts;
    View<const std::int32_t> columns;
    View<const std::int64_t> coefficients;
    View<const std::int64_t> rhs;
    View<const std::uint8_t> equality;
};

// 1 for each label (m × d) that obeys every rule, else 0; all 0 if the watch stopped the test. No sum may pass 64 bits.
std::vector<std::uint8_t> labels_obeying(Matrix<const std::int64_t> labels, SparseRules rules, Watch &watch);

// --- best_labels.cpp

struct BestLabels {
    std::vector<std::int64_t> label;
    std::vector<double> value;
};

// For each row of `weights` (m × d), the label of the largest value, and its value, added from the first column to the
// last. Of labels whose value is within `equal` of the largest, the first is taken. There is at least one label;
// `by_column` lists the same entries by column. Nothing is returned if the watch stopped the search.
BestLabels best_labels(SparseLabels labels, SparseLabels by_column, Matrix<const double> weights,
                       View<const double> equal, Watch &watch);

}  // namespace unwritten
