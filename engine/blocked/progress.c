/* The list of regions done, and the reports of progress. */
#include "engine/blocked/modeling.h"

#include <math.h>
#include <stdlib.h>

double modeling_volume(const struct blocked_box *range, const struct blocked_box *box,
                       size_t dimensions)
{
    double volume = 1;

    for (size_t d = 0; d < dimensions; d++)
        if (range->min[d] < range->max[d])
            volume *= log2((double)box->max[d] / (double)box->min[d]);
    return volume;
}

/* Volume of the part of a box that no region of its range, from region `from` on, covers. */
static double new_volume(const struct modeling *m, size_t range, struct blocked_box box,
                         size_t from)
{
    const size_t dimensions = m->dimensions;
    double volume = 0;

    for (; from < m->pieces; from++) {
        const struct blocked_box *old = &m->piece[from].box;
        bool is_apart = m->range_of[from] != range;

        for (size_t d = 0; d < dimensions; d++)
            is_apart = is_apart || (m->range[range].min[d] < m->range[range].max[d] &&
                                    (old->max[d] <= box.min[d] || old->min[d] >= box.max[d]));
        if (!is_apart)
            break;
    }
    if (from == m->pieces)
        return modeling_volume(&m->range[range], &box, dimensions);
    for (size_t d = 0; d < dimensions; d++) { /* the parts below and above that region */
        const struct blocked_box *old = &m->piece[from].box;
        struct blocked_box part = box;

        if (box.min[d] < old->min[d]) {
            part.max[d] = box.min[d] = old->min[d];
            volume += new_volume(m, range, part, from + 1);
        }
        part = box;
        if (box.max[d] > old->max[d]) {
            part.min[d] = box.max[d] = old->max[d];
            volume += new_volume(m, range, part, from + 1);
        }
    }
    return volume;
}

int modeling_accept(struct modeling *m, size_t range, const struct blocked_piece *piece)
{
    double volume;

    if (m->pieces == m->pieces_room) {
        const size_t room = m->pieces_room ? 2 * m->pieces_room : 16;
        struct blocked_piece *pieces = realloc(m->piece, room * sizeof *pieces);
        size_t *range_of;

        m->piece = pieces ? pieces : m->piece;
        range_of = pieces ? realloc(m->range_of, room * sizeof *range_of) : NULL;
        if (!range_of)
            return -1;
        m->range_of = range_of;
        m->pieces_room = room;
    }
    volume = new_volume(m, range, piece->box, 0);
    m->volume_done += volume;
    m->error_done += volume * piece->error;
    m->piece[m->pieces] = *piece;
    m->range_of[m->pieces++] = range;
    return 0;
}

void modeling_leave_open(struct modeling *m, size_t range, const struct blocked_piece *piece)
{
    const double volume = new_volume(m, range, piece->box, 0);

    m->volume_open += volume;
    m->error_open += volume * piece->error;
}

void modeling_close(struct modeling *m)
{
    m->volume_open = m->error_open = 0;
}

static double mean_error(const struct modeling *m)
{
    const double covered = m->volume_done + m->volume_open;

    return m->volume > 0
               ? (m->error_done + m->error_open + fmax(0, m->volume - covered)) / m->volume
               : NAN;
}

void modeling_report(struct modeling *m, size_t regions_open)
{
    struct blocked_progress progress = { .regions_done = m->pieces,
                                         .regions_open = regions_open,
                                         .samples = m->sample.count,
                                         .planned = m->requested.at,
                                         .planned_count = m->requested.count,
                                         .levels_after = m->levels_after };

    if (!m->sampler->report || !m->has_new_batch)
        return;
    for (size_t i = 0; i < m->pieces; i++)
        progress.error = fmax(progress.error, m->piece[i].error);
    progress.mean_error = mean_error(m);
    progress.share_done = m->volume > 0 ? fmin(1, m->volume_done / m->volume) : 0;
    m->has_new_batch = false;
    m->sampler->report(m->sampler->context, &progress);
}
