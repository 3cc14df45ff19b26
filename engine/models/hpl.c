/* hpl: the High-Performance Linpack benchmark, HPL 2.3 (docs/models/block_cyclic.md#hpl).
 *
 * LU factorization with partial pivoting of n + 1 columns, look-ahead by up to `lookahead_depth`
 * panels: a panel is factored early, and travels while the columns update by an older one.
 */
#include "engine/block_cyclic/hpl.h"
#include "engine/core/number.h"

#include <inttypes.h>
#include <math.h>

static const char *const broadcasts[] = {
    [HPL_1RING] = "1ring",
    [HPL_1RING_M] = "1ringM",
    [HPL_2RING] = "2ring",
    [HPL_2RING_M] = "2ringM",
    [HPL_LONG] = "long",
    [HPL_LONG_M] = "longM",
    NULL,
};
static const char *const swaps[] = {
    [HPL_BINARY_EXCHANGE] = "binary_exchange",
    [HPL_SPREAD_ROLL] = "spread_roll",
    [HPL_MIX] = "mix",
    NULL,
};

static size_t depths(const void *values, const struct fr_calibration *cal, int64_t *out,
                     size_t capacity)
{
    size_t count = 0;

    (void)values;
    (void)cal;
    for (int64_t depth = 0; depth <= 1 && count < capacity; depth++)
        out[count++] = depth;
    return count;
}

static const struct fr_param params[] = {
    FR_INT(struct cyclic_values, n, .unit = "1", .min = 1, .max = HPL_MOST_N, .flags = FR_REQUIRED,
           .unless = "memory_fraction", .doc = "Order of the matrix (N)."),
    FR_REAL(struct hpl_values, memory_fraction, .unit = "1", .min = 1e-6, .max = 1,
            .flags = FR_AUTOMATIC | FR_OPTIONAL | FR_INPUT_ONLY,
            .doc = "Instead of n: the share of a node's memory to fill. n is then the largest "
                   "multiple of block_size that fits."),
    CYCLIC_PARAMS,
    FR_CHOICE_OF(struct hpl_values, broadcast, .choices = broadcasts, .unit = "",
                 .fallback = HPL_1RING_M, .flags = FR_DEFAULT | FR_TUNABLE,
                 .doc = "Broadcast of a panel along the rows (BCAST)."),
    FR_INT(struct hpl_values, lookahead_depth, .unit = "1", .min = 0, .max = 1e6, .fallback = 1,
           .flags = FR_DEFAULT | FR_TUNABLE, .candidates = depths,
           .doc = "Panels that are factored ahead of the update (DEPTH)."),
    FR_CHOICE_OF(struct hpl_values, swap, .choices = swaps, .unit = "", .fallback = HPL_MIX,
                 .flags = FR_DEFAULT,
                 .doc =
                     "Row swaps (SWAP); mix is spread_roll for more than swap_threshold columns."),
    FR_INT(struct hpl_values, swap_threshold, .unit = "1", .min = 0, .max = 1e9, .fallback = 64,
           .flags = FR_DEFAULT, .doc = "Columns up to which mix exchanges rows in binary order."),
    FR_INT(struct hpl_values, nbmin, .unit = "1", .min = 1, .max = 1e6, .fallback = 4,
           .flags = FR_DEFAULT, .doc = "Columns at which the recursion of a panel ends (NBMIN)."),
    FR_INT(struct hpl_values, ndiv, .unit = "1", .min = 2, .max = 1e6, .fallback = 2,
           .flags = FR_DEFAULT, .doc = "Parts of a panel in each recursion (NDIV)."),
    FR_PARAMS_END,
};

/* As HPL counts them. */
static double flops_of(const struct hpl_values *v)
{
    const double n = (double)v->common.n;

    return 2 * n * n * n / 3 + 3 * n * n / 2;
}

static int64_t depth_of(const struct hpl_values *v)
{
    return cyclic_least(v->lookahead_depth, cyclic_blocks(v->common.n, v->common.block_size));
}

static double work(const void *values)
{
    const struct hpl_values *v = values;
    const struct cyclic_sequence panels = hpl_panels(v);

    return cyclic_work(&v->common, &panels,
                       (double)cyclic_least(v->common.block_size, v->common.n) +
                           (double)depth_of(v));
}

/* Determines n from memory_fraction. */
static void fill_memory(void *values, const struct fr_calibration *cal, struct fr_faults *faults)
{
    struct hpl_values *v = values;
    const double limit_bytes = cal->node.memory_bytes / (double)v->common.ranks_per_node;
    char limit[FR_BYTES_TEXT];
    int64_t n;

    if (v->common.n != FR_OPEN_INT)
        return;
    fr_number_bytes(limit_bytes, FR_NO_MORE, limit);
    n = isnan(limit_bytes) ? 0 : hpl_largest_n(v, v->memory_fraction * limit_bytes);
    if (isnan(limit_bytes))
        fr_fault(faults, FR_GROUP_MISSING, "calibration",
                 "node.memory_bytes is missing, so memory_fraction does not determine n; give n");
    else if (!n)
        fr_fault(faults, FR_RANGE, "memory_fraction",
                 "%.6g of the %s of a process do not hold one block of %" PRId64
                 "; give more, or a smaller block_size",
                 v->memory_fraction, limit, v->common.block_size);
    if (!n)
        return;
    v->common.n = n;
    v->memory_fraction = NAN;
}

/* U is kept transposed unless it stays in its place (HPL_pdupdateTT.c). */
static const char *dtrsm(const void *values)
{
    const struct hpl_values *v = values;

    return v->common.process_rows > 1 ? "RUN" : "LUT";
}

static int resolve(void *values, const struct fr_calibration *cal, struct fr_faults *faults)
{
    struct hpl_values *v = values;
    int code;
    static const struct cyclic_rules rules = { .needs_trsm = true,
                                               .work = work,
                                               .work_of = cyclic_work_of_blocks,
                                               .dtrsm = dtrsm,
                                               .size = fill_memory };

    code = cyclic_resolve(values, cal, &rules, faults);
    if (code == FR_OK)
        v->common.joined = hpl_joined_panels(v);
    return code;
}

static struct cyclic_spans spans_from(const struct hpl *hpl, int64_t first)
{
    return cyclic_column_spans(&hpl->walk, hpl->v->common.n + 1, first);
}

static void factor(struct hpl *hpl, int64_t panel)
{
    struct cyclic_walk *walk = &hpl->walk;
    const double width = (double)hpl_panel_width(hpl, panel);
    struct cyclic_clock *owner = &walk->clocks.of[panel % walk->columns];

    cyclic_spend(owner, CYCLIC_PANEL, hpl->part[walk->followed].panel_s);
    walk->clocks.lead_s = owner->now_s;
    cyclic_count(&walk->clocks,
                 (cyclic_doublings(walk->rows + 1) - 1) * width / (double)walk->columns,
                 8 * (2 * width + 4));
}

/* The owner of a panel updates it by those that were factored since, and everyone works on what is
 * older while it travels. */
static void factor_ahead(struct hpl *hpl, int64_t panel, int64_t depth)
{
    const int64_t c = panel % hpl->walk.columns, width = hpl_panel_width(hpl, panel);
    const struct cyclic_range range = hpl_columns_from(hpl, panel * hpl->walk.block);
    const struct cyclic_spans right = cyclic_spans_of(&range, hpl->walk.columns);

    for (int64_t older = panel - depth; older < panel; older++)
        hpl_update_ahead(hpl, c, older, width);
    factor(hpl, panel);
    hpl_prepare_updates(hpl, panel - depth, &right);
    hpl_prepare_update(hpl, c, panel - depth, cyclic_range_share(&range, c) - width, false);
    hpl_broadcast_panel(hpl, panel, c);
}

/* Without look-ahead everything right of a panel is updated at once; else, by the first panels,
 * what will be factored ahead. */
static bool step(void *context, int64_t panel)
{
    struct hpl *hpl = context;
    const int64_t end = hpl_panel_end(hpl, panel), depth = depth_of(hpl->v);
    struct cyclic_spans spans;

    if (depth && panel >= depth) {
        factor_ahead(hpl, panel, depth);
        return hpl_goes_on(hpl, panel);
    }
    factor(hpl, panel);
    hpl_broadcast_panel(hpl, panel, panel % hpl->walk.columns);
    if (!hpl_goes_on(hpl, panel))
        return false;
    spans = depth ? cyclic_column_spans(&hpl->walk, hpl_panel_end(hpl, depth - 1), end)
                  : spans_from(hpl, end);
    hpl_update_all(hpl, panel, &spans);
    return true;
}

/* Whether the walk came to its end within the limit of the question. */
static bool walk_panels(struct hpl *hpl)
{
    const struct cyclic_spans last = spans_from(hpl, hpl->v->common.n);
    const struct cyclic_sequence panels = hpl_panels(hpl->v);

    if (!cyclic_follow_steps(&hpl->walk, &panels, step, hpl))
        return false;
    for (int64_t panel = panels.count - depth_of(hpl->v); panel < panels.count; panel++)
        hpl_update_all(hpl, panel, &last);
    return true;
}

/* Back substitution (docs/models/block_cyclic.md#hpl). */
static double solve_s(const struct hpl *hpl)
{
    const struct cyclic_walk *walk = &hpl->walk;
    const double n = (double)hpl->v->common.n, nb = (double)walk->block;
    const double P = (double)walk->rows, Q = (double)walk->columns;
    double step_s = cyclic_dtrsv_s(&walk->kernels, nb);

    if (walk->rows > 1)
        step_s += cyclic_column_s(&walk->net, 1, 0, 8 * nb);
    if (walk->columns > 1)
        step_s += cyclic_row_s(&walk->net, 1, 0, 8 * nb);
    return (double)hpl_panels(hpl->v).count * step_s +
           cyclic_stream_s(&walk->kernels, 4 * n * n / (P * Q), 8 * n * nb / P);
}

static int begin(struct hpl *hpl, const struct hpl_values *v, struct fr_evaluation *run)
{
    const size_t columns = (size_t)v->common.process_columns;
    const double cores =
        (double)(v->common.process_rows * v->common.process_columns) * (double)v->common.threads;

    *hpl = (struct hpl){
        .v = v,
        .deviation = fr_kernel_deviation(run, cores),
        .progress = fr_arena_zeroed(run->arena, columns, sizeof *hpl->progress),
    };
    if (!hpl->progress)
        return fr_fault(run->faults, FR_NOMEM, "process_columns", "too many for a request");
    return cyclic_begin(&hpl->walk, &v->common, false, run);
}

static double bound_s(const void *values, struct fr_evaluation *run)
{
    const struct hpl_values *v = values;
    struct hpl hpl;

    if (begin(&hpl, v, run) != FR_OK || hpl_bound(&hpl, solve_s(&hpl)) != FR_OK)
        return 0;
    cyclic_charge(&hpl.walk);
    run->out->flops = flops_of(v);
    return run->out->bound_s;
}

static void predict(const void *values, struct fr_evaluation *run)
{
    const struct hpl_values *v = values;
    struct hpl hpl;

    if (begin(&hpl, v, run) != FR_OK || hpl_bound(&hpl, solve_s(&hpl)) != FR_OK)
        return;
    if (!walk_panels(&hpl)) {
        cyclic_charge(&hpl.walk);
        run->out->time_s = INFINITY;
        return;
    }
    cyclic_spend_all(&hpl.walk.clocks, CYCLIC_SOLVE, solve_s(&hpl));
    cyclic_finish(&hpl.walk, &v->common, flops_of(v), hpl_memory_words(v));
}

static void memory(const void *values, struct fr_evaluation *run)
{
    const struct hpl_values *v = values;

    cyclic_memory(&v->common, hpl_memory_words(v), run->cal, run->out);
}

const struct fr_model fr_model_hpl = {
    .name = "hpl",
    .summary = "High-Performance Linpack: LU factorization with look-ahead on a P x Q grid.",
    .source = "HPL 2.3 sources; netlib: HPL Scalability Analysis; Cornebize, Legrand, Heinrich: "
              "Fast and Faithful Performance Prediction of MPI Applications: the HPL Case Study "
              "(2019)",
    .assumes = FR_TEXTS(
        "HPL 2.3 with left-looking panels; Crout and right-looking ones differ by about 1 %.",
        "Process rows wait for each other in every panel, so that one clock for each process "
        "column suffices."),
    .blind_spots = FR_TEXTS(
        "Patched programs (GPUs, look-ahead in threads), storage of L1 and U, equilibration.",
        "Other jobs, and noise beyond what the calibration saw."),
    .predict = predict,
    .memory = memory,
    .bound_s = bound_s,
    .bound_bytes = HPL_BOUND_BYTES,
    .kept_bytes = sizeof(struct hpl_kept),
    .error_fraction = 0.08,
    CYCLIC_MODEL(struct hpl_values, FR_USE(DGEMM) | FR_USE(DTRSM), 0),
};
