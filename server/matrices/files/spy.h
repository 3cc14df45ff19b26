/* Where the entries of a matrix are, as a picture of few cells. */
#ifndef FR_MATRIX_SPY_H
#define FR_MATRIX_SPY_H

#include "server/matrices/files/matrix.h"

enum { FR_SPY_SIDE = 256 };

/* 256 KiB: not for the stack. */
struct fr_spy {
    int64_t n;
    int32_t side;  /* cells a side: n, or FR_SPY_SIDE of larger ones */
    uint32_t most; /* entries in the fullest cell */
    /* Entries of rows [r n / side, (r + 1) n / side), rounded up, and likewise columns. */
    uint32_t count[FR_SPY_SIDE][FR_SPY_SIDE];
};

void fr_matrix_spy(const struct fr_matrix *matrix, struct fr_spy *spy);

#endif
