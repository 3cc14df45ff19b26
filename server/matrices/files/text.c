/* Lines are slices of one buffer of uncompressed bytes.  An incomplete line at the end of the
 * buffer is moved to its front before more is read. */
#include "server/matrices/files/reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    BUFFER_BYTES = 32 * 1024,
    PACKED_BYTES = BUFFER_BYTES, /* holds what was read before gzip was recognized */
    BEGIN_BYTES = 512,           /* bytes 257 to 261 identify a tar archive */
    GZIP_WINDOW = 15 + 16,
};

struct fr_matrix_text {
    fr_read_bytes *read;
    void *context;
    struct fr_faults *faults;
    int64_t left_bytes, limit_bytes, line;
    size_t at, end; /* the unread part of the buffer */
    bool is_gzip, is_member_open, has_zeros, is_at_end, is_broken;
    z_stream z;
    char buffer[BUFFER_BYTES];
    unsigned char packed[PACKED_BYTES];
};

static bool give_up(struct fr_matrix_text *text, enum fr_code code, const char *message)
{
    char where[40] = "/";

    if (text->line)
        snprintf(where, sizeof where, "/line/%" PRId64, text->line + 1);
    fr_fault(text->faults, code, where, "%s", message);
    text->is_broken = text->is_at_end = true;
    return false;
}

/* Reads bytes and returns their number; 0 at the end, or with a fault on failure. */
static size_t read_some(struct fr_matrix_text *text, void *out, size_t size)
{
    const long got = text->is_at_end ? 0 : text->read(text->context, out, size);

    if (got < 0)
        give_up(text, FR_SYNTAX, "the file cannot be read to its end; send it again");
    else if (!got)
        text->is_at_end = true;
    return got > 0 ? (size_t)got : 0;
}

static void give_up_gzip(struct fr_matrix_text *text)
{
    give_up(text, FR_SYNTAX, "the gzip data are damaged; send the file again");
}

/* Starts the next member of a gzip file if there is one; zeros may follow the last member. */
static bool begin_member(struct fr_matrix_text *text)
{
    z_stream *z = &text->z;

    for (; z->avail_in && !*z->next_in; z->avail_in--, z->next_in++)
        text->has_zeros = true;
    if (!z->avail_in)
        return false;
    if (text->has_zeros)
        give_up_gzip(text);
    text->is_member_open = !text->has_zeros;
    inflateReset(z);
    return text->is_member_open;
}

static size_t inflate_some(struct fr_matrix_text *text, void *out, size_t size)
{
    z_stream *z = &text->z;

    z->next_out = out;
    z->avail_out = (uInt)size;
    while (z->avail_out == size && !text->is_at_end) {
        int result;

        if (!z->avail_in) {
            z->next_in = text->packed;
            z->avail_in = (uInt)read_some(text, text->packed, sizeof text->packed);
        }
        if (!z->avail_in) {
            if (text->is_member_open && !text->is_broken)
                give_up(text, FR_SYNTAX,
                        "the gzip data end too early: the file is cut; send it "
                        "again");
            break;
        }
        if (!text->is_member_open && !begin_member(text))
            continue;
        result = inflate(z, Z_NO_FLUSH);
        if (result == Z_STREAM_END)
            text->is_member_open = false;
        else if (result == Z_MEM_ERROR)
            give_up(text, FR_NOMEM, "no memory to unpack the file");
        else if (result != Z_OK && result != Z_BUF_ERROR)
            give_up_gzip(text);
    }
    return size - z->avail_out;
}

/* Appends to the buffer; false if nothing more comes. */
static bool fill(struct fr_matrix_text *text)
{
    size_t got;

    if (text->at) {
        memmove(text->buffer, text->buffer + text->at, text->end - text->at);
        text->end -= text->at;
        text->at = 0;
    }
    got = (text->is_gzip ? inflate_some : read_some)(text, text->buffer + text->end,
                                                     sizeof text->buffer - text->end);
    text->end += got;
    text->left_bytes -= (int64_t)got;
    if (text->left_bytes < 0) {
        char message[120];

        snprintf(message, sizeof message, "the file has more than %" PRId64 " bytes, the limit",
                 text->limit_bytes);
        return give_up(text, FR_NOMEM, message);
    }
    return got > 0;
}

static void fill_to(struct fr_matrix_text *text, size_t length)
{
    while (text->end < length && fill(text))
        ;
}

/* Starts inflating with the bytes that are already in the buffer. */
static bool begin_gzip(struct fr_matrix_text *text)
{
    memcpy(text->packed, text->buffer, text->end);
    text->z.next_in = text->packed;
    text->z.avail_in = (uInt)text->end;
    text->end = 0;
    text->left_bytes = text->limit_bytes;
    if (inflateInit2(&text->z, GZIP_WINDOW) != Z_OK)
        return give_up(text, FR_NOMEM, "no memory to unpack the file");
    text->is_gzip = text->is_member_open = true;
    return true;
}

struct fr_matrix_text *fr_matrix_text_new(fr_read_bytes *read, void *context, int64_t limit_bytes,
                                          struct fr_faults *faults)
{
    struct fr_matrix_text *text = malloc(sizeof *text);

    if (!text) {
        fr_fault(faults, FR_NOMEM, "/", "no memory to read the file");
        return NULL;
    }
    memset(text, 0, offsetof(struct fr_matrix_text, buffer));
    text->read = read;
    text->context = context;
    text->faults = faults;
    text->limit_bytes = limit_bytes;
    text->left_bytes = INT64_MAX; /* until the format is known */
    fill_to(text, 2);
    text->left_bytes = limit_bytes - (int64_t)text->end;
    if (text->end >= 2 && memcmp(text->buffer, "\x1f\x8b", 2) == 0 && !text->is_broken)
        begin_gzip(text);
    fill_to(text, BEGIN_BYTES);
    if (!text->is_broken)
        return text;
    fr_matrix_text_free(text);
    return NULL;
}

void fr_matrix_text_free(struct fr_matrix_text *text)
{
    if (text && text->is_gzip)
        inflateEnd(&text->z);
    free(text);
}

const char *fr_matrix_text_begin(struct fr_matrix_text *text, size_t *length)
{
    *length = text->end;
    return text->buffer;
}

bool fr_matrix_text_line(struct fr_matrix_text *text, struct fr_matrix_line *line)
{
    const char *begin, *feed;
    size_t length;

    for (;;) {
        begin = text->buffer + text->at;
        length = text->end - text->at;
        feed = length ? memchr(begin, '\n', length) : NULL;
        if (feed || length > FR_MATRIX_LINE_BYTES || !fill(text))
            break;
    }
    if (text->is_broken || !length)
        return false;
    if (feed)
        length = (size_t)(feed - begin);
    if (length > FR_MATRIX_LINE_BYTES)
        return give_up(text, FR_NOMEM, "the line is longer than 4096 bytes; break it up");
    text->at += length + (feed != NULL);
    text->line++;
    line->is_ended = feed || text->is_gzip;
    line->at = begin;
    line->end = begin + length - (length && begin[length - 1] == '\r');
    return true;
}

int64_t fr_matrix_text_at(const struct fr_matrix_text *text)
{
    return text->line;
}

bool fr_matrix_text_is_broken(const struct fr_matrix_text *text)
{
    return text->is_broken;
}
