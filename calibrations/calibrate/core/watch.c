#include "calibrations/calibrate/core/world.h"

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
    reading = fr_load_read(NULL, MPI_Wtime());
    reading.own_s = sum_s;
    return reading;
}

/* Sets the time of the reference loop and the clock after it.  The other ranks of the node wait
 * meanwhile. */
static void read_speed(struct fr_watch *watch, struct fr_load_reading *reading)
{
    double of[2] = { 0 };

    if (watch->world->node_rank == 0) {
        of[0] = fr_load_reference_s();
        of[1] = fr_load_clock_hz(NULL);
    }
    MPI_Bcast(of, 2, MPI_DOUBLE, 0, watch->node);
    watch->best_s = fmin(watch->best_s, of[0]);
    reading->reference_s = of[0];
    reading->clock_hz = of[1];
}

void fr_watch_begin(struct fr_watch *watch)
{
    struct fr_load_reading speed;

    if (watch->world->is_simulated)
        return;
    read_speed(watch, &speed);
    watch->before = read_node(watch);
    watch->before.reference_s = speed.reference_s;
    watch->before.clock_hz = speed.clock_hz;
}

bool fr_watch_end(struct fr_watch *watch, char reasons[FR_LOAD_BYTES])
{
    struct fr_load_reading after;
    struct fr_load own = { .slowdown = 1, .clock_ratio = 1 }, worst = own;
    int is_disturbed = 0;

    reasons[0] = '\0';
    if (watch->world->is_simulated)
        return false;
    after = read_node(watch);
    read_speed(watch, &after);
    if (watch->world->node_rank == 0)
        own = fr_load_between(&watch->before, &after, watch->best_s);
    _Static_assert(sizeof own == 5 * sizeof(double), "a load is reduced as an array");
    MPI_Reduce(&own, &worst, 5, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (watch->world->rank == 0) {
        is_disturbed = fr_load_is_disturbing(&worst, watch->cores);
        fr_load_print(&worst, watch->cores, reasons);
    }
    MPI_Bcast(&is_disturbed, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return is_disturbed;
}
