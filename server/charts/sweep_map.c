/* An output over two parameters, such as the time for each shape of a process grid. Each pair of
 * values is a cell coloured by the output; illegal pairs are grey, and the legend counts them by
 * their reason. */
#include "server/charts/plot/script.h"
#include "server/charts/sweep_drawing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_CELLS = 4096, MOST_REASONS = 3 };
/* Above this ratio a linear scale would give most cells the same colour. */
static const double wide = 5;

/* Whether larger values are better: for rates, and for ratios to a single process or to the
 * peak. */
static bool is_more_better(const struct fr_quantity *y)
{
    static const char *const names[] = { "gflops", "percent_of_peak", "speedup",
                                         "parallel_efficiency", NULL };

    for (const char *const *name = names; y->output && *name; name++)
        if (strncmp(y->output->name, *name, strlen(*name)) == 0)
            return true;
    return false;
}

/* Scales seconds to s, ms or µs, so that short numbers fit into the cells. */
struct unit {
    double factor;
    const char *name;
};

static struct unit unit_of(const struct drawing *drawing)
{
    const char *name = fr_quantity_unit(&drawing->y.quantity[0]);
    const double middle = sqrt(fmax(drawing->low_y, 0) * fmax(drawing->high_y, 0));

    if (!name || strcmp(name, "s") != 0 || middle >= 0.1 || middle <= 0)
        return (struct unit){ 1, name };
    return middle >= 1e-4 ? (struct unit){ 1e3, "ms" } : (struct unit){ 1e6, "µs" };
}

/* The name of the axis with the scaled unit. */
static const char *scale_title(struct fr_request *rq, const struct drawing *drawing,
                               const char *unit)
{
    char name[DRAWING_LABEL_BYTES];
    size_t length;

    snprintf(name, sizeof name, "%s", drawing->y.name[0]);
    length = strlen(name);
    if (length > 2 && strcmp(name + length - 2, "_s") == 0)
        name[length - 2] = '\0';
    return drawing_axis_title(rq, name, unit);
}

/* Whether a best cell is meaningful. It is for tunables, such as the sides of a grid, but not
 * for a problem size. */
static bool is_choice(const struct fr_axis *axis)
{
    return axis->param->flags & FR_TUNABLE || axis->param->one_of;
}

/* The cells refused for the same parameter, with the first message. */
struct refusal {
    size_t count; /* 0: unused */
    struct fr_fault first;
};

struct map {
    struct fr_tile *tile;
    size_t count, best;                       /* best: its index */
    struct refusal refusal[MOST_REASONS + 1]; /* the last: all other reasons */
};

static void count_refusal(struct map *map, const struct fr_faults *faults)
{
    static const struct fr_fault no_value = { FR_NOT_FOUND, "y", "no value" };
    const struct fr_fault *why = faults->count ? &faults->fault[0] : &no_value;
    struct refusal *refusal = map->refusal;

    while (refusal < map->refusal + MOST_REASONS && refusal->count &&
           (refusal->first.code != why->code || strcmp(refusal->first.where, why->where) != 0))
        refusal++;
    if (!refusal->count++)
        refusal->first = *why;
}

/* The entries of the legend; NULL if out of memory. */
static const char *const *reasons_of(struct fr_request *rq, const struct map *map)
{
    const char **text = fr_arena_zeroed(rq->arena, MOST_REASONS + 2, sizeof *text);

    for (size_t i = 0; text && i <= MOST_REASONS && map->refusal[i].count; i++) {
        const struct refusal *refusal = &map->refusal[i];

        text[i] = i == MOST_REASONS
                      ? fr_chart_text(rq->arena, "%zu refused for other reasons", refusal->count)
                      : fr_chart_text(rq->arena, "%zu refused (%s: %s)", refusal->count,
                                      refusal->first.where, refusal->first.message);
    }
    return text;
}

static void predict(struct drawing *drawing, struct map *map)
{
    const bool takes_most = is_more_better(&drawing->y.quantity[0]);
    double best = NAN;

    for (size_t row = 0; row < drawing->series->count; row++)
        for (size_t column = 0; column < drawing->x->count; column++) {
            const double value = drawing_measure(drawing, drawing_point(drawing, row, column, 0));

            if (isnan(value)) {
                count_refusal(map, drawing->sweep->faults);
            } else if (isnan(best) || (takes_most ? value > best : value < best)) {
                best = value;
                map->best = map->count;
            }
            map->tile[map->count++] = (struct fr_tile){
                .low_x = (double)column - 0.5,
                .high_x = (double)column + 0.5,
                .low_y = (double)row - 0.5,
                .high_y = (double)row + 0.5,
                .value = value,
            };
        }
}

static const char *title_of(struct fr_request *rq, const struct drawing *drawing, bool has_best)
{
    char title[2 * DRAWING_LABEL_BYTES];

    if (drawing->options.title || !has_best)
        return drawing_title(rq, drawing);
    snprintf(title, sizeof title, "%s; the best is framed", drawing_title(rq, drawing));
    return fr_arena_text(rq->arena, title, strlen(title));
}

static int check(const struct drawing *drawing, struct fr_faults *faults)
{
    const size_t before = faults->count;

    if (!drawing->series)
        fr_fault(faults, FR_MISSING, "series",
                 "required: a map needs two parameters, each with a list of values");
    if (drawing->question->target_count > 1)
        fr_fault(faults, FR_TOO_MANY_POINTS, "machine", "a map shows one machine; give one");
    if (drawing->series && drawing->x->count * drawing->series->count > MOST_CELLS)
        fr_fault(faults, FR_TOO_MANY_POINTS, drawing->x->param->name,
                 "%zu by %zu cells; a map has at most %d", drawing->x->count,
                 drawing->series->count, MOST_CELLS);
    return faults->count == before ? FR_OK : FR_RANGE;
}

static int draw(struct fr_request *rq, struct drawing *drawing, struct fr_plot *plot,
                struct fr_faults *faults)
{
    struct map map = { .count = 0 };
    struct fr_plot_scale scale = { 0 };
    struct unit unit;

    if (check(drawing, faults) != FR_OK)
        return FR_RANGE;
    const struct fr_plot_axis x = {
        .title = drawing_axis_title(rq, drawing->x->param->name, drawing->x->param->unit),
        .categories = drawing_categories(rq, drawing->x),
    };
    const struct fr_plot_axis y = {
        .title = drawing_axis_title(rq, drawing->series->param->name, drawing->series->param->unit),
        .categories = drawing_categories(rq, drawing->series),
    };

    map.tile =
        fr_arena_zeroed(rq->arena, drawing->x->count * drawing->series->count, sizeof *map.tile);
    if (!map.tile || !x.categories || !y.categories)
        return fr_fault(faults, FR_NOMEM, drawing->x->param->name, "too many points for a chart");
    predict(drawing, &map);
    if (drawing->low_y > drawing->high_y)
        return drawing_needs_value(drawing, faults);
    unit = unit_of(drawing);
    for (size_t i = 0; i < map.count; i++)
        map.tile[i].value *= unit.factor;
    scale = (struct fr_plot_scale){
        .title = scale_title(rq, drawing, unit.name),
        .least = drawing->low_y * unit.factor,
        .most = drawing->high_y * unit.factor,
        .is_log = drawing->low_y > 0 && drawing->high_y > wide * drawing->low_y,
        .marked = is_choice(drawing->x) && is_choice(drawing->series) ? map.best + 1 : 0,
        .digits = 3,
        .reasons = reasons_of(rq, &map),
    };
    fr_plot_tiles(plot, title_of(rq, drawing, scale.marked), &x, &y, &scale, map.tile, map.count);
    return FR_OK;
}

const struct fr_chart fr_chart_map = {
    .name = "map",
    .of = FR_OF_SWEEP,
    .draw.sweep = draw,
};
