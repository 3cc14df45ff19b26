/* Spooled uploads: hashed and packed whatever they are, and never left behind. */
#include "server/core/process.h"
#include "server/http/call.h"
#include "tests/unit/support/check.h"

#include <dirent.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

struct bytes {
    unsigned char *at;
    size_t length;
};

/* Text that packs neither well nor badly, longer than every buffer on the way. */
static struct bytes some_text(size_t length)
{
    struct bytes text = { .at = malloc(length + 1), .length = length };
    uint32_t seed = 7;

    assert_non_null(text.at);
    for (size_t i = 0; i < length; i++) {
        seed = seed * 1664525 + 1013904223;
        text.at[i] = "0123456789 .\n-e+"[seed >> 28];
    }
    return text;
}

static struct bytes gzipped(const unsigned char *text, size_t length)
{
    struct bytes out = { .length = compressBound(length) + 64 };
    z_stream z = { .avail_in = (unsigned)length };

    out.at = malloc(out.length);
    z.next_in = (Bytef *)(uintptr_t)text;
    z.next_out = out.at;
    z.avail_out = (unsigned)out.length;
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    out.length = z.total_out;
    deflateEnd(&z);
    return out;
}

static int spooled(const void *bytes, size_t length)
{
    const int file = fr_spool_open("/tmp/forerun.db");

    assert_true(file >= 0);
    assert_int_equal(fr_spool_write(file, bytes, length), 0);
    return file;
}

static void id_of(const unsigned char *text, size_t length, char id[17])
{
    unsigned char hash[crypto_hash_sha256_BYTES];

    crypto_hash_sha256(hash, text, length);
    sodium_bin2hex(id, 17, hash, 8);
}

/* What the file holds, unpacked. */
static void assert_unpacks_to(int file, const struct bytes *text)
{
    unsigned char *back = malloc(text->length + 1);
    gzFile unpacked;

    lseek(file, 0, SEEK_SET);
    unpacked = gzdopen(dup(file), "rb");
    assert_int_equal(gzread(unpacked, back, (unsigned)text->length + 1), text->length);
    assert_memory_equal(back, text->at, text->length);
    gzclose(unpacked);
    free(back);
}

TEST(plain_and_packed_are_the_same_matrix)
{
    struct bytes text = some_text(300000), packed = gzipped(text.at, text.length);
    const int plain_file = spooled(text.at, text.length);
    const int packed_file = spooled(packed.at, packed.length);
    struct fr_faults faults = { 0 };
    struct fr_packed plain, same;
    char id[17];

    id_of(text.at, text.length, id);
    assert_int_equal(fr_spool_pack(plain_file, "/tmp/forerun.db", 300000, &plain, &faults), FR_OK);
    assert_int_equal(fr_spool_pack(packed_file, "/tmp/forerun.db", 300000, &same, &faults), FR_OK);
    assert_string_equal(plain.id, id);
    assert_string_equal(same.id, id);
    assert_int_equal(plain.bytes, 300000);
    assert_int_equal(same.bytes, 300000);
    assert_int_not_equal(plain.file, plain_file);
    assert_int_equal(same.file, packed_file);
    assert_int_equal(same.length, packed.length);
    assert_int_equal(lseek(plain.file, 0, SEEK_END), plain.length);
    assert_unpacks_to(plain.file, &text);
    close(plain.file);
    close(plain_file);
    close(packed_file);
    free(text.at);
    free(packed.at);
}

TEST(members_of_gzip_may_be_strung_together_anywhere)
{
    struct bytes text = some_text(200000);
    static const size_t cuts[] = { 1, 4095, 65536, 131072, 199999 };
    char id[17];

    id_of(text.at, text.length, id);
    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++) {
        struct bytes first = gzipped(text.at, cuts[i]);
        struct bytes second = gzipped(text.at + cuts[i], text.length - cuts[i]);
        const int file = spooled(first.at, first.length);
        struct fr_faults faults = { 0 };
        struct fr_packed packed;

        assert_int_equal(fr_spool_write(file, second.at, second.length), 0);
        assert_int_equal(fr_spool_pack(file, "/tmp/forerun.db", 1 << 20, &packed, &faults), FR_OK);
        assert_string_equal(packed.id, id);
        close(file);
        free(first.at);
        free(second.at);
    }
    free(text.at);
}

/* As tapes do, and as gzip(1) takes it; more than a piece of them. */
TEST(zeros_behind_gzip_are_passed_over)
{
    static const size_t counts[] = { 1, 512, 300000 };
    struct bytes text = some_text(200000), packed = gzipped(text.at, text.length);
    char id[17];

    id_of(text.at, text.length, id);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        unsigned char *zeros = calloc(counts[i], 1);
        const int file = spooled(packed.at, packed.length);
        struct fr_faults faults = { 0 };
        struct fr_packed out;

        assert_int_equal(fr_spool_write(file, zeros, counts[i]), 0);
        assert_int_equal(fr_spool_pack(file, "/tmp/forerun.db", 1 << 20, &out, &faults), FR_OK);
        assert_string_equal(out.id, id);
        assert_int_equal(out.bytes, 200000);
        assert_int_equal(fr_spool_write(file, packed.at, packed.length), 0);
        assert_int_equal(fr_spool_pack(file, "/tmp/forerun.db", 1 << 20, &out, &faults), FR_SYNTAX);
        close(file);
        free(zeros);
    }
    free(text.at);
    free(packed.at);
}

static void assert_refused(const void *bytes, size_t length, int64_t limit, int code)
{
    const int file = spooled(bytes, length);
    struct fr_faults faults = { 0 };
    struct fr_packed packed;

    assert_int_equal(fr_spool_pack(file, "/tmp/forerun.db", limit, &packed, &faults), code);
    assert_int_equal(faults.count, 1);
    assert_string_equal(faults.fault[0].where, "/");
    close(file);
}

TEST(what_is_cut_or_broken_or_too_large_is_refused)
{
    struct bytes text = some_text(100000), packed = gzipped(text.at, text.length);

    assert_refused(text.at, text.length, 99999, FR_NOMEM);
    assert_refused(packed.at, packed.length, 99999, FR_NOMEM);
    for (size_t cut = 2; cut < packed.length; cut += packed.length / 50 + 1)
        assert_refused(packed.at, cut, 1 << 20, FR_SYNTAX);
    assert_refused(packed.at, packed.length - 1, 1 << 20, FR_SYNTAX);
    packed.at[packed.length / 2] ^= 0x55;
    assert_refused(packed.at, packed.length, 1 << 20, FR_SYNTAX);
    packed.at[packed.length / 2] ^= 0x55;
    packed.at = realloc(packed.at, packed.length + 7);
    memcpy(packed.at + packed.length, "garbage", 7);
    assert_refused(packed.at, packed.length + 7, 1 << 20, FR_SYNTAX);
    free(text.at);
    free(packed.at);
}

static size_t files_in(const char *folder)
{
    DIR *dir = opendir(folder);
    size_t count = 0;

    while (readdir(dir))
        count++;
    closedir(dir);
    return count;
}

TEST(a_spool_has_no_name)
{
    char folder[] = "/tmp/test_spool.XXXXXX", database[64];
    size_t before;
    int file;

    assert_non_null(mkdtemp(folder));
    snprintf(database, sizeof database, "%s/forerun.db", folder);
    before = files_in(folder);
    file = fr_spool_open(database);
    assert_true(file >= 0);
    assert_int_equal(files_in(folder), before);
    close(file);
    assert_int_equal(rmdir(folder), 0);
    assert_int_equal(fr_spool_open(database), -1);
}

/* ---- bodies that go into files ------------------------------------------------------------ */

TEST(a_body_goes_into_its_file_as_it_comes)
{
    struct fr_body_budget budget = { .limit_bytes = 100 };
    struct fr_gather gather;
    char got[8];

    fr_gather_begin_file(&gather, "/tmp/forerun.db", 10, false, &budget);
    fr_gather_take(&gather, "12", 2);
    fr_gather_take(&gather, "34567890", 8);
    fr_gather_end(&gather);
    assert_int_equal(gather.state, FR_GATHER_OK);
    assert_int_equal(gather.length, 10);
    assert_int_equal(budget.held_bytes, 10);
    assert_int_equal(pread(gather.file, got, 8, 2), 8);
    assert_memory_equal(got, "34567890", 8);
    fr_gather_free(&gather);
    assert_int_equal(budget.held_bytes, 0);
}

TEST(a_body_beyond_its_limits_is_given_up)
{
    struct fr_body_budget budget = { .limit_bytes = 15 };
    struct fr_gather first, second;

    fr_gather_begin_file(&first, "/tmp/forerun.db", 10, false, &budget);
    fr_gather_begin_file(&second, "/tmp/forerun.db", 10, false, &budget);
    fr_gather_take(&first, "1234567890", 10);
    fr_gather_take(&second, "123456", 6);
    assert_int_equal(second.state, FR_GATHER_BUSY);
    assert_false(second.has_file);
    assert_int_equal(budget.held_bytes, 10);
    fr_gather_take(&first, "1", 1);
    assert_int_equal(first.state, FR_GATHER_TOO_LARGE);
    assert_false(first.has_file);
    assert_int_equal(budget.held_bytes, 0);
    fr_gather_free(&first);
    fr_gather_free(&second);
    fr_gather_begin_file(&first, "/no/such/folder/forerun.db", 10, false, &budget);
    assert_int_equal(first.state, FR_GATHER_NO_DISK);
    fr_gather_free(&first);
}

TEST(a_body_that_says_gzip_must_be)
{
    struct fr_body_budget budget = { .limit_bytes = 100 };
    struct fr_gather gather;

    fr_gather_begin_file(&gather, "/tmp/forerun.db", 10, true, &budget);
    fr_gather_take(&gather, "%%Matrix", 8);
    fr_gather_end(&gather);
    assert_int_equal(gather.state, FR_GATHER_BAD_GZIP);
    fr_gather_free(&gather);
    fr_gather_begin_file(&gather, "/tmp/forerun.db", 10, true, &budget);
    fr_gather_take(&gather, "\x1f\x8b", 2);
    fr_gather_end(&gather);
    assert_int_equal(gather.state, FR_GATHER_OK);
    fr_gather_free(&gather);
}
