/* The steps of forerun-analyze.  `main.c` reads the options and runs one of three programs:
 * analyses of orderings (analysis.c), partitions (partition.c), or a numeric factorization
 * (factorization.c).
 */
#ifndef FR_ANALYZE_H
#define FR_ANALYZE_H

#include "engine/forerun.h"
#include "engine/krylov/partition/partition.h"
#include "engine/sparse/structure/structure.h"
#include "server/analyze/blas_times.h"
#include "server/json/writer.h"
#include "server/matrices/files/blocks.h"
#include "server/matrices/files/matrix.h"

#include <superlu_ddefs.h>

/* ---- sparsity -------------------------------------------------------------------------- */

/* The pattern of a matrix by columns, in the 32-bit integers that the libraries take. */

struct fr_sparsity {
    int n, nnz;
    int *column_at, *row; /* n + 1, nnz */
};

/* Copies the pattern; row i moves to row_to[i] unless row_to is NULL.  FR_OK, or FR_NOMEM with a
 * fault; free with fr_sparsity_free. */
int fr_sparsity_make(struct fr_sparsity *pattern, const struct fr_matrix *matrix, const int *row_to,
                     struct fr_faults *faults);
void fr_sparsity_free(struct fr_sparsity *pattern);

/* The first column without an entry on the diagonal, or -1. */
int fr_sparsity_hole(const struct fr_sparsity *pattern);

/* ---- library --------------------------------------------------------------------------- */

/* Includes SuperLU_DIST's header, and passes patterns and options to the library. */

struct fr_supernode_limits {
    int max, relax; /* most columns of a supernode; of a subtree that becomes one supernode */
};

/* A library matrix without values that borrows the arrays of the pattern.  Free matrix->Store with
 * SUPERLU_FREE. */
void fr_library_matrix(SuperMatrix *matrix, const struct fr_sparsity *pattern);

/* The library's default options without output, with these limits. */
void fr_library_options(superlu_dist_options_t *options, struct fr_supernode_limits limits);

/* ---- options --------------------------------------------------------------------------- */

/* The command line of forerun-analyze. */

enum { FR_REPETITIONS_MOST = 99, FR_PARTITIONS_MOST = 64, FR_SOLVES_MOST = 8 };

struct fr_analyze_options {
    const char *orderings[SPARSE_ORDERING_COUNT]; /* elements of sparse_orderings */
    int ordering_count;
    struct fr_supernode_limits supernodes;
    int row_permutation;                     /* SPARSE_ROWS_* */
    int64_t memory_limit_bytes, cpu_limit_s; /* 0: none */
    const char *permutations; /* a file of permutations for the ordering; NULL: they are found */
    const char *generate;     /* a generated matrix; NULL: none */
    const char *file;         /* a file; NULL: standard input */
    const char *partition;    /* an element of krylov_partitions */
    int32_t processes[FR_PARTITIONS_MOST];
    int process_counts; /* 0: no partition */
    bool is_factorization;
    int grid_rows, grid_columns; /* 0: nearly square */
    int repetitions, lookahead;
    bool times_blas;
    int32_t nrhs[FR_SOLVES_MOST]; /* right-hand sides of each solve to time */
    int solves;
};

/* Parses the command line; ends the process with a message if it is wrong. */
void fr_options_parse(struct fr_analyze_options *options, int count, char **arguments);

/* ---- limits ---------------------------------------------------------------------------- */

/* Limits on memory and time for untrusted matrices, and a last record when one is reached.
 *
 * When memory is short the libraries end the process by exit, abort or an invalid address.  If most
 * of the allowed memory was in use then, a last record gives that as the reason.
 */

/* Sets one thread for BLAS and OpenMP and removes variables that change the library's options.
 * Restarts the program once if needed, because some are read before main.  `is_cleared` removes all
 * other variables too. */
void fr_limits_environment(char **arguments, bool is_cleared);

/* Limits address space and processor time; 0 leaves a limit unchanged.  With `may_write_files`
 * files may grow (MPI shares memory through them); without, the process also ends with its parent.
 * False with errno on failure. */
bool fr_limits_set(int64_t memory_bytes, int64_t cpu_s, bool may_write_files);

/* Sets the stage and the ordering (or NULL) of a last record, and the file that it is written to.
 */
void fr_limits_stage(int out, const char *stage, const char *ordering);
/* Disables the last record. */
void fr_limits_end(void);

/* ---- records --------------------------------------------------------------------------- */

/* Records for the daemon: one line of JSON each, some followed by the bytes of a structure.
 *
 * They go to the original standard output; output of the libraries goes to standard error.
 */

/* Redirects standard output to standard error and keeps the original; false on failure. */
bool fr_records_begin(void);

/* Starts a record of this kind; finish it with fr_record_end. */
void fr_record(struct fr_writer *w, const char *kind);
/* Writes a record, then `bytes` if not NULL, and frees the writer.  Ends the process if the reader
 * has closed the pipe. */
void fr_record_end(struct fr_writer *w, const unsigned char *bytes, size_t length);

/* Reports the current stage and the fraction done, 0 to 1; `ordering` may be NULL. */
void fr_stage(const char *stage, const char *ordering, double fraction);

/* Reports the first fault as the failure of an ordering, or of the analysis if that is NULL. */
void fr_record_failed(const char *ordering, const struct fr_faults *faults);
/* Writes the record `end`. */
void fr_record_finished(void);

/* Writes text to the original standard output. */
void fr_records_write(const char *text, size_t length);

/* ---- source ---------------------------------------------------------------------------- */

/* The matrix to analyze: from a file, from standard input, or generated. */

/* The matrix of the options.  NULL with faults; free with fr_matrix_free. */
struct fr_matrix *fr_source_open(const struct fr_analyze_options *options,
                                 struct fr_faults *faults);

/* A generated matrix, always the same for the same text:
 *
 *     cd3d:NX,NY,NZ,SEED          convection-diffusion on a 3-D grid, 7 points, first order upwind
 *     cfd2d:NX,NY,DOF,SEED        a 2-D grid, 9 points, DOF coupled unknowns per node
 *     econ:BLOCKS,SIZE,FILL,SEED  blocks of random entries, nearly unsymmetric, zeros on the
 * diagonal circuit:N,DEGREE,HUBS,SEED  near neighbours, half of them unsymmetric, and some hubs
 *
 * NULL with faults; free with fr_matrix_free.
 */
struct fr_matrix *fr_generate(const char *what, struct fr_faults *faults);

/* ---- matching -------------------------------------------------------------------------- */

/* The transversal with the largest product of magnitudes, from MUMPS
 * (docs/models/sparse_lu.md#identity-row-permutation). */

/* The new place of each row, a permutation onto nonzero entries.  The matrix must have values and
 * such a permutation.  NULL if MUMPS finds none; free with free(). */
int *fr_matching_largest(const struct fr_matrix *matrix);

/* ---- transversal ----------------------------------------------------------------------- */

/* The row permutation of static pivoting
 * (docs/models/sparse_lu.md#identity-row-permutation). */

struct fr_transversal {
    int structural_rank;
    bool is_identity;
    int *row_to; /* row i moves to row_to[i]; NULL for the identity.  Free with free(). */
    double time_s;
};

/* Finds the permutation with the largest product of the diagonal's magnitudes; for a pattern, or a
 * matrix whose nonzero values have no transversal, any with a full diagonal.  `choice` is one of
 * SPARSE_ROWS_*: AUTO takes the identity where it is such a permutation, NONE takes it or fails.
 * FR_OK, or a code with a fault; FR_INFEASIBLE for a structurally singular matrix, whose rank is
 * set; the rank is -1 if it is not known.  May initialize MPI. */
int fr_transversal_find(const struct fr_matrix *matrix, const struct fr_sparsity *pattern,
                        int choice, struct fr_transversal *found, struct fr_faults *faults);

/* ---- ordering -------------------------------------------------------------------------- */

/* Column orderings. */

/* Sets place[j] to the position of column j in the elimination, for all n columns; `name` is one of
 * sparse_orderings.  The result depends on the pattern only.  FR_OK, or FR_NOMEM with a fault. */
int fr_ordering_find(const char *name, const struct fr_sparsity *pattern, int *place,
                     struct fr_faults *faults);

/* ---- extract --------------------------------------------------------------------------- */

/* Reads the blocks from the compressed subscripts of SuperLU_DIST. */

#define FR_MOST_UPDATES FR_BLOCKS_MOST_UPDATES

/* The result of symbfact. */
struct fr_subscripts {
    int n;
    Glu_persist_t persist;   /* xsup: first columns; supno: the supernode of each column */
    Glu_freeable_t freeable; /* lsub: rows of each supernode; usub: first rows of U's segments */
};

/* The block structure, not checked yet.  NULL with a fault; free with sparse_structure_free. */
struct sparse_structure *fr_extract(const struct fr_subscripts *subscripts,
                                    struct fr_faults *faults);

/* ---- symbolic -------------------------------------------------------------------------- */

/* The block structure of L and U, from the symbolic factorization of SuperLU_DIST. */

struct fr_symbolic {
    struct sparse_structure *structure; /* checked; free with sparse_structure_free */
    double nnz_unrelaxed;               /* of L+U without relaxed supernodes */
    double symbolic_s, unrelaxed_s, extraction_s;
};

/* Factorizes symbolically, with and without relaxed supernodes.  `pattern` must have permuted rows
 * and a full diagonal.  The library changes `place`: it sorts the columns by the elimination tree.
 * FR_OK or a code with a fault. */
int fr_symbolic_find(const struct fr_sparsity *pattern, int *place,
                     struct fr_supernode_limits limits, struct fr_symbolic *found,
                     struct fr_faults *faults);

/* ---- analysis -------------------------------------------------------------------------- */

/* From a matrix to its block structures (docs/models/sparse_lu.md#analysis-of-a-matrix). */

/* Analyzes with each ordering of the options and writes all records; returns the exit status of the
 * process. */
int fr_analysis_run(const struct fr_analyze_options *options);

/* A matrix after its row permutation. */
struct fr_permuted {
    struct fr_transversal rows;
    struct fr_sparsity pattern; /* rows permuted; the diagonal is full */
};

/* Permutes the rows, as fr_transversal_find chooses.  FR_OK or a code with a fault; free with
 * fr_permuted_free in both cases. */
int fr_permuted_make(struct fr_permuted *made, const struct fr_matrix *matrix, int row_choice,
                     struct fr_faults *faults);
void fr_permuted_free(struct fr_permuted *made);

/* ---- exchange -------------------------------------------------------------------------- */

/* What processes exchange before a product with a divided matrix. */

/* Finds the facts of a partition: process owner[i] has row i and value i of the vector.  O(entries
 * + messages log messages) time; 4 bytes a column and 16 a message of memory.  NULL with a fault,
 * also for more messages than KRYLOV_PARTITION_MOST_MESSAGES; free with krylov_partition_free. */
struct krylov_partition *fr_exchange_find(const struct fr_matrix *matrix, const int32_t *owner,
                                          int32_t processes, struct fr_faults *faults);

/* ---- owners ---------------------------------------------------------------------------- */

/* Which process owns which row of a matrix (docs/models/partition.md). */

struct fr_graph;

/* A matrix and what its partitions share: the graph of A+A' is made when METIS first needs it. */
struct fr_divided {
    const struct fr_matrix *matrix; /* borrowed */
    struct fr_graph *graph;
};

/* Sets owner[row], from 0, for all n rows.  FR_OK, or a code with a fault: more processes than
 * rows, a process without rows, memory. */
int fr_owners_find(struct fr_divided *of, const char *partition, int32_t processes, int32_t *owner,
                   struct fr_faults *faults);

/* Frees the graph. */
void fr_divided_end(struct fr_divided *of);

/* ---- partition ------------------------------------------------------------------------- */

/* From a matrix to the facts of its partitions (docs/models/partition.md). */

/* Divides the matrix among each of the process counts of the options and writes all records;
 * returns the exit status of the process. */
int fr_partition_run(const struct fr_analyze_options *options);

/* ---- distributed ----------------------------------------------------------------------- */

/* A distributed matrix for SuperLU_DIST: each process has consecutive rows, the values are
 * generated.
 *
 * The time of the factorization does not depend on the values.  Generated rows are diagonally
 * dominant, so that no pivot is tiny and a wrong solution is detected
 * (docs/models/sparse_lu.md#values-of-timed-factorizations).
 */

struct fr_distributed {
    int n, first, rows;   /* this process has rows first to first + rows - 1 */
    int *row_at, *column; /* entries of its rows */
    double *value;
    double row_sum; /* largest sum of magnitudes of a row */
};

/* Makes this process's rows of `pattern`, which all processes have.  False if memory is short; free
 * with fr_distributed_free in both cases. */
bool fr_distributed_make(struct fr_distributed *made, const struct fr_sparsity *pattern);
void fr_distributed_free(struct fr_distributed *made);

/* A copy that the library may scale and free; false if memory is short. */
bool fr_distributed_copy(const struct fr_distributed *from, SuperMatrix *to);

/* Computes this process's rows of A x; `x` has all n elements. */
void fr_distributed_multiply(const struct fr_distributed *a, const double *x, double *out);

/* ---- numeric --------------------------------------------------------------------------- */

/* One factorization by SuperLU_DIST, and its time, size and residual. */

/* Results over all processes, the same in each but for `blas`. */
struct fr_numeric {
    double factor_s;                /* of pdgstrf in the slowest process */
    double solve_s[FR_SOLVES_MOST]; /* of pdgstrs likewise, the least of FR_SOLVE_REPETITIONS */
    double residual;                /* |b - A x| / (|A| |x|), maximum norms; the largest */
    double supernodes, nnz;
    double flops, flops_most, memory_bytes, memory_bytes_most;
    double tiny_pivots;
    struct fr_blas_times blas; /* of this process, if they are wanted */
};

enum { FR_SOLVE_REPETITIONS = 10 };

/* Factorizes with the column order `place`, unchanged rows, and the limits and look-ahead of the
 * options, and solves with each of their numbers of right-hand sides.  Collective.  Returns the
 * library's info, 0 on success. */
int fr_numeric_run(const struct fr_distributed *a, const int *place,
                   const struct fr_analyze_options *options, gridinfo_t *grid,
                   struct fr_numeric *found);

/* ---- factorization --------------------------------------------------------------------- */

/* forerun-analyze --factorize: the numeric factorization with the permutations of the analysis. */

/* Factorizes; the first process prints one line of JSON.  Collective.  Returns the exit status of
 * the process. */
int fr_factorization_run(const struct fr_analyze_options *options);

#endif
