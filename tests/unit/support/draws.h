/* Random numbers for simulations; every run of the tests uses the same sequence. */
#ifndef FR_DRAWS_H
#define FR_DRAWS_H

#include <math.h>
#include <stdint.h>

/* In the open interval (0, 1). */
static inline double draw_uniform(uint64_t *random)
{
    *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return ((double)(*random >> 11) + 0.5) / 9007199254740992.0;
}

static inline double draw_normal(uint64_t *random)
{
    const double radius = sqrt(-2 * log(draw_uniform(random)));

    return radius * cos(6.283185307179586 * draw_uniform(random));
}

#endif
