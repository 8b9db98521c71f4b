// Lane: 256 bits that are handled together, and sets of numbers stored as lanes or as 64-bit words.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "simd.h"

namespace unwritten {

constexpr std::size_t kWordBits = 64, kLaneWords = 4, kLaneBits = kLaneWords * kWordBits;

constexpr std::size_t words_for(std::size_t bits) { return (bits + kWordBits - 1) / kWordBits; }
constexpr std::size_t lanes_for(std::size_t bits) { return (bits + kLaneBits - 1) / kLaneBits; }

struct alignas(32) Lane {
    std::uint64_t word[kLaneWords] = {};

    bool any() const { return (word[0] | word[1] | word[2] | word[3]) != 0; }
    bool has(std::size_t bit) const { return (word[bit / kWordBits] >> (bit % kWordBits)) & 1; }
    void insert(std::size_t bit) { word[bit / kWordBits] |= std::uint64_t{1} << (bit % kWordBits); }
    void remove(std::size_t bit) { word[bit / kWordBits] &= ~(std::uint64_t{1} << (bit % kWordBits)); }

    // The lowest bit that is 1, of a lane that is not empty.
    std::size_t first() const {
        std::size_t w = 0;
        while (word[w] == 0) ++w;
        return w * kWordBits + static_cast<std::size_t>(std::countr_zero(word[w]));
    }
};

#define UNWRITTEN_LANE_OPERATOR(name, expression)                              \
    UNWRITTEN_INLINE Lane name(const Lane &a, const Lane &b) {                 \
        Lane c;                                                                \
        for (std::size_t w = 0; w < kLaneWords; ++w) c.word[w] = (expression); \
        return c;                                                              \
    }
UNWRITTEN_LANE_OPERATOR(operator&, a.word[w] & b.word[w])
UNWRITTEN_LANE_OPERATOR(operator|, a.word[w] | b.word[w])
UNWRITTEN_LANE_OPERATOR(operator^, a.word[w] ^ b.word[w])
UNWRITTEN_LANE_OPERATOR(without, a.word[w] & ~b.word[w])
#undef UNWRITTEN_LANE_OPERATOR

// Call `visit` with the number of each bit that is 1, the lowest first; bit 0 of the word has the number `first`.
template <class Visit> UNWRITTEN_INLINE void each_bit(std::uint64_t word, std::size_t first, Visit visit) {
    for (; word != 0; word &= word - 1) visit(first + static_cast<std::size_t>(std::countr_zero(word)));
}

}  // namespace unwritten
