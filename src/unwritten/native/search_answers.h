// What a search over labels returns for m queries.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "view.h"

namespace unwritten {

struct SearchAnswers {
    std::vector<double> best;               // (m) best value, or the floor
    std::vector<std::int64_t> labels;       // (m, d) the labels of these values, if above the floor
    std::vector<double> rejected;           // (m) best value that a cut rejected, or −∞
    std::vector<double> ceiling;            // (m) no label has more
    std::vector<std::int64_t> visited;      // (m) number of nodes or labels
    std::vector<std::uint8_t> finished;     // (m)
    std::vector<std::uint8_t> out_of_time;  // (m) or stopped

    SearchAnswers() = default;
    SearchAnswers(View<const double> floor, std::size_t variables)
        : best(floor.begin(), floor.end()), labels(floor.size() * variables),
          rejected(floor.size(), -std::numeric_limits<double>::infinity()),
          ceiling(floor.size(), std::numeric_limits<double>::infinity()), visited(floor.size()),
          finished(floor.size()), out_of_time(floor.size()) {}
};

}  // namespace unwritten
