/* Batches of samples: the grid points that regions need are collected and measured together. */
#include "engine/blocked/modeling.h"

#include <stdlib.h>
#include <string.h>

int modeling_add_known(struct modeling *m)
{
    for (size_t i = 0; i < m->known.count; i++)
        if (blocked_samples_add(&m->sample, &m->known.at[i]) != 0)
            return -1;
    return 0;
}

struct modeling_grid modeling_grid_of(const struct modeling *m, const struct blocked_box *box)
{
    struct modeling_grid grid = { .count = 1 };

    for (size_t d = 0; d < m->dimensions; d++) {
        grid.points[d] =
            blocked_grid(m->build->grid, box->min[d], box->max[d],
                         (size_t)(m->degree[d] + 1 + m->build->oversampling[d]), grid.at[d]);
        grid.count *= grid.points[d];
    }
    return grid;
}

void modeling_grid_point(const struct modeling *m, const struct modeling_grid *grid, size_t i,
                         int64_t *at)
{
    for (size_t d = m->dimensions; d-- > 0; i /= grid->points[d])
        at[d] = grid->at[d][i % grid->points[d]];
}

int modeling_request_grid(struct modeling *m, const struct blocked_box *box)
{
    const struct modeling_grid grid = modeling_grid_of(m, box);
    struct blocked_sample sample = { .at = { 0 } };

    for (size_t i = 0; i < grid.count; i++) {
        modeling_grid_point(m, &grid, i, sample.at);
        if (!blocked_samples_find(&m->sample, sample.at) &&
            blocked_samples_add(&m->requested, &sample) != 0)
            return -1;
    }
    return 0;
}

/* Adds the known and the measured samples in the order of the batch, up to the first missing one.
 */
static int merge(struct modeling *m, const struct blocked_sample *asked, size_t measured)
{
    size_t next = 0;

    for (size_t i = 0; i < m->requested.count; i++) {
        struct blocked_sample sample = m->requested.at[i];
        const struct blocked_sample *known = blocked_samples_find(&m->known, sample.at);

        if (!known && next == measured)
            break;
        memcpy(sample.time_s, known ? known->time_s : asked[next++].time_s, sizeof sample.time_s);
        if (blocked_samples_add(&m->sample, &sample) != 0)
            return -1;
    }
    return 0;
}

int modeling_take(struct modeling *m)
{
    const size_t most = m->build->most_samples ? m->build->most_samples : SIZE_MAX;
    const size_t left = most > m->sample.count ? most - m->sample.count : 0;
    struct blocked_sample *asked;
    size_t count = 0, measured = 0;
    int failed;

    if (m->requested.count > left) {
        m->requested.count = left;
        m->is_ended = true;
    }
    asked = malloc((m->requested.count + 1) * sizeof *asked);
    if (!asked)
        return -1;
    for (size_t i = 0; i < m->requested.count; i++)
        if (!blocked_samples_find(&m->known, m->requested.at[i].at))
            asked[count++] = m->requested.at[i];
    if (count)
        measured = m->sampler->take(m->sampler->context, asked, count);
    m->has_new_batch = m->has_new_batch || count;
    m->is_ended = m->is_ended || measured < count;
    failed = merge(m, asked, measured < count ? measured : count);
    free(asked);
    blocked_samples_free(&m->requested);
    return failed == 0 && m->is_ended ? modeling_add_known(m) : failed;
}
