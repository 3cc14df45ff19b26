/* Synthetic block structures. */
#include "tests/unit/support/sparse_patterns.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- a grid in nested dissection ------------------------------------------------------------ */

/* Points of a box that are eliminated together: its middle plane, or all points of a small box. */
struct front {
    int32_t low[3], high[3]; /* of the box; inclusive */
    int32_t first, count;    /* its supernodes */
};

struct dissection {
    int32_t side, widest;
    int32_t *supernode; /* of each point */
    int32_t *width;
    int32_t supernodes;
    struct front *front;
    int32_t fronts;
};

static int32_t *at(const struct dissection *d, const int32_t p[3])
{
    return &d->supernode[(p[2] * d->side + p[1]) * d->side + p[0]];
}

/* Assigns the points of a box to new supernodes of at most the maximum width. */
static void number(struct dissection *d, const int32_t low[3], const int32_t high[3])
{
    int32_t p[3], filled = d->widest;

    for (p[2] = low[2]; p[2] <= high[2]; p[2]++)
        for (p[1] = low[1]; p[1] <= high[1]; p[1]++)
            for (p[0] = low[0]; p[0] <= high[0]; p[0]++) {
                if (filled == d->widest) {
                    d->supernodes++;
                    filled = 0;
                }
                filled++;
                *at(d, p) = d->supernodes - 1;
                d->width[d->supernodes - 1] = filled;
            }
}

static void dissect(struct dissection *d, const int32_t low[3], const int32_t high[3])
{
    struct front front = { { low[0], low[1], low[2] }, { high[0], high[1], high[2] }, 0, 0 };
    int32_t from[3], to[3], longest = 0, points = 1;

    for (int32_t i = 0; i < 3; i++) {
        from[i] = low[i];
        to[i] = high[i];
        points *= high[i] - low[i] + 1;
        if (high[i] - low[i] > high[longest] - low[longest])
            longest = i;
    }
    if (points > d->widest && high[longest] - low[longest] >= 2) {
        const int32_t middle = (low[longest] + high[longest]) / 2;

        to[longest] = middle - 1;
        dissect(d, low, to);
        from[longest] = middle + 1;
        dissect(d, from, high);
        from[longest] = to[longest] = middle;
    }
    front.first = d->supernodes;
    number(d, from, to);
    front.count = d->supernodes - front.first;
    d->front[d->fronts++] = front;
}

/* Adds the points adjacent to a face of the box to the count of their supernodes. */
static void count_face(const struct dissection *d, const struct front *front, int32_t axis,
                       int32_t beside, int32_t *rows)
{
    const int32_t a = (axis + 1) % 3, b = (axis + 2) % 3;
    int32_t p[3];

    p[axis] = beside;
    if (beside < 0 || beside >= d->side)
        return;
    for (p[a] = front->low[a]; p[a] <= front->high[a]; p[a]++)
        for (p[b] = front->low[b]; p[b] <= front->high[b]; p[b]++)
            rows[*at(d, p)]++;
}

/* Blocks of every supernode of a front: the later supernodes of the front, and the box's
 * neighbours, which all come later. If `s` is NULL, only counts them. */
static int64_t make_blocks(const struct dissection *d, const struct front *front, int32_t *rows,
                           struct sparse_structure *s, int64_t blocks)
{
    memset(rows, 0, (size_t)d->supernodes * sizeof *rows);
    for (int32_t axis = 0; axis < 3; axis++) {
        count_face(d, front, axis, front->low[axis] - 1, rows);
        count_face(d, front, axis, front->high[axis] + 1, rows);
    }
    for (int32_t k = front->first; k < front->first + front->count; k++)
        rows[k] = d->width[k];
    for (int32_t k = front->first; k < front->first + front->count; k++) {
        const int32_t w = d->width[k];

        if (s)
            s->l_at[k] = s->u_at[k] = blocks;
        for (int32_t i = k + 1; i < d->supernodes; i++) {
            if (!rows[i])
                continue;
            if (s) {
                /* Every third block has a first column that begins one row later, if possible. */
                const int32_t shorter = w > 1 && rows[i] > 1 && i % 3 == 0;

                s->l[blocks] = (struct sparse_l_block){ i, rows[i] };
                s->u[blocks] = (struct sparse_u_block){ i, rows[i], rows[i] * w - shorter, w,
                                                        (int64_t)rows[i] * w * w -
                                                            shorter * (2 * (int64_t)w - 1) };
            }
            blocks++;
        }
    }
    return blocks;
}

struct sparse_structure *sparse_dissected(int32_t side, int32_t widest)
{
    const size_t points = (size_t)side * (size_t)side * (size_t)side;
    struct dissection d = { .side = side,
                            .widest = widest,
                            .supernode = malloc(points * sizeof *d.supernode),
                            .width = malloc(points * sizeof *d.width),
                            .front = malloc(points * sizeof *d.front) };
    int32_t *rows = malloc(points * sizeof *rows);
    struct sparse_structure *s = NULL;
    struct fr_faults faults;
    int64_t blocks = 0;

    faults.count = 0;
    assert(d.supernode && d.width && d.front && rows);
    dissect(&d, (int32_t[]){ 0, 0, 0 }, (int32_t[]){ side - 1, side - 1, side - 1 });
    for (int32_t f = 0; f < d.fronts; f++)
        blocks = make_blocks(&d, &d.front[f], rows, NULL, blocks);
    s = sparse_structure_new((int64_t)points, d.supernodes, blocks, blocks, &faults);
    assert(s);
    memcpy(s->width, d.width, (size_t)d.supernodes * sizeof *s->width);
    blocks = 0;
    for (int32_t f = 0; f < d.fronts; f++)
        blocks = make_blocks(&d, &d.front[f], rows, s, blocks);
    free(d.supernode);
    free(d.width);
    free(d.front);
    free(rows);
    return s;
}

/* ---- at random ------------------------------------------------------------------------------ */

/* xorshift64*: the same numbers on every machine. */
static uint64_t next(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(2685821657736338717);
}

static int32_t up_to(uint64_t *state, int32_t most)
{
    return 1 + (int32_t)(next(state) % (uint64_t)most);
}

/* Segments of random lengths. */
static struct sparse_u_block random_u(uint64_t *state, int32_t j, int32_t width, int32_t columns)
{
    struct sparse_u_block u = { .j = j, .cols = up_to(state, columns) };
    const bool is_full = next(state) % 3 == 0;

    for (int32_t c = 0; c < u.cols; c++) {
        const int32_t length = is_full ? width : up_to(state, width);

        u.sum += length;
        u.sumsq += (int64_t)length * length;
        u.max = length > u.max ? length : u.max;
    }
    return u;
}

struct sparse_structure *sparse_random(uint64_t seed, int32_t supernodes, int32_t widest,
                                       double entries)
{
    const size_t n = (size_t)supernodes;
    uint64_t state = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
    char *has = calloc(n * n, 1); /* block (i,j) at i n + j */
    struct sparse_structure *s;
    struct fr_faults faults;
    int64_t order = 0, l = 0, u = 0;

    faults.count = 0;
    assert(has);
    for (double e = 0; e < entries; e++)
        has[next(&state) % (n * n)] = 1;
    for (size_t k = 0; k < n; k++)
        for (size_t i = k + 1; i < n; i++)
            for (size_t j = k + 1; has[i * n + k] && j < n; j++)
                has[i * n + j] |= has[k * n + j];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            l += has[i * n + j] && i > j;
            u += has[i * n + j] && i < j;
        }
    s = sparse_structure_new(supernodes, supernodes, l, u, &faults);
    assert(s);
    for (size_t k = 0; k < n; k++)
        order += s->width[k] = up_to(&state, widest);
    s->order = order;
    l = u = 0;
    for (size_t k = 0; k < n; k++) {
        s->l_at[k] = l;
        s->u_at[k] = u;
        for (size_t i = k + 1; i < n; i++) {
            if (has[i * n + k])
                s->l[l++] = (struct sparse_l_block){ (int32_t)i, up_to(&state, s->width[i]) };
            if (has[k * n + i])
                s->u[u++] = random_u(&state, (int32_t)i, s->width[k], s->width[i]);
        }
    }
    free(has);
    return s;
}
