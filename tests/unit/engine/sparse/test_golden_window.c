/* The golden cases of the schedule and of the clocks with a window: orders and messages exactly,
 * times within 1e-9 (docs/models/sparse_lu.md#how-the-model-is-tested). */
#include "engine/sparse/clocks/clocks.h"
#include "tests/unit/support/sparse_golden.h"

/* ---- schedules ------------------------------------------------------------------------------ */

static bool is_static(json_t *item)
{
    return strcmp(golden_text(item, "schedule"), "static") == 0;
}

static void check_order(const int32_t *got, json_t *wanted, const char *key, const char *id)
{
    json_t *list = json_object_get(wanted, key), *item;
    size_t index;

    json_array_foreach(list, index, item) if (got[index] != json_number_value(item))
        fail_msg("%s: %s[%zu] is %d", id, key, index, (int)got[index]);
}

static void check_case(json_t *item, const char *id)
{
    struct sparse_structure *s = sparse_golden_structure(item);
    struct sparse_schedule schedule;

    assert_int_equal(sparse_schedule_init(&schedule, s, is_static(item), NULL), FR_OK);
    assert_int_equal(schedule.count, s->supernodes);
    check_order(schedule.order, json_object_get(item, "expect"), "order", id);
    check_order(schedule.last, json_object_get(item, "expect"), "last", id);
    sparse_schedule_free(&schedule);
    sparse_structure_free(s);
}

TEST(supernodes_are_taken_in_order)
{
    sparse_golden_each("schedule", 8, check_case);
}

/* ---- the factorization ---------------------------------------------------------------------- */

static void check_factor(json_t *item, const char *id)
{
    json_t *wanted = json_object_get(item, "expect");
    struct sparse_structure *s = sparse_golden_structure(item);
    const struct sparse_network network = sparse_golden_network(item);
    const struct sparse_fit fit = sparse_golden_fit(item);
    struct sparse_tables tables = sparse_golden_tables(item);
    struct sparse_schedule schedule;
    struct sparse_shares shares;
    struct sparse_window_work work;
    struct sparse_times times;
    double clock_s[64], load_s[64];

    assert_int_equal(sparse_schedule_init(&schedule, s, is_static(item), NULL), FR_OK);
    assert_int_equal(sparse_shares_init(&shares, s, sparse_golden_grid(item), network.index_bytes),
                     FR_OK);
    assert_int_equal(sparse_window_work_init(&work, &shares, &schedule,
                                             (int32_t)golden_number(item, "lookahead_panels"),
                                             &tables),
                     FR_OK);
    sparse_golden_list(&work.sums.gemm_s, wanted, "amounts", id);
    assert_int_equal(sparse_window_clocks(&work, &fit, &network, &times, clock_s, load_s), FR_OK);
    sparse_golden_list(load_s, wanted, "load_s", id);
    sparse_golden_list(clock_s, wanted, "clock_s", id);
    sparse_golden_times(&times, wanted, id);
    assert_true(times.critical_path_s <= times.time_s * (1 + 1e-9));
    assert_true(times.most_sending_s <= times.time_s * (1 + 1e-9));
    sparse_window_work_free(&work);
    sparse_shares_free(&shares);
    sparse_schedule_free(&schedule);
    sparse_tables_free(&tables);
    sparse_structure_free(s);
}

TEST(factorizations_are_timed)
{
    sparse_golden_each("factor", 32, check_factor);
}

/* ---- any structure -------------------------------------------------------------------------- */

/* Each supernode comes once, after all that change it. */
static void check_schedule(const struct sparse_structure *s, const struct sparse_schedule *schedule)
{
    assert_int_equal(schedule->count, s->supernodes);
    for (int32_t k = 0; k < s->supernodes; k++) {
        assert_int_equal(schedule->order[schedule->position[k]], k);
        assert_true(schedule->last[k] < schedule->position[k]);
    }
}

TEST(windows_keep_work_messages_and_bounds)
{
    static const struct sparse_fit fit = { 1, 1.6, 5e-10, 4e-8, 6e-9, 3e-6 };
    static const struct sparse_network network = { .points = 1,
                                                   .point = { { 1, 1e9 } },
                                                   .latency_s = 1e-6,
                                                   .index_bytes = 4,
                                                   .messages_per_panel = 2 };
    struct sparse_tables tables = sparse_flat_tables();

    for (uint64_t seed = 1; seed < 80; seed++) {
        struct sparse_structure *s =
            sparse_valid(sparse_random(seed, 3 + (int32_t)(seed % 30), 7, (double)(seed % 60)));
        const struct sparse_grid grid = { 1 + (int32_t)(seed % 3), 1 + (int32_t)(seed % 4) };
        struct sparse_schedule schedule;
        struct sparse_shares shares;
        double messages = -1, panel_s = -1;

        assert_int_equal(sparse_schedule_init(&schedule, s, seed % 2, NULL), FR_OK);
        check_schedule(s, &schedule);
        assert_int_equal(sparse_shares_init(&shares, s, grid, 4), FR_OK);
        for (int32_t window = 0; window < 50; window += 7) {
            struct sparse_window_work work;
            struct sparse_times times;

            assert_int_equal(sparse_window_work_init(&work, &shares, &schedule, window, &tables),
                             FR_OK);
            assert_int_equal(sparse_window_clocks(&work, &fit, &network, &times, NULL, NULL),
                             FR_OK);
            assert_close(times.load_s, sparse_sums_s(&work.sums, &fit), 1e-12);
            assert_true(times.critical_path_s <= times.time_s * (1 + 1e-12));
            assert_true(times.most_load_s <= times.time_s * (1 + 1e-12));
            assert_true(times.most_sending_s <= times.time_s * (1 + 1e-12));
            assert_true(work.updates == s->facts.updates && work.updates_ahead <= work.updates);
            if (window == 0)
                assert_true(work.updates_ahead == 0);
            if (window >= s->supernodes)
                assert_true(work.updates_ahead == work.updates);
            if (messages >= 0) {
                assert_true(times.messages == messages);
                assert_close(work.sums.panel_s, panel_s, 1e-12);
            }
            messages = times.messages;
            panel_s = work.sums.panel_s;
            sparse_window_work_free(&work);
        }
        sparse_shares_free(&shares);
        sparse_schedule_free(&schedule);
        sparse_structure_free(s);
    }
    sparse_tables_free(&tables);
}
