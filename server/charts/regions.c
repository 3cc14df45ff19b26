/* regions: the regions of one routine model, coloured by their error, as in the figures of Peise
 * and Bientinesi, "Performance Modeling for Dense Linear Algebra".
 *
 * Two sizes are the axes. Of three sizes, one is fixed and the chart shows a cross section. A
 * single size gives one bar for each interval.
 */
#include "server/charts/routine_models.h"

#include <math.h>

static const double percent = 100;

/* The part of a model that the chart shows. */
struct view {
    const struct fr_routine_view *model;
    size_t x, y; /* the sizes along the axes; y: BLOCKED_MAX_SIZES if there is only one */
    size_t cut;  /* the fixed size; BLOCKED_MAX_SIZES: none */
    double at;   /* value of the fixed size */
};

static const char *size_name(const struct view *view, size_t d)
{
    return view->model->fitted->kernel.routine->size_names[d];
}

static bool choose_cut(const struct fr_chart_source *source, const struct fr_chart_sizes *sizes,
                       struct view *view)
{
    const struct blocked_fitted *fitted = view->model->fitted;

    for (size_t d = 0; d < fitted->kernel.routine->sizes; d++)
        if (sizes->fixed[d] != FR_OPEN_INT)
            view->cut = d;
    if (view->cut == BLOCKED_MAX_SIZES)
        view->cut = sizes->x == BLOCKED_MAX_SIZES - 1 ? 0 : BLOCKED_MAX_SIZES - 1;
    view->at = sizes->fixed[view->cut] == FR_OPEN_INT ? fr_chart_middle(fitted, view->cut)
                                                      : (double)sizes->fixed[view->cut];
    if (view->at >= fitted->low[view->cut] && view->at <= fitted->high[view->cut])
        return true;
    fr_fault(source->faults, FR_RANGE, size_name(view, view->cut),
             "%g is outside the model's %g to %g", view->at, fitted->low[view->cut],
             fitted->high[view->cut]);
    return false;
}

/* Chooses the sizes along the axes; false with a fault. */
static bool choose_view(const struct fr_chart_source *source, struct view *view)
{
    const struct blocked_routine *routine = view->model->fitted->kernel.routine;
    const size_t axes = routine->sizes < 2 ? 1 : 2;
    struct fr_chart_sizes sizes;

    view->y = view->cut = BLOCKED_MAX_SIZES;
    if (!fr_chart_sizes(source, routine, &sizes))
        return false;
    if (sizes.open < axes) {
        fr_fault(source->faults, FR_RELATION, fr_chart_size_fixed(&sizes, routine),
                 "%zu of the %zu sizes of %s are fixed; %zu are the chart's axes",
                 routine->sizes - sizes.open, routine->sizes, routine->name, axes);
        return false;
    }
    if (routine->sizes > axes && !choose_cut(source, &sizes, view))
        return false;
    view->x = sizes.x != BLOCKED_MAX_SIZES ? sizes.x : view->cut == 0 ? 1 : 0;
    for (size_t d = 0; axes == 2 && d < routine->sizes; d++)
        if (d != view->x && d != view->cut)
            view->y = d;
    return true;
}

static bool is_cut(const struct view *view, const struct blocked_region *region)
{
    return view->cut == BLOCKED_MAX_SIZES ||
           (view->at >= region->low[view->cut] && view->at <= region->high[view->cut]);
}

/* The visible regions. Where several contain a point, the one that the model uses comes last. */
static size_t collect(const struct view *view, struct fr_tile *tile)
{
    const struct blocked_fitted *fitted = view->model->fitted;
    size_t count = 0;

    for (size_t i = fitted->regions; i-- > 0;) {
        const struct blocked_region *region = &fitted->region[i];
        const bool has_y = view->y != BLOCKED_MAX_SIZES;

        if (!is_cut(view, region))
            continue;
        tile[count++] = (struct fr_tile){
            .low_x = region->low[view->x],
            .high_x = region->high[view->x],
            .low_y = has_y ? region->low[view->y] : 0,
            .high_y = has_y ? region->high[view->y] : percent * region->error,
            .value = percent * region->error,
        };
    }
    return count;
}

/* The end of the scale: twice the target error, so that the target has the middle colour;
 * without a known target, the largest error. */
static double most_of(const struct fr_routine_model *row, const struct fr_tile *tile, size_t count)
{
    double most = 0;

    if (row->build.eps > 0)
        return 2 * percent * row->build.eps;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, tile[i].value);
    return most > 0 ? most : 1;
}

/* Names the measure: the maximum, the mean or the 90th percentile of the samples' errors. */
static const char *scale_title(const struct fr_chart_source *source,
                               const struct fr_routine_model *row)
{
    const char *measure = row->build.measure;

    return fr_chart_text(source->arena, "Error of the region (%s%s%%)", measure ? measure : "",
                         measure ? ", " : "");
}

static const char *title_of(const struct fr_chart_source *source, const struct view *view)
{
    const struct blocked_fitted *fitted = view->model->fitted;

    return fr_chart_text(source->arena, "Regions of %s, %s%s",
                         fr_kernel_label(&fitted->kernel, source->arena),
                         fr_setting_label(fitted, source->arena),
                         fr_place_label(source->cal, view->model->row, source->arena));
}

static bool draw(const struct fr_chart_source *source)
{
    struct view view;
    struct fr_plot_axis x = { .is_tight = true }, y = { .is_tight = true };
    struct fr_plot_scale scale;
    struct fr_tile *tile;
    size_t count;

    view.model = fr_chart_models(source, source->cal, &count);
    if (!view.model || !choose_view(source, &view))
        return false;
    tile = fr_arena_zeroed(source->arena, view.model->fitted->regions, sizeof *tile);
    source->plot->script.failed = source->plot->script.failed || !tile;
    if (!tile)
        return true;
    count = collect(&view, tile);
    scale = (struct fr_plot_scale){ .title = scale_title(source, view.model->row),
                                    .most = most_of(view.model->row, tile, count) };
    x.title = view.cut == BLOCKED_MAX_SIZES
                  ? size_name(&view, view.x)
                  : fr_chart_text(source->arena, "%s (at %s = %g)", size_name(&view, view.x),
                                  size_name(&view, view.cut), view.at);
    y.title = view.y == BLOCKED_MAX_SIZES ? "Error of the region (%)" : size_name(&view, view.y);
    y.from_zero = view.y == BLOCKED_MAX_SIZES;
    y.is_tight = !y.from_zero;
    fr_plot_tiles(source->plot, title_of(source, &view), &x, &y, &scale, tile, count);
    return true;
}

static const struct fr_param params[] = { FR_CHART_LOOK(struct fr_chart_options, 900, 540),
                                          FR_CHART_MODELS, FR_CHART_SIZES, FR_PARAMS_END };

const struct fr_chart fr_chart_regions = {
    .name = "regions",
    .of = FR_OF_CALIBRATION,
    .params = params,
    .draw.calibration = draw,
};
