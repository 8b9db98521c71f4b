// Tests a label against all rows of a tile at once.
#include "tile.h"

namespace unwritten {

namespace {

struct CountBroken {
    const double *limits;
    std::int64_t broken = 0;

    UNWRITTEN_INLINE void operator()(std::size_t lane, double value) { broken += value > limits[lane] ? 1 : 0; }
};

UNWRITTEN_INLINE bool test(const Tile &tile, const double *limits, SparseLabel label) {
    CountBroken count{limits};
    if (label.values == nullptr) {
        for_each_lane<true>(tile.entries(), tile.lanes(), label, count);
    } else {
        for_each_lane<false>(tile.entries(), tile.lanes(), label, count);
    }
    return count.broken > 0;
}

using Test = bool (*)(const Tile &, const double *, SparseLabel);

bool test_plain(const Tile &tile, const double *limits, SparseLabel label) {
    return test(tile, limits, label);
}

#if UNWRITTEN_X86
UNWRITTEN_TARGET("avx2") bool test_avx2(const Tile &tile, const double *limits, SparseLabel label) {
    return test(tile, limits, label);
}

UNWRITTEN_TARGET("avx512f,avx512vl,avx512dq,prefer-vector-width=512")
bool test_avx512(const Tile &tile, const double *limits, SparseLabel label) {
    return test(tile, limits, label);
}

const Test best_test = has_avx512() ? test_avx512 : has_avx2() ? test_avx2 : test_plain;
#else
const Test best_test = test_plain;
#endif

}  // namespace

bool breaks_one(const Tile &tile, const double *limits, SparseLabel label) { return best_test(tile, limits, label); }

}  // namespace unwritten
