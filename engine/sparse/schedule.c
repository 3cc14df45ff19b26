/* The static schedule: a first-in-first-out queue over released supernodes. */
#include "engine/sparse/schedule.h"

#include <stdlib.h>

static int allocate(struct sparse_schedule *schedule, int32_t supernodes)
{
    int32_t *number = calloc(3 * (size_t)supernodes, sizeof *number);

    *schedule = (struct sparse_schedule){ .order = number };
    if (!number)
        return FR_NOMEM;
    schedule->position = number + supernodes;
    schedule->last = number + 2 * (size_t)supernodes;
    return FR_OK;
}

void sparse_schedule_free(struct sparse_schedule *schedule)
{
    free(schedule->order);
    *schedule = (struct sparse_schedule){ 0 };
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
            schedule->last[s->u[b].j] = at;
        for (int64_t b = s->l_at[k]; b < s->l_at[k + 1]; b++)
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

int sparse_schedule_init(struct sparse_schedule *schedule, const struct sparse_structure *s,
                         bool is_static)
{
    if (allocate(schedule, s->supernodes) != FR_OK)
        return FR_NOMEM;
    if (is_static)
        queue_up(schedule, s);
    else
        for (int32_t k = 0; k < s->supernodes; k++)
            schedule->order[schedule->count++] = k;
    finish(schedule, s);
    return FR_OK;
}

/* ---- windows -------------------------------------------------------------------------------- */

static bool is_ahead(const struct sparse_schedule *schedule, int32_t k, int32_t j, int32_t window)
{
    return schedule->position[j] <= schedule->position[k] + window;
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
        ahead->at[k + 1] = ahead->at[k];
        for (int64_t b = s->u_at[k]; b < s->u_at[k + 1]; b++)
            ahead->at[k + 1] += is_ahead(schedule, k, s->u[b].j, window);
    }
    ahead->j = calloc((size_t)ahead->at[supernodes] + 1, sizeof *ahead->j);
    if (!ahead->j) {
        sparse_ahead_free(ahead);
        return FR_NOMEM;
    }
    for (int32_t k = 0; k < s->supernodes; k++) {
        int64_t last = ahead->at[k];

        for (int64_t b = s->u_at[k]; b < s->u_at[k + 1]; b++)
            if (is_ahead(schedule, k, s->u[b].j, window))
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
