// ColumnMask: a set of columns as bits.
#pragma once

#include <vector>

#include "lane.h"

namespace unwritten {

using ColumnMask = std::vector<std::uint64_t>;

inline void insert(ColumnMask &mask, std::size_t column) {
    mask[column / kWordBits] |= std::uint64_t{1} << (column % kWordBits);
}

inline void remove(ColumnMask &mask, std::size_t column) {
    mask[column / kWordBits] &= ~(std::uint64_t{1} << (column % kWordBits));
}

inline bool contains(const ColumnMask &mask, std::size_t column) {
    return (mask[column / kWordBits] >> (column % kWordBits)) & 1;
}

template <class Visit> void each_column(const ColumnMask &mask, Visit visit) {
    for (std::size_t w = 0; w < mask.size(); ++w) each_bit(mask[w], w * kWordBits, visit);
}

}  // namespace unwritten
