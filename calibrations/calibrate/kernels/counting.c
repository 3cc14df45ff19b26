/* Constants of the kernel model `paper` of sparse LU. The time of an operation follows from the
 * peak.  The block and unroll sizes of a BLAS cannot be measured from outside; published ones are
 * assumed. */
#include "calibrations/calibrate/core/bench.h"

static const char as_published[] =
    "POWER3 values of Grigori, Li: Towards an "
    "accurate performance modeling of parallel sparse factorization; "
    "the values of this BLAS are unknown";

static void run(struct fr_context *context)
{
    struct fr_document *document = context->document;
    struct fr_calibration *found = &document->found;

    if (context->core_peak_flops_per_s > 0) {
        found->sparse.flop_time_s = 1 / context->core_peak_flops_per_s;
        fr_document_source(document, "/sparse/flop_time_s",
                           (struct fr_source){ .kind = context->options->peak_flops_per_s > 0
                                                           ? FR_FROM_PUBLISHED
                                                           : FR_FROM_MEASURED },
                           "time of one operation at the peak of a core, see "
                           "node.peak_flops_per_s");
    } else {
        fr_bench_missing(context, "sparse.flop_time_s", "the peak is not known");
    }
    found->sparse.dgemm_block.m = 32;
    found->sparse.dgemm_block.n = 48;
    found->sparse.dgemm_block.k = 48;
    fr_document_source(document, "/sparse/dgemm_block", fr_source_assumed, "%s", as_published);
    found->sparse.dgemm_unroll.m = 4;
    found->sparse.dgemm_unroll.n = 2;
    fr_document_source(document, "/sparse/dgemm_unroll", fr_source_assumed, "%s", as_published);
    found->sparse.dger_unroll = 4;
    fr_document_source(document, "/sparse/dger_unroll", fr_source_assumed, "same as dgemm_unroll");
    found->sparse.dtrsv_unroll = 4;
    fr_document_source(document, "/sparse/dtrsv_unroll", fr_source_assumed, "same as dgemm_unroll");
    found->memory.index_bytes = 4;
    fr_document_source(document, "/memory/index_bytes", fr_source_assumed,
                       "32-bit indices, the default of the sparse libraries");
}

const struct fr_bench fr_bench_counting = {
    .name = "counting",
    .group = "sparse",
    .summary = "constants of the paper's model of sparse LU, mostly assumed",
    .needs_ranks = 1,
    .after = "peak",
    .expected_s = fr_bench_no_time_s,
    .run = run,
};
