/* Gathering a request's body. */
#include "server/http/call.h"

#include "server/core/process.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { FIRST_BYTES = 4096, GZIP_ONLY = 15 + 16 };

bool fr_budget_take(struct fr_body_budget *budget, size_t bytes, bool is_first_free)
{
    const size_t held = atomic_fetch_add(&budget->held_bytes, bytes);

    if (held + bytes <= budget->limit_bytes || (is_first_free && !held))
        return true;
    fr_budget_give_back(budget, bytes);
    return false;
}

void fr_budget_give_back(struct fr_body_budget *budget, size_t bytes)
{
    atomic_fetch_sub(&budget->held_bytes, bytes);
}

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

static enum fr_gather_state state_of(int error)
{
    return error == ENOMEM || error == EMFILE || error == ENFILE ? FR_GATHER_NOMEM
                                                                 : FR_GATHER_NO_DISK;
}

void fr_gather_begin_file(struct fr_gather *gather, const char *database, size_t limit_bytes,
                          bool is_gzip, struct fr_body_budget *budget)
{
    *gather =
        (struct fr_gather){ .limit_bytes = limit_bytes, .budget = budget, .is_packed = is_gzip };
    gather->file = fr_spool_open(database);
    gather->has_file = gather->file >= 0;
    if (!gather->has_file)
        gather->state = state_of(errno);
}

static void give_up(struct fr_gather *gather, enum fr_gather_state state)
{
    gather->state = state;
    if (gather->has_file)
        close(gather->file);
    gather->has_file = false;
    fr_budget_give_back(gather->budget, gather->capacity);
    free(gather->bytes);
    gather->bytes = NULL;
    gather->length = gather->capacity = 0;
}

/* Takes more of the budget; false, after everything is returned, if it is exhausted. */
static bool reserve(struct fr_gather *gather, size_t more)
{
    if (fr_budget_take(gather->budget, more, false))
        return true;
    give_up(gather, FR_GATHER_BUSY);
    return false;
}

static void spool(struct fr_gather *gather, const char *piece, size_t length)
{
    int error;

    if (length > gather->limit_bytes - gather->length) {
        give_up(gather, FR_GATHER_TOO_LARGE);
        return;
    }
    if (!reserve(gather, length))
        return;
    gather->capacity += length;
    error = fr_spool_write(gather->file, piece, length);
    if (error)
        give_up(gather, state_of(error));
    else
        gather->length += length;
}

/* Makes space for `length` more bytes and the NUL. */
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
    if (!reserve(gather, more))
        return false;
    bytes = realloc(gather->bytes, capacity);
    if (!bytes) {
        fr_budget_give_back(gather->budget, more);
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

        /* gzip files may be concatenated. */
        if (gather->is_member_done && !z->avail_in)
            return; /* the member ended with the buffer */
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
    if (gather->has_file)
        spool(gather, piece, length);
    else if (gather->gunzip)
        take_compressed(gather, piece, length);
    else
        append(gather, piece, length);
}

static bool is_gzip_file(const struct fr_gather *gather)
{
    unsigned char magic[2];

    return pread(gather->file, magic, sizeof magic, 0) == sizeof magic && magic[0] == 0x1f &&
           magic[1] == 0x8b;
}

void fr_gather_end(struct fr_gather *gather)
{
    if (gather->state != FR_GATHER_OK)
        return;
    if (gather->has_file) {
        if (gather->is_packed && !is_gzip_file(gather))
            give_up(gather, FR_GATHER_BAD_GZIP);
        return;
    }
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
    if (gather->bytes || gather->has_file)
        give_up(gather, gather->state);
}
