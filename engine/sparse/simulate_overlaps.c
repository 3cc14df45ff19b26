/* The factorization with the overlaps of the paper, by either kernel model; work and memory are
 * checked before anything is counted. */
#include "engine/sparse/simulate.h"

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

static int simulate_with(struct sparse_simulation *of, struct sparse_tables *tables,
                         struct fr_evaluation *run)
{
    const struct sparse_fit fit = sparse_fit_of(run->cal, false, of->slowest);
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
        of->sequential_s = of->by_alone * sparse_sums_s(&sums, &fit);
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

int sparse_simulate_overlaps(struct sparse_simulation *of, struct fr_evaluation *run)
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
