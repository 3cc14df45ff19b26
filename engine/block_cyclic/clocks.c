/* Clocks of process columns and broadcasts along the rows. */
#include "engine/block_cyclic/clocks.h"

#include <math.h>

int cyclic_clocks_begin(struct cyclic_clocks *clocks, const struct cyclic_network *net)
{
    *clocks = (struct cyclic_clocks){
        .net = net,
        .columns = net->columns,
        .of = fr_arena_zeroed(net->run->arena, (size_t)net->columns, sizeof *clocks->of),
        .edge = fr_arena_zeroed(net->run->arena, (size_t)net->columns + 1, sizeof *clocks->edge),
    };
    if (!clocks->of || !clocks->edge)
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

void cyclic_spend_each(struct cyclic_clocks *clocks, const struct cyclic_span *span,
                       const struct cyclic_costs *costs)
{
    double sum = 0;

    for (int i = 0; i < CYCLIC_PHASES; i++) {
        clocks->edge[span->first].in_s[i] += costs->in_s[i];
        clocks->edge[span->end].in_s[i] -= costs->in_s[i];
        sum += costs->in_s[i];
    }
    for (int64_t q = span->first; q < span->end; q++)
        clocks->of[q].now_s += sum;
}

void cyclic_clocks_end(struct cyclic_clocks *clocks)
{
    struct cyclic_costs sum = { { 0 } };

    for (int64_t q = 0; q < clocks->columns; q++) {
        struct cyclic_clock *clock = &clocks->of[q];
        double spent_s = 0;

        for (int i = 0; i < CYCLIC_PHASES; i++) {
            sum.in_s[i] += clocks->edge[q].in_s[i];
            clock->in_s[i] += sum.in_s[i];
            spent_s += clock->in_s[i];
        }
        clock->in_s[CYCLIC_WAIT] = fmax(0, clock->now_s - spent_s);
    }
}

/* A sender that waits is free once the receiver has the message. */
static void pass_waiting(struct cyclic_clock *from, struct cyclic_clock *to, double time_s)
{
    const double at_s = from->now_s < to->now_s ? to->now_s : from->now_s;

    from->now_s = to->now_s = at_s + time_s;
    from->in_s[CYCLIC_BROADCAST] += time_s;
    to->in_s[CYCLIC_BROADCAST] += time_s;
}

/* The receiver spends what is left of the time when it turns to the message. */
static void pass_on(struct cyclic_clock *from, struct cyclic_clock *to, double time_s,
                    double busy_s)
{
    const double there_s = from->now_s + time_s;
    const double turned_s = from->now_s < to->now_s ? to->now_s : from->now_s;

    if (turned_s < there_s)
        to->in_s[CYCLIC_BROADCAST] += there_s - turned_s;
    to->now_s = turned_s < there_s ? there_s : turned_s;
    cyclic_spend(from, CYCLIC_BROADCAST, busy_s);
}

void cyclic_pass(struct cyclic_clocks *clocks, int64_t from, int64_t to,
                 const struct cyclic_hop *hop)
{
    if (hop->sender_waits)
        pass_waiting(&clocks->of[from], &clocks->of[to], hop->time_s);
    else
        pass_on(&clocks->of[from], &clocks->of[to], hop->time_s, hop->busy_s);
}

/* Passes a message through `count` columns beside c, each the sender of the next. */
static void chain(struct cyclic_clocks *clocks, int64_t c, bool is_right, int64_t count,
                  double bytes)
{
    const struct cyclic_lanes *lanes = cyclic_lanes_of(clocks->net, bytes);
    const struct cyclic_price *lane = is_right ? lanes->right : lanes->left;
    const int64_t Q = clocks->columns;

    for (int64_t from = c, to, i = 0; i < count; i++, from = to) {
        const double time_s = cyclic_price_s(&lane[from], bytes);

        if (is_right)
            to = from + 1 < Q ? from + 1 : 0;
        else
            to = from ? from - 1 : Q - 1;
        if (lanes->sender_waits)
            pass_waiting(&clocks->of[from], &clocks->of[to], time_s);
        else
            pass_on(&clocks->of[from], &clocks->of[to], time_s, lane[from].busy_s);
    }
}

static void count_broadcast(struct cyclic_clocks *clocks, double bytes)
{
    cyclic_count(clocks, (double)(clocks->columns - 1) / (double)clocks->columns, bytes);
}

void cyclic_ring(struct cyclic_clocks *clocks, int64_t c, double bytes)
{
    count_broadcast(clocks, bytes);
    chain(clocks, c, true, clocks->columns - 1, bytes);
}

void cyclic_split_ring(struct cyclic_clocks *clocks, int64_t c, double bytes)
{
    const int64_t others = clocks->columns - 1, right = clocks->columns / 2;

    count_broadcast(clocks, bytes);
    chain(clocks, c, true, right < others ? right : others, bytes);
    if (right < others)
        chain(clocks, c, false, others - right, bytes);
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
