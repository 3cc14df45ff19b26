/* Reduces the computation of a saved run to the few statistics that predictions read
 * (docs/saved_runs.md#computation-of-a-run).  A run may hold millions of times and serve every
 * point of a sweep. */
#include "engine/calibration/field.h"
#include "engine/core/arena.h"
#include "engine/core/fault.h"
#include "engine/core/statistics.h"
#include "engine/runs/saved_run.h"

#include <math.h>

/* Fractions of the phases of an iteration; `rows` consecutive iterations are added. */
struct share {
    double matvec, preconditioner, vector;
    size_t rows;
};

/* Vector work is divided by the words that it moves (docs/models/krylov.md#synchronization). */
static const struct share shares[FR_RUN_SHARES] = {
    [FR_RUN_MATVEC] = { 1, 0, 0, 1 },
    [FR_RUN_PRECONDITIONER] = { 0, 1, 0, 1 },
    [FR_RUN_VECTOR] = { 0, 0, 1, 1 },
    [FR_RUN_ITERATION] = { 1, 1, 1, 1 },
    [FR_RUN_PAIR] = { 1, 1, 1, 2 },
    [FR_RUN_PCG_MATVEC] = { 1, 0, 5.0 / 13, 1 },
    [FR_RUN_PCG_PRECONDITIONER] = { 0, 1, 8.0 / 13, 1 },
    [FR_RUN_NBPCG_PRECONDITIONER] = { 0, 1, 8.0 / 19, 1 },
    [FR_RUN_NBPCG_MATVEC] = { 1, 0, 11.0 / 19, 1 },
};

/* Times of one share, sorted for their quantiles. */
struct scratch {
    double *all, *slowest;
};

static double time_of(const struct fr_run_computation *c, const struct share *share, size_t row,
                      size_t column)
{
    if (c->total_s.row)
        return c->total_s.row[row].row[column];
    return share->matvec * c->phases.matvec_s.row[row].row[column] +
           share->preconditioner * c->phases.preconditioner_s.row[row].row[column] +
           share->vector * c->phases.vector_s.row[row].row[column];
}

/* `rows` is at least share->rows; an odd last row of pairs is dropped. */
static struct fr_run_statistics measure(const struct fr_run_computation *c,
                                        const struct share *share, size_t rows, size_t columns,
                                        struct scratch scratch)
{
    const size_t groups = rows / share->rows;
    size_t count = 0;

    for (size_t i = 0; i < groups; i++) {
        scratch.slowest[i] = 0;
        for (size_t j = 0; j < columns; j++) {
            double time_s = 0;

            for (size_t k = 0; k < share->rows; k++)
                time_s += time_of(c, share, i * share->rows + k, j);
            scratch.slowest[i] = fmax(scratch.slowest[i], time_s);
            scratch.all[count++] = time_s;
        }
    }
    fr_sort(scratch.all, count);
    fr_sort(scratch.slowest, groups);
    return (struct fr_run_statistics){
        .median_s = fr_quantile(scratch.all, count, 0.5),
        .first_quartile_s = fr_quantile(scratch.all, count, 0.25),
        .slowest_median_s = fr_quantile(scratch.slowest, groups, 0.5),
        .slowest_first_quartile_s = fr_quantile(scratch.slowest, groups, 0.25),
    };
}

static struct fr_run_statistics twice(const struct fr_run_statistics *of)
{
    return (struct fr_run_statistics){ 2 * of->median_s, 2 * of->first_quartile_s,
                                       2 * of->slowest_median_s, 2 * of->slowest_first_quartile_s };
}

static int measure_lists(const struct fr_run_computation *c, const fr_number_lists *lists,
                         struct fr_arena *arena, struct fr_run_summary *out,
                         struct fr_faults *faults)
{
    const struct fr_arena_mark mark = fr_arena_mark(arena);
    const size_t rows = lists->count, columns = lists->row[0].count;
    const struct scratch scratch = { fr_arena_zeroed(arena, rows * columns, sizeof(double)),
                                     fr_arena_zeroed(arena, rows, sizeof(double)) };
    const bool is_whole = c->total_s.row;

    if (!scratch.all || !scratch.slowest)
        return fr_fault(faults, FR_NOMEM, "/computation", "too many numbers; give a summary");
    for (size_t i = 0; i < FR_RUN_SHARES; i++)
        if (rows >= shares[i].rows && (!is_whole || i == FR_RUN_ITERATION || i == FR_RUN_PAIR))
            out->of[i] = measure(c, &shares[i], rows, columns, scratch);
    fr_arena_release(arena, mark);
    return FR_OK;
}

int fr_run_summarize(const struct fr_run_computation *computation, struct fr_arena *arena,
                     struct fr_run_summary *out, struct fr_faults *faults)
{
    const struct fr_run_computation *c = computation;
    const fr_number_lists *lists = c->total_s.row ? &c->total_s : &c->phases.matvec_s;

    for (size_t i = 0; i < FR_RUN_SHARES; i++)
        out->of[i] = (struct fr_run_statistics){ NAN, NAN, NAN, NAN };
    if (lists->row)
        return measure_lists(c, lists, arena, out, faults);
    out->of[FR_RUN_ITERATION] = c->summary;
    out->of[FR_RUN_PAIR] = twice(&c->summary);
    return FR_OK;
}
