// For each pair of rows of words, the number of bits that are 1 in both.
#include <algorithm>
#include <bit>

#include "kernels.h"
#include "simd.h"

namespace unwritten {

namespace {

constexpr std::size_t kTile = 64;  // rows of words that fit in the cache together

constexpr std::size_t kAtOnce = 4;  // rows that share each word that is read

// For each of `rows` rows of words, one after the other, the number of bits that are 1 in it and in `one`.
UNWRITTEN_INLINE void count(const std::uint64_t *one, const std::uint64_t *others, std::size_t rows, std::size_t words,
                            std::int32_t *counts) {
    std::size_t j = 0;
    for (; j + kAtOnce <= rows; j += kAtOnce) {
        const std::uint64_t *other = others + j * words;
        std::uint64_t total[kAtOnce] = {};
        for (std::size_t w = 0; w < words; ++w) {
            for (std::size_t k = 0; k < kAtOnce; ++k) {
                total[k] += static_cast<std::uint64_t>(std::popcount(one[w] & other[k * words + w]));
            }
        }
        for (std::size_t k = 0; k < kAtOnce; ++k) counts[j + k] = static_cast<std::int32_t>(total[k]);
    }
    for (; j < rows; ++j) {
        std::uint64_t total = 0;
        for (std::size_t w = 0; w < words; ++w) {
            total += static_cast<std::uint64_t>(std::popcount(one[w] & others[j * words + w]));
        }
        counts[j] = static_cast<std::int32_t>(total);
    }
}

using Count = void (*)(const std::uint64_t *, const std::uint64_t *, std::size_t, std::size_t, std::int32_t *);

void count_plain(const std::uint64_t *one, const std::uint64_t *others, std::size_t rows, std::size_t words,
                 std::int32_t *counts) {
    count(one, others, rows, words, counts);
}

#if UNWRITTEN_X86
UNWRITTEN_TARGET("popcnt")
void count_popcnt(const std::uint64_t *one, const std::uint64_t *others, std::size_t rows, std::size_t words,
                  std::int32_t *counts) {
    count(one, others, rows, words, counts);
}

UNWRITTEN_TARGET("avx512f,avx512vl,avx512vpopcntdq,popcnt,prefer-vector-width=512")
void count_avx512(const std::uint64_t *one, const std::uint64_t *others, std::size_t rows, std::size_t words,
                  std::int32_t *counts) {
    count(one, others, rows, words, counts);
}

const Count best_count = has_avx512_counts() ? count_avx512 : has_popcnt() ? count_popcnt : count_plain;
#else
const Count best_count = count_plain;
#endif

}  // namespace

std::int32_t common_bits(const std::uint64_t *one, const std::uint64_t *other, std::size_t words) {
    std::int32_t bits = 0;
    best_count(one, other, 1, words, &bits);
    return bits;
}

std::unique_ptr<std::int32_t[]> common_counts(Matrix<const std::uint64_t> supports, Watch &watch) {
    const std::size_t width = supports.rows(), words = supports.columns();
    auto counts = std::make_unique_for_overwrite<std::int32_t[]>(width * width);
    Matrix<std::int32_t> table(counts.get(), width, width);
    for (std::size_t top = 0; top < width; top += kTile) {
        for (std::size_t left = 0; left <= top; left += kTile) {
            for (std::size_t i = top; i < std::min(top + kTile, width); ++i) {
                const std::size_t last = std::min(left + kTile, i + 1);
                std::int32_t *row = table[i].data();
                best_count(supports[i].data(), supports[left].data(), last - left, words, row + left);
                for (std::size_t j = left; j < last; ++j) table[j][i] = row[j];
                if (watch.must_stop(static_cast<std::int64_t>(words * (last - left)))) return nullptr;
            }
        }
    }
    return counts;
}

}  // namespace unwritten
