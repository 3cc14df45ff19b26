/* Properties of the reader for all formats: truncated, changed, compressed, oversized and foreign
 * files. */
#include "tests/unit/support/matrix_files.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

#define GENERAL "%%MatrixMarket matrix coordinate real general\n"

/* Fields of fixed width show where the last one is cut. */
static const struct {
    const char *name;
    bool has_fixed_width; /* in its last line */
} samples[] = {
    { "general.mtx", false },   { "skew.mtx", false },    { "hermitian.mtx", false },
    { "symmetric.mtx", false }, { "general.rua", false }, { "packed.rua", true },
    { "nested.rsa", true },     { "symmetric.rb", true }, { "hermitian.rb", true },
    { "integer.rb", true },
};
enum { SAMPLES = sizeof samples / sizeof samples[0] };

TEST(other_kinds_of_files_are_called_by_their_names)
{
    static const struct {
        const char *bytes, *words;
        size_t length;
    } cases[] = {
        { "PK\x03\x04zip", "a zip archive", 7 },
        { "BZh91AY", "bzip2", 7 },
        { "\xfd\x37zXZ\0\0", "packed by xz", 7 },
        { "\x28\xb5\x2f\xfd.", "zstd", 5 },
        { "\x89HDF\r\n", "HDF5", 6 },
        { "MATLAB 5.0 MAT-file", "a MATLAB file", 19 },
        { "\xef\xbb\xbf%%MatrixMarket", "byte order mark", 17 },
    };
    char tar[512] = "west0479/west0479.mtx";
    struct fr_faults faults;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        faults = matrix_refused(cases[i].bytes, cases[i].length);
        assert_fault(&faults, FR_SYNTAX, "/", cases[i].words);
    }
    memcpy(tar + 257, "ustar", 5);
    faults = matrix_refused(tar, sizeof tar);
    assert_fault(&faults, FR_SYNTAX, "/", "a tar archive");
    faults = matrix_refused("", 0);
    assert_fault(&faults, FR_MISSING, "/", "the file is empty");
}

TEST(a_long_line_is_refused_and_the_longest_is_taken)
{
    char text[4300] = GENERAL "%";
    const size_t begin = strlen(GENERAL);
    struct fr_faults faults;

    memset(text + begin, '%', 4096);
    strcpy(text + begin + 4096, "\n1 1 1\n1 1 1\n");
    fr_matrix_free(matrix_of_text(text));
    strcpy(text + begin + 4096, "%\n1 1 1\n1 1 1\n");
    faults = text_refused(text);
    assert_int_equal(faults.count, 1);
    assert_fault(&faults, FR_NOMEM, "/line/2", "longer than 4096 bytes");
}

/* ---- bytes ---- */

TEST(a_file_cut_anywhere_is_refused)
{
    for (size_t i = 0; i < SAMPLES; i++) {
        size_t length, packed_length;
        char *text = matrix_file(samples[i].name, &length);
        char *gzip = packed(text, length, &packed_length);

        check_cuts(text, length, samples[i].has_fixed_width ? MATRIX_FIXED : MATRIX_FREE);
        check_cuts(gzip, packed_length, MATRIX_CHECKED);
        free(text);
        free(gzip);
    }
}

TEST(a_file_changed_at_random_is_refused_or_what_it_then_is)
{
    for (size_t i = 0; i < SAMPLES; i++) {
        size_t length, packed_length;
        char *text = matrix_file(samples[i].name, &length);
        char *gzip = packed(text, length, &packed_length);

        check_changes(text, length, 4000, i);
        check_changes(gzip, packed_length, 1000, i);
        free(text);
        free(gzip);
    }
}

TEST(gzip_is_unpacked_also_in_several_parts)
{
    size_t length, first_length, second_length;
    char *text = matrix_file("general.mtx", &length);
    char *first = packed(text, 100, &first_length);
    char *second = packed(text + 100, length - 100, &second_length);
    char *both = malloc(first_length + second_length + 1);
    struct fr_faults faults;

    assert_non_null(both);
    memcpy(both, first, first_length);
    memcpy(both + first_length, second, second_length);
    check_five(matrix_of(both, first_length + second_length));
    both[first_length + second_length] = 'x';
    faults = matrix_refused(both, first_length + second_length + 1);
    assert_int_equal(faults.count, 1);
    assert_true(strstr(faults.fault[0].message, "gzip data"));
    both[first_length + second_length - 6] ^= 1; /* the checksum */
    faults = matrix_refused(both, first_length + second_length);
    assert_true(strstr(faults.fault[0].message, "damaged"));
    free(second);
    second = packed(first, first_length, &second_length);
    faults = matrix_refused(second, second_length);
    assert_fault(&faults, FR_SYNTAX, "/", "packed by gzip twice");
    free(text);
    free(first);
    free(second);
    free(both);
}

TEST(zeros_behind_gzip_are_passed_over)
{
    static const size_t counts[] = { 1, 100, 600000 }; /* more than a buffer */
    size_t length, packed_length;
    char *text = matrix_file("general.mtx", &length);
    char *gzip = packed(text, length, &packed_length);

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        char *padded = calloc(packed_length + counts[i] + 1, 1);
        struct fr_faults faults;

        assert_non_null(padded);
        memcpy(padded, gzip, packed_length);
        check_five(matrix_of(padded, packed_length + counts[i]));
        padded[packed_length + counts[i]] = '\x1f';
        faults = matrix_refused(padded, packed_length + counts[i] + 1);
        assert_int_equal(faults.count, 1);
        assert_true(strstr(faults.fault[0].message, "gzip data are damaged"));
        free(padded);
    }
    free(text);
    free(gzip);
}

/* A checksum tells that nothing is missing. */
TEST(a_last_line_without_an_end_is_taken_from_gzip)
{
    size_t length, packed_length;
    char *text = matrix_file("general.mtx", &length);
    char *gzip = packed(text, length - 1, &packed_length);

    check_five(matrix_of(gzip, packed_length));
    free(text);
    free(gzip);
}

TEST(bytes_may_come_one_by_one)
{
    size_t length, packed_length;
    char *text = matrix_file("general.mtx", &length);
    char *gzip = packed(text, length, &packed_length);
    struct giving giving = given(text, length);
    struct fr_faults faults;

    giving.chunk = 1;
    check_five(read_given(&giving, &faults));
    giving.text = gzip;
    giving.length = packed_length;
    check_five(read_given(&giving, &faults));
    giving.fails = true;
    assert_null(read_given(&giving, &faults));
    assert_true(strstr(faults.fault[0].message, "cannot be read to its end"));
    assert_int_equal(faults.count, 1);
    free(text);
    free(gzip);
}

/* ---- limits ---- */

TEST(limits_hold)
{
    size_t length, packed_length;
    char *text = matrix_file("hermitian.mtx", &length);
    char *gzip = packed(text, length, &packed_length);
    struct giving giving = given(text, length);
    struct fr_faults faults;

    giving.limits = (struct fr_matrix_limits){ .n = 3, .nnz = 7, .bytes = (int64_t)length };
    fr_matrix_free(read_given(&giving, &faults));
    assert_int_equal(faults.count, 0);
    giving.limits.n = 2;
    assert_null(read_given(&giving, &faults));
    assert_fault(&faults, FR_NOMEM, "/line/2", "order 3; at most 2");
    giving.limits.n = 3;
    giving.limits.nnz = 6;
    assert_null(read_given(&giving, &faults));
    assert_fault(&faults, FR_NOMEM, "/line/2", "at most 6");
    giving.limits.nnz = 7;
    giving.limits.bytes--;
    assert_null(read_given(&giving, &faults));
    assert_int_equal(faults.count, 1);
    assert_fault(&faults, FR_NOMEM, "/", "bytes, the limit");
    giving.text = gzip;
    giving.length = packed_length;
    assert_null(read_given(&giving, &faults));
    assert_int_equal(faults.count, 1);
    assert_true(strstr(faults.fault[0].message, "bytes, the limit"));
    giving.limits.bytes++;
    fr_matrix_free(read_given(&giving, &faults));
    assert_int_equal(faults.count, 0);
    free(text);
    free(gzip);
}

/* What is allocated once all bytes have been given. */
struct claim {
    const char *text;
    size_t allocated;
};

static long give_claim(void *context, char *out, size_t size)
{
    struct claim *claim = context;
    const struct mallinfo2 heap = mallinfo2();
    const size_t length = strlen(claim->text);

    assert_true(length <= size);
    claim->allocated = heap.uordblks + heap.hblkhd;
    memcpy(out, claim->text, length);
    claim->text += length;
    return (long)length;
}

TEST(memory_is_not_taken_for_what_a_header_claims)
{
    static const char *const texts[] = {
        GENERAL "9999999 9999999 99999999\n1 1 1\n",
        "title\n      43333333       5000000       5000000      33333333\n"
        "RUA                  9999999       9999999      99999999             0\n"
        "(2I10)          (20I4)          (3E20.10)\n         1         2\n",
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const struct mallinfo2 heap = mallinfo2();
        struct claim claim = { .text = texts[i] };
        struct fr_faults faults;

        faults.count = 0;
        assert_null(fr_matrix_read(give_claim, &claim, &fr_matrix_usual_limits, &faults));
        assert_true(claim.allocated < heap.uordblks + heap.hblkhd + 2000000);
        assert_true(strstr(faults.fault[0].message, "the file ends where"));
    }
}
