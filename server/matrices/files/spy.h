/* The pattern of a matrix as a raster of entry counts. */
#ifndef FR_MATRIX_SPY_H
#define FR_MATRIX_SPY_H

#include "server/matrices/files/matrix.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FR_SPY_SIDE = 256 };

/* 256 KiB: not for the stack. */
struct fr_spy {
    int64_t n;
    int32_t side;  /* cells per side: n, at most FR_SPY_SIDE */
    uint32_t most; /* entries in the fullest cell */
    /* Entries of rows [r n / side, (r + 1) n / side), rounded up, and columns likewise. */
    uint32_t count[FR_SPY_SIDE][FR_SPY_SIDE];
};

/* Counts the entries of a matrix per cell. */
void fr_matrix_spy(const struct fr_matrix *matrix, struct fr_spy *spy);

/* Encodes a raster in few bytes.  NULL if memory is short; free with free(). */
unsigned char *fr_spy_pack(const struct fr_spy *spy, size_t *length);
/* Decodes a raster; false if the bytes are not one. */
bool fr_spy_unpack(const void *bytes, size_t length, struct fr_spy *spy);

#endif
