/* The step of a variant is a list of statements, selected once from a table
 * (docs/models/blocked.md#statements-of-a-step).
 *
 * A step divides rows and columns in three: before the block (0), the block (1), after it (2).
 * Every update is X_rc += alpha X_ri U_ic or X_rc += alpha L_ri X_ic, every solve is
 * S(L_rr, U_cc, X_rc).  p and q, 0 to 3, are the progress of the top-right and of the bottom-left
 * chain in the loop invariant.
 *
 * Steps without work are executed too.  Twelve variants solve the whole rest of a panel in its
 * first step and have only such steps afterwards, which makes them slow with block size 1.  Leaving
 * the loop early would measure another algorithm.
 */
#include "calibrations/calibrate/blocked/unblocked.h"

#include <stddef.h>

enum { IS_0 = 1, IS_1 = 2, IS_2 = 4, IS_3 = 8, ANY = IS_0 | IS_1 | IS_2 | IS_3 };
enum kind { TIMES_U, L_TIMES, PANEL, LEAF };

struct statement {
    int p, q; /* values for which it is executed: sets of IS_ */
    enum kind kind;
    int row, column, inner, alpha;
};

static const struct statement statements[] = {
    { IS_0, ANY, TIMES_U, 0, 1, 0, -1 },
    { ANY, IS_0, L_TIMES, 1, 0, 0, -1 },
    { IS_0 | IS_1, ANY, PANEL, 0, 1, 0, 0 },
    { ANY, IS_0 | IS_1, PANEL, 1, 0, 0, 0 },
    { ANY, ANY & ~IS_3, TIMES_U, 1, 1, 0, -1 },
    { ANY & ~IS_3, ANY, L_TIMES, 1, 1, 0, -1 },
    { ANY, ANY, LEAF, 1, 1, 0, 0 },
    { IS_1, ANY, TIMES_U, 0, 2, 1, -1 },
    { IS_0, IS_3, TIMES_U, 1, 2, 0, 1 },
    { ANY & ~IS_0, ANY & ~IS_3, TIMES_U, 1, 2, 0, -1 },
    { ANY & ~IS_0, ANY, TIMES_U, 1, 2, 1, -1 },
    { IS_2, ANY, L_TIMES, 1, 2, 0, -1 },
    { ANY, IS_1, L_TIMES, 2, 0, 1, -1 },
    { IS_3, IS_0, L_TIMES, 2, 1, 0, 1 },
    { ANY & ~IS_3, ANY & ~IS_0, L_TIMES, 2, 1, 0, -1 },
    { ANY, ANY & ~IS_0, L_TIMES, 2, 1, 1, -1 },
    { ANY, IS_2, TIMES_U, 2, 1, 0, -1 },
    { IS_2 | IS_3, ANY, PANEL, 1, 2, 0, 0 },
    { ANY, IS_2 | IS_3, PANEL, 2, 1, 0, 0 },
    { ANY, IS_3, TIMES_U, 2, 2, 1, -1 },
    { IS_3, ANY, L_TIMES, 2, 2, 1, -1 },
};
enum { STATEMENTS = sizeof statements / sizeof *statements };

struct solver {
    const struct fr_sylv *how;
    int ldl, ldu, ldx;
    size_t count;
    struct statement statement[STATEMENTS]; /* those of the variant */
};

/* Starts of the three parts, and the end. */
struct cut {
    int at[4];
};

static int extent(const struct cut *cut, int part)
{
    return cut->at[part + 1] - cut->at[part];
}

static ptrdiff_t place(const struct cut *rows, int row, const struct cut *columns, int column,
                       int ld)
{
    return rows->at[row] + (ptrdiff_t)columns->at[column] * ld;
}

static void begin_step(struct cut *cut, int block_size)
{
    const int left = cut->at[3] - cut->at[1];

    cut->at[2] = cut->at[1] + (left < block_size ? left : block_size);
}

static void solve(const struct solver *solver, int m, int n, const double *l, const double *u,
                  double *x);

static void execute(const struct solver *solver, const struct statement *s, const struct cut *rows,
                    const struct cut *columns, const double *l, const double *u, double *x)
{
    const int ldl = solver->ldl, ldu = solver->ldu, ldx = solver->ldx;
    const int m = extent(rows, s->row), n = extent(columns, s->column);
    double *target = x + place(rows, s->row, columns, s->column, ldx);
    int k;

    if (!m || !n)
        return;
    switch (s->kind) {
    case TIMES_U:
        if ((k = extent(columns, s->inner)))
            solver->how->update(m, n, k, s->alpha, x + place(rows, s->row, columns, s->inner, ldx),
                                ldx, u + place(columns, s->inner, columns, s->column, ldu), ldu,
                                target, ldx);
        break;
    case L_TIMES:
        if ((k = extent(rows, s->inner)))
            solver->how->update(m, n, k, s->alpha, l + place(rows, s->row, rows, s->inner, ldl),
                                ldl, x + place(rows, s->inner, columns, s->column, ldx), ldx,
                                target, ldx);
        break;
    case PANEL:
        solve(solver, m, n, l + place(rows, s->row, rows, s->row, ldl),
              u + place(columns, s->column, columns, s->column, ldu), target);
        break;
    case LEAF:
        solver->how->leaf(solver->how->variant, m, n, l + place(rows, s->row, rows, s->row, ldl),
                          ldl, u + place(columns, s->column, columns, s->column, ldu), ldu, target,
                          ldx);
    }
}

/* Goes diagonally while both dimensions last, then along the longer one. */
static void solve(const struct solver *solver, int m, int n, const double *l, const double *u,
                  double *x)
{
    struct cut rows = { .at[3] = m }, columns = { .at[3] = n };

    while (rows.at[1] < m || columns.at[1] < n) {
        begin_step(&rows, solver->how->block_size);
        begin_step(&columns, solver->how->block_size);
        for (size_t i = 0; i < solver->count; i++)
            execute(solver, &solver->statement[i], &rows, &columns, l, u, x);
        rows.at[1] = rows.at[2];
        columns.at[1] = columns.at[2];
    }
}

void fr_sylv_solve(const struct fr_sylv *how, int m, int n, const double *l, int ldl,
                   const double *u, int ldu, double *x, int ldx)
{
    const int p = 1 << (how->variant - 1) / 4, q = 1 << (how->variant - 1) % 4;
    struct solver solver = { .how = how, .ldl = ldl, .ldu = ldu, .ldx = ldx };

    for (size_t i = 0; i < STATEMENTS; i++)
        if (statements[i].p & p && statements[i].q & q)
            solver.statement[solver.count++] = statements[i];
    solve(&solver, m, n, l, u, x);
}
