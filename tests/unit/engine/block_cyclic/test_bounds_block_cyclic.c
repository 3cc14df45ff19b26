/* Lower bounds of block-cyclic programs, and the rankings that they shorten. */
#include "engine/block_cyclic/walk.h"
#include "tests/unit/support/documents.h"
#include "tests/unit/support/draws.h"
#include "tests/unit/support/golden.h"
#include "tests/unit/support/question.h"

#include <math.h>
#include <stdio.h>

struct ground {
    struct fr_arena *arena;
    const struct fr_calibration *cluster, *fitted, *plain, *distant;
};

static int begin(void **state)
{
    static struct ground ground;
    json_t *golden = golden_load("block-cyclic.json");

    ground.arena = fr_arena_new(1 << 27);
    ground.cluster = golden_calibration(golden, "cluster", ground.arena);
    ground.fitted = golden_calibration(golden, "fitted", ground.arena);
    ground.plain = golden_calibration(golden, "plain", ground.arena);
    json_object_set_new(
        json_object_get(json_object_get(json_object_get(golden, "calibrations"), "cluster"),
                        "network"),
        "latency_by_distance",
        json_of("[{'distance':1,'max_message_bytes':null,'latency_s':2e-6,'maximum_s':3e-6},"
                "{'distance':8,'max_message_bytes':null,'latency_s':4e-6,'maximum_s':7e-6}]"));
    ground.distant = golden_calibration(golden, "cluster", ground.arena);
    json_decref(golden);
    *state = &ground;
    return 0;
}

/* Appends a parameter and one of its choices. */
static int choose(uint64_t *seed, char query[400], int at, const char *name, const char *choices)
{
    const int64_t count = (int64_t)strlen(choices);

    return at + snprintf(query + at, 400 - (size_t)at, "&%s=%c", name,
                         choices[random_between(seed, 0, count - 1)]);
}

/* A random question, mostly legal. */
static void random_query(uint64_t *seed, const char *model, char query[400])
{
    static const char *const broadcasts[] = {
        "1ring", "1ringM", "2ring", "2ringM", "long", "longM"
    };
    static const char *const swaps[] = { "binary_exchange", "spread_roll", "mix" };
    const int64_t block = random_between(seed, 1, 96);
    const int64_t rows = random_between(seed, 1, 12), columns = random_between(seed, 1, 12);
    int at = snprintf(query, 400, "n=%.0f&block_size=%d&process_rows=%d&process_columns=%d",
                      floor(random_size(seed, 2, 40 * (double)block)), (int)block, (int)rows,
                      (int)columns);

    at += snprintf(query + at, 400 - (size_t)at, "&mapping=%s&contention=%s",
                   random_between(seed, 0, 1) ? "row" : "column",
                   random_between(seed, 0, 3) ? "true" : "false");
    if (strcmp(model, "hpl") == 0)
        snprintf(query + at, 400 - (size_t)at, "&broadcast=%s&swap=%s&lookahead_depth=%d",
                 broadcasts[random_between(seed, 0, 5)], swaps[random_between(seed, 0, 2)],
                 (int)random_between(seed, 0, random_between(seed, 0, 3) ? 1 : 20));
    else if (strcmp(model, "pdpotrf") != 0)
        at += snprintf(query + at, 400 - (size_t)at, "&m=%.0f",
                       floor(random_size(seed, 2, 40 * (double)block)));
    if (strcmp(model, "pdgemm") == 0) {
        at += snprintf(query + at, 400 - (size_t)at, "&k=%.0f",
                       floor(random_size(seed, 2, 40 * (double)block)));
        at = choose(seed, query, at, "transa", "NT");
        choose(seed, query, at, "transb", "NT");
    } else if (strcmp(model, "pdtrsm") == 0) {
        at = choose(seed, query, at, "side", "LR");
        choose(seed, query, at, "trans", "NT");
    } else if (strcmp(model, "pdpotrf") == 0) {
        choose(seed, query, at, "uplo", "LU");
    }
}

/* Resolves a random question; NULL if it is not legal. */
static const struct fr_model *random_question(uint64_t *seed, const char *name,
                                              const struct fr_calibration *cal,
                                              struct fr_arena *arena, void **values)
{
    struct fr_faults faults = { 0 };
    const struct fr_model *model;
    char query[400];

    random_query(seed, name, query);
    model = ask(name, query, arena, values, &faults);
    if (!faults.count)
        fr_model_resolve(model, *values, cal, &faults);
    return faults.count ? NULL : model;
}

static const char *const models[] = { "hpl", "pdgetrf", "pdgeqrf", "pdgemm", "pdtrsm", "pdpotrf" };

#define CASE(name) TEST_OF(name, const struct ground *ground, NULL, NULL)

/* The bound of a ranking is that of the prediction, and both lie below the time. */
CASE(no_time_is_below_its_bound)
{
    const struct fr_calibration *cals[] = { ground->cluster, ground->fitted, ground->plain,
                                            ground->distant };
    uint64_t seed = draws_from(20);
    bool is_path = false, is_work = false;
    int alone = 0; /* solves that move B alone */

    for (size_t m = 0; m < sizeof models / sizeof models[0]; m++) {
        int predicted = 0;

        for (int i = 0; i < draws_of(600); i++) {
            const struct fr_calibration *cal = cals[random_between(&seed, 0, 3)];
            const struct fr_arena_mark mark = fr_arena_mark(ground->arena);
            struct fr_faults faults = { 0 };
            struct fr_prediction out;
            struct fr_evaluation run = {
                .cal = cal, .arena = ground->arena, .out = &out, .faults = &faults
            };
            void *values;
            const struct fr_model *model =
                random_question(&seed, models[m], cal, ground->arena, &values);

            fr_arena_renew(ground->arena);
            if (model) {
                double bound_s;

                fr_prediction_clear(&out);
                bound_s = model->bound_s(values, &run);
                assert_int_equal(fr_model_predict(model, values, cal, ground->arena, &out, &faults),
                                 FR_OK);
                assert_true(out.bound_s > 0 && out.bound_s <= out.time_s * (1 + 1e-12));
                assert_close(bound_s, out.bound_s, 1e-12);
                is_path |= strcmp(out.bound_by, "critical_path") == 0;
                is_work |= strcmp(out.bound_by, "work") == 0;
                alone += has_warning(&out, FR_WARN_SLOW_VARIANT, "process_rows") ||
                         has_warning(&out, FR_WARN_SLOW_VARIANT, "process_columns");
                predicted++;
            }
            fr_arena_release(ground->arena, mark);
        }
        assert_true(predicted > draws_of(300));
    }
    assert_true(is_path && is_work && alone > draws_of(30));
}

/* A walk that is given up would have exceeded the limit; one that is not has the same time. */
CASE(a_walk_ends_early_only_beyond_its_limit)
{
    const struct fr_calibration *cals[] = { ground->cluster, ground->fitted, ground->plain,
                                            ground->distant };
    uint64_t seed = draws_from(21);
    int early = 0;

    for (int i = 0; i < draws_of(1500); i++) {
        const struct fr_calibration *cal = cals[random_between(&seed, 0, 3)];
        const struct fr_arena_mark mark = fr_arena_mark(ground->arena);
        const char *name = models[i % (int)(sizeof models / sizeof models[0])];
        struct fr_faults faults = { 0 };
        struct fr_prediction out, within;
        struct fr_evaluation run = {
            .cal = cal, .arena = ground->arena, .out = &within, .faults = &faults
        };
        void *values;
        const struct fr_model *model = random_question(&seed, name, cal, ground->arena, &values);

        fr_arena_renew(ground->arena);
        if (model) {
            double limit_s;

            fr_model_predict(model, values, cal, ground->arena, &out, &faults);
            limit_s = out.time_s * (0.5 + random_share(&seed));
            run.limit_s = limit_s;
            assert_int_equal(fr_model_predict_within(model, values, &run), FR_OK);
            if (isinf(within.time_s))
                assert_true(out.time_s > limit_s);
            else
                assert_close(within.time_s, out.time_s, 0);
            early += isinf(within.time_s) != 0;
        }
        fr_arena_release(ground->arena, mark);
    }
    assert_true(early > draws_of(200));
}

/* The values of a question whose tunables are open but where the query gives them. */
static const struct fr_model *open_question(struct fr_arena *arena, const char *name,
                                            const char *query, void **values)
{
    struct fr_faults faults = { 0 };
    const struct fr_model *model = ask_open(name, query, arena, values, &faults);

    assert_int_equal(faults.count, 0);
    return model;
}

static double cost(const struct fr_ranking *ranking, size_t i)
{
    return fr_rank_cost(&ranking->row[i].prediction, ranking->is_filled);
}

/* A ranking has every configuration within FR_SLOW of the best, in the order of their times, and
 * counts the others. */
static void check_ranking(const struct ground *ground, const struct fr_calibration *cal,
                          const char *name, const char *query)
{
    struct fr_model every;
    struct fr_faults faults = { 0 };
    struct fr_ranking all, ranking, first;
    void *values;
    const struct fr_model *model = open_question(ground->arena, name, query, &values);
    const struct fr_arena_mark mark = fr_arena_mark(ground->arena);
    const size_t few = 3;
    size_t fast = 0;

    every = *model;
    every.bound_s = NULL; /* predicts all */
    fr_arena_renew(ground->arena);
    assert_int_equal(fr_rank(&every, values, NULL, NULL, cal, FR_MEMORY_IGNORE, 2000, ground->arena,
                             &all, &faults),
                     FR_OK);
    fr_arena_renew(ground->arena);
    assert_int_equal(fr_rank(model, values, NULL, NULL, cal, FR_MEMORY_IGNORE, 2000, ground->arena,
                             &ranking, &faults),
                     FR_OK);
    assert_int_equal(all.legal, ranking.legal);
    assert_int_equal(all.tried, ranking.tried);
    assert_int_equal(ranking.count + ranking.left_out_slow, ranking.legal);
    assert_true(ranking.left_out_slow > 0);
    while (fast < all.count && cost(&all, fast) <= FR_SLOW * cost(&all, 0))
        fast++;
    assert_true(ranking.count >= fast);
    for (size_t i = 0; i < fast; i++)
        assert_close(cost(&ranking, i), cost(&all, i), 0);
    fr_arena_renew(ground->arena);
    assert_int_equal(fr_rank(model, values, NULL, NULL, cal, FR_MEMORY_IGNORE, few, ground->arena,
                             &first, &faults),
                     FR_OK);
    assert_int_equal(first.count, few < fast ? few : first.count);
    for (size_t i = 0; i < first.count && i < fast; i++)
        assert_close(cost(&first, i), cost(&all, i), 0);
    assert_int_equal(first.legal, all.legal);
    fr_arena_renew(ground->arena);
    assert_int_equal(fr_rank(model, values, NULL, NULL, cal, FR_MEMORY_IGNORE, 1, ground->arena,
                             &first, &faults),
                     FR_OK);
    assert_close(cost(&first, 0), cost(&all, 0), 0); /* the best alone needs less work */
    assert_int_equal(first.legal, all.legal);
    assert_true(first.left_out_slow >= ranking.left_out_slow);
    fr_arena_release(ground->arena, mark);
}

/* With a part of the work of a ranking there is an answer, of exact times, that says what it left
 * out; and what leaves nothing out is the whole ranking. */
CASE(a_ranking_takes_the_work_that_there_is)
{
    struct fr_faults faults = { 0 };
    struct fr_ranking all, part;
    void *values;
    const struct fr_model *model =
        open_question(ground->arena, "hpl", "n=20000&processes=16", &values);
    double steps;

    fr_arena_renew(ground->arena);
    assert_int_equal(fr_rank(model, values, NULL, NULL, ground->cluster, FR_MEMORY_IGNORE, 1,
                             ground->arena, &all, &faults),
                     FR_OK);
    steps = fr_arena_spent(ground->arena);
    for (int eighths = 2; eighths <= 16; eighths++) {
        struct fr_prediction alone;

        fr_arena_renew(ground->arena);
        fr_arena_spend(ground->arena, FR_MAX_STEPS - eighths * steps / 8);
        assert_int_equal(fr_rank(model, values, NULL, NULL, ground->cluster, FR_MEMORY_IGNORE, 1,
                                 ground->arena, &part, &faults),
                         FR_OK);
        assert_true(cost(&part, 0) >= cost(&all, 0));
        assert_int_equal(part.legal, part.untried ? part.legal : all.legal);
        assert_true(part.untried || cost(&part, 0) == cost(&all, 0));
        assert_true(eighths > 7 || part.untried);
        fr_arena_renew(ground->arena);
        assert_int_equal(fr_model_predict(model, part.row[0].values, ground->cluster, ground->arena,
                                          &alone, &faults),
                         FR_OK);
        assert_true(alone.time_s == cost(&part, 0));
    }
    assert_int_equal(part.untried, 0);
    fr_arena_renew(ground->arena);
}

/* The values of a list for one parameter. */
static struct fr_axis listed(const struct ground *ground, const struct fr_model *model,
                             const char *name, const char *text)
{
    struct fr_faults faults = { 0 };
    struct fr_axis axis = { 0 };

    assert_int_equal(
        fr_axis_parse(fr_param_find(model->params, name), text, ground->arena, &axis, &faults),
        FR_OK);
    return axis;
}

static double best_of(const struct ground *ground, const struct fr_model *model, const void *values,
                      const struct fr_restriction *only)
{
    struct fr_faults faults = { 0 };
    struct fr_ranking ranking;

    fr_arena_renew(ground->arena);
    assert_int_equal(fr_rank(model, values, only, NULL, ground->cluster, FR_MEMORY_IGNORE, 1,
                             ground->arena, &ranking, &faults),
                     FR_OK);
    return ranking.row[0].prediction.time_s;
}

/* Depths beyond the process columns have other bounds, which must not serve the small ones. */
CASE(lists_find_the_best_of_their_values)
{
    void *values, *single = NULL;
    const struct fr_model *model =
        open_question(ground->arena, "hpl", "n=3000&processes=16", &values);
    const struct fr_axis lists[] = { listed(ground, model, "lookahead_depth", "0,40,1,7"),
                                     listed(ground, model, "broadcast", "long,1ring"),
                                     listed(ground, model, "block_size", "48..144..48") };
    const struct fr_restriction only = { lists, 3 };
    const double best_s = best_of(ground, model, values, &only);
    double least_s = INFINITY;
    size_t points = 0;
    struct fr_faults faults = { 0 };

    assert_int_equal(fr_axes_count(lists, 3, 1, &points, &faults), FR_OK);
    assert_int_equal(points, 4 * 2 * 3);
    for (size_t i = 0; i < points; i++) {
        open_question(ground->arena, "hpl", "n=3000&processes=16", &single);
        fr_axes_point(lists, 3, i, single);
        least_s = fmin(least_s, best_of(ground, model, single, NULL));
    }
    assert_close(best_s, least_s, 0);
}

/* Predictions of a ranking share what they have in common, and say the same as a single one. */
CASE(rows_are_what_predictions_say)
{
    const struct fr_calibration *const cals[] = { ground->cluster, ground->fitted, ground->plain };
    void *values;
    const struct fr_model *model =
        open_question(ground->arena, "hpl", "n=5000&processes=16&block_size=40", &values);
    size_t warnings = 0;

    for (size_t i = 0; i < sizeof cals / sizeof *cals; i++) {
        struct fr_faults faults = { 0 };
        struct fr_ranking ranking;

        fr_arena_renew(ground->arena);
        assert_int_equal(fr_rank(model, values, NULL, NULL, cals[i], FR_MEMORY_IGNORE, 100,
                                 ground->arena, &ranking, &faults),
                         FR_OK);
        for (size_t k = 0; k < ranking.count; k++) {
            const struct fr_prediction *row = &ranking.row[k].prediction;
            struct fr_prediction alone;

            fr_model_predict(model, ranking.row[k].values, cals[i], ground->arena, &alone, &faults);
            assert_true(row->time_s == alone.time_s && row->bound_s == alone.bound_s);
            assert_true(row->used == alone.used);
            assert_int_equal(row->warning_count, alone.warning_count);
            for (size_t w = 0; w < alone.warning_count; w++)
                assert_true(row->warning[w].code == alone.warning[w].code &&
                            row->warning[w].what == alone.warning[w].what &&
                            row->warning[w].value == alone.warning[w].value);
            warnings += alone.warning_count;
        }
    }
    assert_true(warnings > 0);
}

CASE(rankings_leave_out_only_what_is_slow)
{
    check_ranking(ground, ground->cluster, "hpl", "n=6000&processes=48");
    check_ranking(ground, ground->fitted, "hpl", "n=3000&processes=16");
    check_ranking(ground, ground->cluster, "hpl", "processes=16&memory_fraction=0.01");
    check_ranking(ground, ground->cluster, "pdgetrf", "m=5000&n=4000&processes=64");
    check_ranking(ground, ground->fitted, "pdgeqrf", "m=5000&n=4000&processes=64");
    check_ranking(ground, ground->cluster, "pdgemm", "m=5000&n=4000&k=3000&processes=64&transb=T");
    check_ranking(ground, ground->fitted, "pdtrsm", "m=5000&n=100&processes=64");
    check_ranking(ground, ground->cluster, "pdpotrf", "n=5000&processes=64&uplo=U");
    /* of thousands of panels: predicted roughly first */
    check_ranking(ground, ground->cluster, "hpl", "n=100000&processes=48&broadcast=1ringM");
    check_ranking(ground, ground->fitted, "pdgetrf", "m=60000&n=70000&processes=60");
}

/* Each slice, or panel, is sent along the rows and sets most clocks on, more than once. */
CASE(loops_over_columns_are_charged)
{
    static const struct {
        const char *model, *query;
        double panels;
    } walks[] = {
        { "pdgemm", "m=3200&n=51200&k=51200", 1600 },
        { "pdtrsm", "m=3200&n=51200&side=R", 1600 },
        { "pdpotrf", "n=51200", 800 },
    };
    const double columns = 200, each = columns * (CYCLIC_HOP_STEPS + CYCLIC_CLOCK_STEPS);

    for (size_t i = 0; i < sizeof walks / sizeof walks[0]; i++) {
        const struct fr_arena_mark mark = fr_arena_mark(ground->arena);
        const double least = walks[i].panels * each;
        const struct fr_model *model;
        char query[400];
        void *values;

        snprintf(query, sizeof query,
                 "%s&block_size=64&process_rows=2&process_columns=%.0f&ranks_per_node=1",
                 walks[i].query, columns);
        model = resolved(walks[i].model, query, ground->cluster, ground->arena, &values);
        fr_arena_renew(ground->arena);
        predicted_of(model, values, ground->cluster, ground->arena);
        assert_false(fr_arena_spend(ground->arena, FR_MAX_STEPS - least));
        fr_arena_release(ground->arena, mark);
    }
}

/* With so many panels ahead an update that is found again must stay while columns work on it. */
TEST(updates_stay_while_columns_work_on_them)
{
    const struct fr_prediction out = predicted(
        "hpl",
        "n=8044&block_size=174&process_rows=5&process_columns=19&mapping=column&ranks_per_node=1&"
        "broadcast=long&swap=binary_exchange&lookahead_depth=12&nbmin=5&ndiv=3",
        ((struct ground *)*state)->fitted);

    assert_close(out.time_s, 1.9967245783734, 1e-9);
    assert_close(output_of("hpl", "load_imbalance", &out), 1.29852627806, 1e-9);
}

GROUP(begin, place_end)
