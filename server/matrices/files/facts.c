/* One pass over the columns finds all properties. */
#include "server/matrices/files/matrix.h"

#include "engine/forerun.h"

#include <stdlib.h>

/* Whether (j,i) is an entry.  cursor[i] is the first entry of column i that can still be a mirror
 * image; it only moves down, because j ascends. */
static bool find_opposite(const struct fr_matrix *matrix, int64_t *cursor, int32_t i, int64_t j)
{
    int64_t at = cursor[i];

    while (at < matrix->column_at[i + 1] && matrix->row[at] < j)
        at++;
    cursor[i] = at;
    return at < matrix->column_at[i + 1] && matrix->row[at] == j;
}

static void see_column(const struct fr_matrix *matrix, int64_t j, int64_t *cursor, int32_t *in_row,
                       struct fr_matrix_facts *facts, int64_t *matched)
{
    bool has_diagonal = false;

    for (int64_t at = matrix->column_at[j]; at < matrix->column_at[j + 1]; at++) {
        const int32_t i = matrix->row[at];
        bool is_matched;

        in_row[i]++;
        if (i == j) {
            has_diagonal = !matrix->value || matrix->value[at] != 0;
            continue;
        }
        if (i - j > facts->lower_bandwidth)
            facts->lower_bandwidth = i - j;
        if (j - i > facts->upper_bandwidth)
            facts->upper_bandwidth = j - i;
        is_matched = find_opposite(matrix, cursor, i, j);
        *matched += is_matched;
        if (!is_matched || (matrix->value && matrix->value[at] != matrix->value[cursor[i]]))
            facts->is_symmetric_in_magnitude = false;
    }
    facts->zero_diagonals += !has_diagonal;
    facts->empty_columns += matrix->column_at[j] == matrix->column_at[j + 1];
}

static int64_t count_off_diagonal(const struct fr_matrix *matrix)
{
    int64_t count = 0;

    for (int64_t j = 0; j < matrix->n; j++)
        for (int64_t at = matrix->column_at[j]; at < matrix->column_at[j + 1]; at++)
            count += matrix->row[at] != j;
    return count;
}

int fr_matrix_find_facts(const struct fr_matrix *matrix, struct fr_matrix_facts *facts)
{
    const size_t n = (size_t)matrix->n;
    int64_t *cursor = malloc(n * sizeof *cursor), matched = 0;
    int32_t *in_row = calloc(n, sizeof *in_row);
    struct fr_matrix_facts found = {
        .is_symmetric_in_magnitude = true,
        .fewest_in_row = matrix->n,
    };
    const int64_t off_diagonal = count_off_diagonal(matrix);

    if (!cursor || !in_row) {
        free(cursor);
        free(in_row);
        return FR_NOMEM;
    }
    for (size_t j = 0; j < n; j++)
        cursor[j] = matrix->column_at[j];
    for (int64_t j = 0; j < matrix->n; j++)
        see_column(matrix, j, cursor, in_row, &found, &matched);
    for (size_t i = 0; i < n; i++) {
        found.empty_rows += !in_row[i];
        if (in_row[i] < found.fewest_in_row)
            found.fewest_in_row = in_row[i];
        if (in_row[i] > found.most_in_row)
            found.most_in_row = in_row[i];
    }
    found.structural_symmetry = off_diagonal ? (double)matched / (double)off_diagonal : 1;
    free(cursor);
    free(in_row);
    *facts = found;
    return FR_OK;
}
