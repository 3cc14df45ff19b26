/* Walks of which some steps stand for all (docs/models/block_cyclic.md#stretches). */
#include "engine/block_cyclic/values.h"
#include "tests/unit/support/draws.h"
#include "tests/unit/support/golden.h"
#include "tests/unit/support/question.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct field {
    struct fr_arena *arena;
    const struct fr_calibration *cal[3];
};

static int begin(void **state)
{
    static const char *const names[] = { "cluster", "fitted", "plain" };
    static struct field field;
    json_t *golden = golden_load("block-cyclic.json");

    field.arena = fr_arena_new(1 << 27);
    for (size_t i = 0; i < 3; i++)
        field.cal[i] = golden_calibration(golden, names[i], field.arena);
    json_decref(golden);
    *state = &field;
    return 0;
}

/* What is followed lies within the sequence and stands for all of it, whatever its length. */
TEST(stretches_stand_for_all_steps)
{
    uint64_t seed = draws_from(31);
    int64_t longest = 0;

    for (int i = 0; i < draws_of(4000); i++) {
        const int64_t columns = random_between(&seed, 1, 300), rows = random_between(&seed, 1, 300);
        const int64_t width = random_between(&seed, 1, 64);
        const struct cyclic_sequence sequence = {
            .count = (int64_t)random_size(&seed, 1, 1e9),
            .width = width,
            .block = width * random_between(&seed, 1, 40),
            .ahead = random_between(&seed, 0, 50),
        };
        const enum cyclic_detail detail = random_between(&seed, 0, 1) ? CYCLIC_FINE : CYCLIC_ROUGH;
        const struct cyclic_stretches all = cyclic_stretches_of(&sequence, rows, columns, detail);
        double stood_for = 0;
        int64_t steps = 0;

        assert_true(all.count > 0 && all.count <= CYCLIC_STRETCHES);
        assert_true(all.of[0].settle == 0 && all.of[all.count - 1].end == sequence.count);
        for (int64_t s = 0; s < all.count; s++) {
            const struct cyclic_stretch *one = &all.of[s];

            assert_true(one->settle >= 0 && one->settle <= one->first && one->first < one->end &&
                        one->end <= sequence.count);
            assert_true(s == 0 || one->first >= all.of[s - 1].end);
            stood_for += one->weight * (double)(one->end - one->first);
            steps += one->end - one->settle;
        }
        assert_close(stood_for, (double)sequence.count, 1e-12);
        assert_true(steps == all.steps && steps <= sequence.count);
        longest = all.steps > longest ? all.steps : longest;
    }
    assert_true(longest < 400000);
}

TEST(a_short_sequence_is_followed_whole)
{
    const struct cyclic_sequence few = { .count = 1000, .width = 128, .block = 128 };
    const struct cyclic_sequence many = { .count = 1000000, .width = 1, .block = 1 };
    const struct cyclic_stretches all = cyclic_stretches_of(&few, 64, 64, CYCLIC_FINE);
    const struct cyclic_stretches exact = cyclic_stretches_of(&many, 1, 1, CYCLIC_ALL);

    assert_true(all.count == 1 && all.of[0].weight == 1 && all.steps == few.count);
    assert_true(exact.count == 1 && exact.of[0].weight == 1 && exact.steps == many.count);
}

/* Writes a random question of some thousand panels or slices; returns its length. */
static int random_query(uint64_t *seed, const char *model, char query[400])
{
    static const char *const broadcasts[] = {
        "1ring", "1ringM", "2ring", "2ringM", "long", "longM"
    };
    static const char *const swaps[] = { "binary_exchange", "spread_roll", "mix" };
    const int64_t block = 32 * random_between(seed, 1, 6), rows = random_between(seed, 1, 12);
    const double n = floor((double)block * random_size(seed, 2000, 8000));
    int at = snprintf(query, 400, "n=%.0f&block_size=%d&process_rows=%d&process_columns=%d", n,
                      (int)block, (int)rows, (int)random_between(seed, 1, 24));

    if (strcmp(model, "hpl") == 0)
        at += snprintf(query + at, 400 - (size_t)at, "&broadcast=%s&swap=%s&lookahead_depth=%d",
                       broadcasts[random_between(seed, 0, 5)], swaps[random_between(seed, 0, 2)],
                       (int)random_between(seed, 0, 2));
    else if (strcmp(model, "pdpotrf") != 0)
        at += snprintf(query + at, 400 - (size_t)at, "&m=%.0f",
                       floor(n * (0.5 + random_share(seed))));
    if (strcmp(model, "pdgemm") == 0)
        at += snprintf(query + at, 400 - (size_t)at, "&k=%.0f&transa=%s&transb=%s", n,
                       random_between(seed, 0, 1) ? "N" : "T",
                       random_between(seed, 0, 1) ? "N" : "T");
    if (strcmp(model, "pdtrsm") == 0)
        at += snprintf(query + at, 400 - (size_t)at, "&side=%s&trans=%s",
                       random_between(seed, 0, 1) ? "L" : "R",
                       random_between(seed, 0, 1) ? "N" : "T");
    return at;
}

/* A column that looks ahead polls after each block of columns, so that the times of hpl jump from
 * panel to panel. */
TEST(some_steps_tell_the_time_of_all)
{
    static const struct {
        const char *model;
        double most, mean; /* relative errors */
    } models[] = {
        { "hpl", 3e-3, 3e-4 },     { "pdgetrf", 3e-4, 5e-5 }, { "pdpotrf", 1e-3, 5e-5 },
        { "pdgeqrf", 5e-4, 1e-4 }, { "pdgemm", 2e-4, 2e-5 },  { "pdtrsm", 6e-4, 1e-4 },
    };
    const struct field *field = *state;
    uint64_t seed = draws_from(32);

    for (size_t m = 0; m < sizeof models / sizeof models[0]; m++) {
        const int draws = draws_of(60);
        double most = 0, sum = 0;

        for (int i = 0; i < draws; i++) {
            const struct fr_calibration *cal = field->cal[random_between(&seed, 0, 2)];
            struct fr_prediction some, all;
            char query[400];
            const int at = random_query(&seed, models[m].model, query);
            double error;

            some = predicted(models[m].model, query, cal);
            snprintf(query + at, 400 - (size_t)at, "&walk=exact");
            all = predicted(models[m].model, query, cal);
            error = fabs(some.time_s / all.time_s - 1);
            if (error > models[m].most)
                fail_msg("%s?%s: %.9g instead of %.9g s", models[m].model, query, some.time_s,
                         all.time_s);
            assert_true(some.bound_s <= some.time_s && some.bound_s <= all.bound_s * (1 + 1e-9));
            assert_close(some.communication_bytes_per_process, all.communication_bytes_per_process,
                         2e-3);
            most = fmax(most, error);
            sum += error;
        }
        if (sum / draws > models[m].mean)
            fail_msg("%s: mean error %g, at most %g", models[m].model, sum / draws, most);
    }
}

static double steps_of(const struct field *field, const char *model, const char *query)
{
    const struct fr_arena_mark mark = fr_arena_mark(field->arena);
    void *values;
    const struct fr_model *asked = resolved(model, query, field->cal[0], field->arena, &values);
    double steps;

    fr_arena_renew(field->arena);
    predicted_of(asked, values, field->cal[0], field->arena);
    steps = fr_arena_spent(field->arena);
    fr_arena_release(field->arena, mark);
    return steps;
}

/* A hundred times the panels take hardly more work. */
TEST(work_hardly_grows_with_the_problem)
{
    static const struct {
        const char *model, *small, *large;
    } sizes[] = {
        { "hpl", "n=1e6", "n=1e8" },
        { "pdpotrf", "n=1e6", "n=1e8" },
        { "pdgetrf", "m=1e6&n=1e6", "m=1e8&n=1e8" },
        { "pdgeqrf", "m=1e6&n=1e6", "m=1e8&n=1e8" },
        { "pdgemm", "m=1e6&n=1e6&k=1e6", "m=1e8&n=1e8&k=1e8" },
        { "pdtrsm", "m=1e6&n=1e6", "m=1e8&n=1e8" },
    };
    static const char grid[] = "block_size=64&process_rows=8&process_columns=8";

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char small[200], large[200];

        snprintf(small, sizeof small, "%s&%s", sizes[i].small, grid);
        snprintf(large, sizeof large, "%s&%s", sizes[i].large, grid);
        assert_true(steps_of(*state, sizes[i].model, large) <
                    1.5 * steps_of(*state, sizes[i].model, small));
    }
}

static bool never(void *context)
{
    (void)context;
    return false;
}

/* A walk ends where it is when nobody waits for its answer. */
TEST(a_walk_ends_when_it_is_stopped)
{
    const struct field *field = *state;
    const struct fr_arena_mark mark = fr_arena_mark(field->arena);
    struct fr_faults faults = { 0 };
    struct fr_prediction out;
    void *values;
    const struct fr_model *model =
        resolved("hpl", "n=2e6&block_size=64&process_rows=16&process_columns=256&walk=exact",
                 field->cal[0], field->arena, &values);

    fr_arena_renew(field->arena);
    fr_arena_watch(field->arena, never, NULL);
    assert_int_equal(fr_model_predict(model, values, field->cal[0], field->arena, &out, &faults),
                     FR_NOMEM);
    assert_true(fr_arena_spent(field->arena) < 2 * FR_WATCH_STEPS);
    fr_arena_renew(field->arena);
    fr_arena_release(field->arena, mark);
}

GROUP(begin, place_end)
