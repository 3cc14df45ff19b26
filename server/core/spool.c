#include "server/core/config.h"
#include "server/core/process.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { PIECE_BYTES = 64 * 1024, GZIP = 15 + 16, PATH_BYTES = 1200 };

/* For file systems without O_TMPFILE. */
static int open_named(const char *folder)
{
    char path[PATH_BYTES];
    int file;

    snprintf(path, sizeof path, "%s/.forerun-XXXXXX", folder);
    file = mkostemp(path, O_CLOEXEC);
    if (file >= 0)
        unlink(path);
    return file;
}

int fr_spool_open(const char *database)
{
    const char *slash = strrchr(database, '/');
    char folder[PATH_BYTES] = ".";
    int file;

    if (fr_config_is_url(database))
        snprintf(folder, sizeof folder, "%s", getenv("TMPDIR") ? getenv("TMPDIR") : "/var/tmp");
    else if (slash)
        snprintf(folder, sizeof folder, "%.*s", slash == database ? 1 : (int)(slash - database),
                 database);
    file = open(folder, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
    return file < 0 && (errno == EOPNOTSUPP || errno == EISDIR) ? open_named(folder) : file;
}

int fr_spool_write(int file, const void *bytes, size_t length)
{
    const char *at = bytes;

    while (length) {
        const ssize_t written = write(file, at, length);

        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return errno;
        at += written;
        length -= (size_t)written;
    }
    return 0;
}

long fr_spool_read(void *context, char *out, size_t size)
{
    struct fr_spool_reader *reader = context;
    ssize_t got;

    do
        got = pread(reader->file, out, size, reader->at);
    while (got < 0 && errno == EINTR);
    if (got > 0)
        reader->at += got;
    return got;
}

/* ---- hashing and packing ------------------------------------------------------------------ */

/* A pass over an upload. */
struct pass {
    struct fr_spool_reader in;
    crypto_hash_sha256_state hash;
    z_stream z;
    int64_t bytes, limit; /* plain */
    int out;
    int64_t written;
    bool has_zeros; /* after the last member of gzip */
    struct fr_faults *faults;
};

static int refuse(struct pass *pass, enum fr_code code, const char *message)
{
    return fr_fault(pass->faults, code, "/", "%s", message);
}

static int refuse_gzip(struct pass *pass)
{
    return refuse(pass, FR_SYNTAX, "not a valid gzip stream; pack the file again");
}

static int take_plain(struct pass *pass, const unsigned char *bytes, size_t length)
{
    pass->bytes += (int64_t)length;
    if (pass->bytes > pass->limit)
        return fr_fault(pass->faults, FR_NOMEM, "/",
                        "more than %" PRId64 " bytes, decompressed; the most that is taken",
                        pass->limit);
    crypto_hash_sha256_update(&pass->hash, bytes, length);
    return FR_OK;
}

/* After the last member: tapes and some programs pad with zeros, which gzip(1) skips too.  False if
 * anything else follows. */
static bool pass_zeros(struct pass *pass)
{
    for (; pass->z.avail_in && !*pass->z.next_in; pass->z.avail_in--, pass->z.next_in++)
        pass->has_zeros = true;
    return !pass->has_zeros || !pass->z.avail_in;
}

/* Inflates the rest of a piece of gzip; *is_open says whether a member is incomplete. */
static int unpack_piece(struct pass *pass, bool *is_open)
{
    unsigned char plain[PIECE_BYTES];
    int code = FR_OK;

    while (code == FR_OK && (pass->z.avail_in || pass->z.avail_out == 0)) {
        int result;

        if (!*is_open && !pass_zeros(pass))
            return refuse_gzip(pass);
        if (!*is_open && !pass->z.avail_in)
            break;
        if (!*is_open) /* files may be concatenated */
            inflateReset(&pass->z);
        *is_open = true;
        pass->z.next_out = plain;
        pass->z.avail_out = sizeof plain;
        result = inflate(&pass->z, Z_NO_FLUSH);
        if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
            return refuse_gzip(pass);
        code = take_plain(pass, plain, sizeof plain - pass->z.avail_out);
        *is_open = result != Z_STREAM_END;
    }
    return code;
}

static int unpack(struct pass *pass)
{
    unsigned char piece[PIECE_BYTES];
    bool is_open = true;
    int code = FR_OK;
    long got = 0;

    if (inflateInit2(&pass->z, GZIP) != Z_OK)
        return refuse(pass, FR_NOMEM, "no memory to unpack it");
    while (code == FR_OK && (got = fr_spool_read(&pass->in, (char *)piece, sizeof piece)) > 0) {
        pass->z.next_in = piece;
        pass->z.avail_in = (unsigned)got;
        pass->z.avail_out = 1;
        code = unpack_piece(pass, &is_open);
    }
    inflateEnd(&pass->z);
    if (code == FR_OK && got < 0)
        return FR_NOT_FOUND;
    if (code == FR_OK && is_open)
        return refuse(pass, FR_SYNTAX, "the gzip stream is cut; send the whole file");
    return code;
}

static int pack_piece(struct pass *pass, int flush)
{
    unsigned char packed[PIECE_BYTES];

    do {
        int error;

        pass->z.next_out = packed;
        pass->z.avail_out = sizeof packed;
        deflate(&pass->z, flush);
        error = fr_spool_write(pass->out, packed, sizeof packed - pass->z.avail_out);
        if (error) {
            errno = error;
            return FR_NOT_FOUND;
        }
        pass->written += (int64_t)(sizeof packed - pass->z.avail_out);
    } while (pass->z.avail_out == 0);
    return FR_OK;
}

static int pack(struct pass *pass)
{
    unsigned char piece[PIECE_BYTES];
    int code = FR_OK;
    long got = 0;

    if (deflateInit2(&pass->z, Z_BEST_SPEED, Z_DEFLATED, GZIP, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return refuse(pass, FR_NOMEM, "no memory to pack it");
    while (code == FR_OK && (got = fr_spool_read(&pass->in, (char *)piece, sizeof piece)) > 0) {
        code = take_plain(pass, piece, (size_t)got);
        pass->z.next_in = piece;
        pass->z.avail_in = (unsigned)got;
        if (code == FR_OK)
            code = pack_piece(pass, Z_NO_FLUSH);
    }
    if (code == FR_OK)
        code = got < 0 ? FR_NOT_FOUND : pack_piece(pass, Z_FINISH);
    deflateEnd(&pass->z);
    return code;
}

static bool is_gzip(int file)
{
    unsigned char magic[2];

    return pread(file, magic, sizeof magic, 0) == sizeof magic && magic[0] == 0x1f &&
           magic[1] == 0x8b;
}

static void write_id(struct pass *pass, char id[17])
{
    unsigned char hash[crypto_hash_sha256_BYTES];

    crypto_hash_sha256_final(&pass->hash, hash);
    sodium_bin2hex(id, 17, hash, 8);
}

int fr_spool_pack(int spool, const char *database, int64_t limit_bytes, struct fr_packed *out,
                  struct fr_faults *faults)
{
    struct pass pass = {
        .in = { .file = spool }, .limit = limit_bytes, .out = spool, .faults = faults
    };
    const bool is_packed = is_gzip(spool);
    int code;

    crypto_hash_sha256_init(&pass.hash);
    if (!is_packed)
        pass.out = fr_spool_open(database);
    if (pass.out < 0)
        return FR_NOT_FOUND;
    code = is_packed ? unpack(&pass) : pack(&pass);
    if (code != FR_OK) {
        const int error = errno;

        if (!is_packed)
            close(pass.out);
        errno = error;
        return code;
    }
    *out = (struct fr_packed){ .bytes = pass.bytes, .file = pass.out };
    out->length = is_packed ? pass.in.at : pass.written;
    write_id(&pass, out->id);
    return FR_OK;
}
