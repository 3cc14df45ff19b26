/* Adaptive Refinement (docs/models/kernel_models.md#adaptive-refinement): starts with the whole
 * ranges and splits regions with a large error.
 *
 * All ranges are refined together, level by level.  Batches are then large, which averages over
 * drifts of the machine, and an early end has spent its samples evenly.
 */
#include "engine/blocked/modeling.h"

#include <math.h>
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

/* The shortest side that a split may leave: s_min, or less where the error is large
 * (docs/models/kernel_models.md#decision-finer-refinement-where-errors-are-largest). */
static int64_t shortest_side(const struct blocked_build *build, double error)
{
    const double finer = (double)build->s_min * build->eps / error;

    if (!build->s_fine || !(finer < (double)build->s_min))
        return build->s_min;
    return finer > (double)build->s_fine ? (int64_t)finer : build->s_fine;
}

static int64_t middle_of(const struct blocked_box *box, size_t d)
{
    return modeling_round(box->min[d] + box->max[d], 2);
}

/* The dimensions in which a region with this error may be split, as bits. */
static unsigned splittable(const struct modeling *m, const struct blocked_box *box, double error)
{
    const int64_t s_min = shortest_side(m->build, error);
    unsigned all = 0;

    for (size_t d = 0; d < m->dimensions; d++)
        if (box->max[d] - box->min[d] >= 2 * s_min)
            all |= 1u << d;
    return all;
}

static size_t longest_of(const struct modeling *m, const struct blocked_box *box, unsigned all)
{
    size_t longest = 0;
    bool has_any = false;

    for (size_t d = 0; d < m->dimensions; d++)
        if (all >> d & 1 &&
            (!has_any || box->max[d] * box->min[longest] > box->max[longest] * box->min[d])) {
            longest = d;
            has_any = true;
        }
    return longest;
}

/* The dimension whose halves fit the region's own samples best. */
static int find_best(struct modeling *m, const struct blocked_box *box, unsigned all, size_t *best)
{
    double least = INFINITY, squares;
    bool is_whole;

    if (modeling_choose_grid(m, box, &is_whole) != 0)
        return -1;
    *best = longest_of(m, box, all);
    for (size_t d = 0; d < m->dimensions; d++) {
        if (!(all >> d & 1))
            continue;
        if (modeling_try_split(m, box, d, middle_of(box, d), &squares) != 0)
            return -1;
        if (squares < least) {
            least = squares;
            *best = d;
        }
    }
    return 0;
}

/* The dimensions in which a region with this error is split, as bits. */
static int find_split(struct modeling *m, const struct blocked_box *box, double error,
                      unsigned *split)
{
    const unsigned all = splittable(m, box, error);
    size_t one;

    *split = all;
    if (m->build->split == BLOCKED_SPLIT_ALL || !(all & (all - 1)))
        return 0;
    one = longest_of(m, box, all);
    if (m->build->split == BLOCKED_SPLIT_BEST && find_best(m, box, all, &one) != 0)
        return -1;
    *split = 1u << one;
    return 0;
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
            const int64_t middle = middle_of(&child.box, d);

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

/* How often a box and its parts can be split in turn. */
static size_t depth_of(const struct modeling *m, const struct blocked_box *box)
{
    size_t all = 0, most = 0;

    for (size_t d = 0; d < m->dimensions; d++) {
        size_t here = 0;

        for (int64_t side = box->max[d] - box->min[d]; side >= 2 * m->build->s_min; side /= 2)
            here++;
        all += here;
        most = here > most ? here : most;
    }
    return m->build->split == BLOCKED_SPLIT_ALL ? most : all;
}

/* The next batch is known before it is measured, so that a report can tell it. */
static int request_level(struct modeling *m, const struct level *level)
{
    m->levels_after = 0;
    for (size_t i = 0; i < level->count; i++) {
        const size_t depth = depth_of(m, &level->region[i].box);

        if (modeling_request_grid(m, &level->region[i].box) != 0)
            return -1;
        m->levels_after = depth > m->levels_after ? depth : m->levels_after;
    }
    return 0;
}

/* Samples and fits a level; `next` gets the parts of the regions to be split. */
static int do_level(struct modeling *m, struct level *level, struct level *above,
                    struct level *next)
{
    level->piece = malloc(level->count * sizeof *level->piece);
    if (!level->piece)
        return -1;
    if (modeling_take(m) != 0 || fit_level(m, level) != 0)
        return -1;
    modeling_close(m);
    for (size_t i = 0; i < level->count; i++) {
        const bool is_missed = !m->is_ended && level->piece[i].error > m->build->eps;
        unsigned split = 0;

        if (is_missed && find_split(m, &level->region[i].box, level->piece[i].error, &split) != 0)
            return -1;
        if (split) {
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
    if (failed == 0)
        failed = request_level(m, &level);
    while (failed == 0 && level.count) {
        failed = level_make(&next, level.count << m->dimensions);
        if (failed == 0)
            failed = do_level(m, &level, &above, &next);
        if (failed == 0)
            failed = request_level(m, &next);
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
