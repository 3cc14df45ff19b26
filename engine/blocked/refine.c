/* Adaptive Refinement (docs/models/kernel_models.md#adaptive-refinement): starts with the whole
 * ranges and splits regions with a large error.
 *
 * All ranges are refined together, level by level.  Batches are then large, which averages over
 * drifts of the machine, and an early end has spent its samples evenly.
 */
#include "engine/blocked/modeling.h"

#include <stdlib.h>

struct region {
    struct blocked_box box;
    size_t range;
    size_t parent; /* index in the level above */
    bool is_fitted, is_listed;
};

struct level {
    struct region *region;
    struct blocked_piece *piece; /* as fitted */
    size_t count;
};

static int level_make(struct level *level, size_t room)
{
    level->region = malloc(room * sizeof *level->region);
    return level->region ? 0 : -1;
}

static void level_free(struct level *level)
{
    free(level->piece);
    free(level->region);
    *level = (struct level){ 0 };
}

/* The dimensions in which a region is split, as bits. */
static unsigned splits(const struct modeling *m, const struct blocked_box *box)
{
    const int64_t s_min = m->build->s_min;
    unsigned all = 0;
    size_t longest = 0;

    for (size_t d = 0; d < m->dimensions; d++) {
        if (box->max[d] - box->min[d] < 2 * s_min)
            continue;
        if (!all || box->max[d] * box->min[longest] > box->max[longest] * box->min[d])
            longest = d;
        all |= 1u << d;
    }
    return m->build->split == BLOCKED_SPLIT_ALL || !all ? all : 1u << longest;
}

/* Splits a box in the dimensions of `split`: low before high, the last dimension fastest. */
static void add_halves(const struct modeling *m, const struct level *from, size_t parent,
                       unsigned split, struct level *to)
{
    unsigned halves = 1;

    for (size_t d = 0; d < m->dimensions; d++)
        halves <<= split >> d & 1;
    for (unsigned half = 0; half < halves; half++) {
        struct region child = from->region[parent];
        unsigned bit = halves;

        child.parent = parent;
        child.is_fitted = false;
        for (size_t d = 0; d < m->dimensions; d++) {
            const int64_t middle = modeling_round(child.box.min[d] + child.box.max[d], 2);

            if (!(split >> d & 1))
                continue;
            bit >>= 1;
            *(half & bit ? &child.box.min[d] : &child.box.max[d]) = middle;
        }
        to->region[to->count++] = child;
    }
}

/* Fits the regions whose grids are whole; an incomplete grid ends the building. */
static int fit_level(struct modeling *m, struct level *level)
{
    for (size_t i = 0; i < level->count; i++) {
        const struct blocked_box *box = &level->region[i].box;

        if (modeling_choose_grid(m, box, &level->region[i].is_fitted) != 0)
            return -1;
        if (!level->region[i].is_fitted)
            m->is_ended = true;
        else if (modeling_fit(m, box, &level->piece[i]) != 0)
            return -1;
    }
    return 0;
}

/* Completes a region after an early end.  A region without a whole grid is fitted to the samples
 * inside it if they suffice.  Otherwise the region from which it was split is listed, once for all
 * its parts. */
static int close_region(struct modeling *m, struct level *level, size_t i, struct level *above)
{
    const struct region *region = &level->region[i];
    struct blocked_piece *piece = &level->piece[i];

    if (!region->is_fitted && modeling_choose_inside(m, &region->box) != 0)
        return -1;
    if (!region->is_fitted && above->count && !modeling_suffices(m, &region->box)) {
        struct region *parent = &above->region[region->parent];

        piece = &above->piece[region->parent];
        if (parent->is_listed)
            return 0;
        parent->is_listed = true;
    } else if (!region->is_fitted && modeling_cover(m, &region->box, piece) != 0) {
        return -1;
    }
    return modeling_accept(m, region->range, piece);
}

/* Samples and fits a level; `next` gets the parts of the regions to be split. */
static int do_level(struct modeling *m, struct level *level, struct level *above,
                    struct level *next)
{
    level->piece = malloc(level->count * sizeof *level->piece);
    if (!level->piece)
        return -1;
    for (size_t i = 0; i < level->count; i++)
        if (modeling_request_grid(m, &level->region[i].box) != 0)
            return -1;
    if (modeling_take(m) != 0 || fit_level(m, level) != 0)
        return -1;
    modeling_close(m);
    for (size_t i = 0; i < level->count; i++) {
        const unsigned split = splits(m, &level->region[i].box);

        if (!m->is_ended && level->piece[i].error > m->build->eps && split) {
            modeling_leave_open(m, level->region[i].range, &level->piece[i]);
            add_halves(m, level, i, split, next);
        } else if (close_region(m, level, i, above) != 0) {
            return -1;
        }
    }
    return 0;
}

int modeling_refine(struct modeling *m)
{
    struct level above = { 0 }, level = { 0 }, next = { 0 };
    int failed = level_make(&level, m->ranges);

    for (size_t i = 0; i < m->ranges && failed == 0; i++)
        level.region[level.count++] = (struct region){ .box = m->range[i], .range = i };
    while (failed == 0 && level.count) {
        failed = level_make(&next, level.count << m->dimensions);
        if (failed == 0)
            failed = do_level(m, &level, &above, &next);
        modeling_report(m, next.count);
        level_free(&above);
        above = level;
        level = next;
        next = (struct level){ 0 };
    }
    level_free(&next);
    level_free(&level);
    level_free(&above);
    return failed;
}
