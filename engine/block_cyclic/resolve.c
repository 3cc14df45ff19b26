/* Automatic parameters, candidates of tunables, and refusals
 * (docs/models/block_cyclic.md#refusals). */

#include "engine/block_cyclic/kernels.h"
#include "engine/core/number.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

const char *const cyclic_mappings[] = { "row", "column", NULL };
const char *const cyclic_sides[] = { "L", "R", NULL };
const char *const cyclic_uplos[] = { "L", "U", NULL };
const char *const cyclic_transposes[] = { "N", "n", "T", "t", "C", "c", NULL };
const char *const cyclic_followings[] = { "stretches", "exact", NULL };
const char *const cyclic_grows_with[] = { NULL };

/* The clock updates of one prediction. */
static const double most_work = 4e7;

static int64_t per_node(const struct cyclic_values *v, const struct fr_calibration *cal)
{
    return v->ranks_per_node != FR_OPEN_INT ? v->ranks_per_node
                                            : cal->node.cores_per_node / v->threads;
}

/* The processes if the question determines them, else 0. */
static int64_t processes_of(const struct cyclic_values *v, const struct fr_calibration *cal)
{
    if (v->processes != FR_OPEN_INT)
        return v->processes;
    if (v->cores != FR_OPEN_INT)
        return v->cores / v->threads;
    return v->nodes != FR_OPEN_INT ? v->nodes * per_node(v, cal) : 0;
}

size_t cyclic_row_candidates(const void *values, const struct fr_calibration *cal, int64_t *out,
                             size_t capacity)
{
    const int64_t processes = processes_of(values, cal);
    size_t count = 0;

    for (int64_t rows = 1; rows <= processes && rows <= CYCLIC_MAX_PROCESSES; rows++)
        if (processes % rows == 0 && count < capacity)
            out[count++] = rows;
    /* With no grid, resolve() says why for one row. */
    if (!count && capacity)
        out[count++] = 1;
    return count;
}

size_t cyclic_block_candidates(const void *values, const struct fr_calibration *cal, int64_t *out,
                               size_t capacity)
{
    static const int64_t ladder[] = { 32, 64, 96, 128, 192, 256 };

    (void)values;
    (void)cal;
    return fr_copy_counts(out, capacity, ladder, sizeof ladder / sizeof ladder[0]);
}

size_t cyclic_node_counts(const void *values, const struct fr_calibration *cal, int64_t max_nodes,
                          int64_t *out, size_t capacity)
{
    const struct cyclic_values *v = values;
    size_t count = 0;

    for (int64_t nodes = 1; nodes <= max_nodes; nodes *= 2)
        count = fr_insert_count(out, count, capacity, nodes);
    if (per_node(v, cal) > 0)
        for (int64_t side = 1; side * side <= max_nodes * per_node(v, cal); side++)
            if (side * side % per_node(v, cal) == 0)
                count = fr_insert_count(out, count, capacity, side * side / per_node(v, cal));
    return count;
}

void cyclic_set_nodes(void *values, int64_t nodes)
{
    struct cyclic_values *v = values;

    v->nodes = nodes;
    v->processes = v->cores = v->process_columns = FR_OPEN_INT;
}

/* Sets process_columns from the number of processes, if that was given. */
static void shape_grid(struct cyclic_values *v, const struct fr_calibration *cal,
                       struct fr_faults *faults)
{
    const int64_t processes = processes_of(v, cal);

    if (v->process_columns != FR_OPEN_INT)
        return;
    if (v->cores != FR_OPEN_INT && v->cores % v->threads)
        fr_fault(faults, FR_RELATION, "cores",
                 "%" PRId64 " cores are not a multiple of %" PRId64
                 " threads; the next is %" PRId64,
                 v->cores, v->threads, (v->cores / v->threads + 1) * v->threads);
    else if (processes % v->process_rows)
        fr_fault(faults, FR_RELATION, "process_rows",
                 "%" PRId64 " does not divide %" PRId64 " processes", v->process_rows, processes);
    else
        v->process_columns = processes / v->process_rows;
    v->processes = v->cores = v->nodes = FR_OPEN_INT;
}

static void check_kernels(const struct cyclic_values *v, const struct fr_calibration *cal,
                          bool needs_trsm, struct fr_faults *faults)
{
    static const char text[] =
        "kernels has neither %s in calls nor square rows (efficiencies need "
        "node.peak_flops_per_s) nor a model in cache, of %" PRId64 " threads";

    if (!cyclic_kernel_is_known(cal, CYCLIC_GEMM, v->threads))
        fr_fault(faults, FR_GROUP_MISSING, "calibration", text, "dgemm", v->threads);
    if (needs_trsm && !cyclic_kernel_is_known(cal, CYCLIC_TRSM, v->threads))
        fr_fault(faults, FR_GROUP_MISSING, "calibration", text, "dtrsm", v->threads);
    if (!cal->memory.streams.count && isnan(cal->memory.core_bandwidth_bytes_per_s))
        fr_fault(faults, FR_GROUP_MISSING, "calibration",
                 "memory has neither streams nor core_bandwidth_bytes_per_s");
}

static void check_node(struct cyclic_values *v, const struct fr_calibration *cal,
                       struct fr_faults *faults)
{
    const int64_t cores = cal->node.cores_per_node;

    if (!cores)
        fr_fault(faults, FR_GROUP_MISSING, "calibration", "node.cores_per_node is missing");
    else if (v->threads > cores)
        fr_fault(faults, FR_RELATION, "threads",
                 "%" PRId64 " threads do not fit on a node of %" PRId64 " cores", v->threads,
                 cores);
    else if (per_node(v, cal) < 1 || per_node(v, cal) > cores / v->threads)
        fr_fault(faults, FR_RELATION, "ranks_per_node",
                 "%" PRId64 " processes of %" PRId64 " thread%s on a node of %" PRId64
                 " cores; at most %" PRId64,
                 v->ranks_per_node, v->threads, v->threads == 1 ? "" : "s", cores,
                 cores / v->threads);
    else
        v->ranks_per_node = per_node(v, cal);
}

/* A calibration without off-node values describes one node. */
static void check_network(const struct cyclic_values *v, const struct fr_calibration *cal,
                          struct fr_faults *faults)
{
    if (!cal->network.protocols.count)
        fr_fault(faults, FR_GROUP_MISSING, "calibration", "network.protocols is missing");
    else if (!cal->has_off_node && v->process_rows * v->process_columns > v->ranks_per_node)
        fr_fault(faults, FR_GROUP_MISSING, "calibration",
                 "%" PRId64 " processes need more than one node, and network.protocols has no "
                 "off_node values; at most %" PRId64 " fit on the node",
                 v->process_rows * v->process_columns, v->ranks_per_node);
}

static void check_size(const struct cyclic_values *v, const void *values,
                       const struct cyclic_rules *rules, struct fr_faults *faults)
{
    const double processes = (double)v->process_rows * (double)v->process_columns;

    if (processes > CYCLIC_MAX_PROCESSES) {
        fr_fault(faults, FR_RANGE, "process_rows",
                 "%" PRId64 " x %" PRId64 " are more than %d processes", v->process_rows,
                 v->process_columns, CYCLIC_MAX_PROCESSES);
        fr_fault(faults, FR_RANGE, "process_columns",
                 "%" PRId64 " x %" PRId64 " are more than %d processes", v->process_rows,
                 v->process_columns, CYCLIC_MAX_PROCESSES);
    } else if (v->process_rows > CYCLIC_MAX_LINE || v->process_columns > CYCLIC_MAX_LINE) {
        fr_fault(faults, FR_RANGE, "process_rows",
                 "%" PRId64 " x %" PRId64 ": at most %d processes in a row or a column",
                 v->process_rows, v->process_columns, CYCLIC_MAX_LINE);
    } else if (rules->work(values) > most_work) {
        const char *where = rules->work_of(values);
        char steps[FR_ROUNDED_TEXT], most[FR_ROUNDED_TEXT];

        fr_number_rounded(rules->work(values), FR_NO_LESS, steps);
        fr_number_rounded(most_work, FR_NO_MORE, most);
        fr_fault(faults, FR_RANGE, where,
                 "takes %s steps of simulation, more than %s; %sfewer processes or a smaller "
                 "problem take less",
                 steps, most, strcmp(where, "block_size") == 0 ? "larger blocks, " : "");
    }
}

int cyclic_resolve(void *values, const struct fr_calibration *cal, const struct cyclic_rules *rules,
                   struct fr_faults *faults)
{
    struct cyclic_values *v = values;
    const size_t before = faults->count;

    check_kernels(v, cal, rules->needs_trsm, faults);
    check_node(v, cal, faults);
    if (faults->count == before)
        shape_grid(v, cal, faults);
    if (faults->count == before)
        check_network(v, cal, faults);
    if (faults->count == before && rules->size)
        rules->size(values, cal, faults);
    if (faults->count == before && rules->check)
        rules->check(values, faults);
    if (faults->count == before)
        check_size(v, values, rules, faults);
    if (faults->count > before)
        return (int)faults->fault[before].code;
    v->rules = rules;
    v->work = rules->work(values);
    v->dtrsm = rules->dtrsm ? rules->dtrsm(values) : NULL;
    return FR_OK;
}

struct cyclic_stretches cyclic_stretches(const struct cyclic_values *v,
                                         const struct cyclic_sequence *sequence, bool is_rough)
{
    const enum cyclic_detail detail = v->walk == CYCLIC_EXACT ? CYCLIC_ALL
                                      : is_rough              ? CYCLIC_ROUGH
                                                              : CYCLIC_FINE;

    return cyclic_stretches_of(sequence, v->process_rows, v->process_columns, detail);
}

double cyclic_work(const struct cyclic_values *v, const struct cyclic_sequence *sequence,
                   double more)
{
    return (double)cyclic_stretches(v, sequence, false).steps *
           ((double)v->process_rows + (double)v->process_columns + more);
}

double cyclic_panel_work(const struct cyclic_values *v, int64_t least)
{
    const struct cyclic_sequence panels = cyclic_panels(v, least);

    return cyclic_work(v, &panels, (double)cyclic_least(v->block_size, least));
}

const char *cyclic_work_of_blocks(const void *values)
{
    (void)values;
    return "block_size";
}
