/* Runs a simulation; work and memory are checked before anything is counted. */
#include "engine/sparse/simulate.h"

#include "engine/sparse/machine.h"
#include "engine/sparse/simulate_parts.h"

#include <math.h>

int sparse_no_memory(const struct fr_evaluation *run)
{
    return fr_fault(run->faults, FR_NOMEM, "matrix", "the simulation does not fit into memory");
}

/* The code of the last fault. */
static int refused(const struct fr_evaluation *run)
{
    return run->faults->fault[fr_faults_kept(run->faults) - 1].code;
}

static int walk(struct sparse_simulation *of, const struct sparse_work_counts *counts,
                const struct sparse_costs *costs, struct fr_evaluation *run)
{
    if (sparse_clocks(counts, costs, &of->network, &of->times, of->clock_s, of->load_s) == FR_OK)
        return FR_OK;
    return sparse_no_memory(run);
}

/* Eq. 13, and the same with a TLB miss on each access to memory. */
static void time_alone(struct sparse_simulation *of, const struct sparse_work_counts *alone,
                       const struct fr_evaluation *run)
{
    const struct sparse_totals totals = sparse_work_counts_totals(alone);
    struct sparse_machine upper = of->machine;

    upper.memory_latency_s = run->cal->memory.memory_latency_tlb_miss_s;
    of->sequential_s = sparse_totals_s(&totals, &of->machine);
    of->sequential_upper_s = sparse_totals_s(&totals, &upper);
    of->bounds = alone->bounds;
}

/* Counts the grid first: if it is refused, no work is lost. */
static int simulate_paper(struct sparse_simulation *of, struct fr_evaluation *run)
{
    const struct fr_structure_source *source = of->source;
    const struct sparse_costs costs = sparse_costs_paper(&of->machine);
    const struct sparse_work_counts *alone, *counts;
    int code;

    counts = source->counts(source->context, of->s, of->grid, &of->machine, run->faults);
    if (!counts)
        return refused(run);
    alone = source->counts(source->context, of->s, (struct sparse_grid){ 1, 1 }, &of->machine,
                           run->faults);
    if (!alone) {
        code = refused(run);
    } else {
        code = walk(of, counts, &costs, run);
        of->totals = sparse_work_counts_totals(counts);
        time_alone(of, alone, run);
        source->release(source->context, alone);
    }
    source->release(source->context, counts);
    run->out->used |= FR_USE(CACHES) | FR_USE(MEMORY_LATENCY) | FR_USE(TLB_MISS_LATENCY) |
                      FR_USE(FLOP_TIME) | FR_USE(DGEMM_BLOCK) | FR_USE(DGEMM_UNROLL) |
                      FR_USE(DGER_UNROLL) | FR_USE(DTRSV_UNROLL);
    return code;
}

/* Warns of each axis whose sizes outside it take more than 1 % of the time of the routine. */
static void warn_outside(struct fr_prediction *out, const char *const axis[],
                         const struct sparse_rates *rates)
{
    for (size_t a = 0; a < rates->axes; a++) {
        const struct sparse_axis *of = &rates->axis[a];

        if (of->outside_s > 0.01 * rates->time_s)
            fr_warn(out, FR_WARN_EXTRAPOLATED, axis[a], of->value, of->least, of->most);
    }
}

void sparse_warn_of_tables(struct fr_prediction *out, const struct sparse_tables *tables)
{
    static const char *const dgemm[] = { "kernels.dgemm.rates.m", "kernels.dgemm.rates.n",
                                         "kernels.dgemm.rates.k" };
    static const char *const dtrsm[] = { "kernels.dtrsm.rates.m", "kernels.dtrsm.rates.n" };
    static const char *const dger[] = { "kernels.dger.rates.m", "kernels.dger.rates.n" };
    static const char *const dtrsv[] = { "kernels.dtrsv.rates.n" };

    warn_outside(out, dgemm, &tables->dgemm);
    warn_outside(out, dtrsm, &tables->dtrsm);
    warn_outside(out, dger, &tables->dger);
    warn_outside(out, dtrsv, &tables->dtrsv);
}

static int simulate_with(struct sparse_simulation *of, struct sparse_tables *tables,
                         struct fr_evaluation *run)
{
    const struct sparse_fit fit = sparse_fit_of(run->cal, false);
    const struct sparse_costs costs = sparse_costs_calibrated(&fit);
    struct sparse_work_counts *counts =
        sparse_work_counts_calibrated(of->s, of->grid, tables, run->faults);
    struct sparse_sums sums;
    int code = FR_NOMEM;

    /* Before the count of a single process, whose sizes are larger. */
    sparse_warn_of_tables(run->out, tables);
    if (counts)
        code = sparse_calibrated_sums(of->s, tables, &sums, run->faults);
    if (code == FR_OK) {
        of->sequential_s = sparse_sums_s(&sums, &fit);
        code = walk(of, counts, &costs, run);
    }
    sparse_work_counts_free(counts);
    return code;
}

static int simulate_calibrated(struct sparse_simulation *of, const struct sparse_work *work,
                               struct fr_evaluation *run)
{
    const double bytes = sparse_work_bytes(work, of->s, of->grid, SPARSE_CALIBRATED_PANEL_TERMS,
                                           SPARSE_CALIBRATED_UPDATE_TERMS);
    struct sparse_tables tables;
    int code = of->source->allow(of->source->context, sparse_calibrated_updates(work, of->s), bytes,
                                 run->faults);

    if (code != FR_OK)
        return code;
    code = sparse_tables_init(&tables, run->cal->kernels.routine, run->faults);
    if (code != FR_OK)
        return code;
    code = simulate_with(of, &tables, run);
    sparse_tables_free(&tables);
    run->out->used |= FR_USE(SPARSE_FIT) | FR_USE(DGEMM_RATES) | FR_USE(DTRSM_RATES) |
                      FR_USE(DGER_RATES) | FR_USE(DTRSV_RATES);
    return code;
}

int sparse_spend(const struct sparse_simulation *of, double steps, const struct fr_evaluation *run)
{
    if (fr_arena_afford(run->arena, steps))
        return FR_OK;
    return fr_fault(
        run->faults, FR_TOO_LONG, "matrix",
        "%.0f processes in %.0f steps exceed the work that is left for this request; ask "
        "for fewer processes or fewer points",
        (double)sparse_all_processes(of), (double)of->s->supernodes);
}

int sparse_admit(const struct sparse_simulation *of, const struct sparse_demand *demand,
                 const struct fr_evaluation *run)
{
    int code = sparse_spend(of, demand->steps, run);

    if (code != FR_OK)
        return code;
    code = of->source->allow(of->source->context, demand->updates, demand->bytes, run->faults);
    if (code != FR_OK)
        fr_arena_afford(run->arena, -demand->steps); /* a refusal refunds them */
    return code;
}

/* With the overlaps of the paper.  Charges the request for the passes over all steps first; a
 * refusal refunds them. */
static int factor(struct sparse_simulation *of, struct fr_evaluation *run)
{
    struct sparse_work work;
    double steps;
    int code;

    sparse_work_find(of->s, of->grid, &work);
    steps = sparse_walk_steps(of->s, of->grid) + sparse_operation_steps(&work);
    code = sparse_spend(of, steps, run);
    if (code != FR_OK)
        return code;
    code = of->is_calibrated ? simulate_calibrated(of, &work, run) : simulate_paper(of, run);
    if (code == FR_TOO_LONG)
        fr_arena_afford(run->arena, -steps);
    return code;
}

static void add(struct sparse_times *sum, const struct sparse_times *part, double times,
                double processes)
{
    sum->time_s += times * part->time_s;
    sum->computation_s += times * part->computation_s;
    sum->communication_s += times * part->communication_s;
    sum->critical_load_s += times * part->critical_load_s;
    sum->load_s += times * part->load_s;
    sum->messages += times * part->messages;
    sum->message_bytes += times * part->message_bytes;
    sum->largest_message_bytes = fmax(sum->largest_message_bytes, part->largest_message_bytes);
    sum->most_load_s += times * part->most_load_s;
    sum->most_sending_s += times * part->most_sending_s;
    sum->critical_path_s += times * part->critical_path_s;
    sum->load_balance = sum->load_s > 0 ? sum->critical_load_s * processes / sum->load_s : 1;
}

static int simulate_parts(struct sparse_simulation *of, struct fr_evaluation *run)
{
    const double processes = (double)sparse_processes(of->grid);
    int code = FR_OK;

    if (of->part != SPARSE_ONLY_SOLVE)
        code = of->network.overlap == SPARSE_WINDOW ? sparse_simulate_window(of, run)
                                                    : factor(of, run);
    if (code == FR_OK && of->part != SPARSE_ONLY_FACTOR)
        code = sparse_simulate_solve(of, run);
    of->total = of->times;
    if (of->part != SPARSE_ONLY_FACTOR)
        add(&of->total, &of->solve.times, (double)of->solves, processes);
    return code;
}

/* The overlaps of the paper look ahead by one step. */
static int find_memory(struct sparse_simulation *of)
{
    const int32_t lookahead = of->network.overlap == SPARSE_WINDOW ? of->window : 1;

    return sparse_memory_find(of->s, of->grid, sparse_forests_of(of), of->network.index_bytes,
                              lookahead, &of->memory);
}

int sparse_simulate(struct sparse_simulation *of, struct fr_evaluation *run)
{
    int code;

    if (!of->s)
        return fr_fault(run->faults, FR_NOT_FOUND, "matrix",
                        "its block structure is not available");
    code = sparse_spend(of, sparse_find_steps(of->s), run);
    if (code == FR_OK)
        code = simulate_parts(of, run);
    if (code == FR_OK && find_memory(of) != FR_OK)
        code = sparse_no_memory(run);
    sparse_forests_free(&of->forests);
    return code;
}
