/* Bounds on work and memory from the block counts of each step. */
#include "engine/sparse/counts/work.h"

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

/* Look-ups of products within the window, searches for destinations, and waits of those who receive
 * a panel; messages go to all processes of a column.  A product takes as long as two updates, a
 * search and a wait as a quarter. */
struct sparse_demand sparse_window_demand(const struct sparse_structure *s, struct sparse_grid grid,
                                          int32_t window)
{
    const double processes = (double)sparse_processes(grid);
    double products = 0, searches = 0, pieces = 0, waits = 0, shares = 0;

    for (int32_t k = 0; k < s->supernodes; k++) {
        const int64_t l = s->l_at[k + 1] - s->l_at[k], u = s->u_at[k + 1] - s->u_at[k];
        const double rows = lesser(l, grid.rows), columns = lesser(u, grid.columns);

        products += (double)l * lesser(u, window) + lesser(l, window + 1) * (double)u;
        searches += (double)l * columns + (double)u * rows;
        pieces += rows * (columns + lesser(u, window));
        waits += grid.rows * (1 + 2 * columns);
        shares += rows + columns + 1;
    }
    return (struct sparse_demand){
        .updates = 2 * products + searches / 4 + 3 * shares + blocks_of(s),
        .bytes =
            48 * (pieces + shares) + 32 * processes * (window + 2) + 64 * (double)s->supernodes,
        .steps = 3 * (waits + pieces) + 12 * (double)s->supernodes + 2 * blocks_of(s),
    };
}

struct sparse_demand sparse_layers_demand(const struct sparse_structure *s, struct sparse_grid grid,
                                          int32_t layers)
{
    const double supernodes = (double)s->supernodes;
    const double processes = (double)layers * (double)sparse_processes(grid);
    double shares = 0, levels = 1;

    for (int32_t k = 0; k < s->supernodes; k++)
        shares += lesser(s->l_at[k + 1] - s->l_at[k] + 1, grid.rows) +
                  lesser(s->u_at[k + 1] - s->u_at[k], grid.columns);
    for (int32_t l = layers; l > 1; l /= 2)
        levels++;
    return (struct sparse_demand){
        .bytes = 64 * supernodes + 160 * processes,
        .steps = 3 * shares + 12 * supernodes + 2 * blocks_of(s) + 4 * levels * processes,
    };
}

/* One sweep is held at a time: its blocks, the places of its rows and when their work ended. */
struct sparse_demand sparse_solve_demand(const struct sparse_structure *s, struct sparse_grid grid)
{
    const double supernodes = (double)s->supernodes;
    const double most =
        (double)(s->facts.l_blocks > s->facts.u_blocks ? s->facts.l_blocks : s->facts.u_blocks);

    return (struct sparse_demand){
        .updates = blocks_of(s) / 3,
        .bytes = (sizeof(struct sparse_sweep_block) + 20) * most + 32 * supernodes +
                 40 * (double)sparse_processes(grid),
        .steps = 3 * blocks_of(s) + supernodes * (12 + grid.rows),
    };
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
