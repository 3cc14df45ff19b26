/* Times the rounds of recursive doubling within their sequence.
 *
 * A process that waited in one round enters the next one late, so that neither the means nor the
 * maxima of separate rounds add up to the time of an allreduce.  Each process adds up its own time
 * to the end of each round; the slowest counts, and the difference between rounds is what a round
 * adds (docs/models/krylov.md#measured-ratios). */
#include "calibrations/calibrate/network/timed_collective.h"

#include "calibrations/calibrate/core/bench.h"

enum { TIMES = 8, TAG_SWAP = 3, REPETITIONS_MAX = 99 };

void fr_doubling_swap(MPI_Comm team, int distance, char *sent, char *received, int bytes, int times)
{
    int rank, size;

    MPI_Comm_rank(team, &rank);
    MPI_Comm_size(team, &size);
    /* If the number of processes is not a power of two, some have no partner. */
    for (int i = 0; i < times && (rank ^ distance) < size; i++)
        MPI_Sendrecv(sent, bytes, MPI_CHAR, rank ^ distance, TAG_SWAP, received, bytes, MPI_CHAR,
                     rank ^ distance, TAG_SWAP, team, MPI_STATUS_IGNORE);
}

/* The cost of a look at the clock, which short rounds would show. */
static double find_clock_s(void)
{
    enum { LOOKS = 100 };
    const double began_s = MPI_Wtime();

    for (int i = 1; i < LOOKS; i++)
        MPI_Wtime();
    return (MPI_Wtime() - began_s) / LOOKS;
}

/* One repetition: the time of the slowest process to the end of each round.  Without a common start
 * it is the mean of several sequences, in which the start hardly counts. */
static void run_once(const struct fr_context *context, MPI_Comm team, int rounds, char *sent,
                     char *received, int bytes, double slowest_s[FR_DOUBLING_ROUNDS])
{
    const double clock_s = find_clock_s();
    const int times = fr_together_has_clock(context->world) ? 1 : TIMES;
    double end_s[FR_DOUBLING_ROUNDS] = { 0 }, before_s, now_s;

    fr_together_start(context->world, team);
    before_s = MPI_Wtime();
    for (int time = 0; time < times; time++)
        for (int i = 0; i < rounds; i++) {
            fr_doubling_swap(team, 1 << i, sent, received, bytes, 1);
            now_s = MPI_Wtime();
            end_s[i] += (now_s - before_s - clock_s) / times;
            before_s = now_s;
        }
    for (int i = 1; i < rounds; i++)
        end_s[i] += end_s[i - 1];
    MPI_Reduce(end_s, slowest_s, rounds, MPI_DOUBLE, MPI_MAX, 0, team);
}

int fr_doubling_measure(const struct fr_context *context, MPI_Comm team, char *sent, char *received,
                        int bytes, double added_s[FR_DOUBLING_ROUNDS])
{
    double all_s[FR_DOUBLING_ROUNDS][REPETITIONS_MAX], slowest_s[FR_DOUBLING_ROUNDS] = { 0 };
    int size, rounds = 0, done = 0;

    MPI_Comm_size(team, &size);
    while (1 << rounds < size)
        rounds++;
    for (; done < context->options->repetitions && !fr_bench_is_late(context, team); done++) {
        run_once(context, team, rounds, sent, received, bytes, slowest_s);
        for (int i = 0; i < rounds; i++)
            all_s[i][done] = slowest_s[i] - (i ? slowest_s[i - 1] : 0);
    }
    for (int i = 0; i < rounds && done; i++)
        added_s[i] = fr_sample_median(all_s[i], done);
    return done ? rounds : 0;
}
