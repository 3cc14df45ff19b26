/* Fields of `sparse`: constants of supernodal sparse LU
 * (docs/models/sparse_lu.md#machine-of-the-paper and
 * docs/models/sparse_lu.md#fit-of-the-six-constants). */
#include "engine/fields/fields.h"

#define SP(f) AT(#f, CAL, sparse.f)
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
#define FIT(f, of, text)                                                                           \
    {                                                                                              \
        AT(#f, CAL, sparse.fit.f), .kind = FR_FIELD_NUMBER, .unit = of, .scaling = FR_SCALE_VALUE, \
                                   .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO, .doc = text           \
    }
static const struct fr_field sparse_fit[] = {
    FIT(gemm, "1", "c1: time of dgemm over the time from its table."),
    FIT(panel, "1", "c2: time of the panel kernels over the time from their tables."),
    FIT(scatter_s, "s", "c3: time per scattered element."),
    FIT(block_s, "s", "c4: time per pair of a row block and a column block."),
    FIT(column_s, "s", "c5: time per pair of a row block and a column."),
    FIT(supernode_s, "s", "c6: time per supernode in which a process has work."),
    END,
};
const struct fr_field fr_fields_sparse[] = {
    { SP(flop_time_s), .kind = FR_FIELD_NUMBER, .unit = "s", .scaling = FR_SCALE_RATE_TIME,
      .doc = "Time of one operation at peak." },
    { .name = "dgemm_block",
      .kind = FR_FIELD_OBJECT,
      .fields = dgemm_block,
      .doc = "Cache block sizes of dgemm." },
    { .name = "dgemm_unroll",
      .kind = FR_FIELD_OBJECT,
      .fields = dgemm_unroll,
      .doc = "Register block sizes of dgemm." },
    { SP(dger_unroll), .kind = FR_FIELD_COUNT, .unit = "1", .doc = "Unrolling of dger." },
    { SP(dtrsv_unroll), .kind = FR_FIELD_COUNT, .unit = "1", .doc = "Unrolling of dtrsv." },
    { .name = "fit",
      .kind = FR_FIELD_OBJECT,
      .fields = sparse_fit,
      .doc = "Constants c1 to c6 of the kernel model `calibrated`." },
    { SP(supernode_max), .kind = FR_FIELD_COUNT, .unit = "1",
      .doc = "Most columns of a supernode." },
    { SP(supernode_relax), .kind = FR_FIELD_COUNT, .unit = "1",
      .doc = "Most columns of a relaxed supernode." },
    END,
};
