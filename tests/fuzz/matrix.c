/* Fuzzes the matrix reader. An accepted file is a valid matrix with facts and a spy plot; a
 * refused file has a reason. Reading in one piece or byte by byte gives the same result. */
#include "server/matrices/files/matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct bytes {
    const uint8_t *at;
    size_t left, chunk;
};

static long give(void *context, char *out, size_t size)
{
    struct bytes *bytes = context;
    size_t count = bytes->left < size ? bytes->left : size;

    if (bytes->chunk && count > bytes->chunk)
        count = bytes->chunk;
    memcpy(out, bytes->at, count);
    bytes->at += count;
    bytes->left -= count;
    return (long)count;
}

static struct fr_matrix *read_bytes(const uint8_t *data, size_t size, size_t chunk)
{
    static const struct fr_matrix_limits limits = { .n = 5000, .nnz = 50000, .bytes = 1 << 20 };
    struct bytes bytes = { data, size, chunk };
    struct fr_matrix *matrix;
    struct fr_faults faults;

    faults.count = 0;
    matrix = fr_matrix_read(give, &bytes, &limits, &faults);
    if (!matrix != (faults.count > 0) || (matrix && matrix->nnz > limits.nnz))
        abort();
    return matrix;
}

static void check(const struct fr_matrix *matrix)
{
    static struct fr_spy spy;
    struct fr_matrix_facts facts;

    for (int64_t j = 0; j < matrix->n; j++) {
        if (matrix->column_at[j] > matrix->column_at[j + 1])
            abort();
        for (int64_t k = matrix->column_at[j]; k < matrix->column_at[j + 1]; k++)
            if (matrix->row[k] < 0 || matrix->row[k] >= matrix->n ||
                (k > matrix->column_at[j] && matrix->row[k - 1] >= matrix->row[k]) ||
                (matrix->value && !(isfinite(matrix->value[k]) && matrix->value[k] >= 0)))
                abort();
    }
    fr_matrix_spy(matrix, &spy);
    if (fr_matrix_find_facts(matrix, &facts) == FR_OK &&
        (matrix->symmetry != FR_MATRIX_GENERAL && facts.structural_symmetry != 1))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fr_matrix *matrix = read_bytes(data, size, 0), *again = read_bytes(data, size, 1);

    if (!matrix != !again)
        abort();
    if (matrix) {
        check(matrix);
        if (matrix->nnz != again->nnz || matrix->n != again->n ||
            memcmp(matrix->row, again->row, (size_t)matrix->nnz * sizeof *matrix->row) != 0)
            abort();
    }
    fr_matrix_free(matrix);
    fr_matrix_free(again);
    return 0;
}
