/* Splits a forest into a top and two halves, again and again: roots of the heaviest trees move to
 * the top as long as that can shorten the path. */
#include "engine/sparse/structure/structure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* About a quarter of a second. */
static const double most_steps = 1e8;

struct tree {
    double weight; /* W: useful operations of all its supernodes */
    int32_t root;
};

/* The trees that are to be divided, the heaviest one last; of equals the one with the lowest root.
 */
struct division {
    struct sparse_forests *out;
    int32_t *parent, *child,
        *sibling;         /* N; -1: none.  `sibling` also links the roots of a forest */
    double *own, *weight; /* N: F, W */
    struct tree *tree;    /* room for N */
    int32_t trees;
    double top, rest; /* operations of the top, of the trees */
};

static int by_weight(const void *left, const void *right)
{
    const struct tree *a = left, *b = right;

    if (a->weight != b->weight)
        return a->weight < b->weight ? -1 : 1;
    return (a->root < b->root) - (a->root > b->root);
}

static void insert(struct division *d, int32_t root)
{
    const struct tree new = { d->weight[root], root };
    int32_t low = 0, high = d->trees++;

    while (low < high) {
        const int32_t middle = low + (high - low) / 2;

        if (by_weight(&d->tree[middle], &new) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    memmove(d->tree + low + 1, d->tree + low, (size_t)(d->trees - 1 - low) * sizeof *d->tree);
    d->tree[low] = new;
    d->rest += new.weight;
    d->out->steps += 1 + (d->trees - low) / 16.0;
}

static void begin(struct division *d, int32_t first)
{
    d->top = d->rest = 0;
    d->trees = 0;
    for (int32_t root = first; root >= 0; root = d->sibling[root]) {
        d->tree[d->trees++] = (struct tree){ d->weight[root], root };
        d->rest += d->weight[root];
    }
    qsort(d->tree, (size_t)d->trees, sizeof *d->tree, by_weight);
    d->out->steps += 20.0 * d->trees;
}

/* The heaviest root moves to the top; its children take its place. */
static int32_t move_root(struct division *d)
{
    const int32_t root = d->tree[--d->trees].root;

    d->top += d->own[root];
    d->rest -= d->weight[root];
    for (int32_t child = d->child[root]; child >= 0; child = d->sibling[child])
        insert(d, child);
    return root;
}

/* The operations of the top and of the heavier half, if each tree, heaviest first, joins the
 * lighter half; at least `best` if they cannot be fewer. */
static double value(struct division *d, double best)
{
    const double heaviest = d->trees > 0 ? d->tree[d->trees - 1].weight : 0;
    double left = 0, right = 0;

    if (2 * heaviest >= d->rest || d->top + d->rest / 2 >= best)
        return d->top + fmax(heaviest, d->rest / 2);
    for (int32_t i = d->trees - 1; i >= 0; i--) {
        if (left <= right)
            left += d->tree[i].weight;
        else
            right += d->tree[i].weight;
    }
    d->out->steps += d->trees;
    return d->top + fmax(left, right);
}

/* The number of roots in the best top. */
static int32_t best_top(struct division *d, int32_t first)
{
    double best = INFINITY;
    int32_t moved = 0, moved_best = 0;

    begin(d, first);
    for (const double all = d->rest;; moved++) {
        const double here = value(d, best);

        if (here < best) {
            best = here;
            moved_best = moved;
        }
        if (d->trees == 0 || all + d->top >= 2 * best || d->out->steps > most_steps)
            return moved_best;
        move_root(d);
    }
}

static void chain(struct division *d, int32_t *first, int32_t root)
{
    d->sibling[root] = *first;
    *first = root;
}

/* Divides the trees whose roots are linked from `first` on among 2^level layers. */
static void divide(struct division *d, int32_t first, int32_t level, int32_t index)
{
    const int32_t all = 2 * d->out->layers, forest = all - (all >> level) + index;
    int32_t half[2] = { -1, -1 };
    double weight[2] = { 0, 0 };

    if (level == 0) {
        for (int32_t root = first; root >= 0; root = d->sibling[root])
            d->out->of[root] = forest;
        return;
    }
    const int32_t moved = best_top(d, first);

    begin(d, first);
    for (int32_t i = 0; i < moved; i++)
        d->out->of[move_root(d)] = forest;
    for (int32_t i = d->trees - 1; i >= 0; i--) {
        const int side = weight[0] > weight[1];

        weight[side] += d->tree[i].weight;
        chain(d, &half[side], d->tree[i].root);
    }
    divide(d, half[0], level - 1, 2 * index);
    divide(d, half[1], level - 1, 2 * index + 1);
}

/* The first supernode that has a block in column k of L or in row k of U. */
static int32_t parent_of(const struct sparse_structure *s, int32_t k)
{
    const int32_t row = s->l_at[k] < s->l_at[k + 1] ? s->l[s->l_at[k]].i : -1;
    const int32_t column = s->u_at[k] < s->u_at[k + 1] ? s->u[s->u_at[k]].j : -1;

    return row < 0 || (column >= 0 && column < row) ? column : row;
}

/* Returns the first root. */
static int32_t grow(struct division *d, const struct sparse_structure *s)
{
    int32_t first = -1;

    for (int32_t k = 0; k < s->supernodes; k++)
        d->child[k] = -1;
    for (int32_t k = 0; k < s->supernodes; k++) {
        d->parent[k] = parent_of(s, k);
        d->own[k] = sparse_useful_flops(s, k);
        d->weight[k] += d->own[k];
        if (d->parent[k] >= 0)
            d->weight[d->parent[k]] += d->weight[k];
        chain(d, d->parent[k] < 0 ? &first : &d->child[d->parent[k]], k);
        d->out->of[k] = -1;
    }
    return first;
}

static void fill(struct division *d, const struct sparse_structure *s)
{
    int32_t level = 0;

    while (1 << level < d->out->layers)
        level++;
    divide(d, grow(d, s), level, 0);
    for (int32_t k = s->supernodes - 1; k >= 0; k--)
        if (d->out->of[k] < 0)
            d->out->of[k] = d->out->of[d->parent[k]];
}

int sparse_forests_init(struct sparse_forests *forests, const struct sparse_structure *s,
                        int32_t layers)
{
    const size_t supernodes = (size_t)s->supernodes;
    struct division d = { .out = forests };
    int code = FR_NOMEM;

    *forests = (struct sparse_forests){ .layers = layers, .count = 2 * layers - 1 };
    forests->of = calloc(supernodes, sizeof *forests->of);
    d.parent = calloc(3 * supernodes, sizeof *d.parent);
    d.own = calloc(2 * supernodes, sizeof *d.own);
    d.tree = calloc(supernodes, sizeof *d.tree);
    if (forests->of && d.parent && d.own && d.tree) {
        d.child = d.parent + supernodes;
        d.sibling = d.child + supernodes;
        d.weight = d.own + supernodes;
        fill(&d, s);
        code = forests->steps > most_steps ? FR_TOO_LONG : FR_OK;
    }
    free(d.parent);
    free(d.own);
    free(d.tree);
    if (code != FR_OK)
        sparse_forests_free(forests);
    return code;
}

void sparse_forests_free(struct sparse_forests *forests)
{
    free(forests->of);
    *forests = (struct sparse_forests){ 0 };
}
