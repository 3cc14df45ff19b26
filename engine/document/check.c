/* Checks of relations between fields: order, repetition, alternatives.  Faults carry JSON
 * pointers. */
#include "engine/blocked/fitted.h"
#include "engine/calibration/field.h"
#include "engine/document/document.h"
#include "engine/lookup/lookup.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Products with the largest node count stay exact integers. */
enum { MOST_CORES = 1000000 };

/* Where a table stands in the document: written out only for a fault. */
struct place {
    const struct place *above;
    const char *name;
};
struct table {
    struct place place;
    const struct fr_field *fields; /* of a row */
    size_t size, count;
    const char *row;
};

static size_t print_place(const struct place *place, char where[FR_WHERE_BYTES])
{
    const size_t used = place->above ? print_place(place->above, where) : 0;

    return used + (size_t)snprintf(where + used, FR_WHERE_BYTES - used, "/%s", place->name);
}

/* The pointer to a row, or to its member `column` where it is not NULL. */
static void print_row(const struct table *table, size_t row, const struct fr_field *column,
                      char where[FR_WHERE_BYTES])
{
    const size_t used = print_place(&table->place, where);

    snprintf(where + used, FR_WHERE_BYTES - used, "/%zu%s%s", row, column ? "/" : "",
             column ? column->name : "");
}

static double number_of(const struct table *table, size_t row, const struct fr_field *column)
{
    return *(const double *)(const void *)(table->row + row * table->size + column->offset);
}

/* Numbers that rise from row to row.  If they may be null, they are limits: the last one, and no
 * other, is null. */
static void check_rising(const struct table *table, const struct fr_field *column,
                         struct fr_faults *faults)
{
    const bool is_limit = column->flags & FR_FIELD_NULL;
    char where[FR_WHERE_BYTES];

    for (size_t i = 0; i < table->count; i++) {
        const double number = number_of(table, i, column);
        const double before = i ? number_of(table, i - 1, column) : -INFINITY;
        const bool is_last = i + 1 == table->count;

        if (number > before && (!is_limit || is_last == (bool)isinf(number)))
            continue;
        print_row(table, i, column, where);
        if (is_limit && is_last && !isinf(number))
            fr_fault(faults, FR_RELATION, where,
                     "the last limit must be null: every size needs a row");
        else if (!is_last && isinf(number))
            fr_fault(faults, FR_RELATION, where,
                     "null hides the rows after it; only the last may be null");
        else if (!isinf(before))
            fr_fault(faults, FR_RELATION, where,
                     "%.12g is not above %.12g of the row before; rows must rise", number, before);
    }
}

static void check_either(const struct table *table, const struct fr_field *column,
                         struct fr_faults *faults)
{
    char where[FR_WHERE_BYTES];

    for (size_t i = 0; i < table->count; i++) {
        if (isnan(number_of(table, i, column)) != isnan(number_of(table, i, column + 1)))
            continue;
        print_row(table, i, NULL, where);
        fr_fault(faults, FR_RELATION, where, "needs exactly one of %s and %s", column->name,
                 column[1].name);
    }
}

struct keyed_row {
    const char *row;
    const struct fr_row_keys *keys;
};

/* A number that is not there differs from every other. */
static int order_of_key(const struct fr_field *key, const char *a, const char *b)
{
    const void *of_a = a + key->offset, *of_b = b + key->offset;

    if (key->kind == FR_FIELD_NUMBER) {
        const double x = *(const double *)of_a, y = *(const double *)of_b;

        return isnan(x) && isnan(y) ? (a > b) - (a < b)
               : isnan(x)           ? -1
               : isnan(y)           ? 1
                                    : (x > y) - (x < y);
    }
    if (key->kind == FR_FIELD_COUNT)
        return (*(const int64_t *)of_a > *(const int64_t *)of_b) -
               (*(const int64_t *)of_a < *(const int64_t *)of_b);
    return (*(const int *)of_a > *(const int *)of_b) - (*(const int *)of_a < *(const int *)of_b);
}

/* From the last key, in which neighbors differ most. */
static int by_keys(const void *left, const void *right)
{
    const struct keyed_row *a = left, *b = right;
    int order = 0;

    for (size_t i = a->keys->count; i-- > 0 && !order;)
        order = order_of_key(a->keys->column[i], a->row, b->row);
    return order;
}

/* Rows with the same key are told by their place, as they stand in the document. */
static void name_repeats(const struct table *table, const struct fr_row_keys *keys,
                         struct fr_faults *faults)
{
    char where[FR_WHERE_BYTES];

    for (size_t i = 0; i < table->count; i++) {
        const struct keyed_row row = { table->row + i * table->size, keys };

        for (size_t j = 0; j < i; j++) {
            const struct keyed_row before = { table->row + j * table->size, keys };

            if (by_keys(&row, &before) != 0)
                continue;
            print_row(table, i, NULL, where);
            fr_fault(faults, FR_REPEATED, where, "repeats the key of row %zu", j);
            break;
        }
    }
}

/* Sorted, since a document has thousands of rows and each what-if checks it. */
static void check_repeats(const struct table *table, struct fr_arena *arena,
                          struct fr_faults *faults)
{
    const struct fr_row_keys keys = fr_row_keys_of(table->fields);
    const struct fr_arena_mark mark = fr_arena_mark(arena);
    struct keyed_row *sorted = fr_arena_zeroed(arena, table->count, sizeof *sorted);

    if (!sorted) {
        fr_fault(faults, FR_NOMEM, "", "the document is too large");
        return;
    }
    for (size_t i = 0; i < table->count; i++)
        sorted[i] = (struct keyed_row){ table->row + i * table->size, &keys };
    qsort(sorted, table->count, sizeof *sorted, by_keys);
    for (size_t i = 1; i < table->count; i++) {
        if (by_keys(&sorted[i - 1], &sorted[i]) != 0)
            continue;
        name_repeats(table, &keys, faults);
        break;
    }
    fr_arena_release(arena, mark);
}

/* What the fields of each table say of its rows. */
static void check_tables(const struct fr_field *fields, const char *record,
                         const struct place *above, struct fr_arena *arena,
                         struct fr_faults *faults)
{
    for (; fields->name; fields++) {
        const struct fr_rows_head *rows = (const void *)(record + fields->offset);
        struct table table = { .place = { above, fields->name } };

        if (fields->kind == FR_FIELD_OBJECT)
            check_tables(fields->fields, record + fields->offset, &table.place, arena, faults);
        if (fields->kind != FR_FIELD_TABLE || !rows->count)
            continue;
        table = (struct table){ table.place, fields->fields, fields->size, rows->count, rows->row };
        if (fields->flags & FR_FIELD_UNIQUE)
            check_repeats(&table, arena, faults);
        for (const struct fr_field *column = table.fields; column->name; column++) {
            if (column->flags & FR_FIELD_RISING)
                check_rising(&table, column, faults);
            if (column->flags & FR_FIELD_OR_NEXT)
                check_either(&table, column, faults);
        }
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

/* A row without a precision is of single precision, so that the keys are not all. */
static void check_step_kernel(const struct fr_calibration *cal, struct fr_faults *faults)
{
    const struct fr_step_kernel *row = cal->cnc.step_kernel.row;
    char where[FR_WHERE_BYTES];

    for (size_t i = 0; i < cal->cnc.step_kernel.count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (row[i].block_size != row[j].block_size ||
                fr_step_precision(&row[i]) != fr_step_precision(&row[j]))
                continue;
            snprintf(where, sizeof where, "/cnc/step_kernel/%zu", i);
            fr_fault(faults, FR_REPEATED, where, "repeats block_size of row %zu", j);
            break;
        }
    }
}

int fr_calibration_check(const struct fr_calibration *cal, struct fr_arena *arena,
                         struct fr_faults *faults)
{
    const size_t before = faults->count;

    if (cal->node.cores_per_node > MOST_CORES)
        fr_fault(faults, FR_RANGE, "/node/cores_per_node", "more than %d cores in a node",
                 MOST_CORES);
    check_tables(fr_calibration_fields, (const char *)cal, NULL, arena, faults);
    check_protocols(cal, faults);
    check_distances(cal, faults);
    check_topology(&cal->network.topology, faults);
    check_pattern_bytes(cal, faults);
    check_process_times(cal, faults);
    check_calls(cal, faults);
    blocked_check(cal, faults);
    check_step_kernel(cal, faults);
    return faults->count > before ? FR_RELATION : FR_OK;
}
