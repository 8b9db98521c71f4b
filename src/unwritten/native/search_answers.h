// What a search over labels returns for m queries.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "view.h"

namespace unwritten {

struct SearchAnswers {
    std::vector<double> best;               // (m) best value, or the floor
    std::unique_ptr<std::int64_t[]> labels;  // (m, d) the labels of these values; zeros if the floor was not beaten
    std::vector<double> rejected;           // (m) best value that a cut rejected, or −∞
    std::vector<double> ceiling;            // (m) no label has more
    std::vector<std::int64_t> visited;      // (m) number of nodes or labels
    std::vector<std::uint8_t> finished;     // (m)
    std::vector<std::uint8_t> out_of_time;  // (m) or stopped
    std::size_t width = 0;                  // d

    // The memory of a label. It is not cleared before the search, because an easy query is not much slower than that.
    View<std::int64_t> label(std::size_t query) const { return {labels.get() + query * width, width}; }
    void clear_label(std::size_t query) const { std::fill(label(query).begin(), label(query).end(), 0); }

    SearchAnswers() = default;
    SearchAnswers(View<const double> floor, std::size_t variables)
        : best(floor.begin(), floor.end()),
          labels(std::make_unique_for_overwrite<std::int64_t[]>(floor.size() * variables)),
          rejected(floor.size(), -std::numeric_limits<double>::infinity()),
          ceiling(floor.size(), std::numeric_limits<double>::infinity()), visited(floor.size()),
          finished(floor.size()), out_of_time(floor.size()), width(variables) {}
};

}  // namespace unwritten
