// Finds a cut that a label breaks.
#include "cut_scan.h"

#include <limits>
#include <numeric>
#include <utility>

namespace unwritten {

namespace {

struct CountBroken {
    const double *limits;
    std::int64_t broken = 0;

    UNWRITTEN_INLINE void operator()(std::size_t lane, double value) { broken += value > limits[lane] ? 1 : 0; }
};

UNWRITTEN_INLINE bool breaks_one(const Tile &tile, const double *limits, SparseLabel label) {
    CountBroken count{limits};
    if (label.values == nullptr) {
        for_each_lane<true>(tile.entries(), tile.lanes(), label, count);
    } else {
        for_each_lane<false>(tile.entries(), tile.lanes(), label, count);
    }
    return count.broken > 0;
}

using BreaksOne = bool (*)(const Tile &, const double *, SparseLabel);

bool breaks_one_plain(const Tile &tile, const double *limits, SparseLabel label) {
    return breaks_one(tile, limits, label);
}

#if UNWRITTEN_X86
UNWRITTEN_TARGET("avx2") bool breaks_one_avx2(const Tile &tile, const double *limits, SparseLabel label) {
    return breaks_one(tile, limits, label);
}

UNWRITTEN_TARGET("avx512f,avx512vl,avx512dq,prefer-vector-width=512")
bool breaks_one_avx512(const Tile &tile, const double *limits, SparseLabel label) {
    return breaks_one(tile, limits, label);
}

const BreaksOne best_breaks_one = has_avx512() ? breaks_one_avx512 : has_avx2() ? breaks_one_avx2 : breaks_one_plain;
#else
const BreaksOne best_breaks_one = breaks_one_plain;
#endif

}  // namespace

CutTable::CutTable(Matrix<const double> weights, View<const double> limits, std::size_t most_entries)
    : weights_(weights), limits_(limits) {
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
        while (t < tiles_.size() && !best_breaks_one(tiles_[t], tile_limits_.data() + t * lanes, label)) ++t;
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
