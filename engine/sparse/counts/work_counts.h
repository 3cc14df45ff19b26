/* Work and messages of each process, counted. */
#ifndef FR_SPARSE_WORK_COUNTS_H
#define FR_SPARSE_WORK_COUNTS_H

#include "engine/core/fault.h"
#include "engine/sparse/structure/structure.h"

/* Inputs of a simulation of sparse LU besides the block structure and the grid: the machine, the
 * network and the variants of the model (docs/models/sparse_lu.md#symbols).  Seconds and bytes. */

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

/* Operations, loads and stores of doubles in the kernels of the factorization
 * (docs/models/sparse_lu.md#kernel-counts). */

struct sparse_counts {
    double flops; /* of dgemm: those that eq. 13 multiplies by g */
    double loads, stores;
    double inner_loads; /* of eq. 1 where the operations take longer, which eq. 13 leaves out */
};

/* The ratio a_1 / g from which a dgemm of these sizes is memory-bound: its loads and stores (eqs. 1
 * and 2) then take as long as its operations (eq. 3);
 * docs/models/sparse_lu.md#choice-between-flops-bound-and-memory-bound. */
double sparse_dgemm_threshold(const struct sparse_machine *machine, int64_t m, int64_t n,
                              int64_t k);
/* Whether a_1 / g of the machine is below the threshold.  A tie is memory-bound, also if rounding
 * of the times hides it. */
bool sparse_is_flops_bound(const struct sparse_machine *machine, double threshold);

/* Sum over dgemms (M, N, K) of one kind that differ in M only: eqs. 4 to 6, with the loads of eq. 1
 * if memory-bound, else as inner loads.  `m` is the sum of M, `per_unroll` the sum of M / min(Ea,
 * M). */
struct sparse_counts sparse_dgemm(const struct sparse_machine *machine, double m, double per_unroll,
                                  int64_t n, int64_t k, bool is_flops_bound);
/* Eqs. 7 and 8, A (M x N) -= x y', of the dgers that factor a column of width w, for N = w - 1 ...
 * 1: M = rows, plus N if the process has the diagonal block. */
struct sparse_counts sparse_dgers(const struct sparse_machine *machine, double width, double rows,
                                  bool has_diagonal);
/* Eqs. 9 and 10 over solves whose orders have the sum `sum` and the sum of squares `sumsq`. */
struct sparse_counts sparse_dtrsv(const struct sparse_machine *machine, double sum, double sumsq);

/* Bounds on the cache misses of a single process, and the paper's estimates of them
 * (docs/models/sparse_lu.md#bounds-on-cache-misses). */

/* Lines.  low and high hold for the simulated misses of every level; the others are eqs. 11 and 12,
 * which do not bound them. */
struct sparse_bounds {
    double low, high;
    double low_paper, high_paper;
};

/* FR_OK, or FR_NOMEM without a fault.  O(N + blocks + updates). */
int sparse_miss_bounds(const struct sparse_structure *s, const struct sparse_machine *machine,
                       struct sparse_bounds *out);

/* The work of each process in each step, counted but not timed
 * (docs/models/sparse_lu.md#work-of-one-process-in-one-step).
 *
 * An operation is a few numbers, its terms; their sum weighted with struct sparse_costs is a time.
 * The terms of a process are stored in the order of its operations,
 *
 *     factor(0); for each k: solve(k), update(k; j = k + 1), factor(k + 1), update(k; other j)
 *
 * and a byte per step tells which of these exist.  Latencies, the network and the overlap can
 * change without a new count; g and a_1 as far as sparse_work_counts_hold allows.  Memory: a byte
 * per process and step, and 8 bytes per term.
 */

/* The operations of a step. */
enum sparse_operation {
    SPARSE_FACTOR = 1,
    SPARSE_SOLVE = 2,
    SPARSE_UPDATE_NEXT = 4, /* j = k + 1 */
    SPARSE_UPDATE_REST = 8,
};

enum { SPARSE_MAX_TERMS = 2 + SPARSE_MAX_LEVELS };

/* The cost in seconds of each term of factor and solve (panel) and of updates.  Terms of the kernel
 * model `paper`: loads and stores, then misses of each level; updates begin with the flops of
 * dgemm. `calibrated`: the members of struct sparse_sums. */
struct sparse_costs {
    size_t panel_terms, update_terms;
    double panel[SPARSE_MAX_TERMS], update[SPARSE_MAX_TERMS];
};

/* Counts over all steps of a process, or over all processes. */
struct sparse_totals {
    double flops_dgemm, loads, stores;
    double inner_loads;               /* besides, as struct sparse_counts has them */
    double misses[SPARSE_MAX_LEVELS]; /* lines, innermost level first */
    double dgemms_flops_bound, dgemms_memory_bound, updates;
};

/* The factors of the constants c1 to c6
 * (docs/models/sparse_lu.md#calibrated-kernel-model). */
struct sparse_sums {
    double gemm_s, panel_s; /* from the rate tables */
    double elements;        /* scattered elements */
    double pairs;           /* pairs of a row block and a column block */
    double columns;         /* pairs of a row block and a column */
    double supernodes;      /* supernodes with work */
};

/* The counted work of one process. */
struct sparse_process {
    uint8_t *has; /* borrowed; for each step, bits of enum sparse_operation; FACTOR of column k is
                     at k */
    double *term;
    size_t terms, room;
    struct sparse_totals totals; /* paper */
    struct sparse_sums sums;     /* calibrated */
    /* Every dgemm keeps its kind while low <= a_1 / g < high. */
    double low, high;
};

struct sparse_work_counts {
    const struct sparse_structure *s;
    struct sparse_grid grid;
    struct sparse_machine machine; /* of the kernel model `paper` */
    size_t panel_terms, update_terms;
    struct sparse_process *process; /* one for each rank */
    uint8_t *has;                   /* of all processes, in one allocation */
    struct sparse_bounds bounds;    /* set by sparse_work_counts_bound */
};

/* Empty counts for every process of a grid; borrows the structure.  NULL with a fault (FR_RANGE,
 * FR_NOMEM).  Free with sparse_work_counts_free, which accepts NULL. */
struct sparse_work_counts *sparse_work_counts_new(const struct sparse_structure *s,
                                                  struct sparse_grid grid, size_t panel_terms,
                                                  size_t update_terms, struct fr_faults *faults);
void sparse_work_counts_free(struct sparse_work_counts *counts);
/* Starts the count of a process. */
void sparse_process_begin(struct sparse_process *process);
/* Appends the terms of an operation of step k.  FR_OK or FR_NOMEM. */
int sparse_process_add(struct sparse_process *process, int32_t k, enum sparse_operation operation,
                       const double *term, size_t terms);
/* Ends the count; frees memory that was not needed. */
void sparse_process_end(struct sparse_process *process);

/* ---- kernel model `paper` ---- */

/* As sparse_work_counts_new, for a machine that passed sparse_machine_check. */
struct sparse_work_counts *sparse_work_counts_paper(const struct sparse_structure *s,
                                                    struct sparse_grid grid,
                                                    const struct sparse_machine *machine,
                                                    struct fr_faults *faults);

/* Sets the bounds on the cache misses of a single process.  FR_OK, or FR_NOMEM with a fault. */
int sparse_work_counts_bound(struct sparse_work_counts *counts, struct fr_faults *faults);

/* Whether a count for another machine would give the same result. */
bool sparse_work_counts_hold(const struct sparse_work_counts *counts,
                             const struct sparse_machine *other);
/* Eq. 13 as costs: g for flops, a_1 for loads and stores, a_(q+1) - a_q for misses of level q
 * (docs/models/sparse_lu.md#sequential-time). */
struct sparse_costs sparse_costs_paper(const struct sparse_machine *machine);
/* The sum over all processes. */
struct sparse_totals sparse_work_counts_totals(const struct sparse_work_counts *counts);
/* Eq. 13: seconds of all counted work on one process. */
double sparse_totals_s(const struct sparse_totals *totals, const struct sparse_machine *machine);

/* Counts the work of the kernel model `paper`. */

/* The simulated caches and the block numbering of one process; each thread needs its own and reuses
 * it for all its processes.  Memory: 20 bytes per block of a process, 8 more per block of U, and 20
 * per cache line.  NULL if memory is short; free with sparse_counter_free, which accepts NULL. */
struct sparse_counter *sparse_counter_new(const struct sparse_work_counts *counts);
void sparse_counter_free(struct sparse_counter *counter);
/* Sets a function that is called every few microseconds of counting; counting stops when it returns
 * false. */
void sparse_counter_ask(struct sparse_counter *counter, bool (*goes_on)(const void *context),
                        const void *context);
/* Counts one process; writes counts->process[rank] only, so that threads can count different
 * processes.  FR_OK, FR_NOMEM, or FR_TOO_LONG if it was stopped; without faults.
 * O(N + blocks + updates of the process). */
int sparse_work_counts_count(struct sparse_work_counts *counts, struct sparse_counter *counter,
                             int64_t rank);
/* Counts all processes one after the other.  FR_OK, or FR_NOMEM with a fault. */
int sparse_work_counts_count_all(struct sparse_work_counts *counts, struct fr_faults *faults);

/* The provider of block structures and counted work for models of sparse matrices: the server, or a
 * test. */

struct fr_structure_source {
    void *context;
    /* The structure of a stored matrix, or of the request itself, which leaves the key open (an
     * empty ordering, no limits).  Limits of a stored one that are left open follow its upload's.
     * `is_counted`: its updates will be counted (kernel model `paper`), so that a structure with
     * too many is refused.  Borrowed until the request ends; NULL with a fault of `matrix` or of a
     * member of the key; FR_STRUCTURE_MISSING if nobody has asked for this structure yet. */
    const struct sparse_structure *(*find)(void *context, const char *matrix,
                                           const struct sparse_structure_key *key, bool is_counted,
                                           struct fr_faults *faults);
    /* The work of the kernel model `paper`, from a cache or counted now; that of one process has
     * its bounds set.  NULL with a fault.  Return it with `release`. */
    const struct sparse_work_counts *(*counts)(void *context, const struct sparse_structure *s,
                                               struct sparse_grid grid,
                                               const struct sparse_machine *machine,
                                               struct fr_faults *faults);
    /* Admits work of so many updates and memory of so many bytes.  FR_OK, or FR_TOO_LONG with a
     * fault. */
    int (*allow)(void *context, double updates, double bytes, struct fr_faults *faults);
    void (*release)(void *context, const struct sparse_work_counts *counts);
};

#endif
