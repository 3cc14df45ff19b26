/* Automatic parameters and refusals of the dense models (docs/models/dense.md#refusals), and the
 * candidates of tunables and node counts. */
#include "engine/dense/dense.h"
#include "engine/lookup/lookup.h"

#include <inttypes.h>
#include <math.h>

const char *const dense_variants[] = {
    [DENSE_2D] = "2d",
    [DENSE_2D_OVLP] = "2d_ovlp",
    [DENSE_25D] = "25d",
    [DENSE_25D_OVLP] = "25d_ovlp",
    NULL,
};

const char *const dense_contention_models[] = {
    [DENSE_PAPER] = "paper",
    [DENSE_REFINED] = "refined",
    NULL,
};

/* The integer root of a perfect square, else 0: an open process count has none. */
static int64_t square_root(int64_t square)
{
    const int64_t root = llround(sqrt(fmax(0, (double)square)));

    return root * root == square ? root : 0;
}

/* The maximum of parameter `processes`: a suggested count must be accepted. */
enum { MOST_PROCESSES = 1000000000 };

/* The process count nearest to p that forms c square layers. */
static int64_t nearest_grid(int64_t p, int64_t c)
{
    int64_t q = llround(fmax(1, sqrt((double)p / (double)c)));

    q -= c * q * q > MOST_PROCESSES;
    return c * q * q;
}

bool dense_is_overlapped(const struct dense_values *v)
{
    return v->variant == DENSE_2D_OVLP || v->variant == DENSE_25D_OVLP;
}

bool dense_is_replicated(const struct dense_values *v)
{
    return v->variant == DENSE_25D || v->variant == DENSE_25D_OVLP;
}

static int64_t processes_of(const struct dense_values *v, const struct fr_calibration *cal)
{
    if (v->cores != FR_OPEN_INT)
        return v->cores / v->threads;
    if (v->nodes != FR_OPEN_INT)
        return v->nodes * (cal->node.cores_per_node / v->threads);
    return v->processes;
}

/* Sets `processes` from `cores` or `nodes` if these were given. */
static void count_processes(struct dense_values *v, const struct fr_calibration *cal,
                            struct fr_faults *faults)
{
    const int64_t per_node = cal->node.cores_per_node / v->threads;

    if (v->cores != FR_OPEN_INT && v->cores % v->threads)
        fr_fault(faults, FR_RELATION, "cores",
                 "%" PRId64 " cores are not a multiple of %" PRId64 " threads; the next is "
                 "%" PRId64,
                 v->cores, v->threads, (v->cores / v->threads + 1) * v->threads);
    else if (v->nodes != FR_OPEN_INT && v->nodes > MOST_PROCESSES / per_node)
        fr_fault(faults, FR_RANGE, "nodes",
                 "%" PRId64 " nodes hold more than %d processes; at most %" PRId64, v->nodes,
                 MOST_PROCESSES, MOST_PROCESSES / per_node);
    else
        v->processes = processes_of(v, cal);
    v->cores = v->nodes = FR_OPEN_INT;
}

static void check_calibration(const struct fr_calibration *cal, const struct dense_values *v,
                              struct fr_faults *faults)
{
    if (!cal->node.cores_per_node)
        fr_fault(faults, FR_GROUP_MISSING, "calibration", "node.cores_per_node is missing");
    if (!cal->network.protocols.count)
        fr_fault(faults, FR_GROUP_MISSING, "calibration", "network.protocols is missing");
    if (v->contention && (!cal->average.count || !cal->maximum.count))
        fr_fault(faults, FR_GROUP_MISSING, "calibration",
                 "contention needs both `average` and `maximum`; contention=false needs neither");
}

static void check_kernels(const struct fr_calibration *cal, const struct dense_values *v,
                          const struct dense_rules *rules, struct fr_faults *faults)
{
    for (size_t i = 0; i < rules->routine_count; i++)
        if (!fr_kernel_rates(cal, rules->routines[i], v->precision)->count &&
            !cal->rate[rules->routines[i]].count)
            fr_fault(faults, FR_GROUP_MISSING, "calibration",
                     "kernels.%s.square is missing, or its efficiencies lack node.peak_flops_per_s",
                     fr_routine_name(rules->routines[i]));
}

static void check_threads(struct dense_values *v, const struct fr_calibration *cal,
                          const struct dense_rules *rules, struct fr_faults *faults)
{
    if (v->communication_threads == FR_OPEN_INT)
        v->communication_threads = dense_is_overlapped(v) ? rules->communication_threads : 0;
    if (v->threads > cal->node.cores_per_node)
        fr_fault(faults, FR_RELATION, "threads",
                 "%" PRId64 " threads do not fit on a node of "
                 "%" PRId64 " cores",
                 v->threads, cal->node.cores_per_node);
    if (v->communication_threads < 0 || (v->communication_threads && !dense_is_overlapped(v)))
        fr_fault(faults, FR_RELATION, "communication_threads",
                 "%" PRId64 "; must be 0 without overlap, and never negative",
                 v->communication_threads);
    else if (v->threads - v->communication_threads < 1)
        fr_fault(faults, FR_RELATION, "threads",
                 "of %" PRId64 " threads %" PRId64 " communicate and none computes; give at least "
                 "%" PRId64,
                 v->threads, v->communication_threads, v->communication_threads + 1);
}

static void check_grid(const struct dense_values *v, const struct dense_rules *rules,
                       struct fr_faults *faults)
{
    const int64_t c = v->replication, p = v->processes;
    const int64_t q = p % c ? 0 : square_root(p / c);

    if (c != 1 && !dense_is_replicated(v))
        fr_fault(faults, FR_RELATION, "replication",
                 "%" PRId64 " layers need variant 25d or 25d_ovlp; 2d is one layer", c);
    else if (p % c)
        fr_fault(faults, FR_RELATION, "replication",
                 "%" PRId64 " does not divide %" PRId64 " processes", c, p);
    else if (q && c > q)
        fr_fault(faults, FR_RELATION, "replication",
                 "%" PRId64 " layers of %" PRId64 " by %" PRId64 " processes; at most %" PRId64
                 " layers are useful",
                 c, q, q, q);
    if (p % c == 0 && !q)
        fr_fault(faults, FR_RELATION, "processes",
                 "%" PRId64 " on %" PRId64 " layer(s) do not make a square grid; the nearest is "
                 "%" PRId64,
                 p, c, nearest_grid(p, c));
    else if (c <= q && v->n < q * v->blocks_per_process)
        fr_fault(faults, FR_RELATION, "n", "%" PRId64 " is less than the %" PRId64 " block columns",
                 v->n, q * v->blocks_per_process);
    if (rules->has_single_blocks && v->blocks_per_process != 1)
        fr_fault(faults, FR_RELATION, "blocks_per_process", "%" PRId64 "; Cannon's algorithm has 1",
                 v->blocks_per_process);
}

static void check_barriers(const struct dense_values *v, const struct dense_rules *rules,
                           struct fr_faults *faults)
{
    if (v->step_barriers && !rules->may_have_barriers)
        fr_fault(faults, FR_RELATION, "step_barriers",
                 "true; only the steps of matmul's cannon may have barriers");
    else if (v->step_barriers && v->contention_model != DENSE_REFINED)
        fr_fault(faults, FR_RELATION, "step_barriers",
                 "true; only contention_model=refined charges barriers");
}

/* A calibration without off-node values describes one node. */
static void check_span(const struct dense_values *v, const struct fr_calibration *cal,
                       struct fr_faults *faults)
{
    const int64_t processes_per_node = cal->node.cores_per_node / v->threads;

    if (!cal->has_off_node && v->processes > processes_per_node)
        fr_fault(faults, FR_GROUP_MISSING, "calibration",
                 "%" PRId64 " processes need more than one node, and network.protocols has no "
                 "off_node values; at most %" PRId64 " fit on the node",
                 v->processes, processes_per_node);
}

int dense_resolve(struct dense_values *v, const struct fr_calibration *cal,
                  const struct dense_rules *rules, struct fr_faults *faults)
{
    const size_t before = faults->count;

    check_calibration(cal, v, faults);
    if (faults->count > before)
        return FR_GROUP_MISSING;
    if (v->contention_model == FR_OPEN_CHOICE)
        v->contention_model = cal->patterns.count || v->step_barriers ? DENSE_REFINED : DENSE_PAPER;
    fr_precision_resolve(&v->precision, &v->word_bytes, FR_DOUBLE, faults);
    check_kernels(cal, v, rules, faults);
    check_threads(v, cal, rules, faults);
    if (v->threads <= cal->node.cores_per_node)
        count_processes(v, cal, faults);
    if (v->processes != FR_OPEN_INT && v->replication == FR_OPEN_INT)
        dense_replication_candidates(v, cal, &v->replication, 1);
    if (v->processes != FR_OPEN_INT)
        check_grid(v, rules, faults);
    check_barriers(v, rules, faults);
    if (faults->count == before)
        check_span(v, cal, faults);
    return faults->count > before ? FR_RELATION : FR_OK;
}

/* One layer of 25d is 2d, so 25d has more.  Where there can be no more, resolve() says why not two,
 * or, if there is no square either, why not one. */
size_t dense_replication_candidates(const void *values, const struct fr_calibration *cal,
                                    int64_t *out, size_t capacity)
{
    const int64_t p = processes_of(values, cal);
    size_t count = 0;

    if (!dense_is_replicated(values)) {
        out[0] = 1;
        return 1;
    }
    /* docs/models/dense.md#decision-copies-are-bounded-by-the-cube-root-of-the-processes */
    for (int64_t c = 2; c * c * c <= p && count < capacity; c++)
        if (p % c == 0 && square_root(p / c))
            out[count++] = c;
    if (!count)
        out[count++] = square_root(p) ? 2 : 1;
    return count;
}

/* More blocks balance and overlap better; larger blocks have faster kernels. */
size_t dense_blocks_candidates(const void *values, const struct fr_calibration *cal, int64_t *out,
                               size_t capacity)
{
    static const int64_t ladder[] = { 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64 };

    (void)values;
    (void)cal;
    return fr_copy_counts(out, capacity, ladder, sizeof ladder / sizeof ladder[0]);
}

size_t dense_node_counts(const void *values, const struct fr_calibration *cal, int64_t max_nodes,
                         int64_t *out, size_t capacity)
{
    const struct dense_values *v = values;
    const int64_t per_node = cal->node.cores_per_node / v->threads;
    size_t count = 0;

    for (int64_t nodes = 1; nodes <= max_nodes; nodes *= 2)
        count = fr_insert_count(out, count, capacity, nodes);
    if (per_node < 1)
        return count;
    /* nodes * per_node = c q^2 with c <= q; few layers first, in case the capacity is too small */
    for (int64_t c = 1; c * c * c <= max_nodes * per_node; c++)
        for (int64_t q = c; c * q * q <= max_nodes * per_node; q++)
            if (c * q * q % per_node == 0)
                count = fr_insert_count(out, count, capacity, c * q * q / per_node);
    return count;
}

void dense_set_nodes(void *values, int64_t nodes)
{
    struct dense_values *v = values;

    v->nodes = nodes;
    v->processes = v->cores = FR_OPEN_INT;
}
