/* cnc_matmul: matrix product on Concurrent Collections, by Cannon (2D) or Johnson (3D), as a
 * roofline: the larger of the times to compute and to move the blocks (docs/models/cnc.md).
 *
 * b = N/B blocks in a dimension make b^3 steps of one block product each; the busiest rank does
 * F_ser of them.  Every step fetches `messages` blocks from other ranks of the node and, if there
 * are several nodes, from other nodes.  Numbers in parentheses are equations of the paper.
 */
#include "engine/calibration/calibration.h"
#include "engine/core/param.h"
#include "engine/prediction/model.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

struct cnc {
    int64_t n, block_size, processes, cores, nodes, word_bytes;
    double kernel_speedup, step_time_s;
    int algorithm, composition, precision;
};

enum { CANNON, JOHNSON };
static const char *const algorithms[] = { [CANNON] = "cannon", [JOHNSON] = "johnson", NULL };
enum { COMPOSE_MAX, COMPOSE_SUM };
static const char *const compositions[] = { [COMPOSE_MAX] = "max", [COMPOSE_SUM] = "sum", NULL };

/* The differences between the two algorithms (docs/models/cnc.md#communication). */
static const struct {
    double messages; /* blocks fetched in a step */
    double overhead; /* factor on the volume if the calibration has none */
    double remote;   /* share of the fetched blocks that comes from other nodes */
} of[] = {
    [CANNON] = { 3, 1.5, 1.0 / 3 },
    [JOHNSON] = { 2, 1, 1.0 / 2 },
};

static size_t divisors(const void *values, const struct fr_calibration *cal, int64_t *out,
                       size_t capacity);

static const struct fr_param params[] = {
    FR_CHOICE_OF(struct cnc, algorithm, .choices = algorithms, .unit = "", .flags = FR_TUNABLE,
                 .doc = "Cannon on a plane of blocks, or Johnson on a cube of blocks."),
    FR_INT(struct cnc, n, .unit = "1", .min = 1, .max = 1e9, .flags = FR_REQUIRED,
           .doc = "Order of the square matrices."),
    FR_INT(struct cnc, block_size, .unit = "1", .min = 1, .max = 1e9, .flags = FR_TUNABLE,
           .candidates = divisors, .doc = "Order of a block; divides n."),
    FR_INT(struct cnc, processes, .unit = "1", .min = 1, .max = 1e9, .one_of = "processes",
           .doc = "Ranks, one core each."),
    FR_INT(struct cnc, cores, .unit = "1", .min = 1, .max = 1e9, .one_of = "processes",
           .flags = FR_INPUT_ONLY,
           .doc = "Instead of processes: their number, because each has one core."),
    FR_INT(struct cnc, nodes, .unit = "1", .min = 1, .max = 1e9, .one_of = "processes",
           .flags = FR_INPUT_ONLY,
           .doc = "Instead of processes: number of nodes, one rank on each core."),
    FR_PRECISION_PARAMS(struct cnc, "Default: single, as the programs of the source."),
    FR_REAL(struct cnc, kernel_speedup, .unit = "1", .min = 1e-6, .max = 1e6, .fallback = 1,
            .flags = FR_DEFAULT | FR_METHOD,
            .doc = "Factor by which the block product is assumed to be faster."),
    FR_REAL(struct cnc, step_time_s, .unit = "s", .min = 1e-12, .max = 1e9,
            .flags = FR_AUTOMATIC | FR_OPTIONAL | FR_METHOD,
            .doc = "Time of one block product on one core; replaces the calibrated time."),
    FR_CHOICE_OF(struct cnc, composition, .choices = compositions, .unit = "",
                 .fallback = COMPOSE_MAX, .flags = FR_DEFAULT | FR_METHOD,
                 .doc = "Computation and communication overlap (max) or follow each other (sum)."),
    FR_PARAMS_END,
};

struct own {
    double time_sum_s, time_max_s, intra_node_s, inter_node_s, blocks_per_dimension, steps,
        parallel_factor, serial_factor, step_time_s, message_bytes, intra_node_weighted_bytes,
        inter_node_weighted_bytes, gflops_sum, gflops_max, compute_bound_gflops,
        bandwidth_bound_gflops, intensity_flops_per_byte, inter_node_bandwidth_per_core_bytes_per_s,
        single_block_bound_gflops_per_core;
};

static const struct fr_output outputs[] = {
    FR_OUTPUT(time_s, .unit = "s", .doc = "Time by the chosen composition."),
    FR_OWN(struct own, time_sum_s, .unit = "s", .doc = "Sum of computation and communication."),
    FR_OWN(struct own, time_max_s, .unit = "s", .doc = "Larger of computation and communication."),
    FR_OUTPUT(computation_s, .unit = "s", .doc = "Block products of the busiest rank."),
    FR_OUTPUT(communication_s, .unit = "s",
              .doc = "Block transfers of the busiest rank, hidden time included."),
    FR_OWN(struct own, intra_node_s, .unit = "s", .doc = "Block transfers within the node."),
    FR_OWN(struct own, inter_node_s, .unit = "s", .doc = "Block transfers between nodes."),
    FR_OUTPUT(hidden_s, .unit = "s", .doc = "Time in which computation and communication overlap."),
    FR_OWN(struct own, blocks_per_dimension, .unit = "1", .doc = "Blocks in a dimension."),
    FR_OWN(struct own, steps, .unit = "1", .doc = "Total number of block products."),
    FR_OWN(struct own, parallel_factor, .unit = "1", .doc = "Ranks that work at the same time."),
    FR_OWN(struct own, serial_factor, .unit = "1", .doc = "Block products of the busiest rank."),
    FR_OWN(struct own, step_time_s, .unit = "s", .doc = "Time of one block product."),
    FR_OWN(struct own, message_bytes, .unit = "bytes", .doc = "Size of a block."),
    FR_OUTPUT(communication_bytes_per_process, .unit = "bytes",
              .doc = "Bytes that the busiest rank fetches."),
    FR_OWN(struct own, intra_node_weighted_bytes, .unit = "bytes",
           .doc = "Volume weighted by contention within the node."),
    FR_OWN(struct own, inter_node_weighted_bytes, .unit = "bytes",
           .doc = "Volume weighted by contention between nodes."),
    FR_OUTPUT(flops, .unit = "flop", .doc = "Operations of the whole product."),
    FR_OUTPUT(gflops, .unit = "Gflop/s", .doc = "Performance of all ranks together."),
    FR_OWN(struct own, gflops_sum, .unit = "Gflop/s", .doc = "Performance by time_sum_s."),
    FR_OWN(struct own, gflops_max, .unit = "Gflop/s", .doc = "Performance by time_max_s."),
    FR_OWN(struct own, compute_bound_gflops, .unit = "Gflop/s",
           .doc = "Performance if transfers took no time."),
    FR_OWN(struct own, bandwidth_bound_gflops, .unit = "Gflop/s",
           .doc = "Performance if computation took no time; null for one rank."),
    FR_OWN_TEXT("bottleneck", .unit = "1", .doc = "The larger time: compute or bandwidth."),
    FR_OWN(struct own, intensity_flops_per_byte, .unit = "flop/byte",
           .doc = "Operations per byte of a block product, one block fetched each step."),
    FR_OWN(struct own, inter_node_bandwidth_per_core_bytes_per_s, .unit = "bytes/s",
           .doc = "Share of a core in the bandwidth of its node; null on one node."),
    FR_OWN(struct own, single_block_bound_gflops_per_core, .unit = "Gflop/s",
           .doc = "That share times the intensity, for one block in each step and no overhead."),
    FR_OUTPUT(percent_of_peak, .unit = "%",
              .doc =
                  "Percentage of the single-precision peak of the ranks; null if it is unknown."),
    FR_BOUND_OUTPUTS,
    FR_OUTPUT(processes, .unit = "1", .doc = "Ranks."),
    FR_OUTPUT(nodes, .unit = "1", .doc = "Nodes, which the ranks fill one by one."),
    FR_OUTPUTS_END,
};

/* Candidates: divisors of n with at most 64 blocks in a dimension, ascending. */
static size_t divisors(const void *values, const struct fr_calibration *cal, int64_t *out,
                       size_t capacity)
{
    enum { MOST_BLOCKS = 64 };
    const struct cnc *v = values;
    size_t count = 0;

    (void)cal;
    for (int64_t b = MOST_BLOCKS; b >= 1 && count < capacity; b--)
        if (v->n % b == 0)
            out[count++] = v->n / b;
    return count;
}

/* The divisor of n that is nearest to a block size. */
static int64_t nearest_divisor(int64_t n, int64_t block_size)
{
    int64_t nearest = 1;

    for (int64_t d = 1; d * d <= n; d++) {
        const int64_t pair[] = { d, n / d };

        for (size_t i = 0; n % d == 0 && i < 2; i++)
            if (llabs(pair[i] - block_size) < llabs(nearest - block_size))
                nearest = pair[i];
    }
    return nearest;
}

static void check_calibration(const struct fr_calibration *cal, const struct cnc *v,
                              int64_t processes, struct fr_faults *faults)
{
    if (!cal->node.cores_per_node)
        fr_fault(faults, FR_GROUP_MISSING, "calibration", "node.cores_per_node is missing");
    if (isnan(cal->cnc.intra_node_bandwidth_bytes_per_s))
        fr_fault(faults, FR_GROUP_MISSING, "calibration",
                 "cnc.intra_node_bandwidth_bytes_per_s is missing");
    if (isnan(cal->cnc.inter_node_bandwidth_bytes_per_s) && processes > cal->node.cores_per_node)
        fr_fault(faults, FR_GROUP_MISSING, "calibration",
                 "cnc.inter_node_bandwidth_bytes_per_s is missing; one node does without");
    if (!cal->cnc.step_kernel.count && isnan(v->step_time_s))
        fr_fault(faults, FR_GROUP_MISSING, "calibration",
                 "cnc.step_kernel is missing; step_time_s can replace it");
}

static int resolve(void *values, const struct fr_calibration *cal, struct fr_faults *faults)
{
    struct cnc *v = values;
    const int64_t processes = v->nodes != FR_OPEN_INT   ? v->nodes * cal->node.cores_per_node
                              : v->cores != FR_OPEN_INT ? v->cores
                                                        : v->processes;
    const size_t before = faults->count;

    check_calibration(cal, v, processes, faults);
    fr_precision_resolve(&v->precision, &v->word_bytes, FR_SINGLE, faults);
    if (v->n % v->block_size)
        fr_fault(faults, FR_RELATION, "block_size",
                 "%" PRId64 " does not divide n = %" PRId64 "; the nearest divisor is %" PRId64,
                 v->block_size, v->n, nearest_divisor(v->n, v->block_size));
    if (processes > 1000000000)
        fr_fault(faults, FR_RANGE, "nodes", "%" PRId64 " nodes hold more than 1e9 cores", v->nodes);
    if (faults->count > before)
        return FR_RELATION;
    v->processes = processes;
    v->cores = v->nodes = FR_OPEN_INT;
    return FR_OK;
}

static double product_flops(int precision, double block_size)
{
    return fr_precision_operations(precision) * 2 * block_size * block_size * block_size;
}

static double rate_of(const struct fr_step_kernel *row)
{
    return isnan(row->time_s)
               ? row->rate_flops_per_s
               : product_flops((int)fr_step_precision(row), (double)row->block_size) / row->time_s;
}

/* The precision whose rows are charged: the one asked for, else single, else that of the first row
 * (docs/models/cnc.md#decision-precision-of-the-block-product). */
static enum fr_precision charged_precision(struct fr_evaluation *run, int asked)
{
    const struct fr_step_kernel *row = run->cal->cnc.step_kernel.row;
    enum fr_precision charged = fr_step_precision(&row[0]);

    for (size_t i = 0; i < run->cal->cnc.step_kernel.count; i++) {
        if ((int)fr_step_precision(&row[i]) == asked)
            return fr_step_precision(&row[i]);
        if (fr_step_precision(&row[i]) == FR_SINGLE)
            charged = FR_SINGLE;
    }
    fr_warn_precision(run->out, "cnc.step_kernel", asked, charged);
    return charged;
}

/* Linear between measured block sizes, constant outside
 * (docs/models/cnc.md#decision-rates-between-measured-block-sizes). */
static double step_rate(struct fr_evaluation *run, int64_t block_size, int precision)
{
    const enum fr_precision charged = charged_precision(run, precision);
    const struct fr_step_kernel *row = run->cal->cnc.step_kernel.row, *below = NULL, *above = NULL;
    double low = INFINITY, high = 0;

    run->out->used |= FR_USE(CNC_STEP);
    for (size_t i = 0; i < run->cal->cnc.step_kernel.count; i++) {
        const int64_t size = row[i].block_size;

        if (fr_step_precision(&row[i]) != charged)
            continue;
        low = fmin(low, (double)size);
        high = fmax(high, (double)size);
        if (size <= block_size && (!below || size > below->block_size))
            below = &row[i];
        if (size >= block_size && (!above || size < above->block_size))
            above = &row[i];
    }
    if (!below || !above)
        return rate_of(below ? below : above) /
               fr_extrapolate(run->out, "cnc.step_kernel", (double)block_size, low, high);
    if (below->block_size == above->block_size)
        return rate_of(below);
    return rate_of(below) + (rate_of(above) - rate_of(below)) *
                                (double)(block_size - below->block_size) /
                                (double)(above->block_size - below->block_size);
}

static double step_time_s(const struct cnc *v, struct fr_evaluation *run)
{
    if (!isnan(v->step_time_s))
        return v->step_time_s / v->kernel_speedup;
    return product_flops(v->precision, (double)v->block_size) /
           step_rate(run, v->block_size, v->precision) / v->kernel_speedup; /* (5) */
}

static double overhead(const struct cnc *v, struct fr_evaluation *run)
{
    const double own = v->algorithm == CANNON ? run->cal->cnc.volume_overhead.cannon
                                              : run->cal->cnc.volume_overhead.johnson;

    if (isnan(own))
        return of[v->algorithm].overhead;
    run->out->used |= FR_USE(CNC_OVERHEAD);
    return own;
}

/* Volume and times of communication: (7) to (12), (17), (18), (23), (24). */
static void communicate(const struct cnc *v, struct fr_evaluation *run, double serial)
{
    const struct fr_calibration *cal = run->cal;
    struct fr_prediction *out = run->out;
    struct own *own = FR_OWN_OF(struct own, out);
    const double cores = (double)cal->node.cores_per_node, p = (double)v->processes;
    const double block = (double)v->block_size, on_node = fmin(p, cores);
    const double message = (double)v->word_bytes * block * block;
    const double volume = serial * message * of[v->algorithm].messages * overhead(v, run);

    out->used |= FR_USE(NODE_CORES) | FR_USE(CNC_INTRA);
    out->communication_bytes_per_process = volume;
    own->message_bytes = message;
    own->intra_node_weighted_bytes = volume * on_node * (on_node - 1);
    own->intra_node_s = own->intra_node_weighted_bytes / cal->cnc.intra_node_bandwidth_bytes_per_s;
    own->inter_node_weighted_bytes = own->inter_node_s = 0;
    if (p > cores) {
        out->used |= FR_USE(CNC_INTER);
        own->inter_node_weighted_bytes = volume * cores * of[v->algorithm].remote;
        own->inter_node_s =
            own->inter_node_weighted_bytes / cal->cnc.inter_node_bandwidth_bytes_per_s;
        own->inter_node_bandwidth_per_core_bytes_per_s =
            cal->cnc.inter_node_bandwidth_bytes_per_s / cores;
        own->single_block_bound_gflops_per_core =
            own->inter_node_bandwidth_per_core_bytes_per_s * own->intensity_flops_per_byte / 1e9;
    }
}

/* Performance of all ranks together and its two bounds
 * (docs/models/cnc.md#performance-and-its-bounds). */
static void rate(struct fr_prediction *out, double flops, double computation_s,
                 double communication_s)
{
    struct own *own = FR_OWN_OF(struct own, out);

    out->flops = flops;
    out->gflops = out->flops / out->time_s / 1e9;
    own->time_sum_s = computation_s + communication_s;
    own->time_max_s = fmax(computation_s, communication_s);
    own->gflops_sum = out->flops / own->time_sum_s / 1e9;
    own->gflops_max = out->flops / own->time_max_s / 1e9;
    own->compute_bound_gflops = out->flops / computation_s / 1e9;
    if (communication_s > 0)
        own->bandwidth_bound_gflops = out->flops / communication_s / 1e9;
    out->text = communication_s > computation_s ? "bandwidth" : "compute";
}

static void predict(const void *values, struct fr_evaluation *run)
{
    const struct cnc *v = values;
    struct fr_prediction *out = run->out;
    struct own *own = FR_OWN_OF(struct own, out);
    const double n = (double)v->n, b = n / (double)v->block_size, steps = b * b * b;
    const double p = (double)v->processes;
    const double parallel = fmin(p, v->algorithm == CANNON ? b * b : steps);
    const double serial = ceil(steps / parallel), step_s = step_time_s(v, run);
    const double computation_s = serial * step_s;
    double communication_s, hidden = 0; /* hidden fraction of communication */

    own->intensity_flops_per_byte =
        product_flops(v->precision, (double)v->block_size) /
        ((double)v->word_bytes * (double)v->block_size * (double)v->block_size);
    communicate(v, run, serial);
    communication_s = own->intra_node_s + own->inter_node_s;
    if (v->composition == COMPOSE_MAX && communication_s > 0)
        hidden = fmin(computation_s, communication_s) / communication_s;

    fr_phase(out, "block_multiply", FR_COMPUTATION, computation_s, 0);
    fr_phase(out, "intra_node_transfer", FR_COMMUNICATION, own->intra_node_s,
             hidden * own->intra_node_s);
    fr_phase(out, "inter_node_transfer", FR_COMMUNICATION, own->inter_node_s,
             hidden * own->inter_node_s);
    /* docs/models/cnc.md#lower-bounds */
    fr_bound(out, "work", computation_s);
    fr_bound(out, "network", communication_s);
    rate(out, product_flops(v->precision, n), computation_s, communication_s);
    own->blocks_per_dimension = b;
    own->steps = steps;
    own->parallel_factor = parallel;
    own->serial_factor = serial;
    own->step_time_s = step_s;
    out->used |= FR_USE(CNC_PEAK);
    out->percent_of_peak = 100 * out->gflops * 1e9 / (p * run->cal->cnc.peak_flops_per_core_per_s);
    out->processes = p;
    out->nodes = ceil(p / (double)run->cal->node.cores_per_node);
}

static size_t node_counts(const void *values, const struct fr_calibration *cal, int64_t max_nodes,
                          int64_t *out, size_t capacity)
{
    size_t count = 0;

    (void)values;
    (void)cal;
    for (int64_t nodes = 1; nodes <= max_nodes && count < capacity; nodes *= 2)
        out[count++] = nodes;
    return count;
}

static void set_nodes(void *values, int64_t nodes)
{
    struct cnc *v = values;

    v->nodes = nodes;
    v->processes = v->cores = FR_OPEN_INT;
}

/* With a fixed block size, F_ser is b while b^2 <= P and larger beyond (Cannon). */

const struct fr_model fr_model_cnc_matmul = {
    .name = "cnc_matmul",
    .family = "cnc",
    .summary = "Matrix product on Concurrent Collections: Cannon and Johnson, as a roofline.",
    .source = "Kong, Pouchet, Sadayappan: A Roofline-Based Performance Estimator for Distributed "
              "Matrix-Multiply on Intel CnC, section IV, equations (1) to (24)",
    .assumes = FR_TEXTS("Computation and communication overlap completely, unless composition=sum.",
                        "Every rank has one core; the ranks of a node share its bandwidth; the "
                        "busiest rank determines the time.",
                        "A block product takes the same time wherever its blocks come from."),
    .blind_spots =
        FR_TEXTS("The work of the run-time system: scheduling and garbage collection of items.",
                 "For Johnson, the distribution of A and B and the additions of the reduction.",
                 "Partly filled nodes: with more than one node, all count as full."),
    .groups = FR_CAL_NODE | FR_CAL_CNC,
    .reads = { .required =
                   FR_USE(NODE_CORES) | FR_USE(CNC_INTRA) | FR_USE(CNC_INTER) | FR_USE(CNC_STEP),
               .helpful = FR_USE(CNC_PEAK) | FR_USE(CNC_OVERHEAD) },
    .cost = FR_CLOSED_FORM,
    .values_size = sizeof(struct cnc),
    .params = params,
    .outputs = outputs,
    .has_ordered_phases = true,
    .grows_with = FR_TEXTS("n"),
    .resolve = resolve,
    .predict = predict,
    .node_counts = node_counts,
    .set_nodes = set_nodes,
};
