/* Sparse matrices in the database: their files, structures, partitions and fronts, and the queues
 * of analyses that find them.  What is said of functions in store.h holds here too.
 */
#ifndef FR_STORE_MATRICES_H
#define FR_STORE_MATRICES_H

#include "engine/forerun.h"
#include "engine/krylov/partition/partition.h"
#include "engine/multifrontal/multifrontal.h"
#include "engine/sparse/structure/structure.h"

struct fr_store;

enum fr_matrix_status { FR_MATRIX_QUEUED, FR_MATRIX_ANALYZING, FR_MATRIX_READY, FR_MATRIX_FAILED };
enum { FR_MATRIX_STATUSES = 4, FR_MATRIX_ID_BYTES = 17, FR_PARTITIONS_AT_ONCE = 64 };
const char *fr_matrix_status_name(enum fr_matrix_status status);
enum fr_matrix_status fr_matrix_status_of(const char *name);

/* The analysis of a matrix with one ordering and one pair of limits; the numbers are 0 until it is
 * ready. */
struct fr_matrix_ordering {
    const char *ordering, *row_permutation; /* of the names in the engine */
    int64_t supernode_max, supernode_relax;
    enum fr_matrix_status status;
    const char *reason; /* of a failure, or NULL */
    int64_t supernodes, nnz_lu, nnz_lu_unrelaxed, blocks, updates;
    double flops, fill, ordering_s, symbolic_s, extraction_s;
};

struct fr_matrix_record {
    const char *id, *name;
    const char *uploaded_at;                       /* RFC 3339 UTC */
    const char *format, *field, *symmetry, *title; /* as the file says */
    int64_t bytes;                                 /* of the file, decompressed */
    int64_t n, entries, nnz;
    double structural_symmetry;
    int64_t lower_bandwidth, upper_bandwidth, zero_diagonals, empty_rows, empty_columns;
    int64_t structural_rank;                /* -1: not known yet */
    const char *row_permutation;            /* identity, transversal; NULL: not known yet */
    int64_t supernode_max, supernode_relax; /* of the upload: those that a question leaves open */
    struct fr_matrix_ordering ordering[SPARSE_ORDERING_COUNT]; /* with these limits, `auto` rows */
    size_t ordering_count;
    struct fr_matrix_ordering *other; /* the structures that were added with other ones */
    size_t other_count;
    int64_t sequence; /* grows with each upload: newest last */
};
/* Ready once a structure is ready and none is pending; failed if all failed. */
enum fr_matrix_status fr_matrix_status(const struct fr_matrix_record *record);
/* All structures, by index from 0; NULL after the last. */
const struct fr_matrix_ordering *fr_matrix_structure(const struct fr_matrix_record *record,
                                                     size_t index);
/* The structure of a complete key; NULL: there is none. */
const struct fr_matrix_ordering *fr_matrix_find_structure(const struct fr_matrix_record *record,
                                                          const struct sparse_structure_key *key);

/* Stores a matrix and queues its orderings with its limits.  `source` is a file with the upload as
 * gzip, of `source_length` bytes; `spy` is the raster.  FR_STORE_EXISTS: it is stored already;
 * FR_STORE_IN_USE: another matrix has the name. */
int fr_store_matrix_add(struct fr_store *store, const struct fr_matrix_record *record,
                        const void *spy, size_t spy_length, int source, int64_t source_length);
/* By id or name. */
int fr_store_matrix_get(struct fr_store *store, const char *matrix, struct fr_arena *arena,
                        struct fr_matrix_record *out);
/* Newest first, with sequence below `before` (0: from the newest). */
int fr_store_matrix_list(struct fr_store *store, int64_t before, size_t limit,
                         struct fr_arena *arena, struct fr_matrix_record **out, size_t *count);
/* FR_STORE_IN_USE: another matrix has the name. */
int fr_store_matrix_rename(struct fr_store *store, const char *id, const char *name);
/* The most pairs of limits with which a matrix has structures. */
enum { FR_MATRIX_LIMITS = 8 };
/* Queues a structure that is new or has failed; FR_STORE_NONE: it is neither; FR_STORE_IN_USE: the
 * matrix has FR_MATRIX_LIMITS other pairs of limits. */
int fr_store_matrix_queue(struct fr_store *store, const char *id,
                          const struct sparse_structure_key *key);
/* Deletes it with its source, structures and raster. */
int fr_store_matrix_delete(struct fr_store *store, const char *id);
int fr_store_matrix_spy(struct fr_store *store, const char *id, struct fr_arena *arena,
                        const void **spy, size_t *length);
/* Appends the upload, as gzip, to a file; FR_STORE_FAILED also if the file cannot be written. */
int fr_store_matrix_source(struct fr_store *store, const char *id, int file);
/* A block structure (matrices/files/blocks.h) of a matrix, by id or name; the caller frees *bytes.
 * `id` gets the id of the matrix.  FR_STORE_NONE: there is no such matrix, or the structure is not
 * ready; fr_store_matrix_get tells which. */
int fr_store_structure_get(struct fr_store *store, const char *matrix,
                           const struct sparse_structure_key *key, char id[FR_MATRIX_ID_BYTES],
                           unsigned char **bytes, size_t *length);
/* How many matrices are in each status. */
int fr_store_matrix_count(struct fr_store *store, int64_t count[FR_MATRIX_STATUSES]);

/* A queued analysis: of an ordering, in one part, or of partitions of one name, each a part. */
struct fr_matrix_task {
    char id[FR_MATRIX_ID_BYTES];
    int64_t n;
    const char *ordering, *row_permutation; /* elements of the lists of names; NULL: partitions */
    int64_t supernode_max, supernode_relax;
    const char *partition;                    /* of krylov_partitions; NULL: an ordering */
    int64_t processes[FR_PARTITIONS_AT_ONCE]; /* by part, rising; 0 of an ordering */
    int64_t sequence[FR_PARTITIONS_AT_ONCE];  /* by part: in the queue, never given again */
    size_t parts;
};
/* Queues again the analyses that no daemon works on any more; those begun FR_MATRIX_ATTEMPTS times
 * fail.  Where one daemon serves alone, these are all that are under way. */
enum { FR_MATRIX_ATTEMPTS = 3 };
int fr_store_task_restart(struct fr_store *store);
/* Takes the task that has waited longest, with the other partitions of the same name and matrix,
 * and marks it as running; FR_STORE_NONE: the queue is empty. */
enum fr_task_queue { FR_TASKS_ORDERINGS, FR_TASKS_NATURAL, FR_TASKS_PARTITIONS };
int fr_store_task_take(struct fr_store *store, enum fr_task_queue queue,
                       struct fr_matrix_task *out);
/* Puts what is left of a task, if anything, back into the queue; the attempt does not count. */
int fr_store_task_return(struct fr_store *store, const struct fr_matrix_task *task);
/* The same of a part whose result could not be stored: this attempt counts, and the part fails
 * after FR_MATRIX_ATTEMPTS of them. */
int fr_store_task_lost(struct fr_store *store, const struct fr_matrix_task *task, size_t part);
/* FR_STORE_OK: the part is still to be found; FR_STORE_NONE: it is finished, or its matrix was
 * deleted. */
int fr_store_task_has(struct fr_store *store, const struct fr_matrix_task *task, size_t part);
/* Whether a part is still to be found, as far as the store knows. */
bool fr_store_task_is_wanted(struct fr_store *store, const struct fr_matrix_task *task);
/* Stores the result of a task: ready with a structure, or failed with a reason.  `structural_rank`
 * and `row_permutation` are stored unless they are -1 and NULL or known already.  FR_STORE_NONE:
 * the matrix was deleted meanwhile. */
int fr_store_analysis_end(struct fr_store *store, const struct fr_matrix_task *task,
                          const struct fr_matrix_ordering *result, int64_t structural_rank,
                          const char *row_permutation, const void *structure, size_t length);
/* The permutations (matrices/files/matrix.h) of the ordering and row permutation of a task:
 * stores them unless they are known, and appends them to a file.  FR_STORE_NONE: the matrix was
 * deleted, or they are not known. */
int fr_store_permutations_add(struct fr_store *store, const struct fr_matrix_task *task,
                              const void *bytes, size_t length);
int fr_store_permutations_give(struct fr_store *store, const struct fr_matrix_task *task, int file);

/* ---- fronts of matrices ------------------------------------------------------------------- */

/* Stores what a matrix is in an order, for `count` numbers of processes; what is known stays. */
int fr_store_fronts_add(struct fr_store *store, const char *id, const char *ordering,
                        const struct sparse_mumps *fronts, size_t count);
/* FR_STORE_NONE: not known. */
int fr_store_fronts_get(struct fr_store *store, const char *id, const char *ordering,
                        int64_t processes, struct sparse_mumps *out);

/* ---- partitions of matrices --------------------------------------------------------------- */

/* A matrix divided among a number of processes. */
struct fr_partition_record {
    const char *partition; /* of krylov_partitions */
    int64_t processes;
    enum fr_matrix_status status;
    const char *reason;                      /* of a failure, or NULL */
    struct krylov_partition_summary summary; /* this and what follows: 0 until it is ready; its
                                                rows and entries are those of the matrix */
    double seconds;                          /* to find it */
    int64_t bytes;                           /* of the facts; 0 also if they were dropped */
};

/* The partitions that a matrix keeps: the oldest that are finished make room for others. */
enum { FR_PARTITIONS_KEPT = 1024 };

/* Queues those partitions of a matrix that are not known, or whose facts were dropped although they
 * are needed.  FR_STORE_OK, also if nothing was queued; FR_STORE_NONE: there is no such matrix. */
int fr_store_partition_queue(struct fr_store *store, const char *matrix, const char *partition,
                             const int64_t *processes, size_t count, bool needs_facts);
/* The known partitions of a matrix, by processes; `partition` NULL: all, by name first. */
int fr_store_partition_list(struct fr_store *store, const char *matrix, const char *partition,
                            struct fr_arena *arena, struct fr_partition_record **out,
                            size_t *count);
/* FR_STORE_NONE: not known. */
int fr_store_partition_get(struct fr_store *store, const char *matrix, const char *partition,
                           int64_t processes, struct fr_arena *arena,
                           struct fr_partition_record *out);
/* The facts as text (matrices/files/matrix.h); the caller frees *text.  FR_STORE_NONE: they are
 * not ready. */
int fr_store_partition_facts(struct fr_store *store, const char *matrix, const char *partition,
                             int64_t processes, char **text, size_t *length);
/* Forgets those that failed, so that they are tried again when they are next asked for. */
int fr_store_partition_retry(struct fr_store *store, const char *matrix);

/* Stores the result of a part: ready with facts, or failed with a reason.  Drops the facts of the
 * oldest partitions of the matrix, until all have at most `most_bytes`.  FR_STORE_NONE: it is not
 * wanted any more. */
int fr_store_partition_end(struct fr_store *store, const struct fr_matrix_task *task, size_t part,
                           const struct fr_partition_record *result, const char *facts,
                           size_t length, int64_t most_bytes);

#endif
