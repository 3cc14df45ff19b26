/* What follows from dividing the rows of a matrix among processes: the work of each process in a
 * product, and the messages before it (docs/models/partition.md). */
#ifndef FR_KRYLOV_PARTITION_H
#define FR_KRYLOV_PARTITION_H

#include "engine/core/fault.h"

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
    int64_t zero_diagonals; /* rows without a nonzero entry on the diagonal; -1: unknown */
};

/* A partition without messages and with all counts 0; room for the messages is the caller's task.
 * NULL if memory is short; free with krylov_partition_free. */
struct krylov_partition *krylov_partition_new(int64_t processes);
/* Accepts NULL. */
void krylov_partition_free(struct krylov_partition *partition);

/* Checks the limits (below); that each process has rows; that
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

/* The provider of facts of partitions for models of iterative solvers: the server, or a test. */

struct fr_partition_source {
    void *context;
    /* The facts of a stored matrix, or of the request itself.  `partition` is a name of
     * krylov_partitions.  Borrowed until the request ends; NULL with a fault of
     * `matrix` or `nodes`. */
    const struct krylov_partition *(*find)(void *context, const char *matrix, const char *partition,
                                           int64_t processes, struct fr_faults *faults);
};

/* How the rows of a matrix are divided among processes, the default first.  A new way also needs a
 * function in server/analyze/owners.c. */

#define KRYLOV_PARTITIONS(each) each(contiguous), each(metis)

#define KRYLOV_PARTITION_ITSELF(name) name
#define KRYLOV_PARTITION_ENUM(name) KRYLOV_PARTITION_##name
#define KRYLOV_PARTITION_STRING(...) KRYLOV_PARTITION_STRING_OF(__VA_ARGS__)
#define KRYLOV_PARTITION_STRING_OF(...) #__VA_ARGS__

enum { KRYLOV_PARTITIONS(KRYLOV_PARTITION_ENUM), KRYLOV_PARTITION_COUNT };

/* The largest partition: processes, and messages of one exchange. */
enum { KRYLOV_PARTITION_MOST_PROCESSES = 65536, KRYLOV_PARTITION_MOST_MESSAGES = 4000000 };
/* The most rows, and entries, of one process: sums over all fit into 63 bits. */
#define KRYLOV_PARTITION_MOST_ROWS INT64_C(0x7fffffff)
#define KRYLOV_PARTITION_MOST_ENTRIES (INT64_C(1) << 40)

/* "contiguous, metis", for messages. */
#define KRYLOV_PARTITION_LIST KRYLOV_PARTITION_STRING(KRYLOV_PARTITIONS(KRYLOV_PARTITION_ITSELF))

/* The names, ended by NULL. */
extern const char *const krylov_partitions[KRYLOV_PARTITION_COUNT + 1];

#endif
