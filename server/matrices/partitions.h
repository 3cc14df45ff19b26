/* Facts of the partitions of stored matrices, for the time of one request; decoded once for all
 * requests (simulation.h).
 *
 * What is not in the store is queued for analysis (analysis.h), and the request waits for it.  If
 * its time is up before, the analysis goes on, and the next request finds the facts.
 */
#ifndef FR_PARTITIONS_H
#define FR_PARTITIONS_H

#include "engine/core/arena.h"
#include "engine/krylov/partition/partition.h"
#include "engine/krylov/partition/partition_source.h"

struct fr_matrix_record;
struct fr_request;
struct fr_simulations;
struct fr_store;
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
