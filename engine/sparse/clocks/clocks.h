/* The clocks of all processes during the factorization (docs/models/sparse_lu.md#clocks), and the
 * analytic time (docs/models/sparse_lu.md#analytic-time). */
#ifndef FR_SPARSE_CLOCKS_H
#define FR_SPARSE_CLOCKS_H

#include "engine/sparse/clocks/messages.h"
#include "engine/sparse/counts/work_counts.h"

#include <stdint.h>

struct sparse_times {
    double time_s;
    double computation_s, communication_s; /* of the critical path; their sum is time_s */
    int64_t rank_last;                     /* the process that ends last; on a tie the first */
    double load_balance;                   /* LB = critical_load_s P / load_s */
    double critical_load_s;                /* L_CP: sum over the steps of the largest load */
    double load_s;                         /* sum over all processes */
    double messages, message_bytes, largest_message_bytes;
    double reduced_bytes; /* of message_bytes: panels that layers add to each other's */
    /* Lower bounds (docs/models/sparse_lu.md#lower-bounds): the largest load and the longest time
     * of sending U of a process, and the longest chain of panels. */
    double most_load_s, most_sending_s, critical_path_s;
};

/* Advances the clocks through all steps; the work of every process must have been counted.
 * `clock_s` and `own_load_s` receive the end and the load of each rank in seconds; either may be
 * NULL.  FR_OK, or FR_NOMEM without a fault.  O(blocks + N P). */
int sparse_clocks(const struct sparse_work_counts *counts, const struct sparse_costs *costs,
                  const struct sparse_network *network, struct sparse_times *out, double *clock_s,
                  double *own_load_s);

/* Eq. 14 in seconds: T_1 / P + (2 N + N/2 log2 P) a + (2 nnz(L) + 1/2 nnz(U) log2 P) b / sqrt(P),
 * with b the time of 8 bytes.  `panels` is N
 * (docs/models/sparse_lu.md#order-in-equation-14). */
double sparse_analytic_s(const struct sparse_facts *facts, double sequential_s, double panels,
                         double latency_s, double bandwidth_bytes_per_s, double processes);
/* The largest bandwidth of the table, in bytes per second. */
double sparse_best_bandwidth(const struct sparse_network *network);

#endif
