/* Slices of an operand on their way to the processes that multiply them
 * (docs/models/block_cyclic.md#slices-that-are-turned). */
#include "engine/block_cyclic/walk.h"

#include <math.h>

void cyclic_spend_slice(struct cyclic_walk *walk, const struct cyclic_spans *spans,
                        const struct cyclic_slice *costs, double width)
{
    struct cyclic_clocks *clocks = &walk->clocks;
    const double share = (double)(walk->rows - 1) / (double)walk->rows / (double)walk->columns;

    for (size_t i = 0; i < spans->count; i++) {
        const struct cyclic_span *span = &spans->of[i];

        if (span->share == 0)
            continue;
        cyclic_spend_each(clocks, span, CYCLIC_BROADCAST, costs[i].broadcast_s);
        cyclic_spend_each(clocks, span, CYCLIC_COPY, costs[i].copy_s);
        cyclic_spend_each(clocks, span, CYCLIC_UPDATE, costs[i].update_s);
        cyclic_count(clocks, share * (double)(span->end - span->first),
                     8 * width * (double)span->share);
    }
}

void cyclic_send_along_rows(struct cyclic_walk *walk, bool is_ring, int64_t c, double bytes)
{
    if (is_ring)
        cyclic_ring(&walk->clocks, c, bytes);
    else
        cyclic_row_tree(&walk->clocks, c, bytes);
}

/* ---- slices that are turned ----------------------------------------------------------------- */

struct cyclic_turn cyclic_turn_of(const struct cyclic_walk *walk, enum cyclic_scope lies,
                                  double length, double share, double width)
{
    const int64_t P = walk->rows, Q = walk->columns;
    const double senders = (double)(lies == CYCLIC_ALONG_ROWS ? Q : P);
    const double receivers = (double)(lies == CYCLIC_ALONG_ROWS ? P : Q);
    const double divisor = (double)fr_common_divisor(P, Q);
    const double nb = (double)walk->block, had = length / senders, blocks = ceil(share / nb);
    struct cyclic_turn turn = { .received = fmin(senders / divisor, blocks),
                                .sent = fmin(receivers / divisor, ceil(had / nb)) };

    if (share <= 0)
        return (struct cyclic_turn){ 0 };
    turn.bytes = 8 * width * share / turn.received;
    turn.hop_s = P * Q > 1 ? cyclic_across_s(&walk->net, lies, turn.bytes) : 0;
    turn.receive_s = fmax(turn.received, turn.sent) * turn.hop_s;
    turn.copy_s = cyclic_turned_s(walk, share, width, width * (P == Q ? 1 : blocks));
    if (senders <= 1) { /* the only sender turns what it sends */
        turn.pack_s = cyclic_turned_s(walk, had, width, width * ceil(had / nb));
        turn.copy_s = cyclic_packed_s(walk, share, width, width);
    } else if (P != Q) {
        turn.pack_s = cyclic_packed_s(walk, had, width, width * turn.sent);
    }
    return turn;
}

double cyclic_turned_all_s(const struct cyclic_turn *turn)
{
    return turn->pack_s + turn->copy_s +
           fmax(turn->hop_s, turn->receive_s - fmax(turn->pack_s, turn->copy_s));
}

void cyclic_combine_rows(struct cyclic_walk *walk, double bytes)
{
    if (walk->columns == 1)
        return;
    cyclic_meet(&walk->clocks);
    cyclic_spend_all(&walk->clocks, CYCLIC_BROADCAST, cyclic_row_reduce_s(&walk->net, bytes));
    cyclic_count(&walk->clocks, (double)(walk->columns - 1) / (double)walk->columns, bytes);
}

/* A slice that lies along a process row is turned by column 0, whose process in that row takes a
 * part from each column that has one, in the order in which these have the slice before. */
static void turn_slice(struct cyclic_walk *walk, const struct cyclic_owner *owner, double length,
                       double rows, double width)
{
    const struct cyclic_turn turn = cyclic_turn_of(walk, CYCLIC_ALONG_ROWS, length, rows, width);
    const int64_t divisor = fr_common_divisor(walk->rows, walk->columns);
    const double part = (double)divisor / (double)walk->columns;
    struct cyclic_clocks *clocks = &walk->clocks;

    for (int64_t q = owner->row % divisor; q < walk->columns; q += divisor) {
        cyclic_follow(clocks, q, 0);
        cyclic_spend_on(clocks, 0, CYCLIC_BROADCAST, part * turn.receive_s);
        cyclic_spend_on(clocks, 0, CYCLIC_COPY, part * (turn.copy_s + turn.pack_s));
    }
    cyclic_count(clocks, turn.received / (double)walk->columns, turn.bytes);
}

/* On one process row every process adds its part to the whole (PB_CpaxpbyDN.c). */
void cyclic_send_turned(struct cyclic_walk *walk, bool is_ring, const struct cyclic_owner *owner,
                        double length, double rows, double width)
{
    if (walk->rows > 1) {
        turn_slice(walk, owner, length, rows, width);
        cyclic_send_along_rows(walk, is_ring, 0, 8 * rows * width);
    } else {
        cyclic_spend_all(&walk->clocks, CYCLIC_COPY,
                         cyclic_turned_s(walk, rows / (double)walk->columns, width, width));
        cyclic_combine_rows(walk, 8 * rows * width);
    }
}
