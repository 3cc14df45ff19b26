/* Counts entries per cell. */
#include "server/matrices/files/spy.h"

#include <string.h>

void fr_matrix_spy(const struct fr_matrix *matrix, struct fr_spy *spy)
{
    memset(spy, 0, sizeof *spy);
    spy->n = matrix->n;
    spy->side = matrix->n < FR_SPY_SIDE ? (int32_t)matrix->n : FR_SPY_SIDE;
    for (int64_t j = 0; j < matrix->n; j++) {
        const int64_t c = j * spy->side / matrix->n;

        for (int64_t at = matrix->column_at[j]; at < matrix->column_at[j + 1]; at++) {
            uint32_t *count = &spy->count[(int64_t)matrix->row[at] * spy->side / matrix->n][c];

            if (++*count > spy->most)
                spy->most = *count;
        }
    }
}
