/* history: how much longer each saved run took than predicted with the calibration of its time,
 * over time, with the medians before and after a drift. A calibration is marked at its upload,
 * where it came into use: errors and drift follow the uploads. */
#include "server/charts/chart.h"
#include "server/charts/plot/script.h"
#include "server/core/clock.h"
#include "server/http/server.h"
#include "server/runs/residuals.h"
#include "server/store/store.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_MARKED = 50, SHOWN_DIGITS = 8, DAY_CHARACTERS = 10, TITLE_BYTES = 200 };
static const double day_s = 86400;

const struct fr_param fr_history_params[] = {
    FR_ACCURACY_SUBJECT,
    FR_CHART_LOOK(struct fr_accuracy_options, 860, 440),
    FR_PARAMS_END,
};

static double percent(double ratio)
{
    return 100 * (ratio - 1);
}

/* Series of the chart, and the times of the first and of the last run. */
struct history {
    struct fr_request *rq;
    struct fr_series *series;
    size_t count;
    double first, last;
};

/* A series that is being filled. */
struct growing {
    struct fr_series *series;
    double *x, *y;
};

static bool add(struct history *history, size_t points, unsigned colour, struct growing *out)
{
    struct fr_arena *arena = history->rq->arena;

    *out = (struct growing){
        .series = &history->series[history->count],
        .x = fr_arena_zeroed(arena, points, sizeof *out->x),
        .y = fr_arena_zeroed(arena, points, sizeof *out->y),
    };
    if (!out->x || !out->y)
        return false;
    *out->series = (struct fr_series){
        .label = "", .x = out->x, .y = out->y, .colour = colour, .shape = colour
    };
    history->count++;
    return true;
}

static void add_point(struct growing *to, double x, double y)
{
    to->x[to->series->count] = x;
    to->y[to->series->count++] = y;
}

static bool add_level(struct history *history, const char *label, double from, double to,
                      double ratio, unsigned colour)
{
    struct growing level;

    if (!add(history, 2, colour, &level))
        return false;
    level.series->is_bare = true;
    level.series->label = label;
    add_point(&level, from, percent(ratio));
    add_point(&level, to, percent(ratio));
    return true;
}

/* The points of one model, and the medians before and since a drift of its times. */
static bool add_model(struct history *history, const struct fr_accuracy_report *report,
                      bool are_times, unsigned colour)
{
    const struct fr_residuals *residuals = are_times ? report->residuals : NULL;
    double first = INFINITY, last = -INFINITY, since;
    struct growing points;

    if (!add(history, report->count, colour, &points))
        return false;
    points.series->is_points = true;
    points.series->label = report->model->name;
    for (size_t i = 0; i < report->count; i++) {
        const double at = fr_timestamp_seconds(report->run[i].at);
        const double ratio = report->run[i].measured / report->run[i].then;

        if (!(ratio > 0) || isinf(ratio) || isnan(at))
            continue;
        add_point(&points, at, percent(ratio));
        first = fmin(first, at);
        last = fmax(last, at);
    }
    if (!points.series->count) {
        history->count--;
        return true;
    }
    history->first = fmin(history->first, first);
    history->last = fmax(history->last, last);
    if (!residuals || !residuals->drift_since)
        return true;
    since = fr_timestamp_seconds(residuals->drift_since);
    return add_level(history, fr_chart_text(history->rq->arena, "%s, median", points.series->label),
                     first, since, residuals->drift.other_ratio, colour) &&
           add_level(history, "", since, last, residuals->drift.ratio, colour);
}

/* What stands at the mark of a calibration: also the day of its measurement, if that is another. */
static const char *label_of(const struct fr_stored_calibration *stored, double used,
                            struct fr_arena *arena)
{
    const double made = stored->created_at ? fr_timestamp_seconds(stored->created_at) : NAN;

    if (fabs(used - made) > day_s)
        return fr_chart_text(arena, "%.*s in use, measured %.*s", SHOWN_DIGITS, stored->id,
                             DAY_CHARACTERS, stored->created_at);
    return fr_chart_text(arena, "calibration %.*s in use", SHOWN_DIGITS, stored->id);
}

/* The calibrations since the first run.  Their times also belong to the range of the axis. */
static bool add_calibrations(struct history *history, const char *machine,
                             struct fr_plot_axis *axis)
{
    struct fr_arena *arena = history->rq->arena;
    struct fr_plot_mark *mark = fr_arena_zeroed(arena, MOST_MARKED, sizeof *mark);
    struct fr_stored_calibration *stored;
    struct growing times;
    size_t count;

    if (!mark || !add(history, MOST_MARKED, 0, &times) ||
        fr_store_list_calibrations(history->rq->store, machine, 0, MOST_MARKED, arena, &stored,
                                   &count) != FR_STORE_OK)
        return false;
    times.series->is_bare = true;
    for (size_t i = 0; i < count; i++) {
        const double at = fr_timestamp_seconds(stored[i].uploaded_at);

        if (!(at >= history->first))
            continue;
        mark[axis->mark_count++] = (struct fr_plot_mark){
            .x = at,
            .label = label_of(&stored[i], at, arena),
        };
        add_point(&times, at, NAN);
    }
    axis->marks = mark;
    return true;
}

bool fr_history_draw(struct fr_request *rq, const struct fr_accuracy_question *question,
                     struct fr_plot *plot, struct fr_faults *faults)
{
    struct history history = {
        .rq = rq,
        /* of each model points and two levels; and the calibrations */
        .series = fr_arena_zeroed(rq->arena, 3 * question->count + 1, sizeof *history.series),
        .first = INFINITY,
        .last = -INFINITY,
    };
    struct fr_plot_axis x = { .title = "Start of the run (UTC)", .is_time = true };
    const struct fr_plot_axis y = { .title = "Measured beyond predicted (%)", .from_zero = true };
    const bool are_times = strcmp(question->output, "time_s") == 0;
    char title[TITLE_BYTES];
    bool is_complete = history.series != NULL;

    for (size_t i = 0; is_complete && i < question->count; i++)
        is_complete = add_model(&history, &question->report[i], are_times, (unsigned)i + 1);
    if (is_complete && !history.count)
        return false;
    if (!is_complete || !add_calibrations(&history, question->machine, &x)) {
        fr_fault(faults, FR_NOMEM, "model", "too many runs; name one model");
        return false;
    }
    snprintf(title, sizeof title, "%s: errors of the predictions over time", question->machine);
    fr_plot_lines(plot, title, &x, &y, history.series, history.count);
    return true;
}
