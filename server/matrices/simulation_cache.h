/* The caches behind simulation.h: structures, the work counted on them, and facts of partitions. */
#ifndef FR_SIMULATION_CACHE_H
#define FR_SIMULATION_CACHE_H

#include "server/core/cache.h"
#include "server/matrices/simulation.h"
#include "server/store/store.h"

#include <stdatomic.h>

struct fr_kept_structure {
    struct fr_cached cached;
    char id[FR_MATRIX_ID_BYTES]; /* empty: part of a request, not in the cache */
    char ordering[16], row_permutation[16];
    struct sparse_structure *s; /* with its limits */
};
struct fr_structure_key {
    const char *id;
    struct sparse_structure_key limits;
};

struct fr_kept_work_counts {
    struct fr_cached cached;
    struct fr_kept_structure *of; /* a share */
    struct sparse_grid grid;
    struct sparse_machine machine;
    struct sparse_work_counts *counts; /* NULL: being counted, or counting failed */
};

struct fr_kept_partition {
    struct fr_cached cached;
    char id[FR_MATRIX_ID_BYTES], partition[16];
    struct krylov_partition *facts;
};
struct fr_partition_key {
    const char *id, *partition;
    int64_t processes;
};

struct fr_simulations {
    /* Of fr_kept_structure by fr_structure_key, fr_kept_work_counts by another of them, which holds
     * for its machine, and fr_kept_partition by fr_partition_key. */
    struct fr_cache *structures, *counts, *partitions;
    double updates, counting_s; /* limits per request */
    struct fr_clock *clock;
    _Atomic bool is_stopping;
};

/* A new value; takes ownership of the structure.  NULL if memory is short, with the structure
 * freed. */
struct fr_kept_structure *fr_kept_structure_new(struct sparse_structure *s);

/* A structure that is ready and small enough for `limit` updates per request; `is_counted` and the
 * key, which is complete, as in fr_structure_source.  NULL with a fault (simulation_load.c). */
const struct fr_matrix_ordering *fr_reading_check(const struct fr_matrix_record *record,
                                                  const struct sparse_structure_key *key,
                                                  bool is_counted, double limit,
                                                  struct fr_faults *faults);
/* The work of reading a structure, in updates. */
double fr_reading_updates(const struct fr_matrix_ordering *of);
/* Reads a structure from the store: a new value, or NULL with a fault. */
struct fr_kept_structure *fr_kept_structure_load(struct fr_store *store,
                                                 const struct fr_matrix_record *record,
                                                 const struct fr_matrix_ordering *of,
                                                 struct fr_faults *faults);

/* A new value for work to be counted.  NULL if memory is short. */
struct fr_kept_work_counts *fr_kept_work_counts_new(struct fr_kept_structure *structure,
                                                    struct sparse_grid grid,
                                                    const struct sparse_machine *machine);
/* The size of counted work; 0 if counting failed. */
size_t fr_kept_work_counts_bytes(const struct fr_kept_work_counts *counts);

/* A new value; takes ownership of the facts.  NULL if memory is short, with the facts freed. */
struct fr_kept_partition *fr_kept_partition_new(const char *id, const char *partition,
                                                struct krylov_partition *facts);

/* What ends counting early. */
struct fr_counting_limits {
    const _Atomic bool *is_stopping;
    struct fr_clock *clock;
    uint64_t until_ns;        /* 0: no limit */
    struct fr_client *client; /* who waits, or NULL */
};
/* Counts all processes on all cores (simulation_count.c).  FR_OK, or FR_TOO_LONG or FR_NOMEM with a
 * fault. */
int fr_work_counts_count(struct sparse_work_counts *counts, const struct fr_counting_limits *limits,
                         struct fr_faults *faults);

#endif
