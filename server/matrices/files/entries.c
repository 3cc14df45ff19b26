/* Sorts entries into columns with ascending rows.
 *
 * The sort is stable, so that files ordered by columns or by rows need no further sorting.  The
 * column of each entry is replaced by its position in the matrix; then rows and values are moved
 * one array after the other.  This takes at most 24 bytes per entry.
 */
#include "server/matrices/files/reader.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 4096, INSERTION_COUNT = 24 };

static bool refuse_memory(struct fr_reader *reader)
{
    fr_reader_fault(reader, 0, FR_NOMEM, "no memory for %" PRId64 " entries", reader->head.entries);
    return false;
}

static int64_t next_room(int64_t room, int64_t most)
{
    const int64_t next = room ? room + room / 2 : FIRST_ROOM;

    assert(room < most);
    return next < most ? next : most;
}

/* realloc to `room` elements; leaves the array unchanged on failure. */
static bool resize(int32_t **array, int64_t room)
{
    int32_t *resized = realloc(*array, (size_t)room * sizeof *resized);

    if (resized)
        *array = resized;
    return resized != NULL;
}

static bool resize_values(struct fr_entries *entries, int64_t room)
{
    double *resized = realloc(entries->value, (size_t)room * sizeof *resized);

    if (!resized)
        return false;
    entries->value = resized;
    entries->value_room = room;
    return true;
}

bool fr_entries_grow(struct fr_reader *reader)
{
    struct fr_entries *entries = &reader->entries;
    const int64_t room = next_room(entries->room, reader->head.entries);

    if (!resize(&entries->row, room) || !resize(&entries->column, room))
        return refuse_memory(reader);
    entries->room = room;
    return true;
}

bool fr_entries_grow_values(struct fr_reader *reader)
{
    struct fr_entries *entries = &reader->entries;

    return resize_values(entries, next_room(entries->value_room, reader->head.entries)) ||
           refuse_memory(reader);
}

/* Appends the upper triangle of a symmetric matrix. */
static bool mirror(struct fr_reader *reader)
{
    struct fr_entries *entries = &reader->entries;
    const int64_t count = entries->count;
    int64_t at = count, nnz = count;

    if (reader->head.symmetry == FR_MATRIX_GENERAL)
        return true;
    for (int64_t k = 0; k < count; k++)
        nnz += entries->row[k] != entries->column[k];
    if (nnz > reader->limits->nnz) {
        fr_reader_fault(reader, reader->head.line[FR_MATRIX_LINE_OF_SIZES], FR_NOMEM,
                        "%" PRId64 " entries with those above the diagonal; at most %" PRId64, nnz,
                        reader->limits->nnz);
        return false;
    }
    if (nnz > count && (!resize(&entries->row, nnz) || !resize(&entries->column, nnz) ||
                        (entries->value && !resize_values(entries, nnz))))
        return refuse_memory(reader);
    for (int64_t k = 0; k < count; k++) {
        if (entries->row[k] == entries->column[k])
            continue;
        entries->row[at] = entries->column[k];
        entries->column[at] = entries->row[k];
        if (entries->value)
            entries->value[at] = entries->value[k];
        at++;
    }
    entries->count = entries->room = nnz;
    return true;
}

/* Sets column_at and replaces the columns of the entries by their positions.  The mirrored entries
 * come first in each column, because their rows are above the diagonal. */
static void place(struct fr_entries *entries, int64_t own, struct fr_matrix *matrix)
{
    int64_t *column_at = matrix->column_at;

    for (int64_t k = 0; k < entries->count; k++)
        column_at[entries->column[k] + 1]++;
    for (int64_t j = 0; j < matrix->n; j++)
        column_at[j + 1] += column_at[j];
    for (int64_t k = own; k < entries->count; k++)
        entries->column[k] = (int32_t)column_at[entries->column[k]]++;
    for (int64_t k = 0; k < own; k++)
        entries->column[k] = (int32_t)column_at[entries->column[k]]++;
    memmove(column_at + 1, column_at, (size_t)matrix->n * sizeof *column_at);
    column_at[0] = 0;
}

static bool is_ascending(const int32_t *row, int64_t count)
{
    for (int64_t i = 1; i < count; i++)
        if (row[i - 1] >= row[i])
            return false;
    return true;
}

/* Reports the two entries at these positions.  A linear search suffices: such faults are rare. */
static void refuse_repeated(struct fr_reader *reader, const struct fr_matrix *matrix,
                            int64_t column, int64_t place, int64_t other)
{
    const struct fr_entries *entries = &reader->entries;
    const int64_t line = reader->first_line, row = matrix->row[place];
    int64_t first = -1, second = -1;

    if (matrix->symmetry != FR_MATRIX_GENERAL && row < column)
        return; /* the entry that it mirrors */
    for (int64_t k = 0; k < entries->count; k++) {
        if (entries->column[k] != place && entries->column[k] != other)
            continue;
        if (first < 0)
            first = k;
        else
            second = k;
    }
    if (line)
        fr_reader_fault(reader, line + second / reader->per_line, FR_REPEATED,
                        "(%" PRId64 ", %" PRId64 ") again, after line %" PRId64
                        "; give each entry once",
                        row + 1, column + 1, line + first / reader->per_line);
    else
        fr_reader_fault(reader, 0, FR_REPEATED,
                        "(%" PRId64 ", %" PRId64 ") is entry %" PRId64 " and entry %" PRId64
                        "; give each entry once",
                        row + 1, column + 1, first + 1, second + 1);
}

/* A strictly ascending column has no duplicates. */
static bool check_repeated(struct fr_reader *reader, const struct fr_matrix *matrix)
{
    int32_t *seen = NULL; /* position, from 1, where a row was seen last */

    for (int64_t j = 0; j < matrix->n && !fr_reader_is_full(reader); j++) {
        const int64_t begin = matrix->column_at[j], end = matrix->column_at[j + 1];

        if (is_ascending(matrix->row + begin, end - begin))
            continue;
        if (!seen && !(seen = calloc((size_t)matrix->n, sizeof *seen)))
            return refuse_memory(reader);
        for (int64_t at = begin; at < end && !fr_reader_is_full(reader); at++) {
            if (seen[matrix->row[at]] > begin)
                refuse_repeated(reader, matrix, j, at, seen[matrix->row[at]] - 1);
            seen[matrix->row[at]] = (int32_t)at + 1;
        }
    }
    free(seen);
    return !fr_reader_failed(reader);
}

static void swap(int32_t *row, double *value, int64_t a, int64_t b)
{
    const int32_t kept = row[a];

    row[a] = row[b];
    row[b] = kept;
    if (value) {
        const double kept_value = value[a];

        value[a] = value[b];
        value[b] = kept_value;
    }
}

static void sift(int32_t *row, double *value, int64_t at, int64_t count)
{
    for (int64_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && row[child + 1] > row[child])
            child++;
        if (row[at] >= row[child])
            return;
        swap(row, value, at, child);
    }
}

/* Heap sort in place: untrusted input cannot cause quadratic time. */
static void sort_column(int32_t *row, double *value, int64_t count)
{
    if (count <= INSERTION_COUNT) {
        for (int64_t i = 1; i < count; i++)
            for (int64_t at = i; at && row[at - 1] > row[at]; at--)
                swap(row, value, at - 1, at);
        return;
    }
    for (int64_t i = count / 2; i--;)
        sift(row, value, i, count);
    for (int64_t left = count; --left;) {
        swap(row, value, 0, left);
        sift(row, value, 0, left);
    }
}

static bool move_rows(struct fr_reader *reader, struct fr_matrix *matrix)
{
    struct fr_entries *entries = &reader->entries;

    matrix->row = malloc((size_t)(entries->count + 1) * sizeof *matrix->row);
    if (!matrix->row)
        return refuse_memory(reader);
    for (int64_t k = 0; k < entries->count; k++)
        matrix->row[entries->column[k]] = entries->row[k];
    free(entries->row);
    entries->row = NULL;
    return true;
}

static bool move_values(struct fr_reader *reader, struct fr_matrix *matrix)
{
    struct fr_entries *entries = &reader->entries;

    if (matrix->field == FR_MATRIX_PATTERN)
        return true;
    matrix->value = malloc((size_t)(entries->count + 1) * sizeof *matrix->value);
    if (!matrix->value)
        return refuse_memory(reader);
    for (int64_t k = 0; k < entries->count; k++)
        matrix->value[entries->column[k]] = entries->value[k];
    return true;
}

static bool assemble(struct fr_reader *reader, struct fr_matrix *matrix)
{
    const int64_t own = reader->entries.count;

    if (!mirror(reader))
        return false;
    matrix->nnz = reader->entries.count;
    matrix->column_at = calloc((size_t)matrix->n + 1, sizeof *matrix->column_at);
    if (!matrix->column_at)
        return refuse_memory(reader);
    place(&reader->entries, own, matrix);
    if (!move_rows(reader, matrix) || !check_repeated(reader, matrix) ||
        !move_values(reader, matrix))
        return false;
    for (int64_t j = 0; j < matrix->n; j++) {
        const int64_t begin = matrix->column_at[j], count = matrix->column_at[j + 1] - begin;

        if (!is_ascending(matrix->row + begin, count))
            sort_column(matrix->row + begin, matrix->value ? matrix->value + begin : NULL, count);
    }
    return true;
}

struct fr_matrix *fr_reader_assemble(struct fr_reader *reader)
{
    struct fr_matrix *matrix = malloc(sizeof *matrix);

    assert(reader->entries.count == reader->head.entries);
    if (!matrix) {
        refuse_memory(reader);
        return NULL;
    }
    *matrix = reader->head;
    if (assemble(reader, matrix))
        return matrix;
    fr_matrix_free(matrix);
    return NULL;
}

void fr_matrix_free(struct fr_matrix *matrix)
{
    if (!matrix)
        return;
    free(matrix->column_at);
    free(matrix->row);
    free(matrix->value);
    free(matrix);
}
