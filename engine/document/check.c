/* Checks of relations between fields: order, repetition, alternatives.  Faults carry JSON
 * pointers. */
#include "engine/blocked/fitted.h"
#include "engine/calibration/field.h"
#include "engine/document/document.h"
#include "engine/lookup/lookup.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Products with the largest node count stay exact integers. */
enum { MOST_CORES = 1000000 };

/* A table of the document. */
struct table {
    const char *pointer;
    const struct fr_field *fields; /* of a row */
    size_t size, count;
    const char *row;
};

/* The table at this pointer, which the document can have. */
static struct table table_at(const struct fr_calibration *cal, const char *pointer)
{
    const struct fr_field *fields = fr_calibration_fields, *field = NULL;
    const char *record = (const char *)cal;
    const struct fr_rows_head *rows;

    for (const char *name = pointer + 1, *end; fields; name = *end ? end + 1 : end) {
        end = name + strcspn(name, "/");
        for (field = fields;
             strncmp(field->name, name, (size_t)(end - name)) != 0 || field->name[end - name];)
            field++;
        record += field->offset;
        fields = *end ? field->fields : NULL;
    }
    rows = (const void *)record;
    return (struct table){ pointer, field->fields, field->size, rows->count, rows->row };
}

/* Limits of a size table must rise; the last one, and no other, is null. */
static void check_limits(const struct fr_calibration *cal, const char *pointer,
                         struct fr_faults *faults)
{
    const struct table table = table_at(cal, pointer);
    const struct fr_field *column = table.fields;
    double previous = 0;

    while (!(column->flags & FR_FIELD_NULL))
        column++;
    for (size_t i = 0; i < table.count; i++) {
        const double limit =
            *(const double *)(const void *)(table.row + i * table.size + column->offset);
        const bool is_last = i + 1 == table.count;
        char where[FR_WHERE_BYTES];

        snprintf(where, sizeof where, "%s/%zu/%s", pointer, i, column->name);
        if (is_last && !isinf(limit))
            fr_fault(faults, FR_RELATION, where,
                     "the last limit must be null: every size needs a row");
        else if (!is_last && isinf(limit))
            fr_fault(faults, FR_RELATION, where,
                     "null hides the rows after it; only the last may be null");
        else if (i && !isinf(previous) && limit <= previous)
            fr_fault(faults, FR_RELATION, where, "limits must rise from row to row");
        previous = limit;
    }
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
        snprintf(where, sizeof where, "/network/protocols/%zu", i);
        if (!has_link(&row[i].off_node) && !has_link(&row[i].on_node))
            fr_fault(faults, FR_MISSING, where, "needs off_node, on_node or both");
        else if (has_link(&row[i].off_node) != has_link(&row[0].off_node))
            fr_fault(faults, FR_RELATION, where,
                     "off_node must stand in every protocol, or in none (a single node)");
    }
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

/* From the last key, in which neighbors differ most. */
static bool is_same(const struct fr_row_keys *keys, const char *a, const char *b)
{
    for (size_t i = keys->count; i-- > 0;) {
        const struct fr_field *key = keys->column[i];
        const void *of_a = a + key->offset, *of_b = b + key->offset;

        if (key->kind == FR_FIELD_NUMBER  ? *(const double *)of_a != *(const double *)of_b
            : key->kind == FR_FIELD_COUNT ? *(const int64_t *)of_a != *(const int64_t *)of_b
                                          : *(const int *)of_a != *(const int *)of_b)
            return false;
    }
    return true;
}

/* The keys of the rows of a table, numbers and choices, must differ. */
static void check_repeats(const struct fr_calibration *cal, const char *pointer, const char *key,
                          struct fr_faults *faults)
{
    const struct table table = table_at(cal, pointer);
    const struct fr_row_keys keys = fr_row_keys_of(table.fields);
    char where[FR_WHERE_BYTES];

    for (size_t i = 0; i < table.count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (!is_same(&keys, table.row + i * table.size, table.row + j * table.size))
                continue;
            snprintf(where, sizeof where, "%s/%zu", pointer, i);
            fr_fault(faults, FR_REPEATED, where, "repeats %s of row %zu", key, j);
            break;
        }
    }
}

static bool is_same_call(const struct fr_call_cost *a, const struct fr_call_cost *b)
{
    return a->call == b->call && a->threads == b->threads;
}

/* Of the costs of a call, the last row is for any width and depth; no two rows are of the same. */
static void check_calls(const struct fr_calibration *cal, struct fr_faults *faults)
{
    const struct fr_call_cost *row = cal->kernels.calls.row;
    const size_t count = cal->kernels.calls.count;
    char where[FR_WHERE_BYTES];

    check_repeats(cal, "/kernels/calls", "the key", faults);
    for (size_t i = 0; i < count; i++) {
        const bool is_for_any = isinf(row[i].max_width) && isinf(row[i].max_depth);
        size_t before = 0, after = 0;

        for (size_t j = 0; j < count; j++)
            if (j != i && is_same_call(&row[j], &row[i]))
                *(j < i ? &before : &after) += 1;
        snprintf(where, sizeof where, "/kernels/calls/%zu", i);
        if (!after && !is_for_any)
            fr_fault(faults, FR_RELATION, where,
                     "the last row of %s on %" PRId64
                     " threads must have max_width and max_depth null: every size needs a row",
                     fr_blas_call_names[row[i].call], row[i].threads);
        if (before == FR_CALL_ROWS_MAX)
            fr_fault(faults, FR_RANGE, where, "more than %d rows of %s on %" PRId64 " threads",
                     FR_CALL_ROWS_MAX, fr_blas_call_names[row[i].call], row[i].threads);
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

    check_repeats(cal, "/network/latency_by_distance", "the key", faults);
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

static void check_process_times(const struct fr_calibration *cal, struct fr_faults *faults)
{
    const struct fr_process_times *row = cal->contention.process_times.row;
    char where[FR_WHERE_BYTES];

    for (size_t i = 0; i < cal->contention.process_times.count; i++) {
        snprintf(where, sizeof where, "/contention/process_times/%zu/times_s", i);
        if (!row[i].times_s.count)
            fr_fault(faults, FR_MISSING, where, "required: the time of at least one process");
        if (row[i].times_s.count > FR_MOST_PROCESS_TIMES)
            fr_fault(faults, FR_TOO_MANY_POINTS, where, "%zu times; at most %d",
                     row[i].times_s.count, FR_MOST_PROCESS_TIMES);
    }
}

static void check_contention(const struct fr_calibration *cal, struct fr_faults *faults)
{
    static const char *const tables[] = { "average",  "maximum", "process_times", "patterns",
                                          "exchange", "fold",    "burst" };

    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        char pointer[64];

        snprintf(pointer, sizeof pointer, "/contention/%s", tables[i]);
        check_repeats(cal, pointer, "the key", faults);
    }
    check_pattern_bytes(cal, faults);
    check_process_times(cal, faults);
}

static void check_either(double a, double b, const char *names, const char *where,
                         struct fr_faults *faults)
{
    if (isnan(a) == isnan(b))
        fr_fault(faults, FR_RELATION, where, "needs exactly one of %s", names);
}

static void check_kernel(const struct fr_calibration *cal, const char *name,
                         const struct fr_kernel *kernel, struct fr_faults *faults)
{
    const struct fr_square_rate *row = kernel->square.row;
    char where[FR_WHERE_BYTES];

    for (size_t i = 0; i < kernel->square.count; i++) {
        snprintf(where, sizeof where, "/kernels/%s/square/%zu", name, i);
        check_either(row[i].efficiency_fraction, row[i].time_s, "efficiency_fraction and time_s",
                     where, faults);
    }
    snprintf(where, sizeof where, "/kernels/%s/square", name);
    check_repeats(cal, where, "threads and n", faults);
}

static void check_kernels(const struct fr_calibration *cal, struct fr_faults *faults)
{
    for (enum fr_stream stream = 0; stream < FR_STREAMS; stream++) {
        char pointer[64];

        snprintf(pointer, sizeof pointer, "/kernels/%s/by_size", fr_stream_names[stream]);
        check_repeats(cal, pointer, "the key", faults);
    }
    for (enum fr_routine routine = 0; routine < FR_ROUTINES; routine++)
        check_kernel(cal, fr_routine_name(routine), &cal->kernels.routine[routine], faults);
    for (int precision = 0; precision < FR_PRECISIONS; precision++) {
        const struct fr_kernel *kernel = cal->kernels.by_precision[precision].routine;

        for (enum fr_routine routine = 0; precision != FR_DOUBLE && routine < FR_PRECISE_ROUTINES;
             routine++) {
            char name[48];

            /* Without the letter of double precision. */
            snprintf(name, sizeof name, "by_precision/%s/%s", fr_precisions[precision],
                     fr_routine_name(routine) + 1);
            check_kernel(cal, name, &kernel[routine], faults);
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
    check_limits(cal, "/network/protocols", faults);
    check_protocols(cal, faults);
    check_limits(cal, "/network/broadcast", faults);
    check_limits(cal, "/memory/streams", faults);
    check_limits(cal, "/memory/row_swaps", faults);
    check_distances(cal, faults);
    check_topology(&cal->network.topology, faults);
    check_contention(cal, faults);
    check_kernels(cal, faults);
    check_reuse(cal, faults);
    check_calls(cal, faults);
    blocked_check(cal, faults);
    check_step_kernel(cal, faults);
    return faults->count > before ? FR_RELATION : FR_OK;
}
