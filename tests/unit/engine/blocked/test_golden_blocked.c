/* The golden cases of blocked algorithms: call sequences exactly; evaluations, predictions,
 * rankings and block sizes within 1e-9.  Fits, grids and strategies are in test_golden_modeler.c.
 */
#include "tests/unit/support/blocked.h"
#include "tests/unit/support/draws.h"

#include <math.h>
#include <stdio.h>

static int64_t whole(json_t *object, const char *key)
{
    return (int64_t)golden_number(object, key);
}

/* Compares a sequence of calls with a list of texts. */
struct comparison {
    json_t *wanted;
    size_t at;
    bool leaves_out_empty;
};

static bool compare(void *context, const struct blocked_call *call)
{
    struct comparison *comparison = context;
    struct blocked_call again;
    char text[BLOCKED_CALL_BYTES], why[BLOCKED_WHY_BYTES];

    if (comparison->leaves_out_empty && blocked_call_is_empty(call))
        return true;
    blocked_call_print(call, text);
    if (comparison->at == json_array_size(comparison->wanted))
        fail_msg("%s is one call too many", text);
    assert_string_equal(text,
                        json_string_value(json_array_get(comparison->wanted, comparison->at++)));
    assert_int_equal(blocked_call_read(text, NULL, NULL, &again, why), strlen(text));
    assert_true(blocked_kernel_equal(&again.kernel, &call->kernel));
    assert_close(again.alpha, call->alpha, 0);
    for (size_t d = 0; d < call->kernel.routine->sizes; d++)
        assert_int_equal(again.size[d], call->size[d]);
    return true;
}

TEST(the_calls_of_trinv_are_listed)
{
    json_t *cases = json_object_get(((struct blocked_ground *)*state)->golden, "trinv_calls");
    json_t *item;
    size_t index;

    assert_int_equal(json_array_size(cases), 6);
    json_array_foreach(cases, index, item)
    {
        struct comparison all = { json_object_get(item, "calls"), 0, false };
        struct comparison some = { json_object_get(item, "calls_without_empty"), 0, true };
        const int variant = (int)whole(item, "variant");

        assert_true(trinv_calls(variant, whole(item, "n"), whole(item, "b"), compare, &all));
        assert_int_equal(all.at, json_array_size(all.wanted));
        assert_true(trinv_calls(variant, whole(item, "n"), whole(item, "b"), compare, &some));
        assert_int_equal(some.at, json_array_size(some.wanted));
    }
}

TEST(the_calls_of_sylv_are_listed)
{
    json_t *cases = json_object_get(((struct blocked_ground *)*state)->golden, "sylv_calls");
    json_t *item;
    size_t index;

    assert_int_equal(json_array_size(cases), 8);
    json_array_foreach(cases, index, item)
    {
        struct comparison all = { json_object_get(item, "calls"), 0, false };

        assert_true(sylv_calls((int)whole(item, "variant"), whole(item, "m"), whole(item, "n"),
                               whole(item, "b"), SYLV_LEAF_COMMON, compare, &all));
        assert_int_equal(all.at, json_array_size(all.wanted));
    }
}

struct digest {
    double calls, gemm, leaf, flops;
    char first[BLOCKED_CALL_BYTES], last[BLOCKED_CALL_BYTES];
};

static bool add_to_digest(void *context, const struct blocked_call *call)
{
    struct digest *digest = context;
    const bool is_gemm = strcmp(call->kernel.routine->name, "dgemm") == 0;

    blocked_call_print(call, digest->last);
    if (!digest->calls++)
        strcpy(digest->first, digest->last);
    digest->gemm += is_gemm ? 1 : 0;
    digest->leaf += is_gemm ? 0 : 1;
    digest->flops += blocked_flops(&call->kernel, call->size);
    return true;
}

TEST(the_digests_of_sylv_agree)
{
    json_t *cases = json_object_get(((struct blocked_ground *)*state)->golden, "sylv_digests");
    json_t *item;
    size_t index;

    assert_int_equal(json_array_size(cases), 7);
    json_array_foreach(cases, index, item)
    {
        json_t *routines = json_object_get(item, "by_routine");
        struct digest digest = { 0 };

        sylv_calls((int)whole(item, "variant"), whole(item, "m"), whole(item, "n"),
                   whole(item, "b"), SYLV_LEAF_COMMON, add_to_digest, &digest);
        assert_close(digest.calls, golden_number(item, "calls"), 0);
        assert_close(digest.gemm, golden_number(routines, "dgemm NN"), 0);
        assert_close(digest.leaf, golden_number(routines, "sylv_unb"), 0);
        assert_close(digest.flops, golden_number(item, "flops"), 1e-12);
        assert_string_equal(digest.first, json_string_value(json_object_get(item, "first")));
        assert_string_equal(digest.last, json_string_value(json_object_get(item, "last")));
    }
}

TEST(operations_are_counted)
{
    json_t *golden = ((struct blocked_ground *)*state)->golden, *item;
    size_t index;

    json_array_foreach(json_object_get(golden, "trinv_flops"), index, item)
    {
        assert_close(trinv_flops(golden_number(item, "n")), golden_number(item, "flops"), 1e-12);
        assert_close(trinv_flops_fused(golden_number(item, "n")), golden_number(item, "paper"),
                     1e-12);
    }
    assert_int_equal(index, 3);
    json_array_foreach(json_object_get(golden, "sylv_flops"), index, item)
    {
        assert_close(sylv_flops(golden_number(item, "m"), golden_number(item, "n")),
                     golden_number(item, "flops"), 1e-12);
        assert_close(sylv_flops_fused(golden_number(item, "m"), golden_number(item, "n")),
                     golden_number(item, "paper"), 1e-12);
    }
    assert_int_equal(index, 2);
}

static void check_times(const struct blocked_times *got, json_t *want)
{
    assert_close(got->min, golden_number(want, "min"), 1e-9);
    assert_close(got->med, golden_number(want, "med"), 1e-9);
    assert_close(got->avg, golden_number(want, "avg"), 1e-9);
    assert_close(got->max, golden_number(want, "max"), 1e-9);
    assert_close(got->std, golden_number(want, "std"), 1e-9);
}

#define CASE(name) TEST_OF(name, const struct blocked_ground *ground, NULL, NULL)

CASE(models_are_evaluated)
{
    json_t *cases = json_object_get(ground->golden, "evaluations"), *item;
    size_t index;

    assert_int_equal(json_array_size(cases), 15);
    json_array_foreach(cases, index, item)
    {
        struct blocked_call call = { .kernel = blocked_kernel_named(
                                         json_string_value(json_object_get(item, "routine")),
                                         json_string_value(json_object_get(item, "flags"))) };
        const struct blocked_fitted *fitted =
            blocked_find(ground->cal, &call.kernel, 1, BLOCKED_IN_CACHE);
        struct blocked_times times = { 0 };
        double sizes[BLOCKED_MAX_SIZES] = { 0 }, away;
        json_t *size;
        size_t d;

        assert_non_null(fitted);
        json_array_foreach(json_object_get(item, "sizes"), d, size)
        {
            sizes[d] = json_number_value(size);
            call.size[d] = (int64_t)sizes[d];
        }
        if (blocked_call_is_empty(&call)) {
            assert_true(json_is_null(json_object_get(item, "region")));
            check_times(&times, json_object_get(item, "value"));
            continue;
        }
        assert_int_equal(blocked_region_of(fitted, sizes, &away)->place, whole(item, "region"));
        assert_int_equal(away > 1, json_is_true(json_object_get(item, "outside")));
        assert_int_equal(blocked_evaluate(fitted, &call, &times) != NULL, away > 1);
        check_times(&times, json_object_get(item, "value"));
    }
}

/* Boxes that overlap and leave holes. */
enum { BOXES = 4 };
static struct blocked_fitted some_boxes(uint64_t *random, struct blocked_region region[BOXES])
{
    struct blocked_fitted boxes = { .kernel = blocked_kernel_named("dtrsm", "LLNN"),
                                    .region = region,
                                    .regions = BOXES,
                                    .low = { INFINITY, INFINITY } };

    for (size_t i = 0; i < BOXES; i++)
        for (size_t d = 0; d < 2; d++) {
            region[i].low[d] = (double)random_between(random, 8, 80);
            region[i].high[d] = region[i].low[d] + (double)random_between(random, 0, 80);
            boxes.low[d] = fmin(boxes.low[d], region[i].low[d]);
            boxes.high[d] = fmax(boxes.high[d], region[i].high[d]);
        }
    return boxes;
}

TEST(the_nearest_region_serves)
{
    uint64_t random = draws_from(7);

    for (int draw = 0; draw < draws_of(4000); draw++) {
        struct blocked_region region[BOXES] = { 0 };
        const struct blocked_fitted boxes = some_boxes(&random, region);
        const double size[] = { (double)random_between(&random, 1, 200),
                                (double)random_between(&random, 1, 200) };
        double least = INFINITY, away;
        size_t nearest = 0;

        for (size_t i = 0; i < BOXES; i++) {
            double one = 1;

            for (size_t d = 0; d < 2; d++)
                one *= fmax(1, fmax(region[i].low[d] / size[d], size[d] / region[i].high[d]));
            nearest = one < least ? i : nearest;
            least = fmin(least, one);
        }
        assert_ptr_equal(blocked_region_of(&boxes, size, &away), &region[nearest]);
        assert_true(away == least);
    }
}

static void question_of(json_t *item, const char *more, char out[200])
{
    const char *operation = json_string_value(json_object_get(item, "operation"));

    if (strcmp(operation, "sylv") == 0 && json_object_get(item, "m"))
        snprintf(out, 200, "m=%d&n=%d%s", (int)whole(item, "m"), (int)whole(item, "n"), more);
    else if (strcmp(operation, "sylv") == 0)
        snprintf(out, 200, "m=%d&n=%d%s", (int)whole(item, "n"), (int)whole(item, "n"), more);
    else
        snprintf(out, 200, "n=%d%s", (int)whole(item, "n"), more);
}

static void check_variant(const struct blocked_ground *ground, json_t *item, const char *variant,
                          json_t *want)
{
    const char *model = json_string_value(json_object_get(item, "operation"));
    char more[80], query[200];
    struct fr_prediction got;

    snprintf(more, sizeof more, "&variant=%s&block_size=%d", variant, (int)whole(item, "b"));
    question_of(item, more, query);
    got = predicted(model, query, ground->cal);
    assert_close(got.time_s, golden_number(want, "med"), 1e-9);
    assert_close(output_of(model, "time_min_s", &got), golden_number(want, "min"), 1e-9);
    assert_close(output_of(model, "time_average_s", &got), golden_number(want, "avg"), 1e-9);
    assert_close(output_of(model, "time_max_s", &got), golden_number(want, "max"), 1e-9);
    assert_close(output_of(model, "time_std_s", &got), golden_number(want, "std"), 1e-9);
    assert_close(output_of(model, "calls", &got), golden_number(want, "calls"), 0);
    assert_close(output_of(model, "calls_outside", &got), golden_number(want, "outside"), 0);
}

static struct fr_ranking ranked(const struct blocked_ground *ground, const char *operation,
                                const char *query, size_t rows)
{
    struct fr_faults faults = { 0 };
    struct fr_ranking ranking;
    void *values;
    const struct fr_model *model = ask(operation, query, ground->arena, &values, &faults);

    assert_int_equal(fr_rank(model, values, NULL, NULL, ground->cal, FR_MEMORY_LIMIT, rows,
                             ground->arena, &ranking, &faults),
                     FR_OK);
    return ranking;
}

static void check_ranking(const struct blocked_ground *ground, json_t *item)
{
    const char *operation = json_string_value(json_object_get(item, "operation"));
    const struct fr_param *variant = fr_param_find(fr_model_find(operation)->params, "variant");
    json_t *rank = json_object_get(item, "rank");
    char more[40], query[200];
    struct fr_ranking ranking;
    size_t near = 0;

    snprintf(more, sizeof more, "&block_size=%d", (int)whole(item, "b"));
    question_of(item, more, query);
    ranking = ranked(ground, operation, query, 16);
    assert_int_equal(ranking.count, json_array_size(rank));
    for (size_t i = 0; i < ranking.count; i++) {
        assert_close(fr_param_get(variant, ranking.row[i].values),
                     json_number_value(json_array_get(rank, i)), 0);
        near += ranking.row[i].prediction.time_s <= 1.02 * ranking.row[0].prediction.time_s;
    }
    assert_int_equal(near, json_array_size(json_object_get(item, "within_2_percent")));
}

CASE(algorithms_are_predicted_and_ranked)
{
    json_t *cases = json_object_get(ground->golden, "predictions"), *item, *want;
    const char *variant;
    size_t index;

    assert_int_equal(json_array_size(cases), 5);
    json_array_foreach(cases, index, item)
    {
        json_object_foreach(json_object_get(item, "predictions"), variant, want)
            check_variant(ground, item, variant, want);
        check_ranking(ground, item);
    }
}

CASE(the_block_size_is_chosen)
{
    json_t *cases = json_object_get(ground->golden, "block_sizes"), *item;
    size_t index;

    assert_int_equal(json_array_size(cases), 3);
    json_array_foreach(cases, index, item)
    {
        const char *operation = json_string_value(json_object_get(item, "operation"));
        const struct fr_param *block =
            fr_param_find(fr_model_find(operation)->params, "block_size");
        char more[40], query[200];
        struct fr_ranking ranking;

        snprintf(more, sizeof more, "&variant=%d", (int)whole(item, "variant"));
        question_of(item, more, query);
        ranking = ranked(ground, operation, query, 1);
        assert_close(fr_param_get(block, ranking.row[0].values), golden_number(item, "b"), 0);
        assert_close(ranking.row[0].prediction.time_s, golden_number(item, "med"), 1e-9);
        assert_int_equal(ranking.legal, 32);
    }
}

GROUP(blocked_begin, blocked_end)
