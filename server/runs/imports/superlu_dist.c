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
#include "server/runs/imports/superlu_dist.h"

#include "engine/sparse/structure/structure.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Up to version 7, and from 8 on. */
static const struct {
    const char *name;
    enum superlu_option option;
} option_names[] = {
    { "ColPerm", SUPERLU_COL_PERM },
    { "RowPerm", SUPERLU_ROW_PERM },
    { "relaxation", SUPERLU_RELAX },
    { "superlu_relax", SUPERLU_RELAX },
    { "max supernode", SUPERLU_MAX_SUPERNODE },
    { "superlu_maxsup", SUPERLU_MAX_SUPERNODE },
    { "num_lookaheads", SUPERLU_LOOKAHEADS },
    { "Use 3D algorithm", SUPERLU_3D },
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
    enum superlu_option option;
} view_names[] = {
    { "Row permutation", SUPERLU_ROW_PERM },
    { "Column permutation", SUPERLU_COL_PERM },
};
static const struct superlu nothing = { .option = { -1, -1, -1, -1, -1, -1 } };

static void say_other(struct fr_filter *filter, struct superlu *state, const char *what)
{
    superlu_finish(filter, state);
    snprintf(state->other, sizeof state->other, "%s", what);
    state->other_line = filter->line;
}

/* `1 X 2`, of the 3-D algorithm `1 X 1 X 2`; in PETSc's view `nprow 1 x npcol 2`. */
static void read_grid(struct fr_filter *filter, struct fr_slice rest, struct superlu *state)
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
    state->has_run = false;
    state->first_line = 0;
    state->grid_line = filter->line;
    state->rows = extent[0];
    state->columns = extent[1];
    state->layers = extent[2];
}

/* The name without its folder. */
static void read_matrix(struct fr_slice rest, struct superlu *state)
{
    const char *slash = rest.length ? memrchr(rest.at, '/', rest.length) : NULL;

    if (slash)
        rest = (struct fr_slice){ slash + 1, (size_t)(rest.at + rest.length - slash) - 1 };
    fr_slice_print(rest, state->matrix, sizeof state->matrix);
}

/* `8.361050e+06	Mflops 	 3072.76` */
static void read_flops(struct fr_filter *filter, struct fr_slice rest, struct superlu *state)
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

/* Permutations also have names. */
static bool take_option(const struct fr_filter *filter, struct superlu *state,
                        enum superlu_option option, struct fr_slice text)
{
    const bool is_named = option == SUPERLU_ROW_PERM || option == SUPERLU_COL_PERM;

    state->option_line[option] = filter->line;
    if (!is_named)
        return fr_slice_count(text, &state->option[option]);
    state->text[option] = text;
    return text.length > 0;
}

/* `Row permutation LargeDiag_MC64`, of PETSc's view. */
static bool takes_view(const struct fr_filter *filter, struct fr_slice line, struct superlu *state)
{
    for (size_t i = 0; i < sizeof view_names / sizeof *view_names; i++)
        if (fr_slice_skip(&line, view_names[i].label))
            return take_option(filter, state, view_names[i].option, line);
    return false;
}

/* `**    ColPerm                   :    4` */
static void read_option(struct fr_filter *filter, struct fr_slice line, struct superlu *state)
{
    for (size_t i = 0; i < sizeof option_names / sizeof *option_names; i++) {
        struct fr_slice rest = line;

        if (!fr_slice_skip(&rest, option_names[i].name) || !fr_slice_skip(&rest, ":"))
            continue;
        superlu_finish(filter, state);
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
                          struct superlu *state)
{
    if (fr_slice_count(rest, count))
        state->nonzeros_line = filter->line;
    else
        fr_filter_fault(filter, filter->line, FR_SYNTAX, "not a number of nonzeros");
}

/* The nonzeros come before the time of their factorization. */
static bool takes_nonzeros(struct fr_filter *filter, struct fr_slice line, struct superlu *state)
{
    static const char *const names[SUPERLU_NONZEROS] = { "Nonzeros in L", "Nonzeros in U",
                                                         "nonzeros in L+U" };
    struct fr_slice rest = line;

    for (size_t i = 0; i < SUPERLU_NONZEROS; i++, rest = line)
        if (fr_slice_skip(&rest, names[i]) && !fr_slice_begins(rest, "+")) {
            superlu_finish(filter, state);
            read_nonzeros(filter, rest, &state->nonzeros[i], state);
            return true;
        }
    if (!fr_slice_skip(&rest, "Matrix size min_mn"))
        return false;
    superlu_finish(filter, state);
    memset(state->nonzeros, 0, sizeof state->nonzeros);
    read_nonzeros(filter, rest, &state->order, state);
    return true;
}

/* `.. Starting with 4 OpenMP threads`, what a GPU says of itself, and the other precisions' names
 * of a routine. */
static void read_program(struct fr_filter *filter, struct fr_slice line, struct superlu *state)
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

static void read_line(struct fr_filter *filter, struct fr_slice line, struct superlu *state)
{
    struct fr_slice rest = line;

    if (fr_slice_skip(&rest, "Library version:") || fr_slice_skip(&rest, "Input matrix file:")) {
        superlu_finish(filter, state);
        *state = nothing;
        if (fr_slice_begins(line, "Input"))
            read_matrix(rest, state);
    } else if (fr_slice_skip(&rest, "Process grid:") || fr_slice_skip(&rest, "Process grid") ||
               fr_slice_skip(&rest, "3D process grid:")) {
        if (!fr_slice_begins(rest, "nprow"))
            superlu_finish(filter, state);
        read_grid(filter, rest, state);
    } else if (fr_slice_skip(&rest, "**")) {
        read_option(filter, rest, state);
    } else if (takes_nonzeros(filter, line, state) || takes_view(filter, line, state)) {
        return;
    } else if (fr_slice_skip(&rest, "FACTOR time")) {
        superlu_finish(filter, state);
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
    struct superlu state = nothing;
    const size_t before = filter->faults->count;
    struct fr_slice line;

    while (fr_filter_line(filter, &line))
        read_line(filter, line, &state);
    superlu_finish(filter, &state);
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
