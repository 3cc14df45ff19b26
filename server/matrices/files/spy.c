/* The raster of a matrix: counts its entries in few cells, and packs the counts for the store. */
#include "server/matrices/files/reader.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

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

/* Little-endian: n, side, most, then the counts row by row; all of it deflated. */
enum { HEAD_BYTES = 16, MOST_BYTES = HEAD_BYTES + 4 * FR_SPY_SIDE * FR_SPY_SIDE };

unsigned char *fr_spy_pack(const struct fr_spy *spy, size_t *length)
{
    uLongf packed_length = compressBound(MOST_BYTES);
    unsigned char *plain = malloc(MOST_BYTES), *packed = malloc(packed_length);
    unsigned char *at = plain;
    int code = Z_MEM_ERROR;

    if (plain && packed) {
        fr_put_whole(at, 8, (uint64_t)spy->n);
        fr_put_whole(at + 8, 4, (uint64_t)spy->side);
        fr_put_whole(at + 12, 4, spy->most);
        at += HEAD_BYTES;
        for (int32_t row = 0; row < spy->side; row++)
            for (int32_t column = 0; column < spy->side; column++, at += 4)
                fr_put_whole(at, 4, spy->count[row][column]);
        code = compress(packed, &packed_length, plain, (uLong)(at - plain));
    }
    free(plain);
    if (code == Z_OK) {
        *length = packed_length;
        return packed;
    }
    free(packed);
    return NULL;
}

static bool read_cells(const unsigned char *plain, size_t length, struct fr_spy *spy)
{
    spy->n = (int64_t)fr_get_whole(plain, 8);
    spy->side = (int32_t)fr_get_whole(plain + 8, 4);
    spy->most = (uint32_t)fr_get_whole(plain + 12, 4);
    if (spy->side < 1 || spy->side > FR_SPY_SIDE || spy->n < spy->side ||
        length != HEAD_BYTES + (size_t)4 * (size_t)spy->side * (size_t)spy->side)
        return false;
    plain += HEAD_BYTES;
    for (int32_t row = 0; row < spy->side; row++)
        for (int32_t column = 0; column < spy->side; column++, plain += 4)
            spy->count[row][column] = (uint32_t)fr_get_whole(plain, 4);
    return true;
}

bool fr_spy_unpack(const void *bytes, size_t length, struct fr_spy *spy)
{
    unsigned char *plain = malloc(MOST_BYTES);
    uLongf plain_length = MOST_BYTES;
    bool is_good = false;

    if (plain && uncompress(plain, &plain_length, bytes, (uLong)length) == Z_OK &&
        plain_length >= HEAD_BYTES)
        is_good = read_cells(plain, plain_length, spy);
    free(plain);
    return is_good;
}
