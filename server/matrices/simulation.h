/* A cache of block structures, of the work counted on them, and of facts of partitions
 * (partitions.h), shared by all requests.
 *
 * A structure is decoded once and a grid is counted once, also for concurrent requests.  Entries
 * are immutable and shared.  Counting uses all cores, because the processes of a grid
 * are independent.
 */
#ifndef FR_SIMULATION_H
#define FR_SIMULATION_H

#include "engine/core/arena.h"
#include "engine/sparse/counts/structure_source.h"
#include "server/store/store.h"

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

#endif
