// Compile an inline function for several generations of x86-64 and choose by the processor at the first call.
// All versions compute the same bits: none of them may fuse a multiplication with an addition.
#pragma once

#if !defined(UNWRITTEN_X86) && defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define UNWRITTEN_X86 1  // -DUNWRITTEN_X86=0 builds what other processors run
#endif

#if UNWRITTEN_X86
#define UNWRITTEN_INLINE inline __attribute__((always_inline))
#define UNWRITTEN_TARGET(features) __attribute__((target(features)))

namespace unwritten {

inline bool has_popcnt() {
    __builtin_cpu_init();
    return __builtin_cpu_supports("popcnt");
}
inline bool has_avx2() {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2");
}
// AVX2, and the instructions that count and find single bits.
inline bool has_avx2_bits() { return has_avx2() && has_popcnt() && __builtin_cpu_supports("bmi"); }
inline bool has_avx512() {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
}
inline bool has_avx512_counts() { return has_avx512() && __builtin_cpu_supports("avx512vpopcntdq"); }

}  // namespace unwritten
#else
#undef UNWRITTEN_X86
#define UNWRITTEN_X86 0
#define UNWRITTEN_INLINE inline
#endif
