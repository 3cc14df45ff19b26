/* Subtrees as in Geist and Ng 1989, and large fronts divided above them (Amestoy, Duff and
 * L'Excellent 2000). */
#include "engine/multifrontal/multifrontal.h"

#include <stdlib.h>

/* MUMPS divides a front whose block has this order, and a root of this order. */
enum { DIVIDED_BLOCK = 700, DIVIDED_ROOT = 800 };
/* Integers that MUMPS keeps with each front. */
enum { HEAD = 20 };
/* The heaviest subtree's work, as a part of an equal share. */
static const double heaviest_part = 0.5;
enum { SHARED = -1 };

struct holder {
    double flops;
    int64_t factors, stack, peak, indices;
};

struct mapping {
    const struct sparse_fronts *fronts;
    int32_t processes;
    double *work;   /* of the subtree below and with each front */
    int32_t *first; /* first front of the subtree: fronts are in postorder */
    int32_t *owner;
    int32_t *heap, count; /* the subtrees, the heaviest on top */
    struct holder *holder;
};

static bool is_lighter(const struct mapping *m, int32_t a, int32_t b)
{
    return m->work[a] < m->work[b] || (m->work[a] == m->work[b] && a < b);
}

static void sift(struct mapping *m, int32_t at)
{
    for (int32_t child; (child = 2 * at + 1) < m->count; at = child) {
        const int32_t moved = m->heap[at];

        if (child + 1 < m->count && is_lighter(m, m->heap[child], m->heap[child + 1]))
            child++;
        if (!is_lighter(m, moved, m->heap[child]))
            return;
        m->heap[at] = m->heap[child];
        m->heap[child] = moved;
    }
}

static void push(struct mapping *m, int32_t front)
{
    int32_t at = m->count++;

    for (; at && is_lighter(m, m->heap[(at - 1) / 2], front); at = (at - 1) / 2)
        m->heap[at] = m->heap[(at - 1) / 2];
    m->heap[at] = front;
}

static int32_t pop(struct mapping *m)
{
    const int32_t top = m->heap[0];

    m->heap[0] = m->heap[--m->count];
    sift(m, 0);
    return top;
}

static void sum_work(struct mapping *m)
{
    for (int32_t i = 0; i < m->fronts->count; i++) {
        const struct sparse_front *front = &m->fronts->front[i];

        m->work[i] += sparse_front_flops(front->order, front->pivots);
        if (m->first[i] < 0)
            m->first[i] = i;
        if (front->parent < 0)
            continue;
        m->work[front->parent] += m->work[i];
        if (m->first[front->parent] < 0)
            m->first[front->parent] = m->first[i];
    }
}

/* Splits the heaviest subtree into its children until all are light enough; a single process gets
 * whole trees. */
static void split(struct mapping *m)
{
    double total = 0;

    for (int32_t i = 0; i < m->fronts->count; i++)
        if (m->fronts->front[i].parent < 0) {
            push(m, i);
            total += m->work[i];
        }
    while (m->count && m->processes > 1) {
        const int32_t top = m->heap[0];

        if (m->work[top] <= heaviest_part * total / m->processes || m->first[top] == top)
            return;
        pop(m);
        total -= m->work[top];
        for (int32_t child = top - 1; child >= m->first[top]; child = m->first[child] - 1) {
            push(m, child);
            total += m->work[child];
        }
    }
}

static int32_t idlest(const struct mapping *m)
{
    int32_t least = 0;

    for (int32_t p = 1; p < m->processes; p++)
        if (m->holder[p].flops < m->holder[least].flops)
            least = p;
    return least;
}

/* The heaviest subtree first, each to the process with the least work. */
static void deal(struct mapping *m)
{
    while (m->count) {
        const int32_t top = pop(m), owner = idlest(m);

        m->holder[owner].flops += m->work[top];
        for (int32_t i = m->first[top]; i <= top; i++)
            m->owner[i] = owner;
    }
}

static bool is_divided(const struct sparse_front *front)
{
    return front->parent < 0 ? front->order >= DIVIDED_ROOT
                             : front->order - front->pivots >= DIVIDED_BLOCK;
}

static void deal_upper(struct mapping *m)
{
    for (int32_t i = 0; i < m->fronts->count; i++) {
        const struct sparse_front *front = &m->fronts->front[i];

        if (m->owner[i] != SHARED || is_divided(front))
            continue;
        m->owner[i] = idlest(m);
        m->holder[m->owner[i]].flops += sparse_front_flops(front->order, front->pivots);
    }
}

/* Of `entries`, what each of the owners of a front holds. */
static int64_t part(const struct mapping *m, int32_t owner, int64_t entries)
{
    return owner == SHARED ? (entries + m->processes - 1) / m->processes : entries;
}

static int64_t block_of(const struct mapping *m, int32_t i)
{
    const int64_t left = m->fronts->front[i].order - m->fronts->front[i].pivots;

    return left * left;
}

/* Assembles front i at one of its owners; `below` lies where the front does. */
static void hold(const struct mapping *m, struct holder *h, int32_t i, int64_t below)
{
    const int64_t order = m->fronts->front[i].order;
    const int64_t active = part(m, m->owner[i], order * order) - below;

    if (h->factors + h->stack + active > h->peak)
        h->peak = h->factors + h->stack + active;
    h->factors += part(m, m->owner[i], order * order - block_of(m, i));
    h->indices += 2 * order + HEAD;
}

/* Puts the block of front i on the stacks of its owners (sign 1), or removes it (-1). */
static void stack_block(struct mapping *m, int32_t i, int sign)
{
    const int32_t owner = m->owner[i];
    const int32_t first = owner == SHARED ? 0 : owner;
    const int32_t end = owner == SHARED ? m->processes : owner + 1;

    for (int32_t p = first; p < end; p++)
        m->holder[p].stack += sign * part(m, owner, block_of(m, i));
}

static void factorize(struct mapping *m, int32_t i)
{
    const int32_t owner = m->owner[i];
    const bool is_over_child = owner != SHARED && i > m->first[i] && m->owner[i - 1] == owner;

    if (owner == SHARED)
        for (int32_t p = 0; p < m->processes; p++)
            hold(m, &m->holder[p], i, 0);
    else
        hold(m, &m->holder[owner], i, is_over_child ? block_of(m, i - 1) : 0);
    for (int32_t child = i - 1; child >= m->first[i]; child = m->first[child] - 1)
        stack_block(m, child, -1);
    stack_block(m, i, 1);
}

static void sum_up(const struct mapping *m, struct sparse_front_share *share)
{
    *share = (struct sparse_front_share){ .processes = m->processes };
    for (int32_t p = 0; p < m->processes; p++) {
        const struct holder *h = &m->holder[p];

        share->all_entries += h->peak;
        share->all_indices += h->indices;
        if (h->peak > share->most_entries)
            share->most_entries = h->peak;
        if (h->indices > share->most_indices)
            share->most_indices = h->indices;
    }
}

int sparse_fronts_share(const struct sparse_fronts *fronts, int64_t processes,
                        struct sparse_front_share *share, struct fr_faults *faults)
{
    const size_t count = (size_t)fronts->count + 1;
    struct mapping m = { .fronts = fronts,
                         .processes = (int32_t)processes,
                         .work = calloc(count, sizeof *m.work),
                         .first = malloc(count * sizeof *m.first),
                         .owner = malloc(count * sizeof *m.owner),
                         .heap = malloc(count * sizeof *m.heap),
                         .holder = calloc((size_t)processes, sizeof *m.holder) };
    int code = FR_OK;

    if (m.work && m.first && m.owner && m.heap && m.holder) {
        for (int32_t i = 0; i < fronts->count; i++) {
            m.first[i] = -1;
            m.owner[i] = SHARED;
        }
        sum_work(&m);
        split(&m);
        deal(&m);
        deal_upper(&m);
        for (int32_t i = 0; i < fronts->count; i++)
            factorize(&m, i);
        sum_up(&m, share);
    } else {
        code = fr_fault(faults, FR_NOMEM, "/", "no memory for the fronts of the processes");
    }
    free(m.work);
    free(m.first);
    free(m.owner);
    free(m.heap);
    free(m.holder);
    return code;
}
