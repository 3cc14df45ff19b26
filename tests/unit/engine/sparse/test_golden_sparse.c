/* The golden cases of the model: counts exactly, times within 1e-9
 * (docs/models/sparse_lu.md#how-the-model-is-tested). */
#include "tests/unit/support/golden.h"
#include "tests/unit/support/sparse.h"

#include <stdio.h>

static json_t *golden;

static struct sparse_structure *structure(const char *name)
{
    return sparse_valid(
        sparse_structure_of(json_object_get(json_object_get(golden, "structures"), name)));
}

static struct sparse_setting setting(const char *name)
{
    return sparse_setting_of(json_object_get(json_object_get(golden, "params"), name));
}

/* Within 1e-9 of the golden number. */
static void same(double got, json_t *object, const char *key, const char *id)
{
    const double wanted = golden_number(object, key);

    if (!(fabs(got - wanted) <= 1e-9 * fabs(wanted) + 1e-9 * (wanted == 0)))
        fail_msg("%s: %s is %.17g instead of %.17g", id, key, got, wanted);
}

/* To the digit. */
static void equal(double got, json_t *object, const char *key, const char *id)
{
    if (got != golden_number(object, key))
        fail_msg("%s: %s is %.17g instead of %.17g", id, key, got, golden_number(object, key));
}

static void check_totals(const struct sparse_totals *got, json_t *wanted, size_t levels,
                         const char *id)
{
    json_t *calls = json_object_get(wanted, "calls"), *misses = json_object_get(wanted, "misses");

    same(got->loads, wanted, "loads", id);
    same(got->stores, wanted, "stores", id);
    equal(got->flops_dgemm, wanted, "flops_dgemm", id);
    equal(got->dgemms_flops_bound, calls, "dgemm_flops_bound", id);
    equal(got->dgemms_memory_bound, calls, "dgemm_memory_bound", id);
    equal(got->updates, calls, "updates", id);
    assert_int_equal(json_array_size(misses), levels);
    for (size_t q = 0; q < levels; q++)
        if (got->misses[q] != json_number_value(json_array_get(misses, q)))
            fail_msg("%s: %g misses of level %zu instead of %g", id, got->misses[q], q + 1,
                     json_number_value(json_array_get(misses, q)));
}

static void check_list(const double *got, json_t *wanted, const char *key, double scale,
                       const char *id)
{
    json_t *list = json_object_get(wanted, key), *item;
    size_t index;

    json_array_foreach(list, index, item)
    {
        const double value = json_number_value(item);

        if (!(fabs(got[index] * scale - value) <= 1e-9 * fabs(value)))
            fail_msg("%s: %s[%zu] is %.17g instead of %.17g", id, key, index, got[index] * scale,
                     value);
    }
}

static void check_times(const struct sparse_result *got, json_t *wanted, double clock_hz,
                        const char *id)
{
    same(got->times.messages, wanted, "messages", id);
    equal(got->times.message_bytes, wanted, "message_bytes", id);
    check_list(got->load_s, wanted, "load_cycles", clock_hz, id);
    same(got->times.critical_load_s * clock_hz, wanted, "L_cp", id);
    same(got->times.load_balance, wanted, "LB", id);
    check_list(got->clock_s, wanted, "clock_cycles", clock_hz, id);
    same(got->times.time_s * clock_hz, wanted, "t_cycles", id);
    same(got->times.time_s, wanted, "t_seconds", id);
    equal((double)got->times.rank_last, wanted, "rank_last", id);
    same(got->times.computation_s * clock_hz, wanted, "cp_compute_cycles", id);
    same(got->times.communication_s * clock_hz, wanted, "cp_comm_cycles", id);
}

TEST(every_case_is_simulated)
{
    json_t *cases = json_object_get(golden, "cases"), *item;
    size_t index;

    assert_int_equal(json_array_size(cases), 192);
    json_array_foreach(cases, index, item)
    {
        struct sparse_structure *s = structure(golden_text(item, "structure"));
        const struct sparse_setting with = setting(golden_text(item, "params"));
        const struct sparse_grid grid = { (int32_t)golden_number(item, "pr"),
                                          (int32_t)golden_number(item, "pc") };
        const struct sparse_result got = sparse_run(s, grid, &with);
        char id[100];

        snprintf(id, sizeof id, "%s %s %dx%d", golden_text(item, "structure"),
                 golden_text(item, "params"), grid.rows, grid.columns);
        equal(s->facts.useful_flops, item, "flops", id);
        check_totals(&got.totals, item, with.machine.levels, id);
        check_times(&got, item, with.clock_hz, id);
        sparse_structure_free(s);
    }
}

TEST(facts_are_found)
{
    json_t *stats = json_object_get(golden, "stats"), *item;
    const char *name;

    assert_int_equal(json_object_size(stats), 4);
    json_object_foreach(stats, name, item)
    {
        struct sparse_structure *s = structure(name);

        equal((double)s->facts.order, item, "n", name);
        equal((double)s->facts.supernodes, item, "supernodes", name);
        equal(s->facts.nnz_l, item, "nnz_L_off", name);
        equal(s->facts.nnz_u, item, "nnz_U_off", name);
        equal(s->facts.nnz_diagonal, item, "nnz_diag", name);
        assert_true(s->facts.nnz == s->facts.nnz_l + s->facts.nnz_u + s->facts.nnz_diagonal);
        sparse_structure_free(s);
    }
}

TEST(misses_are_estimated_as_in_the_paper)
{
    json_t *all = json_object_get(golden, "miss_bounds"), *item;
    const char *key;

    assert_int_equal(json_object_size(all), 8);
    json_object_foreach(all, key, item)
    {
        char name[20];
        struct sparse_structure *s;
        struct sparse_setting with;
        struct sparse_bounds bounds;

        snprintf(name, sizeof name, "%.*s", (int)strcspn(key, "|"), key);
        s = structure(name);
        with = setting(strchr(key, '|') + 1);
        assert_int_equal(sparse_miss_bounds(s, &with.machine, &bounds), FR_OK);
        if (bounds.low_paper != json_number_value(json_array_get(item, 0)) ||
            bounds.high_paper != json_number_value(json_array_get(item, 1)))
            fail_msg("%s: %g to %g", key, bounds.low_paper, bounds.high_paper);
        sparse_structure_free(s);
    }
}

TEST(misses_are_bounded)
{
    json_t *all = golden_load("sparse-misses.json"), *item;
    size_t index;

    assert_int_equal(json_array_size(json_object_get(all, "cases")), 8);
    json_array_foreach(json_object_get(all, "cases"), index, item)
    {
        json_t *wanted = json_object_get(item, "expect");
        char params[40];
        struct sparse_structure *s = sparse_valid(sparse_structure_of(
            json_object_get(json_object_get(all, "structures"), golden_text(item, "structure"))));
        struct sparse_machine machine;
        struct sparse_bounds bounds;

        snprintf(params, sizeof params, "%s/base", golden_text(item, "params"));
        machine = setting(params).machine;
        machine.destination = strcmp(golden_text(item, "dest_lines"), "touched") == 0
                                  ? SPARSE_TOUCHED_LINES
                                  : SPARSE_WHOLE_BLOCK;
        assert_int_equal(sparse_miss_bounds(s, &machine, &bounds), FR_OK);
        equal(bounds.low, wanted, "lower", golden_text(item, "structure"));
        equal(bounds.high, wanted, "upper", golden_text(item, "structure"));
        sparse_structure_free(s);
    }
    json_decref(all);
}

TEST(a_dgemm_is_counted)
{
    json_t *cases = json_object_get(golden, "dgemm"), *item;
    struct sparse_machine machine = setting("power3/base").machine;
    size_t index;

    assert_int_equal(json_array_size(cases), 22);
    json_array_foreach(cases, index, item)
    {
        const int64_t m = (int64_t)golden_number(item, "M"), n = (int64_t)golden_number(item, "N");
        const int64_t k = (int64_t)golden_number(item, "K");
        const bool is_flops_bound =
            sparse_is_flops_bound(&machine, sparse_dgemm_threshold(&machine, m, n, k));
        const double per_unroll = fmax((double)m / (double)machine.dgemm_unroll.m, 1);
        struct sparse_counts counts, other;
        char id[60];

        snprintf(id, sizeof id, "dgemm %d %d %d %s", (int)m, (int)n, (int)k,
                 golden_text(item, "counts"));
        assert_string_equal(is_flops_bound ? "flops" : "memory", golden_text(item, "bound"));
        machine.dgemm_counts =
            strcmp(golden_text(item, "counts"), "exact") ? SPARSE_RATIO : SPARSE_EXACT;
        counts = sparse_dgemm(&machine, (double)m, per_unroll, n, k, is_flops_bound);
        equal(counts.flops, item, "flops", id);
        same(counts.loads, item, "loads", id);
        same(counts.stores, item, "stores", id);
        /* Either way the loop of eq. 1 has its loads; only eq. 13 leaves those of flops out. */
        other = sparse_dgemm(&machine, (double)m, per_unroll, n, k, !is_flops_bound);
        assert_close(counts.loads + counts.inner_loads, other.loads + other.inner_loads, 1e-15);
        assert_true((counts.inner_loads > 0) == is_flops_bound);
    }
}

TEST(panel_kernels_are_counted)
{
    json_t *dger = json_object_get(golden, "dger"), *dtrsv = json_object_get(golden, "dtrsv"),
           *item;
    const struct sparse_machine machine = setting("power3/base").machine;
    struct sparse_counts counts, fewer;
    size_t index;

    assert_int_equal(json_array_size(dger) + json_array_size(dtrsv), 7);
    json_array_foreach(dger, index, item)
    {
        const double m = golden_number(item, "M"), n = golden_number(item, "N");

        fewer = sparse_dgers(&machine, n, m, false); /* N = 1 ... n - 1 */
        counts = sparse_dgers(&machine, n + 1, m, false);
        counts.loads -= fewer.loads;
        counts.stores -= fewer.stores;
        same(counts.loads, item, "loads", "dger");
        same(counts.stores, item, "stores", "dger");
    }
    json_array_foreach(dtrsv, index, item)
    {
        const double order = golden_number(item, "order");

        counts = sparse_dtrsv(&machine, order, order * order);
        same(counts.loads, item, "loads", "dtrsv");
        same(counts.stores, item, "stores", "dtrsv");
    }
}

TEST(a_message_is_timed)
{
    json_t *cases = json_object_get(golden, "message"), *item;
    const struct sparse_setting with = setting("power3/base");
    size_t index;

    assert_int_equal(json_array_size(cases), 13);
    json_array_foreach(cases, index, item)
        same(sparse_message_s(&with.network, golden_number(item, "bytes")) * with.clock_hz, item,
             "cycles", "message");
    assert_true(sparse_message_s(&with.network, 0) == 0);
}

TEST(the_analytic_time_is_computed)
{
    json_t *cases = json_object_get(golden, "eq14"), *item;
    const struct sparse_setting with = setting("power3/base");
    size_t index;

    assert_int_equal(json_array_size(cases), 32);
    json_array_foreach(cases, index, item)
    {
        struct sparse_structure *s = structure(golden_text(item, "structure"));
        const struct sparse_totals totals =
            sparse_run(s, (struct sparse_grid){ 1, 1 }, &with).totals;
        const bool is_order = strcmp(golden_text(item, "order"), "order") == 0;

        same(sparse_analytic_s(&s->facts, sparse_totals_s(&totals, &with.machine),
                               (double)(is_order ? s->facts.order : s->facts.supernodes),
                               with.network.latency_s, sparse_best_bandwidth(&with.network),
                               golden_number(item, "P")),
             item, "seconds", golden_text(item, "structure"));
        sparse_structure_free(s);
    }
}

static int open_golden(void **state)
{
    (void)state;
    golden = golden_load("sparse-lu.json");
    return golden ? 0 : -1;
}

static int close_golden(void **state)
{
    (void)state;
    json_decref(golden);
    return 0;
}

GROUP(open_golden, close_golden)
