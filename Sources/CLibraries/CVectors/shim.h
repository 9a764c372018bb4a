// Sums of products in vectors. Swift's SIMD operators work element by element, and what the compiler makes of them again
// takes three times as long.
#include <stdbool.h>
#include <stddef.h>

typedef float shim_four __attribute__((vector_size(16)));
typedef float shim_unaligned_four __attribute__((vector_size(16), aligned(4)));

typedef struct {
    float first;
    float second;
} shim_sums;

static inline float shim_sum(shim_four lanes) { return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]); }

/// Multiplies `sound` with two rows of weights, all of `count` elements, a multiple of 8, and sums each.
static inline __attribute__((always_inline)) shim_sums shim_sums_of_products(
    const float *sound, const float *first, const float *second, ptrdiff_t count) {
    shim_four a0 = {0}, a1 = {0}, b0 = {0}, b1 = {0};
    for (ptrdiff_t index = 0; index < count; index += 8) {
        shim_four low = *(const shim_unaligned_four *)(sound + index);
        shim_four high = *(const shim_unaligned_four *)(sound + index + 4);
        a0 += low * *(const shim_unaligned_four *)(first + index);
        a1 += high * *(const shim_unaligned_four *)(first + index + 4);
        b0 += low * *(const shim_unaligned_four *)(second + index);
        b1 += high * *(const shim_unaligned_four *)(second + index + 4);
    }
    return (shim_sums){shim_sum(a0 + a1), shim_sum(b0 + b1)};
}

#if defined(__x86_64__)

typedef float shim_eight __attribute__((vector_size(32)));
typedef float shim_unaligned_eight __attribute__((vector_size(32), aligned(4)));

/// Whether the processor has vectors of eight (AVX).
static inline bool shim_has_vectors_of_eight(void) { return __builtin_cpu_supports("avx"); }

static inline __attribute__((target("avx"))) shim_four shim_halves_added(shim_eight lanes) {
    return __builtin_shufflevector(lanes, lanes, 0, 1, 2, 3) + __builtin_shufflevector(lanes, lanes, 4, 5, 6, 7);
}

/// The same in vectors of eight: it adds in the same order, so that the sums are equal bit for bit.
static inline __attribute__((target("avx"))) shim_sums shim_sums_of_products_by_eight(
    const float *sound, const float *first, const float *second, ptrdiff_t count) {
    shim_eight a = {0}, b = {0};
    for (ptrdiff_t index = 0; index < count; index += 8) {
        shim_eight all = *(const shim_unaligned_eight *)(sound + index);
        a += all * *(const shim_unaligned_eight *)(first + index);
        b += all * *(const shim_unaligned_eight *)(second + index);
    }
    return (shim_sums){shim_sum(shim_halves_added(a)), shim_sum(shim_halves_added(b))};
}

#else

static inline bool shim_has_vectors_of_eight(void) { return false; }

static inline shim_sums shim_sums_of_products_by_eight(
    const float *sound, const float *first, const float *second, ptrdiff_t count) {
    return shim_sums_of_products(sound, first, second, count);
}

#endif
