/* Generates the calls of the blocked algorithms (docs/models/blocked.md#symbols).
 * tests/validation/blocked executes the algorithms and compares its calls with these.
 *
 * b is the block size.  trinv: k rows above the block, r below.  sylv: i, j rows and columns before
 * the block, bm x bn the block, rm, rn rows and columns after it; p, q the progress of the
 * top-right and of the bottom-left chain in the loop invariant.
 */
#include "engine/blocked/sequence.h"

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
    snprintf(kernel.flags, sizeof kernel.flags, "%s", flags);
    return kernel;
}

static void visit(struct walk *walk, const struct blocked_kernel *kernel, int64_t first,
                  int64_t second, int64_t third, int alpha)
{
    const struct blocked_call call = { *kernel, { first, second, third }, alpha };

    if (walk->goes_on)
        walk->goes_on = walk->visit(walk->context, &call);
}

bool trinv_calls(int variant, int64_t n, int64_t b, blocked_visit *visitor, void *context)
{
    const struct blocked_kernel trmm = kernel_of("dtrmm", "RLNN"), gemm = kernel_of("dgemm", "NN");
    const struct blocked_kernel left = kernel_of("dtrsm", "LLNN");
    const struct blocked_kernel right = kernel_of("dtrsm", "RLNN");
    struct walk walk = { .visit = visitor, .context = context, .goes_on = true };
    char leaf_name[32];
    struct blocked_kernel leaf;

    snprintf(leaf_name, sizeof leaf_name, "trinv%d_unb", variant);
    leaf = kernel_of(leaf_name, "");
    for (int64_t k = 0; k < n && walk.goes_on; k += b) {
        const int64_t block = blocked_smaller(b, n - k), r = n - k - block;

        switch (variant) {
        case 1:
            visit(&walk, &trmm, block, k, 0, 1);
            visit(&walk, &left, block, k, 0, -1);
            break;
        case 2:
            visit(&walk, &left, r, block, 0, 1);
            visit(&walk, &right, r, block, 0, -1);
            break;
        case 3:
            visit(&walk, &right, r, block, 0, -1);
            visit(&walk, &gemm, r, k, block, 1);
            visit(&walk, &left, block, k, 0, 1);
            break;
        default:
            visit(&walk, &left, r, block, 0, -1);
            visit(&walk, &gemm, r, k, block, -1);
            visit(&walk, &trmm, block, k, 0, 1);
        }
        visit(&walk, &leaf, block, 0, 0, 1);
    }
    return walk.goes_on;
}

/* X -= A B, or += if alpha is 1; no call if a block is empty. */
static void update(struct walk *walk, int64_t m, int64_t n, int64_t k, int alpha)
{
    if (m && n && k)
        visit(walk, &walk->gemm, m, n, k, alpha);
}

/* Position and block sizes of a step. */
struct step {
    int64_t i, j, bm, bn, rm, rn;
};

static void solve(struct walk *walk, int64_t m, int64_t n);

/* The statements up to the solve of the block (docs/models/blocked.md#statements-of-a-step). */
static void solve_block(struct walk *walk, const struct step *s)
{
    const int p = walk->p, q = walk->q;

    if (p == 0)
        update(walk, s->i, s->bn, s->j, -1);
    if (q == 0)
        update(walk, s->bm, s->j, s->i, -1);
    if (p <= 1)
        solve(walk, s->i, s->bn);
    if (q <= 1)
        solve(walk, s->bm, s->j);
    if (q != 3)
        update(walk, s->bm, s->bn, s->j, -1);
    if (p != 3)
        update(walk, s->bm, s->bn, s->i, -1);
    if (s->bm && s->bn)
        visit(walk, &walk->leaf, s->bm, s->bn, 0, 1);
}

/* The statements after the solve: they restore the loop invariant. */
static void advance(struct walk *walk, const struct step *s)
{
    const int p = walk->p, q = walk->q;

    if (p == 1)
        update(walk, s->i, s->rn, s->bn, -1);
    if (p == 0 && q == 3)
        update(walk, s->bm, s->rn, s->j, 1);
    if (p >= 1 && q != 3)
        update(walk, s->bm, s->rn, s->j, -1);
    if (p >= 1)
        update(walk, s->bm, s->rn, s->bn, -1);
    if (p == 2)
        update(walk, s->bm, s->rn, s->i, -1);
    if (q == 1)
        update(walk, s->rm, s->j, s->bm, -1);
    if (q == 0 && p == 3)
        update(walk, s->rm, s->bn, s->i, 1);
    if (q >= 1 && p != 3)
        update(walk, s->rm, s->bn, s->i, -1);
    if (q >= 1)
        update(walk, s->rm, s->bn, s->bm, -1);
    if (q == 2)
        update(walk, s->rm, s->bn, s->j, -1);
    if (p >= 2 && s->rm)
        solve(walk, s->bm, s->rn);
    if (q >= 2 && s->rn)
        solve(walk, s->rm, s->bn);
    if (q == 3)
        update(walk, s->rm, s->rn, s->bn, -1);
    if (p == 3)
        update(walk, s->rm, s->rn, s->bm, -1);
}

/* Solves a panel.  Variants that solve the whole rest of a panel in its first step would recurse as
 * deep as the panel has blocks.  All statements after that recursion are empty, so the loop
 * continues with the rest of the panel instead, and recursion stays a few levels deep. */
static void solve(struct walk *walk, int64_t m, int64_t n)
{
    struct step s = { 0 };

    while (m && n && (s.i < m || s.j < n) && walk->goes_on) {
        s.bm = blocked_smaller(walk->b, m - s.i);
        s.bn = blocked_smaller(walk->b, n - s.j);
        s.rm = m - s.i - s.bm;
        s.rn = n - s.j - s.bn;
        /* The remaining steps along the other dimension are empty too. */
        if ((!s.bn && walk->q >= 2) || (!s.bm && walk->p >= 2))
            return;
        solve_block(walk, &s);
        advance(walk, &s);
        s.i += s.bm;
        s.j += s.bn;
        if ((walk->p >= 2 && !s.rm) || (walk->q >= 2 && !s.rn)) {
            const bool is_wide = walk->p >= 2 && !s.rm;

            m = is_wide ? s.bm : s.rm;
            n = is_wide ? s.rn : s.bn;
            s.i = s.j = 0;
        }
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
    solve(&walk, m, n);
    return walk.goes_on;
}
