/* Clocks of process columns and broadcasts along the rows. */
#include "engine/block_cyclic/clocks.h"

#include <math.h>

int cyclic_clocks_begin(struct cyclic_clocks *clocks, const struct cyclic_network *net)
{
    *clocks = (struct cyclic_clocks){
        .net = net,
        .columns = net->columns,
        .of = fr_arena_zeroed(net->run->arena, (size_t)net->columns, sizeof *clocks->of),
    };
    if (!clocks->of)
        return fr_fault(net->run->faults, FR_NOMEM, "process_columns",
                        "%lld columns exceed the memory of a request", (long long)net->columns);
    return FR_OK;
}

double cyclic_clocks_latest(const struct cyclic_clocks *clocks)
{
    double latest = 0;

    for (int64_t q = 0; q < clocks->columns; q++)
        latest = fmax(latest, clocks->of[q].now_s);
    return latest;
}

void cyclic_spend_all(struct cyclic_clocks *clocks, enum cyclic_phase phase, double time_s)
{
    for (int64_t q = 0; q < clocks->columns; q++)
        cyclic_spend(&clocks->of[q], phase, time_s);
}

void cyclic_count(struct cyclic_clocks *clocks, double messages, double bytes)
{
    clocks->messages += messages;
    clocks->message_bytes += messages * bytes;
}

double cyclic_pass(struct cyclic_clocks *clocks, int64_t from, int64_t to, double ready_s,
                   const struct cyclic_hop *hop)
{
    struct cyclic_clock *sender = &clocks->of[from], *receiver = &clocks->of[to];
    double gap_s, sending_s;

    if (!hop->sender_waits) {
        cyclic_until(receiver, ready_s);
        if (receiver->now_s < ready_s + hop->time_s)
            cyclic_spend(receiver, CYCLIC_BROADCAST, ready_s + hop->time_s - receiver->now_s);
        cyclic_spend(sender, CYCLIC_BROADCAST, hop->busy_s);
        return receiver->now_s;
    }
    cyclic_until(receiver, ready_s);
    cyclic_spend(receiver, CYCLIC_BROADCAST, hop->time_s);
    gap_s = receiver->now_s - sender->now_s;
    if (gap_s > 0) {
        sending_s = fmin(gap_s, hop->time_s);
        cyclic_spend(sender, CYCLIC_WAIT, gap_s - sending_s);
        cyclic_spend(sender, CYCLIC_BROADCAST, sending_s);
    }
    return receiver->now_s;
}

/* The column `step` places to the right of q, -columns < step < columns. */
static int64_t right_of(const struct cyclic_clocks *clocks, int64_t q, int64_t step)
{
    return (q + step + clocks->columns) % clocks->columns;
}

/* Passes a message through `count` columns beside c, each the sender of the next. */
static void chain(struct cyclic_clocks *clocks, int64_t c, int64_t step, int64_t count,
                  double bytes)
{
    double ready_s = clocks->of[c].now_s;
    int64_t from = c;

    for (int64_t i = 0; i < count; i++) {
        const int64_t to = right_of(clocks, from, step);
        const struct cyclic_hop hop =
            cyclic_hop_of(clocks->net, CYCLIC_ALONG_ROWS, from, to, bytes);

        ready_s = cyclic_pass(clocks, from, to, ready_s, &hop);
        from = to;
    }
}

static void count_broadcast(struct cyclic_clocks *clocks, double bytes)
{
    cyclic_count(clocks, (double)(clocks->columns - 1) / (double)clocks->columns, bytes);
}

void cyclic_ring(struct cyclic_clocks *clocks, int64_t c, double bytes)
{
    count_broadcast(clocks, bytes);
    chain(clocks, c, 1, clocks->columns - 1, bytes);
}

void cyclic_split_ring(struct cyclic_clocks *clocks, int64_t c, double bytes)
{
    const int64_t others = clocks->columns - 1, right = clocks->columns / 2;

    count_broadcast(clocks, bytes);
    chain(clocks, c, 1, right < others ? right : others, bytes);
    if (right < others)
        chain(clocks, c, -1, others - right, bytes);
}

void cyclic_row_tree(struct cyclic_clocks *clocks, int64_t c, double bytes)
{
    const int doublings = cyclic_doublings(clocks->columns);
    const double start_s = clocks->of[c].now_s;
    double sum = 0;

    if (clocks->columns == 1)
        return;
    count_broadcast(clocks, bytes);
    for (int b = 0; b < doublings; b++)
        sum += cyclic_row_s(clocks->net, 0, INT64_C(1) << b, bytes);
    for (int64_t q = 0; q < clocks->columns; q++) {
        cyclic_until(&clocks->of[q], start_s);
        cyclic_spend(&clocks->of[q], CYCLIC_BROADCAST, sum);
    }
}
