// The best labels under rows of literals that form a forest, by dynamic programming.
//
// Rows and variables are the nodes of a graph; if it has no cycle, each row has one literal towards the root. Below a
// variable, all that matters is by how much the best label with 1 beats the best label with 0: its gain. A row turns
// the gains of its other literals into a gain of its first one:
//   at most one:  first literal true, then no other is: 0; false: the best other one, or none. Gain −max(0, best).
//   exactly one:  true: 0; false: the best other one. Gain −best.
//   at least one: true: the others are free; false: if no other gains, the best must be true. Gain max(0, −best).
#include <algorithm>
#include <limits>

#include "kernels.h"

namespace unwritten {

namespace {

enum Kind : std::int32_t { kExactly = 0, kAtMost = 1, kAtLeast = 2 };

bool is_true(std::int32_t literal, const std::int64_t *label) { return (label[literal >> 1] != 0) != ((literal & 1) != 0); }

void set(std::int32_t literal, bool value, std::int64_t *label) { label[literal >> 1] = value != ((literal & 1) != 0); }

}  // namespace

std::vector<std::int64_t> forest_labels(Matrix<const double> weights, LiteralForest forest, Watch &watch) {
    const std::size_t d = weights.columns(), rows = forest.kinds.size();
    std::vector<std::int64_t> labels(weights.rows() * d);
    std::vector<double> gain(d);
    std::vector<std::int32_t> best(rows);
    const auto own = [&](std::int32_t literal) {
        const double value = gain[static_cast<std::size_t>(literal >> 1)];
        return (literal & 1) != 0 ? -value : value;
    };
    for (std::size_t i = 0; i < weights.rows(); ++i) {
        std::copy_n(weights.data() + i * d, d, gain.begin());
        for (std::size_t r = 0; r < rows; ++r) {
            double most = -std::numeric_limits<double>::infinity();
            for (std::int32_t k = forest.starts[r] + 1; k < forest.starts[r + 1]; ++k) {
                const double value = own(forest.literals[k]);
                if (value > most) most = value, best[r] = forest.literals[k];
            }
            const std::int32_t first = forest.literals[forest.starts[r]];
            const double added = forest.kinds[r] == kExactly  ? -most
                                 : forest.kinds[r] == kAtMost ? -std::max(0.0, most)
                                                              : std::max(0.0, -most);
            gain[static_cast<std::size_t>(first >> 1)] += (first & 1) != 0 ? -added : added;
        }
        std::int64_t *label = labels.data() + i * d;
        for (std::size_t j = 0; j < d; ++j) label[j] = gain[j] > 0;
        for (std::size_t r = rows; r-- > 0;) {
            const std::int32_t start = forest.starts[r], end = forest.starts[r + 1];
            const bool first = is_true(forest.literals[start], label);
            if (forest.kinds[r] == kAtLeast) {
                bool some = first;
                for (std::int32_t k = start + 1; k < end; ++k) {
                    const bool gains = own(forest.literals[k]) > 0;
                    set(forest.literals[k], gains, label);
                    some = some || gains;
                }
                if (!some) set(best[r], true, label);
                continue;
            }
            for (std::int32_t k = start + 1; k < end; ++k) set(forest.literals[k], false, label);
            if (!first && (forest.kinds[r] == kExactly || own(best[r]) > 0)) set(best[r], true, label);
        }
        if (watch.must_stop(static_cast<std::int64_t>(2 * (d + forest.literals.size())))) break;
    }
    return labels;
}

}  // namespace unwritten
