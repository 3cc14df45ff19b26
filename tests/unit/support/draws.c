#include "tests/unit/support/draws.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

static bool is_full(void)
{
    const char *draws = getenv("FORERUN_DRAWS");

    return draws && strcmp(draws, "full") == 0;
}

int draws_of(int all)
{
    return is_full() ? all : (all + 3) / 4;
}

/* 0, which changes no sequence, unless another one is asked for. */
static uint64_t seed(void)
{
    const char *given = getenv("FORERUN_SEED");
    static uint32_t drawn;

    if (given)
        return strtoull(given, NULL, 10);
    if (is_full() && !drawn && getrandom(&drawn, sizeof drawn, 0) == sizeof drawn)
        printf("FORERUN_SEED=%u\n", drawn);
    return drawn;
}

uint64_t draws_from(uint64_t own)
{
    uint64_t state = seed();

    return state ? own + random_bits(&state) : own;
}

/* splitmix64 (Steele, Lea, Flood 2014). */
uint64_t random_bits(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

double random_share(uint64_t *state)
{
    return ldexp((double)(random_bits(state) >> 11), -53);
}

int64_t random_between(uint64_t *state, int64_t low, int64_t high)
{
    return low + (int64_t)(random_bits(state) % (uint64_t)(high - low + 1));
}

double random_size(uint64_t *state, double low, double high)
{
    return exp(log(low) + random_share(state) * (log(high) - log(low)));
}

double draw_uniform(uint64_t *random)
{
    *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return ((double)(*random >> 11) + 0.5) / 9007199254740992.0;
}

double draw_normal(uint64_t *random)
{
    const double radius = sqrt(-2 * log(draw_uniform(random)));

    return radius * cos(6.283185307179586 * draw_uniform(random));
}
