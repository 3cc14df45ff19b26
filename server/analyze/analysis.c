/* Reads a matrix once, permutes its rows once, then analyzes it with each ordering. */
#include "server/analyze/analysis.h"

#include "server/analyze/clock.h"
#include "server/analyze/ordering.h"
#include "server/analyze/records.h"
#include "server/analyze/source.h"
#include "server/matrices/files/blocks.h"

#include <stdlib.h>

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
    if (code == FR_OK)
        code = fr_sparsity_make(&made->pattern, matrix, made->rows.row_to, faults);
    /* The library ends the process on an empty diagonal entry. */
    if (code == FR_OK && fr_sparsity_hole(&made->pattern) >= 0)
        code = fr_fault(faults, FR_RELATION, "/",
                        "the row permutation leaves column %d without an entry on the diagonal",
                        fr_sparsity_hole(&made->pattern) + 1);
    return code;
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

/* `begin` and `share` of the progress of all orderings. */
static int analyze(const struct fr_sparsity *pattern, const char *ordering,
                   struct fr_supernode_limits limits, double begin, double share,
                   struct fr_faults *faults)
{
    int *place = malloc((size_t)pattern->n * sizeof *place);
    struct fr_symbolic found = { 0 };
    double ordering_s = fr_clock_s();
    int code;

    if (!place)
        return fr_fault(faults, FR_NOMEM, "/", "no memory for the order of the columns");
    fr_stage(ordering, ordering, begin);
    code = fr_ordering_find(ordering, pattern, place, faults);
    ordering_s = fr_clock_s() - ordering_s;
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

static int analyze_all(const struct fr_analyze_options *options, const struct fr_sparsity *pattern)
{
    const double first = 0.2, share = (1 - first) / options->ordering_count;
    int failures = 0;

    for (int i = 0; i < options->ordering_count; i++) {
        struct fr_faults faults = { 0 };

        if (analyze(pattern, options->orderings[i], options->supernodes, first + i * share, share,
                    &faults) == FR_OK)
            continue;
        fr_record_failed(options->orderings[i], &faults);
        failures++;
    }
    return failures;
}

int fr_analysis_run(const struct fr_analyze_options *options)
{
    struct fr_permuted permuted = { 0 };
    struct fr_faults faults = { 0 };
    struct fr_matrix *matrix;
    int code = FR_SYNTAX, failures = 0;

    fr_stage("reading", NULL, 0);
    matrix = fr_source_open(options, &faults);
    if (matrix) {
        fr_stage("transversal", NULL, 0.1);
        code = fr_permuted_make(&permuted, matrix, options->row_permutation, &faults);
        if (permuted.rows.structural_rank >= 0)
            record_facts(matrix, &permuted.rows);
    }
    fr_matrix_free(matrix);
    if (code != FR_OK)
        fr_record_failed(NULL, &faults);
    else
        failures = analyze_all(options, &permuted.pattern);
    fr_permuted_free(&permuted);
    fr_record_finished();
    return code == FR_OK && !failures ? EXIT_SUCCESS : EXIT_FAILURE;
}
