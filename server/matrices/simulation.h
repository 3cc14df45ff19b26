/* Block structures and what has been counted on them, kept in memory between requests.
 *
 * A structure is decoded once and a grid is counted once, also where several requests ask at the
 * same time; what is handed out is counted and immutable.  Counting runs on the cores that there
 * are: its processes are independent.
 */
#ifndef FR_SIMULATION_H
#define FR_SIMULATION_H

#include "engine/core/arena.h"
#include "engine/sparse/structure_source.h"

struct fr_store;
struct fr_simulations;

struct fr_simulation_limits {
    size_t structures_bytes, charges_bytes; /* kept; the least recently used goes first */
    /* For one request: block updates counted anew, or as much other work; seconds until its last
     * count ends, from when it first asks for one or waits for somebody else's (0: without end). */
    double updates, counting_s;
};

/* NULL where memory is short. */
struct fr_simulations *fr_simulations_new(const struct fr_simulation_limits *limits);
/* Whoever counts stops soon, from now on: the daemon ends. */
void fr_simulations_stop(struct fr_simulations *simulations);
/* Once no request uses it any more. */
void fr_simulations_free(struct fr_simulations *simulations);

/* What one request has to do with them: the structures that it holds, and how much it may still
 * count. */
struct fr_structures;

/* `arena` is for a moment at a time. NULL where memory is short. End with fr_structures_end. */
struct fr_structures *fr_structures_begin(struct fr_simulations *simulations,
                                          struct fr_store *store, struct fr_arena *arena);
/* Counting ends when the client at this socket leaves (0: nobody's). */
void fr_structures_watch(struct fr_structures *structures, int peer);
/* Accepts NULL. */
void fr_structures_end(struct fr_structures *structures);
/* Serves a structure of the request itself under this id, in place of the one before; takes it
 * over. Nothing that is counted on it is kept. */
int fr_structures_name(struct fr_structures *structures, const char *id, struct sparse_structure *s,
                       struct fr_faults *faults);
/* Forgets that structure again. */
void fr_structures_forget(struct fr_structures *structures);
/* A text that differs wherever a matrix, or what is known of it, differs: for ETags. */
enum { FR_MATRIX_STATE_BYTES = 80 };
void fr_structures_state(struct fr_structures *structures, const char *matrix,
                         char out[FR_MATRIX_STATE_BYTES]);
/* What the engine is given. */
const struct fr_structure_source *fr_structures_source(const struct fr_structures *structures);

#endif
