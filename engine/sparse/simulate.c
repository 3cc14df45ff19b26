#include "engine/sparse/simulate.h"

#include "engine/sparse/machine.h"
#include "engine/sparse/work.h"

#include <math.h>

static int no_memory(struct fr_evaluation *run)
{
    return fr_fault(run->faults, FR_NOMEM, "matrix", "the simulation does not fit into memory");
}

/* The code of what was just refused. */
static int refused(const struct fr_evaluation *run)
{
    return run->faults->fault[fr_faults_kept(run->faults) - 1].code;
}

static int walk(struct sparse_simulation *of, const struct sparse_work_counts *charges,
                const struct sparse_costs *costs, struct fr_evaluation *run)
{
    if (sparse_clocks(charges, costs, &of->network, &of->times, of->clock_s, of->load_s) == FR_OK)
        return FR_OK;
    return no_memory(run);
}

/* Eq. 13, and the same with every access to memory as slow as can be. */
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

/* The grid first: where it is too much, nothing has been counted in vain. */
static int simulate_paper(struct sparse_simulation *of, struct fr_evaluation *run)
{
    const struct fr_structure_source *source = of->source;
    const struct sparse_costs costs = sparse_costs_paper(&of->machine);
    const struct sparse_work_counts *alone, *charges;
    int code;

    charges = source->charges(source->context, of->s, of->grid, &of->machine, run->faults);
    if (!charges)
        return refused(run);
    alone = source->charges(source->context, of->s, (struct sparse_grid){ 1, 1 }, &of->machine,
                            run->faults);
    if (!alone) {
        code = refused(run);
    } else {
        code = walk(of, charges, &costs, run);
        of->totals = sparse_work_counts_totals(charges);
        time_alone(of, alone, run);
        source->release(source->context, alone);
    }
    source->release(source->context, charges);
    run->out->used |= FR_USE(CACHES) | FR_USE(MEMORY_LATENCY) | FR_USE(TLB_MISS_LATENCY) |
                      FR_USE(FLOP_TIME) | FR_USE(DGEMM_BLOCK) | FR_USE(DGEMM_UNROLL) |
                      FR_USE(DGER_UNROLL) | FR_USE(DTRSV_UNROLL);
    return code;
}

/* Sizes that no table covers matter where a hundredth of the time rests on them. */
static void warn_outside(struct fr_prediction *out, const char *table,
                         const struct sparse_rates *rates)
{
    if (rates->outside_s > 0.01 * rates->time_s)
        fr_warn(out, FR_WARN_EXTRAPOLATED, table, rates->value, rates->low, rates->high);
}

static int simulate_with(struct sparse_simulation *of, struct sparse_tables *tables,
                         struct fr_evaluation *run)
{
    const struct sparse_fit fit = sparse_fit_of(run->cal);
    const struct sparse_costs costs = sparse_costs_calibrated(&fit);
    struct sparse_work_counts *charges =
        sparse_work_counts_calibrated(of->s, of->grid, tables, run->faults);
    struct sparse_sums sums;
    int code = FR_NOMEM;

    if (charges)
        code = sparse_calibrated_sums(of->s, tables, &sums, run->faults);
    if (code == FR_OK) {
        of->sequential_s = sparse_sums_s(&sums, &fit);
        code = walk(of, charges, &costs, run);
    }
    sparse_work_counts_free(charges);
    return code;
}

static int simulate_calibrated(struct sparse_simulation *of, const struct sparse_work *work,
                               struct fr_evaluation *run)
{
    const double bytes = sparse_work_bytes(work, of->s, of->grid, SPARSE_CALIBRATED_PANEL_WORDS,
                                           SPARSE_CALIBRATED_UPDATE_WORDS);
    struct sparse_tables tables;
    int code = of->source->allow(of->source->context, sparse_calibrated_updates(work, of->s), bytes,
                                 run->faults);

    if (code != FR_OK)
        return code;
    code = sparse_tables_init(&tables, run->cal->kernels.routine, run->faults);
    if (code != FR_OK)
        return code;
    code = simulate_with(of, &tables, run);
    warn_outside(run->out, "kernels.dgemm.rates", &tables.dgemm);
    warn_outside(run->out, "kernels.dtrsm.rates", &tables.dtrsm);
    warn_outside(run->out, "kernels.dger.rates", &tables.dger);
    warn_outside(run->out, "kernels.dtrsv.rates", &tables.dtrsv);
    sparse_tables_free(&tables);
    of->sequential_upper_s = NAN;
    run->out->used |= FR_USE(SPARSE_FIT) | FR_USE(DGEMM_RATES) | FR_USE(DTRSM_RATES) |
                      FR_USE(DGER_RATES) | FR_USE(DTRSV_RATES);
    return code;
}

static int spend(const struct sparse_simulation *of, double steps, const struct fr_evaluation *run)
{
    if (fr_arena_afford(run->arena, steps))
        return FR_OK;
    return fr_fault(run->faults, FR_TOO_LONG, "matrix",
                    "%.0f processes in %.0f steps are more than what is left to this question; ask "
                    "for fewer processes or fewer points",
                    (double)sparse_processes(of->grid), (double)of->s->supernodes);
}

/* Pays for the walks before anything is counted; what is refused then is not paid for. */
static int simulate(struct sparse_simulation *of, const struct sparse_work *work,
                    struct fr_evaluation *run)
{
    const double steps = sparse_walk_steps(of->s, of->grid) + sparse_charge_steps(work);
    int code = spend(of, steps, run);

    if (code != FR_OK)
        return code;
    code = of->is_calibrated ? simulate_calibrated(of, work, run) : simulate_paper(of, run);
    if (code == FR_TOO_LONG)
        fr_arena_afford(run->arena, -steps);
    return code;
}

int sparse_simulate(struct sparse_simulation *of, struct fr_evaluation *run)
{
    struct sparse_work work;
    int code;

    if (!of->s)
        return fr_fault(run->faults, FR_NOT_FOUND, "matrix", "no block structure of it is at hand");
    code = spend(of, sparse_find_steps(of->s), run);
    if (code != FR_OK)
        return code;
    sparse_work_find(of->s, of->grid, &work);
    code = simulate(of, &work, run);
    if (code == FR_OK && sparse_memory_find(of->s, of->grid, of->network.index_bytes,
                                            of->is_calibrated, &of->memory) != FR_OK)
        code = no_memory(run);
    return code;
}
