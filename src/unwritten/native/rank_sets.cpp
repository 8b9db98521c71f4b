// Rank rules: for sets of columns, the most ones that a label has in them. A set is listed as a bit mask.
#include <algorithm>
#include <limits>

#include "kernels.h"
#include "lane.h"

namespace unwritten {

namespace {

constexpr std::size_t kMostColumns = 30;              // ranks and sizes fit one byte, and the table fits the memory
constexpr std::size_t kBlock = std::size_t{1} << 14;  // sets whose bytes stay in the fastest cache
constexpr std::size_t kTogether = 8;                  // strips that are in the cache together
constexpr std::size_t kStrip = 256;                   // sets in a strip
constexpr std::size_t kVector = 16;                   // bytes that one instruction handles on every processor

// Pass values between all pairs of sets that differ in one column: to the set with the column (`kUp`) or to the set
// without it. `combine(value, other)` is the new value; a set keeps its value if `other` is `neutral`.
template <bool kUp, class T, class Combine> class ValuePasser {
public:
    ValuePasser(T *table, T neutral, Combine combine) : table_(table), neutral_(neutral), combine_(combine) {}

    // Small steps shift the block by the step, and mask the sets that receive nothing: this needs no short loops.
    void small_steps(std::size_t start, std::size_t block) {
        T source[kBlock + 2 * kVector];  // a copy of the block, between values that are masked
        T mask[kVector];
        std::fill(source, source + kVector, neutral_);
        std::fill(source + kVector + block, source + 2 * kVector + block, neutral_);
        for (std::size_t step = 1; step < kVector; step *= 2) {
            for (std::size_t i = 0; i < kVector; ++i) mask[i] = ((i & step) != 0) == kUp ? T(-1) : T(0);
            std::copy(table_ + start, table_ + start + block, source + kVector);
            const T *other = kUp ? source + kVector - step : source + kVector + step;
            T *target = table_ + start;
            for (std::size_t at = 0; at < block; at += kVector) {
                for (std::size_t i = 0; i < kVector; ++i) {
                    const T value = static_cast<T>((other[at + i] & mask[i]) | (neutral_ & ~mask[i]));
                    target[at + i] = combine_(target[at + i], value);
                }
            }
        }
    }

    void step(std::size_t low, std::size_t high, std::size_t length) {
        T *target = table_ + (kUp ? high : low);
        const T *other = table_ + (kUp ? low : high);
        for (std::size_t i = 0; i < length; ++i) target[i] = combine_(target[i], other[i]);
    }

private:
    T *table_;
    T neutral_;
    Combine combine_;
};

// Pass values in a table of all sets, column after column. Steps within a block are done block by block, and larger
// steps three columns at a time, strip by strip, so that the table passes through the cache a few times only.
template <bool kUp, class T, class Combine>
UNWRITTEN_INLINE void pass_on(T *table, std::size_t set_count, T neutral, Combine combine, Watch &watch) {
    ValuePasser<kUp, T, Combine> passing(table, neutral, combine);
    const std::size_t block = std::min(kBlock, set_count), strip = std::min(kStrip, block);
    for (std::size_t start = 0; start < set_count; start += block) {
        if (block >= kVector) passing.small_steps(start, block);
        for (std::size_t step = block >= kVector ? kVector : 1; step < block; step *= 2) {
            for (std::size_t low = start; low < start + block; low += 2 * step) passing.step(low, low + step, step);
        }
        if (watch.must_stop(static_cast<std::int64_t>(block))) return;
    }
    for (std::size_t least = block, past; least < set_count; least = past) {
        past = std::min(kTogether * least, set_count);
        for (std::size_t start = 0; start < set_count; start += past) {
            for (std::size_t offset = start; offset < start + least; offset += strip) {
                for (std::size_t step = least; step < past; step *= 2) {
                    for (std::size_t first = offset; first < start + past; first += 2 * step) {
                        for (std::size_t low = first; low < first + step; low += least) {
                            passing.step(low, low + step, strip);
                        }
                    }
                }
            }
            if (watch.must_stop(static_cast<std::int64_t>(past))) return;
        }
    }
}

constexpr auto either = [](auto a, auto b) { return static_cast<decltype(a)>(a | b); };
constexpr auto lesser = [](auto a, auto b) { return a < b ? a : b; };
constexpr auto greater = [](auto a, auto b) { return a > b ? a : b; };

}  // namespace

RankTable rank_table(View<const std::int64_t> masks, std::size_t width, Watch &watch) {
    if (width > kMostColumns) throw std::invalid_argument("too many columns to list all sets of them");
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
    pass_on<false>(rank, set_count, std::uint8_t{0}, either, watch);
    for (std::size_t half = 1; half < set_count; half *= 2) {
        for (std::size_t mask = 0; mask < half; ++mask) size[half + mask] = static_cast<std::int8_t>(size[mask] + 1);
    }
    for (std::size_t mask = 0; mask < set_count; ++mask) {
        rank[mask] = static_cast<std::uint8_t>(-rank[mask] & static_cast<std::uint8_t>(size[mask]));
    }
    pass_on<true>(rank, set_count, std::uint8_t{0}, greater, watch);
    return table;
}

void spread(View<std::int8_t> above, View<std::int8_t> below, Watch &watch) {
    if (above.size() != below.size() || !std::has_single_bit(above.size())) {
        throw std::invalid_argument("the tables must have one entry for each set of columns");
    }
    pass_on<false>(above.data(), above.size(), std::numeric_limits<std::int8_t>::max(), lesser, watch);
    pass_on<true>(below.data(), below.size(), std::numeric_limits<std::int8_t>::min(), greater, watch);
}

}  // namespace unwritten
