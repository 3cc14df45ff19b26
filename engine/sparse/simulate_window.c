/* Work and memory are checked first; then the work of the grid is counted, and that of one process
 * for the speedup. */
#include "engine/sparse/simulate.h"

#include "engine/sparse/clocks/clocks.h"

#include <math.h>

/* The work of the schedule on the grid. */
struct counted {
    struct sparse_shares shares;
    struct sparse_window_work work;
};

static int count(struct counted *counted, const struct sparse_simulation *of,
                 const struct sparse_schedule *schedule, struct sparse_tables *tables)
{
    int code;

    *counted = (struct counted){ 0 };
    code = sparse_shares_init(&counted->shares, of->s, of->grid, of->network.index_bytes);
    if (code == FR_OK)
        code =
            sparse_window_work_init(&counted->work, &counted->shares, schedule, of->window, tables);
    return code;
}

static void forget(struct counted *counted)
{
    sparse_window_work_free(&counted->work);
    sparse_shares_free(&counted->shares);
}

/* The time of one process with the same window: its work, since it waits for nobody. */
static int time_alone(struct sparse_simulation *of, const struct sparse_fit *fit,
                      struct sparse_tables *tables)
{
    struct sparse_schedule schedule;
    struct sparse_sums sums;
    int code = sparse_schedule_init(&schedule, of->s, of->is_schedule_static, NULL);

    if (code == FR_OK)
        code = sparse_window_sums(of->s, &schedule, of->window, tables, &sums);
    if (code == FR_OK)
        of->sequential_s = of->by_alone * sparse_sums_s(&sums, fit);
    sparse_schedule_free(&schedule);
    return code;
}

static int simulate(struct sparse_simulation *of, struct sparse_tables *tables,
                    struct fr_evaluation *run)
{
    const struct sparse_fit fit = sparse_fit_of(run->cal, true, of->slowest);
    struct sparse_schedule schedule;
    struct counted counted = { 0 };
    int code =
        sparse_schedule_init(&schedule, of->s, of->is_schedule_static, sparse_forests_of(of));

    if (code == FR_OK)
        code = count(&counted, of, &schedule, tables);
    if (code == FR_OK) {
        /* Before the count of a single process, whose sizes are larger. */
        sparse_warn_of_tables(run->out, tables);
        if (counted.work.updates > 0)
            of->window_fraction = counted.work.updates_ahead / counted.work.updates;
        code = sparse_window_clocks(&counted.work, &fit, &of->network, &of->times, of->clock_s,
                                    of->load_s);
    }
    forget(&counted);
    sparse_schedule_free(&schedule);
    return code == FR_OK ? time_alone(of, &fit, tables) : code;
}

static int simulate_with_tables(struct sparse_simulation *of, struct fr_evaluation *run)
{
    struct sparse_tables tables;
    int code = sparse_tables_init(&tables, run->cal->kernels.routine, run->faults);

    if (code != FR_OK)
        return code;
    code = simulate(of, &tables, run);
    sparse_tables_free(&tables);
    return code == FR_OK ? FR_OK : sparse_no_memory(run);
}

/* Errors of matrices that were left out of the fit, above which predictions warn. */
static const double most_median = 1.2, most_worst = 1.6;

static void warn_of_fit(struct fr_evaluation *run)
{
    const double median = run->cal->sparse.window_fit_quality.left_out_median,
                 worst = run->cal->sparse.window_fit_quality.left_out_worst;

    if (median > most_median || worst > most_worst)
        fr_warn(run->out, FR_WARN_FIT_QUALITY, "sparse.window_fit", worst, median, most_worst);
}

static void add_layers(const struct sparse_simulation *of, struct sparse_demand *demand)
{
    const struct sparse_demand more = sparse_layers_demand(of->s, of->grid, of->layers);

    demand->steps += more.steps;
    demand->bytes += more.bytes;
}

int sparse_simulate_window(struct sparse_simulation *of, struct fr_evaluation *run)
{
    const struct sparse_demand alone =
        sparse_window_demand(of->s, (struct sparse_grid){ 1, 1 }, of->window);
    struct sparse_demand demand = sparse_window_demand(of->s, of->grid, of->window);
    int code;

    if (of->layers > 1)
        add_layers(of, &demand);
    demand.updates += alone.updates;
    demand.bytes = fmax(demand.bytes, alone.bytes);
    code = sparse_admit(of, &demand, run);
    if (code == FR_OK && of->layers > 1)
        code = sparse_find_forests(of, run);
    if (code != FR_OK)
        return code;
    warn_of_fit(run);
    run->out->used |= FR_USE(SPARSE_WINDOW_FIT) | FR_USE(DGEMM_RATES) | FR_USE(DTRSM_RATES) |
                      FR_USE(DGER_RATES) | FR_USE(DTRSV_RATES);
    return simulate_with_tables(of, run);
}
