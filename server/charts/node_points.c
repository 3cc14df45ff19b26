/* Finds the points of the chart of a recommendation, and keeps them in the cache of charts: the
 * page asks for the recommendation first, and then for its chart. */
#include "server/charts/sweep_drawing.h"

#include "server/http/server.h"
#include "server/questions/documents.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_nodes(const void *left, const void *right)
{
    const struct fr_ranked *const *a = left, *const *b = right;
    const double by = (*a)->prediction.nodes - (*b)->prediction.nodes;

    return (by > 0) - (by < 0);
}

/* The rows in the order of their nodes.  Of a problem of fixed size only those that no smaller
 * number of nodes beats: others are no reason to wait for more nodes.  NULL if memory is short. */
static struct fr_ranked **rows_of(struct fr_arena *arena, const struct fr_ranking *all,
                                  size_t *count)
{
    struct fr_ranked **row = fr_arena_zeroed(arena, all->count, sizeof *row);

    *count = 0;
    for (size_t i = 0; row && i < all->count; i++)
        row[i] = &all->row[i];
    if (!row)
        return NULL;
    qsort(row, all->count, sizeof *row, by_nodes);
    for (size_t i = 0; i < all->count; i++)
        if (!all->has_knee || !*count ||
            row[i]->prediction.time_s < row[*count - 1]->prediction.time_s)
            row[(*count)++] = row[i];
    return row;
}

static size_t bytes_of(size_t count)
{
    return sizeof(struct fr_node_points) +
           count * (FR_NODE_COLUMNS * sizeof(double) + sizeof(bool));
}

static void fill(struct fr_question *question, struct fr_ranked *const *row,
                 struct fr_node_points *points)
{
    const struct fr_target *target = &question->target[0];

    for (size_t i = 0; i < points->count; i++) {
        struct fr_prediction *prediction = &row[i]->prediction;
        const struct fr_outlook outlook =
            fr_row_foresee(question, target, row[i]->values, prediction, &row[i]->spread);

        const double value[FR_NODE_COLUMNS] = {
            [FR_NODE_COUNTS] = prediction->nodes,
            [FR_NODE_TIMES_S] = prediction->time_s,
            [FR_NODE_LOWS_S] = outlook.has_interval ? outlook.interval.low_s : NAN,
            [FR_NODE_HIGHS_S] = outlook.has_interval ? outlook.interval.high_s : NAN,
            [FR_NODE_QUANTILES_S] = outlook.quantile_s,
            [FR_NODE_CORE_HOURS] = fr_core_hours(prediction, target->cal),
        };

        for (enum fr_node_column column = 0; column < FR_NODE_COLUMNS; column++)
            fr_node_column(points, column)[i] = value[column];
        fr_node_outside(points)[i] = fr_prediction_is_extrapolated(prediction);
        fr_chart_warnings_add(&points->warnings, prediction);
    }
}

struct fr_node_points *fr_node_points_find(struct fr_question *question,
                                           const struct fr_recommended *found)
{
    const bool has_nodes = !isnan(found->curve.row[0].prediction.nodes);
    struct fr_node_points *points;
    size_t count = 0;
    struct fr_ranked **row = rows_of(question->arena, &found->curve, &count);

    count = has_nodes ? count : 0;
    points = row ? fr_arena_zeroed(question->arena, 1, bytes_of(count)) : NULL;
    if (!points)
        return NULL;
    points->count = count;
    points->knee = found->chosen.has_knee ? found->chosen.knee.prediction.nodes : NAN;
    points->best = found->is_met ? found->chosen.row[0].prediction.nodes : NAN;
    fill(question, row, points);
    return points;
}

/* The tag under which they are kept; empty where the answer also depends on what is analyzed by
 * now. */
static void tag_of(struct fr_request *rq, const struct fr_question *question,
                   const struct fr_goal *goal, char tag[40])
{
    static const char *const look[] = { "title", "width", "height", "theme", "limit", NULL };
    struct fr_writer key;

    *tag = '\0';
    if (fr_question_divides(rq, question))
        return;
    fr_writer_init(&key);
    fr_writer_printf(&key, "node points %lld ", (long long)goal->max_nodes);
    fr_question_key(rq, question, look, &key);
    if (!key.failed)
        fr_tag_make(0, key.text, key.length, tag, 40);
    fr_writer_free(&key);
}

void fr_node_points_keep(struct fr_request *rq, const struct fr_question *question,
                         const struct fr_goal *goal, const struct fr_node_points *points)
{
    struct fr_shared_bytes *shared;
    char tag[40];

    tag_of(rq, question, goal, tag);
    shared = *tag ? fr_shared_bytes_new(tag, points, bytes_of(points->count)) : NULL;
    if (shared)
        fr_cached_drop(fr_cache_keep(rq->server->charts, tag, shared));
}

struct fr_node_points *fr_node_points_kept(struct fr_request *rq,
                                           const struct fr_question *question,
                                           const struct fr_goal *goal)
{
    struct fr_node_points *points;
    struct fr_shared_bytes *shared;
    char tag[40];

    tag_of(rq, question, goal, tag);
    shared = *tag ? fr_cache_find(rq->server->charts, tag) : NULL;
    if (!shared)
        return NULL;
    points = fr_arena_zeroed(rq->arena, 1, shared->length);
    if (points)
        memcpy(points, shared->bytes, shared->length);
    fr_cached_drop(shared);
    return points;
}
