#include "tests/unit/support/dense_golden.h"

#include "tests/unit/support/question.h"

static json_t *golden;
struct fr_arena *dense_arena;

int dense_begin(void **state)
{
    (void)state;
    golden = golden_load("dense-refined.json");
    dense_arena = fr_arena_new(1 << 26);
    return 0;
}

int dense_end(void **state)
{
    (void)state;
    json_decref(golden);
    fr_arena_free(dense_arena);
    return 0;
}

const struct fr_calibration *dense_calibration(const char *name)
{
    return golden_calibration(golden, name, dense_arena);
}

struct fr_prediction dense_predicted(const char *model, const char *query,
                                     const struct fr_calibration *cal, struct dense *of)
{
    struct fr_evaluation *run = fr_arena_zeroed(dense_arena, 1, sizeof *run);
    struct fr_prediction out;
    void *values;
    const struct fr_model *asked = resolved(model, query, cal, dense_arena, &values);

    run->cal = cal;
    run->arena = dense_arena;
    run->out = fr_arena_zeroed(dense_arena, 1, sizeof *run->out);
    run->faults = fr_arena_zeroed(dense_arena, 1, sizeof *run->faults);
    out = predicted_of(asked, values, cal, dense_arena);
    fr_prediction_clear(run->out);
    *of = dense_derive(values, run);
    return out;
}

void dense_check_phases(const struct fr_prediction *out, const char *query)
{
    double sum = 0;

    for (size_t i = 0; i < out->phase_count; i++) {
        if (out->phase[i].hidden_s > out->phase[i].time_s * (1 + 1e-9) || out->phase[i].time_s < 0)
            fail_msg("%s: %s", query, out->phase[i].name);
        sum += out->phase[i].time_s - out->phase[i].hidden_s;
    }
    assert_close(sum, out->time_s, 1e-12);
}
