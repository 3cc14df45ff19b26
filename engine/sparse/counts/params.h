/* Inputs of a simulation of sparse LU besides the block structure and the grid: the machine, the
 * network and the variants of the model (docs/models/sparse_lu.md#symbols).  Seconds and bytes. */
#ifndef FR_SPARSE_PARAMS_H
#define FR_SPARSE_PARAMS_H

#include "engine/core/fault.h"

#include <stdbool.h>
#include <stdint.h>

enum { SPARSE_MAX_LEVELS = 4, SPARSE_MAX_POINTS = 64 };

enum sparse_policy { SPARSE_LRU, SPARSE_FIFO };
enum sparse_dgemm_counts { SPARSE_RATIO, SPARSE_EXACT };
enum sparse_destination { SPARSE_WHOLE_BLOCK, SPARSE_TOUCHED_LINES };
enum sparse_overlap { SPARSE_PAPER, SPARSE_EVENT, SPARSE_WINDOW };
enum sparse_bandwidth { SPARSE_ASYMPTOTIC, SPARSE_EFFECTIVE };

struct sparse_level {
    double capacity_bytes, line_bytes; /* line_bytes: the same in all levels, a multiple of 8 */
    enum sparse_policy policy;
    double latency_s; /* a_q */
};

/* Arithmetic and memory of one process, and how the kernel model `paper` counts them. */
struct sparse_machine {
    double flop_s;                                /* g */
    double memory_latency_s;                      /* a_mem */
    size_t levels;                                /* C, at least 1 */
    struct sparse_level level[SPARSE_MAX_LEVELS]; /* innermost first; capacities ascend */
    int64_t index_bytes;                          /* ib */
    struct {
        int64_t m, n, k; /* MB, NB, KB */
    } dgemm_block;
    struct {
        int64_t m, n; /* Ea, Eb */
    } dgemm_unroll;
    int64_t dger_unroll, dtrsv_unroll; /* Ey, EL */
    enum sparse_dgemm_counts dgemm_counts;
    double dtrsv_loads_linear; /* eq. 9: 2, or 1.5 as printed */
    bool counts_scatter;
    enum sparse_destination destination;
};

struct sparse_network {
    double latency_s;                /* a */
    enum sparse_bandwidth bandwidth; /* effective: the bandwidths include the latency */
    size_t points;                   /* at least 1, bytes ascending */
    struct {
        double bytes, bytes_per_s;
    } point[SPARSE_MAX_POINTS];
    int64_t index_bytes;
    int64_t messages_per_panel; /* 1, or 2: indices and values separately */
    enum sparse_overlap overlap;
};

/* Check that values lie within their bounds, that all levels have one line size, and that
 * capacities and message sizes ascend.  FR_OK, or FR_RANGE with faults that name the calibrated
 * values. */
int sparse_machine_check(const struct sparse_machine *machine, struct fr_faults *faults);
int sparse_network_check(const struct sparse_network *network, struct fr_faults *faults);

/* Whether two machines differ in times only.  Then their counts are equal unless a_1 / g changes
 * the kind of a dgemm (docs/models/sparse_lu.md#choice-between-flops-bound-and-memory-bound). */
bool sparse_machine_is_alike(const struct sparse_machine *a, const struct sparse_machine *b);

#endif
