/* What the parts of a simulation share: charges for work, refusals, warnings. */
#include "engine/sparse/simulate.h"

int sparse_no_memory(const struct fr_evaluation *run)
{
    return fr_fault(run->faults, FR_NOMEM, "matrix", "the simulation does not fit into memory");
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
