/* Shares of warnings: the model predicts again with slightly larger extrapolated values. */
#include "engine/questions/answer.h"

#include "engine/core/number.h"

#include <math.h>
#include <stdio.h>

/* The work of a prediction that is made once for each warning, in steps of the arena: at most half
 * a millisecond, so that a batch of a thousand remains fast. */
#define MOST_STEPS 1e5

/* Steps of a share, which is no more precise: the change is not infinitely small, and times are
 * rounded. */
#define PER_UNIT 1e6

/* What a prediction is asked to change. */
struct change {
    const char *weighed;
    double erring;
};

static void set_expected(struct fr_prediction *prediction, const struct fr_warning *from)
{
    for (size_t i = 0; i < prediction->warning_count; i++) {
        struct fr_warning *to = &prediction->warning[i];

        if (to->code == from->code && to->what == from->what)
            to->expected_error_fraction = from->expected_error_fraction;
    }
}

/* A question that is predicted again. */
struct again {
    const struct fr_model *model;
    const void *values;
    const struct fr_calibration *cal;
    struct fr_arena *arena;
    double rough_s; /* predicted roughly; NaN: not yet */
};

/* The time predicted roughly with the change; NaN: unknown.  Sets the expected errors of the
 * warnings, if they are given, and *is_rough: less work was done than for the answer. */
static double time_of(const struct again *again, struct change change, struct fr_prediction *warned,
                      bool *is_rough)
{
    const struct fr_arena_mark mark = fr_arena_mark(again->arena);
    struct fr_prediction *out = fr_arena_zeroed(again->arena, 1, sizeof *out);
    struct fr_faults faults = { .count = 0 };
    struct fr_evaluation run = { .is_rough = true,
                                 .is_time_alone = true,
                                 .cal = again->cal,
                                 .arena = again->arena,
                                 .out = out,
                                 .faults = &faults };
    double time_s = NAN;

    if (out) {
        fr_prediction_clear(out);
        out->weighed = change.weighed;
        out->erring = change.erring;
        out->erring_by = change.erring == 0 ? NULL : again->cal->held_outs;
        again->model->predict(again->values, &run);
        time_s = faults.count ? NAN : out->time_s;
        *is_rough = out->is_rough;
    }
    for (size_t i = 0; out && warned && i < out->warning_count; i++)
        set_expected(warned, &out->warning[i]);
    fr_arena_release(again->arena, mark);
    return time_s;
}

/* How many times `time_s`, the answer's, the time with the change is; NaN: unknown.  Rough times
 * are compared with rough ones. */
static double ratio_of(struct again *again, struct change change, double time_s,
                       struct fr_prediction *warned)
{
    bool is_rough = false;
    const double changed_s = time_of(again, change, warned, &is_rough);

    if (is_rough && isnan(again->rough_s))
        again->rough_s = time_of(again, (struct change){ NULL, 0 }, NULL, &is_rough);
    return changed_s / (is_rough ? again->rough_s : time_s);
}

/* The relative change of the time per change of what the warning concerns. */
static double share_of(double ratio)
{
    return round(fabs(ratio - 1) / FR_WEIGHING * PER_UNIT) / PER_UNIT;
}

/* Sets the shares: where a prediction takes long, only the first. */
static void weigh(struct again *again, struct fr_prediction *prediction)
{
    for (size_t i = 0; i < prediction->warning_count; i++) {
        struct fr_warning *warning = &prediction->warning[i];
        const double before = fr_arena_spent(again->arena);
        double steps;

        if (!warning->weighed_as)
            continue;
        warning->share_fraction = share_of(ratio_of(
            again, (struct change){ .weighed = warning->weighed_as }, prediction->time_s, NULL));
        steps = fr_arena_spent(again->arena) - before;
        fr_arena_afford(again->arena, -steps);
        if (steps > MOST_STEPS)
            return;
    }
}

/* Takes a warning of more processes into account. */
static void note(const struct fr_calibration *cal, const struct fr_warning *warning,
                 struct fr_extrapolation *out)
{
    const struct fr_held_out *of = fr_held_out_of(cal->held_outs, warning->what);

    out->is_present = true;
    out->measured_processes = fmin(out->measured_processes, warning->high);
    out->processes = fmax(out->processes, warning->value);
    if (isnan(fr_held_out_error(of, warning->value, warning->low, warning->high)))
        out->low_s = out->high_s = NAN;
}

struct fr_extrapolation fr_extrapolation_find(const struct fr_model *model, const void *values,
                                              const struct fr_calibration *cal,
                                              struct fr_arena *arena,
                                              struct fr_prediction *prediction)
{
    struct fr_extrapolation out = { false, NAN, NAN, NAN, NAN, NAN };
    const struct change longer = { .erring = 1 }, shorter = { .erring = -1 };
    const double time_s = prediction->time_s;
    struct again again = { model, values, cal, arena, NAN };

    weigh(&again, prediction);
    if (!fr_prediction_is_extrapolated(prediction))
        return out;
    out.high_s = time_s * ratio_of(&again, longer, time_s, prediction);
    out.low_s = time_s * ratio_of(&again, shorter, time_s, NULL);
    for (size_t i = 0; i < prediction->warning_count; i++)
        if (fr_warning_is_of_more_processes(&prediction->warning[i]))
            note(cal, &prediction->warning[i], &out);
    if (!out.is_present)
        out.low_s = out.high_s = NAN;
    out.expected_error_fraction = out.high_s / time_s - 1;
    return out;
}

void fr_extrapolation_print(const struct fr_extrapolation *of, char *out, size_t size)
{
    const double least = 0.01, error = of->expected_error_fraction;
    char measured[32], processes[32], expected[32];
    size_t used;

    fr_number_text(of->measured_processes, measured, sizeof measured);
    fr_number_text(of->processes, processes, sizeof processes);
    fr_percent_print(fmax(least, error), expected, sizeof expected);
    used = (size_t)snprintf(out, size, "network measured on %s of %s processes: ", measured,
                            processes);
    if (isnan(error))
        snprintf(out + used, size - used,
                 "how wrong the time may be is unknown, because too few process counts were "
                 "measured to tell; calibrate on more processes");
    else
        snprintf(out + used, size - used,
                 "expect errors of %s%s, as extrapolation is wrong within the measurements; "
                 "calibrate on more processes",
                 error < least ? "less than " : "", expected);
}
