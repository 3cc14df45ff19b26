/* Saved runs that are decoded once: found by their key, alive without what they came from, bounded.
 */
#include "server/runs/run_sets.h"
#include "tests/unit/support/cg_fixture.h"

#include <stdio.h>

static struct cg_fixture *cg;

static int begin(void **state)
{
    if (cg_fixture_begin(state))
        return -1;
    cg = *state;
    with_runs(cg, "{'computation': {'total_s': [[1e-3]]}}",
              "{'parameters': {'nodes': 8}, 'network_state': {'stalls_per_byte': 0.5}}");
    return 0;
}

static void a_set_outlives_the_runs_it_is_made_from(void **state)
{
    struct fr_run_sets *sets = fr_run_sets_new();
    const struct fr_run_set *set;

    (void)state;
    assert_null(fr_run_sets_find(sets, "nodes=8"));
    fr_run_sets_keep(sets, "nodes=8", cg->run, 2);
    fr_run_sets_keep(sets, "nodes=16", NULL, 0);
    fr_arena_free(cg->arena);
    cg->arena = fr_arena_new(0);

    set = fr_run_sets_find(sets, "nodes=8");
    assert_non_null(set);
    assert_int_equal(set->count, 2);
    assert_close(set->run[0]->computation.of[FR_RUN_ITERATION].median_s, 1e-3, 0);
    assert_close(set->run[1]->stalls_per_byte, 0.5, 0);
    assert_close(
        fr_param_get(fr_param_find(set->run[1]->model->params, "nodes"), set->run[1]->values), 8,
        0);
    assert_null(set->run[0]->document);
    set = fr_run_sets_find(sets, "nodes=16"); /* known to have none */
    assert_non_null(set);
    assert_int_equal(set->count, 0);
    assert_null(fr_run_sets_find(sets, "nodes=1"));
    fr_run_sets_free(sets);
}

static void what_was_kept_first_stays(void **state)
{
    struct fr_run_sets *sets = fr_run_sets_new();

    (void)state;
    fr_run_sets_keep(sets, "a", cg->run, 2);
    fr_run_sets_keep(sets, "a", cg->run, 1);
    assert_int_equal(fr_run_sets_find(sets, "a")->count, 2);
    fr_run_sets_free(sets);
}

static void there_is_an_end_to_what_is_kept(void **state)
{
    enum { MANY = 1000 };
    struct fr_run_sets *sets = fr_run_sets_new();
    char key[20];
    int kept = 0;

    (void)state;
    for (int i = 0; i < MANY; i++) {
        snprintf(key, sizeof key, "nodes=%d", i);
        fr_run_sets_keep(sets, key, cg->run, 2);
    }
    while (kept < MANY) {
        snprintf(key, sizeof key, "nodes=%d", kept);
        if (!fr_run_sets_find(sets, key))
            break;
        kept++;
    }
    assert_in_range(kept, 1, MANY - 1);
    fr_run_sets_free(sets);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_set_outlives_the_runs_it_is_made_from, begin,
                                        cg_fixture_end),
        cmocka_unit_test_setup_teardown(what_was_kept_first_stays, begin, cg_fixture_end),
        cmocka_unit_test_setup_teardown(there_is_an_end_to_what_is_kept, begin, cg_fixture_end),
    };

    return cmocka_run_group_tests_name("run sets", tests, NULL, NULL);
}
