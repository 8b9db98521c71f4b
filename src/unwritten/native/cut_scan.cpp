// Finds a cut that a label breaks.
#include "cut_scan.h"

#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace unwritten {

CutTable::CutTable(Matrix<const double> weights, View<const double> limits, std::size_t most_entries)
    : weights_(weights), limits_(limits) {
    if (weights.rows() != limits.size()) throw std::invalid_argument("every cut must have one limit");
    if (weights.rows() * weights.columns() > most_entries) return;
    std::vector<std::size_t> rows(weights.rows());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    for (std::size_t first = 0; first < rows.size();) {
        Tile &tile = tiles_.emplace_back(weights.columns(), rows.size());
        const std::size_t count = std::min(tile.lanes(), rows.size() - first);
        tile.load(weights, View<const std::size_t>(rows.data() + first, count));
        tile_limits_.insert(tile_limits_.end(), limits.begin() + first, limits.begin() + first + count);
        tile_limits_.resize(tiles_.size() * tile.lanes(), std::numeric_limits<double>::infinity());
        first += count;
    }
}

std::int64_t CutTable::first_broken(SparseLabel label) const {
    std::size_t first = 0, last = size();
    if (!tiles_.empty()) {
        const std::size_t lanes = tiles_.front().lanes();
        std::size_t t = 0;
        while (t < tiles_.size() && !breaks_one(tiles_[t], tile_limits_.data() + t * lanes, label)) ++t;
        first = std::min(t * lanes, size());
        last = std::min(first + lanes, size());
    }
    for (std::size_t cut = first; cut < last; ++cut) {
        if (label_value(weights_[cut].data(), label) > limits_[cut]) return static_cast<std::int64_t>(cut);
    }
    return -1;
}

std::int64_t CutScan::broken_by(SparseLabel label) {
    for (std::size_t k = 0; k < recent_.size(); ++k) {
        const std::uint32_t cut = recent_[k];
        if (label_value((*table_)[cut].data(), label) > table_->limit(cut)) {
            std::swap(recent_[k], recent_[k / 2]);
            steps_ += static_cast<std::int64_t>((k + 1) * (label.size + 1));
            return cut;
        }
    }
    const std::int64_t cut = table_->first_broken(label);
    const std::size_t tested = recent_.size() + (cut < 0 ? table_->size() : static_cast<std::size_t>(cut) + 1);
    steps_ += static_cast<std::int64_t>(tested * (label.size + 1));
    if (cut >= 0) {
        if (recent_.size() < kMostRecent) recent_.push_back(0);
        recent_.back() = static_cast<std::uint32_t>(cut);
        std::swap(recent_.back(), recent_[recent_.size() / 2]);
    }
    return cut;
}

}  // namespace unwritten
