/* Counts the blocks of each supernode, allocates the structure, then fills it in. */
#include "server/analyze/analyze.h"

#include <stdlib.h>
#include <string.h>

/* For each supernode, the block where it was seen last; -1: none. */
static int *marks_new(int supernodes)
{
    int *marks = malloc((size_t)supernodes * sizeof *marks);

    if (marks)
        memset(marks, -1, (size_t)supernodes * sizeof *marks);
    return marks;
}

static int compare(const void *a, const void *b)
{
    const struct sparse_l_block *left = a, *right = b;

    return (left->i > right->i) - (left->i < right->i);
}

/* Visits each row below the diagonal block of supernode k. */
#define FOR_ROWS(s, k, e)                                               \
    for (int_t e = (s)->freeable.xlsub[(s)->persist.xsup[k]],           \
               e##_end = (s)->freeable.xlsub[(s)->persist.xsup[k] + 1]; \
         e < e##_end; e++)                                              \
        if ((s)->persist.supno[(s)->freeable.lsub[e]] != (k))

/* The number of blocks of L in column k. */
static int64_t count_l(const struct fr_subscripts *s, int k, int *marks)
{
    int64_t count = 0;

    FOR_ROWS(s, k, e)
    {
        int *mark = &marks[s->persist.supno[s->freeable.lsub[e]]];

        count += *mark != k;
        *mark = k;
    }
    return count;
}

/* Rows come in any order; the blocks are sorted. */
static void fill_l(const struct fr_subscripts *s, int k, int *marks, struct sparse_l_block *blocks)
{
    int count = 0;

    FOR_ROWS(s, k, e)
    {
        const int i = (int)s->persist.supno[s->freeable.lsub[e]];

        if (marks[i] < 0) {
            marks[i] = count;
            blocks[count++] = (struct sparse_l_block){ .i = i };
        }
        blocks[marks[i]].rows++;
    }
    for (int b = 0; b < count; b++)
        marks[blocks[b].i] = -1;
    qsort(blocks, (size_t)count, sizeof *blocks, compare);
}

/* Visits each segment above the diagonal block in the columns of supernode j. */
#define FOR_SEGMENTS(s, j, c, e)                                                    \
    for (int_t c = (s)->persist.xsup[j]; c < (s)->persist.xsup[(j) + 1]; c++)       \
        for (int_t e = (s)->freeable.xusub[c]; e < (s)->freeable.xusub[c + 1]; e++) \
            if ((s)->persist.supno[(s)->freeable.usub[e]] != (j))

/* Sets counts[k] to the number of blocks of U in row k. */
static void count_u(const struct fr_subscripts *s, int supernodes, int *marks, int64_t *counts)
{
    for (int j = 0; j < supernodes; j++)
        FOR_SEGMENTS(s, j, c, e)
        {
            const int_t k = s->persist.supno[s->freeable.usub[e]];

            counts[k] += marks[k] != j;
            marks[k] = j;
        }
}

/* Columns are visited in ascending order, so that the blocks of a row are ascending; next[k] is the
 * end of row k so far. */
static void fill_u(const struct fr_subscripts *s, struct sparse_structure *to, int *marks,
                   int64_t *next)
{
    for (int j = 0; j < to->supernodes; j++)
        FOR_SEGMENTS(s, j, c, e)
        {
            const int_t first = s->freeable.usub[e], k = s->persist.supno[first];
            const int32_t length = (int32_t)(s->persist.xsup[k + 1] - first);
            struct sparse_u_block *block;

            if (marks[k] != j)
                to->u[next[k]++].j = j;
            marks[k] = j;
            block = &to->u[next[k] - 1];
            block->cols++;
            block->sum += length;
            block->sumsq += (int64_t)length * length;
            block->max = length > block->max ? length : block->max;
        }
}

static int64_t sum(const int64_t *counts, int n)
{
    int64_t total = 0;

    for (int k = 0; k < n; k++)
        total += counts[k];
    return total;
}

static void fill(const struct fr_subscripts *s, struct sparse_structure *to, int *marks,
                 const int64_t *l, int64_t *u)
{
    int64_t l_at = 0, u_at = 0;

    memset(marks, -1, (size_t)to->supernodes * sizeof *marks);
    for (int k = 0; k < to->supernodes; k++) {
        to->width[k] = (int32_t)(s->persist.xsup[k + 1] - s->persist.xsup[k]);
        to->l_at[k] = l_at;
        to->u_at[k] = u_at;
        fill_l(s, k, marks, &to->l[l_at]);
        l_at += l[k];
        u_at += u[k];
        u[k] = to->u_at[k];
    }
    fill_u(s, to, marks, u);
}

struct sparse_structure *fr_extract(const struct fr_subscripts *subscripts,
                                    struct fr_faults *faults)
{
    const int supernodes = (int)subscripts->persist.supno[subscripts->n - 1] + 1;
    int64_t *l = calloc((size_t)supernodes, sizeof *l), *u = calloc((size_t)supernodes, sizeof *u);
    int *marks = marks_new(supernodes);
    struct sparse_structure *structure = NULL;

    if (l && u && marks) {
        for (int k = 0; k < supernodes; k++)
            l[k] = count_l(subscripts, k, marks);
        memset(marks, -1, (size_t)supernodes * sizeof *marks);
        count_u(subscripts, supernodes, marks, u);
        structure = sparse_structure_new(subscripts->n, supernodes, sum(l, supernodes),
                                         sum(u, supernodes), faults);
    } else {
        fr_fault(faults, FR_NOMEM, "/", "no memory for %d supernodes", supernodes);
    }
    if (structure)
        fill(subscripts, structure, marks, l, u);
    free(l);
    free(u);
    free(marks);
    return structure;
}
