/* What questions need of matrices: block structures, simulations and partitions. */
#ifndef FR_SIMULATION_H
#define FR_SIMULATION_H

#include "engine/core/arena.h"
#include "engine/krylov/partition/partition.h"
#include "engine/sparse/counts/work_counts.h"
#include "server/core/cache.h"
#include "server/store/store.h"

#include <stdatomic.h>

/* A cache of block structures, of the work counted on them, and of facts of partitions
 * (engine/krylov/partition/partition.h), shared by all requests.
 *
 * A structure is decoded once and a grid is counted once, also for concurrent requests.  Entries
 * are immutable and shared.  Counting uses all cores, because the processes of a grid
 * are independent.
 */

struct fr_client;
struct fr_clock;
struct fr_simulations;

struct fr_simulation_limits {
    /* Of the cache, from which the least recently used is dropped; structures_bytes bounds the
     * facts of partitions as well, apart. */
    size_t structures_bytes, counts_bytes;
    /* Per request: block updates, or equivalent work; seconds for counting, from its first count or
     * its first wait for another request's count (0: no limit). */
    double updates, counting_s;
    struct fr_clock *clock;
};

/* NULL if memory is short; free with fr_simulations_free. */
struct fr_simulations *fr_simulations_new(const struct fr_simulation_limits *limits);
/* Ends all counting soon, because the daemon ends. */
void fr_simulations_stop(struct fr_simulations *simulations);
bool fr_simulations_are_stopping(const struct fr_simulations *simulations);
/* No request may use it any more.  Accepts NULL. */
void fr_simulations_free(struct fr_simulations *simulations);

/* The share of one request: the structures that it holds and the work that it may still do. */
struct fr_structures;

/* Borrows its arguments; uses `arena` for temporary memory.  NULL if memory is short; end with
 * fr_structures_end. */
struct fr_structures *fr_structures_begin(struct fr_simulations *simulations,
                                          struct fr_store *store, struct fr_arena *arena);
/* Ends counting when the client leaves (NULL: no client), and sets *is_partial (or NULL) when a
 * limit, the time or memory ends or refuses counting: the answer is not the whole one. */
void fr_structures_watch(struct fr_structures *structures, struct fr_client *client,
                         bool *is_partial);
/* Accepts NULL. */
void fr_structures_end(struct fr_structures *structures);
/* Takes ownership of a structure of the request itself and serves it under this id; replaces the
 * one before.  Work counted on it is not cached.  FR_OK, or FR_NOMEM with a fault. */
int fr_structures_name(struct fr_structures *structures, const char *id, struct sparse_structure *s,
                       struct fr_faults *faults);
/* Drops that structure. */
void fr_structures_forget(struct fr_structures *structures);
/* A text for ETags that changes with a matrix and with the status of its structures. */
enum {
    FR_MATRIX_STATE_BYTES =
        80 + FR_MATRIX_LIMITS * (int)SPARSE_ORDERING_COUNT * (int)SPARSE_ROW_PERMUTATIONS
};
void fr_structures_state(struct fr_structures *structures, const char *matrix,
                         char out[FR_MATRIX_STATE_BYTES]);
/* The interface for the engine; borrowed. */
const struct fr_structure_source *fr_structures_source(const struct fr_structures *structures);

/* The caches behind simulation.h: structures, the work counted on them, and facts of partitions. */

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

/* The record of a matrix by the id or name that a question gives, in the arena; FR_OK, or the code
 * of a fault. */
enum { FR_MATRIX_NAME_BYTES = 80 };
int fr_matrix_named(struct fr_store *store, struct fr_arena *arena, const char *name,
                    struct fr_matrix_record *out, struct fr_faults *faults);

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

/* Facts of the partitions of stored matrices, for the time of one request; decoded once for all
 * requests (simulation.h).
 *
 * What is not in the store is queued for analysis (analysis.h), and the request waits for it.  If
 * its time is up before, the analysis goes on, and the next request finds the facts.
 */

struct fr_request;
struct fr_partitions;

/* Uses the store of the request; `where` is the parameter that faults about a number
 * of processes name.  NULL if memory is short; end with fr_partitions_end. */
struct fr_partitions *fr_partitions_begin(struct fr_request *rq, const char *where);
/* The same without waiting: finds what is stored, and starts no analysis.  Uses `arena` for
 * temporary memory. */
struct fr_partitions *fr_partitions_begin_stored(struct fr_simulations *simulations,
                                                 struct fr_store *store, struct fr_arena *arena);
/* Accepts NULL. */
void fr_partitions_end(struct fr_partitions *partitions);
/* For set_partitions of a model; valid until the end. */
const struct fr_partition_source *fr_partitions_source(const struct fr_partitions *partitions);

/* The facts of a matrix, by id or name, divided among so many processes.  Borrowed until the end;
 * NULL with a fault of `matrix` (there is none) or `where` (too many processes, a failure, still
 * under way).  `context` is a struct fr_partitions. */
const struct krylov_partition *fr_partitions_find(void *context, const char *matrix,
                                                  const char *partition, int64_t processes,
                                                  struct fr_faults *faults);

/* A question about many numbers of processes first names them all: from fr_partitions_note on,
 * nothing is found, and what is not known yet is noted, up to FR_PARTITIONS_AT_ONCE of it.
 * fr_partitions_queue has that analyzed at once, and ends the noting. */
void fr_partitions_note(struct fr_partitions *partitions);
void fr_partitions_queue(struct fr_partitions *partitions);

/* The text of the facts, of `length` bytes, in memory of the request; NULL with a fault. */
const char *fr_partitions_text(struct fr_partitions *partitions,
                               const struct fr_matrix_record *matrix, const char *partition,
                               int64_t processes, size_t *length, struct fr_faults *faults);

/* Refuses more processes than the limit or the rows of the matrix; `where` names the parameter.
 * FR_OK, or the code of the fault. */
int fr_partition_possible(const char *matrix, int64_t rows, int64_t processes, const char *where,
                          struct fr_faults *faults);

#endif
