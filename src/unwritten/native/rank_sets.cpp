// Rank rules: for sets of columns, the most ones that a label has in them. A set is listed as a bit mask.
#include <algorithm>

#include "kernels.h"
#include "lane.h"
#include "set_labels.h"

namespace unwritten {

namespace {

constexpr std::size_t kBlock = std::size_t{1} << 14;  // sets whose bytes stay in the fastest cache
constexpr std::size_t kStrip = 64;                    // neighbouring sets that are handled together

// Call `visit(low, high, length)` for all pairs of sets that differ in one column: low + i and high + i = low + i + 2^j
// for i < length. Columns are taken in their order. The small steps are done block by block, and the large steps strip
// by strip, so that the table passes through the cache twice instead of once per column.
template <class Visit> UNWRITTEN_INLINE void over_neighbours(std::size_t set_count, Watch &watch, Visit visit) {
    const std::size_t block = std::min(kBlock, set_count), strip = std::min(kStrip, block);
    for (std::size_t start = 0; start < set_count; start += block) {
        for (std::size_t step = 1; step < block; step *= 2) {
            for (std::size_t low = start; low < start + block; low += 2 * step) visit(low, low + step, step);
        }
        if (watch.must_stop(static_cast<std::int64_t>(block))) return;
    }
    for (std::size_t offset = 0; block < set_count && offset < block; offset += strip) {
        for (std::size_t step = block; step < set_count; step *= 2) {
            for (std::size_t first = offset; first < set_count; first += 2 * step) {
                for (std::size_t low = first; low < first + step; low += block) visit(low, low + step, strip);
            }
        }
        if (watch.must_stop(static_cast<std::int64_t>(set_count / block * strip))) return;
    }
}

}  // namespace

RankTable rank_table(View<const std::int64_t> masks, std::size_t width, Watch &watch) {
    const std::size_t set_count = std::size_t{1} << width;
    RankTable table{std::vector<std::int8_t>(set_count), std::vector<std::int8_t>(set_count)};
    auto *rank = reinterpret_cast<std::uint8_t *>(table.rank.data());  // unsigned: every processor has a fast maximum
    auto *size = table.size.data();
    for (const std::int64_t mask : masks) {
        if (mask < 0 || static_cast<std::size_t>(mask) >= set_count) {
            throw std::invalid_argument("a label has a column outside the table");
        }
        rank[static_cast<std::size_t>(mask)] = 1;
    }
    // rank is 1 for the subsets of labels
    over_neighbours(set_count, watch, [=](std::size_t low, std::size_t high, std::size_t length) {
        for (std::size_t i = 0; i < length; ++i) rank[low + i] |= rank[high + i];
    });
    for (std::size_t half = 1; half < set_count; half *= 2) {
        for (std::size_t mask = 0; mask < half; ++mask) size[half + mask] = static_cast<std::int8_t>(size[mask] + 1);
    }
    for (std::size_t mask = 0; mask < set_count; ++mask) {
        rank[mask] = static_cast<std::uint8_t>(-rank[mask] & static_cast<std::uint8_t>(size[mask]));
    }
    over_neighbours(set_count, watch, [=](std::size_t low, std::size_t high, std::size_t length) {
        for (std::size_t i = 0; i < length; ++i) rank[high + i] = std::max(rank[high + i], rank[low + i]);
    });
    return table;
}

void spread(View<std::int8_t> above, View<std::int8_t> below, Watch &watch) {
    if (above.size() != below.size() || !std::has_single_bit(above.size())) {
        throw std::invalid_argument("the tables must have one entry for each set of columns");
    }
    std::int8_t *least = above.data(), *most = below.data();
    over_neighbours(above.size(), watch, [=](std::size_t low, std::size_t high, std::size_t length) {
        for (std::size_t i = 0; i < length; ++i) least[low + i] = std::min(least[low + i], least[high + i]);
        for (std::size_t i = 0; i < length; ++i) most[high + i] = std::max(most[high + i], most[low + i]);
    });
}

}  // namespace unwritten
