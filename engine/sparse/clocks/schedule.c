/* The static schedule: a first-in-first-out queue over released supernodes.  Forests keep its
 * order.
 */
#include "engine/sparse/clocks/clocks.h"

#include <stdlib.h>
#include <string.h>

static int allocate(struct sparse_schedule *schedule, size_t supernodes,
                    const struct sparse_forests *forests)
{
    const size_t count = forests ? (size_t)forests->count : 1;
    int32_t *number = calloc(3 * supernodes + count + 1, sizeof *number);

    *schedule = (struct sparse_schedule){ .order = number, .forests = forests };
    if (!number)
        return FR_NOMEM;
    schedule->position = number + supernodes;
    schedule->last = number + 2 * supernodes;
    schedule->first = number + 3 * supernodes;
    schedule->first[count] = (int32_t)supernodes;
    return FR_OK;
}

void sparse_schedule_free(struct sparse_schedule *schedule)
{
    free(schedule->order);
    *schedule = (struct sparse_schedule){ 0 };
}

static bool is_same_forest(const struct sparse_schedule *schedule, int32_t k, int32_t j)
{
    return !schedule->forests || schedule->forests->of[k] == schedule->forests->of[j];
}

/* Positions from the order, and the last updates from the positions. */
static void finish(struct sparse_schedule *schedule, const struct sparse_structure *s)
{
    for (int32_t k = 0; k < s->supernodes; k++)
        schedule->last[k] = -1;
    for (int32_t at = 0; at < schedule->count; at++) {
        const int32_t k = schedule->order[at];

        schedule->position[k] = at;
        for (int64_t b = s->u_at[k]; b < s->u_at[k + 1]; b++)
            if (is_same_forest(schedule, k, s->u[b].j))
                schedule->last[s->u[b].j] = at;
        for (int64_t b = s->l_at[k]; b < s->l_at[k + 1]; b++)
            if (is_same_forest(schedule, k, s->l[b].i))
                schedule->last[s->l[b].i] = at;
    }
}

/* What supernode i releases: U blocks [u, u_end) and L blocks [l, l_end).  The first supernode with
 * both blocks depends on i; those that depend on it need not be listed. */
struct released {
    int64_t u, u_end, l, l_end;
};

static struct released released(const struct sparse_structure *s, int32_t i)
{
    struct released out = { s->u_at[i], s->u_at[i], s->l_at[i], s->l_at[i] };

    while (out.u_end < s->u_at[i + 1] && out.l_end < s->l_at[i + 1]) {
        const int32_t j = s->u[out.u_end].j, row = s->l[out.l_end].i;

        if (j == row) {
            out.u_end++;
            return out;
        }
        out.u_end += j < row;
        out.l_end += row < j;
    }
    out.u_end = s->u_at[i + 1];
    out.l_end = s->l_at[i + 1];
    return out;
}

/* One of `left` releasers of j is done; the last one lets j join the queue. */
static void release(struct sparse_schedule *schedule, int32_t *left, int32_t j)
{
    if (--left[j] == 0)
        schedule->order[schedule->count++] = j;
}

/* Uses `position` for the number of releasers until finish() overwrites it. */
static void queue_up(struct sparse_schedule *schedule, const struct sparse_structure *s)
{
    int32_t *left = schedule->position;

    for (int32_t i = 0; i < s->supernodes; i++) {
        const struct released of = released(s, i);

        for (int64_t b = of.u; b < of.u_end; b++)
            left[s->u[b].j]++;
        for (int64_t b = of.l; b < of.l_end; b++)
            left[s->l[b].i]++;
    }
    for (int32_t k = 0; k < s->supernodes; k++)
        if (left[k] == 0)
            schedule->order[schedule->count++] = k;
    for (int32_t taken = 0; taken < schedule->count; taken++) {
        const struct released of = released(s, schedule->order[taken]);

        for (int64_t b = of.u; b < of.u_end; b++)
            release(schedule, left, s->u[b].j);
        for (int64_t b = of.l; b < of.l_end; b++)
            release(schedule, left, s->l[b].i);
    }
}

/* Sorts the order by forests.  Uses `position` for it until finish() overwrites it. */
static void divide(struct sparse_schedule *schedule)
{
    const struct sparse_forests *forests = schedule->forests;
    int32_t *order = schedule->position, *first = schedule->first;

    for (int32_t k = 0; k < schedule->count; k++)
        first[forests->of[k]]++;
    for (int32_t f = 0, at = 0; f < forests->count; f++) {
        const int32_t size = first[f];

        first[f] = at;
        at += size;
    }
    for (int32_t at = 0; at < schedule->count; at++)
        order[first[forests->of[schedule->order[at]]]++] = schedule->order[at];
    for (int32_t f = forests->count - 1; f > 0; f--)
        first[f] = first[f - 1];
    first[0] = 0;
    memcpy(schedule->order, order, (size_t)schedule->count * sizeof *order);
}

int sparse_schedule_init(struct sparse_schedule *schedule, const struct sparse_structure *s,
                         bool is_static, const struct sparse_forests *forests)
{
    if (allocate(schedule, (size_t)s->supernodes, forests) != FR_OK)
        return FR_NOMEM;
    if (is_static)
        queue_up(schedule, s);
    else
        for (int32_t k = 0; k < s->supernodes; k++)
            schedule->order[schedule->count++] = k;
    if (forests)
        divide(schedule);
    finish(schedule, s);
    return FR_OK;
}

/* ---- windows -------------------------------------------------------------------------------- */

int32_t sparse_window_end(const struct sparse_schedule *schedule, int32_t k, int32_t window)
{
    const int32_t forest = schedule->forests ? schedule->forests->of[k] : 0;
    const int32_t last = schedule->first[forest + 1] - 1;

    return window < last - schedule->position[k] ? schedule->position[k] + window : last;
}

/* Supernodes of other forests may come before k. */
static bool is_ahead(const struct sparse_schedule *schedule, int32_t k, int32_t j, int32_t end)
{
    return schedule->position[j] > schedule->position[k] && schedule->position[j] <= end;
}

/* Inserts j by position among those from `first` to `last`. */
static void insert(const struct sparse_schedule *schedule, int32_t *list, int64_t first,
                   int64_t last, int32_t j)
{
    for (; last > first && schedule->position[list[last - 1]] > schedule->position[j]; last--)
        list[last] = list[last - 1];
    list[last] = j;
}

int sparse_ahead_init(struct sparse_ahead *ahead, const struct sparse_structure *s,
                      const struct sparse_schedule *schedule, int32_t window)
{
    const size_t supernodes = (size_t)s->supernodes;

    *ahead = (struct sparse_ahead){ .at = calloc(supernodes + 1, sizeof *ahead->at) };
    if (!ahead->at)
        return FR_NOMEM;
    for (int32_t k = 0; k < s->supernodes; k++) {
        const int32_t end = sparse_window_end(schedule, k, window);

        ahead->at[k + 1] = ahead->at[k];
        for (int64_t b = s->u_at[k]; b < s->u_at[k + 1]; b++)
            ahead->at[k + 1] += is_ahead(schedule, k, s->u[b].j, end);
    }
    ahead->j = calloc((size_t)ahead->at[supernodes] + 1, sizeof *ahead->j);
    if (!ahead->j) {
        sparse_ahead_free(ahead);
        return FR_NOMEM;
    }
    for (int32_t k = 0; k < s->supernodes; k++) {
        const int32_t end = sparse_window_end(schedule, k, window);
        int64_t last = ahead->at[k];

        for (int64_t b = s->u_at[k]; b < s->u_at[k + 1]; b++)
            if (is_ahead(schedule, k, s->u[b].j, end))
                insert(schedule, ahead->j, ahead->at[k], last++, s->u[b].j);
    }
    return FR_OK;
}

void sparse_ahead_free(struct sparse_ahead *ahead)
{
    free(ahead->at);
    free(ahead->j);
    *ahead = (struct sparse_ahead){ 0 };
}
