/* Makes the calls of pdgssvx in its order: sp_colorder, row permutation by the columns, symbfact.
 */
#include "server/analyze/analyze.h"

#include "server/analyze/clock.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The input of symbfact. */
struct elimination {
    SuperMatrix matrix, permuted;
    int *rows, *tree;
};

static int prepare(struct elimination *e, const struct fr_sparsity *pattern, int *place,
                   superlu_dist_options_t *options, struct fr_faults *faults)
{
    struct fr_sparsity copy = *pattern;

    e->rows = malloc(((size_t)pattern->nnz + 1) * sizeof *e->rows);
    e->tree = malloc(((size_t)pattern->n + 1) * sizeof *e->tree);
    if (!e->rows || !e->tree)
        return fr_fault(faults, FR_NOMEM, "/", "no memory for the symbolic factorization");
    memcpy(e->rows, pattern->row, (size_t)pattern->nnz * sizeof *e->rows);
    copy.row = e->rows;
    fr_library_matrix(&e->matrix, &copy);
    sp_colorder(options, &e->matrix, place, e->tree, &e->permuted);
    for (int i = 0; i < pattern->nnz; i++)
        e->rows[i] = place[e->rows[i]];
    return FR_OK;
}

static void clear(struct elimination *e)
{
    if (e->permuted.Store)
        Destroy_CompCol_Permuted_dist(&e->permuted);
    if (e->matrix.Store)
        SUPERLU_FREE(e->matrix.Store);
    free(e->rows);
    free(e->tree);
}

static int factorize(struct elimination *e, int *place, superlu_dist_options_t *options,
                     struct fr_subscripts *found, struct fr_faults *faults)
{
    const int_t status =
        symbfact(options, 0, &e->permuted, place, e->tree, &found->persist, &found->freeable);

    if (status > 0)
        return fr_fault(faults, FR_NOMEM, "/",
                        "the symbolic factorization ran out of memory after %" PRId64 " bytes",
                        (int64_t)status);
    found->n = (int)e->permuted.ncol;
    if (found->freeable.nnzLU < found->n || found->freeable.nnzLU > INT32_MAX)
        return fr_fault(
            faults, FR_NOMEM, "/",
            "more than %d entries in L and U, the limit of the installed library's 32-bit "
            "indices; try an ordering with less fill",
            INT32_MAX);
    return FR_OK;
}

static void drop(struct fr_subscripts *found)
{
    if (found->persist.xsup)
        SUPERLU_FREE(found->persist.xsup);
    if (found->persist.supno)
        SUPERLU_FREE(found->persist.supno);
    if (found->freeable.xlsub)
        symbfact_SubFree(&found->freeable);
    *found = (struct fr_subscripts){ 0 };
}

/* The library computes its initial memory, entries times a guess of the fill, in 32 bits. */
static int check_guess(const struct fr_sparsity *pattern, superlu_dist_options_t *options,
                       struct fr_faults *faults)
{
    const int64_t fill = llabs((long long)sp_ienv_dist(6, options));

    if (fill * pattern->nnz < INT32_MAX)
        return FR_OK;
    return fr_fault(faults, FR_NOMEM, "/",
                    "%d entries; the installed library's 32-bit indices hold up to %" PRId64
                    " before fill",
                    pattern->nnz, INT32_MAX / fill);
}

/* Reads the blocks; the number of nonzeros must equal the library's. */
static int read_blocks(struct fr_subscripts *subscripts, struct fr_symbolic *found,
                       struct fr_faults *faults)
{
    const int64_t nnz = subscripts->freeable.nnzLU;

    found->structure = fr_extract(subscripts, faults);
    if (!found->structure)
        return FR_NOMEM;
    if (sparse_structure_check(found->structure, FR_MOST_UPDATES, faults) != FR_OK)
        return FR_RELATION;
    if ((int64_t)found->structure->facts.nnz == nnz)
        return FR_OK;
    return fr_fault(faults, FR_RELATION, "/",
                    "the blocks have %.0f nonzeros, but the library counts %" PRId64,
                    found->structure->facts.nnz, nnz);
}

int fr_symbolic_find(const struct fr_sparsity *pattern, int *place,
                     struct fr_supernode_limits limits, struct fr_symbolic *found,
                     struct fr_faults *faults)
{
    struct elimination e = { 0 };
    struct fr_subscripts subscripts = { 0 };
    superlu_dist_options_t options;
    double begin = fr_clock_s();
    int code;

    *found = (struct fr_symbolic){ 0 };
    fr_library_options(&options, limits);
    code = check_guess(pattern, &options, faults);
    if (code == FR_OK)
        code = prepare(&e, pattern, place, &options, faults);
    if (code == FR_OK)
        code = factorize(&e, place, &options, &subscripts, faults);
    found->symbolic_s = fr_clock_s() - begin;
    begin = fr_clock_s();
    if (code == FR_OK)
        code = read_blocks(&subscripts, found, faults);
    found->extraction_s = fr_clock_s() - begin;
    begin = fr_clock_s();
    drop(&subscripts);
    fr_library_options(&options, (struct fr_supernode_limits){ limits.max, 1 });
    if (code == FR_OK)
        code = factorize(&e, place, &options, &subscripts, faults);
    found->nnz_unrelaxed = (double)subscripts.freeable.nnzLU;
    found->unrelaxed_s = fr_clock_s() - begin;
    drop(&subscripts);
    clear(&e);
    if (code != FR_OK) {
        sparse_structure_free(found->structure);
        found->structure = NULL;
    }
    return code;
}
