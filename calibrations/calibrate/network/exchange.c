/* The time in which all processes exchange messages with the rank whose number differs in one bit,
 * as in each round of recursive doubling (docs/models/krylov.md#allreduce-from-exchanges). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/network/sizes.h"
#include "calibrations/calibrate/network/timed_collective.h"

enum { TIMES = 8, ROWS_MAX = FR_DOUBLING_ROUNDS * FR_LIST_MAX };

struct row {
    int distance, bytes;
};

struct swaps {
    MPI_Comm team;
    int rank, size;
    char *sent, *received;
    struct row row[ROWS_MAX];
    struct fr_timed_collective times[ROWS_MAX];
    double added_s[ROWS_MAX]; /* in a sequence, to the slowest process; 0: not measured */
    struct fr_collective_summary summary;
    struct fr_folds folds;
};

static int swap(void *with, int index)
{
    const struct swaps *swaps = with;
    const struct row *row = &swaps->row[index];

    if ((swaps->rank ^ row->distance) >= swaps->size)
        return 0;
    fr_doubling_swap(swaps->team, row->distance, swaps->sent, swaps->received, row->bytes, TIMES);
    return TIMES;
}

static int choose_rows(struct swaps *swaps, int processes, const struct fr_list *messages)
{
    int rows = 0;

    for (int d = 1; d < processes; d *= 2)
        for (int i = 0; i < messages->count; i++)
            swaps->row[rows++] = (struct row){ d, (int)messages->value[i] };
    memset(swaps->times, 0, (size_t)rows * sizeof *swaps->times);
    memset(swaps->added_s, 0, (size_t)rows * sizeof *swaps->added_s);
    return rows;
}

/* Rows are ordered by distance, then by size. */
static void run_sequences(struct fr_context *context, struct swaps *swaps,
                          const struct fr_list *messages)
{
    double added_s[FR_DOUBLING_ROUNDS];

    for (int i = 0; i < messages->count; i++) {
        const int rounds = fr_doubling_measure(context, swaps->team, swaps->sent, swaps->received,
                                               (int)messages->value[i], added_s);

        for (int d = 0; d < rounds; d++)
            swaps->added_s[d * messages->count + i] = added_s[d];
    }
}

static void write_rows(struct fr_context *context, struct swaps *swaps, int processes, int rows)
{
    for (int i = 0; i < rows; i++) {
        const double average_s = fr_timed_collective_average_s(&swaps->times[i]);

        if (average_s > 0)
            *FR_ADD_ROW(context->document, context->document->found.contention.exchange) =
                (struct fr_exchange){ processes, swaps->row[i].distance, swaps->row[i].bytes,
                                      average_s, swaps->added_s[i] > 0 ? swaps->added_s[i] : NAN };
    }
}

static void plan(struct fr_context *context)
{
    struct fr_list messages, processes;

    fr_sizes_choose_short(context, &messages);
    fr_bench_processes(context, NULL, &processes);
    for (int i = 0; i < processes.count; i++) {
        const int p = (int)processes.value[i], distances = (int)ceil(log2(p));
        const int is_folded = fr_fold_processes(p) > 0;
        double round_s = 0;
        char what[FR_PLAN_WHAT_BYTES];

        for (int j = 0; j < messages.count; j++)
            round_s += (distances + is_folded * (distances + 1)) *
                       fr_plan_operation_s(&context->plan, p, TIMES, (double)messages.value[j]);
        fr_plan_name("exchange", p, what);
        fr_plan_add(&context->plan, what, p, 1, (distances + is_folded) * messages.count,
                    context->options->repetitions * round_s);
    }
}

static void run_processes(struct fr_context *context, struct swaps *swaps, int processes,
                          const struct fr_list *messages)
{
    const bool works = context->world->rank < processes;
    const int rows = choose_rows(swaps, processes, messages);
    const struct fr_workload workload = { .run = swap, .with = swaps };
    char what[FR_PLAN_WHAT_BYTES];
    struct fr_team team;

    fr_plan_name("exchange", processes, what);
    if (!fr_plan_begin(context, what))
        return;
    team = fr_team_begin(context->world, works);
    swaps->team = team.comm;
    swaps->rank = context->world->rank;
    swaps->size = processes;
    if (works) {
        fr_timed_collective_measure(context, team.comm, what, &workload, swaps->times, rows);
        run_sequences(context, swaps, messages);
        fr_fold_measure(context, team.comm, what, messages, swaps->sent, swaps->received,
                        &swaps->folds);
    }
    fr_team_end(context->world, &team);
    fr_plan_end(context, what);
    if (context->world->rank)
        return;
    write_rows(context, swaps, processes, rows);
    fr_timed_collective_count(&swaps->summary, swaps->times, rows);
}

static void record(struct fr_context *context, struct swaps *swaps)
{
    const struct fr_allreduce *allreduce = &context->allreduce;
    char check[120] = "";

    if (!context->document->found.contention.exchange.count)
        return;
    if (allreduce->messages_per_round)
        snprintf(check, sizeof check,
                 "; an allreduce of 8 bytes and %d processes takes as long as "
                 "%d message%s per round",
                 allreduce->processes, allreduce->messages_per_round,
                 allreduce->messages_per_round > 1 ? "s" : "");
    fr_document_source(
        context->document, "/contention/exchange", fr_timed_collective_source(&swaps->summary),
        "all exchange with rank XOR distance at once, mean of %d exchanges; maximum: what each "
        "adds to the slowest process if those at 1, 2, 4, ... follow each other%s",
        TIMES, check);
}

static void run(struct fr_context *context)
{
    struct fr_list messages, processes;
    struct swaps *swaps;
    int longest;

    if (!fr_bench_processes(context, "exchange", &processes))
        return;
    swaps = fr_world_record(1, sizeof *swaps);
    fr_sizes_choose_short(context, &messages);
    longest = fr_message_buffer_for(context, "exchange", fr_value_largest(&messages), 2);
    swaps->sent = fr_message_buffer_take(context, longest);
    swaps->received = fr_message_buffer_take(context, longest);
    fr_value_cut(&messages, longest);
    for (int i = 0; i < processes.count; i++)
        run_processes(context, swaps, (int)processes.value[i], &messages);
    if (context->world->rank == 0) {
        record(context, swaps);
        fr_fold_record(context, &swaps->folds);
    }
    free(swaps->sent);
    free(swaps->received);
    fr_record_free(swaps);
}

const struct fr_bench fr_bench_exchange = {
    .name = "exchange",
    .group = "contention",
    .summary = "all exchange messages at once, by distance and processes; an allreduce",
    .needs_ranks = 2,
    .after = "collectives,pingpong",
    .plan = plan,
    .run = run,
};
