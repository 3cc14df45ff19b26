/* Level by level, layers walk through their forests, and every second one then adds the updates of
 * its neighbor to its own copy of all forests above. */
#include "engine/sparse/clocks/clocks.h"

#include <math.h>
#include <stdlib.h>

/* What a process sends when it passes on the panels of a forest. */
struct passing {
    double time_s, port_s, values, messages, largest_bytes;
};

struct layers {
    const struct sparse_window_work *work;
    const struct sparse_forests *forests; /* NULL: one layer */
    const struct sparse_fit *fit;
    const struct sparse_network *network;
    struct sparse_times *times;
    int64_t ranks;              /* of one layer */
    int32_t count;              /* layers */
    struct passing *passing;    /* by forest of a level above 0, and by rank */
    struct sparse_clock *clock; /* by layer and rank */
};

/* ---- what is passed on ---------------------------------------------------------------------- */

static struct passing *passing_of(const struct layers *of, int32_t forest)
{
    return of->passing + (forest - of->count) * of->ranks;
}

/* The values of a panel are one message. */
static void pass(const struct layers *of, struct passing *passing, const struct sparse_share *share)
{
    const struct sparse_sending sending = sparse_sending_of(of->network, share->value_bytes);

    passing->time_s += sending.time_s;
    passing->port_s += sending.port_s;
    passing->values += share->value_bytes / 8;
    passing->messages++;
    passing->largest_bytes = fmax(passing->largest_bytes, share->value_bytes);
}

static void find_passing(const struct layers *of)
{
    const struct sparse_shares *shares = of->work->shares;
    const struct sparse_grid grid = shares->grid;

    for (int32_t k = 0; k < shares->s->supernodes; k++) {
        const int32_t row = k % grid.rows, column = k % grid.columns;

        if (of->forests->of[k] < of->count)
            continue;
        struct passing *passing = passing_of(of, of->forests->of[k]);

        for (int64_t i = shares->l_at[k]; i < shares->l_at[k + 1]; i++)
            pass(of, &passing[shares->l[i].place * grid.columns + column], &shares->l[i]);
        for (int64_t i = shares->u_at[k]; i < shares->u_at[k + 1]; i++)
            pass(of, &passing[row * grid.columns + shares->u[i].place], &shares->u[i]);
    }
}

/* ---- levels --------------------------------------------------------------------------------- */

/* A process adds the panels of one forest that its counterpart sends to its own. */
static void add(struct layers *of, struct sparse_clock *to, struct sparse_clock *from,
                const struct passing *passing)
{
    const double scatter_s = passing->values * of->fit->scatter_s;

    to->t += passing->time_s + scatter_s;
    to->c += scatter_s;
    to->load_s += scatter_s;
    from->sending_s += passing->port_s;
    of->times->messages += passing->messages;
    of->times->message_bytes += 8 * passing->values;
    of->times->reduced_bytes += 8 * passing->values;
    of->times->largest_message_bytes =
        fmax(of->times->largest_message_bytes, passing->largest_bytes);
}

/* The processes of layer `to` wait for those of layer `from` and add what these have of all forests
 * from `forest` on upwards. */
static void reduce(struct layers *of, int32_t to, int32_t from, int32_t forest)
{
    for (int64_t p = 0; p < of->ranks; p++) {
        struct sparse_clock *own = &of->clock[to * of->ranks + p];
        struct sparse_clock *other = &of->clock[from * of->ranks + p];

        if (own->t < other->t) {
            own->t = other->t;
            own->c = other->c;
        }
        for (int32_t f = forest; f < of->forests->count; f = sparse_forest_above(of->forests, f))
            add(of, own, other, &passing_of(of, f)[p]);
    }
}

/* At level l `stride` is 2^l. */
static void walk(struct layers *of, struct sparse_walk *walk)
{
    int32_t first = 0; /* the forest of layer 0 */

    for (int32_t stride = 1; stride <= of->count; stride *= 2) {
        for (int32_t z = 0; z < of->count; z += stride) {
            struct sparse_clock *clock = of->clock + z * of->ranks;

            for (int64_t p = 0; p < of->ranks; p++)
                clock[p].port = clock[p].t;
            sparse_walk_forest(walk, first + z / stride, clock);
        }
        for (int32_t z = 0; z + stride < of->count; z += 2 * stride)
            reduce(of, z, z + stride, sparse_forest_above(of->forests, first + z / stride));
        first += of->count / stride;
    }
}

static void finish(const struct layers *of)
{
    const int64_t processes = of->count * of->ranks;
    struct sparse_times *times = of->times;

    for (int64_t p = 0; p < processes; p++) {
        const struct sparse_clock *clock = &of->clock[p];

        if (clock->t > of->clock[times->rank_last].t)
            times->rank_last = p;
        times->load_s += clock->load_s;
        times->most_load_s = fmax(times->most_load_s, clock->load_s);
        times->most_sending_s = fmax(times->most_sending_s, clock->sending_s);
    }
    times->critical_load_s = times->most_load_s;
    times->time_s = of->clock[times->rank_last].t;
    times->computation_s = of->clock[times->rank_last].c;
    times->communication_s = times->time_s - times->computation_s;
    times->load_balance =
        times->load_s > 0 ? times->most_load_s * (double)processes / times->load_s : 1;
}

int sparse_window_clocks(const struct sparse_window_work *work, const struct sparse_fit *fit,
                         const struct sparse_network *network, struct sparse_times *out,
                         double *clock_s, double *load_s)
{
    const struct sparse_forests *forests = work->schedule->forests;
    struct layers of = { .work = work,
                         .forests = forests,
                         .fit = fit,
                         .network = network,
                         .times = out,
                         .ranks = sparse_processes(work->shares->grid),
                         .count = forests ? forests->layers : 1 };
    const size_t processes = (size_t)(of.count * of.ranks);
    struct sparse_critical_path path;
    int code = sparse_critical_path_init(&path, work->shares->s, work->shares->grid, forests);
    struct sparse_walk *steps = sparse_walk_new(work, fit, network, &path, out);

    *out = (struct sparse_times){ 0 };
    of.clock = calloc(processes, sizeof *of.clock);
    of.passing = calloc(processes, sizeof *of.passing);
    if (!steps || !of.clock || !of.passing)
        code = FR_NOMEM;
    if (code == FR_OK) {
        if (forests)
            find_passing(&of);
        walk(&of, steps);
        finish(&of);
        out->critical_path_s = path.longest_s;
        for (size_t p = 0; p < processes && clock_s; p++)
            clock_s[p] = of.clock[p].t;
        for (size_t p = 0; p < processes && load_s; p++)
            load_s[p] = of.clock[p].load_s;
    }
    sparse_walk_free(steps);
    sparse_critical_path_free(&path);
    free(of.clock);
    free(of.passing);
    return code;
}
