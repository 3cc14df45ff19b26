/* Encodes and decodes permutations. */

#include "server/matrices/files/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    VERSION = 1,
    ORDER_AT = 8,
    TIME_AT = 16,
    ROWS_AT = 24,
    CHECKSUM_AT = 28,
    HEADER_BYTES = 32,
    PLACE_BYTES = 4
};

static const unsigned char magic[4] = { 'F', 'R', 'P', 'M' };

bool fr_is_permutation(const int32_t *place, int32_t n)
{
    char *is_taken = calloc((size_t)n + 1, 1);
    int32_t i = 0;

    for (; is_taken && i < n; i++) {
        if (place[i] < 0 || place[i] >= n || is_taken[place[i]])
            break;
        is_taken[place[i]] = 1;
    }
    free(is_taken);
    return is_taken && i == n;
}

size_t fr_permutations_most_bytes(int64_t n)
{
    return HEADER_BYTES + 2 * PLACE_BYTES * (size_t)n;
}

static uint32_t checksum(const unsigned char *bytes, size_t length)
{
    uLong sum = crc32(0, bytes, CHECKSUM_AT);

    return (uint32_t)crc32_z(sum, bytes + HEADER_BYTES, length - HEADER_BYTES);
}

static void put_places(unsigned char *at, const int32_t *place, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        fr_put_whole(at + (size_t)i * PLACE_BYTES, PLACE_BYTES, (uint32_t)place[i]);
}

unsigned char *fr_permutations_write(const struct fr_permutations *p, size_t *length)
{
    const size_t places = (size_t)p->n * PLACE_BYTES;
    const size_t total = HEADER_BYTES + (p->row_to ? 2 : 1) * places;
    unsigned char *bytes = calloc(1, total);
    uint64_t time;

    if (!bytes)
        return NULL;
    memcpy(&time, &p->ordering_s, sizeof time);
    memcpy(bytes, magic, sizeof magic);
    fr_put_whole(bytes + 4, 4, VERSION);
    fr_put_whole(bytes + ORDER_AT, 8, (uint64_t)p->n);
    fr_put_whole(bytes + TIME_AT, 8, time);
    fr_put_whole(bytes + ROWS_AT, 4, p->row_to != NULL);
    put_places(bytes + HEADER_BYTES, p->place, p->n);
    if (p->row_to)
        put_places(bytes + HEADER_BYTES + places, p->row_to, p->n);
    fr_put_whole(bytes + CHECKSUM_AT, 4, checksum(bytes, total));
    *length = total;
    return bytes;
}

/* NULL if memory is short or it is no permutation. */
static int32_t *get_places(const unsigned char *at, int32_t n)
{
    int32_t *place = malloc(((size_t)n + 1) * sizeof *place);

    for (int32_t i = 0; place && i < n; i++)
        place[i] = (int32_t)(uint32_t)fr_get_whole(at + (size_t)i * PLACE_BYTES, PLACE_BYTES);
    if (place && fr_is_permutation(place, n))
        return place;
    free(place);
    return NULL;
}

static bool has_header(const unsigned char *bytes, size_t length, int64_t n)
{
    return length >= HEADER_BYTES && memcmp(bytes, magic, sizeof magic) == 0 &&
           fr_get_whole(bytes + 4, 4) == VERSION && n > 0 && n <= INT32_MAX &&
           fr_get_whole(bytes + ORDER_AT, 8) == (uint64_t)n &&
           fr_get_whole(bytes + ROWS_AT, 4) <= 1 &&
           length ==
               HEADER_BYTES + (1 + fr_get_whole(bytes + ROWS_AT, 4)) * PLACE_BYTES * (size_t)n &&
           fr_get_whole(bytes + CHECKSUM_AT, 4) == checksum(bytes, length);
}

int fr_permutations_read(const unsigned char *bytes, size_t length, int64_t n,
                         struct fr_permutations *out, struct fr_faults *faults)
{
    struct fr_permutations read = { .n = (int32_t)n };
    bool has_rows, is_sound;
    uint64_t time;

    if (!has_header(bytes, length, n))
        return fr_fault(faults, FR_SYNTAX, "/", "%zu bytes that are no permutations of this matrix",
                        length);
    time = fr_get_whole(bytes + TIME_AT, 8);
    memcpy(&read.ordering_s, &time, sizeof time);
    has_rows = fr_get_whole(bytes + ROWS_AT, 4) == 1;
    read.place = get_places(bytes + HEADER_BYTES, read.n);
    if (has_rows)
        read.row_to = get_places(bytes + HEADER_BYTES + (size_t)n * PLACE_BYTES, read.n);
    is_sound = read.place && (read.row_to || !has_rows) && isfinite(read.ordering_s) &&
               read.ordering_s >= 0;
    if (!is_sound) {
        fr_permutations_free(&read);
        return fr_fault(faults, FR_SYNTAX, "/", "the permutations are damaged, or memory is short");
    }
    *out = read;
    return FR_OK;
}

void fr_permutations_free(struct fr_permutations *p)
{
    free(p->place);
    free(p->row_to);
    *p = (struct fr_permutations){ 0 };
}
