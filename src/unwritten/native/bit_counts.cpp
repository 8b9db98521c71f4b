// For each pair of rows of words, the number of bits that are 1 in both.
#include <algorithm>
#include <bit>

#include "kernels.h"
#include "simd.h"

namespace unwritten {

namespace {

constexpr std::size_t kTile = 64;  // rows of words that fit in the cache together

UNWRITTEN_INLINE std::int32_t count(const std::uint64_t *one, const std::uint64_t *other, std::size_t words) {
    std::int64_t total = 0;
    for (std::size_t w = 0; w < words; ++w) total += std::popcount(one[w] & other[w]);
    return static_cast<std::int32_t>(total);
}

using Count = std::int32_t (*)(const std::uint64_t *, const std::uint64_t *, std::size_t);

std::int32_t count_plain(const std::uint64_t *one, const std::uint64_t *other, std::size_t words) {
    return count(one, other, words);
}

#if UNWRITTEN_X86
UNWRITTEN_TARGET("popcnt")
std::int32_t count_popcnt(const std::uint64_t *one, const std::uint64_t *other, std::size_t words) {
    return count(one, other, words);
}

UNWRITTEN_TARGET("avx512f,avx512vl,avx512vpopcntdq,popcnt")
std::int32_t count_avx512(const std::uint64_t *one, const std::uint64_t *other, std::size_t words) {
    return count(one, other, words);
}

const Count common = has_avx512_counts() ? count_avx512 : has_popcnt() ? count_popcnt : count_plain;
#else
const Count common = count_plain;
#endif

}  // namespace

std::int32_t common_bits(const std::uint64_t *one, const std::uint64_t *other, std::size_t words) {
    return common(one, other, words);
}

std::vector<std::int32_t> common_counts(Matrix<const std::uint64_t> supports, Watch &watch) {
    const std::size_t width = supports.rows(), words = supports.columns();
    std::vector<std::int32_t> counts(width * width);
    Matrix<std::int32_t> table(counts.data(), width, width);
    for (std::size_t top = 0; top < width; top += kTile) {
        for (std::size_t left = 0; left <= top; left += kTile) {
            for (std::size_t i = top; i < std::min(top + kTile, width); ++i) {
                const std::size_t last = std::min(left + kTile, i + 1);
                for (std::size_t j = left; j < last; ++j) {
                    table[i][j] = table[j][i] = common(supports[i].data(), supports[j].data(), words);
                }
                if (watch.must_stop(static_cast<std::int64_t>(words * (last - left)))) return counts;
            }
        }
    }
    return counts;
}

}  // namespace unwritten
