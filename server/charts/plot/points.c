/* Sorts the rows of a document into the lines of a chart. */
#include "server/charts/plot/script.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *left, const void *right)
{
    const struct fr_point *a = left, *b = right;

    if (a->family != b->family)
        return a->family < b->family ? -1 : 1;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->x > b->x) - (a->x < b->x);
}

static bool is_same_curve(const struct fr_point *a, const struct fr_point *b)
{
    return a->family == b->family && a->key == b->key;
}

struct fr_series *fr_points_series(struct fr_point *points, size_t count,
                                   const char *(*label)(const struct fr_point *point,
                                                        struct fr_arena *arena),
                                   struct fr_arena *arena, size_t *series_count)
{
    double *x = fr_arena_zeroed(arena, count, sizeof *x);
    double *y = fr_arena_zeroed(arena, count, sizeof *y);
    struct fr_series *series = fr_arena_zeroed(arena, count, sizeof *series);
    size_t made = 0;

    if (!x || !y || !series)
        return NULL;
    qsort(points, count, sizeof *points, compare);
    for (size_t i = 0; i < count; i++) {
        x[i] = points[i].x;
        y[i] = points[i].y;
        if (i == 0 || !is_same_curve(&points[i - 1], &points[i]))
            series[made++] =
                (struct fr_series){ .label = label(&points[i], arena), .x = x + i, .y = y + i };
        series[made - 1].count++;
    }
    *series_count = made;
    return series;
}

const char *fr_chart_text(struct fr_arena *arena, const char *format, ...)
{
    char text[FR_PLOT_TEXT + 1];
    const char *kept;
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    kept = fr_arena_text(arena, text, strlen(text));
    return kept ? kept : "";
}
