/* What follows from dividing the rows of a matrix among processes: the work of each process in a
 * product, and the messages before it (docs/models/partition.md). */
#ifndef FR_KRYLOV_PARTITION_H
#define FR_KRYLOV_PARTITION_H

#include "engine/core/fault.h"

#include <stddef.h>
#include <stdint.h>

/* A process sends so many values of its part of the vector, 8 bytes each. */
struct krylov_words {
    int32_t from, to;
    int64_t words;
};

struct krylov_partition {
    int64_t processes;
    /* Of each process: its rows; its entries in columns of its own, and in those of others. */
    int64_t *rows, *diagonal, *offdiagonal;
    size_t message_count;
    struct krylov_words *message; /* by `from`, then `to` */
    /* Share of the matrix's entries off the diagonal whose transposed place has an entry too; NaN:
     * unknown. */
    double structural_symmetry;
};

/* A partition without messages and with all counts 0; room for the messages is the caller's task.
 * NULL if memory is short; free with krylov_partition_free. */
struct krylov_partition *krylov_partition_new(int64_t processes);
/* Accepts NULL. */
void krylov_partition_free(struct krylov_partition *partition);

/* Checks the limits of engine/krylov/partition/partitions.h; that each process has rows; that
 * messages ascend, lead to another process and carry values, no more than the sender has rows, nor
 * together than the receiver has entries off its diagonal block.  FR_OK, or FR_RANGE, FR_RELATION
 * or FR_NOMEM with faults that point into the facts. */
int krylov_partition_check(const struct krylov_partition *partition, struct fr_faults *faults);

/* Totals and extremes. */
struct krylov_partition_summary {
    int64_t rows, entries, messages, words; /* of all processes */
    int64_t most_neighbours; /* messages that a process sends, or receives if those are more */
    int64_t most_words;      /* values that a process sends, or receives if those are more */
    int64_t most_rows;       /* of a process */
    int64_t largest_message; /* values */
    double imbalance;        /* most entries of a process, relative to the mean */
};
/* FR_OK, or FR_NOMEM with `out` unchanged. */
int krylov_partition_summarize(const struct krylov_partition *partition,
                               struct krylov_partition_summary *out);

#endif
