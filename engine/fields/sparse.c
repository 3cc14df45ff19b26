/* Fields of `sparse`: constants of supernodal sparse LU
 * (docs/models/sparse_lu.md#machine-of-the-paper and
 * docs/models/sparse_lu.md#fit-of-the-six-constants). */
#include "engine/fields/fields.h"

#define NEEDED_COUNT .kind = FR_FIELD_COUNT, .unit = "1", .flags = FR_FIELD_NEEDED
static const struct fr_field dgemm_block[] = {
    { AT("m", CAL, sparse.dgemm_block.m), NEEDED_COUNT, .doc = "Rows." },
    { AT("n", CAL, sparse.dgemm_block.n), NEEDED_COUNT, .doc = "Columns." },
    { AT("k", CAL, sparse.dgemm_block.k), NEEDED_COUNT, .doc = "Inner dimension." },
    END,
};
static const struct fr_field dgemm_unroll[] = {
    { AT("m", CAL, sparse.dgemm_unroll.m), NEEDED_COUNT, .doc = "Rows." },
    { AT("n", CAL, sparse.dgemm_unroll.n), NEEDED_COUNT, .doc = "Columns." },
    END,
};
#define FIT_OF(path, label, of, text)                                                      \
    {                                                                                      \
        AT(label, CAL, sparse.path), .kind = FR_FIELD_NUMBER, .unit = of,                  \
                                     .scaling = FR_SCALE_VALUE,                            \
                                     .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO, .doc = text \
    }
#define FIT(f, of, text) FIT_OF(fit.f, #f, of, text)
#define WINDOW_FIT(f, of, text) FIT_OF(window_fit.f, #f, of, text)
static const struct fr_field sparse_fit[] = {
    FIT(gemm, "1", "c1: time of dgemm over the time from its table."),
    FIT(panel, "1", "c2: time of the panel kernels over the time from their tables."),
    FIT(scatter_s, "s", "c3: time per scattered element."),
    FIT(block_s, "s", "c4: time per pair of a row block and a column block."),
    FIT(column_s, "s", "c5: time per pair of a row block and a column."),
    FIT(supernode_s, "s", "c6: time per supernode in which a process has work."),
    END,
};
static const struct fr_field sparse_window_fit[] = {
    WINDOW_FIT(gemm, "1", "Time of dgemm over the time from its table."),
    WINDOW_FIT(panel, "1", "Time of the panel kernels over the time from their tables."),
    WINDOW_FIT(scatter_s, "s", "Time per copied or scattered element."),
    WINDOW_FIT(block_s, "s", "Time per destination block, with half a search of 16 blocks."),
    WINDOW_FIT(column_s, "s", "Time per pair of a row block and a column of its destination."),
    WINDOW_FIT(supernode_s, "s", "Time per supernode in which a process has work."),
    END,
};
#define QUALITY(f, text)                                                                \
    {                                                                                   \
        AT(#f, CAL, sparse.window_fit_quality.f), .kind = FR_FIELD_NUMBER, .unit = "1", \
                                                  .doc = text                           \
    }
#define PRIOR_SHARE(f)                                                    \
    {                                                                     \
        AT(#f, CAL, sparse.window_fit_quality.prior_share.f),             \
            .kind = FR_FIELD_NUMBER, .unit = "1", .flags = FR_FIELD_ZERO, \
            .doc = "Share of the prior in " #f "."                        \
    }
static const struct fr_field prior_share[] = {
    PRIOR_SHARE(gemm),
    PRIOR_SHARE(panel),
    PRIOR_SHARE(scatter_s),
    PRIOR_SHARE(block_s),
    PRIOR_SHARE(column_s),
    PRIOR_SHARE(supernode_s),
    END,
};
static const struct fr_field sparse_window_fit_quality[] = {
    QUALITY(median, "Median factor between the predicted and the measured times of the samples."),
    QUALITY(worst, "Largest of these factors."),
    QUALITY(left_out_median, "Median factor of samples whose matrix the fit did not use."),
    QUALITY(left_out_worst, "Largest of these factors."),
    MEMBERS(
        "prior_share", prior_share,
        .doc =
            "How much of each constant is assumed: 0 known from the samples, 1 the prior alone."),
    END,
};
#define SOLVE_FIT(f, of, text) FIT_OF(solve_fit.f, #f, of, text)
static const struct fr_field sparse_solve_fit[] = {
    SOLVE_FIT(entry_s, "s", "Time per stored entry of L and U."),
    SOLVE_FIT(flop_s, "s", "Time per entry and right-hand side."),
    SOLVE_FIT(block_s, "s", "Time per block off the diagonal."),
    SOLVE_FIT(supernode_s, "s", "Time per diagonal block."),
    END,
};
const struct fr_field fr_fields_sparse[] = {
    IN(CAL, sparse, NUMBER, flop_time_s, .unit = "s", .scaling = FR_SCALE_RATE_TIME,
       .doc = "Time of one operation at peak."),
    MEMBERS("dgemm_block", dgemm_block, .doc = "Cache block sizes of dgemm."),
    MEMBERS("dgemm_unroll", dgemm_unroll, .doc = "Register block sizes of dgemm."),
    IN(CAL, sparse, COUNT, dger_unroll, .unit = "1", .doc = "Unrolling of dger."),
    IN(CAL, sparse, COUNT, dtrsv_unroll, .unit = "1", .doc = "Unrolling of dtrsv."),
    MEMBERS("fit", sparse_fit, .doc = "Constants c1 to c6 of the kernel model `calibrated`."),
    MEMBERS("window_fit", sparse_window_fit,
            .doc = "The same constants for the work with a look-ahead window, which is counted "
                   "differently."),
    MEMBERS("window_fit_quality", sparse_window_fit_quality,
            .doc = "How well window_fit predicts its samples."),
    MEMBERS("solve_fit", sparse_solve_fit, .doc = "Constants of the triangular solves."),
    IN(CAL, sparse, COUNT, supernode_max, .unit = "1", .doc = "Most columns of a supernode."),
    IN(CAL, sparse, COUNT, supernode_relax, .unit = "1",
       .doc = "Most columns of a relaxed supernode."),
    END,
};
