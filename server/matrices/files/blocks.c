/* Encodes and decodes block structures. */
#include "server/matrices/files/blocks.h"

#include "server/matrices/files/reader.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    VERSION = 1,
    ORDER_AT = 8,
    SUPERNODES_AT = 16,
    L_BLOCKS_AT = 24,
    U_BLOCKS_AT = 32,
    CHECKSUM_AT = 40,
    HEADER_BYTES = 44,
    PIECE_BYTES = 1 << 16,
    NUMBER_BYTES = 10,
    /* The largest expansion of a byte by inflate, and the fewest bytes per supernode and block. */
    DEFLATE_MOST = 1032,
    SUPERNODE_LEAST = 3,
    L_BLOCK_LEAST = 2,
    U_BLOCK_LEAST = 5
};

static const unsigned char magic[4] = { 'F', 'R', 'B', 'S' };

/* zlib lengths are 32-bit. */
static uint32_t checksum(const unsigned char *bytes, size_t length)
{
    uLong sum = crc32(0, bytes, CHECKSUM_AT);

    for (size_t at = HEADER_BYTES; at < length;) {
        const size_t piece = length - at < INT_MAX ? length - at : INT_MAX;

        sum = crc32(sum, bytes + at, (uInt)piece);
        at += piece;
    }
    return (uint32_t)sum;
}

/* ---- writing ---- */

struct packer {
    z_stream stream;
    unsigned char piece[PIECE_BYTES], *out;
    size_t used, length, capacity;
    bool failed;
};

/* Deflates the piece. */
static void empty(struct packer *p, int flush)
{
    p->stream.next_in = p->piece;
    p->stream.avail_in = (uInt)p->used;
    p->used = 0;
    do {
        unsigned char *grown;

        if (p->capacity - p->length < PIECE_BYTES && !p->failed) {
            grown = realloc(p->out, 2 * p->capacity);
            p->failed = !grown;
            p->out = grown ? grown : p->out;
            p->capacity *= grown ? 2 : 1;
        }
        if (p->failed)
            return;
        p->stream.next_out = p->out + p->length;
        p->stream.avail_out = PIECE_BYTES;
        p->failed = deflate(&p->stream, flush) == Z_STREAM_ERROR;
        p->length += PIECE_BYTES - p->stream.avail_out;
    } while (p->stream.avail_out == 0);
}

static void put(struct packer *p, int64_t value)
{
    uint64_t rest = (uint64_t)value;

    if (p->used + NUMBER_BYTES > PIECE_BYTES)
        empty(p, Z_NO_FLUSH);
    for (; rest > 127; rest >>= 7)
        p->piece[p->used++] = (unsigned char)(rest | 128);
    p->piece[p->used++] = (unsigned char)rest;
}

/* Blocks whose segments have one length end with two zeros. */
static void put_supernode(struct packer *p, const struct sparse_structure *s, int32_t k)
{
    int32_t before = k;

    put(p, s->width[k]);
    put(p, s->l_at[k + 1] - s->l_at[k]);
    for (int64_t b = s->l_at[k]; b < s->l_at[k + 1]; b++) {
        put(p, s->l[b].i - before);
        put(p, s->l[b].rows);
        before = s->l[b].i;
    }
    before = k;
    put(p, s->u_at[k + 1] - s->u_at[k]);
    for (int64_t b = s->u_at[k]; b < s->u_at[k + 1]; b++) {
        const struct sparse_u_block *u = &s->u[b];

        put(p, u->j - before);
        put(p, u->cols);
        put(p, u->max);
        put(p, (int64_t)u->cols * u->max - u->sum);
        put(p, (int64_t)u->sum * u->max - u->sumsq);
        before = u->j;
    }
}

static void put_header(unsigned char *out, const struct sparse_structure *s, size_t length)
{
    memcpy(out, magic, sizeof magic);
    fr_put_whole(out + 4, 4, VERSION);
    fr_put_whole(out + ORDER_AT, 8, (uint64_t)s->order);
    fr_put_whole(out + SUPERNODES_AT, 8, (uint64_t)s->supernodes);
    fr_put_whole(out + L_BLOCKS_AT, 8, (uint64_t)s->l_at[s->supernodes]);
    fr_put_whole(out + U_BLOCKS_AT, 8, (uint64_t)s->u_at[s->supernodes]);
    fr_put_whole(out + CHECKSUM_AT, 4, checksum(out, length));
}

unsigned char *fr_blocks_write(const struct sparse_structure *structure, size_t *length)
{
    struct packer *p = calloc(1, sizeof *p);
    unsigned char *out;

    if (!p)
        return NULL;
    p->capacity = 4 * PIECE_BYTES;
    p->length = HEADER_BYTES;
    p->out = calloc(1, p->capacity);
    p->failed = !p->out || deflateInit(&p->stream, Z_BEST_SPEED) != Z_OK;
    if (!p->failed) {
        for (int32_t k = 0; k < structure->supernodes && !p->failed; k++)
            put_supernode(p, structure, k);
        empty(p, Z_FINISH);
        deflateEnd(&p->stream);
    }
    if (p->failed) {
        free(p->out);
        free(p);
        return NULL;
    }
    put_header(p->out, structure, p->length);
    *length = p->length;
    out = realloc(p->out, p->length);
    out = out ? out : p->out;
    free(p);
    return out;
}

/* ---- reading ---- */

struct unpacker {
    z_stream stream;
    const unsigned char *rest;
    size_t left; /* bytes of `rest` that the stream has not received */
    unsigned char piece[PIECE_BYTES];
    size_t used, filled;
    bool is_broken, is_ended;
};

/* Inflates the next piece, which is empty at the end. */
static void refill(struct unpacker *p)
{
    p->used = p->filled = 0;
    p->stream.next_out = p->piece;
    p->stream.avail_out = PIECE_BYTES;
    while (p->stream.avail_out && !p->is_ended && !p->is_broken) {
        int status;

        if (!p->stream.avail_in && p->left) {
            p->stream.avail_in = (uInt)(p->left < INT_MAX ? p->left : INT_MAX);
            memcpy(&p->stream.next_in, &p->rest, sizeof p->rest); /* not const; only read */
            p->rest += p->stream.avail_in;
            p->left -= p->stream.avail_in;
        }
        status = inflate(&p->stream, Z_NO_FLUSH);
        p->is_ended = status == Z_STREAM_END;
        p->is_broken = status != Z_OK && status != Z_STREAM_END;
    }
    p->filled = PIECE_BYTES - p->stream.avail_out;
}

/* Reads a number from `least` to `most`; sets is_broken if there is none. */
static int64_t get(struct unpacker *p, int64_t least, int64_t most)
{
    uint64_t value = 0;

    for (int shift = 0; shift < 63 && !p->is_broken; shift += 7) {
        unsigned char byte;

        if (p->used == p->filled)
            refill(p);
        if (p->used == p->filled)
            break;
        byte = p->piece[p->used++];
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128 && (int64_t)value >= least && (int64_t)value <= most)
            return (int64_t)value;
        if (byte < 128)
            break;
    }
    p->is_broken = true;
    return least;
}

/* Both return the index of the first block of the next supernode. */
static int64_t get_l_blocks(struct unpacker *p, struct sparse_structure *s, int32_t k, int64_t at)
{
    int64_t blocks = get(p, 0, s->l_at[s->supernodes] - at);
    int32_t before = k;

    for (; blocks > 0 && !p->is_broken; blocks--, at++) {
        s->l[at].i = before = (int32_t)(before + get(p, 1, s->supernodes - 1 - before));
        s->l[at].rows = (int32_t)get(p, 1, SPARSE_MAX_WIDTH);
    }
    return at;
}

static int64_t get_u_blocks(struct unpacker *p, struct sparse_structure *s, int32_t k, int64_t at)
{
    int64_t blocks = get(p, 0, s->u_at[s->supernodes] - at);
    int32_t before = k;

    for (; blocks > 0 && !p->is_broken; blocks--, at++) {
        struct sparse_u_block *u = &s->u[at];

        u->j = before = (int32_t)(before + get(p, 1, s->supernodes - 1 - before));
        u->cols = (int32_t)get(p, 1, SPARSE_MAX_WIDTH);
        u->max = (int32_t)get(p, 1, SPARSE_MAX_WIDTH);
        u->sum = (int32_t)(u->cols * u->max - get(p, 0, u->cols * (u->max - 1)));
        u->sumsq = (int64_t)u->sum * u->max - get(p, 0, (int64_t)u->sum * u->max);
    }
    return at;
}

/* Decodes into a structure with known counts; false if the bytes do not match them. */
static bool unpack(struct sparse_structure *s, const unsigned char *bytes, size_t length)
{
    struct unpacker *p = calloc(1, sizeof *p);
    int64_t l = 0, u = 0;
    bool is_sound;

    if (!p || inflateInit(&p->stream) != Z_OK) {
        free(p);
        return false;
    }
    p->rest = bytes;
    p->left = length;
    for (int32_t k = 0; k < s->supernodes && !p->is_broken; k++) {
        s->width[k] = (int32_t)get(p, 1, SPARSE_MAX_WIDTH);
        s->l_at[k] = l;
        s->u_at[k] = u;
        l = get_l_blocks(p, s, k, l);
        u = get_u_blocks(p, s, k, u);
    }
    if (!p->is_broken && p->used == p->filled && !p->is_ended)
        refill(p);
    is_sound =
        !p->is_broken && p->is_ended && p->used == p->filled && !p->left && !p->stream.avail_in;
    inflateEnd(&p->stream);
    free(p);
    return is_sound;
}

/* Refuses counts that cannot fit into the bytes before memory is allocated. */
static bool is_possible(uint64_t supernodes, uint64_t l_blocks, uint64_t u_blocks, size_t length)
{
    return supernodes <= SPARSE_MAX_SUPERNODES && l_blocks <= SPARSE_MAX_BLOCKS &&
           u_blocks <= SPARSE_MAX_BLOCKS &&
           SUPERNODE_LEAST * supernodes + L_BLOCK_LEAST * l_blocks + U_BLOCK_LEAST * u_blocks <=
               DEFLATE_MOST * (uint64_t)length;
}

struct sparse_structure *fr_blocks_read(const unsigned char *bytes, size_t length,
                                        struct fr_faults *faults)
{
    uint64_t order, supernodes, l_blocks, u_blocks;
    struct sparse_structure *s;

    if (length < HEADER_BYTES || memcmp(bytes, magic, sizeof magic) != 0) {
        fr_fault(faults, FR_SYNTAX, "/", "%zu bytes that are not a block structure", length);
        return NULL;
    }
    if (fr_get_whole(bytes + 4, 4) != VERSION) {
        fr_fault(faults, FR_SYNTAX, "/",
                 "version %u of block structures; only version %d is supported",
                 (unsigned)fr_get_whole(bytes + 4, 4), VERSION);
        return NULL;
    }
    order = fr_get_whole(bytes + ORDER_AT, 8);
    supernodes = fr_get_whole(bytes + SUPERNODES_AT, 8);
    l_blocks = fr_get_whole(bytes + L_BLOCKS_AT, 8);
    u_blocks = fr_get_whole(bytes + U_BLOCKS_AT, 8);
    if (fr_get_whole(bytes + CHECKSUM_AT, 4) != checksum(bytes, length) ||
        !is_possible(supernodes, l_blocks, u_blocks, length) || order > INT64_MAX) {
        fr_fault(faults, FR_SYNTAX, "/", "the block structure is damaged or truncated");
        return NULL;
    }
    s = sparse_structure_new((int64_t)order, (int64_t)supernodes, (int64_t)l_blocks,
                             (int64_t)u_blocks, faults);
    if (!s)
        return NULL;
    if (!unpack(s, bytes + HEADER_BYTES, length - HEADER_BYTES)) {
        fr_fault(faults, FR_SYNTAX, "/", "the block structure does not match its counts");
        sparse_structure_free(s);
        return NULL;
    }
    if (sparse_structure_check(s, FR_BLOCKS_MOST_UPDATES, faults) != FR_OK) {
        sparse_structure_free(s);
        return NULL;
    }
    return s;
}
