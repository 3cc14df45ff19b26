/* One solve; all others take as long. */
#include "engine/sparse/simulate.h"

/* Adds the solves to what the factorization has left in the clocks and loads of each rank. */
static void add_ranks(const struct sparse_simulation *of, const double *clock_s,
                      const double *load_s)
{
    const double before_s = of->times.time_s + ((double)of->solves - 1) * of->solve.times.time_s;

    for (int64_t p = 0; p < sparse_processes(of->grid); p++) {
        of->clock_s[p] = before_s + clock_s[p];
        of->load_s[p] += (double)of->solves * load_s[p];
    }
}

int sparse_simulate_solve(struct sparse_simulation *of, struct fr_evaluation *run)
{
    const struct sparse_solve_fit fit = sparse_solve_fit_of(run->cal, of->slowest);
    const struct sparse_demand demand = sparse_solve_demand(of->s, of->grid);
    const size_t ranks = of->clock_s ? (size_t)sparse_processes(of->grid) : 0;
    double *number = NULL, alone_s;
    int code = sparse_admit(of, &demand, run);

    if (code != FR_OK)
        return code;
    if (ranks) {
        number = fr_arena_zeroed(run->arena, 2 * ranks, sizeof *number);
        if (!number)
            return sparse_no_memory(run);
    }
    code = sparse_solve_clocks(of->s, of->grid, of->nrhs, &fit, &of->network, &of->solve, number,
                               number ? number + ranks : NULL);
    if (code != FR_OK)
        return sparse_no_memory(run);
    if (number)
        add_ranks(of, number, number + ranks);
    /* One process does the work of all, and waits for nobody. */
    alone_s = of->by_alone * (double)of->solves * of->solve.times.load_s;
    of->sequential_s += alone_s;
    of->sequential_upper_s += alone_s;
    if (sparse_has_solve_fit(run->cal))
        run->out->used |= FR_USE(SPARSE_SOLVE_FIT);
    else
        fr_warn(run->out, FR_WARN_SOLVE_FIT, NULL, 1, 1, 1);
    return FR_OK;
}
