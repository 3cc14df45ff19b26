/* The encoding of permutations: round trips and refusals. */
#include "server/matrices/files/matrix.h"
#include "tests/unit/support/check.h"

#include <stdlib.h>
#include <string.h>

static int32_t place[] = { 2, 0, 4, 1, 3 }, row_to[] = { 1, 0, 2, 4, 3 },
               twice[] = { 0, 1, 1, 2, 3 }, outside[] = { 0, 1, 2, 3, 5 };

static unsigned char *written(int32_t *columns, int32_t *rows, size_t *length)
{
    unsigned char *bytes =
        fr_permutations_write(&(struct fr_permutations){ 5, 0.125, columns, rows }, length);

    assert_non_null(bytes);
    assert_true(*length <= fr_permutations_most_bytes(5));
    return bytes;
}

static bool is_read(const unsigned char *bytes, size_t length, int64_t n)
{
    struct fr_permutations read = { 0 };
    struct fr_faults faults = { 0 };
    const int code = fr_permutations_read(bytes, length, n, &read, &faults);

    assert_int_equal(faults.count, code != FR_OK);
    fr_permutations_free(&read);
    return code == FR_OK;
}

TEST(they_come_back)
{
    struct fr_permutations read;
    struct fr_faults faults = { 0 };
    unsigned char *bytes;
    size_t length;

    bytes = written(place, row_to, &length);
    assert_int_equal(fr_permutations_read(bytes, length, 5, &read, &faults), FR_OK);
    assert_memory_equal(read.place, place, sizeof place);
    assert_memory_equal(read.row_to, row_to, sizeof row_to);
    assert_close(read.ordering_s, 0.125, 0);
    fr_permutations_free(&read);
    free(bytes);
    bytes = written(place, NULL, &length);
    assert_int_equal(fr_permutations_read(bytes, length, 5, &read, &faults), FR_OK);
    assert_null(read.row_to);
    fr_permutations_free(&read);
    free(bytes);
}

TEST(what_is_no_permutation_is_refused)
{
    int32_t *const wrong[] = { twice, outside };
    size_t length;

    for (size_t i = 0; i < 2; i++) {
        unsigned char *columns = written(wrong[i], row_to, &length);

        assert_false(is_read(columns, length, 5));
        free(columns);
        columns = written(place, wrong[i], &length);
        assert_false(is_read(columns, length, 5));
        free(columns);
    }
}

TEST(every_change_and_every_cut_is_noticed)
{
    size_t length;
    unsigned char *bytes = written(place, row_to, &length);

    assert_true(is_read(bytes, length, 5));
    assert_false(is_read(bytes, length, 4));
    for (size_t cut = 0; cut < length; cut++)
        assert_false(is_read(bytes, cut, 5));
    for (size_t bit = 0; bit < 8 * length; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        assert_false(is_read(bytes, length, 5));
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    free(bytes);
}
