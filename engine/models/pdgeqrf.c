/* pdgeqrf: QR factorization of ScaLAPACK (docs/models/block_cyclic.md#pdgeqrf). */
#include "engine/block_cyclic/walk.h"

#include <math.h>

struct pdgeqrf {
    struct cyclic_values common;
};

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

static int resolve(void *values, const struct fr_calibration *cal, struct fr_faults *faults)
{
    static const struct cyclic_rules rules = { .needs_trsm = true,
                                               .work = work,
                                               .work_of = cyclic_work_of_blocks };

    return cyclic_resolve(values, cal, &rules, faults);
}

/* Seconds of a panel: a reflector for each column, applied to the rest (pdgeqr2.f, pdlarfg.f,
 * pdlarf.f). */
static double factor_s(struct cyclic_walk *walk, double rows, int64_t width)
{
    const struct cyclic_kernels *kernels = &walk->kernels;
    double sum = (double)width * (cyclic_broadcast_s(&walk->net, 8) + cyclic_combine_s(&walk->net));

    for (int64_t a = 0; a < width; a++) {
        const double below = fmax(0, rows - (double)a), right = (double)(width - a - 1);

        sum += cyclic_idamax_s(kernels, below) + cyclic_dscal_s(kernels, below);
        if (right > 0)
            sum += cyclic_dgemv_s(kernels, below, right) + cyclic_dger_s(kernels, below, right) +
                   cyclic_reduce_s(&walk->net, 8 * right);
    }
    return sum;
}

/* Seconds of the triangular factor of a block of reflectors (pdlarft.f). */
static double triangle_s(struct cyclic_walk *walk, double rows, int64_t width)
{
    const double jb = (double)width;
    double sum = cyclic_reduce_s(&walk->net, 4 * jb * (jb - 1));

    for (double a = 1; a < jb; a++)
        sum += cyclic_dgemv_s(&walk->kernels, rows, a) +
               cyclic_stream_s(&walk->kernels, 4 * a * a + 16 * a, 4 * a * a);
    return sum;
}

/* The block reflector applied to some columns (pdlarfb.f). */
struct application {
    double update_s, broadcast_s, trsm_s;
};

static struct application application_of(struct cyclic_walk *walk, double rows, double width,
                                         double columns)
{
    const double bytes = 8 * columns * width;

    return (struct application){
        .update_s = cyclic_gemm_s(&walk->kernels, columns, width, rows) +
                    cyclic_gemm_s(&walk->kernels, rows, columns, width),
        .broadcast_s = cyclic_reduce_s(&walk->net, bytes) + cyclic_broadcast_s(&walk->net, bytes),
        .trsm_s = cyclic_trsm_s(&walk->kernels, width, columns),
    };
}

static void apply(struct cyclic_walk *walk, int64_t first, double rows, double width)
{
    const double P = (double)walk->rows;
    const struct cyclic_range range = cyclic_columns_from(walk, walk->v->n, first);
    struct cyclic_widths widths = { 0 };
    struct application cost[CYCLIC_WIDTHS];

    for (int64_t q = 0; q < walk->columns; q++) {
        const int64_t columns = cyclic_range_share(&range, q);
        bool is_new;
        const size_t i = cyclic_width_index(&widths, columns, &is_new);

        if (columns == 0)
            continue;
        if (is_new)
            cost[i] = application_of(walk, rows, width, (double)columns);
        cyclic_spend(&walk->clocks.of[q], CYCLIC_UPDATE, cost[i].update_s);
        cyclic_spend(&walk->clocks.of[q], CYCLIC_BROADCAST, cost[i].broadcast_s);
        cyclic_spend(&walk->clocks.of[q], CYCLIC_SOLVE_TRIANGLE, cost[i].trsm_s);
        if (q == 0)
            cyclic_count(&walk->clocks, 2 * (P - 1) / P, 8 * width * (double)columns);
    }
}

static void step(struct cyclic_walk *walk, int64_t number, int64_t width)
{
    const int64_t first = number * walk->block, c = number % walk->columns;
    const double rows = cyclic_most_rows(walk, walk->v->m, first), jb = (double)width;
    struct cyclic_clock *owner = &walk->clocks.of[c];

    cyclic_spend(owner, CYCLIC_PANEL, factor_s(walk, rows, width));
    if (first + width >= walk->v->n)
        return;
    cyclic_spend(owner, CYCLIC_PANEL, triangle_s(walk, rows, width));
    cyclic_spend(owner, CYCLIC_COPY, cyclic_packed_s(walk, rows, jb, 1));
    cyclic_ring(&walk->clocks, c, 8 * rows * jb);
    apply(walk, first + width, rows, jb);
}

static void predict(const void *values, struct fr_evaluation *run)
{
    const struct cyclic_values *v = values;
    const int64_t least = cyclic_least(v->m, v->n);
    const double small = (double)least, large = (double)cyclic_most(v->m, v->n);
    const double nb = (double)v->block_size;
    struct cyclic_walk walk;

    if (cyclic_begin(&walk, v, run) != FR_OK)
        return;
    for (int64_t number = 0; number * v->block_size < least; number++)
        step(&walk, number, cyclic_least(v->block_size, least - number * v->block_size));
    cyclic_finish(&walk, v, 2 * small * small * (large - small / 3),
                  cyclic_factor_words(v, v->m, v->n) + nb * nb);
}

static const char *const assumes[] = {
    "Process rows wait for each other in every panel, so that one clock for each process column "
    "suffices.",
    NULL,
};
static const char *const blind_spots[] = {
    "Latencies that depend on distance.",
    "Noise, other jobs, kernels slowed by the other cores of a node.",
    NULL,
};

const struct fr_model fr_model_pdgeqrf = {
    .name = "pdgeqrf",
    .summary = "QR factorization of ScaLAPACK on a P x Q grid.",
    .source = "ScaLAPACK: pdgeqrf.f, pdgeqr2.f, pdlarfg.f, pdlarf.f, pdlarft.f, pdlarfb.f",
    .assumes = assumes,
    .blind_spots = blind_spots,
    CYCLIC_MODEL(struct pdgeqrf),
};
