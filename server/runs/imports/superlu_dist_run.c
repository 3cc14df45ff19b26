/* From a factorization of SuperLU_DIST to a run of sparse_lu. */
#include "server/runs/imports/superlu_dist.h"

#include "engine/sparse/structure/structure.h"
#include "server/store/store.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* What sparse_lu has of orderings (ColPerm) and row permutations (RowPerm); not MMD_ATA,
 * MMD_AT_PLUS_A, PARMETIS, ZOLTAN, MY_PERMC, nor LargeDiag_HWPM (an approximation), MY_PERMR. */
static const struct {
    enum superlu_option option;
    int64_t number;
    const char *name, *value;
} values[] = {
    { SUPERLU_COL_PERM, 0, "NATURAL", "natural" },
    { SUPERLU_COL_PERM, 3, "COLAMD", "colamd" },
    { SUPERLU_COL_PERM, 4, "METIS_AT_PLUS_A", "metis" },
    { SUPERLU_ROW_PERM, 0, "NOROWPERM", "none" },
    { SUPERLU_ROW_PERM, 1, "LargeDiag_MC64", "transversal" },
    { SUPERLU_ROW_PERM, 1, "LargeDiag", "transversal" }, /* up to version 5 */
};

/* Sets a parameter by the number or name of an option, if there is a value for it. */
static void set_named(struct fr_filter *filter, struct fr_import_run *run,
                      const struct superlu *state, const char *parameter,
                      enum superlu_option option, const char *list)
{
    const struct fr_slice text = state->text[option];
    const char *value = NULL;
    char shown[FR_IMPORT_TEXT_BYTES];
    int64_t number;

    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (values[i].option == option &&
            (fr_slice_count(text, &number) ? number == values[i].number
                                           : fr_slice_is(text, values[i].name)))
            value = values[i].value;
    if (value)
        fr_run_set_text(run, parameter, value)->line = state->option_line[option];
    else if (text.length && !fr_filter_given(filter, parameter)) {
        fr_slice_print(text, shown, sizeof shown);
        fr_filter_fault(filter, state->option_line[option], FR_CHOICE,
                        "%s %s is none of %s; give the most similar one as %s",
                        option == SUPERLU_ROW_PERM ? "RowPerm" : "ColPerm", shown, list, parameter);
    }
}

static void set_options(struct fr_filter *filter, struct fr_import_run *run,
                        const struct superlu *state)
{
    static const char *const counts[SUPERLU_OPTIONS] = { [SUPERLU_RELAX] = "supernode_relax",
                                                         [SUPERLU_MAX_SUPERNODE] = "supernode_max",
                                                         [SUPERLU_LOOKAHEADS] =
                                                             "lookahead_panels" };

    set_named(filter, run, state, "ordering", SUPERLU_COL_PERM, SPARSE_ORDERING_LIST);
    set_named(filter, run, state, "row_permutation", SUPERLU_ROW_PERM, "none, transversal");
    for (size_t i = 0; i < SUPERLU_OPTIONS; i++)
        if (counts[i] && state->option[i] >= 0)
            fr_run_set(run, counts[i], (double)state->option[i])->line = state->option_line[i];
    if (state->option[SUPERLU_LOOKAHEADS] >= 0 && !fr_filter_given(filter, "overlap"))
        /* The library's order, which looks ahead. */
        fr_run_set_text(run, "overlap", "window")->line = state->option_line[SUPERLU_LOOKAHEADS];
}

static void set_grid(struct fr_filter *filter, struct fr_import_run *run,
                     const struct superlu *state)
{
    if (state->rows && state->columns) {
        fr_run_set(run, "process_rows", (double)state->rows)->line = state->grid_line;
        fr_run_set(run, "process_columns", (double)state->columns)->line = state->grid_line;
    }
    if (state->option[SUPERLU_3D] > 0 && !state->layers) {
        if (!fr_filter_given(filter, "process_layers"))
            fr_fault(filter->faults, FR_MISSING, "process_layers",
                     "required: the 3D algorithm was used, but the text has no grid with layers");
    } else if (state->rows && state->columns) {
        fr_run_set(run, "process_layers", state->layers ? (double)state->layers : 1)->line =
            state->grid_line;
    }
}

/* ---- the matrix ---- */

/* Refuses an order of the matrix that is not its own.  The nonzeros of L and U are counted with the
 * diagonal, which L + U has once. */
static bool is_order_right(struct fr_filter *filter, const struct fr_matrix_record *matrix,
                           const struct superlu *state)
{
    const int64_t *nonzeros = state->nonzeros;
    const bool has_all =
        nonzeros[SUPERLU_IN_L] && nonzeros[SUPERLU_IN_U] && nonzeros[SUPERLU_IN_BOTH];
    const int64_t order =
        state->order
            ? state->order
            : (has_all ? nonzeros[SUPERLU_IN_L] + nonzeros[SUPERLU_IN_U] - nonzeros[SUPERLU_IN_BOTH]
                       : 0);

    if (order <= 0 || order == matrix->n)
        return true;
    fr_filter_fault(filter, state->nonzeros_line, FR_RELATION,
                    "the text is of a matrix with %" PRId64 " rows, but matrix %.64s has %" PRId64
                    "; name the matrix that was factorized, or upload it",
                    order, matrix->name, matrix->n);
    return false;
}

/* The entries of L + U in the structures of an ordering, whose limits and row permutations differ.
 * False where none is ready. */
static bool find_entries(const struct fr_matrix_record *matrix, const char *ordering, double *least,
                         double *most)
{
    const struct fr_matrix_ordering *known;

    *least = INFINITY;
    *most = 0;
    for (size_t i = 0; (known = fr_matrix_structure(matrix, i)); i++)
        if (known->status == FR_MATRIX_READY && ordering &&
            strcmp(known->ordering, ordering) == 0) {
            *least = fmin(*least, (double)known->nnz_lu_unrelaxed);
            *most = fmax(*most, (double)known->nnz_lu);
        }
    return *most > 0;
}

static void check_matrix(struct fr_filter *filter, const struct fr_import_run *run,
                         const struct superlu *state)
{
    /* Versions of an ordering differ by some percent. */
    const double tolerance = 1.25;
    const struct fr_matrix_record *matrix = filter->given->matrix;
    const double both = (double)state->nonzeros[SUPERLU_IN_BOTH];
    const char *ordering = fr_run_text(filter, run, "ordering");
    double least, most;
    bool is_known;

    if (!matrix || !is_order_right(filter, matrix, state) || both == 0)
        return;
    is_known = find_entries(matrix, ordering, &least, &most);
    if (!is_known) {
        least = (double)matrix->nnz * tolerance;
        most = (double)matrix->n * (double)matrix->n;
    }
    if (both < least / tolerance || both > most * (is_known ? tolerance : 1))
        fr_filter_fault(filter, state->nonzeros_line, FR_RELATION,
                        "L + U have %.0f nonzeros here, but %s%.15g%s%s of matrix %.64s; name the "
                        "matrix that was factorized, or upload it",
                        both,
                        is_known       ? ""
                        : both < least ? "at least "
                                       : "at most ",
                        both < least / tolerance ? is_known ? least : least / tolerance : most,
                        is_known ? " with " : "", is_known ? ordering : "", matrix->name);
}

static void set_output(struct fr_import_run *run, const char *name, double number, size_t line)
{
    struct fr_import_param *set = fr_run_set(run, name, number);

    set->line = line;
    set->is_output = true;
}

void superlu_finish(struct fr_filter *filter, struct superlu *state)
{
    static const struct fr_slice no_rate = { "0", 1 };
    struct fr_import_run run = { .line = state->factor_line };

    if (!state->factor.length)
        return;
    if (!fr_time_beside_rate(state->factor, state->flops, state->flops > 0 ? state->rate : no_rate,
                             1e6, &run.time_s))
        fr_filter_fault(
            filter, run.line, FR_RELATION,
            "the time of the factorization is missing or contradicts its operations and rate");
    state->factor.length = 0;
    set_grid(filter, &run, state);
    set_options(filter, &run, state);
    if (*state->other)
        fr_filter_fault(filter, state->other_line, FR_RELATION,
                        "%s: another program than sparse_lu, a whole factorization of double "
                        "precision, without GPUs, with one thread a process (OMP_NUM_THREADS=1)",
                        state->other);
    check_matrix(filter, &run, state);
    /* Either the program factorized again, or the text is of two programs. */
    if (state->first_line && state->grid_line)
        fr_filter_warn(filter, run.line, FR_RELATION,
                       "the process grid and the options are those of the factorization in line "
                       "%zu; send the output of another program alone",
                       state->first_line);
    state->first_line = state->has_run ? 0 : run.line;
    state->has_run = true;
    fr_run_note(&run, "SuperLU_DIST");
    if (*state->matrix)
        fr_run_note(&run, ", file %s", state->matrix);
    if (state->nonzeros[SUPERLU_IN_BOTH])
        fr_run_note(&run, ", %" PRId64 " nonzeros in L+U", state->nonzeros[SUPERLU_IN_BOTH]);
    if (state->flops > 0)
        set_output(&run, "flops", state->flops, state->flops_line);
    if (state->nonzeros[SUPERLU_IN_BOTH])
        set_output(&run, "nnz_lu", (double)state->nonzeros[SUPERLU_IN_BOTH], state->nonzeros_line);
    fr_run_begin(filter, &run);
    fr_run_end(filter);
    state->flops = 0;
}
