/* routine: the performance of a kernel according to its models, over one size; the other sizes
 * are fixed or equal to it. Each locality and thread count has a line with a band from the
 * minimum to the maximum. The models of a second calibration, for example of another library,
 * are drawn beside them. */
#include "server/charts/routine_models.h"

#include <inttypes.h>
#include <math.h>

enum { MOST_POINTS = 160, STEP = 8, MOST_LINES = 16 };

/* The sizes of the points and the unit of the values. */
struct walk {
    const struct fr_chart_source *source;
    struct fr_chart_sizes sizes;
    const struct blocked_kernel *kernel;
    bool is_fraction;
};

/* The unit of the axis in flop/s. */
static double unit_of(const struct walk *walk, const struct fr_calibration *cal, int64_t threads)
{
    return walk->is_fraction ? cal->core_peak_flops_per_s * (double)threads : 1e9;
}

static double rate(double flops, double time_s, double unit)
{
    return time_s > 0 ? flops / time_s / unit : NAN;
}

/* The part of a model's range that the axis covers. */
static struct fr_span span_of(const struct walk *walk, const struct blocked_fitted *fitted)
{
    struct fr_span span = { .low = 1, .high = BLOCKED_MAX_SIZE };

    for (size_t d = 0; d < walk->kernel->routine->sizes; d++)
        if (walk->sizes.fixed[d] == FR_OPEN_INT) {
            span.low = fmax(span.low, fitted->low[d]);
            span.high = fmin(span.high, fitted->high[d]);
        }
    return span;
}

/* The values at one point; NaN if no region contains it. */
static void fill(const struct walk *walk, const struct blocked_fitted *fitted, double unit,
                 double x, double *median, double *low, double *high)
{
    struct blocked_call call = { .kernel = *walk->kernel };
    struct blocked_times times;
    double flops;

    for (size_t d = 0; d < walk->kernel->routine->sizes; d++)
        call.size[d] = walk->sizes.fixed[d] == FR_OPEN_INT ? (int64_t)x : walk->sizes.fixed[d];
    *median = *low = *high = NAN;
    if (blocked_evaluate(fitted, &call, &times))
        return;
    flops = blocked_flops(walk->kernel, call.size);
    *median = rate(flops, times.med, unit);
    *low = rate(flops, times.max, unit);
    *high = rate(flops, times.min, unit);
}

/* False if out of memory. */
static bool make_line(const struct walk *walk, const struct fr_routine_pair *pair, bool is_other,
                      struct fr_series *out)
{
    const struct fr_chart_source *source = walk->source;
    const struct blocked_fitted *fitted = is_other ? pair->other.fitted : pair->own.fitted;
    const double unit = unit_of(walk, is_other ? source->other : source->cal, fitted->threads);
    const char *apart = fr_pair_label(source, pair, is_other);
    const struct fr_span span = span_of(walk, fitted);
    const double range = fmax(0, span.high - span.low);
    const double step = STEP * fmax(1, ceil(range / STEP / MOST_POINTS));
    const size_t count = (size_t)ceil(range / step) + 1;
    double *x = fr_arena_zeroed(source->arena, 4 * count, sizeof *x);

    source->plot->script.failed = source->plot->script.failed || !x;
    if (!x)
        return false;
    for (size_t i = 0; i < count; i++) {
        x[i] = fmin(span.low + (double)i * step, span.high);
        fill(walk, fitted, unit, x[i], &x[count + i], &x[2 * count + i], &x[3 * count + i]);
    }
    *out = (struct fr_series){ .label = fr_chart_text(source->arena, "%s%s%s",
                                                      fr_setting_label(fitted, source->arena),
                                                      *apart ? ", " : "", apart),
                               .x = x,
                               .y = x + count,
                               .low = x + 2 * count,
                               .high = x + 3 * count,
                               .count = count,
                               .is_bare = true };
    return true;
}

/* Removes the points without a value at both ends; false if none remain. */
static bool trim(struct fr_series *series)
{
    while (series->count && !isfinite(series->y[series->count - 1]))
        series->count--;
    while (series->count && !isfinite(series->y[0])) {
        series->count--;
        series->x++;
        series->y++;
        series->low++;
        series->high++;
    }
    return series->count > 0;
}

/* `m = n, k = 96`: the sizes along the axis, then the fixed ones. */
static const char *axis_title(const struct walk *walk)
{
    const struct blocked_routine *routine = walk->kernel->routine;
    struct fr_arena *arena = walk->source->arena;
    const char *open = "", *fixed = "";

    for (size_t d = 0; d < routine->sizes; d++) {
        const char *name = routine->size_names[d];

        if (walk->sizes.fixed[d] == FR_OPEN_INT)
            open = fr_chart_text(arena, "%s%s%s", open, *open ? " = " : "", name);
        else
            fixed = fr_chart_text(arena, "%s%s%s = %" PRId64, fixed, *fixed ? ", " : "", name,
                                  walk->sizes.fixed[d]);
    }
    return *fixed ? fr_chart_text(arena, "%s (%s)", open, fixed) : open;
}

/* Library and machine of a single line; with two calibrations the lines name their difference. */
static const char *title_of(const struct walk *walk, const struct fr_routine_view *view)
{
    const struct fr_chart_source *source = walk->source;
    const char *kernel = fr_kernel_label(walk->kernel, source->arena);

    if (source->other)
        return fr_chart_text(source->arena, "%s by two calibrations' models", kernel);
    return fr_chart_text(source->arena, "%s by its models%s", kernel,
                         fr_place_label(source->cal, view->row, source->arena));
}

static void draw_lines(const struct walk *walk, const struct fr_routine_view *view,
                       struct fr_series *series, size_t count)
{
    const struct fr_plot_axis x = { .title = axis_title(walk) };
    const struct fr_plot_axis y = {
        .title = walk->is_fraction ? "Efficiency (fraction of the cores' peak)"
                                   : "Performance (Gflop/s)",
        .from_zero = true,
    };

    series[count - 1].band_label = "minimum to maximum";
    fr_plot_lines(walk->source->plot, title_of(walk, view), &x, &y, series, count);
}

/* Models of the first model's kernel, each followed by the matching model of the second
 * calibration. Counts the latter. */
static size_t make_lines(const struct walk *walk, const struct fr_routine_view *view, size_t models,
                         struct fr_series *series, size_t *others)
{
    size_t count = 0;

    for (size_t i = 0; i < models && count + 1 < MOST_LINES; i++) {
        const struct fr_routine_pair pair = { view[i],
                                              fr_chart_counterpart(walk->source, &view[i]) };

        if (!blocked_kernel_equal(&view[i].fitted->kernel, walk->kernel))
            continue;
        if (make_line(walk, &pair, false, &series[count]))
            count += trim(&series[count]);
        if (pair.other.row && make_line(walk, &pair, true, &series[count]) &&
            trim(&series[count])) {
            count++;
            (*others)++;
        }
    }
    return count;
}

/* Without x, all sizes that are not fixed vary together. With x, the other open sizes are fixed
 * at the middle of their range. */
static bool choose_sizes(struct walk *walk, const struct blocked_fitted *fitted)
{
    const struct fr_chart_source *source = walk->source;
    const struct blocked_routine *routine = walk->kernel->routine;
    struct fr_chart_sizes *sizes = &walk->sizes;

    if (!fr_chart_sizes(source, routine, sizes))
        return false;
    if (!sizes->open) {
        fr_fault(source->faults, FR_RELATION, fr_chart_size_fixed(sizes, routine),
                 "every size of %s is fixed; leave one open", routine->name);
        return false;
    }
    for (size_t d = 0; sizes->x != BLOCKED_MAX_SIZES && d < routine->sizes; d++)
        if (d != sizes->x && sizes->fixed[d] == FR_OPEN_INT)
            sizes->fixed[d] = (int64_t)fr_chart_middle(fitted, d);
    return true;
}

static bool draw(const struct fr_chart_source *source)
{
    size_t models, count, others = 0;
    const struct fr_routine_view *view = fr_chart_models(source, source->cal, &models);
    struct fr_series series[MOST_LINES];
    struct walk walk = { .source = source };

    if (!view)
        return false;
    walk.kernel = &view->fitted->kernel;
    walk.is_fraction = source->cal->core_peak_flops_per_s > 0 &&
                       (!source->other || source->other->core_peak_flops_per_s > 0);
    if (!choose_sizes(&walk, view->fitted))
        return false;
    count = make_lines(&walk, view, models, series, &others);
    if (!count)
        fr_fault(source->faults, FR_RANGE, fr_chart_size_fixed(&walk.sizes, walk.kernel->routine),
                 "no region of %s has %s", fr_kernel_label(walk.kernel, source->arena),
                 axis_title(&walk));
    else if (source->other && !others)
        fr_fault(source->faults, FR_NOT_FOUND, "with", "has no such model of %s",
                 fr_kernel_label(walk.kernel, source->arena));
    if (source->faults->count)
        return false;
    draw_lines(&walk, view, series, count);
    return true;
}

const struct fr_param fr_routine_params[] = { FR_CHART_LOOK(struct fr_chart_options, 900, 540),
                                              FR_CHART_MODELS, FR_CHART_SIZES, FR_CHART_WITH,
                                              FR_PARAMS_END };

const struct fr_chart fr_chart_routine = {
    .name = "routine",
    .of = FR_OF_CALIBRATION,
    .params = fr_routine_params,
    .draw.calibration = draw,
};
