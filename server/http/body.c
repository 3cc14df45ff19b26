/* Gathering a request's body. */
#include "http/body.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { FIRST_BYTES = 4096, GZIP_ONLY = 15 + 16 };

void fr_gather_begin(struct fr_gather *gather, size_t limit_bytes, bool is_gzip,
                     struct fr_body_budget *budget)
{
    *gather = (struct fr_gather){ .limit_bytes = limit_bytes, .budget = budget };
    if (!is_gzip)
        return;
    gather->gunzip = calloc(1, sizeof *gather->gunzip);
    if (gather->gunzip && inflateInit2(gather->gunzip, GZIP_ONLY) == Z_OK)
        return;
    free(gather->gunzip);
    gather->gunzip = NULL;
    gather->state = FR_GATHER_NOMEM;
}

static void give_up(struct fr_gather *gather, enum fr_gather_state state)
{
    gather->state = state;
    atomic_fetch_sub(&gather->budget->held_bytes, gather->capacity);
    free(gather->bytes);
    gather->bytes = NULL;
    gather->length = gather->capacity = 0;
}

/* Room for `length` more bytes and the NUL. */
static bool make_room(struct fr_gather *gather, size_t length)
{
    const size_t needed = gather->length + length + 1;
    size_t capacity = gather->capacity ? gather->capacity : FIRST_BYTES;
    size_t more;
    char *bytes;

    if (needed <= gather->capacity)
        return true;
    while (capacity < needed)
        capacity *= 2;
    if (capacity > gather->limit_bytes + 1)
        capacity = gather->limit_bytes + 1 > needed ? gather->limit_bytes + 1 : needed;
    more = capacity - gather->capacity;
    if (atomic_fetch_add(&gather->budget->held_bytes, more) + more > gather->budget->limit_bytes) {
        atomic_fetch_sub(&gather->budget->held_bytes, more);
        give_up(gather, FR_GATHER_BUSY);
        return false;
    }
    bytes = realloc(gather->bytes, capacity);
    if (!bytes) {
        atomic_fetch_sub(&gather->budget->held_bytes, more);
        give_up(gather, FR_GATHER_NOMEM);
        return false;
    }
    gather->bytes = bytes;
    gather->capacity = capacity;
    return true;
}

static void append(struct fr_gather *gather, const char *piece, size_t length)
{
    if (length > gather->limit_bytes - gather->length) {
        give_up(gather, FR_GATHER_TOO_LARGE);
        return;
    }
    if (!make_room(gather, length))
        return;
    memcpy(gather->bytes + gather->length, piece, length);
    gather->length += length;
}

static void take_compressed(struct fr_gather *gather, const char *piece, size_t length)
{
    z_stream *z = gather->gunzip;
    char plain[16 * 1024];

    /* zlib's interface lacks the const; it does not write there. */
    memcpy(&z->next_in, &piece, sizeof z->next_in);
    z->avail_in = (uInt)length;
    do {
        int result;

        /* gzip files may be strung together. */
        if (gather->is_member_done && !z->avail_in)
            return; /* the member's end fell on that of the buffer */
        if (gather->is_member_done) {
            inflateReset(z);
            gather->is_member_done = false;
        }
        z->next_out = (Bytef *)plain;
        z->avail_out = sizeof plain;
        result = inflate(z, Z_NO_FLUSH);
        if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
            give_up(gather, FR_GATHER_BAD_GZIP);
            return;
        }
        append(gather, plain, sizeof plain - z->avail_out);
        gather->is_member_done = result == Z_STREAM_END;
    } while (gather->state == FR_GATHER_OK && (z->avail_in || z->avail_out == 0));
}

void fr_gather_take(struct fr_gather *gather, const char *piece, size_t length)
{
    if (gather->state != FR_GATHER_OK || !length)
        return;
    if (gather->gunzip)
        take_compressed(gather, piece, length);
    else
        append(gather, piece, length);
}

void fr_gather_end(struct fr_gather *gather)
{
    if (gather->state != FR_GATHER_OK)
        return;
    if (gather->gunzip && !gather->is_member_done) {
        give_up(gather, FR_GATHER_BAD_GZIP);
        return;
    }
    if (make_room(gather, 0))
        gather->bytes[gather->length] = '\0';
}

void fr_gather_free(struct fr_gather *gather)
{
    if (gather->gunzip)
        inflateEnd(gather->gunzip);
    free(gather->gunzip);
    gather->gunzip = NULL;
    if (gather->bytes)
        give_up(gather, gather->state);
}
