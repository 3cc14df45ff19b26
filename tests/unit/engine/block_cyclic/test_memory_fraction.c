/* HPL with the n that fills a share of the memory: predictions, refusals, and rankings of
 * configurations that differ in n. */
#include "engine/block_cyclic/hpl.h"
#include "engine/questions/recommend.h"
#include "tests/unit/support/golden.h"
#include "tests/unit/support/question.h"

#include <math.h>
#include <stdio.h>

struct field {
    struct fr_arena *arena;
    const struct fr_calibration *plain; /* nodes of one core with 256 MiB */
};

static int begin(void **state)
{
    static struct field field;
    json_t *golden = golden_load("block-cyclic.json");

    field.arena = fr_arena_new(1 << 27);
    field.plain = golden_calibration(golden, "plain", field.arena);
    json_decref(golden);
    *state = &field;
    return 0;
}

#define GRID "process_rows=2&process_columns=3&block_size=192&lookahead_depth=0"

#define CASE(name) TEST_OF(name, const struct field *field, NULL, NULL)

/* Golden case bc-030: 9216 in half of the memory. */
CASE(the_share_determines_n)
{
    const struct fr_prediction filled = predicted("hpl", GRID "&memory_fraction=0.5", field->plain);
    const struct fr_prediction given = predicted("hpl", GRID "&n=9216", field->plain);
    const struct fr_prediction larger = predicted("hpl", GRID "&n=9408", field->plain);

    assert_true(fr_prediction_digest(&filled) == fr_prediction_digest(&given));
    assert_true(filled.memory_bytes_per_process <= 0.5 * filled.memory_limit_bytes_per_process);
    assert_true(larger.memory_bytes_per_process > 0.5 * filled.memory_limit_bytes_per_process);
    assert_close(filled.gflops, filled.flops / filled.time_s / 1e9, 1e-12);
}

CASE(more_look_ahead_leaves_less_room)
{
    const struct fr_prediction none =
        predicted("hpl",
                  "memory_fraction=1&process_rows=2&process_columns=2&block_size=32&"
                  "lookahead_depth=0",
                  field->plain);
    const struct fr_prediction deep =
        predicted("hpl",
                  "memory_fraction=1&process_rows=2&process_columns=2&block_size=32&"
                  "lookahead_depth=40",
                  field->plain);

    assert_true(deep.flops < none.flops);
}

CASE(n_and_the_share_exclude_each_other)
{
    struct fr_faults faults = refused("hpl", GRID "&memory_fraction=0.5&n=1000", field->plain);

    assert_int_equal(faults.count, 1);
    assert_fault(&faults, FR_RELATION, "memory_fraction", "n is given too; leave one of them out");
    faults = refused("hpl", GRID, field->plain);
    assert_int_equal(faults.count, 1);
    assert_fault(&faults, FR_MISSING, "n", "required, or memory_fraction");
    faults = refused("hpl", GRID "&memory_fraction=1.5", field->plain);
    assert_int_equal(faults.count, 1);
    assert_fault(&faults, FR_RANGE, "memory_fraction", "1.5");
}

CASE(memory_that_is_unknown_or_too_small_determines_nothing)
{
    struct fr_calibration *unknown = fr_arena_zeroed(field->arena, 1, sizeof *unknown);
    struct fr_faults faults = refused("hpl", GRID "&memory_fraction=1e-5", field->plain);

    assert_fault(&faults, FR_RANGE, "memory_fraction", "do not hold one block of 192");
    *unknown = *field->plain;
    unknown->node.memory_bytes = NAN;
    faults = refused("hpl", GRID "&memory_fraction=0.5", unknown);
    assert_int_equal(faults.count, 1);
    assert_fault(&faults, FR_GROUP_MISSING, "calibration", "node.memory_bytes is missing");
}

/* A question whose tunables are open but where the query gives them. */
static const struct fr_model *open_question(const struct field *field, const char *query,
                                            void **values)
{
    struct fr_faults faults = { 0 };
    const struct fr_model *model = ask_open("hpl", query, field->arena, values, &faults);

    assert_int_equal(faults.count, 0);
    return model;
}

CASE(configurations_of_different_n_are_ranked_by_their_rate)
{
    struct fr_faults faults = { 0 };
    struct fr_ranking ranking;
    bool is_by_time = true, has_other_n = false;
    void *values;
    const struct fr_model *model =
        open_question(field, "processes=6&memory_fraction=0.05&broadcast=1ring", &values);

    assert_int_equal(fr_rank(model, values, NULL, NULL, field->plain, FR_MEMORY_LIMIT, 1000,
                             field->arena, &ranking, &faults),
                     FR_OK);
    assert_true(ranking.is_filled && ranking.count > 10);
    for (size_t i = 1; i < ranking.count; i++) {
        const struct fr_prediction *better = &ranking.row[i - 1].prediction;
        const struct fr_prediction *one = &ranking.row[i].prediction;

        assert_true(one->gflops <= better->gflops * (1 + 1e-12));
        is_by_time = is_by_time && one->time_s >= better->time_s;
        has_other_n = has_other_n || one->flops != better->flops;
    }
    assert_true(has_other_n && !is_by_time);
}

/* What a ranking leaves out for its bound is slower than all that it keeps near the best. */
CASE(the_bound_spares_only_what_is_slow)
{
    struct fr_faults faults = { 0 };
    struct fr_model unbounded;
    struct fr_ranking some, all;
    void *values;
    const struct fr_model *model =
        open_question(field, "processes=12&memory_fraction=0.02&broadcast=1ring", &values);

    unbounded = *model;
    unbounded.bound_s = NULL;
    assert_int_equal(fr_rank(model, values, NULL, NULL, field->plain, FR_MEMORY_LIMIT, 1000,
                             field->arena, &some, &faults),
                     FR_OK);
    assert_int_equal(fr_rank(&unbounded, values, NULL, NULL, field->plain, FR_MEMORY_LIMIT, 1000,
                             field->arena, &all, &faults),
                     FR_OK);
    assert_true(some.left_out_slow > 0 && some.count + some.left_out_slow == all.count);
    for (size_t i = 0;
         i < some.count && all.row[i].prediction.gflops > all.row[0].prediction.gflops / FR_SLOW;
         i++)
        assert_close(some.row[i].prediction.gflops, all.row[i].prediction.gflops, 1e-12);
}

/* More nodes hold a larger problem, which takes longer, at a higher rate. */
CASE(the_best_number_of_nodes_has_the_highest_rate)
{
    const struct fr_goal goal = { .objective = FR_LEAST_TIME,
                                  .max_nodes = 16,
                                  .deadline_s = NAN,
                                  .max_core_hours = NAN,
                                  .min_efficiency_fraction = NAN };
    struct fr_goal hurried = goal;
    struct fr_faults faults = { 0 };
    struct fr_ranking found;
    void *values;
    const struct fr_model *model =
        open_question(field, "memory_fraction=0.05&block_size=64&broadcast=1ring", &values);

    assert_int_equal(
        fr_recommend(model, values, NULL, field->plain, &goal, 100, field->arena, &found, &faults),
        FR_OK);
    assert_close(found.row[0].prediction.nodes, 16, 0);
    assert_true(found.row[0].prediction.time_s > found.row[1].prediction.time_s);
    assert_close(found.fastest.prediction.nodes, 16, 0);
    hurried.deadline_s = found.row[0].prediction.time_s * (1 - 1e-9);
    assert_int_equal(fr_recommend(model, values, NULL, field->plain, &hurried, 100, field->arena,
                                  &found, &faults),
                     FR_OK);
    assert_true(found.row[0].prediction.nodes < 16);
    assert_true(found.row[0].prediction.time_s <= hurried.deadline_s);
    hurried.deadline_s = 1e-6;
    assert_int_equal(fr_recommend(model, values, NULL, field->plain, &hurried, 100, field->arena,
                                  &found, &faults),
                     FR_INFEASIBLE);
    assert_fault(&faults, FR_INFEASIBLE, "deadline_s", "the fastest, on 1 nodes, takes");
}

GROUP(begin, place_end)
