/* The clocks of all processes as the factorisation goes on (sparse-lu.md 5), and the analytic time
 * (eq. 14). */
#ifndef FR_SPARSE_CLOCKS_H
#define FR_SPARSE_CLOCKS_H

#include "engine/sparse/messages.h"
#include "engine/sparse/work_counts.h"

#include <stdint.h>

struct sparse_times {
    double time_s;
    double computation_s, communication_s; /* of the critical path; they add up to time_s */
    int64_t rank_last;                     /* the process that ends last, the first of equals */
    double load_balance;                   /* LB: critical_load_s P / load_s */
    double critical_load_s;                /* L_CP: the largest load of each step, added up */
    double load_s;                         /* of all processes */
    double messages, message_bytes;
};

/* Walks through all steps of charges that have been counted for every process.  `clock_s` and
 * `own_load_s` get the end and the load of each rank; either may be NULL.  O(blocks + N P).
 * FR_NOMEM where memory is short. */
int sparse_clocks(const struct sparse_work_counts *charges, const struct sparse_costs *costs,
                  const struct sparse_network *network, struct sparse_times *out, double *clock_s,
                  double *own_load_s);

/* Eq. 14: F g / P + (2 N + N/2 log2 P) a + (2 nnz(L) + 1/2 nnz(U) log2 P) b / sqrt(P), with
 * g = sequential_s / F, and b the time of 8 bytes at one bandwidth.  `panels` is N: the supernodes,
 * or the order as the paper's text says. */
double sparse_analytic_s(const struct sparse_facts *facts, double sequential_s, double panels,
                         double latency_s, double bandwidth_bytes_per_s, double processes);
/* The table's best bandwidth. */
double sparse_best_bandwidth(const struct sparse_network *network);

#endif
