/* Saved runs that are decoded once: found by what they are decoded from, alive without what they
 * came from, bounded.
 */
#include "server/runs/residuals.h"
#include "tests/unit/support/cg_fixture.h"

enum { MANY = 1000 };
static struct fr_indexed_run indexed[MANY];
static const struct fr_indexed_run *of[MANY];
static struct cg_fixture *cg;

static int begin(void **state)
{
    if (cg_fixture_begin(state))
        return -1;
    cg = *state;
    for (size_t i = 0; i < MANY; i++)
        of[i] = &indexed[i];
    with_runs(cg, "{'computation': {'total_s': [[1e-3]]}}",
              "{'parameters': {'nodes': 8}, 'network_state': {'stalls_per_byte': 0.5}}");
    return 0;
}

#define CASE(name) TEST_WITH(name, begin, cg_fixture_end)

CASE(a_set_outlives_the_runs_it_is_made_from)
{
    struct fr_run_sets *sets = fr_run_sets_new();
    const struct fr_run_set *set;

    assert_null(fr_run_sets_find(sets, of, 3));
    fr_run_sets_keep(sets, of, 3, cg->run, 2);
    fr_run_sets_keep(sets, of, 0, NULL, 0);
    fr_arena_free(cg->arena);
    cg->arena = fr_arena_new(0);

    set = fr_run_sets_find(sets, of, 3);
    assert_non_null(set);
    assert_int_equal(set->count, 2);
    assert_close(set->run[0]->computation.of[FR_RUN_ITERATION].median_s, 1e-3, 0);
    assert_close(set->run[1]->stalls_per_byte, 0.5, 0);
    assert_close(
        fr_param_get(fr_param_find(set->run[1]->model->params, "nodes"), set->run[1]->values), 8,
        0);
    assert_null(set->run[0]->document);
    set = fr_run_sets_find(sets, of, 0); /* no run matches */
    assert_non_null(set);
    assert_int_equal(set->count, 0);
    assert_null(fr_run_sets_find(sets, of, 2));
    assert_null(fr_run_sets_find(sets, of + 1, 3));
    fr_run_sets_free(sets);
}

CASE(what_was_kept_first_stays)
{
    struct fr_run_sets *sets = fr_run_sets_new();

    fr_run_sets_keep(sets, of, 2, cg->run, 2);
    fr_run_sets_keep(sets, of, 2, cg->run, 1);
    assert_int_equal(fr_run_sets_find(sets, of, 2)->count, 2);
    fr_run_sets_free(sets);
}

CASE(there_is_an_end_to_what_is_kept)
{
    struct fr_run_sets *sets = fr_run_sets_new();
    int kept = 0;

    for (int i = 0; i < MANY; i++)
        fr_run_sets_keep(sets, of + i, 1, cg->run, 2);
    while (kept < MANY && fr_run_sets_find(sets, of + kept, 1))
        kept++;
    assert_in_range(kept, 1, MANY - 1);
    fr_run_sets_free(sets);
}
