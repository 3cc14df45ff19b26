/* The provider of facts of partitions for models of iterative solvers: the server, or a test. */
#ifndef FR_KRYLOV_PARTITION_SOURCE_H
#define FR_KRYLOV_PARTITION_SOURCE_H

#include "engine/krylov/partition/partition.h"

struct fr_partition_source {
    void *context;
    /* The facts of a stored matrix, or of the request itself.  `partition` is a name of
     * engine/krylov/partition/partitions.h.  Borrowed until the request ends; NULL with a fault of
     * `matrix` or `nodes`. */
    const struct krylov_partition *(*find)(void *context, const char *matrix, const char *partition,
                                           int64_t processes, struct fr_faults *faults);
};

#endif
