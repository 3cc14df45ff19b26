/* Fuzzes bodies of requests as they are gathered: in memory, and in a file that is unpacked later.
 * The input is a list of parts, of which some become members of gzip, because a checksum seldom
 * survives a mutation. Valid members give their bytes, in whatever pieces they come. */
#include "tests/fuzz/setting.h"

#include "server/core/process.h"
#include "server/http/call.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { LIMIT_BYTES = 40000, ROOM_BYTES = 1 << 20, MOST_BUDGET = 1 << 17 };

/* What is sent, and what it means. */
static struct {
    char sent[ROOM_BYTES], plain[ROOM_BYTES];
    size_t sent_length, plain_length;
    bool is_sound;  /* members alone, and zeros behind the last */
    bool has_zeros; /* behind the last member */
} body;

static void add_member(const uint8_t *data, size_t size, unsigned times)
{
    z_stream z = { 0 };

    if (deflateInit2(&z, 1 + times % 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        abort();
    z.next_out = (Bytef *)body.sent + body.sent_length;
    z.avail_out = (uInt)(sizeof body.sent - body.sent_length);
    for (unsigned i = 0; i < times; i++) {
        char *plain = body.plain + body.plain_length;

        if (body.plain_length + size > sizeof body.plain)
            break;
        memcpy(plain, data, size);
        body.plain_length += size;
        z.next_in = (Bytef *)plain;
        z.avail_in = (uInt)size;
        deflate(&z, Z_NO_FLUSH);
    }
    if (deflate(&z, Z_FINISH) != Z_STREAM_END)
        body.is_sound = false; /* cut: no room for more */
    body.sent_length += z.total_out;
    deflateEnd(&z);
    body.is_sound &= !body.has_zeros;
}

static void add_bytes(const uint8_t *data, size_t size)
{
    if (size > sizeof body.sent - body.sent_length)
        size = sizeof body.sent - body.sent_length;
    memcpy(body.sent + body.sent_length, data, size);
    body.sent_length += size;
    body.is_sound &= !size;
}

static void add_zeros(size_t count)
{
    body.has_zeros |= count > 0;
    while (count-- && body.sent_length < sizeof body.sent)
        body.sent[body.sent_length++] = '\0';
}

/* A part is a letter, a length and its bytes: a member of gzip (times many), bytes, or zeros. */
static void compose(const uint8_t *data, size_t size)
{
    body.sent_length = body.plain_length = 0;
    body.is_sound = true;
    body.has_zeros = false;
    while (size >= 2) {
        const size_t length = data[1] < size - 2 ? data[1] : size - 2;

        if (data[0] == 'b')
            add_bytes(data + 2, length);
        else if (data[0] == 'z' && body.sent_length)
            add_zeros(length);
        else
            add_member(data + 2, length, data[0]);
        data += 2 + length;
        size -= 2 + length;
    }
    body.is_sound &= body.sent_length > 0;
}

static void give(struct fr_gather *gather, size_t piece)
{
    for (size_t at = 0; at < body.sent_length; at += piece)
        fr_gather_take(gather, body.sent + at,
                       body.sent_length - at < piece ? body.sent_length - at : piece);
    fr_gather_end(gather);
}

static void check_bytes(const struct fr_gather *gather, const char *bytes, size_t length)
{
    if (gather->state == FR_GATHER_OK &&
        (gather->length != length || memcmp(gather->bytes, bytes, length) != 0 ||
         gather->bytes[length]))
        abort();
}

/* In memory; the state must not depend on the size of pieces. */
static void gather_in_memory(bool is_gzip, size_t piece)
{
    struct fr_body_budget budget = { .limit_bytes = MOST_BUDGET };
    struct fr_gather pieces, whole;

    fr_gather_begin(&whole, LIMIT_BYTES, is_gzip, &budget);
    give(&whole, body.sent_length + 1);
    if (is_gzip && body.is_sound && !body.has_zeros &&
        whole.state != (body.plain_length > LIMIT_BYTES ? FR_GATHER_TOO_LARGE : FR_GATHER_OK))
        abort();
    if (is_gzip && body.is_sound)
        check_bytes(&whole, body.plain, body.plain_length);
    else if (!is_gzip)
        check_bytes(&whole, body.sent, body.sent_length);
    fr_gather_begin(&pieces, LIMIT_BYTES, is_gzip, &budget);
    give(&pieces, piece);
    if (pieces.state != whole.state)
        abort();
    if (whole.state == FR_GATHER_OK)
        check_bytes(&pieces, whole.bytes, whole.length);
    fr_gather_free(&pieces);
    fr_gather_free(&whole);
    if (budget.held_bytes)
        abort();
}

static void pack(const struct fr_gather *gather)
{
    struct fr_faults faults = { 0 };
    struct fr_packed packed;
    const bool is_gzip = body.sent_length >= 2 && memcmp(body.sent, "\x1f\x8b", 2) == 0;
    const int code = fr_spool_pack(gather->file, "", LIMIT_BYTES, &packed, &faults);

    if ((code == FR_OK) == (faults.count > 0))
        abort();
    if (is_gzip && body.is_sound && code != (body.plain_length > LIMIT_BYTES ? FR_NOMEM : FR_OK))
        abort();
    if (code != FR_OK)
        return;
    if (strlen(packed.id) != 16 || (!is_gzip && packed.bytes != (int64_t)body.sent_length) ||
        (is_gzip && body.is_sound && packed.bytes != (int64_t)body.plain_length))
        abort();
    if (packed.file != gather->file)
        close(packed.file);
}

static void gather_in_file(bool is_gzip, size_t piece)
{
    struct fr_body_budget budget = { .limit_bytes = ROOM_BYTES };
    struct fr_gather gather;

    fr_gather_begin_file(&gather, "./fuzz", ROOM_BYTES, is_gzip, &budget);
    give(&gather, piece);
    if (gather.state == FR_GATHER_OK)
        pack(&gather);
    fr_gather_free(&gather);
    if (budget.held_bytes)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t piece;

    if (!size)
        return 0;
    piece = data[0] ? data[0] : 1000;
    compose(data + 1, size - 1);
    gather_in_memory(true, piece);
    gather_in_memory(false, piece);
    gather_in_file(data[0] & 1, piece);
    return 0;
}
