/* What processes hold, counted on a grid or taken from the facts of a partition. */
#include "engine/core/arena.h"
#include "engine/krylov/solvers/solvers.h"

#include <math.h>

double krylov_neighbors(const struct krylov_stencil *stencil)
{
    const size_t k = stencil->local_grid.count;

    return stencil->is_full ? krylov_power(3, k) : 2 * (double)k + 1;
}

/* Pairs of points of the box that are neighbors, each point with itself included. */
static double inner_pairs(const struct krylov_stencil *stencil)
{
    const struct fr_vector *box = &stencil->local_grid;
    const double points = fr_vector_product(box);
    double pairs = points;

    if (stencil->is_full)
        return krylov_inside_entries(box);
    for (size_t d = 0; d < box->count; d++)
        pairs += 2 * ((double)box->at[d] - 1) * points / (double)box->at[d];
    return pairs;
}

static double balance(const struct krylov_stencil *stencil, const struct fr_vector *process_grid,
                      const struct fr_vector *global_grid)
{
    if (!global_grid->count)
        return 1;
    return fr_vector_product(&stencil->local_grid) * fr_vector_product(process_grid) /
           fr_vector_product(global_grid);
}

struct krylov_holding krylov_grid_holding(const struct krylov_stencil *stencil,
                                          const struct fr_vector *process_grid)
{
    const double dof = stencil->values_per_point;
    const double rows = dof * fr_vector_product(&stencil->local_grid);
    const double words = krylov_sent_bytes(stencil, process_grid) / 8;

    return (struct krylov_holding){
        .rows = rows,
        .entries = rows * dof * krylov_neighbors(stencil),
        .diagonal = dof * dof * inner_pairs(stencil),
        .ghosts = words,
        .sent = words,
    };
}

struct krylov_problem krylov_grid_problem(const struct krylov_stencil *stencil,
                                          const struct fr_vector *process_grid,
                                          const struct fr_vector *global_grid,
                                          const struct krylov_storage *storage)
{
    const struct krylov_holding holding = krylov_grid_holding(stencil, process_grid);

    return (struct krylov_problem){
        .bytes =
            krylov_bytes(&holding, storage->preconditioner, storage->vectors, storage->index_bytes),
        .own_share = holding.diagonal / holding.entries,
        .load_balance_factor = balance(stencil, process_grid, global_grid),
    };
}

/* Values that each process receives and sends. */
struct exchanged {
    double ghosts, sent;
};

int krylov_matrix_problem(const struct krylov_partition *facts,
                          const struct krylov_storage *storage, struct fr_arena *arena,
                          struct krylov_problem *out, struct fr_faults *faults)
{
    const struct fr_arena_mark mark = fr_arena_mark(arena);
    const size_t count = (size_t)facts->processes;
    struct exchanged *each = fr_arena_zeroed(arena, count, sizeof *each);
    struct krylov_problem problem = { .own_share = 1, .load_balance_factor = 1 };
    double all = 0, own = 0, most = 0;

    if (!each)
        return fr_fault(faults, FR_NOMEM, "nodes", "too many processes");
    for (size_t i = 0; i < facts->message_count; i++) {
        each[facts->message[i].from].sent += (double)facts->message[i].words;
        each[facts->message[i].to].ghosts += (double)facts->message[i].words;
    }
    for (size_t r = 0; r < count; r++) {
        const struct krylov_holding holding = {
            .rows = (double)facts->rows[r],
            .entries = (double)facts->diagonal[r] + (double)facts->offdiagonal[r],
            .diagonal = (double)facts->diagonal[r],
            .ghosts = each[r].ghosts,
            .sent = each[r].sent,
        };
        const struct krylov_bytes bytes =
            krylov_bytes(&holding, storage->preconditioner, storage->vectors, storage->index_bytes);

        problem.bytes = krylov_most_bytes(&problem.bytes, &bytes);
        all += holding.entries;
        own += holding.diagonal;
        most = fmax(most, holding.entries);
    }
    if (all > 0) {
        problem.own_share = own / all;
        problem.load_balance_factor = most * (double)count / all;
    }
    fr_arena_release(arena, mark);
    *out = problem;
    return FR_OK;
}
