/* Time of a V-cycle: computation and messages of each level (docs/models/multigrid.md#a-cycle). */
#include "engine/krylov/halo/halo.h"
#include "engine/krylov/multigrid/multigrid.h"
#include "engine/krylov/solvers/solvers.h"

#include <math.h>

struct cycle {
    const struct krylov_cycle_conduct *conduct;
    const struct krylov_smoothing *smoothing;
    const struct krylov_levels *levels;
    struct fr_evaluation *run;
    struct krylov_least least;
    struct krylov_time finest; /* an exchange of the finest level */
    struct krylov_cycle out;
};

/* ---- computation ---------------------------------------------------------------------------- */

/* What a level does in a cycle. */
struct work {
    double products, traversals, words, exchanges;
};

/* A product for the residual; before it no sweep but the first after a zero guess goes without. */
static struct work smoothed(const struct krylov_smoothing *smoothing)
{
    const struct krylov_sweep *sweep = krylov_sweep(smoothing->smoother);
    const double pre = smoothing->pre_sweeps, post = smoothing->post_sweeps;
    struct work work = { .products = 1, .words = 1 + 3, .exchanges = fmax(pre, 1) + post };

    work.traversals = (pre + post) * sweep->traversals;
    if (sweep->traversals == 0)
        work.products = work.exchanges;
    if (pre > 0)
        work.words += sweep->zero_words + (pre - 1) * sweep->words;
    if (post > 0)
        work.words += sweep->first_words + (post - 1) * sweep->words;
    return work;
}

/* The coarsest level, by all sweeps at once. */
static struct work smoothed_alone(const struct krylov_smoothing *smoothing)
{
    const struct krylov_sweep *sweep = krylov_sweep(smoothing->smoother);
    const double count = smoothing->pre_sweeps + smoothing->post_sweeps;
    struct work work = { .words = 1, .exchanges = fmax(count - 1, 0) };

    work.traversals = count * sweep->traversals;
    if (sweep->traversals == 0)
        work.products = work.exchanges;
    if (count > 0)
        work.words += sweep->zero_words + (count - 1) * sweep->words;
    return work;
}

/* Restriction and interpolation: both read the entries and the values of both levels. */
static double transfer_bytes(const struct krylov_level *level, double i)
{
    return 2 * level->transfer.entries * (8 + i) + level->holding.rows * (2 * i + 24) +
           24 * level->transfer.coarse_rows;
}

static double product_bytes(const struct krylov_holding *of, double i)
{
    return of->entries * (8 + i) + of->rows * (i + 16);
}

/* Reads the matrix once, the right-hand side and the inverse diagonal, and updates the solution. */
static double traversal_bytes(const struct krylov_holding *of, double i)
{
    return of->entries * (8 + i) + of->rows * (i + 32);
}

/* ---- messages ------------------------------------------------------------------------------- */

static void add_exchange(struct cycle *cycle, double times, const struct krylov_time *time,
                         const struct krylov_link_load *load, struct krylov_cycle_cost *cost)
{
    cost->communication_s += times * (time->time_s + time->hidden_s);
    cost->hidden_s += times * time->hidden_s;
    cost->messages += times * (time->on_node_messages + time->off_node_messages);
    cost->bytes += times * (time->on_node_bytes + time->off_node_bytes);
    cycle->out.bound_s += times * krylov_halo_bound_s(&cycle->least, time, load, cycle->run->cal);
}

/* Products overlap their exchange; sweeps that traverse the matrix, and transfers, wait. */
static void add_exchanges(struct cycle *cycle, const struct krylov_level *level,
                          const struct work *work, double product_s, bool is_coarsest,
                          struct krylov_cycle_cost *cost)
{
    const struct krylov_link_load load = krylov_level_load(cycle->conduct, level, cycle->run);
    const double own_share = level->holding.diagonal / level->holding.entries;
    struct krylov_overlap overlap = {
        .is_blocking = !cycle->conduct->is_overlapped,
        .seconds = product_s * own_share,
        .progress = cycle->conduct->progress,
        .load = &load,
    };
    struct krylov_time time;

    if (work->products > 0) {
        time = krylov_level_exchange(cycle->conduct, level, &cycle->finest, &overlap, cycle->run);
        add_exchange(cycle, work->products, &time, &load, cost);
    }
    overlap.is_blocking = true;
    if (work->exchanges > work->products) {
        time = krylov_level_exchange(cycle->conduct, level, &cycle->finest, &overlap, cycle->run);
        add_exchange(cycle, work->exchanges - work->products, &time, &load, cost);
    }
    if (is_coarsest)
        return;
    time = krylov_transfer_exchange(cycle->conduct, level, &cycle->finest, cycle->run);
    add_exchange(cycle, 2, &time, &krylov_no_load, cost);
}

/* The right-hand side doubles in each round until a process has all of it; where only one solves,
 * the solution goes back the same way. */
static void add_gathering(struct cycle *cycle, const struct krylov_level *level,
                          struct krylov_cycle_cost *cost)
{
    const struct krylov_values *v = &cycle->conduct->grid->common;
    const double P = krylov_processes_of(v);
    const double active = level->processes, c = (double)v->processes_per_node;
    const double times = cycle->smoothing->coarse_solver == COARSE_GATHERED ? 2 : 1;

    for (double ranks = 1; ranks < active; ranks *= 2) {
        const double bytes = 8 * level->rows * fmin(ranks, active - ranks) / active;
        const bool is_off_node = ranks * P / active >= c;
        const struct krylov_time time = {
            .time_s = krylov_postal(v, cycle->run, bytes, is_off_node).postal_s,
            .on_node_messages = !is_off_node,
            .off_node_messages = is_off_node,
            .on_node_bytes = is_off_node ? 0 : bytes,
            .off_node_bytes = is_off_node ? bytes : 0,
        };

        add_exchange(cycle, times, &time, &krylov_no_load, cost);
    }
}

/* ---- levels --------------------------------------------------------------------------------- */

/* Seconds of a byte of each kernel, in a working set. */
static struct krylov_estimate unit_prices(struct cycle *cycle, const struct krylov_values *v,
                                          double working_set_bytes)
{
    const struct krylov_bytes bytes = { 1, 1, 1, working_set_bytes, 0 };
    const struct krylov_estimate each =
        krylov_estimate(v, cycle->run, cycle->conduct->kernels, &bytes);

    cycle->out.is_bound = cycle->out.is_bound || each.is_bound;
    return each;
}

static void solve_directly(struct cycle *cycle, const struct krylov_level *level,
                           double working_set_bytes, struct krylov_cycle_cost *cost)
{
    const struct krylov_estimate each =
        unit_prices(cycle, &cycle->conduct->grid->common, working_set_bytes);

    cost->computation_s = krylov_dense_bytes(level) * each.word_s;
    add_gathering(cycle, level, cost);
}

static void smooth(struct cycle *cycle, size_t l, double working_set_bytes,
                   struct krylov_cycle_cost *cost)
{
    const struct krylov_level *level = &cycle->levels->level[l];
    const bool is_coarsest = l + 1 == cycle->levels->count;
    const struct work work =
        is_coarsest ? smoothed_alone(cycle->smoothing) : smoothed(cycle->smoothing);
    const double i = cycle->conduct->index_bytes;
    const struct krylov_estimate each =
        unit_prices(cycle, &cycle->conduct->grid->common, working_set_bytes);
    const double product_s = product_bytes(&level->holding, i) * each.matvec_s;

    cost->computation_s =
        work.products * product_s +
        work.traversals * traversal_bytes(&level->holding, i) * each.preconditioner_s +
        work.words * 8 * level->holding.rows * each.word_s;
    if (!is_coarsest)
        cost->computation_s += transfer_bytes(level, i) * each.matvec_s;
    add_exchanges(cycle, level, &work, product_s, is_coarsest, cost);
}

static void add_level(struct cycle *cycle, size_t l, double working_set_bytes)
{
    const bool is_coarsest = l + 1 == cycle->levels->count;
    struct krylov_cycle_cost *cost = &cycle->out.level[l], *sum = &cycle->out.sum;

    if (is_coarsest && cycle->smoothing->coarse_solver != COARSE_SMOOTHER)
        solve_directly(cycle, &cycle->levels->level[l], working_set_bytes, cost);
    else
        smooth(cycle, l, working_set_bytes, cost);
    sum->computation_s += cost->computation_s;
    sum->communication_s += cost->communication_s;
    sum->hidden_s += cost->hidden_s;
    sum->messages += cost->messages;
    sum->bytes += cost->bytes;
}

struct krylov_cycle krylov_cycle(const struct krylov_cycle_conduct *conduct,
                                 const struct krylov_levels *levels,
                                 const struct krylov_smoothing *smoothing,
                                 const struct krylov_footprint *footprint,
                                 struct fr_evaluation *run)
{
    struct cycle cycle = {
        .conduct = conduct,
        .smoothing = smoothing,
        .levels = levels,
        .run = run,
        .least = krylov_least(&conduct->grid->common, run),
    };

    cycle.finest = krylov_finest_exchange(conduct, levels->level, run);
    for (size_t l = 0; l < levels->count; l++)
        add_level(&cycle, l, l ? footprint->touched[l] : conduct->working_set_bytes);
    return cycle.out;
}
