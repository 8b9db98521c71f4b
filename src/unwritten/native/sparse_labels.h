// Labels as lists of their non-zero entries.
#pragma once

#include <algorithm>
#include <cstdint>

#include "view.h"

namespace unwritten {

struct SparseLabel {
    const std::int32_t *columns;
    const double *values;         // null if all are 1
    std::size_t size;

    double term(double weight, std::size_t k) const { return values == nullptr ? weight : values[k] * weight; }
};

// Label i has the entries from starts[i] to starts[i + 1]; without `values`, all entries are 1. The same lists serve
// columns: then the entries of column c name the labels that have it.
struct SparseLabels {
    View<const std::int64_t> starts;
    View<const std::int32_t> columns;
    View<const double> values;

    std::size_t size() const { return starts.size() - 1; }
    bool ones() const { return values.size() == 0; }
    SparseLabel operator[](std::size_t i) const {
        const auto start = static_cast<std::size_t>(starts[i]), end = static_cast<std::size_t>(starts[i + 1]);
        return {columns.data() + start, ones() ? nullptr : values.data() + start, end - start};
    }
    // Whether the lists fit together and name no column beyond `width`.
    bool valid(std::size_t width) const {
        return starts.size() > 0 && starts[0] == 0 && std::is_sorted(starts.begin(), starts.end()) &&
               static_cast<std::size_t>(starts[starts.size() - 1]) == columns.size() &&
               (ones() || values.size() == columns.size()) &&
               std::all_of(columns.begin(), columns.end(),
                           [width](std::int32_t c) { return c >= 0 && static_cast<std::size_t>(c) < width; });
    }
};

}  // namespace unwritten
