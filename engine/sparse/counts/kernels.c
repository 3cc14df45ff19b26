/* Equations (1) to (10) of the paper. */
#include "engine/sparse/counts/work_counts.h"

#include <math.h>

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

double sparse_dgemm_threshold(const struct sparse_machine *machine, int64_t m, int64_t n, int64_t k)
{
    const double ea = (double)least(machine->dgemm_unroll.m, m);
    const double eb = (double)least(machine->dgemm_unroll.n, n);
    const double kb = (double)least(machine->dgemm_block.k, k);

    /* (2 mb nb kb + mb nb) g = (mb nb + mb nb kb/eb + mb nb kb/ea) a_1 */
    return (2 * kb + 1) / (1 + kb / eb + kb / ea);
}

bool sparse_is_flops_bound(const struct sparse_machine *machine, double threshold)
{
    const double ratio = machine->level[0].latency_s / machine->flop_s;

    return threshold > ratio * (1 + 1e-12);
}

struct sparse_counts sparse_dgemm(const struct sparse_machine *machine, double m, double per_unroll,
                                  int64_t n, int64_t k, bool is_flops_bound)
{
    const double nk = (double)n * (double)k, nb = (double)machine->dgemm_block.n;
    const double eb = (double)least(machine->dgemm_unroll.n, n),
                 kb = (double)machine->dgemm_block.k;
    const double inner = m * nk / eb + per_unroll * nk;
    double copies, results;

    if (machine->dgemm_counts == SPARSE_RATIO) {
        copies = m * nk / nb;
        results = m * nk / kb;
    } else {
        copies = m * (double)k * ceil((double)n / nb);
        results = m * (double)n * ceil((double)k / kb);
    }
    if (is_flops_bound)
        return (struct sparse_counts){ 2 * m * nk + m * (double)n, copies, copies + results,
                                       inner };
    return (struct sparse_counts){ m * (double)n, copies + inner, copies + results, 0 };
}

struct sparse_counts sparse_dgers(const struct sparse_machine *machine, double width, double rows,
                                  bool has_diagonal)
{
    const double sum = width * (width - 1) / 2, squares = sum * (2 * width - 1) / 3;
    const double elements = rows * sum + (has_diagonal ? squares : 0);

    if (rows == 0 && !has_diagonal)
        return (struct sparse_counts){ 0 };
    return (struct sparse_counts){ 0, elements + elements / (double)machine->dger_unroll + sum,
                                   elements, 0 };
}

struct sparse_counts sparse_dtrsv(const struct sparse_machine *machine, double sum, double sumsq)
{
    const double el = (double)machine->dtrsv_unroll;

    return (struct sparse_counts){ 0, sumsq / 2 * (1 + 1 / el) + machine->dtrsv_loads_linear * sum,
                                   sumsq / 2 / el + sum / 2, 0 };
}
