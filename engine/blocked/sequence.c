/* Generates the calls of the blocked algorithms (docs/models/blocked.md#symbols).
 * tests/validation/blocked executes the algorithms and compares its calls with these.
 *
 * b is the block size.  trinv: k rows above the block, r below.  sylv: i, j rows and columns before
 * the block, bm x bn the block, rm, rn rows and columns after it; p, q the progress of the
 * top-right and of the bottom-left chain in the loop invariant.
 */
#include "engine/blocked/routine.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

struct walk {
    blocked_visit *visit;
    void *context;
    int64_t b;
    int p, q;
    struct blocked_kernel gemm, leaf;
    bool goes_on;
};

static struct blocked_kernel kernel_of(const char *routine, const char *flags)
{
    struct blocked_kernel kernel = { .routine = blocked_routine_find(routine) };

    assert(kernel.routine);
    memcpy(kernel.flags, flags, kernel.routine->flags);
    return kernel;
}

static void visit(struct walk *walk, const struct blocked_call *call)
{
    if (walk->goes_on)
        walk->goes_on = walk->visit(walk->context, call);
}

static struct blocked_operand lower(int64_t from, int64_t order)
{
    return (struct blocked_operand){ 0, from, from, order, order, BLOCKED_LOWER };
}

/* A call on a triangle or block `a` and a block `b`, whose sizes are those of the call. */
static void visit_two(struct walk *walk, const struct blocked_kernel *kernel, int alpha,
                      const struct blocked_operand *a, const struct blocked_operand *b)
{
    visit(walk, &(struct blocked_call){ *kernel, { b->rows, b->columns }, alpha, 2, { *a, *b } });
}

static void visit_gemm(struct walk *walk, int alpha, const struct blocked_operand *a,
                       const struct blocked_operand *b, const struct blocked_operand *c)
{
    visit(walk, &(struct blocked_call){
                    walk->gemm, { c->rows, c->columns, a->columns }, alpha, 3, { *a, *b, *c } });
}

bool trinv_calls(int variant, int64_t n, int64_t b, blocked_visit *visitor, void *context)
{
    const struct blocked_kernel trmm = kernel_of("dtrmm", "RLNN");
    const struct blocked_kernel left = kernel_of("dtrsm", "LLNN");
    const struct blocked_kernel right = kernel_of("dtrsm", "RLNN");
    struct walk walk = {
        .visit = visitor, .context = context, .gemm = kernel_of("dgemm", "NN"), .goes_on = true
    };
    char leaf_name[32];

    snprintf(leaf_name, sizeof leaf_name, "trinv%d_unb", variant);
    walk.leaf = kernel_of(leaf_name, "");
    for (int64_t k = 0; k < n && walk.goes_on; k += b) {
        const int64_t block = blocked_smaller(b, n - k), r = n - k - block;
        const struct blocked_operand l00 = lower(0, k), l11 = lower(k, block);
        const struct blocked_operand l22 = lower(k + block, r);
        const struct blocked_operand l10 = { 0, k, 0, block, k, BLOCKED_FULL };
        const struct blocked_operand l20 = { 0, k + block, 0, r, k, BLOCKED_FULL };
        const struct blocked_operand l21 = { 0, k + block, k, r, block, BLOCKED_FULL };

        switch (variant) {
        case 1:
            visit_two(&walk, &trmm, 1, &l00, &l10);
            visit_two(&walk, &left, -1, &l11, &l10);
            break;
        case 2:
            visit_two(&walk, &left, 1, &l22, &l21);
            visit_two(&walk, &right, -1, &l11, &l21);
            break;
        case 3:
            visit_two(&walk, &right, -1, &l11, &l21);
            visit_gemm(&walk, 1, &l21, &l10, &l20);
            visit_two(&walk, &left, 1, &l11, &l10);
            break;
        default:
            visit_two(&walk, &left, -1, &l22, &l21);
            visit_gemm(&walk, -1, &l21, &l10, &l20);
            visit_two(&walk, &trmm, 1, &l00, &l10);
        }
        visit(&walk, &(struct blocked_call){ walk.leaf, { block }, 1, 1, { l11 } });
    }
    return walk.goes_on;
}

/* The three parts of the rows or columns of a step: before the block (0), the block (1) and after
 * it (2), by where they begin in L or U. */
struct parts {
    int64_t at[3], extent[3];
};

static struct parts parts_of(int64_t from, int64_t before, int64_t block, int64_t after)
{
    return (struct parts){ { from, from + before, from + before + block },
                           { before, block, after } };
}

/* Rows and columns of a step (docs/models/blocked.md#statements-of-a-step). */
struct step {
    struct parts rows, columns;
};

enum { L, U, X };

static struct blocked_operand part(int matrix, const struct parts *rows, int row,
                                   const struct parts *columns, int column)
{
    return (struct blocked_operand){
        matrix,      rows->at[row], columns->at[column], rows->extent[row], columns->extent[column],
        BLOCKED_FULL
    };
}

static bool is_empty(const struct blocked_operand *operand)
{
    return !operand->rows || !operand->columns;
}

/* X_rc += alpha X_ri U_ic; no call if a block is empty. */
static void times_u(struct walk *walk, const struct step *s, int r, int c, int i, int alpha)
{
    const struct blocked_operand a = part(X, &s->rows, r, &s->columns, i);
    const struct blocked_operand b = part(U, &s->columns, i, &s->columns, c);
    const struct blocked_operand x = part(X, &s->rows, r, &s->columns, c);

    if (!is_empty(&a) && !is_empty(&b))
        visit_gemm(walk, alpha, &a, &b, &x);
}

/* X_rc += alpha L_ri X_ic. */
static void l_times(struct walk *walk, const struct step *s, int r, int c, int i, int alpha)
{
    const struct blocked_operand a = part(L, &s->rows, r, &s->rows, i);
    const struct blocked_operand b = part(X, &s->rows, i, &s->columns, c);
    const struct blocked_operand x = part(X, &s->rows, r, &s->columns, c);

    if (!is_empty(&a) && !is_empty(&b))
        visit_gemm(walk, alpha, &a, &b, &x);
}

static void solve_leaf(struct walk *walk, const struct step *s)
{
    const struct blocked_operand x = part(X, &s->rows, 1, &s->columns, 1);
    struct blocked_operand l = part(L, &s->rows, 1, &s->rows, 1);
    struct blocked_operand u = part(U, &s->columns, 1, &s->columns, 1);

    l.triangle = BLOCKED_LOWER;
    u.triangle = BLOCKED_UPPER;
    if (!is_empty(&x))
        visit(walk, &(struct blocked_call){ walk->leaf, { x.rows, x.columns }, 1, 3, { l, u, x } });
}

/* A panel of X by where it begins, which is also where its parts of L and U begin. */
struct panel {
    int64_t row, column, rows, columns;
};

static void solve(struct walk *walk, struct panel panel);

static void solve_part(struct walk *walk, const struct step *s, int r, int c)
{
    solve(walk, (struct panel){ s->rows.at[r], s->columns.at[c], s->rows.extent[r],
                                s->columns.extent[c] });
}

/* The statements up to the solve of the block (docs/models/blocked.md#statements-of-a-step). */
static void solve_block(struct walk *walk, const struct step *s)
{
    const int p = walk->p, q = walk->q;

    if (p == 0)
        times_u(walk, s, 0, 1, 0, -1);
    if (q == 0)
        l_times(walk, s, 1, 0, 0, -1);
    if (p <= 1)
        solve_part(walk, s, 0, 1);
    if (q <= 1)
        solve_part(walk, s, 1, 0);
    if (q != 3)
        times_u(walk, s, 1, 1, 0, -1);
    if (p != 3)
        l_times(walk, s, 1, 1, 0, -1);
    solve_leaf(walk, s);
}

/* The statements after the solve: they restore the loop invariant. */
static void advance(struct walk *walk, const struct step *s)
{
    const int p = walk->p, q = walk->q;

    if (p == 1)
        times_u(walk, s, 0, 2, 1, -1);
    if (p == 0 && q == 3)
        times_u(walk, s, 1, 2, 0, 1);
    if (p >= 1 && q != 3)
        times_u(walk, s, 1, 2, 0, -1);
    if (p >= 1)
        times_u(walk, s, 1, 2, 1, -1);
    if (p == 2)
        l_times(walk, s, 1, 2, 0, -1);
    if (q == 1)
        l_times(walk, s, 2, 0, 1, -1);
    if (q == 0 && p == 3)
        l_times(walk, s, 2, 1, 0, 1);
    if (q >= 1 && p != 3)
        l_times(walk, s, 2, 1, 0, -1);
    if (q >= 1)
        l_times(walk, s, 2, 1, 1, -1);
    if (q == 2)
        times_u(walk, s, 2, 1, 0, -1);
    if (p >= 2 && s->rows.extent[2])
        solve_part(walk, s, 1, 2);
    if (q >= 2 && s->columns.extent[2])
        solve_part(walk, s, 2, 1);
    if (q == 3)
        times_u(walk, s, 2, 2, 1, -1);
    if (p == 3)
        l_times(walk, s, 2, 2, 1, -1);
}

/* Solves a panel.  Variants that solve the whole rest of a panel in its first step would recurse as
 * deep as the panel has blocks.  All statements after that recursion are empty, so the loop
 * continues with the rest of the panel instead, and recursion stays a few levels deep. */
static void solve(struct walk *walk, struct panel panel)
{
    int64_t i = 0, j = 0;

    while (panel.rows && panel.columns && (i < panel.rows || j < panel.columns) && walk->goes_on) {
        const int64_t bm = blocked_smaller(walk->b, panel.rows - i), rm = panel.rows - i - bm;
        const int64_t bn = blocked_smaller(walk->b, panel.columns - j);
        const int64_t rn = panel.columns - j - bn;
        const struct step s = { parts_of(panel.row, i, bm, rm), parts_of(panel.column, j, bn, rn) };

        /* The remaining steps along the other dimension are empty too. */
        if ((!bn && walk->q >= 2) || (!bm && walk->p >= 2))
            return;
        solve_block(walk, &s);
        advance(walk, &s);
        i += bm;
        j += bn;
        if (walk->p >= 2 && !rm)
            panel = (struct panel){ s.rows.at[1], s.columns.at[2], bm, rn };
        else if (walk->q >= 2 && !rn)
            panel = (struct panel){ s.rows.at[2], s.columns.at[1], rm, bn };
        else
            continue;
        i = j = 0;
    }
}

bool sylv_calls(int variant, int64_t m, int64_t n, int64_t b, enum sylv_leaf leaf,
                blocked_visit *visitor, void *context)
{
    struct walk walk = {
        .visit = visitor,
        .context = context,
        .b = b,
        .p = (variant - 1) / 4,
        .q = (variant - 1) % 4,
        .gemm = kernel_of("dgemm", "NN"),
        .goes_on = true,
    };
    char leaf_name[32] = "sylv_unb";

    if (leaf == SYLV_LEAF_OWN)
        snprintf(leaf_name, sizeof leaf_name, "sylv%d_unb", variant);
    walk.leaf = kernel_of(leaf_name, "");
    solve(&walk, (struct panel){ 0, 0, m, n });
    return walk.goes_on;
}
