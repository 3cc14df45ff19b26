/* Counts the work of all processes of a grid in several threads. */
#include "server/matrices/simulation.h"

#include "engine/sparse/counts/work_counts.h"
#include "server/core/clock.h"
#include "server/http/client.h"

#include <inttypes.h>
#include <unistd.h>

enum { MOST_THREADS = 64 };
/* The least number of updates per thread. */
static const double updates_per_thread = 100000;

struct counting {
    struct sparse_work_counts *counts;
    const struct fr_counting_limits *limits;
    _Atomic int64_t next;
    _Atomic int code;
};

static bool goes_on(const void *context)
{
    const struct fr_counting_limits *limits = context;

    return !atomic_load(limits->is_stopping) &&
           !(limits->until_ns && fr_clock_ns(limits->clock) > limits->until_ns) &&
           !fr_client_has_left(limits->client);
}

static int count_rank(const struct counting *counting, struct sparse_counter *counter, int64_t rank)
{
    if (!goes_on(counting->limits))
        return FR_TOO_LONG;
    return sparse_work_counts_count(counting->counts, counter, rank);
}

static void *count_ranks(void *context)
{
    struct counting *counting = context;
    struct sparse_counter *counter = sparse_counter_new(counting->counts);
    const int64_t ranks = sparse_processes(counting->counts->grid);
    int64_t rank = 0;
    int code;

    if (counter)
        sparse_counter_ask(counter, goes_on, counting->limits);
    else
        atomic_store(&counting->code, FR_NOMEM);
    while (counter && atomic_load(&counting->code) == FR_OK &&
           (rank = atomic_fetch_add(&counting->next, 1)) < ranks)
        if ((code = count_rank(counting, counter, rank)) != FR_OK)
            atomic_store(&counting->code, code);
    sparse_counter_free(counter);
    return NULL;
}

static int64_t threads_for(const struct sparse_work_counts *counts)
{
    const int64_t cores = sysconf(_SC_NPROCESSORS_ONLN);
    const int64_t worth = (int64_t)(counts->s->facts.updates / updates_per_thread) + 1;
    int64_t threads = sparse_processes(counts->grid);

    threads = threads < cores ? threads : cores;
    threads = threads < worth ? threads : worth;
    return threads < 1 ? 1 : threads < MOST_THREADS ? threads : MOST_THREADS;
}

/* The calling thread counts as well, and alone if no other can be started. */
int fr_work_counts_count(struct sparse_work_counts *counts, const struct fr_counting_limits *limits,
                         struct fr_faults *faults)
{
    struct counting counting = { .counts = counts, .limits = limits };
    const int64_t threads = threads_for(counts);
    pthread_t other[MOST_THREADS];
    int64_t started = 0;

    while (started + 1 < threads &&
           pthread_create(&other[started], NULL, count_ranks, &counting) == 0)
        started++;
    count_ranks(&counting);
    while (started > 0)
        pthread_join(other[--started], NULL);
    if (atomic_load(&counting.code) == FR_TOO_LONG)
        return fr_fault(faults, FR_TOO_LONG, "matrix",
                        "counting on %" PRId64 " processes took too long and was stopped; ask for "
                        "fewer grids and orderings at a time, or try again later",
                        sparse_processes(counts->grid));
    if (atomic_load(&counting.code) != FR_OK)
        return fr_fault(faults, FR_NOMEM, "matrix", "the simulation does not fit into memory");
    return sparse_processes(counts->grid) == 1 ? sparse_work_counts_bound(counts, faults) : FR_OK;
}
