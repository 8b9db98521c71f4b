// KnownPairs: the pairs of columns that some set contains.
#pragma once

#include <vector>

#include "column_mask.h"
#include "view.h"

namespace unwritten {

// The sets as rows of 0 and 1.
inline std::vector<std::uint8_t> rows_of(const std::vector<ColumnMask> &sets, std::size_t width) {
    std::vector<std::uint8_t> rows(sets.size() * width);
    for (std::size_t s = 0; s < sets.size(); ++s) {
        each_column(sets[s], [&](std::size_t j) { rows[s * width + j] = 1; });
    }
    return rows;
}

class KnownPairs {
public:
    explicit KnownPairs(std::size_t width) : holding_(width) {}

    // Add all pairs of a set.
    void add(const ColumnMask &set) {
        if (count_ % kWordBits == 0) {
            for (auto &sets : holding_) sets.push_back(0);
        }
        each_column(set, [&](std::size_t j) { holding_[j].back() |= std::uint64_t{1} << (count_ % kWordBits); });
        ++count_;
    }

    bool has(std::size_t one, std::size_t other) const {
        for (std::size_t w = 0; w < holding_[one].size(); ++w) {
            if (holding_[one][w] & holding_[other][w]) return true;
        }
        return false;
    }

private:
    std::vector<std::vector<std::uint64_t>> holding_;  // per column: the sets that contain it, as bits
    std::size_t count_ = 0;
};

// Raise an error unless all entries of the pairs are columns.
inline void require_pairs(Matrix<const std::int64_t> pairs, std::size_t width) {
    if (pairs.columns() != 2) throw std::invalid_argument("a pair must have two columns");
    for (std::size_t p = 0; p < pairs.rows(); ++p) {
        for (const std::int64_t j : pairs[p]) {
            if (j < 0 || static_cast<std::size_t>(j) >= width) {
                throw std::invalid_argument("a pair names a column outside the labels");
            }
        }
        if (pairs[p][0] == pairs[p][1]) throw std::invalid_argument("a pair must have two different columns");
    }
}

}  // namespace unwritten
