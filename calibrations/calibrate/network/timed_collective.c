/* Times operations of all processes, in random order, from a barrier to the end. */
#include "calibrations/calibrate/network/timed_collective.h"

#include "calibrations/calibrate/core/bench.h"

/* A row is not repeated after this time, so that slow networks do not take hours. */
static const double row_s = 1;

enum verdict { GO_ON, NEXT_ROW, STOP };

static enum verdict judge(const struct fr_context *context, MPI_Comm team,
                          const struct fr_timed_collective *row)
{
    int verdict = GO_ON;

    if (MPI_Wtime() - context->started_s > context->options->time_limit_s)
        verdict = STOP;
    else if (row->spent_s > row_s)
        verdict = NEXT_ROW;
    MPI_Bcast(&verdict, 1, MPI_INT, 0, team);
    return (enum verdict)verdict;
}

/* Makes one try; rank 0 gets the result. */
static void try_once(const struct fr_world *world, MPI_Comm team,
                     const struct fr_workload *workload, int index, double *average_s,
                     double *maximum_s, double *took_s)
{
    double own[2] = { 0, 0 }, sum[2] = { 0, 0 }, began_s;
    int times;

    *maximum_s = 0;
    if (workload->is_together)
        fr_together_start(world, team);
    else
        MPI_Barrier(team);
    began_s = MPI_Wtime();
    times = workload->run(workload->with, workload->first + index);
    *took_s = MPI_Wtime() - began_s;
    if (times) {
        own[0] = (*took_s - (workload->paused_s ? *workload->paused_s : 0)) / times;
        own[1] = 1;
    }
    if (workload->own_s)
        workload->own_s[index] = own[0];
    MPI_Reduce(own, sum, 2, MPI_DOUBLE, MPI_SUM, 0, team);
    MPI_Reduce(own, maximum_s, 1, MPI_DOUBLE, MPI_MAX, 0, team);
    *average_s = sum[1] > 0 ? sum[0] / sum[1] : 0;
}

static void measure_row(const struct fr_world *world, MPI_Comm team,
                        const struct fr_workload *workload, int index,
                        struct fr_timed_collective *row)
{
    const int tries = workload->tries ? workload->tries : 1;
    double average_s[FR_TRIES_MAX], maximum_s[FR_TRIES_MAX], took_s;

    for (int i = 0; i < tries; i++) {
        try_once(world, team, workload, index, &average_s[i], &maximum_s[i], &took_s);
        row->spent_s += took_s;
    }
    row->average_s[row->rounds] = fr_sample_median(average_s, tries);
    row->maximum_s[row->rounds++] = fr_sample_median(maximum_s, tries);
}

void fr_timed_collective_measure(struct fr_context *context, MPI_Comm team, const char *what,
                                 const struct fr_workload *workload,
                                 struct fr_timed_collective *rows, int count)
{
    const int rounds = context->options->repetitions;
    struct fr_random random = context->random;
    struct fr_progress progress = fr_progress_begin(context, what, (double)rounds * count);
    int *order = fr_world_record((size_t)count, sizeof *order);
    enum verdict verdict = GO_ON;

    for (int round = 0; round < rounds && verdict != STOP; round++) {
        fr_random_order(&random, order, count);
        for (int i = 0; i < count && verdict != STOP; i++) {
            struct fr_timed_collective *row = &rows[order[i]];

            verdict = judge(context, team, row);
            if (verdict == GO_ON)
                measure_row(context->world, team, workload, order[i], row);
            fr_progress_add(&progress, 1);
        }
    }
    fr_progress_end(&progress);
    fr_record_free(order);
}

double fr_timed_collective_average_s(struct fr_timed_collective *row)
{
    return row->rounds ? fr_sample_median(row->average_s, row->rounds) : 0;
}

double fr_timed_collective_maximum_s(struct fr_timed_collective *row)
{
    return row->rounds ? fr_sample_median(row->maximum_s, row->rounds) : 0;
}

void fr_timed_collective_count(struct fr_collective_summary *summary,
                               struct fr_timed_collective *rows, int count)
{
    for (int i = 0; i < count; i++) {
        summary->samples += rows[i].rounds;
        if (rows[i].rounds && summary->spreads < FR_SPREADS_MAX)
            summary->spread[summary->spreads++] =
                fr_sample_spread(rows[i].average_s, rows[i].rounds);
    }
}

struct fr_source fr_timed_collective_source(struct fr_collective_summary *summary)
{
    return fr_document_measured(
        summary->samples,
        summary->spreads ? fr_sample_median(summary->spread, summary->spreads) : 0,
        "median of rounds");
}
