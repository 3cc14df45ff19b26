/* Messages that belong together: rings, trees, and what a process sends to all others, or to its
 * mirror image (docs/models/block_cyclic.md#messages). */
#include "engine/block_cyclic/network.h"

#include <math.h>

/* The latency of a step of a ring, when each process takes as many steps as it has others: with
 * other pairs in each step these sum up to their mean, and the slowest process exceeds it by the
 * root of the number of steps (docs/models/block_cyclic.md#decision-the-slowest-pair). */
static double ring_latency_s(const struct cyclic_network *net, const struct fr_protocol *protocol,
                             enum cyclic_scope scope)
{
    double *known_s = &net->ring_s[scope][protocol - net->run->cal->network.protocols.row];
    const int64_t last = cyclic_members_of(net, scope) - 1;
    const double members = (double)last + 1;
    struct fr_latency_place next, around;
    double next_s, around_s, beyond_s;

    if (*known_s > 0)
        return *known_s;
    next = cyclic_place_of(net, cyclic_shift_of(net, scope, 0, 1));
    around = cyclic_place_of(net, cyclic_shift_of(net, scope, last, 0));
    next_s = cyclic_distant_s(net, protocol, next, 1);
    around_s = cyclic_distant_s(net, protocol, around, 1);
    beyond_s = cyclic_distant_s(net, protocol, next, members) - next_s;
    *known_s = next_s + (around_s - next_s) / members + beyond_s / sqrt((double)last);
    return *known_s;
}

/* What messages of a step cost on their node and off it, by is_off; share: of the time in which
 * other lines send. */
struct prices {
    struct cyclic_price of[2];
};

static struct prices prices_of(const struct cyclic_network *net, const struct fr_protocol *protocol,
                               const struct cyclic_crowd *crowd, const double share[2],
                               double distant_s)
{
    struct prices prices = { { { 0, 0, 0 }, { 0, 0, 0 } } };

    for (int is_off = 0; is_off < 2; is_off++) {
        const struct cyclic_sharing *sharing = is_off ? &crowd->off : &crowd->within;
        const double contention = sharing->of_line * (1 + (sharing->of_lines - 1) * share[is_off]);
        const struct cyclic_load load = { contention,
                                          fmax(0, 1 - contention / (double)net->per_node) };

        if (sharing->of_line > 0)
            prices.of[is_off] = cyclic_link_price(net, protocol, is_off, load, distant_s);
    }
    return prices;
}

/* The slower of both. */
static double together_s(const struct cyclic_network *net, const struct fr_protocol *protocol,
                         const struct cyclic_crowd *crowd, const double share[2], double distant_s,
                         double bytes)
{
    const struct prices prices = prices_of(net, protocol, crowd, share, distant_s);

    return fmax(cyclic_price_s(&prices.of[false], bytes), cyclic_price_s(&prices.of[true], bytes));
}

double cyclic_roll_s(const struct cyclic_network *net, enum cyclic_scope scope, double share,
                     double bytes)
{
    const struct fr_protocol *protocol = cyclic_protocol_of(net, bytes);
    const struct cyclic_crowd *crowd = cyclic_crowd_of(net, scope, CYCLIC_SHIFT, 1);

    return together_s(net, protocol, crowd, (double[]){ share, share },
                      ring_latency_s(net, protocol, scope), bytes);
}

struct cyclic_busy cyclic_busy_of(const struct cyclic_network *net, enum cyclic_scope scope)
{
    const struct cyclic_crowd *crowd = cyclic_crowd_of(net, scope, CYCLIC_SHIFT, 1);

    return (struct cyclic_busy){
        crowd->within.of_line * crowd->within.of_lines * net->on_node_s_per_byte,
        crowd->off.of_line * crowd->off.of_lines * net->node_s_per_byte,
    };
}

static double exchange_s(const struct cyclic_network *net, enum cyclic_scope scope,
                         enum cyclic_step kind, int64_t step, const double share[2], double bytes)
{
    const struct fr_protocol *protocol = cyclic_protocol_of(net, bytes);
    const struct cyclic_crowd *crowd = cyclic_crowd_of(net, scope, kind, step);
    const double distant_s =
        cyclic_distant_s(net, protocol, cyclic_place_of(net, cyclic_shift_of(net, scope, 0, step)),
                         (double)cyclic_lines_of(net, scope));

    return together_s(net, protocol, crowd, share, distant_s, bytes);
}

double cyclic_pairwise_s(const struct cyclic_network *net, enum cyclic_scope scope, int64_t step,
                         double share, double bytes)
{
    return exchange_s(net, scope, CYCLIC_GROWING_EXCHANGE, step, (double[]){ share, share }, bytes);
}

double cyclic_step_s(const struct cyclic_network *net, enum cyclic_scope scope,
                     enum cyclic_step kind, int64_t step, double bytes)
{
    const double share[] = { cyclic_share_of(net, scope, false),
                             cyclic_share_of(net, scope, true) };

    return exchange_s(net, scope, kind, step, share, bytes);
}

/* A step of the tree: for any number of bytes the slower of both in each part of the price. */
static void add_step(const struct cyclic_network *net, const struct fr_protocol *protocol,
                     int64_t step, double distant_s, struct cyclic_sum *sum)
{
    const struct cyclic_crowd *crowd =
        cyclic_crowd_of(net, CYCLIC_ALONG_COLUMNS, CYCLIC_TREE, step);
    const double share[] = { cyclic_share_of(net, CYCLIC_ALONG_COLUMNS, false),
                             cyclic_share_of(net, CYCLIC_ALONG_COLUMNS, true) };
    const struct prices prices = prices_of(net, protocol, crowd, share, distant_s);

    sum->latency_s += fmax(prices.of[false].latency_s, prices.of[true].latency_s);
    sum->s_per_byte += fmax(prices.of[false].s_per_byte, prices.of[true].s_per_byte);
}

/* The mean latency between a process row and the one `step` further around, over all rows: they are
 * in turn the root of a tree. */
static double turning_latency_s(const struct cyclic_network *net,
                                const struct fr_protocol *protocol, int64_t step)
{
    const int64_t around = net->rows - step;
    const struct cyclic_route *near = cyclic_route_of(net, CYCLIC_ALONG_COLUMNS, 0, step);
    const double near_s = cyclic_distant_s(net, protocol, near->place, 1);

    if (!net->latencies || !near->is_off)
        return near_s;
    return near_s +
           (double)step / (double)net->rows *
               (cyclic_distant_s(
                    net, protocol,
                    cyclic_place_of(net, cyclic_shift_of(net, CYCLIC_ALONG_COLUMNS, 0, around)),
                    1) -
                near_s);
}

double cyclic_turning_s(const struct cyclic_network *net, int64_t step, double bytes)
{
    const struct fr_protocol *protocol = cyclic_protocol_of(net, bytes);
    struct cyclic_price *price = &net->turning[cyclic_doublings(step) * (ptrdiff_t)net->protocols +
                                               (protocol - net->run->cal->network.protocols.row)];

    if (price->busy_s == 0) {
        const struct cyclic_route *route = cyclic_route_of(net, CYCLIC_ALONG_COLUMNS, 0, step);

        *price = cyclic_link_price(net, protocol, route->is_off, cyclic_load_of(route),
                                   turning_latency_s(net, protocol, step));
    }
    return cyclic_price_s(price, bytes);
}

double cyclic_tree_s(const struct cyclic_network *net, double bytes)
{
    const struct fr_protocol *protocol = cyclic_protocol_of(net, bytes);
    struct cyclic_sum *sum = &net->tree[protocol - net->run->cal->network.protocols.row];

    for (int64_t to = 1; to < net->rows && !sum->is_known; to *= 2)
        add_step(net, protocol, to, turning_latency_s(net, protocol, to), sum);
    sum->is_known = true;
    return sum->latency_s + sum->s_per_byte * bytes;
}

/* Adds `times` times the hops of one process of a column from a row to each of some others. */
static void add_hops(const struct cyclic_network *net, const struct fr_protocol *protocol,
                     double times, int64_t row, int64_t first, int64_t end, struct cyclic_sum *sum)
{
    for (int64_t a = first; a < end; a++) {
        const struct cyclic_route *route = cyclic_route_of(net, CYCLIC_ALONG_COLUMNS, row, a);
        const struct cyclic_price price =
            cyclic_link_price(net, protocol, route->is_off, cyclic_load_of(route),
                              cyclic_distant_s(net, protocol, route->place, 1));

        sum->latency_s += times * (price.latency_s + net->blacs_s);
        sum->s_per_byte += times * price.s_per_byte;
    }
}

/* The sums of the process rows, of which those at the same place of their nodes have most hops in
 * common: from the row before with that place the first rows are farther, the last ones nearer. */
static double others_s(const struct cyclic_network *net, int64_t row, double bytes)
{
    const struct fr_protocol *protocol = cyclic_protocol_of(net, bytes);
    const int64_t P = net->rows, more = net->period[CYCLIC_ALONG_ROWS], before = row - more;
    struct cyclic_sum *sums =
        &net->to_others[(protocol - net->run->cal->network.protocols.row) * net->senders];
    struct cyclic_sum *sum = &sums[row % net->senders];

    if (!sum->is_known || sum->from != row) {
        const struct cyclic_sum *near = before < 0 ? sum : &sums[before % net->senders];

        if (near->is_known && near->from == before && 2 * more < P) {
            *sum = *near;
            add_hops(net, protocol, 1, row, 0, more, sum);
            add_hops(net, protocol, -1, before, P - more, P, sum);
        } else {
            *sum = (struct cyclic_sum){ 0 };
            add_hops(net, protocol, 1, row, 0, row, sum);
            add_hops(net, protocol, 1, row, row + 1, P, sum);
        }
        sum->from = row;
        sum->is_known = true;
    }
    return sum->latency_s + sum->s_per_byte * bytes;
}

double cyclic_random_row_s(const struct cyclic_network *net, int64_t row, double bytes)
{
    return net->rows == 1 ? 0 : others_s(net, row, bytes) / (double)(net->rows - 1);
}

/* The most processes of a node whose partner (j, i) is on another. */
static double most_transposed(const struct cyclic_network *net)
{
    const int64_t side = net->rows;
    int64_t most = 0, here = 0, node = -1;

    for (int64_t rank = 0; rank < side * side; rank++) {
        const int64_t partner = rank % side * side + rank / side;

        if (rank / net->per_node != node) {
            node = rank / net->per_node;
            here = 0;
        }
        here += partner / net->per_node != node;
        most = cyclic_most(most, here);
    }
    return (double)most;
}

/* The mean of C_avg over all pairs (i, j), (j, i), which are (P-1) |i-j| ranks apart.  It was
 * measured with all processes of a node as senders; with latencies by distance so many count as
 * leave the node (docs/models/block_cyclic.md#decision-columns-in-step). */
static double mean_transposed_factor(const struct cyclic_network *net)
{
    const double side = (double)net->rows;
    const double senders = net->latencies ? net->transposed / (double)net->per_node : 1;
    double sum = 0;

    for (double k = 1; k < side; k++)
        sum += (side - k) * cyclic_factor(net, (side - 1) * k);
    return senders * sum / (side * (side - 1) / 2);
}

/* The latency of the slowest pair (i, j), (j, i). */
static double transposed_latency_s(const struct cyclic_network *net,
                                   const struct fr_protocol *protocol)
{
    double *known_s = &net->transposed_s[protocol - net->run->cal->network.protocols.row];
    double slowest_s = 0;

    if (*known_s > 0)
        return *known_s;
    for (int64_t k = 1; k < net->rows; k++)
        slowest_s = fmax(slowest_s,
                         cyclic_distant_s(net, protocol, cyclic_place_of(net, (net->rows - 1) * k),
                                          (double)(net->rows - k)));
    *known_s = slowest_s;
    return slowest_s;
}

double cyclic_transpose_s(struct cyclic_network *net, double bytes)
{
    const struct fr_protocol *protocol = cyclic_protocol_of(net, bytes);

    if (net->transposed_factor == 0) {
        net->transposed = most_transposed(net);
        net->transposed_factor = net->transposed > 0 ? mean_transposed_factor(net) : 1;
    }
    return cyclic_message(
               net, protocol, bytes, net->transposed > 0,
               (struct cyclic_load){ fmax(fmax(1, net->transposed), net->transposed_factor), 0 },
               transposed_latency_s(net, protocol))
        .time_s;
}
