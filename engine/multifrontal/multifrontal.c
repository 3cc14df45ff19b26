/* Assembly trees: merging, the order of children (Liu 1992), sums and peaks. */
#include "engine/multifrontal/multifrontal.h"

#include <math.h>
#include <stdlib.h>

double sparse_front_flops(double order, double pivots)
{
    const double m = order, p = pivots;

    return (2 * m - p - 1) * p / 2 + 2 * m * p * (m - p - 1) + p * (p + 1) * (2 * p + 1) / 3;
}

/* ---- merging ------------------------------------------------------------------------------ */

/* A front while the tree is built, in the order of elimination. */
struct node {
    int32_t parent, child, sibling, children;
    int32_t pivots, order;
    bool is_merged, is_entered;
    double zeros; /* stored because of merging */
    int32_t tiny; /* pivots of tiny children that were merged */
};

struct tree {
    int32_t count;
    struct node *node;
};

/* MUMPS's limits, in percent and pivots. */
enum { MERGE_PERCENT = 5, MERGE_PIVOTS = 2000, TINY = 900, TINY_SHARE = 50 };
/* Operations that an assembled entry costs, and that a front costs at least. */
static const double entry_flops = 200, front_flops = 10000;

/* Whether a child has so few pivots beside a large parent that its zeros do not matter. */
static bool is_tiny(const struct node *child, const struct node *parent)
{
    const int64_t rest = parent->order - parent->tiny;

    return (int64_t)child->pivots * TINY <= rest && parent->tiny < rest / TINY_SHARE;
}

/* `zeros`: those that the merged front would have, by the count of MUMPS. */
static bool is_merging(const struct node *child, const struct node *parent, double *zeros)
{
    const double p = child->pivots, m = child->order, q = parent->pivots, o = parent->order;
    const double added = 2 * p * (o - m + p), size = (o + p) * (o + p);
    const bool is_chain = parent->children == 1 && child->order - child->pivots == parent->order;
    const bool is_size = (p <= MERGE_PIVOTS && q <= MERGE_PIVOTS) ||
                         (p <= MERGE_PERCENT && q > MERGE_PIVOTS) ||
                         (q <= MERGE_PERCENT && p > MERGE_PIVOTS);

    *zeros = added + child->zeros;
    if (is_chain || is_tiny(child, parent))
        return true;
    return is_size && 100 * added / size < MERGE_PERCENT && *zeros / size <= MERGE_PERCENT &&
           sparse_front_flops(o + p, q + p) <=
               sparse_front_flops(m, p) + sparse_front_flops(o, q) +
                   fmax(entry_flops * (m - p) * (m - p), front_flops);
}

static void merge(struct node *child, struct node *parent, double zeros)
{
    parent->tiny += child->tiny + (is_tiny(child, parent) ? child->pivots : 0);
    parent->children += child->children - 1;
    parent->order += child->pivots;
    parent->pivots += child->pivots;
    parent->zeros += zeros;
    child->is_merged = true;
}

/* From the leaves up, by the lists of children. */
static void merge_below(struct tree *t, int32_t root)
{
    for (int32_t k = root;;) {
        struct node *node = &t->node[k];
        double zeros;

        if (node->child >= 0 && !node->is_entered) {
            node->is_entered = true;
            k = node->child;
            continue;
        }
        if (k == root)
            return;
        if (is_merging(node, &t->node[node->parent], &zeros))
            merge(node, &t->node[node->parent], zeros);
        k = node->sibling >= 0 ? node->sibling : node->parent;
    }
}

/* The child with the largest column stands first, as in MUMPS; what is merged depends on it. */
static int by_column(const void *a, const void *b)
{
    const struct sparse_pivot *left = *(const struct sparse_pivot *const *)a,
                              *right = *(const struct sparse_pivot *const *)b;

    return (left->column > right->column) - (left->column < right->column);
}

static bool list_children(struct tree *t, const struct sparse_elimination *found)
{
    const struct sparse_pivot **sorted = malloc(((size_t)t->count + 1) * sizeof(void *));

    if (!sorted)
        return false;
    for (int32_t k = 0; k < t->count; k++)
        sorted[k] = &found->pivot[k];
    qsort(sorted, (size_t)t->count, sizeof(void *), by_column);
    for (int32_t i = 0; i < t->count; i++) {
        const int32_t k = (int32_t)(sorted[i] - found->pivot), parent = sorted[i]->parent;

        if (parent < 0)
            continue;
        t->node[k].sibling = t->node[parent].child;
        t->node[parent].child = k;
        t->node[parent].children++;
    }
    free(sorted);
    return true;
}

static bool tree_make(struct tree *t, const struct sparse_elimination *found)
{
    *t = (struct tree){ found->count, malloc(((size_t)found->count + 1) * sizeof *t->node) };
    if (!t->node)
        return false;
    for (int32_t k = 0; k < t->count; k++)
        t->node[k] = (struct node){ .parent = found->pivot[k].parent,
                                    .child = -1,
                                    .sibling = -1,
                                    .pivots = found->pivot[k].pivots,
                                    .order = found->pivot[k].order };
    if (!list_children(t, found))
        return false;
    for (int32_t k = 0; k < t->count; k++)
        if (t->node[k].parent < 0)
            merge_below(t, k);
    return true;
}

/* The fronts that are left, children before parents; mark[k] is the number of node k. */
static int32_t collect(const struct tree *t, struct sparse_front *front, int32_t *mark)
{
    int32_t count = 0;

    for (int32_t k = 0; k < t->count; k++)
        if (!t->node[k].is_merged) {
            mark[k] = count;
            front[count++] = (struct sparse_front){ -1, t->node[k].pivots, t->node[k].order };
        }
    for (int32_t k = 0; k < t->count; k++) {
        int32_t up = t->node[k].parent;

        while (up >= 0 && t->node[up].is_merged)
            up = t->node[up].parent;
        if (!t->node[k].is_merged && up >= 0)
            front[mark[k]].parent = mark[up];
    }
    return count;
}

/* ---- the order of children ---------------------------------------------------------------- */

/* What a child asks of the stack. */
struct need {
    int32_t front;
    double block, surplus;
};

/* The largest surplus first; equal ones as they come. */
static int by_surplus(const void *a, const void *b)
{
    const struct need *left = a, *right = b;

    if (left->surplus != right->surplus)
        return left->surplus < right->surplus ? 1 : -1;
    return (left->front > right->front) - (left->front < right->front);
}

static double block(const struct sparse_front *front)
{
    const double order = front->order - front->pivots;

    return order * order;
}

/* Lists of children by front; list[count] holds the roots. */
struct lists {
    int32_t *first, *next;
    double *peak;
    struct need *need;
};

/* Sorts the children of front i and finds its peak. */
static void sort_children(struct lists *l, const struct sparse_front *front, int32_t i)
{
    const double own = (double)front[i].order * front[i].order;
    double stack = 0, last = 0, most = 0;
    int32_t children = 0;

    for (int32_t c = l->first[i]; c >= 0; c = l->next[c]) {
        const double left = block(&front[c]);

        l->need[children++] = (struct need){ c, left, fmax(own, l->peak[c]) - left };
    }
    qsort(l->need, (size_t)children, sizeof *l->need, by_surplus);
    l->first[i] = -1;
    for (int32_t c = children - 1; c >= 0; c--) {
        l->next[l->need[c].front] = l->first[i];
        l->first[i] = l->need[c].front;
    }
    for (int32_t c = 0; c < children; c++) {
        most = fmax(most, stack + l->peak[l->need[c].front]);
        last = l->need[c].block;
        stack += last;
    }
    l->peak[i] = fmax(most, own + stack - last);
}

/* Appends front i and all below it to `sorted`, which holds `done` fronts; the new number of front
 * k becomes mark[k]. */
static int32_t append(const struct lists *l, const struct sparse_front *front, int32_t *mark,
                      int32_t i, struct sparse_front *sorted, int32_t done)
{
    const int32_t root = i;

    for (;;) {
        while (l->first[i] >= 0)
            i = l->first[i];
        for (;;) {
            mark[i] = done;
            sorted[done++] = front[i];
            if (i == root)
                return done;
            if (l->next[i] >= 0)
                break;
            i = front[i].parent;
        }
        i = l->next[i];
    }
}

/* Sorts into a postorder in which children stand by falling max(m^2, peak) - block, where m is the
 * order of the parent's front: the last child's block lies where the front is assembled
 * (Guermouche and L'Excellent 2006, section 3). */
static void sort(struct lists *l, const struct sparse_front *front, int32_t count, int32_t *mark,
                 struct sparse_front *sorted)
{
    int32_t done = 0;

    for (int32_t i = 0; i <= count; i++)
        l->first[i] = -1;
    for (int32_t i = count - 1; i >= 0; i--) {
        const int32_t up = front[i].parent >= 0 ? front[i].parent : count;

        l->next[i] = l->first[up];
        l->first[up] = i;
    }
    for (int32_t i = 0; i < count; i++)
        sort_children(l, front, i);
    for (int32_t i = l->first[count]; i >= 0; i = l->next[i])
        done = append(l, front, mark, i, sorted, done);
    for (int32_t i = 0; i < count; i++)
        if (sorted[i].parent >= 0)
            sorted[i].parent = mark[sorted[i].parent];
}

static int no_memory(struct fr_faults *faults)
{
    return fr_fault(faults, FR_NOMEM, "/", "no memory for the assembly tree");
}

static int sort_fronts(const struct tree *t, struct sparse_fronts *fronts, struct fr_faults *faults)
{
    const size_t count = (size_t)t->count + 1;
    struct sparse_front *plain = malloc(count * sizeof *plain);
    int32_t *mark = malloc(count * sizeof *mark);
    struct lists l = { malloc(count * sizeof *l.first), malloc(count * sizeof *l.next),
                       malloc(count * sizeof *l.peak), malloc(count * sizeof *l.need) };
    int code = FR_OK;

    fronts->front = malloc(count * sizeof *fronts->front);
    if (plain && mark && l.first && l.next && l.peak && l.need && fronts->front) {
        fronts->count = collect(t, plain, mark);
        sort(&l, plain, fronts->count, mark, fronts->front);
    } else {
        code = no_memory(faults);
    }
    free(plain);
    free(mark);
    free(l.first);
    free(l.next);
    free(l.peak);
    free(l.need);
    return code;
}

int sparse_fronts_make(struct sparse_fronts *fronts, int32_t n, const int32_t *column_at,
                       const int32_t *row, const int32_t *place, struct fr_faults *faults)
{
    struct sparse_elimination found;
    struct tree t = { 0 };
    int code;

    *fronts = (struct sparse_fronts){ 0 };
    code = sparse_eliminate(&found, n, column_at, row, place, faults);
    if (code == FR_OK)
        code = tree_make(&t, &found) ? sort_fronts(&t, fronts, faults) : no_memory(faults);
    sparse_elimination_free(&found);
    free(t.node);
    if (code != FR_OK)
        sparse_fronts_free(fronts);
    return code;
}

void sparse_fronts_free(struct sparse_fronts *fronts)
{
    free(fronts->front);
    *fronts = (struct sparse_fronts){ 0 };
}

struct sparse_multifrontal sparse_multifrontal_count(const struct sparse_fronts *fronts)
{
    struct sparse_multifrontal sum = { .fronts = fronts->count };

    for (int32_t i = 0; i < fronts->count; i++) {
        const int64_t m = fronts->front[i].order, p = fronts->front[i].pivots;

        sum.largest_front = m > sum.largest_front ? m : sum.largest_front;
        sum.factor_entries += p * (2 * m - p);
        sum.flops += sparse_front_flops((double)m, (double)p);
    }
    return sum;
}
