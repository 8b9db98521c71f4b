// Cuts that are searched for one that a label breaks.
#pragma once

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "tile.h"

namespace unwritten {

// The cuts `weights · y ≤ limits`, transposed in tiles so that a label is tested against many of them at a time.
class CutTable {
public:
    // With more than `most_entries` weights there are no tiles, to save memory.
    CutTable(Matrix<const double> weights, View<const double> limits, std::size_t most_entries);

    std::size_t size() const { return limits_.size(); }
    View<const double> operator[](std::size_t cut) const { return weights_[cut]; }
    double limit(std::size_t cut) const { return limits_[cut]; }

    // The first cut that the label breaks, or −1.
    std::int64_t first_broken(SparseLabel label) const;

private:
    Matrix<const double> weights_;
    View<const double> limits_;
    std::deque<Tile> tiles_;
    std::vector<double> tile_limits_;
};

// Tests labels against the cuts of a table. Cuts that rejected labels before are tried first.
class CutScan {
public:
    explicit CutScan(const CutTable &table) : table_(&table) {}

    // A cut that the label breaks, or −1.
    std::int64_t broken_by(SparseLabel label);

    // The elementary steps since the last call.
    std::int64_t steps() { return std::exchange(steps_, 0); }

private:
    static constexpr std::size_t kMostRecent = 64;

    const CutTable *table_;
    std::vector<std::uint32_t> recent_;  // a cut that rejects a label moves to half its place
    std::int64_t steps_ = 0;
};

}  // namespace unwritten
