/* superlu_dist: the statistics that SuperLU_DIST prints (its drivers, or PStatPrint).
 *
 *     Process grid:		1 X 2
 *     **    ColPerm                   :    4
 *     	FACTOR time           0.003
 *     	Factor flops	8.361050e+06	Mflops 	 3072.76
 *
 * Each factorization is a run of sparse_lu.  FACTOR time has three decimals; for a short run the
 * operations divided by their rate give a more accurate time.  PETSc prints its view, with the
 * names of the options, behind the statistics: it belongs to the factorization before it.  What the
 * text tells of the matrix must be so of the one that the request names.
 */
#include "server/runs/imports/filter.h"

#include "engine/sparse/structure/forests.h"
#include "engine/sparse/structure/orderings.h"
#include "server/store/store.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What SuperLU_DIST prints as `**    RowPerm   :    1`; up to version 7 and from 8 on. */
enum option { COL_PERM, ROW_PERM, RELAX, MAX_SUPERNODE, LOOKAHEADS, ALGORITHM_3D, OPTIONS };
static const struct {
    const char *name;
    enum option option;
} option_names[] = {
    { "ColPerm", COL_PERM },
    { "RowPerm", ROW_PERM },
    { "relaxation", RELAX },
    { "superlu_relax", RELAX },
    { "max supernode", MAX_SUPERNODE },
    { "superlu_maxsup", MAX_SUPERNODE },
    { "num_lookaheads", LOOKAHEADS },
    { "Use 3D algorithm", ALGORITHM_3D },
};
/* Options that make it another program, where they are above what is usual. */
static const struct {
    const char *name;
    double usual;
    const char *what;
} other_options[] = {
    { "Use_TensorCore", 0, "tensor cores were used" },
    { "GPU enabled?", 0, "a GPU was used" },
    { "OpenMP threads", 1, "several OpenMP threads" },
    { "ILU_level", -1, "an incomplete factorization" },
    { "SymFact", 0, "a symmetric factorization" },
    { "UserDefineSupernode", 0, "supernodes that the program defines" },
    { "batchCount", 0, "a batch of matrices" },
};
/* What PETSc's view calls them; it has names in place of the numbers. */
static const struct {
    const char *label;
    enum option option;
} view_names[] = {
    { "Row permutation", ROW_PERM },
    { "Column permutation", COL_PERM },
};
/* The number of each name. */
static const struct {
    const char *name;
    enum option option;
    int64_t number;
} values[] = {
    { "NOROWPERM", ROW_PERM, 0 }, { "LargeDiag_MC64", ROW_PERM, 1 },
    { "LargeDiag", ROW_PERM, 1 }, { "NATURAL", COL_PERM, 0 },
    { "COLAMD", COL_PERM, 3 },    { "METIS_AT_PLUS_A", COL_PERM, 4 },
};
enum { NO_VALUE = 1000 }; /* of a name that is not among them */
enum nonzeros { IN_L, IN_U, IN_BOTH, NONZEROS };

/* What has been read so far; the grid and the options apply to the following factorizations. */
struct state {
    int64_t rows, columns; /* 0: unknown */
    int64_t layers;
    size_t grid_line, option_line[OPTIONS];
    char matrix[FR_IMPORT_TEXT_BYTES];
    int64_t option[OPTIONS]; /* -1: not said */
    struct fr_slice option_text[OPTIONS];
    int64_t nonzeros[NONZEROS], order; /* of the matrix; 0: not said */
    size_t nonzeros_line;
    char other[FR_IMPORT_TEXT_BYTES]; /* why it is another program; empty: it is not */
    size_t other_line;
    struct fr_slice factor; /* the time; length 0: no factorization to be written */
    size_t factor_line;
    double flops; /* 0: not said */
    struct fr_slice rate;
    size_t flops_line;
};

/* The ordering of sparse_lu for each ColPerm; NULL: none. */
static const char *const orderings[] = {
    [0] = "natural", /* NATURAL */
    [3] = "colamd",  /* COLAMD */
    [4] = "metis",   /* METIS_AT_PLUS_A */
};
/* Not supported: MMD_ATA, MMD_AT_PLUS_A, PARMETIS, ZOLTAN, MY_PERMC. */
enum { ORDERINGS = sizeof orderings / sizeof orderings[0] };

/* The row permutation of sparse_lu for each RowPerm. */
static const char *const row_permutations[] = {
    [0] = "none",        /* NOROWPERM */
    [1] = "transversal", /* LargeDiag, of MC64 */
};
/* Not supported: LargeDiag_HWPM (an approximation, from version 6 on), MY_PERMR. */
enum { ROW_PERMUTATIONS = sizeof row_permutations / sizeof row_permutations[0] };

/* Sets a parameter by the number of an option, if there is a name for it. */
static void set_named(struct fr_filter *filter, struct fr_import_run *run,
                      const struct state *state, const char *parameter, enum option option,
                      const char *const *names, int64_t count, const char *list)
{
    const int64_t number = state->option[option];
    const char *name = number >= 0 && number < count ? names[number] : NULL;
    char text[FR_IMPORT_TEXT_BYTES];

    if (name)
        fr_run_set_text(run, parameter, name)->line = state->option_line[option];
    else if (number >= 0 && !fr_filter_given(filter, parameter)) {
        fr_slice_print(state->option_text[option], text, sizeof text);
        fr_filter_fault(filter, state->option_line[option], FR_CHOICE,
                        "%s %s is none of %s; give the most similar one as %s",
                        option == ROW_PERM ? "RowPerm" : "ColPerm", text, list, parameter);
    }
}

static void set_options(struct fr_filter *filter, struct fr_import_run *run,
                        const struct state *state)
{
    static const char *const counts[OPTIONS] = { [RELAX] = "supernode_relax",
                                                 [MAX_SUPERNODE] = "supernode_max",
                                                 [LOOKAHEADS] = "lookahead_panels" };

    set_named(filter, run, state, "ordering", COL_PERM, orderings, ORDERINGS, SPARSE_ORDERING_LIST);
    set_named(filter, run, state, "row_permutation", ROW_PERM, row_permutations, ROW_PERMUTATIONS,
              "none, transversal");
    for (size_t i = 0; i < OPTIONS; i++)
        if (counts[i] && state->option[i] >= 0)
            fr_run_set(run, counts[i], (double)state->option[i])->line = state->option_line[i];
    if (state->option[LOOKAHEADS] >= 0 && !fr_filter_given(filter, "overlap"))
        /* The library's order, which looks ahead. */
        fr_run_set_text(run, "overlap", "window")->line = state->option_line[LOOKAHEADS];
}

static void set_grid(struct fr_filter *filter, struct fr_import_run *run, const struct state *state)
{
    if (state->rows && state->columns) {
        fr_run_set(run, "process_rows", (double)state->rows)->line = state->grid_line;
        fr_run_set(run, "process_columns", (double)state->columns)->line = state->grid_line;
    }
    if (state->option[ALGORITHM_3D] > 0 && !state->layers) {
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
                           const struct state *state)
{
    const int64_t *nonzeros = state->nonzeros;
    const bool has_all = nonzeros[IN_L] && nonzeros[IN_U] && nonzeros[IN_BOTH];
    const int64_t order = state->order
                              ? state->order
                              : (has_all ? nonzeros[IN_L] + nonzeros[IN_U] - nonzeros[IN_BOTH] : 0);

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
                         const struct state *state)
{
    /* Versions of an ordering differ by some percent. */
    const double tolerance = 1.25;
    const struct fr_matrix_record *matrix = filter->given->matrix;
    const double both = (double)state->nonzeros[IN_BOTH];
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

/* Writes the factorization before this line, if there is one. */
static void finish(struct fr_filter *filter, struct state *state)
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
    fr_run_note(&run, "SuperLU_DIST");
    if (*state->matrix)
        fr_run_note(&run, ", file %s", state->matrix);
    if (state->nonzeros[IN_BOTH])
        fr_run_note(&run, ", %" PRId64 " nonzeros in L+U", state->nonzeros[IN_BOTH]);
    if (state->flops > 0)
        set_output(&run, "flops", state->flops, state->flops_line);
    if (state->nonzeros[IN_BOTH])
        set_output(&run, "nnz_lu", (double)state->nonzeros[IN_BOTH], state->nonzeros_line);
    fr_run_begin(filter, &run);
    fr_run_end(filter);
    state->flops = 0;
}

static const struct state nothing = { .option = { -1, -1, -1, -1, -1, -1 } };

static void say_other(struct fr_filter *filter, struct state *state, const char *what)
{
    finish(filter, state);
    snprintf(state->other, sizeof state->other, "%s", what);
    state->other_line = filter->line;
}

/* `1 X 2`, of the 3-D algorithm `1 X 1 X 2`; in PETSc's view `nprow 1 x npcol 2`. */
static void read_grid(struct fr_filter *filter, struct fr_slice rest, struct state *state)
{
    struct fr_slice field;
    int64_t extent[3] = { 0 };
    size_t count = 0;
    bool is_whole = true;

    if (fr_slice_skip(&rest, "nprow")) {
        is_whole = fr_slice_field(&rest, 'x', &field) && fr_slice_count(field, &extent[count++]) &&
                   rest.at;
        rest = fr_slice_trim(rest);
        is_whole = is_whole && fr_slice_skip(&rest, "npcol");
    }
    while (count < 3 && fr_slice_field(&rest, 'X', &field))
        is_whole = fr_slice_count(field, &extent[count++]) && is_whole;
    if (!is_whole || count < 2 || rest.at || !extent[0] || !extent[1])
        fr_filter_fault(filter, filter->line, FR_SYNTAX, "not a process grid such as 2 X 4");
    else if ((count == 3 && extent[2] < 1) || extent[2] > SPARSE_MAX_LAYERS ||
             extent[2] & (extent[2] - 1))
        fr_filter_fault(filter, filter->line, FR_RELATION,
                        "not a grid with 1, 2, 4 ... %d layers, which sparse_lu models",
                        SPARSE_MAX_LAYERS);
    state->grid_line = filter->line;
    state->rows = extent[0];
    state->columns = extent[1];
    state->layers = extent[2];
}

/* The name without its folder. */
static void read_matrix(struct fr_slice rest, struct state *state)
{
    const char *slash = rest.length ? memrchr(rest.at, '/', rest.length) : NULL;

    if (slash)
        rest = (struct fr_slice){ slash + 1, (size_t)(rest.at + rest.length - slash) - 1 };
    fr_slice_print(rest, state->matrix, sizeof state->matrix);
}

/* `8.361050e+06	Mflops 	 3072.76` */
static void read_flops(struct fr_filter *filter, struct fr_slice rest, struct state *state)
{
    struct fr_slice flops, unit;

    if (!state->factor.length)
        return;
    state->flops_line = filter->line;
    if (!fr_slice_word(&rest, &flops) || !fr_slice_number(flops, &state->flops) ||
        !fr_slice_word(&rest, &unit) || !fr_slice_is(unit, "Mflops") ||
        !fr_slice_word(&rest, &state->rate))
        fr_filter_fault(filter, filter->line, FR_SYNTAX, "not Factor flops with their Mflops");
}

/* The number, or the name that later versions and PETSc print. */
static bool take_option(const struct fr_filter *filter, struct state *state, enum option option,
                        struct fr_slice text)
{
    const bool is_named = option == ROW_PERM || option == COL_PERM;
    size_t i = 0;

    state->option_line[option] = filter->line;
    state->option_text[option] = text;
    if (fr_slice_count(text, &state->option[option]))
        return true;
    while (i < sizeof values / sizeof *values &&
           (values[i].option != option || !fr_slice_is(text, values[i].name)))
        i++;
    if (!is_named || !text.length)
        return false;
    state->option[option] = i < sizeof values / sizeof *values ? values[i].number : NO_VALUE;
    return true;
}

/* `Row permutation LargeDiag_MC64`, of PETSc's view. */
static bool takes_view(const struct fr_filter *filter, struct fr_slice line, struct state *state)
{
    for (size_t i = 0; i < sizeof view_names / sizeof *view_names; i++)
        if (fr_slice_skip(&line, view_names[i].label))
            return take_option(filter, state, view_names[i].option, line);
    return false;
}

/* `**    ColPerm                   :    4` */
static void read_option(struct fr_filter *filter, struct fr_slice line, struct state *state)
{
    for (size_t i = 0; i < sizeof option_names / sizeof *option_names; i++) {
        struct fr_slice rest = line;

        if (!fr_slice_skip(&rest, option_names[i].name) || !fr_slice_skip(&rest, ":"))
            continue;
        finish(filter, state);
        if (!take_option(filter, state, option_names[i].option, rest))
            fr_filter_fault(filter, filter->line, FR_SYNTAX, "not the number of a %s",
                            option_names[i].name);
    }
    for (size_t i = 0; i < sizeof other_options / sizeof *other_options; i++) {
        struct fr_slice rest = line;
        double number;

        if (fr_slice_skip(&rest, other_options[i].name) && fr_slice_skip(&rest, ":") &&
            fr_slice_number(rest, &number) && number > other_options[i].usual)
            say_other(filter, state, other_options[i].what);
    }
}

static void read_nonzeros(struct fr_filter *filter, struct fr_slice rest, int64_t *count,
                          struct state *state)
{
    if (fr_slice_count(rest, count))
        state->nonzeros_line = filter->line;
    else
        fr_filter_fault(filter, filter->line, FR_SYNTAX, "not a number of nonzeros");
}

/* The nonzeros come before the time of their factorization. */
static bool takes_nonzeros(struct fr_filter *filter, struct fr_slice line, struct state *state)
{
    static const char *const names[NONZEROS] = { "Nonzeros in L", "Nonzeros in U",
                                                 "nonzeros in L+U" };
    struct fr_slice rest = line;

    for (size_t i = 0; i < NONZEROS; i++, rest = line)
        if (fr_slice_skip(&rest, names[i]) && !fr_slice_begins(rest, "+")) {
            finish(filter, state);
            read_nonzeros(filter, rest, &state->nonzeros[i], state);
            return true;
        }
    if (!fr_slice_skip(&rest, "Matrix size min_mn"))
        return false;
    finish(filter, state);
    memset(state->nonzeros, 0, sizeof state->nonzeros);
    read_nonzeros(filter, rest, &state->order, state);
    return true;
}

/* `.. Starting with 4 OpenMP threads`, what a GPU says of itself, and the other precisions' names
 * of a routine. */
static void read_program(struct fr_filter *filter, struct fr_slice line, struct state *state)
{
    struct fr_slice rest = line, word;
    int64_t threads;
    char what[FR_IMPORT_TEXT_BYTES];

    if (fr_slice_begins(line, "GPU Driver version") || fr_slice_begins(line, "GPU Devices"))
        say_other(filter, state, "a GPU was used");
    else if (fr_slice_begins(line, ".. zQuery_Space"))
        say_other(filter, state, "the numbers are complex");
    else if (fr_slice_begins(line, ".. sQuery_Space"))
        say_other(filter, state, "the precision is single");
    while (fr_slice_has(line, "penMP threads") && fr_slice_word(&rest, &word))
        if (fr_slice_count(word, &threads) && threads > 1) {
            snprintf(what, sizeof what, "%" PRId64 " OpenMP threads", threads);
            say_other(filter, state, what);
        }
}

static void read_line(struct fr_filter *filter, struct fr_slice line, struct state *state)
{
    struct fr_slice rest = line;

    if (fr_slice_skip(&rest, "Library version:") || fr_slice_skip(&rest, "Input matrix file:")) {
        finish(filter, state);
        *state = nothing;
        if (fr_slice_begins(line, "Input"))
            read_matrix(rest, state);
    } else if (fr_slice_skip(&rest, "Process grid:") || fr_slice_skip(&rest, "Process grid") ||
               fr_slice_skip(&rest, "3D process grid:")) {
        if (!fr_slice_begins(rest, "nprow"))
            finish(filter, state);
        read_grid(filter, rest, state);
    } else if (fr_slice_skip(&rest, "**")) {
        read_option(filter, rest, state);
    } else if (takes_nonzeros(filter, line, state) || takes_view(filter, line, state)) {
        return;
    } else if (fr_slice_skip(&rest, "FACTOR time")) {
        finish(filter, state);
        state->factor = rest;
        state->factor_line = filter->line;
    } else if (fr_slice_skip(&rest, "Factor flops")) {
        read_flops(filter, rest, state);
    } else {
        read_program(filter, line, state);
    }
}

static void read_statistics(struct fr_filter *filter)
{
    struct state state = nothing;
    const size_t before = filter->faults->count;
    struct fr_slice line;

    while (fr_filter_line(filter, &line))
        read_line(filter, line, &state);
    finish(filter, &state);
    if (!filter->imported.runs && filter->faults->count == before)
        fr_fault(filter->faults, FR_SYNTAX, "",
                 "no factorization in %zu lines: no FACTOR time of SuperLU_DIST's statistics",
                 filter->line);
}

const struct fr_import fr_import_superlu_dist = {
    .name = "superlu_dist",
    .summary = "Statistics printed by SuperLU_DIST.",
    .model = "sparse_lu",
    .read = read_statistics,
};
