/* Eq. 14: the parallel time without a simulation. */
#include "engine/sparse/clocks.h"

#include <math.h>

double sparse_analytic_s(const struct sparse_facts *facts, double sequential_s, double panels,
                         double latency_s, double bandwidth_bytes_per_s, double processes)
{
    const double word_s = 8 / bandwidth_bytes_per_s, rounds = log2(processes);

    return sequential_s / processes + (2 * panels + panels / 2 * rounds) * latency_s +
           (2 * facts->nnz_l + facts->nnz_u / 2 * rounds) * word_s / sqrt(processes);
}

double sparse_best_bandwidth(const struct sparse_network *network)
{
    double best = 0;

    for (size_t i = 0; i < network->points; i++)
        best = fmax(best, network->point[i].bytes_per_s);
    return best;
}
