/* Allreduces of a number of processes that is no power of two, by recursive doubling. */
#include "calibrations/calibrate/network/timed_collective.h"

#include <math.h>
#include <string.h>

#include "calibrations/calibrate/core/bench.h"

enum { TIMES = 8, TAG_FOLD = 30, TAG_SWAP };

/* Of `size` processes, `beyond` are beyond the largest power of two.  As many pairs at the front
 * fold: the even rank of a pair leaves the rounds to the odd one. */
struct allreduces {
    MPI_Comm team;
    int rank, size, power, beyond, times_each;
    const struct fr_list *messages;
    char *sent, *received;
};

static bool is_folded(const struct allreduces *all)
{
    return all->rank < 2 * all->beyond;
}

static void give(const struct allreduces *all, int bytes)
{
    MPI_Send(all->sent, bytes, MPI_CHAR, all->rank ^ 1, TAG_FOLD, all->team);
}

static void take(const struct allreduces *all, int bytes)
{
    MPI_Recv(all->received, bytes, MPI_CHAR, all->rank ^ 1, TAG_FOLD, all->team, MPI_STATUS_IGNORE);
}

/* The ranks that take part in the rounds, by their number there. */
static int rank_of(const struct allreduces *all, int number)
{
    return number < all->beyond ? 2 * number + 1 : number + all->beyond;
}

static void swap_rounds(const struct allreduces *all, int bytes)
{
    const int number = is_folded(all) ? all->rank / 2 : all->rank - all->beyond;

    for (int distance = 1; distance < all->power; distance *= 2) {
        const int partner = rank_of(all, number ^ distance);

        MPI_Sendrecv(all->sent, bytes, MPI_CHAR, partner, TAG_SWAP, all->received, bytes, MPI_CHAR,
                     partner, TAG_SWAP, all->team, MPI_STATUS_IGNORE);
    }
}

static void fold(const struct allreduces *all, int bytes)
{
    if (!is_folded(all)) {
        swap_rounds(all, bytes);
    } else if (all->rank % 2) {
        take(all, bytes);
        swap_rounds(all, bytes);
        give(all, bytes);
    } else {
        give(all, bytes);
        take(all, bytes);
    }
}

static int run_row(void *with, int index)
{
    const struct allreduces *all = with;

    if (all->rank >= all->size)
        return 0;
    for (int i = 0; i < all->times_each; i++)
        fold(all, (int)all->messages->value[index]);
    return all->times_each;
}

static int power_within(int processes)
{
    int power = 1;

    while (2 * power <= processes)
        power *= 2;
    return power;
}

/* Of the slowest process: the rounds, one message before and one after. */
static double count_messages(int power)
{
    return log2(power) + 2;
}

int fr_fold_processes(int processes)
{
    if (power_within(processes) < processes)
        return processes;
    return processes < 4 ? 0 : processes / 4 * 3;
}

/* 6 processes are measured for 8, too.  Teams come the largest first, so that all ranks of a team
 * know what was measured. */
static bool is_new(struct fr_folds *folds, int size)
{
    for (int i = 0; i < folds->sizes; i++)
        if (folds->size[i] == size)
            return false;
    folds->size[folds->sizes++] = size;
    return true;
}

void fr_fold_measure(struct fr_context *context, MPI_Comm team, const char *what,
                     const struct fr_list *messages, char *sent, char *received,
                     struct fr_folds *folds)
{
    struct allreduces all = {
        .team = team, .messages = messages, .sent = sent, .received = received
    };
    const struct fr_workload workload = { .run = run_row, .with = &all, .is_together = true };

    MPI_Comm_rank(team, &all.rank);
    MPI_Comm_size(team, &all.size);
    all.size = fr_fold_processes(all.size);
    if (!all.size || !is_new(folds, all.size))
        return;
    all.power = power_within(all.size);
    all.beyond = all.size - all.power;
    all.times_each = folds->times_each = fr_together_has_clock(context->world) ? 1 : TIMES;
    memset(folds->times, 0, sizeof folds->times);
    fr_timed_collective_measure(context, team, what, &workload, folds->times, messages->count);
    if (all.rank)
        return;
    for (int i = 0; i < messages->count; i++) {
        const double all_s = fr_timed_collective_maximum_s(&folds->times[i]);

        if (all_s > 0)
            *FR_ADD_ROW(context->document, context->document->found.contention.fold) =
                (struct fr_fold){ all.size, (double)messages->value[i],
                                  all_s / count_messages(all.power) };
    }
    fr_timed_collective_count(&folds->summary, folds->times, messages->count);
}

void fr_fold_record(struct fr_context *context, struct fr_folds *folds)
{
    if (!context->document->found.contention.fold.count)
        return;
    fr_document_source(
        context->document, "/contention/fold", fr_timed_collective_source(&folds->summary),
        "recursive doubling, before and after which the processes beyond a power of two send and "
        "get a message; the slowest process, divided among its messages, mean of %d",
        folds->times_each);
}
