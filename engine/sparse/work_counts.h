/* What each process does in each step (sparse-lu.md 3), counted, not yet timed.
 *
 * A charge is a few numbers, its words, whose sum weighted by costs (struct sparse_costs) is a
 * time. The charges of a process stand one after the other in the order in which it is through with
 * them:
 *
 *     factor(0); for each k: solve(k), update(k; j = k + 1), factor(k + 1), update(k; other j)
 *
 * and a byte for each step tells which of them there are.  So latencies, the network and the
 * overlap can change without counting anew, and so can g and a_1, as long as
 * sparse_work_counts_hold. Memory: a byte for each process and step, and for each charge 8 bytes
 * times its words.
 */
#ifndef FR_SPARSE_CHARGES_H
#define FR_SPARSE_CHARGES_H

#include "engine/sparse/bounds.h"
#include "engine/sparse/grid.h"
#include "engine/sparse/kernels.h"
#include "engine/sparse/structure.h"

enum sparse_charge {
    SPARSE_FACTOR = 1,
    SPARSE_SOLVE = 2,
    SPARSE_UPDATE_NEXT = 4, /* j = k + 1 */
    SPARSE_UPDATE_REST = 8,
};

enum { SPARSE_MAX_WORDS = 2 + SPARSE_MAX_LEVELS };

/* Words of factor and solve, and of updates.  Paper: loads and stores, misses of each level;
 * updates begin with the flops of dgemm.  Calibrated: the members of struct sparse_sums. */
struct sparse_costs {
    size_t panel_words, update_words;
    double panel[SPARSE_MAX_WORDS], update[SPARSE_MAX_WORDS]; /* seconds each */
};

/* Of all steps of a process, or of all processes. */
struct sparse_totals {
    double flops_dgemm, loads, stores;
    double misses[SPARSE_MAX_LEVELS]; /* lines, inner level first */
    double dgemms_flops_bound, dgemms_memory_bound, updates;
};

/* What the constants c1 to c6 of the kernel model `calibrated` are multiplied with. */
struct sparse_sums {
    double gemm_s, panel_s; /* as the tables say */
    double elements;        /* scattered */
    double pairs;           /* of row and column blocks */
    double columns;         /* of row blocks and columns */
    double supernodes;      /* steps with work */
};

struct sparse_process {
    uint8_t *has; /* borrowed; of each step: bits of enum sparse_charge; FACTOR of column k stands
                     at k */
    double *word;
    size_t words, room;
    struct sparse_totals totals; /* paper */
    struct sparse_sums sums;     /* calibrated */
    /* No dgemm is decided otherwise while a_1 / g is from `low` to less than `high`. */
    double low, high;
};

struct sparse_work_counts {
    const struct sparse_structure *s;
    struct sparse_grid grid;
    struct sparse_machine machine; /* as counted with; unset for the calibrated kernel model */
    size_t panel_words, update_words;
    struct sparse_process *process; /* of each rank */
    uint8_t *has;                   /* of all: one piece, so that it is given back as one */
    struct sparse_bounds bounds;    /* on the misses of one process: see sparse_work_counts_bound */
};

/* Charges to be filled in process by process; borrows the structure.  NULL with a fault: a grid
 * that is out of bounds, or memory.  Free with sparse_work_counts_free. */
struct sparse_work_counts *sparse_work_counts_new(const struct sparse_structure *s,
                                                  struct sparse_grid grid, size_t panel_words,
                                                  size_t update_words, struct fr_faults *faults);
void sparse_work_counts_free(struct sparse_work_counts *charges);
/* Of a process without charges. */
void sparse_process_begin(struct sparse_process *process);
/* Appends a charge of step k. */
int sparse_process_add(struct sparse_process *process, int32_t k, enum sparse_charge charge,
                       const double *word, size_t words);
/* Gives back the room that was not needed. */
void sparse_process_end(struct sparse_process *process);

/* ---- kernel model `paper` ---- */

/* Charges for a checked machine, none counted yet. */
struct sparse_work_counts *sparse_work_counts_paper(const struct sparse_structure *s,
                                                    struct sparse_grid grid,
                                                    const struct sparse_machine *machine,
                                                    struct fr_faults *faults);
/* What counting needs besides: the caches and the numbering of one process.  One for each thread;
 * reused from process to process.  20 bytes for each block of a process's part, 8 more for each of
 * U, and 20 for each line of the caches.  NULL: memory. */
struct sparse_counter *sparse_counter_new(const struct sparse_work_counts *charges);
void sparse_counter_free(struct sparse_counter *counter);
/* Asked every some microseconds of counting; false ends it. */
void sparse_counter_ask(struct sparse_counter *counter, bool (*goes_on)(const void *context),
                        const void *context);
/* Counts one process, once, and writes charges->process[rank] alone, so that processes may be
 * counted on several threads.  O(N + blocks + its updates).  FR_NOMEM where memory is short,
 * FR_TOO_LONG where it was ended. */
int sparse_work_counts_count(struct sparse_work_counts *charges, struct sparse_counter *counter,
                             int64_t rank);
/* The same for all processes, one after the other. */
int sparse_work_counts_count_all(struct sparse_work_counts *charges, struct fr_faults *faults);

/* Finds the bounds, for who keeps charges that are asked again. FR_NOMEM where memory is short. */
int sparse_work_counts_bound(struct sparse_work_counts *charges, struct fr_faults *faults);

/* Whether counting for another machine would give the same charges. */
bool sparse_work_counts_hold(const struct sparse_work_counts *charges,
                             const struct sparse_machine *other);
/* Eq. 13 as costs: g; a_1 for loads and stores; a_(q+1) - a_q for misses of level q. */
struct sparse_costs sparse_costs_paper(const struct sparse_machine *machine);
/* Of all processes together. */
struct sparse_totals sparse_work_counts_totals(const struct sparse_work_counts *charges);
/* Eq. 13: the time of all that is counted, one charge after the other. */
double sparse_totals_s(const struct sparse_totals *totals, const struct sparse_machine *machine);

#endif
