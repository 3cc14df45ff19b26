/* sparse_lu: right-looking supernodal LU factorization with static pivoting and look-ahead, as in
 * SuperLU_DIST, simulated on the block structure of a matrix
 * (docs/models/sparse_lu.md#what-is-modelled).
 *
 * The work of each process in each step is counted through simulated caches (kernel model `paper`)
 * or looked up in measured tables (`calibrated`); then the clocks of all processes advance through
 * the steps.
 */
#include "engine/prediction/model.h"
#include "engine/sparse/clocks/clocks.h"
#include "engine/sparse/simulate.h"
#include "engine/sparse/values.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum eq14_order { BY_SUPERNODES, BY_ORDER };
enum schedule { STATIC, NATURAL };

static const char *const kernel_models[] = { "paper", "calibrated", NULL };
static const char *const tlbs[] = { "hit", "miss", NULL };
static const char *const schedules[] = { "static", "natural", NULL };
static const char *const parts[] = { "factor", "solve", "both", NULL };
static const char *const destinations[] = { "block", "touched", NULL };
static const char *const ways_to_count[] = { "ratio", "exact", NULL };
static const char *const eq14_orders[] = { "supernodes", "order", NULL };

/* ---- parameters ----------------------------------------------------------------------------- */

/* The limits of the matrix's upload: a ranking tries others only if it is given them. */
static size_t usual_limit(const void *values, const struct fr_calibration *cal, int64_t *out,
                          size_t capacity)
{
    (void)values, (void)cal;
    if (capacity)
        out[0] = FR_OPEN_INT;
    return capacity ? 1 : 0;
}

#define METHOD .flags = FR_DEFAULT | FR_METHOD
static const struct fr_param params[] = {
    FR_TEXT(struct sparse_lu, matrix, .unit = "", .flags = FR_REQUIRED | FR_NAME,
            .doc = "Id or name of an analyzed matrix; or a structure in the body of a batch."),
    FR_CHOICE_OF(struct sparse_lu, ordering, .choices = sparse_orderings, .unit = "", .fallback = 0,
                 .flags = FR_DEFAULT | FR_TUNABLE,
                 .doc = "Ordering of the columns, which determines the fill."),
    FR_CHOICE_OF(struct sparse_lu, row_permutation, .choices = sparse_row_permutations, .unit = "",
                 .fallback = SPARSE_ROWS_AUTO, .flags = FR_DEFAULT,
                 .doc = "Permutation of the rows before: transversal has the largest product on "
                        "the diagonal; auto: transversal unless the rows are in such an order; "
                        "none: as they are."),
    FR_INT(struct sparse_lu, supernode_max, .unit = "columns", .min = 1,
           .max = SPARSE_SUPERNODE_MOST, .flags = FR_AUTOMATIC | FR_OPTIONAL | FR_TUNABLE,
           .candidates = usual_limit,
           .doc = "Most columns of a supernode; automatic: as in the matrix's upload."),
    FR_INT(struct sparse_lu, supernode_relax, .unit = "columns", .min = 1,
           .max = SPARSE_SUPERNODE_MOST, .flags = FR_AUTOMATIC | FR_OPTIONAL | FR_TUNABLE,
           .candidates = usual_limit,
           .doc = "Most columns of a subtree that is merged into one supernode; automatic: as in "
                  "the matrix's upload, at most supernode_max."),
    FR_CHOICE_OF(struct sparse_lu, part, .choices = parts, .unit = "",
                 .fallback = SPARSE_ONLY_FACTOR, .flags = FR_DEFAULT,
                 .doc =
                     "What time_s is: of the factorization, of the triangular solves after it, or "
                     "of both."),
    FR_INT(struct sparse_lu, nrhs, .unit = "1", .min = 1, .max = SPARSE_MAX_NRHS, .fallback = 1,
           .flags = FR_DEFAULT, .doc = "Right-hand sides of a solve (part solve or both)."),
    FR_INT(struct sparse_lu, solves, .unit = "1", .min = 1, .max = 1e6, .fallback = 1,
           .flags = FR_DEFAULT,
           .doc = "Solves with the same factors, one after the other (part solve or both)."),
    FR_INT(struct sparse_lu, process_layers, .unit = "1", .min = 1, .max = SPARSE_MAX_LAYERS,
           .fallback = 1, .flags = FR_DEFAULT | FR_TUNABLE, .candidates = sparse_layer_candidates,
           .doc = "Layers of the process grid, a power of 2: grids that factor subtrees, and then "
                  "add their updates (window; part factor)."),
    FR_INT(struct sparse_lu, process_rows, .unit = "1", .min = 1, .max = SPARSE_MAX_PROCESSES,
           .flags = FR_TUNABLE, .candidates = sparse_row_candidates,
           .doc = "Rows of the process grid of a layer."),
    FR_INT(struct sparse_lu, processes, .unit = "1", .min = 1, .max = SPARSE_MAX_PROCESSES,
           .one_of = "processes", .flags = FR_INPUT_ONLY,
           .doc = "Instead of process_columns: total processes, a multiple of process_rows times "
                  "process_layers."),
    FR_INT(struct sparse_lu, process_columns, .unit = "1", .min = 1, .max = SPARSE_MAX_PROCESSES,
           .one_of = "processes", .doc = "Columns of the process grid of a layer."),
    FR_INT(struct sparse_lu, cores, .unit = "1", .min = 1, .max = SPARSE_MAX_PROCESSES,
           .one_of = "processes", .flags = FR_INPUT_ONLY,
           .doc = "Instead of processes: total cores, one process on each."),
    FR_INT(struct sparse_lu, nodes, .unit = "1", .min = 1, .max = SPARSE_MAX_PROCESSES,
           .one_of = "processes", .flags = FR_INPUT_ONLY,
           .doc = "Instead of processes: whole nodes, one process on each core."),
    FR_CHOICE_OF(struct sparse_lu, kernel_model, .choices = kernel_models, .unit = "",
                 .flags = FR_AUTOMATIC | FR_METHOD,
                 .doc =
                     "paper: operations, loads, stores and misses times their costs; calibrated: "
                     "measured tables; automatic: calibrated if the calibration has sparse.fit or "
                     "sparse.window_fit."),
    FR_CHOICE_OF(struct sparse_lu, overlap, .choices = sparse_overlaps, .unit = "",
                 .flags = FR_AUTOMATIC | FR_METHOD,
                 .doc = "paper: processes that exchange a panel wait for each other; event: "
                        "only receivers wait, for their sender; window: the library's own order "
                        "and look-ahead (calibrated); automatic: window if the calibration has "
                        "sparse.window_fit."),
    FR_INT(struct sparse_lu, lookahead_panels, .unit = "1", .min = 0, .max = SPARSE_MAX_LOOKAHEAD,
           .flags = FR_AUTOMATIC | FR_OPTIONAL,
           .doc = "Panels that are factored ahead, num_lookaheads of the library (window); "
                  "automatic: 10."),
    FR_CHOICE_OF(struct sparse_lu, schedule, .choices = schedules, .unit = "", .fallback = STATIC,
                 METHOD,
                 .doc = "Order of the supernodes (window): by levels of their dependences, as in "
                        "the library, or as they are numbered."),
    FR_CHOICE_OF(struct sparse_lu, tlb, .choices = tlbs, .unit = "",
                 .flags = FR_AUTOMATIC | FR_OPTIONAL | FR_METHOD,
                 .doc =
                     "Whether accesses to memory hit the TLB, a lower bound, or miss it (paper); "
                     "automatic: miss where its latency is known."),
    FR_CHOICE_OF(struct sparse_lu, dest_lines, .choices = destinations, .unit = "",
                 .fallback = SPARSE_WHOLE_BLOCK, METHOD,
                 .doc = "Cache lines of its destination that an update accesses (paper)."),
    FR_CHOICE_OF(struct sparse_lu, dgemm_counts, .choices = ways_to_count, .unit = "",
                 .fallback = SPARSE_RATIO, METHOD,
                 .doc = "Whether partial blocks of dgemm count as fractions (ratio) or as whole "
                        "blocks (exact) (paper)."),
    FR_REAL(struct sparse_lu, dtrsv_loads_linear, .unit = "1", .min = 0, .max = 100, .fallback = 2,
            METHOD, .doc = "Linear term of the loads of dtrsv, eq. 9; 1.5 as printed (paper)."),
    FR_BOOL(struct sparse_lu, count_scatter, .unit = "", .fallback = 0, METHOD,
            .doc = "Whether to count the subtraction of a product from its block (paper)."),
    FR_INT(struct sparse_lu, messages_per_panel, .unit = "1", .min = 1, .max = 2, .fallback = 1,
           METHOD, .doc = "1, or 2: indices and values separately, as the library sends them."),
    FR_CHOICE_OF(struct sparse_lu, eq14_n, .choices = eq14_orders, .unit = "",
                 .fallback = BY_SUPERNODES, METHOD,
                 .doc = "N in the analytic time: number of supernodes, or order of the matrix."),
    FR_PARAMS_END,
};

/* ---- the request ---------------------------------------------------------------------------- */

static void set_structures(void *values, const struct fr_structure_source *source)
{
    ((struct sparse_lu *)values)->source = source;
}

/* Groups for every question.  resolve checks those that depend on the kernel model (kernels) or on
 * the number of processes (network). */
static unsigned needs(const void *values)
{
    (void)values;
    return FR_CAL_MEMORY | FR_CAL_SPARSE;
}

/* ---- the prediction ------------------------------------------------------------------------- */

/* `clock_s` and `load_s` receive those of each rank; either may be NULL. */
static struct sparse_simulation simulation_of(const struct sparse_lu *v,
                                              const struct fr_calibration *cal, double *clock_s,
                                              double *load_s)
{
    struct sparse_simulation out = {
        .source = v->source,
        .s = v->structure,
        .grid = sparse_grid_of(v),
        .layers = (int32_t)v->process_layers,
        .is_calibrated = v->kernel_model == SPARSE_CALIBRATED_RATES,
        .machine = sparse_machine_of(cal),
        .network = sparse_network_of(cal),
        .clock_s = clock_s,
        .load_s = load_s,
        .window = v->overlap == SPARSE_WINDOW ? (int32_t)v->lookahead_panels : 0,
        .is_schedule_static = v->schedule == STATIC,
        .window_fraction = NAN,
        .sequential_upper_s = NAN,
        .part = (enum sparse_part)v->part,
        .nrhs = v->nrhs,
        .solves = v->solves,
    };

    if (v->tlb == SPARSE_TLB_MISS)
        out.machine.memory_latency_s = cal->memory.memory_latency_tlb_miss_s;
    out.machine.dgemm_counts = (enum sparse_dgemm_counts)v->dgemm_counts;
    out.machine.destination = (enum sparse_destination)v->dest_lines;
    out.machine.dtrsv_loads_linear = v->dtrsv_loads_linear;
    out.machine.counts_scatter = v->count_scatter != 0;
    out.network.messages_per_panel = v->messages_per_panel;
    out.network.overlap = (enum sparse_overlap)v->overlap;
    return out;
}

/* Solves, layers and other overlaps have larger errors, or were never compared with measured runs;
 * neither were more than two processes. */
static bool is_as_timed(const struct sparse_lu *v)
{
    return v->part == SPARSE_ONLY_FACTOR && v->overlap == SPARSE_WINDOW && v->process_layers == 1 &&
           v->process_rows * v->process_columns <= 2;
}

static void predict(const void *values, struct fr_evaluation *run)
{
    const struct sparse_lu *v = values;
    struct sparse_simulation simulation = simulation_of(v, run->cal, NULL, NULL);

    if (!is_as_timed(v))
        run->out->error_fraction = 0;
    if (sparse_simulate(&simulation, run) == FR_OK)
        sparse_outputs_put(&simulation, v->eq14_n == BY_ORDER, run->cal, run->out);
}

static void memory(const void *values, struct fr_evaluation *run)
{
    struct sparse_simulation simulation = simulation_of(values, run->cal, NULL, NULL);

    if (sparse_simulate_memory(&simulation, run) == FR_OK)
        sparse_outputs_put_memory(&simulation, run->cal, run->out);
}

static const struct fr_column columns[] = {
    { "grid", FR_COLUMN_TEXT },     { "rank", FR_COLUMN_NUMBER }, { "clock_s", FR_COLUMN_NUMBER },
    { "load_s", FR_COLUMN_NUMBER }, { NULL, FR_COLUMN_NUMBER },
};

static void explain(const void *values, struct fr_evaluation *run, const struct fr_listing *listing)
{
    const struct sparse_lu *v = values;
    const size_t layer = (size_t)sparse_processes(sparse_grid_of(v));
    const size_t processes = (size_t)v->process_layers * layer;
    double *number = fr_arena_zeroed(run->arena, 2 * processes, sizeof *number);
    struct sparse_simulation simulation =
        simulation_of(v, run->cal, number, number ? number + processes : NULL);
    bool goes_on = number && sparse_simulate(&simulation, run) == FR_OK;

    for (size_t p = 0; p < processes && goes_on; p++) {
        const double row[] = { (double)p, number[p], number[processes + p] };
        char place[48] = "";

        if (v->process_layers > 1)
            snprintf(place, sizeof place, "%zux", p / layer);
        snprintf(place + strlen(place), sizeof place - strlen(place), "%" PRId64 "x%" PRId64,
                 (int64_t)(p % layer) / v->process_columns,
                 (int64_t)(p % layer) % v->process_columns);
        goes_on = listing->row(listing->context, place, row);
    }
}

/* ---- how many nodes ------------------------------------------------------------------------- */

/* The most processes that a recommendation tries: the time of a simulation grows with their number,
 * and none of the paper's matrices ran faster on more than 64. */
enum { MOST_TRIED = 256 };

static size_t node_counts(const void *values, const struct fr_calibration *cal, int64_t max_nodes,
                          int64_t *out, size_t capacity)
{
    const int64_t cores = cal->node.cores_per_node;
    size_t count = 0;

    (void)values;
    for (int64_t nodes = 1; nodes <= max_nodes && (nodes == 1 || nodes * cores <= MOST_TRIED);
         nodes *= 2)
        count = fr_insert_count(out, count, capacity, nodes);
    return count;
}

static void set_nodes(void *values, int64_t nodes)
{
    struct sparse_lu *v = values;

    v->nodes = nodes;
    v->processes = v->cores = v->process_columns = FR_OPEN_INT;
}

/* ---- the model ------------------------------------------------------------------------------ */

const struct fr_model fr_model_sparse_lu = {
    .name = "sparse_lu",
    .family = "sparse",
    .summary =
        "Sparse LU factorization and triangular solves as in SuperLU_DIST, simulated on the block "
        "structure of the matrix.",
    .source = "Grigori, Li: Towards an accurate performance modeling of parallel sparse "
              "factorization, AAECC 18 (2007)",
    .assumes = FR_TEXTS("Right-looking supernodal LU with static pivoting and a look-ahead of one "
                        "step, or of a window of panels in the library's order, on a "
                        "two-dimensional block-cyclic grid, or on several such layers.",
                        "paper: whole blocks are cached, a miss of an inner level is served by the "
                        "next outer level, and accesses do not overlap.",
                        "calibrated: a process calls dgemm once in each step; the time is that of "
                        "the rate table times a fitted constant.",
                        "calibrated: the segments of a block of U run at the rate of their mean "
                        "length, weighted by length."),
    .blind_spots = FR_TEXTS(
        "The broadcast of pivot rows within a process column and the scaling of columns are not "
        "counted.",
        "The library's threads.",
        "Layers (process_layers) follow their paper; they were never compared with a measured run.",
        "Solves on several layers.",
        "The inversion of diagonal blocks before the first solve, and refinement after it.",
        "The time of the ordering and of the symbolic factorization.",
        "Messages that share a node or a link do not slow each other down.",
        "A recommendation tries at most 256 processes unless it is given node counts."),
    .error_fraction = 0.6,
    .groups = FR_CAL_NETWORK | FR_CAL_MEMORY | FR_CAL_SPARSE,
    .reads = { .required = FR_USE(INDEX_BYTES) | FR_USE(MESSAGE_BANDWIDTH),
               .either = { { .preferred = FR_USE(SPARSE_FIT) | FR_USE(DGEMM_RATES) |
                                          FR_USE(DTRSM_RATES) | FR_USE(DGER_RATES) |
                                          FR_USE(DTRSV_RATES),
                             .instead = FR_USE(CACHES) | FR_USE(MEMORY_LATENCY) |
                                        FR_USE(FLOP_TIME) | FR_USE(DGEMM_BLOCK) |
                                        FR_USE(DGEMM_UNROLL) | FR_USE(DGER_UNROLL) |
                                        FR_USE(DTRSV_UNROLL) } },
               .helpful = FR_USE(NODE_CORES) | FR_USE(NODE_PEAK) | FR_USE(NODE_MEMORY) |
                          FR_USE(TLB_MISS_LATENCY) | FR_USE(VARIABILITY) |
                          FR_USE(SPARSE_WINDOW_FIT) | FR_USE(SPARSE_SOLVE_FIT) },
    .needs = needs,
    .cost = FR_LONG,
    .values_size = sizeof(struct sparse_lu),
    .params = params,
    .outputs = sparse_outputs,
    .has_ordered_phases = true,
    .set_structures = set_structures,
    .structure_key = sparse_structure_key_of,
    .resolve = sparse_resolve,
    .predict = predict,
    .memory = memory,
    .explain = explain,
    .list_name = "ranks",
    .list_columns = columns,
    .node_counts = node_counts,
    .set_nodes = set_nodes,
};
