/* Whole numbers in bytes, the least significant first. */
#ifndef FR_MATRIX_WHOLE_H
#define FR_MATRIX_WHOLE_H

#include <stdint.h>

static inline void fr_put_whole(unsigned char *at, int bytes, uint64_t value)
{
    for (int i = 0; i < bytes; i++)
        at[i] = (unsigned char)(value >> 8 * i);
}

static inline uint64_t fr_get_whole(const unsigned char *at, int bytes)
{
    uint64_t value = 0;

    for (int i = 0; i < bytes; i++)
        value |= (uint64_t)at[i] << 8 * i;
    return value;
}

#endif
