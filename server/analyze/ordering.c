/* Calls the ordering libraries and checks their results. */
#include "server/analyze/analyze.h"

#include "server/matrices/files/matrix.h"

#include <amd.h>
#include <colamd.h>
#include <stdlib.h>
#include <string.h>

/* METIS on A'+A, as SuperLU_DIST calls it by default; its random numbers start from a fixed seed.
 */
static bool order_metis(const struct fr_sparsity *pattern, int *place)
{
    SuperMatrix matrix;

    fr_library_matrix(&matrix, pattern);
    get_perm_c_dist(0, METIS_AT_PLUS_A, &matrix, place);
    SUPERLU_FREE(matrix.Store);
    return true;
}

/* Inverts a permutation. */
static void turn(const int *column, int *place, int n)
{
    for (int k = 0; k < n; k++)
        place[column[k]] = k;
}

static bool order_amd(const struct fr_sparsity *pattern, int *place)
{
    int *column = malloc(((size_t)pattern->n + 1) * sizeof *column);
    const bool is_done =
        column && amd_order(pattern->n, pattern->column_at, pattern->row, column, NULL, NULL) >= 0;

    if (is_done)
        turn(column, place, pattern->n);
    free(column);
    return is_done;
}

static bool order_colamd(const struct fr_sparsity *pattern, int *place)
{
    const size_t length = colamd_recommended(pattern->nnz, pattern->n, pattern->n),
                 columns = (size_t)pattern->n + 1;
    int *work = length && length < INT32_MAX ? malloc(length * sizeof *work) : NULL;
    int *column = malloc(columns * sizeof *column), stats[COLAMD_STATS];
    bool is_done = work && column;

    if (is_done) {
        memcpy(work, pattern->row, (size_t)pattern->nnz * sizeof *work);
        memcpy(column, pattern->column_at, columns * sizeof *column);
        is_done = colamd(pattern->n, pattern->n, (int)length, work, column, NULL, stats);
    }
    if (is_done)
        turn(column, place, pattern->n);
    free(work);
    free(column);
    return is_done;
}

static bool order_natural(const struct fr_sparsity *pattern, int *place)
{
    for (int j = 0; j < pattern->n; j++)
        place[j] = j;
    return true;
}

#define FUNCTION(name) order_##name
static bool (*const functions[])(const struct fr_sparsity *pattern,
                                 int *place) = { SPARSE_ORDERINGS(FUNCTION) };

int fr_ordering_find(const char *name, const struct fr_sparsity *pattern, int *place,
                     struct fr_faults *faults)
{
    bool is_done = false;

    memset(place, -1, (size_t)pattern->n * sizeof *place);
    for (int i = 0; i < SPARSE_ORDERING_COUNT; i++)
        if (strcmp(name, sparse_orderings[i]) == 0)
            is_done = functions[i](pattern, place);
    /* The library does not report failures of METIS. */
    if (is_done && fr_is_permutation(place, pattern->n))
        return FR_OK;
    return fr_fault(
        faults, FR_NOMEM, "/",
        "%s returned no permutation of the columns: too little memory, or an internal error", name);
}
