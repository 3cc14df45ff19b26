/* Exchanges among the processes that have rows of a level. */
#include "engine/krylov/halo/halo.h"
#include "engine/krylov/multigrid/multigrid.h"

#include <math.h>

/* ---- levels of grids ------------------------------------------------------------------------ */

static int64_t divisor_below(int64_t number, double most)
{
    int64_t divisor = (int64_t)fmin(fmax(1, floor(most)), (double)number);

    while (number % divisor)
        divisor--;
    return divisor;
}

/* The grid of the processes that have rows: spread evenly over the nodes where some have none. */
static struct krylov_grid_values grid_of(const struct krylov_grid_values *finest,
                                         const struct krylov_level *level)
{
    struct krylov_grid_values grid = *finest;
    struct krylov_layout *layout = &grid.layout;
    const struct fr_vector *all = &finest->layout.process_grid;

    if (fr_vector_equal(all, &level->grid.process_grid))
        return grid;
    layout->process_grid = level->grid.process_grid;
    layout->on_node_grid.count = all->count;
    for (size_t d = 0; d < all->count; d++) {
        const int64_t box =
            finest->layout.on_node_grid.count ? finest->layout.on_node_grid.at[d] : 1;
        const int64_t host = finest->layout.host_grid.at[d];
        const double share = (double)level->grid.process_grid.at[d] / (double)all->at[d];
        int64_t nodes;

        layout->on_node_grid.at[d] =
            divisor_below(level->grid.process_grid.at[d], (double)box * share);
        nodes = level->grid.process_grid.at[d] / layout->on_node_grid.at[d];
        layout->host_grid.at[d] =
            divisor_below(nodes, (double)host * (double)nodes * (double)box / (double)all->at[d]);
    }
    grid.common.processes_per_node = (int64_t)fr_vector_product(&layout->on_node_grid);
    return grid;
}

struct krylov_link_load krylov_level_load(const struct krylov_cycle_conduct *conduct,
                                          const struct krylov_level *level,
                                          struct fr_evaluation *run)
{
    const struct krylov_grid *grid = &level->grid;

    if (!conduct->has_links ||
        !fr_vector_equal(&grid->process_grid, &conduct->grid->layout.process_grid))
        return krylov_no_load;
    return krylov_corrected_load(conduct->grid, &grid->stencil, conduct->placement, &conduct->burst,
                                 run);
}

struct krylov_time krylov_finest_exchange(const struct krylov_cycle_conduct *conduct,
                                          const struct krylov_level *level,
                                          struct fr_evaluation *run)
{
    const struct krylov_overlap overlap = { .is_blocking = true };

    return krylov_halo_exchange(conduct->grid, &level->grid.stencil, run, &overlap).chosen;
}

/* ---- levels given by their sizes ------------------------------------------------------------ */

/* So many values in messages of the same size, as many of them on the node as of the finest level,
 * but not more than the node has other processes. */
static struct krylov_time estimated_exchange(const struct krylov_values *v, double messages,
                                             double values, const struct krylov_time *finest,
                                             const struct krylov_overlap *overlap,
                                             struct fr_evaluation *run)
{
    const struct halo_conduct conduct = halo_conduct(v, run, overlap);
    const struct krylov_distance distance = krylov_distance(v, run, false);
    const double all = finest->on_node_messages + finest->off_node_messages;
    struct halo_series series = { 0 };
    double on_node, bytes;

    if (messages <= 0 || all <= 0)
        return series.time;
    bytes = 8 * values / messages;
    on_node = fmin(messages * finest->on_node_messages / all, (double)v->processes_per_node - 1);
    for (int is_off_node = 0; is_off_node <= 1; is_off_node++) {
        const double count = is_off_node ? messages - on_node : on_node;
        const struct halo_message message =
            halo_message(&conduct, run, bytes, is_off_node, distance);

        if (count > 0)
            halo_series_add(&conduct, &message, count, &series);
    }
    return halo_series_time(&conduct, &series);
}

/* ---- either --------------------------------------------------------------------------------- */

static struct krylov_time exchange(const struct krylov_cycle_conduct *conduct,
                                   const struct krylov_level *level,
                                   const struct krylov_stencil *stencil, double values,
                                   const struct krylov_time *finest,
                                   const struct krylov_overlap *overlap, struct fr_evaluation *run)
{
    const double messages = level->grid.points.count
                                ? finest->on_node_messages + finest->off_node_messages
                                : level->messages;
    struct krylov_grid_values grid;

    if (!stencil->local_grid.count)
        return estimated_exchange(&conduct->grid->common, messages, values, finest, overlap, run);
    grid = grid_of(conduct->grid, level);
    return krylov_halo_exchange(&grid, stencil, run, overlap).chosen;
}

struct krylov_time krylov_level_exchange(const struct krylov_cycle_conduct *conduct,
                                         const struct krylov_level *level,
                                         const struct krylov_time *finest,
                                         const struct krylov_overlap *overlap,
                                         struct fr_evaluation *run)
{
    return exchange(conduct, level, &level->grid.stencil, level->holding.ghosts, finest, overlap,
                    run);
}

struct krylov_time krylov_transfer_exchange(const struct krylov_cycle_conduct *conduct,
                                            const struct krylov_level *level,
                                            const struct krylov_time *finest,
                                            struct fr_evaluation *run)
{
    const struct krylov_overlap overlap = { .is_blocking = true };

    return exchange(conduct, level, &level->transfer.stencil, level->transfer.ghosts, finest,
                    &overlap, run);
}
