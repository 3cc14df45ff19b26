/* HPL's broadcasts of a panel (HPL_1ring.c to HPL_blonM.c;
 * docs/models/block_cyclic.md#broadcast-of-hpl).  Columns are named by their distance to the right
 * of the owner. */
#include "engine/block_cyclic/hpl.h"

#include <math.h>

static int64_t column_at(const struct hpl *hpl, int64_t c, int64_t distance)
{
    return (c + distance) % hpl->walk.columns;
}

/* The head of the second ring, 0 if there is none. */
static int64_t second_head(enum hpl_broadcast broadcast, int64_t Q)
{
    if (broadcast == HPL_2RING && Q > 2)
        return (Q + 1) / 2;
    if (broadcast == HPL_2RING_M && Q > 3 && Q / 2 + 1 != 2)
        return Q / 2 + 1;
    return 0;
}

/* The distances to which a column sends, in turn; returns their number. */
enum { TARGETS = 3 };
static size_t targets_of(enum hpl_broadcast broadcast, int64_t Q, int64_t distance,
                         int64_t target[TARGETS])
{
    const bool is_modified = broadcast == HPL_1RING_M || broadcast == HPL_2RING_M;
    const int64_t head = second_head(broadcast, Q);
    size_t count = 0;

    if (distance == 0) {
        target[count++] = 1;
        if (is_modified && Q > 2)
            target[count++] = 2;
        if (head)
            target[count++] = head;
    } else if (!(is_modified && distance == 1) && distance + 1 < Q && distance + 1 != head) {
        target[count++] = distance + 1;
    }
    return count;
}

static void send(struct hpl *hpl, int64_t from, int64_t to, double bytes)
{
    struct cyclic_clocks *clocks = &hpl->walk.clocks;
    const struct cyclic_hop hop = cyclic_hop_of(&hpl->walk.net, CYCLIC_ALONG_ROWS, from, to, bytes);
    const double ready_s = clocks->of[from].now_s;

    hpl_work_until(hpl, to, ready_s);
    if (hop.sender_waits) {
        cyclic_pass(clocks, from, to, &hop);
        return;
    }
    cyclic_until(&clocks->of[to], ready_s + hop.time_s);
    cyclic_spend(&clocks->of[from], CYCLIC_BROADCAST, hop.busy_s);
}

/* First in, first out: a column sends once it has the panel. */
static void send_along_rings(struct hpl *hpl, int64_t c, double bytes)
{
    const int64_t Q = hpl->walk.columns;
    int64_t known = 1;

    hpl->queue[0] = 0;
    for (int64_t i = 0; i < known; i++) {
        int64_t target[TARGETS];
        const size_t count = targets_of(hpl->v->broadcast, Q, hpl->queue[i], target);

        for (size_t j = 0; j < count; j++) {
            send(hpl, column_at(hpl, c, hpl->queue[i]), column_at(hpl, c, target[j]), bytes);
            hpl->queue[known++] = target[j];
        }
    }
}

/* The columns at the distances 0 and from `first` on meet and spend. */
static void meet(struct hpl *hpl, int64_t c, int64_t first, int64_t end, double time_s)
{
    struct cyclic_clocks *clocks = &hpl->walk.clocks;
    double latest_s = clocks->of[c].now_s;

    for (int64_t d = first; d < end; d++)
        latest_s = fmax(latest_s, clocks->of[column_at(hpl, c, d)].now_s);
    for (int64_t d = first - 1; d < end; d++) {
        struct cyclic_clock *clock = &clocks->of[column_at(hpl, c, d < first ? 0 : d)];

        cyclic_until(clock, latest_s);
        cyclic_spend(clock, CYCLIC_BROADCAST, time_s);
    }
}

/* Spread and roll among all columns, or all but the right neighbour, which has it first. */
static void send_long(struct hpl *hpl, int64_t c, double bytes)
{
    struct cyclic_network *net = &hpl->walk.net;
    const bool is_modified = hpl->v->broadcast == HPL_LONG_M;
    const int64_t Q = hpl->walk.columns, members = is_modified ? Q - 1 : Q;
    const int doublings = cyclic_doublings(members);
    double time_s = (double)(members - 1) *
                    cyclic_neighbours_s(net, CYCLIC_ALONG_ROWS, bytes / (double)members);

    if (is_modified)
        meet(hpl, c, 1, 2, cyclic_row_s(net, c, column_at(hpl, c, 1), bytes));
    if (members == 1)
        return;
    for (int b = 0; b < doublings; b++)
        time_s += cyclic_row_s(net, 0, cyclic_least(Q - 1, INT64_C(1) << (doublings - 1 - b)),
                               ldexp(bytes, -(b + 1)));
    meet(hpl, c, is_modified ? 2 : 1, Q, time_s);
}

void hpl_broadcast_panel(struct hpl *hpl, int64_t panel, int64_t c)
{
    struct cyclic_walk *walk = &hpl->walk;
    const double width = (double)hpl_panel_width(hpl, panel), Q = (double)walk->columns;
    const double rows =
        cyclic_most_rows(walk, hpl->v->common.n, panel * walk->block + (int64_t)width);
    const double bytes = 8 * (rows * width + width * width + width + 1);

    if (walk->columns > 1) {
        cyclic_count(&walk->clocks, (Q - 1) / Q, bytes);
        if (hpl->v->broadcast == HPL_LONG || hpl->v->broadcast == HPL_LONG_M)
            send_long(hpl, c, bytes);
        else
            send_along_rings(hpl, c, bytes);
    }
    for (int64_t q = 0; q < walk->columns; q++)
        hpl_work_on(hpl, q);
}
