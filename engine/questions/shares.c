/* Shares of warnings: the model predicts again with slightly larger extrapolated values. */
#include "engine/questions/shares.h"

#include <math.h>

/* The work of a prediction that is made once for each warning, in steps of the arena: at most half
 * a millisecond, so that a batch of a thousand remains fast. */
#define MOST_STEPS 1e5

/* Steps of a share, which is no more precise: the change is not infinitely small, and times are
 * rounded. */
#define PER_UNIT 1e6

/* The relative change of the time per change of what the warning concerns; NaN: unknown. */
static double share_of(const struct fr_model *model, const void *values,
                       const struct fr_calibration *cal, struct fr_arena *arena, const char *name,
                       double time_s)
{
    const struct fr_arena_mark mark = fr_arena_mark(arena);
    struct fr_prediction *out = fr_arena_zeroed(arena, 1, sizeof *out);
    struct fr_faults faults = { .count = 0 };
    struct fr_evaluation run = { cal, arena, out, &faults, 0, NULL };
    double share = NAN;

    if (out) {
        fr_prediction_clear(out);
        out->weighed = name;
        model->predict(values, &run);
        share = faults.count ? NAN : fabs(out->time_s / time_s - 1) / FR_WEIGHING;
        share = round(share * PER_UNIT) / PER_UNIT;
    }
    fr_arena_release(arena, mark);
    return share;
}

void fr_shares_find(const struct fr_model *model, const void *values,
                    const struct fr_calibration *cal, struct fr_arena *arena,
                    struct fr_prediction *prediction)
{
    for (size_t i = 0; i < prediction->warning_count; i++) {
        struct fr_warning *warning = &prediction->warning[i];
        const double before = fr_arena_spent(arena);
        double steps;

        if (!warning->weighed_as)
            continue;
        warning->share_fraction =
            share_of(model, values, cal, arena, warning->weighed_as, prediction->time_s);
        steps = fr_arena_spent(arena) - before;
        fr_arena_afford(arena, -steps);
        if (steps > MOST_STEPS)
            return;
    }
}
