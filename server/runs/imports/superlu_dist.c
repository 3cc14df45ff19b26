/* superlu_dist: the statistics that SuperLU_DIST prints (its drivers, or PStatPrint).
 *
 *     Process grid:		1 X 2
 *     **    ColPerm                   :    4
 *     	FACTOR time           0.003
 *     	Factor flops	8.361050e+06	Mflops 	 3072.76
 *
 * Each factorization is a run of sparse_lu.  FACTOR time has three decimals; for a short run the
 * operations divided by their rate give a more accurate time.
 */
#include "server/runs/imports/filter.h"

#include "engine/sparse/structure/forests.h"
#include "engine/sparse/structure/orderings.h"

#include <math.h>
#include <string.h>

/* What has been read so far; the grid and the options apply to the following factorizations. */
struct state {
    int64_t rows, columns; /* 0: unknown */
    int64_t layers;
    char matrix[FR_IMPORT_TEXT_BYTES];
    int64_t ordering; /* ColPerm; -1: unknown */
    char nonzeros[FR_IMPORT_TEXT_BYTES];
    struct fr_slice factor; /* the time; length 0: no factorization to be written */
    size_t factor_line;
};

/* The ordering of sparse_lu for each ColPerm; NULL: none. */
static const char *const orderings[] = {
    [0] = "natural", /* NATURAL */
    [3] = "colamd",  /* COLAMD */
    [4] = "metis",   /* METIS_AT_PLUS_A */
};
/* Not supported: MMD_ATA, MMD_AT_PLUS_A, PARMETIS, ZOLTAN, MY_PERMC. */
enum { ORDERINGS = sizeof orderings / sizeof orderings[0] };

static void set_ordering(struct fr_filter *filter, struct fr_import_run *run, int64_t ordering)
{
    const char *name = ordering >= 0 && ordering < ORDERINGS ? orderings[ordering] : NULL;

    if (name)
        fr_run_set_text(run, "ordering", name);
    else if (ordering >= 0 && !fr_filter_given(filter, "ordering"))
        fr_filter_fault(filter, run->line, FR_CHOICE,
                        "ColPerm %g is none of " SPARSE_ORDERING_LIST
                        "; give the most similar one as ordering",
                        (double)ordering);
}

static void write_run(struct fr_filter *filter, struct state *state, double flops,
                      struct fr_slice rate)
{
    struct fr_import_run run = { .line = state->factor_line };

    if (!fr_time_beside_rate(state->factor, flops, rate, 1e6, &run.time_s))
        fr_filter_fault(
            filter, run.line, FR_RELATION,
            "the time of the factorization is missing or contradicts its operations and rate");
    state->factor.length = 0;
    if (state->rows && state->columns) {
        fr_run_set(&run, "process_rows", (double)state->rows);
        fr_run_set(&run, "process_columns", (double)state->columns);
        fr_run_set(&run, "process_layers", (double)state->layers);
    }
    set_ordering(filter, &run, state->ordering);
    fr_run_note(&run, "SuperLU_DIST");
    if (*state->matrix)
        fr_run_note(&run, ", file %s", state->matrix);
    if (*state->nonzeros)
        fr_run_note(&run, ", %s nonzeros in L+U", state->nonzeros);
    fr_run_begin(filter, &run);
    if (flops > 0) {
        fr_json_key(&filter->out, "outputs");
        fr_json_object(&filter->out);
        fr_json_pair_number(&filter->out, "flops", flops);
        fr_json_object_end(&filter->out);
    }
    fr_run_end(filter);
}

static const struct state nothing = { .ordering = -1, .layers = 1 };

/* Writes a factorization whose operations were not printed. */
static void finish(struct fr_filter *filter, struct state *state)
{
    static const struct fr_slice no_rate = { "0", 1 };

    if (state->factor.length)
        write_run(filter, state, 0, no_rate);
}

/* `1 X 2`, of the 3-D algorithm `1 X 1 X 2`. */
static void read_grid(struct fr_filter *filter, struct fr_slice rest, struct state *state)
{
    struct fr_slice field;
    int64_t extent[3] = { 0, 0, 1 };
    size_t count = 0;
    bool is_whole = true;

    while (count < 3 && fr_slice_field(&rest, 'X', &field))
        is_whole = fr_slice_count(field, &extent[count++]) && is_whole;
    if (!is_whole || count < 2 || rest.at || !extent[0] || !extent[1])
        fr_filter_fault(filter, filter->line, FR_SYNTAX, "not a process grid such as 2 X 4");
    else if (extent[2] < 1 || extent[2] > SPARSE_MAX_LAYERS || extent[2] & (extent[2] - 1))
        fr_filter_fault(filter, filter->line, FR_RELATION,
                        "not a grid with 1, 2, 4 ... %d layers, which sparse_lu models",
                        SPARSE_MAX_LAYERS);
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
    struct fr_slice flops, unit, rate;
    double number = 0;

    if (!state->factor.length)
        return;
    if (fr_slice_word(&rest, &flops) && fr_slice_number(flops, &number) &&
        fr_slice_word(&rest, &unit) && fr_slice_is(unit, "Mflops") && fr_slice_word(&rest, &rate))
        write_run(filter, state, number, rate);
    else
        fr_filter_fault(filter, filter->line, FR_SYNTAX, "not Factor flops with their Mflops");
}

/* `**    ColPerm                   :    4` */
static void read_ordering(struct fr_filter *filter, struct fr_slice rest, struct state *state)
{
    if (!fr_slice_skip(&rest, ":") || !fr_slice_count(rest, &state->ordering))
        fr_filter_fault(filter, filter->line, FR_SYNTAX, "not the number of a ColPerm");
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
        finish(filter, state);
        read_grid(filter, rest, state);
    } else if (fr_slice_skip(&rest, "**") && fr_slice_skip(&rest, "ColPerm")) {
        finish(filter, state);
        read_ordering(filter, rest, state);
    } else if (fr_slice_skip(&rest, "nonzeros in L+U")) {
        fr_slice_print(rest, state->nonzeros, sizeof state->nonzeros);
    } else if (fr_slice_skip(&rest, "FACTOR time")) {
        finish(filter, state);
        state->factor = rest;
        state->factor_line = filter->line;
    } else if (fr_slice_skip(&rest, "Factor flops")) {
        read_flops(filter, rest, state);
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
