/* Sensitivity: what changes of single calibrated values do to the time.
 *
 * Cannon of order 12 on 16 processes takes 314 s on the round machine, 216 s of them in dgemm. */
#include "tests/unit/support/question.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char cannon[] =
    "algorithm=cannon&variant=2d&n=12&processes=16&contention_model=refined";

static struct fr_sensitivity found_with(void **state, const char *model_name, const char *query,
                                        double factor)
{
    const struct round_place *place = *state;
    struct fr_faults faults = { 0 };
    struct fr_sensitivity found;
    void *values;
    const struct fr_model *model = ask(model_name, query, place->arena, &values, &faults);

    assert_int_equal(
        fr_sensitivity_find(model, values, NULL, place->cal, factor, place->arena, &found, &faults),
        FR_OK);
    assert_int_equal(faults.count, 0);
    return found;
}

static const struct fr_influence *influence_of(const struct fr_sensitivity *found, const char *path)
{
    for (size_t i = 0; i < found->count; i++)
        if (strcmp(found->row[i].path, path) == 0)
            return &found->row[i];
    return NULL;
}

/* The time with a what-if. */
static double changed_s(const struct round_place *place, const char *path, double factor)
{
    struct fr_faults faults = { 0 };
    const struct fr_calibration *changed;
    char value[32];

    snprintf(value, sizeof value, "*%.17g", factor);
    changed = fr_what_if(place->cal, &(struct fr_change){ path, value }, 1, place->arena, &faults);
    assert_non_null(changed);
    return predicted("matmul", cannon, changed).time_s;
}

TEST(half_of_the_rate_doubles_the_computation)
{
    const struct fr_sensitivity found = found_with(state, "matmul", cannon, 2);
    const struct fr_influence *dgemm = influence_of(&found, "kernels.dgemm.rate");

    assert_close(found.time_s, 314, 1e-12);
    assert_non_null(dgemm);
    assert_close(dgemm->multiplied_s, 314 - 108, 1e-12);
    assert_close(dgemm->divided_s, 314 + 216, 1e-12);
    assert_close(dgemm->width_s, 324, 1e-12);
}

TEST(each_row_is_a_what_if)
{
    const struct round_place *place = *state;
    const struct fr_sensitivity found = found_with(state, "matmul", cannon, 3);

    assert_true(found.count >= 4);
    for (size_t i = 0; i < found.count; i++) {
        const struct fr_influence *row = &found.row[i];

        assert_true(row->multiplied_s == changed_s(place, row->path, 3));
        assert_true(row->divided_s == changed_s(place, row->path, 1.0 / 3));
    }
    assert_non_null(influence_of(&found, "network.bandwidth"));
    assert_non_null(influence_of(&found, "network.latency"));
    assert_non_null(influence_of(&found, "contention"));
}

TEST(the_widest_is_first_and_what_changes_nothing_is_left_out)
{
    const struct fr_sensitivity found = found_with(state, "matmul", cannon, 2);

    for (size_t i = 1; i < found.count; i++)
        assert_true(found.row[i - 1].width_s >= found.row[i].width_s);
    assert_null(influence_of(&found, "kernels.dtrsm.rate"));
    assert_null(influence_of(&found, "node.memory_bytes"));
    assert_true(found.tried > found.count);
}

TEST(one_process_depends_on_no_network)
{
    const struct fr_sensitivity found =
        found_with(state, "matmul", "algorithm=cannon&variant=2d&n=12&processes=1", 2);

    assert_non_null(influence_of(&found, "kernels.dgemm.rate"));
    assert_null(influence_of(&found, "network.bandwidth"));
    assert_null(influence_of(&found, "network.latency"));
}

TEST(a_question_that_is_refused_has_no_sensitivity)
{
    const struct round_place *place = *state;
    struct fr_faults faults = { 0 };
    struct fr_sensitivity found;
    void *values;
    const struct fr_model *model = ask("matmul", "algorithm=cannon&variant=2d&n=12&processes=15",
                                       place->arena, &values, &faults);

    assert_int_not_equal(
        fr_sensitivity_find(model, values, NULL, place->cal, 2, place->arena, &found, &faults),
        FR_OK);
    assert_fault(&faults, FR_RELATION, "processes", "15");
}

GROUP(round_begin, place_end)
