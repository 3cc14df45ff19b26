/* A random cyclic order of cache lines for latency measurements. */
#include "calibrations/calibrate/memory/pointer_chase.h"

static void swap(int32_t *next, int64_t a, int64_t b)
{
    const int32_t kept = next[a];

    next[a] = next[b];
    next[b] = kept;
}

/* Sattolo's shuffle, "An algorithm to generate a random cyclic permutation" (1986), makes each
 * window a ring.  Exchanging the successors of two lines on different rings merges the rings; with
 * the first lines of windows, the windows follow one another. */
void fr_pointer_chase_order(struct fr_random *random, int64_t count, int64_t window, int32_t *next)
{
    for (int64_t begin = 0; begin < count; begin += window) {
        const int64_t lines = count - begin < window ? count - begin : window;

        for (int64_t i = 0; i < lines; i++)
            next[begin + i] = (int32_t)(begin + i);
        for (int64_t i = lines - 1; i > 0; i--)
            swap(next, begin + i, begin + (int64_t)(fr_random_next(random) % (uint64_t)i));
        if (begin > 0)
            swap(next, begin, begin - window);
    }
}
