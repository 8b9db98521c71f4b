// Products of many rows of weights with one label after the other, a lane of the processor's vectors for each row.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels.h"
#include "simd.h"

namespace unwritten {

constexpr std::size_t kMostLanes = 256;

// Some rows of weights, transposed: the weights of one column are side by side.
class Tile {
public:
    // Room for at most `rows` rows, and for no more than the first-level cache holds.
    Tile(std::size_t columns, std::size_t rows) : columns_(columns) {
        constexpr std::size_t cache = 3072, vector = 8;  // doubles
        const std::size_t fit = std::max(2 * vector, cache / std::max<std::size_t>(1, columns));
        lanes_ = std::clamp((std::min(rows, fit) + vector - 1) / vector * vector, vector, kMostLanes);
        memory_.resize(columns * lanes_ + 8);
        void *start = memory_.data();
        std::size_t room = memory_.size() * sizeof(double);
        entries_ = static_cast<double *>(std::align(64, 8, start, room));
    }
    Tile(const Tile &) = delete;
    Tile &operator=(const Tile &) = delete;

    // Take these rows, at most as many as there are lanes. Lanes without a row hold zeros.
    void load(Matrix<const double> weights, View<const std::size_t> rows) {
        if (rows.size() < lanes_) std::fill(entries_, entries_ + columns_ * lanes_, 0.0);
        for (std::size_t lane = 0; lane < rows.size(); ++lane) {
            const double *row = weights[rows[lane]].data();
            for (std::size_t c = 0; c < columns_; ++c) entries_[c * lanes_ + lane] = row[c];
        }
    }
    std::size_t lanes() const { return lanes_; }
    const double *entries() const { return entries_; }

private:
    std::size_t columns_, lanes_ = 0;
    std::vector<double> memory_;
    double *entries_ = nullptr;
};

// What to do with the next rows of a label: begin the sums or go on, and store them or hand them on.
enum class Part { kOnly, kFirst, kMiddle, kLast };

template <std::size_t kRows, bool kOnes, Part kPart, class Take>
UNWRITTEN_INLINE void add_rows(const double *entries, std::size_t lanes, SparseLabel label, std::size_t from,
                               double *sums, Take &take) {
    const double *rows[kRows];
    for (std::size_t k = 0; k < kRows; ++k) {
        rows[k] = entries + static_cast<std::size_t>(label.columns[from + k]) * lanes;
    }
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        double sum = kPart == Part::kOnly || kPart == Part::kFirst ? 0.0 : sums[lane];
        for (std::size_t k = 0; k < kRows; ++k) sum += kOnes ? rows[k][lane] : label.values[from + k] * rows[k][lane];
        if constexpr (kPart == Part::kOnly || kPart == Part::kLast) {
            take(lane, sum);
        } else {
            sums[lane] = sum;
        }
    }
}

template <bool kOnes, Part kPart, class Take>
UNWRITTEN_INLINE void add_up_to_8(const double *entries, std::size_t lanes, SparseLabel label, std::size_t from,
                                  double *sums, Take &take) {
    switch (label.size - from) {
    case 1: return add_rows<1, kOnes, kPart>(entries, lanes, label, from, sums, take);
    case 2: return add_rows<2, kOnes, kPart>(entries, lanes, label, from, sums, take);
    case 3: return add_rows<3, kOnes, kPart>(entries, lanes, label, from, sums, take);
    case 4: return add_rows<4, kOnes, kPart>(entries, lanes, label, from, sums, take);
    case 5: return add_rows<5, kOnes, kPart>(entries, lanes, label, from, sums, take);
    case 6: return add_rows<6, kOnes, kPart>(entries, lanes, label, from, sums, take);
    case 7: return add_rows<7, kOnes, kPart>(entries, lanes, label, from, sums, take);
    case 8: return add_rows<8, kOnes, kPart>(entries, lanes, label, from, sums, take);
    }
}

// Call take(lane, value of the label in that lane) for each lane. Terms are added from the first column to the last, so
// that the bits of a value depend neither on the processor nor on the tile. `kOnes` says that labels have no `values`.
template <bool kOnes, class Take>
UNWRITTEN_INLINE void for_each_lane(const double *entries, std::size_t lanes, SparseLabel label, Take &take) {
    alignas(64) double sums[kMostLanes];
    if (label.size == 0) {
        for (std::size_t lane = 0; lane < lanes; ++lane) take(lane, 0.0);
    } else if (label.size <= 8) {
        add_up_to_8<kOnes, Part::kOnly>(entries, lanes, label, 0, sums, take);
    } else {
        std::size_t from = 8;
        add_rows<8, kOnes, Part::kFirst>(entries, lanes, label, 0, sums, take);
        for (; from + 8 < label.size; from += 8) {
            add_rows<8, kOnes, Part::kMiddle>(entries, lanes, label, from, sums, take);
        }
        add_up_to_8<kOnes, Part::kLast>(entries, lanes, label, from, sums, take);
    }
}

// The value of one label for one row of weights: the same bits as in a lane.
inline double label_value(const double *weights, SparseLabel label) {
    double sum = 0.0;
    if (label.values == nullptr) {
        for (std::size_t k = 0; k < label.size; ++k) sum += weights[label.columns[k]];
    } else {
        for (std::size_t k = 0; k < label.size; ++k) sum += label.values[k] * weights[label.columns[k]];
    }
    return sum;
}

// Whether the label exceeds the limit of some lane.
bool breaks_one(const Tile &tile, const double *limits, SparseLabel label);

}  // namespace unwritten
