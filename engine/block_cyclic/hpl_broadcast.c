/* HPL's broadcasts of a panel (HPL_1ring.c to HPL_blonM.c;
 * docs/models/block_cyclic.md#broadcast-of-hpl).  Columns are named by their distance to the right
 * of the owner. */
#include "engine/block_cyclic/hpl.h"

#include <math.h>

/* ---- work until the panel is there ----------------------------------------------------------- */

static inline void spend_columns(struct cyclic_clock *clock, const struct hpl_columns *of,
                                 double times)
{
    cyclic_spend(clock, CYCLIC_SOLVE_TRIANGLE, times * of->trsm_s);
    cyclic_spend(clock, CYCLIC_UPDATE, times * of->update_s);
}

/* Swap steps until a time; the rolls are equal, so their number follows by division. */
static inline void swap_until(struct hpl_progress *progress, struct cyclic_clock *clock,
                              double found_s)
{
    const struct hpl_update *update = progress->update;
    int64_t rolls = update->rolls;

    if (clock->now_s + update->swap_s < found_s) {
        cyclic_spend(clock, CYCLIC_SWAP, update->swap_s);
        progress->swaps_done = update->step_count + rolls;
        return;
    }
    while (progress->swaps_done < update->step_count && clock->now_s < found_s)
        cyclic_spend(clock, CYCLIC_SWAP, update->step_s[progress->swaps_done++]);
    if (clock->now_s >= found_s || !rolls)
        return;
    if (clock->now_s + (double)(rolls - 1) * update->roll_s >= found_s)
        rolls = (int64_t)ceil((found_s - clock->now_s) / update->roll_s);
    cyclic_spend(clock, CYCLIC_SWAP,
                 (double)rolls * update->roll_s + (rolls == update->rolls ? update->last_s : 0));
    progress->swaps_done += rolls;
}

/* Blocks of columns until a time, at least one. */
static inline void update_until(struct hpl_progress *progress, struct cyclic_clock *clock,
                                double found_s, int64_t width)
{
    const double slack = 1e-9;
    const struct hpl_update *update = progress->update;
    const double block_s = update->block.trsm_s + update->block.update_s;
    const double wanted = block_s > 0 ? (found_s - clock->now_s) / block_s - slack : INFINITY;
    int64_t done = update->blocks;

    if (!done)
        return;
    if (wanted < (double)done) {
        done = cyclic_most(1, (int64_t)wanted);
        done += (double)done < wanted;
    }
    spend_columns(clock, &update->block, (double)done);
    progress->columns_done = done * width;
}

/* The columns that are left: from panel to panel as many are. */
static inline void finish(struct hpl *hpl, struct hpl_progress *progress,
                          struct cyclic_clock *clock)
{
    struct hpl_update *update = progress->update;
    const int64_t columns = update->columns - progress->columns_done;
    struct hpl_left *left = &update->left[columns / hpl->walk.block % HPL_LEFT];

    progress->columns_done = update->columns;
    if (columns == update->columns) {
        spend_columns(clock, &update->all, 1);
        return;
    }
    if (left->columns != columns)
        *left = (struct hpl_left){ columns, hpl_columns_of(hpl, update, columns) };
    spend_columns(clock, &left->of, 1);
}

/* Works until a message that is ready at `ready_s` is found, or all is done. */
static inline void work_until(struct hpl *hpl, struct hpl_progress *progress,
                              struct cyclic_clock *clock, double ready_s)
{
    const double rounding = 1e-12, found_s = ready_s * (1 - rounding);

    if (!progress->update || clock->now_s >= found_s)
        return;
    swap_until(progress, clock, found_s);
    if (clock->now_s < found_s)
        update_until(progress, clock, found_s, hpl->walk.block);
    if (clock->now_s < found_s && progress->columns_done < progress->update->columns)
        finish(hpl, progress, clock);
}

/* The swap steps that are not done yet. */
static inline double swaps_left_s(const struct hpl_progress *progress,
                                  const struct hpl_update *update)
{
    const int64_t all = update->step_count + update->rolls;
    double sum = 0;

    if (progress->swaps_done == 0)
        return update->swap_s;
    if (progress->swaps_done == all)
        return 0;
    for (int64_t i = progress->swaps_done; i < update->step_count; i++)
        sum += update->step_s[i];
    return sum + update->last_s +
           update->roll_s * (double)(all - cyclic_most(progress->swaps_done, update->step_count));
}

/* Does the rest. */
static inline void work_on(struct hpl *hpl, struct hpl_progress *progress,
                           struct cyclic_clock *clock)
{
    if (!progress->update)
        return;
    cyclic_spend(clock, CYCLIC_SWAP, swaps_left_s(progress, progress->update));
    if (progress->columns_done < progress->update->columns)
        finish(hpl, progress, clock);
    progress->update = NULL;
}

void hpl_update_ahead(struct hpl *hpl, int64_t q, int64_t panel, int64_t columns)
{
    hpl_prepare_update(hpl, q, panel, columns, true);
    work_on(hpl, &hpl->progress[q], &hpl->walk.clocks.of[q]);
}

/* ---- messages -------------------------------------------------------------------------------- */

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

/* A sender that waits is free when the receiver has the message. */
static inline void send(struct hpl *hpl, int64_t from, int64_t to, struct cyclic_hop hop)
{
    struct cyclic_clock *const sender = &hpl->walk.clocks.of[from];
    struct cyclic_clock *const receiver = &hpl->walk.clocks.of[to];
    const double ready_s = sender->now_s;

    work_until(hpl, &hpl->progress[to], receiver, ready_s);
    if (hop.sender_waits) {
        cyclic_until(receiver, ready_s);
        cyclic_spend(receiver, CYCLIC_BROADCAST, hop.time_s);
        sender->now_s = receiver->now_s;
        sender->in_s[CYCLIC_BROADCAST] += hop.time_s;
        return;
    }
    cyclic_until(receiver, ready_s + hop.time_s);
    cyclic_spend(sender, CYCLIC_BROADCAST, hop.busy_s);
}

/* From the column at a distance to the next one, and so on up to the one before `end`. */
static void send_along(struct hpl *hpl, int64_t c, int64_t distance, int64_t end, double bytes)
{
    const struct cyclic_lanes *lanes = cyclic_lanes_of(&hpl->walk.net, bytes);
    int64_t from = column_at(hpl, c, distance);

    for (; distance + 1 < end; distance++) {
        const int64_t to = from + 1 < hpl->walk.columns ? from + 1 : 0;
        const struct cyclic_price *price = &lanes->from_left[to];

        send(hpl, from, to,
             (struct cyclic_hop){ cyclic_price_s(price, bytes), price->busy_s,
                                  lanes->sender_waits });
        from = to;
    }
}

static void send_to(struct hpl *hpl, int64_t c, int64_t distance, double bytes)
{
    const int64_t to = column_at(hpl, c, distance);

    send(hpl, c, to, cyclic_hop_of(&hpl->walk.net, CYCLIC_ALONG_ROWS, c, to, bytes));
}

/* The owner sends to the heads of the rings; those of a ring pass on from neighbour to neighbour.
 * In the modified rings the right neighbour passes nothing on. */
static void send_along_rings(struct hpl *hpl, int64_t c, double bytes)
{
    const int64_t Q = hpl->walk.columns, second = second_head(hpl->v->broadcast, Q);
    const bool is_modified = hpl->v->broadcast == HPL_1RING_M || hpl->v->broadcast == HPL_2RING_M;
    const int64_t head = is_modified ? 2 : 1;

    send_along(hpl, c, 0, 2, bytes);
    if (is_modified && Q > 2)
        send_to(hpl, c, 2, bytes);
    if (second)
        send_to(hpl, c, second, bytes);
    send_along(hpl, c, head, second ? second : Q, bytes);
    if (second)
        send_along(hpl, c, second, Q, bytes);
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
    const double share = cyclic_share_in_step(net, CYCLIC_ALONG_ROWS);
    double time_s = (double)(members - 1) *
                    cyclic_roll_s(net, CYCLIC_ALONG_ROWS, share, bytes / (double)members);

    if (is_modified)
        meet(hpl, c, 1, 2, cyclic_row_s(net, c, column_at(hpl, c, 1), bytes));
    if (members == 1)
        return;
    for (int b = 0; b < doublings; b++)
        time_s += cyclic_row_s(net, 0, cyclic_least(Q - 1, INT64_C(1) << (doublings - 1 - b)),
                               ldexp(bytes, -(b + 1)));
    meet(hpl, c, is_modified ? 2 : 1, Q, time_s);
}

/* The mean time of a hop of the ring. */
static double hop_s(const struct hpl *hpl, double bytes)
{
    const struct cyclic_lanes *lanes = cyclic_lanes_of(&hpl->walk.net, bytes);
    double sum_s = 0;

    for (int64_t q = 0; q < hpl->walk.columns; q++)
        sum_s += cyclic_price_s(&lanes->from_left[q], bytes);
    return sum_s / (double)hpl->walk.columns;
}

/* How long a ring holds up columns that roll their swaps: a process that polls between two steps
 * passes the panel on before it continues, and waits until the next one has it
 * (docs/models/block_cyclic.md#jams, whose simulation gives the numbers). */
static double jam_s(const struct hpl *hpl, int64_t c, double bytes)
{
    const double scale = 1.9, exponent = 2.0 / 3, most_factor = 0.2, most_deviation = 0.05;
    const struct hpl_update *update = hpl->progress[column_at(hpl, c, 1)].update;
    const double P = (double)hpl->walk.rows, Q = (double)hpl->walk.columns;
    double work_s, hops;

    if (!update || update->rolls < 2 || hpl->deviation == 0 ||
        !cyclic_lanes_of(&hpl->walk.net, bytes)->sender_waits)
        return 0;
    work_s = update->all.trsm_s + update->all.update_s;
    hops = (P - 2) * hop_s(hpl, bytes) / work_s;
    return scale * pow(hops * fmin(hpl->deviation, most_deviation), exponent) * pow(1 - 1 / Q, 2) *
           fmax(0, work_s - hpl->part[hpl->walk.followed].panel_s / most_factor);
}

void hpl_broadcast_panel(struct hpl *hpl, int64_t panel, int64_t c)
{
    struct cyclic_walk *walk = &hpl->walk;
    const double width = (double)hpl_panel_width(hpl, panel), Q = (double)walk->columns;
    const double bytes = 8 * (hpl_most_rows(hpl, panel) * width + width * width + width + 1);
    double held_up_s = 0;

    walk->clocks.steps += HPL_PANEL_STEPS + HPL_COLUMN_STEPS * Q;
    if (walk->columns > 1) {
        cyclic_count(&walk->clocks, (Q - 1) / Q, bytes);
        if (hpl_meets(hpl->v)) {
            send_long(hpl, c, bytes);
        } else {
            held_up_s = jam_s(hpl, c, bytes);
            send_along_rings(hpl, c, bytes);
        }
    }
    for (int64_t q = 0; q < walk->columns; q++)
        work_on(hpl, &hpl->progress[q], &walk->clocks.of[q]);
    for (int64_t q = 0; q < walk->columns && held_up_s > 0; q++)
        cyclic_until(&walk->clocks.of[q], walk->clocks.of[q].now_s + held_up_s);
}
