/* Answers that are kept: found by the whole question, bounded, each with a share of its
 * calibration. */
#include "server/runs/residuals.h"
#include "tests/unit/support/check.h"

#include <stdlib.h>

enum { MANY = 1000 };
struct values {
    int64_t n;
};

static struct fr_loaded *loaded_new(void)
{
    struct fr_loaded *loaded = calloc(1, sizeof *loaded);

    assert_non_null(loaded);
    loaded->cached = (struct fr_cached){ .owners = 1, .free = free };
    return loaded;
}

static void keep(struct fr_cache *answers, struct fr_loaded *loaded, int64_t n)
{
    static struct fr_prediction prediction;
    const struct values asked = { n }, resolved = { -n };

    prediction.time_s = (double)n;
    fr_run_answers_keep(answers, &(struct fr_run_answer){ .values_size = sizeof asked,
                                                          .loaded = loaded,
                                                          .given = 3,
                                                          .asked = &asked,
                                                          .resolved = &resolved,
                                                          .prediction = &prediction,
                                                          .spread = { .runs = 2 } });
}

/* The time; 0: not kept. */
static double found(struct fr_cache *answers, struct fr_loaded *loaded, uint64_t given, int64_t n)
{
    static struct fr_prediction prediction;
    struct values values = { n };
    struct fr_spread spread;

    if (!fr_run_answers_find(
            answers,
            &(struct fr_run_answer){
                .values_size = sizeof values, .loaded = loaded, .given = given, .asked = &values },
            &values, &prediction, &spread)) {
        assert_int_equal(values.n, n);
        return 0;
    }
    assert_int_equal(values.n, -n);
    assert_int_equal(spread.runs, 2);
    return prediction.time_s;
}

TEST(an_answer_is_found_by_values_given_and_calibration)
{
    struct fr_cache *answers = fr_run_answers_new();
    struct fr_loaded *loaded = loaded_new(), *other = loaded_new();

    keep(answers, loaded, 7);
    keep(answers, loaded, 8);
    assert_close(found(answers, loaded, 3, 7), 7, 0);
    assert_close(found(answers, loaded, 3, 8), 8, 0);
    assert_close(found(answers, loaded, 3, 9), 0, 0);
    assert_close(found(answers, loaded, 1, 7), 0, 0);
    assert_close(found(answers, other, 3, 7), 0, 0);
    fr_cache_free(answers);
    fr_cached_drop(loaded);
    fr_cached_drop(other);
}

TEST(the_newest_stay_and_each_holds_its_calibration)
{
    struct fr_cache *answers = fr_run_answers_new();
    struct fr_loaded *loaded = loaded_new();

    for (int64_t n = 1; n <= MANY; n++)
        keep(answers, loaded, n);
    assert_close(found(answers, loaded, 3, MANY), MANY, 0);
    assert_close(found(answers, loaded, 3, 1), 0, 0);
    assert_in_range(loaded->cached.owners, 2, MANY);
    fr_cache_free(answers);
    assert_int_equal(loaded->cached.owners, 1);
    fr_cached_drop(loaded);
}
