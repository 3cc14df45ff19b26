/* Reads sparse-lu-window.json. */
#include "tests/unit/support/sparse_golden.h"

#include <stdio.h>
#include <stdlib.h>

static json_t *golden; /* while sparse_golden_each runs */

json_t *sparse_golden_named(json_t *item, const char *table, const char *key)
{
    return json_object_get(json_object_get(golden, table), golden_text(item, key));
}

struct sparse_structure *sparse_golden_structure(json_t *item)
{
    return sparse_valid(sparse_structure_of(sparse_golden_named(item, "structures", "structure")));
}

struct sparse_grid sparse_golden_grid(json_t *item)
{
    return (struct sparse_grid){ (int32_t)golden_number(item, "pr"),
                                 (int32_t)golden_number(item, "pc") };
}

struct sparse_network sparse_golden_network(json_t *item)
{
    json_t *net = sparse_golden_named(item, "nets", "net"),
           *points = json_object_get(net, "bandwidth");
    struct sparse_network network = {
        .latency_s = golden_number(net, "alpha_s"),
        .bandwidth = json_is_true(json_object_get(net, "add_latency")) ? SPARSE_ASYMPTOTIC
                                                                       : SPARSE_EFFECTIVE,
        .points = json_array_size(points),
        .index_bytes = (int64_t)golden_number(item, "index_bytes"),
        .messages_per_panel = (int64_t)golden_number(net, "messages_per_panel"),
    };

    for (size_t i = 0; i < network.points; i++) {
        json_t *point = json_array_get(points, i);

        network.point[i].bytes = json_number_value(json_array_get(point, 0));
        network.point[i].bytes_per_s = json_number_value(json_array_get(point, 1));
    }
    return network;
}

struct sparse_fit sparse_golden_fit(json_t *item)
{
    json_t *fit = sparse_golden_named(item, "fits", "fit");

    return (
        struct sparse_fit){ golden_number(fit, "gemm"),      golden_number(fit, "panel"),
                            golden_number(fit, "scatter_s"), golden_number(fit, "block_s"),
                            golden_number(fit, "column_s"),  golden_number(fit, "supernode_s") };
}

struct sparse_tables sparse_golden_tables(json_t *item)
{
    json_t *all = sparse_golden_named(item, "tables", "tables");
    struct fr_kernel kernel[FR_ROUTINES] = { 0 };
    struct fr_faults faults = { 0 };
    struct sparse_tables tables;

    for (int routine = 0; routine < FR_ROUTINES; routine++) {
        json_t *rows = json_object_get(all, fr_routine_name((enum fr_routine)routine)), *row;
        size_t i;

        kernel[routine].rates.count = json_array_size(rows);
        kernel[routine].rates.row = calloc(json_array_size(rows) + 1, sizeof(struct fr_rate));
        json_array_foreach(rows, i, row) kernel[routine].rates.row[i] =
            (struct fr_rate){ (int64_t)golden_number(row, "m"), (int64_t)golden_number(row, "n"),
                              (int64_t)golden_number(row, "k"),
                              golden_number(row, "rate_flops_per_s") };
    }
    assert_int_equal(sparse_tables_init(&tables, kernel, &faults), FR_OK);
    for (int routine = 0; routine < FR_ROUTINES; routine++)
        free(kernel[routine].rates.row);
    return tables;
}

static void same(double got, double wanted, const char *key, const char *id)
{
    if (!(fabs(got - wanted) <= 1e-9 * fabs(wanted) + 1e-18 * (wanted == 0)))
        fail_msg("%s: %s is %.17g instead of %.17g", id, key, got, wanted);
}

void sparse_golden_same(double got, json_t *wanted, const char *key, const char *id)
{
    same(got, golden_number(wanted, key), key, id);
}

void sparse_golden_equal(double got, json_t *wanted, const char *key, const char *id)
{
    if (got != golden_number(wanted, key))
        fail_msg("%s: %s is %.17g instead of %.17g", id, key, got, golden_number(wanted, key));
}

void sparse_golden_list(const double *got, json_t *wanted, const char *key, const char *id)
{
    json_t *list = json_object_get(wanted, key), *item;
    size_t index;

    assert_true(json_array_size(list) > 0);
    json_array_foreach(list, index, item) same(got[index], json_number_value(item), key, id);
}

void sparse_golden_times(const struct sparse_times *got, json_t *wanted, const char *id)
{
    sparse_golden_same(got->time_s, wanted, "time_s", id);
    sparse_golden_equal((double)got->rank_last, wanted, "rank_last", id);
    sparse_golden_same(got->computation_s, wanted, "computation_s", id);
    if (!(fabs(got->communication_s - golden_number(wanted, "communication_s")) <=
          1e-9 * got->time_s))
        fail_msg("%s: communication_s is %.17g", id, got->communication_s);
    sparse_golden_same(got->load_balance, wanted, "load_balance", id);
    sparse_golden_equal(got->messages, wanted, "messages", id);
    sparse_golden_equal(got->message_bytes, wanted, "message_bytes", id);
}

void sparse_golden_each(const char *what, size_t cases, void (*check)(json_t *item, const char *id))
{
    json_t *item;
    size_t index, checked = 0;

    golden = golden_load("sparse-lu-window.json");
    assert_non_null(golden);
    json_array_foreach(json_object_get(golden, "cases"), index, item)
    {
        char id[100];

        if (strcmp(golden_text(item, "what"), what) != 0)
            continue;
        snprintf(id, sizeof id, "case %zu, %s of %s", index, what, golden_text(item, "structure"));
        check(item, id);
        checked++;
    }
    assert_int_equal(checked, cases);
    json_decref(golden);
}

struct sparse_tables sparse_flat_tables(void)
{
    static struct fr_rate row[] = {
        { 1, 1, 1, 1e9 }, { 1, 1, 0, 2e9 }, { 1, 1, 0, 5e8 }, { 0, 1, 0, 1e8 }
    };
    static const enum fr_routine routine[] = { FR_DGEMM, FR_DTRSM, FR_DGER, FR_DTRSV };
    struct fr_kernel kernel[FR_ROUTINES] = { 0 };
    struct fr_faults faults = { 0 };
    struct sparse_tables tables;

    for (size_t i = 0; i < 4; i++) {
        kernel[routine[i]].rates.row = &row[i];
        kernel[routine[i]].rates.count = 1;
    }
    assert_int_equal(sparse_tables_init(&tables, kernel, &faults), FR_OK);
    return tables;
}
