/* The quotient graph (Amestoy, Davis and Duff 1996, section 3): eliminated columns stand for their
 * fronts, and a column lists the fronts it belongs to instead of the entries that they fill in. */
#include "engine/multifrontal/multifrontal.h"

#include <stdlib.h>

/* A column; once it is a pivot, its front. */
struct node {
    int64_t at;                 /* of its list: fronts, then neighbours in A+A' */
    int32_t fronts, neighbours; /* lengths */
    int32_t mark;               /* pivot whose front it was last seen in */
    int32_t into;               /* the front that it is part of; -1 */
    int32_t pivots;             /* 0: not eliminated */
    int32_t order;
    int64_t members_at; /* columns of the front that are not eliminated */
    int32_t members, late_members;
    int32_t seen, outside; /* for the pivot `seen`: members outside its front, but for late ones */
    bool is_late;
};

struct graph {
    int32_t n;
    struct node *node;
    int32_t *list, *member;
    int64_t used, room; /* of `member` */
    int32_t late;       /* columns set aside; 0 once they are taken back */
};

static bool begin(struct graph *g, int32_t n, int64_t entries)
{
    *g = (struct graph){ .n = n, .room = 2 * entries + n + 1 };
    g->node = calloc((size_t)n + 1, sizeof *g->node);
    g->list = malloc((2 * (size_t)entries + 1) * sizeof *g->list);
    g->member = malloc((size_t)g->room * sizeof *g->member);
    return g->node && g->list && g->member;
}

static void end(struct graph *g)
{
    free(g->node);
    free(g->list);
    free(g->member);
}

static void remove_repetitions(struct graph *g, int32_t j)
{
    int32_t *list = g->list + g->node[j].at, kept = 0;

    for (int32_t e = 0; e < g->node[j].neighbours; e++)
        if (g->node[list[e]].mark != j) {
            g->node[list[e]].mark = j;
            list[kept++] = list[e];
        }
    g->node[j].neighbours = kept;
}

static void read_pattern(struct graph *g, const int32_t *column_at, const int32_t *row)
{
    for (int32_t j = 0; j < g->n; j++)
        for (int32_t e = column_at[j]; e < column_at[j + 1]; e++)
            if (row[e] != j) {
                g->node[j + 1].at++;
                g->node[row[e] + 1].at++;
            }
    for (int32_t j = 0; j < g->n; j++) {
        g->node[j + 1].at += g->node[j].at;
        g->node[j].mark = g->node[j].into = g->node[j].seen = -1;
    }
    for (int32_t j = 0; j < g->n; j++)
        for (int32_t e = column_at[j]; e < column_at[j + 1]; e++)
            if (row[e] != j) {
                struct node *a = &g->node[j], *b = &g->node[row[e]];

                g->list[a->at + a->neighbours++] = row[e];
                g->list[b->at + b->neighbours++] = j;
            }
    for (int32_t j = 0; j < g->n; j++)
        remove_repetitions(g, j);
    for (int32_t j = 0; j < g->n; j++)
        g->node[j].mark = -1;
}

/* ---- late columns: the last 32nd of the order, which MUMPS treats as if their rows were dense ---
 */

/* Sets them aside: their lists stay as they are, and no front that has one is absorbed early. */
static void set_late(struct graph *g, const int32_t *place, int32_t limit)
{
    for (int32_t j = 0; limit >= 2 && j < g->n; j++) {
        const int32_t rank = place[j] + 1 < g->n ? place[j] + 1 : g->n - 1;

        g->node[j].is_late = g->node[j].neighbours && rank > limit;
        g->late += g->node[j].is_late;
    }
}

/* Lists the fronts that the neighbours of column j have become part of. */
static void renew_list(struct graph *g, int32_t j)
{
    int32_t *list = g->list + g->node[j].at, fronts = 0, kept = 0;

    for (int32_t e = 0; e < g->node[j].neighbours; e++) {
        int32_t found = list[e];

        while (g->node[found].into >= 0)
            found = g->node[found].into;
        if (g->node[found].mark == g->n + j)
            continue;
        g->node[found].mark = g->n + j;
        list[kept++] = found;
        if (g->node[found].pivots) {
            list[kept - 1] = list[fronts];
            list[fronts++] = found;
        }
    }
    g->node[j].fronts = fronts;
    g->node[j].neighbours = kept - fronts;
}

static void take_back(struct graph *g)
{
    for (int32_t j = 0; j < g->n; j++)
        if (g->node[j].is_late)
            renew_list(g, j);
    for (int32_t j = 0; j < g->n; j++) {
        g->node[j].is_late = false;
        g->node[j].late_members = 0;
    }
    g->late = 0;
}

/* ---- elimination -------------------------------------------------------------------------- */

static bool reserve(struct graph *g)
{
    int32_t *member;

    if (g->used + g->n <= g->room)
        return true;
    member = realloc(g->member, 2 * (size_t)g->room * sizeof *member);
    if (!member)
        return false;
    g->member = member;
    g->room *= 2;
    return true;
}

static void join(struct graph *g, int32_t pivot, int32_t column)
{
    if (g->node[column].mark == pivot)
        return;
    g->node[column].mark = pivot;
    g->member[g->used++] = column;
    g->node[pivot].late_members += g->node[column].is_late;
}

/* The columns in the front of the pivot: its neighbours, and the members of its fronts. */
static void gather(struct graph *g, int32_t pivot)
{
    struct node *node = &g->node[pivot];
    const int32_t *list = g->list + node->at;

    node->mark = pivot;
    node->members_at = g->used;
    for (int32_t e = 0; e < node->neighbours; e++)
        join(g, pivot, list[node->fronts + e]);
    for (int32_t e = 0; e < node->fronts; e++) {
        struct node *front = &g->node[list[e]];

        for (int32_t i = 0; i < front->members; i++)
            join(g, pivot, g->member[front->members_at + i]);
        front->into = pivot;
    }
    node->members = (int32_t)(g->used - node->members_at);
}

/* Whether the lists of a column are those of the pivot: MUMPS has joined the two before, and does
 * not count the column among those below the pivot. */
static bool is_twin(const struct graph *g, int32_t pivot, const struct node *column)
{
    const struct node *node = &g->node[pivot];
    const int32_t *list = g->list + column->at;

    if (!node->fronts || column->is_late || column->fronts != node->fronts ||
        column->neighbours != node->neighbours)
        return false;
    for (int32_t e = 0; e < column->fronts; e++)
        if (g->node[list[e]].into != pivot)
            return false;
    for (int32_t e = column->fronts; e < column->fronts + column->neighbours; e++)
        if (g->node[list[e]].mark != pivot)
            return false;
    return true;
}

/* Absorbs small fronts whose members all belong to the new one. */
static void absorb_covered(struct graph *g, int32_t pivot)
{
    enum { SMALL_LEAST = 128, SMALL_MOST = 1024, COLUMNS_EACH = 2048 };
    const struct node *node = &g->node[pivot];
    const int32_t share = g->n / COLUMNS_EACH < SMALL_MOST ? g->n / COLUMNS_EACH : SMALL_MOST;

    int32_t below = 0;

    for (int32_t i = 0; i < node->members; i++)
        below += !is_twin(g, pivot, &g->node[g->member[node->members_at + i]]);
    if (below >= (share > SMALL_LEAST ? share : SMALL_LEAST))
        return;
    for (int32_t i = 0; i < node->members; i++) {
        const struct node *column = &g->node[g->member[node->members_at + i]];

        for (int32_t e = 0; !column->is_late && e < column->fronts; e++) {
            struct node *front = &g->node[g->list[column->at + e]];

            if (front->into >= 0)
                continue;
            if (front->seen != pivot)
                front->outside = front->members - front->late_members;
            front->seen = pivot;
            if (--front->outside == 0 && (node->late_members == g->late || !front->late_members))
                front->into = pivot;
        }
    }
}

/* Puts the new front into the column's list and removes what it covers; false if nothing else is
 * left, so that the column is eliminated with the pivot. */
static bool shorten(struct graph *g, int32_t pivot, struct node *column)
{
    int32_t *list = g->list + column->at, fronts = 0, neighbours = 0;

    for (int32_t e = 0; e < column->fronts; e++)
        if (g->node[list[e]].into < 0)
            list[fronts++] = list[e];
    for (int32_t e = column->fronts; e < column->fronts + column->neighbours; e++)
        if (g->node[list[e]].mark != pivot)
            list[fronts + neighbours++] = list[e];
    if (fronts + neighbours == 0)
        return false;
    /* The pivot or a front of its list was removed: there is room for one more. */
    list[fronts + neighbours] = list[fronts];
    list[fronts] = pivot;
    column->fronts = fronts + 1;
    column->neighbours = neighbours;
    return true;
}

static void eliminate(struct graph *g, int32_t pivot)
{
    struct node *node = &g->node[pivot];
    int32_t kept = 0;

    gather(g, pivot);
    absorb_covered(g, pivot);
    node->order = 1 + node->members;
    node->pivots = 1;
    for (int32_t i = 0; i < node->members; i++) {
        const int32_t j = g->member[node->members_at + i];

        if (g->node[j].is_late || shorten(g, pivot, &g->node[j])) {
            g->member[node->members_at + kept++] = j;
        } else {
            g->node[j].into = pivot;
            node->pivots++;
        }
    }
    node->members = kept;
    g->used = node->members_at + kept;
}

/* Late columns return after three quarters of the others at the latest. */
static bool eliminate_all(struct graph *g, const int32_t *place, const int32_t *order,
                          struct sparse_elimination *found)
{
    const int32_t limit = (int32_t)(31 * (int64_t)g->n / 32), latest = 3 * limit / 4;
    int32_t gone = 0;

    set_late(g, place, limit);
    for (int32_t k = 0; k < g->n; k++) {
        const struct node *node = &g->node[order[k]];

        if (node->into >= 0)
            continue;
        if (g->late && k > (limit - gone > latest ? limit - gone : latest))
            take_back(g);
        if (!reserve(g))
            return false;
        eliminate(g, order[k]);
        gone += node->order > 1 ? node->pivots : 0;
        found->pivot[found->count++] =
            (struct sparse_pivot){ order[k], -1, node->pivots, node->order };
    }
    return true;
}

/* From columns to places in the list. */
static void name_parents(struct graph *g, struct sparse_elimination *found)
{
    for (int32_t k = 0; k < found->count; k++)
        g->node[found->pivot[k].column].mark = k;
    for (int32_t k = 0; k < found->count; k++) {
        const int32_t into = g->node[found->pivot[k].column].into;

        found->pivot[k].parent = into >= 0 ? g->node[into].mark : -1;
    }
}

int sparse_eliminate(struct sparse_elimination *found, int32_t n, const int32_t *column_at,
                     const int32_t *row, const int32_t *place, struct fr_faults *faults)
{
    struct graph g;
    int32_t *order = malloc(((size_t)n + 1) * sizeof *order);
    bool is_done;

    *found = (struct sparse_elimination){ 0, malloc(((size_t)n + 1) * sizeof *found->pivot) };
    is_done = begin(&g, n, column_at[n]) && order && found->pivot;
    if (is_done) {
        read_pattern(&g, column_at, row);
        for (int32_t j = 0; j < n; j++)
            order[place[j]] = j;
        is_done = eliminate_all(&g, place, order, found);
    }
    if (is_done)
        name_parents(&g, found);
    end(&g);
    free(order);
    if (is_done)
        return FR_OK;
    sparse_elimination_free(found);
    return fr_fault(faults, FR_NOMEM, "/", "no memory for the symbolic elimination");
}

void sparse_elimination_free(struct sparse_elimination *found)
{
    free(found->pivot);
    *found = (struct sparse_elimination){ 0 };
}
