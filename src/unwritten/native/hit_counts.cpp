// How many members of a set of columns hit each label, as bit planes over the labels.
#include "hit_counts.h"

namespace unwritten {

namespace {

// Write the places of the ones of a lane, the lowest first; return the end. Up to `kSpare` places past the end are
// written: most words have few ones, and how many cannot be predicted.
UNWRITTEN_INLINE std::int32_t *write_places(const Lane &lane, std::int32_t first, std::int32_t *out) {
    for (std::size_t w = 0; w < kLaneWords; ++w) {
        std::uint64_t word = lane.word[w];
        const int count = std::popcount(word);
        for (int start = 0; start < count || start == 0; start += kSpare) {
            for (int k = 0; k < kSpare; ++k, word &= word - 1) out[start + k] = first + std::countr_zero(word);
        }
        out += count;
        first += static_cast<std::int32_t>(kWordBits);
    }
    return out;
}

template <bool kIn>
UNWRITTEN_INLINE FewHits count_column(const Lane *support, std::size_t lanes, Lane *hits, std::size_t planes,
                                      FewHits few_hits) {
    for (std::size_t l = 0; l < lanes; ++l, hits += planes) {
        Lane carry = support[l], few = support[l], low;
        for (std::size_t p = 0; p < planes; ++p) {
            const Lane before = hits[p], after = before ^ carry;
            carry = kIn ? carry & before : without(carry, before);
            hits[p] = after;
            const Lane &other = kIn ? before : after;  // the hits by other columns
            if (p == 0) {
                low = other;
            } else {
                few = without(few, other);
            }
        }
        const auto first = static_cast<std::int32_t>(l * kLaneBits);
        few_hits.none = write_places(without(few, low), first, few_hits.none);
        few_hits.once = write_places(few & low, first, few_hits.once);
    }
    return few_hits;
}

template <bool kIn>
FewHits count_plain(const Lane *support, std::size_t lanes, Lane *hits, std::size_t planes, FewHits few_hits) {
    return count_column<kIn>(support, lanes, hits, planes, few_hits);
}

#if UNWRITTEN_X86
template <bool kIn>
UNWRITTEN_TARGET("avx2,bmi,popcnt")
FewHits count_avx2(const Lane *support, std::size_t lanes, Lane *hits, std::size_t planes, FewHits few_hits) {
    return count_column<kIn>(support, lanes, hits, planes, few_hits);
}
#endif

}  // namespace

#if UNWRITTEN_X86
const CountColumn count_in = has_avx2_bits() ? count_avx2<true> : count_plain<true>;
const CountColumn count_out = has_avx2_bits() ? count_avx2<false> : count_plain<false>;
#else
const CountColumn count_in = count_plain<true>, count_out = count_plain<false>;
#endif

}  // namespace unwritten
