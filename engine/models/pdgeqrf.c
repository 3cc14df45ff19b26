/* pdgeqrf: QR factorization of ScaLAPACK (docs/models/block_cyclic.md#pdgeqrf). */
#include "engine/block_cyclic/walk.h"

static const struct fr_param params[] = {
    CYCLIC_SIZE(m, "Rows of A."),
    CYCLIC_SIZE(n, "Columns of A."),
    CYCLIC_PARAMS,
    FR_PARAMS_END,
};

static double work(const void *values)
{
    const struct cyclic_values *v = values;

    return cyclic_panel_work(v, cyclic_least(v->m, v->n));
}

/* Seconds of the messages of a panel that begins in this process row. */
static double collectives_s(struct cyclic_walk *walk, int64_t row, int64_t width)
{
    if (cyclic_follows_members(&walk->net, width))
        return cyclic_reflectors_s(&walk->net, row, width);
    return (double)width * (cyclic_broadcast_s(&walk->net, 8) + cyclic_combine_s(&walk->net)) +
           cyclic_shrinking_s(walk, cyclic_reduce_s, width);
}

/* Seconds of a panel: a reflector for each column, applied to the rest (pdgeqr2.f, pdlarfg.f,
 * pdlarf.f). */
static double factor_s(struct cyclic_walk *walk, int64_t row, int64_t rows, int64_t width)
{
    const struct cyclic_kernels *kernels = &walk->kernels;
    const struct cyclic_steps below = { (double)rows, -1 }, right = { (double)width - 1, -1 };
    const int64_t columns = cyclic_least(width, rows), applied = cyclic_least(width - 1, rows);

    return collectives_s(walk, row, width) + cyclic_idamaxes_s(kernels, columns, below) +
           cyclic_dscals_s(kernels, columns, below) +
           cyclic_dgemvs_s(kernels, applied, below, right) +
           cyclic_dgers_s(kernels, applied, below, right);
}

/* Seconds of the triangular factor of a block of reflectors (pdlarft.f). */
static double triangle_s(struct cyclic_walk *walk, int64_t rows, int64_t width)
{
    const struct cyclic_steps all = { (double)rows, 0 }, before = { 1, 1 };
    const double jb = (double)width;

    return cyclic_reduce_s(&walk->net, 4 * jb * (jb - 1)) +
           cyclic_dgemvs_s(&walk->kernels, width - 1, all, before) +
           cyclic_dtrsvs_s(&walk->kernels, width - 1, before);
}

/* The block reflector applied to what is right of the panel (pdlarfb.f). */
static void apply(struct cyclic_walk *walk, int64_t first, double rows, double width)
{
    const double P = (double)walk->rows;
    const struct cyclic_spans spans = cyclic_column_spans(walk, walk->v->n, first);
    struct cyclic_kernels *kernels = &walk->kernels;
    struct cyclic_clocks *clocks = &walk->clocks;

    for (size_t i = 0; i < spans.count; i++) {
        const struct cyclic_span *span = &spans.of[i];
        const double columns = (double)span->share, bytes = 8 * columns * width;

        cyclic_spend_each(clocks, span, CYCLIC_UPDATE,
                          cyclic_gemm_s(kernels, columns, width, rows) +
                              cyclic_gemm_s(kernels, rows, columns, width));
        cyclic_spend_each(clocks, span, CYCLIC_BROADCAST,
                          cyclic_reduce_s(&walk->net, bytes) +
                              cyclic_broadcast_s(&walk->net, bytes));
        cyclic_spend_each(clocks, span, CYCLIC_SOLVE_TRIANGLE,
                          cyclic_trsm_s(kernels, width, columns));
        if (cyclic_span_has(span, 0, walk->columns))
            cyclic_count(clocks, 2 * (P - 1) / P, bytes);
    }
}

static bool step(void *context, int64_t number)
{
    struct cyclic_walk *walk = context;
    const int64_t first = number * walk->block, c = number % walk->columns;
    const int64_t width = cyclic_least(walk->block, cyclic_least(walk->v->m, walk->v->n) - first);
    const int64_t rows = cyclic_most_rows_from(walk->v->m, walk->block, walk->rows, first);
    struct cyclic_clocks *clocks = &walk->clocks;

    cyclic_spend_on(clocks, c, CYCLIC_PANEL, factor_s(walk, number % walk->rows, rows, width));
    if (first + width >= walk->v->n)
        return true;
    cyclic_spend_on(clocks, c, CYCLIC_PANEL, triangle_s(walk, rows, width));
    cyclic_spend_on(clocks, c, CYCLIC_COPY, cyclic_packed_s(walk, (double)rows, (double)width, 1));
    cyclic_ring(clocks, c, 8 * (double)rows * (double)width);
    apply(walk, first + width, (double)rows, (double)width);
    return true;
}

/* Whether the walk came to its end within the limit of the question. */
static bool walk_panels(struct cyclic_walk *walk)
{
    return cyclic_follow_panels(walk, step, walk);
}

static struct cyclic_course course(const struct cyclic_values *v)
{
    const double nb = (double)v->block_size;
    const double small = (double)cyclic_least(v->m, v->n), large = (double)cyclic_most(v->m, v->n);

    return (struct cyclic_course){ *v, walk_panels, 2 * small * small * (large - small / 3),
                                   cyclic_factor_words(v, v->m, v->n) + nb * nb };
}

static int resolve(void *values, const struct fr_calibration *cal, struct fr_faults *faults)
{
    static const struct cyclic_rules rules = {
        .needs_trsm = true, .work = work, .course = course, .work_of = cyclic_work_of_blocks
    };

    return cyclic_resolve(values, cal, &rules, faults);
}

const struct fr_model fr_model_pdgeqrf = {
    .name = "pdgeqrf",
    .summary = "QR factorization of ScaLAPACK on a P x Q grid.",
    .source = "ScaLAPACK: pdgeqrf.f, pdgeqr2.f, pdlarfg.f, pdlarf.f, pdlarft.f, pdlarfb.f",
    .assumes = FR_TEXTS("Process rows wait for each other in every panel, so that one clock for "
                        "each process column suffices."),
    .blind_spots =
        FR_TEXTS("Latencies that depend on distance, without network.latency_by_distance.",
                 "Other jobs, and noise beyond what the calibration saw."),
    CYCLIC_COURSE,
    .error_fraction = 0.13,
    CYCLIC_MODEL(struct cyclic_values, FR_USE(DGEMM) | FR_USE(DTRSM), CYCLIC_BLACS),
};
