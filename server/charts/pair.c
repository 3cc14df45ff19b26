/* Matches a routine model with the same model of a second calibration, and finds a label that
 * distinguishes the two lines. */
#include "server/charts/routine_models.h"

#include <string.h>

struct fr_routine_view fr_chart_counterpart(const struct fr_chart_source *source,
                                            const struct fr_routine_view *own)
{
    const struct fr_calibration *other = source->other;
    const struct blocked_fitted *wanted = own->fitted;

    for (size_t i = 0; other && other->fitted && i < other->kernels.routine_models.count; i++) {
        const struct blocked_fitted *fitted = &other->fitted[i];

        if (blocked_kernel_equal(&fitted->kernel, &wanted->kernel) &&
            fitted->locality == wanted->locality && fitted->threads == wanted->threads)
            return (struct fr_routine_view){ fitted, &other->kernels.routine_models.row[i] };
    }
    return (struct fr_routine_view){ NULL, NULL };
}

static bool differ(const char *a, const char *b)
{
    return a && b && *a && *b && strcmp(a, b) != 0;
}

static const char *strategy_label(const struct fr_routine_model *row)
{
    if (strcmp(row->build.strategy, "model_expansion") == 0)
        return "expansion";
    return strcmp(row->build.strategy, "adaptive_refinement") == 0 ? "refinement"
                                                                   : row->build.strategy;
}

/* The label is the first property that differs: library, strategy, machine, time. */
const char *fr_pair_label(const struct fr_chart_source *source, const struct fr_routine_pair *pair,
                          bool is_other)
{
    const struct fr_routine_model *own = pair->own.row, *other = pair->other.row;
    const struct fr_routine_model *row = is_other ? other : own;
    const struct fr_calibration *cal = is_other ? source->other : source->cal;

    if (!other)
        return "";
    if (differ(fr_library_label(own, source->arena), fr_library_label(other, source->arena)))
        return fr_library_label(row, source->arena);
    if (differ(own->build.strategy, other->build.strategy))
        return strategy_label(row);
    if (differ(source->cal->machine, source->other->machine))
        return cal->machine;
    if (differ(source->cal->created_at, source->other->created_at))
        return cal->created_at;
    return is_other ? "second" : "first";
}
