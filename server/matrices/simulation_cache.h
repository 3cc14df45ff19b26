/* The tables behind simulation.h: structures, the work counted on them, and facts of partitions.
 *
 * One lock protects the tables and all reference counts.  Call everything here with the lock held,
 * except for new, free, load and fr_work_counts_count.
 */
#ifndef FR_SIMULATION_CACHE_H
#define FR_SIMULATION_CACHE_H

#include "server/matrices/simulation.h"
#include "server/store/store.h"

#include <pthread.h>
#include <stdatomic.h>

/* The common head of all kinds of entries. */
struct fr_kept {
    struct fr_kept *next;
    size_t bytes;    /* 0: being counted */
    uint64_t used;   /* time of the last use, in look-ups */
    unsigned owners; /* references, including that of the table */
};

struct fr_kept_structure {
    struct fr_kept kept;
    char id[FR_MATRIX_ID_BYTES]; /* empty: part of a request, not in the table */
    char ordering[16], row_permutation[16];
    struct sparse_structure *s; /* with its limits */
};

struct fr_kept_work_counts {
    struct fr_kept kept;
    struct fr_kept_structure *of; /* a reference */
    struct sparse_grid grid;
    struct sparse_machine machine;
    struct sparse_work_counts *counts; /* NULL: being counted, or counting failed */
};

struct fr_kept_partition {
    struct fr_kept kept;
    char id[FR_MATRIX_ID_BYTES], partition[16];
    struct krylov_partition *facts;
};

struct fr_table {
    struct fr_kept *first;
    size_t bytes, limit;
};

struct fr_simulations {
    pthread_mutex_t lock;
    pthread_cond_t counted; /* a count ended */
    struct fr_table structures, counts, partitions;
    uint64_t look_ups;
    double updates, counting_s; /* limits per request */
    struct fr_clock *clock;
    _Atomic bool is_stopping;
};

/* An entry with one reference for the caller; takes ownership of the structure.  NULL if memory is
 * short, with the structure freed. */
struct fr_kept_structure *fr_kept_structure_new(struct sparse_structure *s);
/* Releases a reference. */
void fr_kept_structure_drop(struct fr_kept_structure *structure);
/* Adds an entry to the table, which takes its own reference; drops the least recently used entries
 * to keep the limit. */
void fr_kept_structure_keep(struct fr_simulations *simulations,
                            struct fr_kept_structure *structure);
/* A reference for the caller, or NULL. */
struct fr_kept_structure *fr_kept_structure_find(struct fr_simulations *simulations,
                                                 const struct fr_matrix_record *record,
                                                 const struct fr_matrix_ordering *of);

/* A structure that is ready and small enough for `limit` updates per request; `is_counted` and the
 * key, which is complete, as in fr_structure_source.  NULL with a fault (simulation_load.c). */
const struct fr_matrix_ordering *fr_reading_check(const struct fr_matrix_record *record,
                                                  const struct sparse_structure_key *key,
                                                  bool is_counted, double limit,
                                                  struct fr_faults *faults);
/* The work of reading a structure, in updates. */
double fr_reading_updates(const struct fr_matrix_ordering *of);
/* Reads a structure from the store: one reference for the caller, or NULL with a fault. */
struct fr_kept_structure *fr_kept_structure_load(struct fr_store *store,
                                                 const struct fr_matrix_record *record,
                                                 const struct fr_matrix_ordering *of,
                                                 struct fr_faults *faults);

/* An entry for work to be counted, with one reference for the caller.  NULL if memory is short. */
struct fr_kept_work_counts *fr_kept_work_counts_new(struct fr_kept_structure *structure,
                                                    struct sparse_grid grid,
                                                    const struct sparse_machine *machine);
void fr_kept_work_counts_drop(struct fr_kept_work_counts *counts);
/* Adds an entry to the table before it is counted, so that other requests wait for it. */
void fr_kept_work_counts_keep(struct fr_simulations *simulations,
                              struct fr_kept_work_counts *counts);
/* After counting: sets its size, or removes it from the table if counting failed.  The caller must
 * hold a reference. */
void fr_kept_work_counts_settle(struct fr_simulations *simulations,
                                struct fr_kept_work_counts *counts);
/* A reference to work that is valid for this machine; waits while it is being counted.  NULL if it
 * must be counted. */
struct fr_kept_work_counts *fr_kept_work_counts_find(struct fr_simulations *simulations,
                                                     const struct sparse_structure *s,
                                                     struct sparse_grid grid,
                                                     const struct sparse_machine *machine);

/* An entry with one reference for the caller; takes ownership of the facts.  NULL if memory is
 * short, with the facts freed. */
struct fr_kept_partition *fr_kept_partition_new(const char *id, const char *partition,
                                                struct krylov_partition *facts);
void fr_kept_partition_drop(struct fr_kept_partition *partition);
/* Adds an entry to the table; drops the least recently used entries to keep the limit. */
void fr_kept_partition_keep(struct fr_simulations *simulations,
                            struct fr_kept_partition *partition);
/* A reference for the caller to the facts of the matrix of this id, or NULL. */
struct fr_kept_partition *fr_kept_partition_find(struct fr_simulations *simulations, const char *id,
                                                 const char *partition, int64_t processes);

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
