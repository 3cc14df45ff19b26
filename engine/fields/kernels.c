/* Fields of `kernels`: rates of routines. */
#include "engine/fields/fields.h"

static const struct fr_field square[] = {
    COUNT(struct fr_square_rate, threads, .flags = FR_FIELD_NEEDED, .doc = "Threads of the call."),
    COUNT(struct fr_square_rate, n, .flags = FR_FIELD_NEEDED, .doc = "Order of the operands."),
    NUMBER(struct fr_square_rate, efficiency_fraction, .unit = "1",
           .flags = FR_FIELD_SHARE | FR_FIELD_OR_NEXT, .scaling = FR_SCALE_RATE,
           .doc = "Share of the threads' peak; or time_s."),
    NUMBER(struct fr_square_rate, time_s, .unit = "s", .scaling = FR_SCALE_RATE_TIME,
           .doc = "Time of a call."),
    END,
};
static const struct fr_field rates[] = {
    COUNT(struct fr_rate, m, .doc = "Rows."),
    COUNT(struct fr_rate, n, .doc = "Columns."),
    COUNT(struct fr_rate, k, .doc = "Inner dimension (dgemm)."),
    NUMBER(struct fr_rate, rate_flops_per_s, .unit = "flop/s", .scaling = FR_SCALE_RATE,
           .flags = FR_FIELD_NEEDED, .doc = "Rate."),
    END,
};
static const struct fr_field kernel[] = {
    TABLE(struct fr_kernel, square, struct fr_square_rate, square, .flags = FR_FIELD_UNIQUE,
          .doc = "Rate on square operands, by threads and order."),
    TABLE(struct fr_kernel, rates, struct fr_rate, rates,
          .doc = "Rate by the sizes of the routine, one thread."),
    END,
};
/* In one of the other precisions: square operands only. */
static const struct fr_field precise_kernel[] = {
    TABLE(struct fr_kernel, square, struct fr_square_rate, square, .flags = FR_FIELD_UNIQUE,
          .doc = "Rate on square operands, by threads and order."),
    END,
};
#define PRECISE(label, index, text)                                        \
    {                                                                      \
        AT(label, struct fr_precise_kernels, routine[index]),              \
            .kind = FR_FIELD_OBJECT, .fields = precise_kernel, .doc = text \
    }
static const struct fr_field precise_kernels[] = {
    PRECISE("gemm", FR_DGEMM, "Matrix product."),
    PRECISE("trsm", FR_DTRSM, "Triangular solve."),
    PRECISE("syrk", FR_DSYRK, "Symmetric rank-k update; Hermitian (herk) in complex arithmetic."),
    PRECISE("potrf", FR_DPOTRF, "Cholesky factorization."),
    END,
};
static const struct fr_field by_precision[] = {
    { AT("single", CAL, kernels.by_precision[FR_SINGLE]), .kind = FR_FIELD_OBJECT,
      .fields = precise_kernels, .doc = "Single precision." },
    { AT("complex", CAL, kernels.by_precision[FR_COMPLEX]), .kind = FR_FIELD_OBJECT,
      .fields = precise_kernels, .doc = "Complex numbers of single precision." },
    { AT("double_complex", CAL, kernels.by_precision[FR_DOUBLE_COMPLEX]), .kind = FR_FIELD_OBJECT,
      .fields = precise_kernels, .doc = "Complex numbers of double precision." },
    END,
};
#define SIZED struct fr_sized_bandwidth
static const struct fr_field by_size[] = {
    COUNT(SIZED, processes, .flags = FR_FIELD_NEEDED,
          .doc = "Cores of a node that run the same kernels at once."),
    NUMBER(SIZED, working_set_bytes, .unit = "bytes", .flags = FR_FIELD_NEEDED,
           .doc = "Bytes that one process touches in one turn of all kernels, each array once."),
    NUMBER(SIZED, bandwidth_bytes_per_s, .unit = "bytes/s", .scaling = FR_SCALE_RATE,
           .flags = FR_FIELD_NEEDED, .doc = "Bytes of this kernel over its time, of one process."),
    END,
};
static const struct fr_field stream_kernel[] = {
    NUMBER(struct fr_stream_kernel, bandwidth_fraction, .unit = "1", .scaling = FR_SCALE_RATE,
           .doc = "Share of the memory bandwidth that it reaches."),
    TABLE(struct fr_stream_kernel, by_size, SIZED, by_size, .flags = FR_FIELD_UNIQUE,
          .doc = "Bandwidth by busy cores and by what a process touches."),
    END,
};

static const struct fr_field reuse[] = {
    NUMBER(struct fr_reuse, distance_bytes, .unit = "bytes",
           .flags = FR_FIELD_NEEDED | FR_FIELD_RISING,
           .doc = "Bytes touched since the last use of an operand."),
    NUMBER(struct fr_reuse, out_of_cache_share, .unit = "1",
           .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO | FR_FIELD_SHARE,
           .doc = "What it then costs, of the time between in cache and out of cache."),
    END,
};

#define COST struct fr_call_cost
const char *const fr_blas_call_names[] = { FR_BLAS_CALLS(FR_CHOICE_NAME) NULL };
static const struct fr_field calls[] = {
    CHOICE(
        COST, call, fr_blas_call_names, .flags = FR_FIELD_NEEDED,
        .doc =
            "Routine; of dtrsm with side, uplo and trans. dgemm_memory: dgemm of a narrow operand "
            "with a part of a matrix in memory."),
    COUNT(COST, threads, .flags = FR_FIELD_NEEDED, .doc = "Threads of the call."),
    NUMBER(COST, max_width, .unit = "1", .flags = FR_FIELD_NEEDED | FR_FIELD_NULL,
           .doc = "Largest value of the smaller of m and n, of dtrsm of the right-hand sides; null "
                  "for the last row of a call."),
    NUMBER(COST, max_depth, .unit = "1", .flags = FR_FIELD_NEEDED | FR_FIELD_NULL,
           .doc = "Largest k, of dtrsm largest order of the triangle; null for the last row of a "
                  "call."),
    NUMBER(COST, max_size, .unit = "1", .flags = FR_FIELD_NEEDED,
           .doc = "Largest size that was measured."),
    NUMBER(COST, call_s, .unit = "s", .scaling = FR_SCALE_RATE_TIME,
           .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO, .doc = "Time of the call itself."),
    NUMBER(COST, multiply_add_s, .unit = "s", .scaling = FR_SCALE_RATE_TIME,
           .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO,
           .doc = "Time of a multiplication with its addition."),
    NUMBER(COST, a_element_s, .unit = "s", .scaling = FR_SCALE_RATE_TIME,
           .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO,
           .doc = "Time of an element of A: of the product's left operand, or of the triangle."),
    NUMBER(COST, b_element_s, .unit = "s", .scaling = FR_SCALE_RATE_TIME,
           .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO,
           .doc = "Time of an element of B: of the right operand, or of the right-hand sides."),
    NUMBER(COST, c_element_s, .unit = "s", .scaling = FR_SCALE_RATE_TIME,
           .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO, .doc = "Time of an element of the result."),
    END,
};

#define EXTRA(name, text)                                     \
    IN(CAL, kernels.extra_columns, NUMBER, name, .unit = "1", \
       .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO, .doc = text)
static const struct fr_field extra_columns[] = {
    IN(CAL, kernels.extra_columns, NUMBERS, by_remainder, .unit = "1",
       .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO,
       .doc = "Columns that a product of at most 64 columns costs besides its own, by the "
              "remainder of its columns after division by the count of these numbers."),
    EXTRA(
        depth_64,
        "Columns that a product costs besides if its depth is a multiple of 64, not of 128, and at "
        "most 256."),
    EXTRA(depth_128, "The same if it is a multiple of 128, and at most 256."),
    END,
};

static const struct fr_field variability[] = {
    IN(CAL, kernels.variability, COUNT, cores, .unit = "1", .flags = FR_FIELD_NEEDED,
       .doc = "Cores of a processor, which one of the times is of."),
    IN(CAL, kernels.variability, NUMBERS, processor_times, .unit = "1", .flags = FR_FIELD_NEEDED,
       .doc =
           "Time of dgemm on each processor, all cores of all processors busy, over the time that "
           "the rates and models of kernels stand for."),
    IN(CAL, kernels.variability, NUMBER, late_fraction, .unit = "1", .flags = FR_FIELD_ZERO,
       .doc = "How much longer than the mean the slowest of the calls takes that all cores of a "
              "processor make at once."),
    END,
};

#define STREAM(label, index, text)                                                               \
    {                                                                                            \
        AT(label, CAL, kernels.stream[index]), .kind = FR_FIELD_OBJECT, .fields = stream_kernel, \
                                               .doc = text                                       \
    }
#define KERNEL(label, index, text)                                                         \
    {                                                                                      \
        AT(label, CAL, kernels.routine[index]), .kind = FR_FIELD_OBJECT, .fields = kernel, \
                                                .doc = text                                \
    }
const struct fr_field fr_fields_kernels[] = {
    KERNEL("dgemm", FR_DGEMM, "Matrix product."),
    KERNEL("dtrsm", FR_DTRSM, "Triangular solve."),
    KERNEL("dsyrk", FR_DSYRK, "Symmetric rank-k update."),
    KERNEL("dpotrf", FR_DPOTRF, "Cholesky factorization."),
    KERNEL("dger", FR_DGER, "Rank-1 update."),
    KERNEL("dtrsv", FR_DTRSV, "Triangular solve of a vector."),
    MEMBERS("by_precision", by_precision, .doc = "Routines in other than double precision."),
    STREAM("sparse_matvec", FR_SPARSE_MATVEC, "Sparse matrix-vector product."),
    STREAM("sparse_triangular_solve", FR_SPARSE_TRIANGULAR_SOLVE,
           "Both triangular solves with an incomplete Cholesky factor."),
    STREAM("sparse_ilu_solve", FR_SPARSE_ILU_SOLVE,
           "Both triangular solves with an incomplete LU factor."),
    STREAM("vector", FR_VECTOR_KERNEL, "Vector operations."),
    STREAM("vector_fused", FR_VECTOR_FUSED, "Operations on several vectors in one loop."),
    IN(CAL, kernels, TABLE, routine_models, .size = sizeof(struct fr_routine_model),
       .fields = fr_fields_routine_model, .doc = "Piecewise polynomials of BLAS calls."),
    IN(CAL, kernels, TABLE, calls, .size = sizeof(COST), .fields = calls, .flags = FR_FIELD_UNIQUE,
       .doc = "Costs of BLAS calls as programs make them, all cores busy."),
    MEMBERS("extra_columns", extra_columns,
            .doc = "What dgemm costs by its width and depth, in columns of the result."),
    IN(CAL, kernels, NUMBER, out_of_cache_weight, .unit = "1",
       .flags = FR_FIELD_ZERO | FR_FIELD_SHARE,
       .doc = "Weight of the out-of-cache models in a blend."),
    IN(CAL, kernels, TABLE, reuse, .size = sizeof(struct fr_reuse), .fields = reuse,
       .doc = "Cost of operands by how long ago they were used."),
    MEMBERS("variability", variability, .doc = "How much the processors of the machine differ."),
    END,
};
