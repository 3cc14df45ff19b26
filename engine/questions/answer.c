/* The answer to a question: predicts with each saved run that matches; the median is the answer. */
#include "engine/questions/answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Whether a run cannot serve a question that gives another value. */
static bool is_binding(const struct fr_param *param)
{
    return !(param->flags & (FR_METHOD | FR_INPUT_ONLY | FR_AUTOMATIC | FR_ITERATIONS | FR_SCALED));
}

/* A saved run named in the question must agree with it in every such parameter that both give. */
static int check_match(const struct fr_model *model, const struct fr_saved_run *run, uint64_t given,
                       const void *values, struct fr_faults *faults)
{
    const size_t before = faults->count;

    for (const struct fr_param *param = model->params; param->name; param++) {
        char asked[80], was[80];

        if (!is_binding(param) || !(run->given & given & fr_param_bit(model->params, param)) ||
            fr_param_equal(param, run->values, values))
            continue;
        fr_param_print(param, values, asked, sizeof asked);
        fr_param_print(param, run->values, was, sizeof was);
        fr_fault(faults, FR_RELATION, "run", "the run has %s = %s; asked for is %s", param->name,
                 was, asked);
    }
    return faults->count > before ? FR_RELATION : FR_OK;
}

/* Takes parameters that the question leaves open from the run. */
static void take_open(const struct fr_model *model, const struct fr_saved_run *run, uint64_t given,
                      void *values)
{
    for (const struct fr_param *param = model->params; param->name; param++) {
        const uint64_t bit = fr_param_bit(model->params, param);

        if (run->given & ~given & bit)
            fr_param_copy(param, run->values, values);
    }
}

static int answer(const struct fr_model *model, void *values, const struct fr_calibration *cal,
                  struct fr_arena *arena, struct fr_prediction *out, struct fr_faults *faults)
{
    const int code = fr_model_resolve(model, values, cal, faults);

    return code == FR_OK ? fr_model_predict(model, values, cal, arena, out, faults) : code;
}

/* Compares predictions by time. */
static int by_time(const void *left, const void *right)
{
    const struct fr_prediction *const *a = left, *const *b = right;

    return ((*a)->time_s > (*b)->time_s) - ((*a)->time_s < (*b)->time_s);
}

/* Finds the phase of this name, or adds it with zero time. */
static struct fr_phase *phase_like(const struct fr_phase *phase, struct fr_prediction *out)
{
    size_t i = 0;

    while (i < out->phase_count && strcmp(out->phase[i].name, phase->name))
        i++;
    if (i == out->phase_count)
        out->phase[out->phase_count++] = (struct fr_phase){ phase->name, phase->kind, 0, 0 };
    return &out->phase[i];
}

/* Averages two predictions: the median of an even number of them, for every number and phase. */
static void blend(const struct fr_prediction *with, struct fr_prediction *out)
{
    double *mine = (double *)(void *)out;
    const double *other = (const double *)(const void *)with;

    for (size_t i = 0; i < offsetof(struct fr_prediction, vector) / sizeof *mine; i++)
        mine[i] = (mine[i] + other[i]) / 2;
    for (size_t i = 0; i < out->phase_count; i++) {
        out->phase[i].time_s /= 2;
        out->phase[i].hidden_s /= 2;
    }
    for (size_t i = 0; i < with->phase_count; i++) {
        struct fr_phase *phase = phase_like(&with->phase[i], out);

        phase->time_s += with->phase[i].time_s / 2;
        phase->hidden_s += with->phase[i].hidden_s / 2;
    }
}

static void spread_of(struct fr_prediction *const *each, size_t count, double *times,
                      struct fr_spread *spread)
{
    for (size_t i = 0; i < count; i++)
        times[i] = each[i]->time_s;
    spread->runs = count;
    fr_box_statistics(times, count, &spread->box);
}

/* Whether both runs give a model the same input: they may differ in the measured time alone. */
static bool is_like(const struct fr_saved_run *a, const struct fr_saved_run *b)
{
    return a->given == b->given && memcmp(a->values, b->values, a->model->values_size) == 0 &&
           memcmp(&a->stalls_per_byte, &b->stalls_per_byte, sizeof a->stalls_per_byte) == 0 &&
           memcmp(&a->computation, &b->computation, sizeof a->computation) == 0;
}

/* The question, with the parameters of a run but without its measurements; NaN: not legal so. */
static double unaided_s(const struct fr_model *model, const struct fr_saved_run *run,
                        uint64_t given, void *values, const struct fr_calibration *cal,
                        struct fr_arena *arena)
{
    struct fr_prediction *prediction = fr_arena_zeroed(arena, 1, sizeof *prediction);
    struct fr_faults faults;

    faults.count = 0;
    take_open(model, run, given, values);
    if (!prediction || answer(model, values, cal, arena, prediction, &faults) != FR_OK)
        return NAN;
    return prediction->time_s;
}

/* Predicts with one run. */
static int answer_run(const struct fr_model *model, const struct fr_saved_run *run, uint64_t given,
                      void *values, const struct fr_calibration *cal, struct fr_arena *arena,
                      struct fr_prediction **out, struct fr_faults *faults)
{
    *out = fr_arena_zeroed(arena, 1, sizeof **out);
    if (!*out)
        return fr_fault(faults, FR_NOMEM, "run", "too many saved runs match");
    if (check_match(model, run, given, values, faults) != FR_OK)
        return FR_RELATION;
    take_open(model, run, given, values);
    model->set_run(values, run);
    return answer(model, values, cal, arena, *out, faults);
}

/* Predicts with each run separately and takes the median. */
static int answer_runs(const struct fr_model *model, const struct fr_saved_run *const *run,
                       size_t count, uint64_t given, void *values, const struct fr_calibration *cal,
                       struct fr_arena *arena, struct fr_prediction *out, struct fr_spread *spread,
                       struct fr_faults *faults)
{
    struct fr_prediction **each = fr_arena_zeroed(arena, count, sizeof *each);
    double *times = fr_arena_zeroed(arena, count, sizeof *times);
    void *bound = fr_arena_zeroed(arena, 1, model->values_size);

    if (!each || !times || !bound)
        return fr_fault(faults, FR_NOMEM, "run", "too many saved runs match");
    memcpy(bound, values, model->values_size);
    for (size_t i = 0; i < count; i++) {
        int code;

        if (i && is_like(run[i], run[i - 1])) {
            each[i] = each[i - 1];
            continue;
        }
        memcpy(values, bound, model->values_size);
        code = answer_run(model, run[i], given, values, cal, arena, &each[i], faults);
        if (code != FR_OK)
            return code;
    }
    qsort(each, count, sizeof *each, by_time);
    *out = *each[(count - 1) / 2];
    if (count % 2 == 0)
        blend(each[count / 2], out);
    spread_of(each, count, times, spread);
    spread->unaided_s = unaided_s(model, run[0], given, bound, cal, arena);
    return FR_OK;
}

/* Takes nothing but measurements, of the run that the model chooses. */
static int answer_nearest(const struct fr_model *model, const struct fr_saved_run *const *run,
                          size_t count, void *values, const struct fr_calibration *cal,
                          struct fr_arena *arena, struct fr_prediction *out,
                          struct fr_spread *spread, struct fr_faults *faults)
{
    size_t nearest;

    fr_model_check_complete(model, values, faults);
    if (faults->count)
        return faults->fault[0].code;
    nearest = model->nearest_run(values, run, count, cal, arena);
    spread->is_transferred = nearest < count;
    if (nearest < count)
        model->set_run(values, run[nearest]);
    return answer(model, values, cal, arena, out, faults);
}

int fr_model_answer(const struct fr_model *model, void *values, const struct fr_run_source *source,
                    const struct fr_calibration *cal, struct fr_arena *arena,
                    struct fr_prediction *out, struct fr_spread *spread, struct fr_faults *faults)
{
    const struct fr_saved_run *const *runs = NULL;
    size_t count = 0;

    spread->runs = 0;
    spread->is_transferred = false;
    if (source && model->set_run)
        count = source->find(source->context, values, &runs);
    if (!count)
        return answer(model, values, cal, arena, out, faults);
    if (model->nearest_run)
        return answer_nearest(model, runs, count, values, cal, arena, out, spread, faults);
    return answer_runs(model, runs, count, source->given, values, cal, arena, out, spread, faults);
}
