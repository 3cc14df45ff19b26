/* One loop for each vector length of the processor.  The chains are independent: as many as the
 * latency of a fused multiply-add times the number of units that do it, and no more than fit the
 * registers beside the two operands (16 registers up to AVX2, 32 elsewhere).
 */
#include "calibrations/calibrate/kernels/fma.h"

typedef double vector2 __attribute__((vector_size(16)));
#if defined(__x86_64__)
typedef double vector4 __attribute__((vector_size(32)));
typedef double vector8 __attribute__((vector_size(64)));
#endif

#define CHAINS_12(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11)
#define CHAINS_16(DO) CHAINS_12(DO) DO(12) DO(13) DO(14) DO(15)
#define DECLARE(i) x##i = factor + 0.01 * i,
#define STEP(i) x##i = x##i * factor + term;
#define SUM(i) sum += x##i;

/* x = 0.5 x + 0.5 settles at 1: no overflow, no denormals.  The empty asm hides the constants. */
#define LOOP(function, vector, EACH_CHAIN)                         \
    function(long passes)                                          \
    {                                                              \
        double half = 0.5, total = 0;                              \
        vector factor = { 0 };                                     \
                                                                   \
        __asm__ volatile("" : "+m"(half));                         \
        factor += half;                                            \
        const vector term = factor;                                \
        vector EACH_CHAIN(DECLARE) sum = { 0 };                    \
        for (long i = 0; i < passes; i++) {                        \
            EACH_CHAIN(STEP)                                       \
        }                                                          \
        EACH_CHAIN(SUM)                                            \
        for (unsigned i = 0; i < sizeof sum / sizeof(double); i++) \
            total += sum[i];                                       \
        return total;                                              \
    }

#if defined(__x86_64__)
#define CHAINS_PLAIN 12
static double LOOP(run_plain, vector2, CHAINS_12)
#else
#define CHAINS_PLAIN 16
static double LOOP(run_plain, vector2, CHAINS_16)
#endif

    static bool always(void)
{
    return true;
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) static double LOOP(run_avx2, vector4, CHAINS_12)
    __attribute__((target("avx512f,prefer-vector-width=512"))) static double LOOP(run_avx512,
                                                                                  vector8,
                                                                                  CHAINS_16)

        static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f");
}
#endif

const struct fr_fma fr_fma_loops[] = {
    { "128-bit vectors", 2 * 2 * CHAINS_PLAIN, always, run_plain },
#if defined(__x86_64__)
    { "256-bit vectors", 2 * 4 * 12, has_avx2, run_avx2 },
    { "512-bit vectors", 2 * 8 * 16, has_avx512, run_avx512 },
#endif
    { 0 },
};
