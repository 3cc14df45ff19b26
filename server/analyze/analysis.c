/* Reads a matrix once, permutes its rows once, then analyzes it with each ordering. */
#include "server/analyze/analyze.h"

#include "engine/multifrontal/multifrontal.h"
#include "server/analyze/clock.h"
#include "server/matrices/files/blocks.h"
#include "server/matrices/files/matrix.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes the pattern of permuted rows. */
static int permute(struct fr_permuted *made, const struct fr_matrix *matrix,
                   struct fr_faults *faults)
{
    const int code = fr_sparsity_make(&made->pattern, matrix, made->rows.row_to, faults);

    /* The library ends the process on an empty diagonal entry. */
    if (code == FR_OK && fr_sparsity_hole(&made->pattern) >= 0)
        return fr_fault(faults, FR_RELATION, "/",
                        "the row permutation leaves column %d without an entry on the diagonal",
                        fr_sparsity_hole(&made->pattern) + 1);
    return code;
}

int fr_permuted_make(struct fr_permuted *made, const struct fr_matrix *matrix, int row_choice,
                     struct fr_faults *faults)
{
    struct fr_sparsity plain = { 0 };
    int code;

    *made = (struct fr_permuted){ .rows.structural_rank = -1 };
    code = fr_sparsity_make(&plain, matrix, NULL, faults);
    if (code == FR_OK)
        code = fr_transversal_find(matrix, &plain, row_choice, &made->rows, faults);
    fr_sparsity_free(&plain);
    return code == FR_OK ? permute(made, matrix, faults) : code;
}

/* The same with rows that were permuted before; takes them over. */
static int permute_again(struct fr_permuted *made, const struct fr_matrix *matrix,
                         struct fr_permutations *known, struct fr_faults *faults)
{
    *made = (struct fr_permuted){ .rows = { .structural_rank = known->n,
                                            .is_identity = !known->row_to,
                                            .row_to = known->row_to } };
    known->row_to = NULL;
    return permute(made, matrix, faults);
}

void fr_permuted_free(struct fr_permuted *made)
{
    free(made->rows.row_to);
    fr_sparsity_free(&made->pattern);
}

static void record_facts(const struct fr_matrix *matrix, const struct fr_transversal *rows)
{
    struct fr_writer w;

    fr_record(&w, "facts");
    fr_json_pair_integer(&w, "n", matrix->n);
    fr_json_pair_integer(&w, "nnz", matrix->nnz);
    fr_json_pair_integer(&w, "structural_rank", rows->structural_rank);
    if (rows->structural_rank == matrix->n)
        fr_json_pair(&w, "row_permutation", rows->is_identity ? "identity" : "transversal");
    fr_json_pair_number(&w, "transversal_s", rows->time_s);
    fr_record_end(&w, NULL, 0);
}

static int record_ordering(const char *ordering, const struct fr_symbolic *found, double nnz,
                           double ordering_s, struct fr_faults *faults)
{
    const struct sparse_facts *facts = &found->structure->facts;
    size_t length = 0;
    unsigned char *bytes = fr_blocks_write(found->structure, &length);
    struct fr_writer w;

    if (!bytes)
        return fr_fault(faults, FR_NOMEM, "/", "no memory to write the blocks");
    fr_record(&w, "ordering");
    fr_json_pair(&w, "ordering", ordering);
    fr_json_pair(&w, "status", "ready");
    fr_json_pair_integer(&w, "supernodes", facts->supernodes);
    fr_json_pair_number(&w, "nnz_lu", facts->nnz);
    fr_json_pair_number(&w, "nnz_lu_unrelaxed", found->nnz_unrelaxed);
    fr_json_pair_number(&w, "flops", facts->useful_flops);
    fr_json_pair_number(&w, "fill", facts->nnz / nnz);
    fr_json_pair_integer(&w, "blocks", facts->supernodes + facts->l_blocks + facts->u_blocks);
    fr_json_pair_number(&w, "updates", facts->updates);
    fr_json_pair_number(&w, "ordering_s", ordering_s);
    fr_json_pair_number(&w, "symbolic_s", found->symbolic_s);
    fr_json_pair_number(&w, "unrelaxed_s", found->unrelaxed_s);
    fr_json_pair_number(&w, "extraction_s", found->extraction_s);
    fr_record_end(&w, bytes, length);
    free(bytes);
    return FR_OK;
}

/* Other limits of the supernodes need the same permutations. */
static int record_permutations(const char *ordering, const struct fr_permutations *found,
                               struct fr_faults *faults)
{
    size_t length = 0;
    unsigned char *bytes = fr_permutations_write(found, &length);
    struct fr_writer w;

    if (!bytes)
        return fr_fault(faults, FR_NOMEM, "/", "no memory to write the permutations");
    fr_record(&w, "permutations");
    fr_json_pair(&w, "ordering", ordering);
    fr_record_end(&w, bytes, length);
    free(bytes);
    return FR_OK;
}

/* What MUMPS makes of the order, on as many processes as were compared. */
static int record_fronts(const char *ordering, const struct fr_sparsity *pattern, const int *place,
                         struct fr_faults *faults)
{
    struct sparse_fronts fronts;
    struct sparse_front_share share;
    int code =
        sparse_fronts_make(&fronts, pattern->n, pattern->column_at, pattern->row, place, faults);

    for (int64_t p = 1; code == FR_OK && p <= SPARSE_MUMPS_PROCESSES; p *= 2) {
        const struct sparse_multifrontal tree = sparse_multifrontal_count(&fronts);
        struct fr_writer w;

        code = sparse_fronts_share(&fronts, p, &share, faults);
        if (code != FR_OK)
            break;
        fr_record(&w, "fronts");
        fr_json_pair(&w, "ordering", ordering);
        fr_json_pair_integer(&w, "processes", p);
        fr_json_pair_integer(&w, "fronts", tree.fronts);
        fr_json_pair_integer(&w, "largest_front", tree.largest_front);
        fr_json_pair_integer(&w, "factor_entries", tree.factor_entries);
        fr_json_pair_number(&w, "flops", tree.flops);
        fr_json_pair_integer(&w, "most_entries", share.most_entries);
        fr_json_pair_integer(&w, "all_entries", share.all_entries);
        fr_json_pair_integer(&w, "most_indices", share.most_indices);
        fr_json_pair_integer(&w, "all_indices", share.all_indices);
        fr_record_end(&w, NULL, 0);
    }
    sparse_fronts_free(&fronts);
    return code;
}

/* Orders the columns, and reports their places with those of the rows. */
static int order(const struct fr_permuted *permuted, const char *ordering, int *place,
                 double *ordering_s, struct fr_faults *faults)
{
    const double begin = fr_clock_s();
    int code = fr_ordering_find(ordering, &permuted->pattern, place, faults);

    *ordering_s = fr_clock_s() - begin;
    if (code == FR_OK)
        code = record_permutations(ordering,
                                   &(struct fr_permutations){ .n = permuted->pattern.n,
                                                              .ordering_s = *ordering_s,
                                                              .place = place,
                                                              .row_to = permuted->rows.row_to },
                                   faults);
    if (code == FR_OK)
        code = record_fronts(ordering, &permuted->pattern, place, faults);
    return code;
}

/* `begin` and `share` of the progress of all orderings; `known` is empty unless
 * the permutations were given. */
static int analyze(const struct fr_permuted *permuted, const struct fr_permutations *known,
                   const char *ordering, struct fr_supernode_limits limits, double begin,
                   double share, struct fr_faults *faults)
{
    const struct fr_sparsity *pattern = &permuted->pattern;
    const size_t bytes = (size_t)pattern->n * sizeof(int);
    int *place = malloc(bytes), code = FR_OK;
    struct fr_symbolic found = { 0 };
    double ordering_s = known->ordering_s;

    if (!place)
        return fr_fault(faults, FR_NOMEM, "/", "no memory for the order of the columns");
    fr_stage(ordering, ordering, begin);
    if (known->place)
        memcpy(place, known->place, bytes);
    else
        code = order(permuted, ordering, place, &ordering_s, faults);
    fr_stage("symbolic", ordering, begin + share * 0.6);
    if (code == FR_OK)
        code = fr_symbolic_find(pattern, place, limits, &found, faults);
    free(place);
    fr_stage("blocks", ordering, begin + share * 0.9);
    if (code == FR_OK)
        code = record_ordering(ordering, &found, pattern->nnz, ordering_s, faults);
    sparse_structure_free(found.structure);
    return code;
}

static int analyze_all(const struct fr_analyze_options *options, const struct fr_permuted *permuted,
                       const struct fr_permutations *known)
{
    const double first = 0.2, share = (1 - first) / options->ordering_count;
    int failures = 0;

    for (int i = 0; i < options->ordering_count; i++) {
        struct fr_faults faults = { 0 };

        if (analyze(permuted, known, options->orderings[i], options->supernodes, first + i * share,
                    share, &faults) == FR_OK)
            continue;
        fr_record_failed(options->orderings[i], &faults);
        failures++;
    }
    return failures;
}

/* Reads the permutations of the options, if there are any. */
static int read_known(const struct fr_analyze_options *options, const struct fr_matrix *matrix,
                      struct fr_permutations *known, struct fr_faults *faults)
{
    const size_t most = fr_permutations_most_bytes(matrix->n);
    unsigned char *bytes;
    size_t length = 0;
    FILE *file;
    int code;

    if (!options->permutations)
        return FR_OK;
    file = fopen(options->permutations, "re");
    if (!file)
        return fr_fault(faults, FR_NOT_FOUND, "/", "%s: %s", options->permutations,
                        strerror(errno));
    bytes = malloc(most + 1);
    if (bytes)
        length = fread(bytes, 1, most + 1, file);
    fclose(file);
    code = bytes ? fr_permutations_read(bytes, length, matrix->n, known, faults)
                 : fr_fault(faults, FR_NOMEM, "/", "no memory for the permutations");
    free(bytes);
    return code;
}

static int make(const struct fr_analyze_options *options, const struct fr_matrix *matrix,
                struct fr_permuted *permuted, struct fr_permutations *known,
                struct fr_faults *faults)
{
    const int code = read_known(options, matrix, known, faults);

    if (code != FR_OK)
        return code;
    return known->place ? permute_again(permuted, matrix, known, faults)
                        : fr_permuted_make(permuted, matrix, options->row_permutation, faults);
}

int fr_analysis_run(const struct fr_analyze_options *options)
{
    struct fr_permuted permuted = { .rows.structural_rank = -1 };
    struct fr_permutations known = { 0 };
    struct fr_faults faults = { 0 };
    struct fr_matrix *matrix;
    int code = FR_SYNTAX, failures = 0;

    fr_stage("reading", NULL, 0);
    matrix = fr_source_open(options, &faults);
    if (matrix) {
        fr_stage("transversal", NULL, 0.1);
        code = make(options, matrix, &permuted, &known, &faults);
        if (permuted.rows.structural_rank >= 0)
            record_facts(matrix, &permuted.rows);
    }
    fr_matrix_free(matrix);
    if (code != FR_OK)
        fr_record_failed(NULL, &faults);
    else
        failures = analyze_all(options, &permuted, &known);
    fr_permuted_free(&permuted);
    fr_permutations_free(&known);
    fr_record_finished();
    return code == FR_OK && !failures ? EXIT_SUCCESS : EXIT_FAILURE;
}
