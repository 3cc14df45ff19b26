/* Bounds on work and memory from the block counts of each step. */
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
        if (u > 0 && s->u[s->u_at[k]].j == k + 1) /* update_next is an operation of its own */
            out->updates += rows;
    }
}

/* The arrays of operations grow by half, starting from 64 terms. */
double sparse_work_bytes(const struct sparse_work *work, const struct sparse_structure *s,
                         struct sparse_grid grid, size_t panel_terms, size_t update_terms)
{
    const double terms = work->panels * (double)panel_terms + work->updates * (double)update_terms;
    const double process =
        (double)s->supernodes + sizeof(struct sparse_process) + 64 * sizeof(double);

    return 1.5 * sizeof(double) * terms + (double)sparse_processes(grid) * process +
           sizeof(double) * (double)s->supernodes; /* the chain of panels */
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

double sparse_operation_steps(const struct sparse_work *work)
{
    return 12 * (work->panels + work->updates);
}

/* Each process passes over all steps and blocks to find its own. */
double sparse_paper_updates(const struct sparse_structure *s, struct sparse_grid grid)
{
    return s->facts.updates +
           (double)sparse_processes(grid) * ((double)s->supernodes / 6 + blocks_of(s) / 60);
}

/* A look-up takes as long as three updates; the blocks of U are also looked up for the sequential
 * time. */
double sparse_calibrated_updates(const struct sparse_work *work, const struct sparse_structure *s)
{
    return 3 * (work->panels + work->updates) + blocks_of(s);
}
