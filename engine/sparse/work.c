#include "engine/sparse/work.h"

#include "engine/sparse/work_counts.h"

static double lesser(int64_t a, int64_t b)
{
    return (double)(a < b ? a : b);
}

void sparse_work_find(const struct sparse_structure *s, struct sparse_grid grid,
                      struct sparse_work *out)
{
    *out = (struct sparse_work){ 0 };
    for (int32_t k = 0; k < s->supernodes; k++) {
        const int64_t l = s->l_at[k + 1] - s->l_at[k], u = s->u_at[k + 1] - s->u_at[k];
        const double rows = lesser(l, grid.rows);

        out->panels += lesser(l + 1, grid.rows) + lesser(u, grid.columns);
        out->updates += rows * lesser(u, grid.columns);
        if (u > 0 && s->u[s->u_at[k]].j == k + 1) /* charged apart from the other columns */
            out->updates += rows;
    }
}

/* Charges that grow have half as much room again, and some more. */
double sparse_work_bytes(const struct sparse_work *work, const struct sparse_structure *s,
                         struct sparse_grid grid, size_t panel_words, size_t update_words)
{
    const double words = work->panels * (double)panel_words + work->updates * (double)update_words;
    const double process =
        (double)s->supernodes + sizeof(struct sparse_process) + 64 * sizeof(double);

    return 1.5 * sizeof(double) * words + (double)sparse_processes(grid) * process;
}

static double blocks_of(const struct sparse_structure *s)
{
    return (double)(s->facts.l_blocks + s->facts.u_blocks);
}

double sparse_find_steps(const struct sparse_structure *s)
{
    return 2 * (double)s->supernodes;
}

double sparse_walk_steps(const struct sparse_structure *s, struct sparse_grid grid)
{
    return 1.5 * (double)s->supernodes * (double)sparse_processes(grid) + 2 * blocks_of(s);
}

double sparse_charge_steps(const struct sparse_work *work)
{
    return 12 * (work->panels + work->updates);
}

/* Each process goes through all steps and blocks to find its own. */
double sparse_paper_updates(const struct sparse_structure *s, struct sparse_grid grid)
{
    return s->facts.updates +
           (double)sparse_processes(grid) * ((double)s->supernodes / 6 + blocks_of(s) / 60);
}

/* A look-up takes as long as three updates; blocks of U are looked up for one process as well. */
double sparse_calibrated_updates(const struct sparse_work *work, const struct sparse_structure *s)
{
    return 3 * (work->panels + work->updates) + blocks_of(s);
}
