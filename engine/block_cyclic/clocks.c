/* Clocks of process columns and broadcasts along the rows. */
#include "engine/block_cyclic/walk.h"

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

void cyclic_all_until(struct cyclic_clocks *clocks, double time_s)
{
    for (int64_t q = 0; q < clocks->columns && !clocks->is_bound; q++)
        cyclic_until(&clocks->of[q], time_s);
    clocks->steps += clocks->is_bound ? 0 : CYCLIC_CLOCK_STEPS * (double)clocks->columns;
}

void cyclic_meet(struct cyclic_clocks *clocks)
{
    if (!clocks->is_bound)
        cyclic_all_until(clocks, cyclic_clocks_latest(clocks));
}

void cyclic_count(struct cyclic_clocks *clocks, double messages, double bytes)
{
    clocks->messages += messages;
    clocks->message_bytes += messages * bytes;
}

static void spend_among(struct cyclic_clocks *clocks, int64_t first, int64_t end,
                        enum cyclic_phase phase, double time_s)
{
    if (time_s == 0)
        return;
    clocks->edge[first][phase] += time_s;
    clocks->edge[end][phase] -= time_s;
    if (clocks->path_at >= first && clocks->path_at < end)
        clocks->path_s += time_s;
    clocks->steps += 1;
    if (clocks->is_bound)
        return;
    for (int64_t q = first; q < end; q++)
        clocks->of[q].now_s += time_s;
    clocks->steps += CYCLIC_CLOCK_STEPS * (double)(end - first);
}

void cyclic_spend_on(struct cyclic_clocks *clocks, int64_t q, enum cyclic_phase phase,
                     double time_s)
{
    spend_among(clocks, q, q + 1, phase, time_s);
}

void cyclic_spend_all(struct cyclic_clocks *clocks, enum cyclic_phase phase, double time_s)
{
    spend_among(clocks, 0, clocks->columns, phase, time_s);
}

void cyclic_spend_each(struct cyclic_clocks *clocks, const struct cyclic_span *span,
                       enum cyclic_phase phase, double time_s)
{
    const int64_t Q = clocks->columns;

    if (span->first < Q)
        spend_among(clocks, span->first, cyclic_least(span->end, Q), phase, time_s);
    if (span->end > Q)
        spend_among(clocks, cyclic_most(span->first, Q) - Q, span->end - Q, phase, time_s);
}

void cyclic_repeat(struct cyclic_clocks *clocks, const struct cyclic_clocks *part, double times)
{
    for (int64_t q = 0; q < clocks->columns; q++) {
        clocks->of[q].now_s += times * part->of[q].now_s;
        for (int i = 0; i < CYCLIC_PHASES; i++) {
            clocks->of[q].in_s[i] += times * part->of[q].in_s[i];
            clocks->edge[q][i] += times * part->edge[q][i];
        }
    }
    clocks->path_s += times * part->path_s;
    clocks->messages += times * part->messages;
    clocks->message_bytes += times * part->message_bytes;
    clocks->steps += 2 * CYCLIC_PHASES * CYCLIC_CLOCK_STEPS * (double)clocks->columns;
}

double cyclic_clocks_work_s(const struct cyclic_clocks *clocks)
{
    double sum = 0, most = 0;

    for (int64_t q = 0; q < clocks->columns; q++) {
        for (int i = 0; i < CYCLIC_PHASES; i++)
            sum += clocks->edge[q][i];
        most = fmax(most, sum);
    }
    return most;
}

struct cyclic_means cyclic_clocks_means(const struct cyclic_clocks *clocks)
{
    const double Q = (double)clocks->columns;
    struct cyclic_means means = {
        .path_s = clocks->path_s,
        .messages = clocks->messages,
        .message_bytes = clocks->message_bytes,
    };

    for (int64_t q = 0; q < clocks->columns; q++) {
        const double columns_from = (double)(clocks->columns - q);

        means.now_s += clocks->of[q].now_s / Q;
        for (int i = 0; i < CYCLIC_PHASES; i++) {
            means.in_s[i] += clocks->of[q].in_s[i] / Q;
            means.edge_s[i] += clocks->edge[q][i] * columns_from / Q;
        }
    }
    return means;
}

void cyclic_clocks_stretch(struct cyclic_clocks *clocks, const struct cyclic_means *before,
                           const struct cyclic_means *settled, double weight)
{
    const struct cyclic_means now = cyclic_clocks_means(clocks);
    struct cyclic_means more;

#define MORE(member) \
    more.member = weight * (now.member - settled->member) - (now.member - before->member)
    MORE(now_s);
    MORE(path_s);
    MORE(messages);
    MORE(message_bytes);
    for (int i = 0; i < CYCLIC_PHASES; i++) {
        MORE(in_s[i]);
        MORE(edge_s[i]);
        clocks->edge[0][i] += more.edge_s[i];
    }
#undef MORE
    for (int64_t q = 0; q < clocks->columns && !clocks->is_bound; q++) {
        clocks->of[q].now_s += more.now_s;
        for (int i = 0; i < CYCLIC_PHASES; i++)
            clocks->of[q].in_s[i] += more.in_s[i];
    }
    clocks->path_s += more.path_s;
    clocks->lead_s += more.now_s;
    clocks->lead_path_s += more.path_s;
    clocks->messages += more.messages;
    clocks->message_bytes += more.message_bytes;
    clocks->steps += 4 * CYCLIC_PHASES * CYCLIC_CLOCK_STEPS * (double)clocks->columns;
}

bool cyclic_clocks_turn(struct cyclic_clocks *clocks, int64_t distance)
{
    const int64_t Q = clocks->columns, to = (distance % Q + Q) % Q;
    struct fr_arena *arena = clocks->net->run->arena;
    const struct fr_arena_mark mark = fr_arena_mark(arena);
    double *now_s;

    if (!to)
        return true;
    now_s = fr_arena_zeroed(arena, (size_t)Q, sizeof *now_s);
    if (!now_s)
        return false;
    for (int64_t q = 0; q < Q; q++)
        now_s[(q + to) % Q] = clocks->of[q].now_s;
    for (int64_t q = 0; q < Q; q++)
        clocks->of[q].now_s = now_s[q];
    fr_arena_release(arena, mark);
    clocks->path_at = (clocks->path_at + to) % Q;
    return true;
}

void cyclic_clocks_end(struct cyclic_clocks *clocks)
{
    double each_s[CYCLIC_PHASES] = { 0 };

    for (int64_t q = 0; q < clocks->columns; q++) {
        struct cyclic_clock *clock = &clocks->of[q];
        double spent_s = 0;

        for (int i = 0; i < CYCLIC_PHASES; i++) {
            each_s[i] += clocks->edge[q][i];
            clock->in_s[i] += each_s[i];
            spent_s += clock->in_s[i];
        }
        clock->in_s[CYCLIC_WAIT] = fmax(0, clock->now_s - spent_s);
    }
}

/* A message on its way: who has it, since when, and what it has spent to get it. */
struct message {
    struct cyclic_clock *sender;
    double bytes, at_s, received_s;
};

/* A sender that waits is free when the receiver has the message. */
static void pass_waiting(struct message *message, struct cyclic_clock *receiver,
                         const struct cyclic_price *price, ptrdiff_t step, int64_t count)
{
    const double bytes = message->bytes;
    struct cyclic_clock *sender = message->sender;
    double at_s = message->at_s, received_s = message->received_s;

    for (; count > 0; count--, receiver += step, price += step) {
        const double time_s = cyclic_price_s(price, bytes);

        at_s = (receiver->now_s > at_s ? receiver->now_s : at_s) + time_s;
        sender->now_s = at_s;
        sender->in_s[CYCLIC_BROADCAST] += received_s + time_s;
        received_s = time_s;
        sender = receiver;
    }
    *message = (struct message){ sender, bytes, at_s, received_s };
}

/* The receiver spends what is left of the time when it turns to the message. */
static void pass_on(struct message *message, struct cyclic_clock *receiver,
                    const struct cyclic_price *price, ptrdiff_t step, int64_t count)
{
    const double bytes = message->bytes;
    struct cyclic_clock *sender = message->sender;
    double at_s = message->at_s, received_s = message->received_s;

    for (; count > 0; count--, receiver += step, price += step) {
        const double there_s = at_s + cyclic_price_s(price, bytes);
        const double turned_s = receiver->now_s > at_s ? receiver->now_s : at_s;

        sender->now_s = at_s + price->busy_s;
        sender->in_s[CYCLIC_BROADCAST] += received_s + price->busy_s;
        at_s = turned_s > there_s ? turned_s : there_s;
        received_s = at_s - turned_s;
        sender = receiver;
    }
    *message = (struct message){ sender, bytes, at_s, received_s };
}

/* Passes a message through `count` columns to the right (step 1) or left (-1) of c. */
static void chain(struct cyclic_clocks *clocks, int64_t c, ptrdiff_t step, int64_t count,
                  double bytes)
{
    const struct cyclic_lanes *lanes = cyclic_lanes_of(clocks->net, bytes);
    const struct cyclic_price *lane = step > 0 ? lanes->from_left : lanes->from_right;
    const int64_t Q = clocks->columns, to_edge = step > 0 ? Q - 1 - c : c;
    const int64_t here = cyclic_least(count, to_edge), around = step > 0 ? 0 : Q - 1;
    struct message message = { &clocks->of[c], bytes, clocks->of[c].now_s, 0 };
    void (*const pass)(struct message *, struct cyclic_clock *, const struct cyclic_price *,
                       ptrdiff_t, int64_t) = lanes->sender_waits ? pass_waiting : pass_on;

    pass(&message, clocks->of + c + step, lane + c + step, step, here);
    clocks->steps += 1 + CYCLIC_HOP_STEPS * (double)count;
    pass(&message, clocks->of + around, lane + around, step, count - here);
    message.sender->now_s = message.at_s;
    message.sender->in_s[CYCLIC_BROADCAST] += message.received_s;
}

static void count_broadcast(struct cyclic_clocks *clocks, double bytes)
{
    cyclic_count(clocks, (double)(clocks->columns - 1) / (double)clocks->columns, bytes);
}

/* The right neighbour has the message of c after one hop, and is the next owner.  Returns whether
 * the clocks follow the message. */
static bool follow(struct cyclic_clocks *clocks, int64_t c, double bytes)
{
    const int64_t next = c + 1 < clocks->columns ? c + 1 : 0;

    count_broadcast(clocks, bytes);
    if (clocks->path_at == c && next != c) {
        clocks->path_s +=
            cyclic_price_s(&cyclic_lanes_of(clocks->net, bytes)->from_left[next], bytes);
        clocks->path_at = next;
    }
    return !clocks->is_bound;
}

void cyclic_ring(struct cyclic_clocks *clocks, int64_t c, double bytes)
{
    if (follow(clocks, c, bytes))
        chain(clocks, c, 1, clocks->columns - 1, bytes);
}

void cyclic_split_ring(struct cyclic_clocks *clocks, int64_t c, double bytes)
{
    const int64_t others = clocks->columns - 1;
    const int64_t right = cyclic_least(clocks->columns / 2, others);

    if (!follow(clocks, c, bytes))
        return;
    chain(clocks, c, 1, right, bytes);
    if (right < others)
        chain(clocks, c, -1, others - right, bytes);
}

void cyclic_row_tree(struct cyclic_clocks *clocks, int64_t c, double bytes)
{
    const int doublings = cyclic_doublings(clocks->columns);
    const double start_s = clocks->of[c].now_s;
    double sum = clocks->net->blacs_s;

    if (clocks->columns == 1)
        return;
    count_broadcast(clocks, bytes);
    for (int b = 0; b < doublings; b++)
        sum += cyclic_row_s(clocks->net, 0, INT64_C(1) << b, bytes) - clocks->net->blacs_s;
    cyclic_all_until(clocks, start_s);
    cyclic_spend_all(clocks, CYCLIC_BROADCAST, sum);
    if (clocks->path_at == c)
        clocks->path_at = c + 1 < clocks->columns ? c + 1 : 0;
}
