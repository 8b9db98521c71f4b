// Which labels satisfy every half-space.
#include <limits>
#include <numeric>

#include "kernels.h"
#include "tile.h"

namespace unwritten {

namespace {

constexpr std::size_t kFewLabels = 4;  // up to which the transposed tiles are not worth their making
constexpr std::size_t kRowsAtOnce = 64;

bool breaks_a_row(SparseLabel label, Matrix<const double> weights, View<const double> limits, Watch &watch) {
    for (std::size_t first = 0; first < weights.rows(); first += kRowsAtOnce) {
        const std::size_t end = std::min(first + kRowsAtOnce, weights.rows());
        bool broken = false;
        for (std::size_t i = first; i < end; ++i) broken |= label_value(weights[i].data(), label) > limits[i];
        if (broken || watch.must_stop(static_cast<std::int64_t>((end - first) * (label.size + 1)))) return true;
    }
    return false;
}

}  // namespace

std::vector<std::uint8_t> labels_within(SparseLabels labels, Matrix<const double> weights, View<const double> limits,
                                        Watch &watch) {
    std::vector<std::uint8_t> within(labels.size());
    if (labels.size() <= kFewLabels) {
        for (std::size_t i = 0; i < labels.size(); ++i) within[i] = !breaks_a_row(labels[i], weights, limits, watch);
        return within;
    }
    std::vector<std::size_t> inside(labels.size());
    std::iota(inside.begin(), inside.end(), std::size_t{0});
    Tile tile(weights.columns(), weights.rows());
    std::vector<double> tile_limits(tile.lanes());
    std::vector<std::size_t> rows(weights.rows());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    for (std::size_t first = 0; first < weights.rows(); first += tile.lanes()) {
        const std::size_t count = std::min(tile.lanes(), rows.size() - first);
        tile.load(weights, View<const std::size_t>(rows.data() + first, count));
        std::fill(tile_limits.begin(), tile_limits.end(), std::numeric_limits<double>::infinity());
        std::copy_n(limits.begin() + first, count, tile_limits.begin());
        std::erase_if(inside, [&](std::size_t i) { return breaks_one(tile, tile_limits.data(), labels[i]); });
        const std::size_t steps = count * (weights.columns() + inside.size());
        if (inside.empty() || watch.must_stop(static_cast<std::int64_t>(steps))) break;
    }
    if (!watch.stopped()) {
        for (const std::size_t i : inside) within[i] = 1;
    }
    return within;
}

}  // namespace unwritten
