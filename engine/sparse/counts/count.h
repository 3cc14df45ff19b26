/* Counts the work of the kernel model `paper`. */
#ifndef FR_SPARSE_COUNT_H
#define FR_SPARSE_COUNT_H

#include "engine/sparse/counts/work_counts.h"

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

#endif
