/* Sums the blocks of each supernode by process row and process column. */
#include "engine/sparse/clocks/clocks.h"

#include <stdlib.h>

/* The most shares that N supernodes can have: one per block and place, of L one more each. */
static int64_t most_shares(const int64_t *at, int32_t supernodes, int32_t places, int32_t more)
{
    int64_t sum = 0;

    for (int32_t k = 0; k < supernodes; k++) {
        const int64_t blocks = at[k + 1] - at[k] + more;

        sum += blocks < places ? blocks : places;
    }
    return sum;
}

/* Moves the shares that have any bytes to `out` and clears them. */
static int64_t pack(struct sparse_share *dense, int32_t places, struct sparse_share *out)
{
    int64_t count = 0;

    for (int32_t place = 0; place < places; place++) {
        if (dense[place].index_bytes == 0)
            continue;
        out[count] = dense[place];
        out[count++].place = place;
        dense[place] = (struct sparse_share){ 0 };
    }
    return count;
}

static void add_l(struct sparse_share *share, int32_t rows, int32_t width, double index_bytes)
{
    share->index_bytes +=
        (share->index_bytes == 0 ? 2 : 0) * index_bytes + (2 + rows) * index_bytes;
    share->value_bytes += 8 * (double)rows * width;
}

static void find_l(struct sparse_shares *of, struct sparse_share *dense, int32_t k, double ib)
{
    const struct sparse_structure *s = of->s;

    add_l(&dense[k % of->grid.rows], s->width[k], s->width[k], ib);
    for (int64_t b = s->l_at[k]; b < s->l_at[k + 1]; b++) {
        struct sparse_share *share = &dense[s->l[b].i % of->grid.rows];

        add_l(share, s->l[b].rows, s->width[k], ib);
        share->blocks++;
        share->size += s->l[b].rows;
    }
    of->l_at[k + 1] = of->l_at[k] + pack(dense, of->grid.rows, of->l + of->l_at[k]);
}

static void find_u(struct sparse_shares *of, struct sparse_share *dense, int32_t k, double ib)
{
    const struct sparse_structure *s = of->s;

    for (int64_t b = s->u_at[k]; b < s->u_at[k + 1]; b++) {
        const struct sparse_u_block *u = &s->u[b];
        struct sparse_share *share = &dense[u->j % of->grid.columns];

        share->index_bytes += (share->blocks ? 0 : 3) * ib + (2 + s->width[u->j]) * ib;
        share->value_bytes += 8 * (double)u->sum;
        share->blocks++;
        share->size += u->cols;
    }
    of->u_at[k + 1] = of->u_at[k] + pack(dense, of->grid.columns, of->u + of->u_at[k]);
}

int sparse_shares_init(struct sparse_shares *shares, const struct sparse_structure *s,
                       struct sparse_grid grid, int64_t index_bytes)
{
    const size_t supernodes = (size_t)s->supernodes;
    const int32_t places = grid.rows > grid.columns ? grid.rows : grid.columns;
    struct sparse_share *dense = calloc((size_t)places, sizeof *dense);

    *shares = (struct sparse_shares){ .s = s, .grid = grid };
    shares->l_at = calloc(2 * (supernodes + 1), sizeof *shares->l_at);
    shares->l =
        calloc((size_t)most_shares(s->l_at, s->supernodes, grid.rows, 1), sizeof *shares->l);
    shares->u =
        calloc((size_t)most_shares(s->u_at, s->supernodes, grid.columns, 0) + 1, sizeof *shares->u);
    if (!dense || !shares->l_at || !shares->l || !shares->u) {
        free(dense);
        sparse_shares_free(shares);
        return FR_NOMEM;
    }
    shares->u_at = shares->l_at + supernodes + 1;
    for (int32_t k = 0; k < s->supernodes; k++) {
        find_l(shares, dense, k, (double)index_bytes);
        find_u(shares, dense, k, (double)index_bytes);
    }
    free(dense);
    return FR_OK;
}

void sparse_shares_free(struct sparse_shares *shares)
{
    free(shares->l_at);
    free(shares->l);
    free(shares->u);
    *shares = (struct sparse_shares){ 0 };
}

/* The share at this place among those from `low` to `high`, or NULL. */
static const struct sparse_share *find(const struct sparse_share *share, int64_t low, int64_t high,
                                       int32_t place)
{
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;

        if (share[middle].place < place)
            low = middle + 1;
        else if (share[middle].place > place)
            high = middle;
        else
            return &share[middle];
    }
    return NULL;
}

int32_t sparse_u_blocks(const struct sparse_shares *shares, int32_t k, int32_t column)
{
    const struct sparse_share *share =
        find(shares->u, shares->u_at[k], shares->u_at[k + 1], column);

    return share ? share->blocks : 0;
}

int32_t sparse_l_blocks(const struct sparse_shares *shares, int32_t k, int32_t row)
{
    const struct sparse_share *share = find(shares->l, shares->l_at[k], shares->l_at[k + 1], row);

    return share ? share->blocks + (k % shares->grid.rows == row) : 0;
}
