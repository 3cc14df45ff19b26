/* Decides whether boxes cover a box.  A box that no single one contains is cut along a side of one
 * that overlaps it, and both parts are decided with the boxes that overlap them.
 */
#include "engine/blocked/fitted.h"
#include "engine/core/arena.h"

#include <math.h>
#include <string.h>

struct cover {
    const struct blocked_bounds *box;
    size_t dimensions, *left; /* left: work that may still be done */
    struct fr_arena *arena;
    double *hole;
};

struct part {
    double low[BLOCKED_MAX_SIZES], high[BLOCKED_MAX_SIZES];
};

static bool overlaps(const struct cover *cover, const struct blocked_bounds *box,
                     const struct part *part)
{
    for (size_t d = 0; d < cover->dimensions; d++) {
        const bool is_flat = part->high[d] == part->low[d];

        if (is_flat ? box->low[d] > part->low[d] || box->high[d] < part->high[d]
                    : box->low[d] >= part->high[d] || box->high[d] <= part->low[d])
            return false;
    }
    return true;
}

static bool contains(const struct cover *cover, const struct blocked_bounds *box,
                     const struct part *part)
{
    for (size_t d = 0; d < cover->dimensions; d++)
        if (box->low[d] > part->low[d] || box->high[d] < part->high[d])
            return false;
    return true;
}

/* A side of `box` that lies inside the part. */
static size_t find_cut(const struct cover *cover, const struct blocked_bounds *box,
                       const struct part *part, double *at)
{
    for (size_t d = 0; d < cover->dimensions; d++) {
        *at = box->low[d] > part->low[d] ? box->low[d] : box->high[d];
        if (*at > part->low[d] && *at < part->high[d])
            return d;
    }
    *at = part->high[0]; /* unreachable: the box overlaps the part and does not contain it */
    return 0;
}

static bool is_covered(struct cover *cover, const struct part *part, const size_t *among,
                       size_t count)
{
    const struct fr_arena_mark mark = fr_arena_mark(cover->arena);
    size_t *kept = fr_arena_zeroed(cover->arena, count + 1, sizeof *kept);
    size_t keeps = 0;
    struct part below = *part, above = *part;
    bool is_whole = false;

    if (!kept || *cover->left <= count) {
        *cover->left = 0;
        cover->hole[0] = NAN;
        fr_arena_release(cover->arena, mark);
        return false;
    }
    *cover->left -= count + 1;
    for (size_t i = 0; i < count && !is_whole; i++) {
        is_whole = contains(cover, &cover->box[among[i]], part);
        if (overlaps(cover, &cover->box[among[i]], part))
            kept[keeps++] = among[i];
    }
    if (!is_whole && !keeps)
        for (size_t d = 0; d < cover->dimensions; d++)
            cover->hole[d] = (part->low[d] + part->high[d]) / 2;
    if (!is_whole && keeps) {
        double at;
        const size_t d = find_cut(cover, &cover->box[kept[keeps / 2]], part, &at);

        below.high[d] = above.low[d] = at;
        is_whole = is_covered(cover, &below, kept, keeps) && is_covered(cover, &above, kept, keeps);
    }
    fr_arena_release(cover->arena, mark);
    return is_whole;
}

bool blocked_box_cover(const struct blocked_bounds *box, size_t boxes, const double *low,
                       const double *high, size_t dimensions, size_t *left, struct fr_arena *arena,
                       double *hole)
{
    struct cover cover = { box, dimensions, left, arena, hole };
    struct part part = { 0 };
    const struct fr_arena_mark mark = fr_arena_mark(arena);
    size_t *all = fr_arena_zeroed(arena, boxes + 1, sizeof *all);
    bool is_whole;

    hole[0] = NAN;
    if (!all)
        return false;
    for (size_t i = 0; i < boxes; i++)
        all[i] = i;
    memcpy(part.low, low, dimensions * sizeof *low);
    memcpy(part.high, high, dimensions * sizeof *high);
    is_whole = is_covered(&cover, &part, all, boxes);
    fr_arena_release(arena, mark);
    return is_whole;
}
