#include "tests/unit/support/matrix_files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#include "tests/unit/support/draws.h"
#include "tests/unit/support/text_file.h"

char *matrix_file(const char *name, size_t *length)
{
    return text_file("matrices", name, length);
}

char *packed(const char *text, size_t length, size_t *packed_length)
{
    const size_t room = length + length / 100 + 200;
    char *copy = malloc(length), *out = malloc(room);
    z_stream z = { 0 };

    assert_non_null(copy);
    assert_non_null(out);
    memcpy(copy, text, length);
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (Bytef *)copy;
    z.avail_in = (uInt)length;
    z.next_out = (Bytef *)out;
    z.avail_out = (uInt)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    *packed_length = z.total_out;
    deflateEnd(&z);
    free(copy);
    return out;
}

struct giving given(const char *text, size_t length)
{
    return (struct giving){ .text = text, .length = length, .limits = fr_matrix_usual_limits };
}

static long give(void *context, char *out, size_t size)
{
    struct giving *giving = context;
    size_t count = giving->length < size ? giving->length : size;

    if (giving->chunk && count > giving->chunk)
        count = giving->chunk;
    if (!count)
        return giving->fails ? -1 : 0;
    memcpy(out, giving->text, count);
    giving->text += count;
    giving->length -= count;
    return (long)count;
}

struct fr_matrix *read_given(const struct giving *giving, struct fr_faults *faults)
{
    struct giving left = *giving;

    faults->count = 0;
    return fr_matrix_read(give, &left, &giving->limits, faults);
}

struct fr_matrix *matrix_of(const char *text, size_t length)
{
    const struct giving giving = given(text, length);
    struct fr_faults faults;
    struct fr_matrix *matrix = read_given(&giving, &faults);

    if (!matrix)
        fail_msg("%s: %s", faults.fault[0].where, faults.fault[0].message);
    assert_int_equal(faults.count, 0);
    check_matrix(matrix);
    return matrix;
}

struct fr_matrix *matrix_of_file(const char *name)
{
    size_t length;
    char *text = matrix_file(name, &length);
    struct fr_matrix *matrix = matrix_of(text, length);

    free(text);
    return matrix;
}

struct fr_matrix *matrix_of_text(const char *text)
{
    return matrix_of(text, strlen(text));
}

struct fr_faults matrix_refused(const char *text, size_t length)
{
    const struct giving giving = given(text, length);
    struct fr_faults faults;

    if (read_given(&giving, &faults))
        fail_msg("taken: %.*s", (int)length, text);
    assert_true(faults.count > 0);
    return faults;
}

struct fr_faults text_refused(const char *text)
{
    return matrix_refused(text, strlen(text));
}

void check_matrix(const struct fr_matrix *matrix)
{
    const int64_t *at = matrix->column_at;

    assert_true(matrix->n >= 1 && matrix->entries >= 0 && matrix->nnz >= matrix->entries);
    assert_true(matrix->nnz <= 2 * matrix->entries);
    assert_true(!matrix->value == (matrix->field == FR_MATRIX_PATTERN));
    assert_int_equal(at[0], 0);
    assert_int_equal(at[matrix->n], matrix->nnz);
    for (int64_t j = 0; j < matrix->n; j++) {
        assert_true(at[j] <= at[j + 1]);
        for (int64_t k = at[j]; k < at[j + 1]; k++) {
            assert_true(matrix->row[k] >= 0 && matrix->row[k] < matrix->n);
            assert_true(k == at[j] || matrix->row[k - 1] < matrix->row[k]);
            assert_true(!matrix->value || (isfinite(matrix->value[k]) && matrix->value[k] >= 0));
        }
    }
}

double entry_of(const struct fr_matrix *matrix, int64_t row, int64_t column)
{
    for (int64_t k = matrix->column_at[column - 1]; k < matrix->column_at[column]; k++)
        if (matrix->row[k] == row - 1)
            return matrix->value ? matrix->value[k] : 1;
    return -1;
}

void check_five(struct fr_matrix *matrix)
{
    static const double five[5][5] = {
        { 4, 1, -1, -1, 2 },  { 1, 4, 1, -1, -1 }, { -1, 1, 4, -1, 0 },
        { -1, -1, -1, 0, 1 }, { 3, -1, -1, 1, 4 },
    };

    assert_int_equal(matrix->n, 5);
    assert_int_equal(matrix->entries, 14);
    assert_int_equal(matrix->nnz, 14);
    for (int64_t i = 0; i < 5; i++)
        for (int64_t j = 0; j < 5; j++)
            assert_close(entry_of(matrix, i + 1, j + 1), five[i][j], 0);
    fr_matrix_free(matrix);
}

void check_same(const struct fr_matrix *a, const struct fr_matrix *b)
{
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->nnz, b->nnz);
    assert_int_equal(a->field, b->field);
    assert_memory_equal(a->column_at, b->column_at, (size_t)(a->n + 1) * sizeof *a->column_at);
    assert_memory_equal(a->row, b->row, (size_t)a->nnz * sizeof *a->row);
    if (a->value)
        assert_memory_equal(a->value, b->value, (size_t)a->nnz * sizeof *a->value);
}

/* Every refusal states a position. */
static void check_faults(const struct fr_faults *faults)
{
    assert_true(faults->count > 0);
    for (size_t i = 0; i < fr_faults_kept(faults); i++) {
        const struct fr_fault *fault = &faults->fault[i];

        if (strcmp(fault->where, "/") != 0) {
            assert_int_equal(strncmp(fault->where, "/line/", 6), 0);
            assert_true(atoi(fault->where + 6) >= 1);
        }
        assert_true(*fault->message && strlen(fault->message) < sizeof fault->message - 1);
    }
}

void check_cuts(const char *text, size_t length, enum matrix_end end)
{
    size_t needed = length, sure;

    while (end != MATRIX_CHECKED && needed && strchr(" \r\n", text[needed - 1]))
        needed--;
    sure = needed;
    while (end == MATRIX_FREE && sure && !strchr(" \r\n", text[sure - 1]))
        sure--;
    for (size_t cut = 0; cut < length; cut++) {
        const struct giving giving = given(text, cut);
        struct fr_faults faults;
        struct fr_matrix *matrix = read_given(&giving, &faults);

        if ((cut <= sure || cut >= needed) && !matrix != (cut < needed))
            fail_msg("%s at byte %zu of %zu", matrix ? "taken" : "refused", cut, length);
        if (!matrix)
            check_faults(&faults);
        fr_matrix_free(matrix);
    }
}

static size_t change(char *text, size_t length, uint64_t *random)
{
    static const char bytes[] = { '\0', '\n', '\r', '%', ' ', ' ', '.', 'e',    'D',   '-',
                                  '+',  '(',  ')',  '9', '0', '1', '2', '\x80', '\xff' };
    const int64_t last = (int64_t)length - 1;

    for (int64_t changes = random_between(random, 1, 4); changes; changes--) {
        const size_t at = (size_t)random_between(random, 0, last);
        const size_t from = (size_t)random_between(random, 0, last);
        size_t count = (size_t)random_between(random, 1, 40);

        if (count > length - (at > from ? at : from))
            count = length - (at > from ? at : from);
        if (random_bits(random) % 4 == 0)
            memmove(text + at, text + from, count);
        else
            text[at] = bytes[(size_t)random_between(random, 0, sizeof bytes - 1)];
    }
    return length;
}

void check_changes(const char *text, size_t length, int rounds, uint64_t seed)
{
    char *changed = malloc(length);

    assert_non_null(changed);
    for (int round = 0; round < rounds; round++) {
        struct giving giving;
        struct fr_faults faults;
        struct fr_matrix *matrix;

        memcpy(changed, text, length);
        giving = given(changed, change(changed, length, &seed));
        matrix = read_given(&giving, &faults);
        if (matrix)
            check_matrix(matrix);
        else
            check_faults(&faults);
        fr_matrix_free(matrix);
    }
    free(changed);
}
