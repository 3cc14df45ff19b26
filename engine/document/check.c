/* Checks of relations between fields: order, repetition, alternatives.  Faults carry JSON
 * pointers. */
#include "engine/blocked/fitted.h"
#include "engine/document/document.h"
#include "engine/lookup/lookup.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Products with the largest node count stay exact integers. */
enum { MOST_CORES = 1000000 };

/* Limits of a size table must rise; the last one, and no other, is null. */
static void check_limit(double limit, double previous, bool is_last, const char *table, size_t row,
                        const char *member, struct fr_faults *faults)
{
    char where[FR_WHERE_BYTES];

    snprintf(where, sizeof where, "%s/%zu/%s", table, row, member);
    if (is_last && !isinf(limit))
        fr_fault(faults, FR_RELATION, where, "the last limit must be null: every size needs a row");
    else if (!is_last && isinf(limit))
        fr_fault(faults, FR_RELATION, where,
                 "null hides the rows after it; only the last may be null");
    else if (row && !isinf(previous) && limit <= previous)
        fr_fault(faults, FR_RELATION, where, "limits must rise from row to row");
}

static bool has_link(const struct fr_link *link)
{
    return !isnan(link->latency_s);
}

static void check_protocols(const struct fr_calibration *cal, struct fr_faults *faults)
{
    const struct fr_protocol *row = cal->network.protocols.row;
    const size_t count = cal->network.protocols.count;
    char where[FR_WHERE_BYTES];

    for (size_t i = 0; i < count; i++) {
        check_limit(row[i].max_message_bytes, i ? row[i - 1].max_message_bytes : 0, i + 1 == count,
                    "/network/protocols", i, "max_message_bytes", faults);
        snprintf(where, sizeof where, "/network/protocols/%zu", i);
        if (!has_link(&row[i].off_node) && !has_link(&row[i].on_node))
            fr_fault(faults, FR_MISSING, where, "needs off_node, on_node or both");
        else if (has_link(&row[i].off_node) != has_link(&row[0].off_node))
            fr_fault(faults, FR_RELATION, where,
                     "off_node must stand in every protocol, or in none (a single node)");
    }
    for (size_t i = 0; i < cal->network.broadcast.count; i++)
        check_limit(cal->network.broadcast.row[i].max_message_bytes,
                    i ? cal->network.broadcast.row[i - 1].max_message_bytes : 0,
                    i + 1 == cal->network.broadcast.count, "/network/broadcast", i,
                    "max_message_bytes", faults);
}

static void check_streams(const struct fr_calibration *cal, struct fr_faults *faults)
{
    const struct fr_memory_stream *row = cal->memory.streams.row;
    const size_t count = cal->memory.streams.count;

    for (size_t i = 0; i < count; i++)
        check_limit(row[i].max_operand_bytes, i ? row[i - 1].max_operand_bytes : 0, i + 1 == count,
                    "/memory/streams", i, "max_operand_bytes", faults);
}

static void check_reuse(const struct fr_calibration *cal, struct fr_faults *faults)
{
    const struct fr_reuse *row = cal->kernels.reuse.row;
    char where[FR_WHERE_BYTES];

    for (size_t i = 1; i < cal->kernels.reuse.count; i++) {
        snprintf(where, sizeof where, "/kernels/reuse/%zu/distance_bytes", i);
        if (!(row[i].distance_bytes > row[i - 1].distance_bytes))
            fr_fault(faults, FR_RELATION, where,
                     "%.12g is not above %.12g of the row before; sort the rows by distance",
                     row[i].distance_bytes, row[i - 1].distance_bytes);
    }
}

/* Whether two rows of a table have the same key. */
typedef bool is_same_row(const void *a, const void *b);

static bool is_same_factor(const void *left, const void *right)
{
    const struct fr_factor *a = left, *b = right;

    return a->processes == b->processes && a->distance == b->distance;
}

static bool is_same_pattern(const void *left, const void *right)
{
    const struct fr_pattern *a = left, *b = right;

    return a->pattern == b->pattern && a->processes == b->processes && a->layers == b->layers &&
           a->message_bytes == b->message_bytes;
}

static bool is_same_exchange(const void *left, const void *right)
{
    const struct fr_exchange *a = left, *b = right;

    return a->processes == b->processes && a->distance == b->distance &&
           a->message_bytes == b->message_bytes;
}

static bool is_same_fold(const void *left, const void *right)
{
    const struct fr_fold *a = left, *b = right;

    return a->processes == b->processes && a->message_bytes == b->message_bytes;
}

static bool is_same_burst(const void *left, const void *right)
{
    const struct fr_burst *a = left, *b = right;

    return a->processes == b->processes && a->message_bytes == b->message_bytes;
}

static bool is_same_sized(const void *left, const void *right)
{
    const struct fr_sized_bandwidth *a = left, *b = right;

    return a->processes == b->processes && a->working_set_bytes == b->working_set_bytes;
}

static bool is_same_distance(const void *left, const void *right)
{
    const struct fr_distance_latency *a = left, *b = right;

    return a->distance == b->distance && a->max_message_bytes == b->max_message_bytes;
}

static void check_repeats(const void *rows, size_t count, size_t size, is_same_row *is_same,
                          const char *table, struct fr_faults *faults)
{
    const char *row = rows;
    char where[FR_WHERE_BYTES];

    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (!is_same(row + i * size, row + j * size))
                continue;
            snprintf(where, sizeof where, "%s/%zu", table, i);
            fr_fault(faults, FR_REPEATED, where, "repeats the key of row %zu", j);
            break;
        }
    }
}

static bool has_last_limit(const struct fr_calibration *cal, int64_t distance)
{
    const struct fr_distance_latency *row = cal->network.latency_by_distance.row;

    for (size_t i = 0; i < cal->network.latency_by_distance.count; i++)
        if (row[i].distance == distance && isinf(row[i].max_message_bytes))
            return true;
    return false;
}

static void check_distances(const struct fr_calibration *cal, struct fr_faults *faults)
{
    const struct fr_distance_latency *row = cal->network.latency_by_distance.row;
    const size_t count = cal->network.latency_by_distance.count;
    char where[FR_WHERE_BYTES];

    check_repeats(row, count, sizeof *row, is_same_distance, "/network/latency_by_distance",
                  faults);
    for (size_t i = 0; i < count; i++) {
        snprintf(where, sizeof where, "/network/latency_by_distance/%zu", i);
        if (!has_last_limit(cal, row[i].distance))
            fr_fault(faults, FR_MISSING, where,
                     "distance %" PRId64 " has no row whose max_message_bytes is null",
                     row[i].distance);
    }
}

/* A barrier carries no bytes; every other pattern carries some. */
static void check_pattern_bytes(const struct fr_calibration *cal, struct fr_faults *faults)
{
    const struct fr_pattern *row = cal->contention.patterns.row;
    char where[FR_WHERE_BYTES];

    for (size_t i = 0; i < cal->contention.patterns.count; i++) {
        const bool is_barrier = row[i].pattern == FR_BARRIER;

        if (is_barrier ? row[i].message_bytes == 0 : row[i].message_bytes >= 1)
            continue;
        snprintf(where, sizeof where, "/contention/patterns/%zu/message_bytes", i);
        fr_fault(faults, FR_RANGE, where, "%g bytes; %s", row[i].message_bytes,
                 is_barrier ? "a barrier has 0" : "at least 1, a barrier alone has 0");
    }
}

static void check_contention(const struct fr_calibration *cal, struct fr_faults *faults)
{
#define REPEATS(table, is_same)                                           \
    check_repeats(cal->contention.table.row, cal->contention.table.count, \
                  sizeof *cal->contention.table.row, is_same, "/contention/" #table, faults)
    REPEATS(average, is_same_factor);
    REPEATS(maximum, is_same_factor);
    REPEATS(patterns, is_same_pattern);
    REPEATS(exchange, is_same_exchange);
    REPEATS(fold, is_same_fold);
    REPEATS(burst, is_same_burst);
#undef REPEATS
    check_pattern_bytes(cal, faults);
}

static void check_either(double a, double b, const char *names, const char *where,
                         struct fr_faults *faults)
{
    if (isnan(a) == isnan(b))
        fr_fault(faults, FR_RELATION, where, "needs exactly one of %s", names);
}

static void check_kernel(const char *name, const struct fr_kernel *kernel, struct fr_faults *faults)
{
    const struct fr_square_rate *row = kernel->square.row;
    char where[FR_WHERE_BYTES];

    for (size_t i = 0; i < kernel->square.count; i++) {
        snprintf(where, sizeof where, "/kernels/%s/square/%zu", name, i);
        check_either(row[i].efficiency_fraction, row[i].time_s, "efficiency_fraction and time_s",
                     where, faults);
        for (size_t j = 0; j < i; j++) {
            if (row[i].threads == row[j].threads && row[i].n == row[j].n) {
                fr_fault(faults, FR_REPEATED, where, "repeats threads and n of row %zu", j);
                break;
            }
        }
    }
}

static void check_streams_by_size(const struct fr_calibration *cal, struct fr_faults *faults)
{
    for (enum fr_stream stream = 0; stream < FR_STREAMS; stream++) {
        const struct fr_stream_kernel *kernel = &cal->kernels.stream[stream];
        char table[64];

        snprintf(table, sizeof table, "/kernels/%s/by_size", fr_stream_names[stream]);
        check_repeats(kernel->by_size.row, kernel->by_size.count, sizeof *kernel->by_size.row,
                      is_same_sized, table, faults);
    }
}

static void check_kernels(const struct fr_calibration *cal, struct fr_faults *faults)
{
    check_streams_by_size(cal, faults);
    for (enum fr_routine routine = 0; routine < FR_ROUTINES; routine++)
        check_kernel(fr_routine_name(routine), &cal->kernels.routine[routine], faults);
    for (int precision = 0; precision < FR_PRECISIONS; precision++) {
        const struct fr_kernel *kernel = cal->kernels.by_precision[precision].routine;

        for (enum fr_routine routine = 0; routine < FR_PRECISE_ROUTINES; routine++) {
            char name[48];

            /* Without the letter of double precision. */
            snprintf(name, sizeof name, "by_precision/%s/%s", fr_precisions[precision],
                     fr_routine_name(routine) + 1);
            check_kernel(name, &kernel[routine], faults);
        }
    }
}

static void check_topology(const struct fr_topology *topology, struct fr_faults *faults)
{
    const size_t latencies = topology->hop_latency_s.count;

    if (topology->type == FR_TORUS && latencies > 1 && latencies != topology->dimensions.count)
        fr_fault(faults, FR_RELATION, "/network/topology/hop_latency_s",
                 "%zu latencies for %zu dimensions; give one, or one for each", latencies,
                 topology->dimensions.count);
    for (size_t i = 0; i < topology->dimensions.count; i++)
        if (topology->dimensions.row[i] != floor(topology->dimensions.row[i]))
            fr_fault(faults, FR_TYPE, "/network/topology/dimensions", "%g is not a whole number",
                     topology->dimensions.row[i]);
    if (!topology->nodes_per_leaf != !topology->uplinks_per_leaf)
        fr_fault(faults, FR_RELATION, "/network/topology",
                 "nodes_per_leaf and uplinks_per_leaf belong together; give both or neither");
    if (topology->type == FR_UNIFORM && latencies > 1)
        fr_fault(faults, FR_RELATION, "/network/topology/hop_latency_s", "must be one number");
}

static void check_step_kernel(const struct fr_calibration *cal, struct fr_faults *faults)
{
    const struct fr_step_kernel *row = cal->cnc.step_kernel.row;
    char where[FR_WHERE_BYTES];

    for (size_t i = 0; i < cal->cnc.step_kernel.count; i++) {
        snprintf(where, sizeof where, "/cnc/step_kernel/%zu", i);
        check_either(row[i].rate_flops_per_s, row[i].time_s, "rate_flops_per_s and time_s", where,
                     faults);
        for (size_t j = 0; j < i; j++) {
            if (row[i].block_size == row[j].block_size &&
                fr_step_precision(&row[i]) == fr_step_precision(&row[j])) {
                fr_fault(faults, FR_REPEATED, where, "repeats block_size of row %zu", j);
                break;
            }
        }
    }
}

int fr_calibration_check(const struct fr_calibration *cal, struct fr_faults *faults)
{
    const size_t before = faults->count;

    if (cal->node.cores_per_node > MOST_CORES)
        fr_fault(faults, FR_RANGE, "/node/cores_per_node", "more than %d cores in a node",
                 MOST_CORES);
    check_protocols(cal, faults);
    check_streams(cal, faults);
    check_distances(cal, faults);
    check_topology(&cal->network.topology, faults);
    check_contention(cal, faults);
    check_kernels(cal, faults);
    check_reuse(cal, faults);
    blocked_check(cal, faults);
    check_step_kernel(cal, faults);
    return faults->count > before ? FR_RELATION : FR_OK;
}
