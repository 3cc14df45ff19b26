#include "calibrations/calibrate/core/watch.h"

#include <math.h>

struct fr_watch fr_watch_open(const struct fr_world *world, int cores)
{
    struct fr_watch watch = { .world = world, .cores = cores, .best_s = HUGE_VAL };

    if (!world->is_simulated)
        MPI_Comm_split(MPI_COMM_WORLD, world->host[world->rank], world->rank, &watch.node);
    return watch;
}

void fr_watch_close(struct fr_watch *watch)
{
    if (!watch->world->is_simulated)
        MPI_Comm_free(&watch->node);
}

/* On the first rank of each node; `own_s` is the sum over its ranks. */
static struct fr_load_reading read_node(const struct fr_watch *watch)
{
    struct fr_load_reading reading;
    const double own_s = fr_load_own_s();
    double sum_s = 0;

    MPI_Reduce(&own_s, &sum_s, 1, MPI_DOUBLE, MPI_SUM, 0, watch->node);
    reading = fr_load_read(MPI_Wtime());
    reading.own_s = sum_s;
    return reading;
}

/* The other ranks of the node wait meanwhile. */
static double time_reference(struct fr_watch *watch)
{
    double time_s = 0;

    if (watch->world->node_rank == 0)
        time_s = fr_load_reference_s();
    MPI_Bcast(&time_s, 1, MPI_DOUBLE, 0, watch->node);
    watch->best_s = fmin(watch->best_s, time_s);
    return time_s;
}

void fr_watch_begin(struct fr_watch *watch)
{
    double reference_s;

    if (watch->world->is_simulated)
        return;
    reference_s = time_reference(watch);
    watch->before = read_node(watch);
    watch->before.reference_s = reference_s;
}

bool fr_watch_end(struct fr_watch *watch, char reasons[FR_LOAD_BYTES])
{
    struct fr_load_reading after;
    struct fr_load own = { .slowdown = 1 }, worst = own;
    int is_disturbed = 0;

    reasons[0] = '\0';
    if (watch->world->is_simulated)
        return false;
    after = read_node(watch);
    after.reference_s = time_reference(watch);
    if (watch->world->node_rank == 0)
        own = fr_load_between(&watch->before, &after, watch->best_s);
    _Static_assert(sizeof own == 4 * sizeof(double), "a load is reduced as an array");
    MPI_Reduce(&own, &worst, 4, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (watch->world->rank == 0) {
        is_disturbed = fr_load_is_disturbing(&worst, watch->cores);
        fr_load_print(&worst, watch->cores, reasons);
    }
    MPI_Bcast(&is_disturbed, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return is_disturbed;
}
