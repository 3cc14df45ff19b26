/* Bytes that the phases of an iterative solver move and keep, and their time
 * (docs/models/krylov_problem.md#bytes-and-memory, #computation-by-size). */
#ifndef FR_KRYLOV_TRAFFIC_H
#define FR_KRYLOV_TRAFFIC_H

#include "engine/krylov/communication/krylov.h"

/* What a process holds: rows, entries, those whose column is its own, values that it reads from
 * others, and values that it sends, counted for each receiver. */
struct krylov_holding {
    double rows, entries, diagonal, ghosts, sent;
};

/* What multigrid moves and keeps is not counted here, but by engine/krylov/multigrid/multigrid.h.
 */
enum krylov_preconditioner {
    KRYLOV_PC_NONE,
    KRYLOV_PC_JACOBI,
    KRYLOV_PC_ICC,
    KRYLOV_PC_ILU,
    KRYLOV_PC_MULTIGRID
};
extern const char *const krylov_preconditioners[];
extern const struct fr_choice_alias krylov_preconditioner_aliases[]; /* PETSc's names */

/* Bytes that one product, one application of the preconditioner and one word of each row of vector
 * work move; that one iteration touches; and that the process keeps. */
struct krylov_bytes {
    double matvec, preconditioner, word, working_set, memory;
};
struct krylov_bytes krylov_bytes(const struct krylov_holding *of,
                                 enum krylov_preconditioner preconditioner, double vectors,
                                 double index_bytes);
/* The larger of each. */
struct krylov_bytes krylov_most_bytes(const struct krylov_bytes *a, const struct krylov_bytes *b);
/* Of a column index; 4 where the calibration does not say. */
double krylov_index_bytes(struct fr_evaluation *run);

/* The kernels that price the three phases. */
struct krylov_kernels {
    enum fr_stream matvec, preconditioner, vector;
};
struct krylov_kernels krylov_kernels(const struct fr_calibration *cal,
                                     enum krylov_preconditioner preconditioner, bool is_fused);
/* Whether the calibration prices them all: by size, or by the memory bandwidth of a node. */
bool krylov_can_estimate(const struct fr_calibration *cal, const struct krylov_kernels *kernels);

/* Seconds of one product, one application of the preconditioner, and one word of each row.  Where
 * the calibration cannot price them, only their proportions mean something.  `is_bound`: at least
 * one is a share of the memory bandwidth. */
struct krylov_estimate {
    double matvec_s, preconditioner_s, word_s;
    bool is_bound;
};
struct krylov_estimate krylov_estimate(const struct krylov_values *v, struct fr_evaluation *run,
                                       const struct krylov_kernels *kernels,
                                       const struct krylov_bytes *bytes);

#endif
