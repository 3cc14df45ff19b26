/* Model Expansion (docs/models/kernel_models.md#model-expansion): a region starts small at an
 * uncovered corner and grows as long as its error allows.
 *
 * `near` is the side of a box at the anchor, `far` the side that moves.  Toward the origin, near is
 * the upper bound and far the lower one; away from the origin it is the reverse.
 */
#include "engine/blocked/modeling.h"

static bool is_down(const struct modeling *m)
{
    return m->build->direction == BLOCKED_TOWARD_ORIGIN;
}

static int64_t near_of(const struct modeling *m, const struct blocked_box *box, size_t d)
{
    return is_down(m) ? box->max[d] : box->min[d];
}

static int64_t far_of(const struct modeling *m, const struct blocked_box *box, size_t d)
{
    return is_down(m) ? box->min[d] : box->max[d];
}

static void set_far(const struct modeling *m, struct blocked_box *box, size_t d, int64_t to)
{
    *(is_down(m) ? &box->min[d] : &box->max[d]) = to;
}

/* Whether `a` comes before `b` in the direction of growth. */
static bool is_before(const struct modeling *m, int64_t a, int64_t b)
{
    return is_down(m) ? a > b : a < b;
}

/* A region covers its near bound but not its far one, where the next region begins.  In a dimension
 * with one size it covers both. */
static bool covers(const struct modeling *m, const struct blocked_box *range,
                   const struct blocked_box *box, const int64_t *at)
{
    for (size_t d = 0; d < m->dimensions; d++)
        if (range->min[d] < range->max[d] &&
            (is_before(m, at[d], near_of(m, box, d)) || !is_before(m, at[d], far_of(m, box, d))))
            return false;
    return true;
}

static const struct blocked_box *covering(const struct modeling *m, size_t range, const int64_t *at)
{
    for (size_t i = 0; i < m->pieces; i++)
        if (m->range_of[i] == range && covers(m, &m->range[range], &m->piece[i].box, at))
            return &m->piece[i].box;
    return NULL;
}

/* The next far bound of a region after at[d], or the end of the range. */
static int64_t next_bound(const struct modeling *m, size_t range, size_t d, int64_t at)
{
    int64_t next = far_of(m, &m->range[range], d);

    for (size_t i = 0; i < m->pieces; i++) {
        const int64_t far = far_of(m, &m->piece[i].box, d);

        if (m->range_of[i] == range && is_before(m, at, far) && is_before(m, far, next))
            next = far;
    }
    return next;
}

/* Moves `at` to the next anchor (docs/models/kernel_models.md#decision-anchors-of-model-expansion);
 * false if all is covered.  Candidates before the last anchor stay covered, so the search continues
 * there. */
static bool find_anchor(const struct modeling *m, size_t range, int64_t *at)
{
    const struct blocked_box *whole = &m->range[range], *box;

    while ((box = covering(m, range, at)) != NULL) {
        size_t d = m->dimensions - 1;

        at[d] = far_of(m, box, d);
        while (at[d] == far_of(m, whole, d)) {
            if (d == 0)
                return false;
            at[d] = near_of(m, whole, d);
            d--;
            at[d] = next_bound(m, range, d, at[d]);
        }
    }
    return true;
}

/* Samples and fits a box; an early end leaves it without a fit. */
static int try_box(struct modeling *m, size_t range, const struct blocked_box *box,
                   struct blocked_piece *out)
{
    if (modeling_request_grid(m, box) != 0 || modeling_take(m) != 0 ||
        modeling_choose_inside(m, box) != 0)
        return -1;
    m->is_ended = m->is_ended || modeling_usable(m) == 0;
    if (!m->is_ended && modeling_fit(m, box, out) != 0)
        return -1;
    if (!m->is_ended && (out->error <= m->build->eps || !(m->volume_open > 0))) {
        modeling_close(m);
        modeling_leave_open(m, range, out);
    }
    modeling_report(m, 1);
    return 0;
}

/* Extends a box by one step in a dimension; false at the end of the range. */
static bool step(const struct modeling *m, const struct blocked_box *range, struct blocked_box *box,
                 size_t d)
{
    const int64_t end = far_of(m, range, d), from = far_of(m, box, d);
    const int64_t to = is_down(m) ? from - m->build->s_ini : from + m->build->s_ini;

    set_far(m, box, d, is_before(m, to, end) ? to : end);
    return from != end;
}

/* Extends the region in `piece` as long as its error allows. */
static int grow(struct modeling *m, size_t range, struct blocked_piece *piece)
{
    bool is_growing[BLOCKED_MAX_SIZES] = { false };
    bool goes_on = piece->error <= m->build->eps;

    for (size_t d = 0; d < m->dimensions; d++)
        is_growing[d] = goes_on;
    while (goes_on) {
        goes_on = false;
        for (size_t d = 0; d < m->dimensions && !m->is_ended; d++) {
            struct blocked_box larger = piece->box;
            struct blocked_piece trial;

            is_growing[d] = is_growing[d] && step(m, &m->range[range], &larger, d);
            if (!is_growing[d])
                continue;
            if (try_box(m, range, &larger, &trial) != 0)
                return -1;
            is_growing[d] = !m->is_ended && trial.error <= m->build->eps;
            if (is_growing[d])
                *piece = trial;
            goes_on = goes_on || is_growing[d];
        }
    }
    return 0;
}

static int expand_range(struct modeling *m, size_t range)
{
    const struct blocked_box *whole = &m->range[range];
    struct blocked_piece piece;
    int64_t at[BLOCKED_MAX_SIZES];

    for (size_t d = 0; d < m->dimensions; d++)
        at[d] = near_of(m, whole, d);
    while (find_anchor(m, range, at)) {
        struct blocked_box box = *whole;

        for (size_t d = 0; d < m->dimensions; d++) {
            *(is_down(m) ? &box.max[d] : &box.min[d]) = at[d];
            set_far(m, &box, d, at[d]);
            step(m, whole, &box, d);
        }
        if (!m->is_ended && try_box(m, range, &box, &piece) != 0)
            return -1;
        /* After an early end one region describes the rest of the range. */
        if ((m->is_ended ? modeling_cover(m, whole, &piece) : grow(m, range, &piece)) != 0 ||
            modeling_accept(m, range, &piece) != 0)
            return -1;
        modeling_close(m);
    }
    return 0;
}

int modeling_expand(struct modeling *m)
{
    for (size_t i = 0; i < m->ranges; i++)
        if (expand_range(m, i) != 0)
            return -1;
    return 0;
}
