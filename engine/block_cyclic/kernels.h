/* Times of the kernels of block-cyclic programs
 * (docs/models/block_cyclic.md#kernels). */
#ifndef FR_BLOCK_CYCLIC_KERNELS_H
#define FR_BLOCK_CYCLIC_KERNELS_H

#include "engine/block_cyclic/values.h"
#include "engine/core/fault.h"
#include "engine/lookup/lookup.h"
#include "engine/prediction/prediction.h"

enum cyclic_kernel { CYCLIC_GEMM, CYCLIC_TRSM, CYCLIC_SYRK, CYCLIC_KERNELS };

/* What was asked for last, by sizes: the cube root of a routine's rate at one size, and the time of
 * a call.  The panels of a process row, and the columns of a panel, share most sizes. */
enum { CYCLIC_CALL_BITS = 10, CYCLIC_CALLS = 1 << CYCLIC_CALL_BITS, CYCLIC_ROOTS = CYCLIC_CALLS };
struct blocked_fitted;
struct cyclic_root {
    double size, root;
};
struct cyclic_call {
    double size[3]; /* size[0] 0: unused */
    double time_s;
    enum cyclic_kernel kernel;
};
/* Look-ups with `threads` cores.  Zeroed and then filled by cyclic_kernels_begin; points into the
 * evaluation, which it warns. */
struct cyclic_kernels {
    struct fr_evaluation *run;
    int64_t threads;
    struct fr_call_costs cost[CYCLIC_KERNELS];           /* count 0: not known */
    struct fr_call_costs memory_cost;                    /* of dgemm_memory, the same */
    const struct blocked_fitted **model[CYCLIC_KERNELS]; /* of these threads, in cache */
    size_t models[CYCLIC_KERNELS];
    bool is_right;                            /* models of dtrsm are of side R */
    struct cyclic_root (*root)[CYCLIC_ROOTS]; /* of each kernel */
    struct cyclic_call *call;
    double fastest_root[CYCLIC_KERNELS]; /* the greatest; 0: none */
    double stream_call_s, line_bytes;
    double slowest; /* fr_kernel_slowest */
    double steps;   /* the work of look-ups so far, in steps of the arena */
};
/* Whether the calibration has costs, rows or models of the routine for so many threads. */
bool cyclic_kernel_is_known(const struct fr_calibration *cal, enum cyclic_kernel kernel,
                            int64_t threads);
/* Whether it has costs or models of dgemm and dtrsm on one thread. */
bool cyclic_has_kernels(const struct fr_calibration *cal);
/* `cores` are those of the job, `meeting` the processes that wait for each other after their calls;
 * `dtrsm`: side, uplo and trans of the solves, or NULL.  Returns FR_OK, or FR_NOMEM after adding a
 * fault. */
int cyclic_kernels_begin(struct cyclic_kernels *kernels, struct fr_evaluation *run, int64_t threads,
                         double cores, double meeting, const char *dtrsm);

/* Seconds of C(m,n) += A(m,k) B(k,n); of a triangular solve of order o with h right-hand sides; of
 * a symmetric update of order n by k.  Sizes may be fractional; 0 if one is not positive. */
double cyclic_gemm_s(struct cyclic_kernels *kernels, double m, double n, double k);
double cyclic_trsm_s(struct cyclic_kernels *kernels, double o, double h);
double cyclic_syrk_s(struct cyclic_kernels *kernels, double n, double k);
/* Of C(m,n) += A(m,k) B(k,n), where A is a part of a matrix of so many bytes that was not touched
 * of late, and n is small (docs/models/block_cyclic.md#products-with-a-part-of-a-matrix). */
double cyclic_gemm_of_matrix_s(struct cyclic_kernels *kernels, double m, double n, double k,
                               double matrix_bytes);

/* No less time than that of C(m,n) += A(m,k) B(k,n), and of a triangular solve of order o with h
 * right-hand sides, however the n columns or h sides are divided among calls; 0 where models of the
 * kernel give no bound.  And than that of touching so many bytes. */
double cyclic_gemm_least_s(struct cyclic_kernels *kernels, double m, double n, double k);
double cyclic_trsm_least_s(struct cyclic_kernels *kernels, double o, double h);
double cyclic_stream_least_s(const struct cyclic_kernels *kernels, double bytes);

/* Seconds in which a core reads and writes `bytes` of operands, the largest of which has
 * `operand_bytes`; 0 without bytes (docs/models/block_cyclic.md#vector-operations). */
double cyclic_stream_s(const struct cyclic_kernels *kernels, double bytes, double operand_bytes);
/* How far the bandwidth of an operand of so many bytes has fallen from the greatest to that of
 * memory: 0 to 1, which serves for all without streams. */
double cyclic_memory_share(const struct cyclic_kernels *kernels, double operand_bytes);
/* Vector operations of the BLAS on contiguous columns. */
double cyclic_dscal_s(const struct cyclic_kernels *kernels, double n);
double cyclic_dtrsv_s(const struct cyclic_kernels *kernels, double n);
double cyclic_dgemv_s(const struct cyclic_kernels *kernels, double m, double n);
/* What a process has of a matrix. */
struct cyclic_matrix {
    double bytes;
    bool is_on_pages; /* columns are a multiple of FR_PAGE_BYTES apart */
};
/* Exchanges two rows of n elements, of a panel or of a matrix. */
double cyclic_rowswap_s(const struct cyclic_kernels *kernels, double n);
double cyclic_long_rowswap_s(const struct cyclic_kernels *kernels, double n,
                             const struct cyclic_matrix *matrix);
/* Packs a row of n elements and unpacks another into its place, beside the message that brings it;
 * 0 where the calibration has no such time. */
double cyclic_new_row_s(const struct cyclic_kernels *kernels, double n,
                        const struct cyclic_matrix *matrix);
/* Copies m n elements that touch `element_bytes` each, in `calls` calls. */
double cyclic_copy_s(const struct cyclic_kernels *kernels, double m, double n, double element_bytes,
                     double calls);

/* A size that changes steadily from call to call. */
struct cyclic_steps {
    double first, step;
};
/* Seconds of `count` calls of the vector operations, one after the other, whose sizes are positive;
 * the operand of two sizes grows or shrinks throughout. */
double cyclic_idamaxes_s(const struct cyclic_kernels *kernels, int64_t count,
                         struct cyclic_steps n);
double cyclic_dscals_s(const struct cyclic_kernels *kernels, int64_t count, struct cyclic_steps n);
double cyclic_dtrsvs_s(const struct cyclic_kernels *kernels, int64_t count, struct cyclic_steps n);
double cyclic_dgemvs_s(const struct cyclic_kernels *kernels, int64_t count, struct cyclic_steps m,
                       struct cyclic_steps n);
double cyclic_dgers_s(const struct cyclic_kernels *kernels, int64_t count, struct cyclic_steps m,
                      struct cyclic_steps n);

#endif
