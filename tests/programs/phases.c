/* The time of the ranks, by the phases of a model. */
#include "tests/programs/phases.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static int count_of(const char *const *names)
{
    int count = 0;

    while (names[count])
        count++;
    return count;
}

struct phases phases_new(const char *const *names)
{
    assert(count_of(names) <= PHASES_MAX);
    return (struct phases){ .name = names, .current = PHASE_NONE };
}

int phases_enter(struct phases *phases, int phase)
{
    const double now_s = MPI_Wtime();
    const int before = phases->current;

    if (before != PHASE_NONE)
        phases->time_s[before] += now_s - phases->since_s;
    phases->current = phase;
    phases->since_s = now_s;
    return before;
}

void phases_add(struct phases *phases, int phase, double seconds)
{
    phases->time_s[phase] += seconds;
}

static void write_breakdown(const struct phases *phases, const double *mean_s,
                            struct fr_writer *run)
{
    fr_json_key(run, "breakdown");
    fr_json_array(run);
    for (int i = 0; phases->name[i]; i++) {
        if (!(mean_s[i] > 0))
            continue;
        fr_json_object(run);
        fr_json_pair(run, "phase", phases->name[i]);
        fr_json_pair_number(run, "time_s", mean_s[i]);
        fr_json_object_end(run);
    }
    fr_json_array_end(run);
}

static void write_slowest(const struct phases *phases, const double *slowest_s,
                          struct fr_writer *run)
{
    char text[PHASES_MAX * 60] = "slowest rank of each phase:";

    for (int i = 0; phases->name[i]; i++) {
        const size_t used = strlen(text);

        if (slowest_s[i] > 0)
            snprintf(text + used, sizeof text - used, " %s %.6g s", phases->name[i], slowest_s[i]);
    }
    fr_json_pair(run, "notes", text);
}

void phases_write(const struct phases *phases, int repetitions, MPI_Comm comm,
                  struct fr_writer *run)
{
    const int count = count_of(phases->name);
    double mean_s[PHASES_MAX] = { 0 }, slowest_s[PHASES_MAX] = { 0 };
    int rank, size;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Reduce(phases->time_s, mean_s, count, MPI_DOUBLE, MPI_SUM, 0, comm);
    MPI_Reduce(phases->time_s, slowest_s, count, MPI_DOUBLE, MPI_MAX, 0, comm);
    if (rank)
        return;
    for (int i = 0; i < count; i++) {
        mean_s[i] /= (double)size * repetitions;
        slowest_s[i] /= repetitions;
    }
    write_breakdown(phases, mean_s, run);
    write_slowest(phases, slowest_s, run);
}
