/* convergence: the error of each routine model over the number of samples taken while it was
 * built. The models of a second calibration, built with another strategy, are drawn beside them. */
#include "server/charts/routine_models.h"

#include <stdlib.h>
#include <string.h>

/* limit for each calibration: the number of colours in the palette */
enum { MOST_LINES = 8 };
static const double percent = 100;

static int64_t samples_of(const struct fr_routine_view *view)
{
    const size_t rows = view->row->build.history.count;

    return rows ? view->row->build.history.row[rows - 1].samples : 0;
}

static int by_samples_down(const void *left, const void *right)
{
    const int64_t a = samples_of(left), b = samples_of(right);

    if (a != b)
        return a < b ? 1 : -1;
    /* rows of one table, compared by position */
    return (((const struct fr_routine_view *)left)->row >
            ((const struct fr_routine_view *)right)->row) -
           (((const struct fr_routine_view *)left)->row <
            ((const struct fr_routine_view *)right)->row);
}

/* Whether all lines share one locality and thread count; the title then states them. */
static bool is_one_setting(const struct fr_routine_pair *pair, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (pair[i].own.fitted->locality != pair[0].own.fitted->locality ||
            pair[i].own.fitted->threads != pair[0].own.fitted->threads)
            return false;
    return true;
}

/* False if out of memory. */
static bool make_line(const struct fr_chart_source *source, const struct fr_routine_pair *pair,
                      bool is_other, bool is_one_setting, struct fr_series *out)
{
    const struct fr_routine_view *view = is_other ? &pair->other : &pair->own;
    const size_t count = view->row->build.history.count;
    double *x = fr_arena_zeroed(source->arena, 2 * count, sizeof *x);
    const char *apart = fr_pair_label(source, pair, is_other);

    if (!x)
        return false;
    for (size_t i = 0; i < count; i++) {
        x[i] = (double)view->row->build.history.row[i].samples;
        x[count + i] = percent * view->row->build.history.row[i].error;
    }
    *out = (struct fr_series){
        .label = fr_chart_text(source->arena, "%s%s%s%s%.40s",
                               fr_kernel_label(&view->fitted->kernel, source->arena),
                               is_one_setting ? "" : ", ",
                               is_one_setting ? "" : fr_setting_label(view->fitted, source->arena),
                               *apart ? ", " : "", apart),
        .x = x,
        .y = x + count,
        .count = count,
        .shape = is_other ? 2 : 1,
    };
    return true;
}

static size_t make_lines(const struct fr_chart_source *source, const struct fr_routine_pair *pair,
                         size_t pairs, struct fr_series *series)
{
    const bool is_one = is_one_setting(pair, pairs);
    size_t count = 0;

    for (size_t i = 0; i < pairs; i++)
        for (int is_other = 0; is_other < (pair[i].other.row ? 2 : 1); is_other++)
            if (make_line(source, &pair[i], is_other, is_one, &series[count]))
                series[count++].colour = (unsigned)i + 1;
            else
                source->plot->script.failed = true;
    return count;
}

/* The models with a history, ordered by decreasing number of samples. */
static size_t choose(const struct fr_chart_source *source, struct fr_routine_view *view,
                     size_t models, struct fr_routine_pair pair[MOST_LINES], size_t *histories)
{
    bool has_other = false;
    size_t count = 0;

    *histories = 0;
    for (size_t i = 0; i < models; i++)
        if (view[i].row->build.history.count)
            view[(*histories)++] = view[i];
    qsort(view, *histories, sizeof *view, by_samples_down);
    for (; count < MOST_LINES && count < *histories; count++) {
        pair[count] =
            (struct fr_routine_pair){ view[count], fr_chart_counterpart(source, &view[count]) };
        if (pair[count].other.row && !pair[count].other.row->build.history.count)
            pair[count].other.row = NULL;
        has_other = has_other || pair[count].other.row;
    }
    if (count && source->other && !has_other) {
        fr_fault(source->faults, FR_NOT_FOUND, "with",
                 "has no build.history of any of the models drawn, such as that of %s",
                 fr_kernel_label(&pair[0].own.fitted->kernel, source->arena));
        return 0;
    }
    return count;
}

static const char *title_of(const struct fr_chart_source *source,
                            const struct fr_routine_pair *pair, size_t count, size_t histories)
{
    struct fr_arena *arena = source->arena;
    const char *what =
        count < histories ? fr_chart_text(arena, "%zu of %zu models", count, histories) : "models";
    const char *setting = fr_setting_label(pair->own.fitted, arena);
    const char *second = source->other ? source->other->machine : NULL;
    const bool has_second = second && strcmp(second, source->cal->machine) != 0;

    return fr_chart_text(arena, "Error of %s while they are built%s%s on %.32s%s%.32s", what,
                         is_one_setting(pair, count) ? ", " : "",
                         is_one_setting(pair, count) ? setting : "", source->cal->machine,
                         has_second ? " and " : "", has_second ? second : "");
}

static bool draw(const struct fr_chart_source *source)
{
    const struct fr_plot_axis x = { .title = "Samples", .is_log = true };
    const struct fr_plot_axis y = { .title = "Mean error (%; 100: no region yet)", .is_log = true };
    size_t models, histories, count;
    struct fr_routine_view *view = fr_chart_models(source, source->cal, &models);
    struct fr_series series[2 * MOST_LINES];
    struct fr_routine_pair pair[MOST_LINES];

    if (!view)
        return false;
    count = choose(source, view, models, pair, &histories);
    if (!count)
        return false;
    fr_plot_lines(source->plot, title_of(source, pair, count, histories), &x, &y, series,
                  make_lines(source, pair, count, series));
    return true;
}

static const struct fr_param params[] = {
    FR_CHART_LOOK(struct fr_chart_options, 900, 540),
    FR_CHART_MODELS,
    FR_CHART_WITH,
    FR_PARAMS_END,
};

const struct fr_chart fr_chart_convergence = {
    .name = "convergence",
    .of = FR_OF_CALIBRATION,
    .params = params,
    .draw.calibration = draw,
};
