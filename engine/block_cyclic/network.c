/* Hops: latency and bandwidth of a message, slowed by the lines that share a link or a network
 * interface (docs/models/block_cyclic.md#hops). */
#include "engine/block_cyclic/network.h"
#include "engine/block_cyclic/distribution.h"
#include "engine/lookup/curve.h"

#include <math.h>

static const char no_memory[] = "too large for the memory of a request";

/* ---- contention ------------------------------------------------------------------------------ */

/* The curve of the process count nearest to that of the grid; without counts the only one. */
static const struct fr_curve *curve_of(const struct cyclic_network *net)
{
    const struct fr_calibration *cal = net->run->cal;
    const struct fr_curves *curves = &cal->averages;
    const double processes = (double)net->rows * (double)net->columns, at = log2(processes);
    size_t nearest = 0;

    if (!curves->count)
        return &cal->average;
    for (size_t i = 1; i < curves->count; i++)
        if (fabs(curves->log2_key[i] - at) < fabs(curves->log2_key[nearest] - at))
            nearest = i;
    if ((double)curves->key[nearest] != processes)
        fr_warn(net->run->out, FR_WARN_EXTRAPOLATED, "contention.average.processes", processes,
                (double)curves->key[0], (double)curves->key[curves->count - 1]);
    return &curves->curve[nearest];
}

double cyclic_factor(const struct cyclic_network *net, double distance)
{
    const struct fr_curve *curve;
    const double x = log2(distance);

    if (!net->has_contention || distance < 1)
        return 1;
    curve = curve_of(net);
    net->run->out->used |= FR_USE(CONTENTION_AVERAGE);
    if (!fr_curve_covers(curve, x))
        fr_warn(net->run->out, FR_WARN_EXTRAPOLATED, "contention.average.distance", distance,
                round(exp2(fr_curve_low(curve))), round(exp2(fr_curve_high(curve))));
    return fr_curve_at(curve, x);
}

/* Messages from ranks `first`, first + stride, … to ranks that are `shift` further. */
struct senders {
    int64_t first, stride, count, shift;
};

static struct senders senders_of(const struct cyclic_network *net, enum cyclic_scope scope,
                                 int64_t from, int64_t to)
{
    const bool is_along_rows = scope == CYCLIC_ALONG_ROWS;
    const bool are_neighbours = is_along_rows == net->is_row_major;
    const int64_t members = is_along_rows ? net->columns : net->rows;
    const int64_t others = is_along_rows ? net->rows : net->columns;
    const int64_t step = are_neighbours ? 1 : others;

    return (struct senders){ from * step, are_neighbours ? members : 1, others,
                             (to - from) * step };
}

/* The senders of a node repeat after per_node / gcd(stride, per_node) of them. */
static int64_t period_of(const struct cyclic_network *net, enum cyclic_scope scope)
{
    const struct senders senders = senders_of(net, scope, 0, 0);

    return net->per_node / cyclic_common_divisor(senders.stride, net->per_node);
}

/* The most senders of a node that send off it; 0 if none does.  Only the first node may hold less
 * than the others. */
static int64_t most_leaving(const struct senders *s, int64_t period, int64_t per_node)
{
    const int64_t count = cyclic_least(s->count, 2 * period), step = s->stride % per_node;
    int64_t most = 0, here = 0, place = s->first % per_node; /* on its node */

    for (int64_t i = 0; i < count; i++) {
        here += place + s->shift < 0 || place + s->shift >= per_node;
        most = cyclic_most(most, here);
        place += step;
        if (place >= per_node || s->stride >= per_node)
            here = 0;
        place -= place >= per_node ? per_node : 0;
    }
    return most;
}

int cyclic_network_begin(struct cyclic_network *net, const struct cyclic_values *v,
                         struct fr_evaluation *run)
{
    const struct fr_calibration *cal = run->cal;
    const double bandwidth = cal->network.node_bandwidth_bytes_per_s;
    const size_t last = cal->network.protocols.count - 1;

    *net = (struct cyclic_network){
        .run = run,
        .rows = v->process_rows,
        .columns = v->process_columns,
        .per_node = v->ranks_per_node,
        .is_row_major = v->mapping == CYCLIC_ROW_MAJOR,
        .has_contention = v->contention && cal->contention.average.count,
        .node_s_per_byte =
            isnan(bandwidth)
                ? cal->network.protocols.row[last].off_node.inverse_bandwidth_s_per_byte
                : 1 / bandwidth,
        .route = fr_arena_zeroed(run->arena, CYCLIC_ROUTES, sizeof *net->route),
        .halving = fr_arena_zeroed(run->arena, CYCLIC_HALVINGS, sizeof *net->halving),
        .tree = fr_arena_zeroed(run->arena, last + 1, sizeof *net->tree),
        .to_others =
            fr_arena_zeroed(run->arena, (last + 1) * CYCLIC_SENDERS, sizeof *net->to_others),
        .latencies = cal->latencies.distances ? &cal->latencies : NULL,
        .transposed_s = fr_arena_zeroed(run->arena, last + 1, sizeof *net->transposed_s),
        .protocols = last + 1,
    };
    net->period[CYCLIC_ALONG_ROWS] = period_of(net, CYCLIC_ALONG_ROWS);
    net->period[CYCLIC_ALONG_COLUMNS] = period_of(net, CYCLIC_ALONG_COLUMNS);
    if (!net->route || !net->halving || !net->tree || !net->to_others || !net->transposed_s ||
        cyclic_lanes_begin(net) != FR_OK || cyclic_members_begin(net) != FR_OK)
        return fr_fault(run->faults, FR_NOMEM, "n", no_memory);
    run->out->used |= FR_USE(PROTOCOLS);
    if (!isnan(bandwidth))
        run->out->used |= FR_USE(NODE_BANDWIDTH);
    return FR_OK;
}

/* How many messages share a link or an interface where all lines send at once. */
static double crowd_of(const struct cyclic_network *net, enum cyclic_scope scope, int64_t from,
                       int64_t to, double leaving)
{
    const bool is_along_rows = scope == CYCLIC_ALONG_ROWS;
    const int64_t members = is_along_rows ? net->columns : net->rows;
    const double others = (double)(is_along_rows ? net->rows : net->columns);
    const int64_t apart = from < to ? to - from : from - to;
    const double distance = (double)cyclic_least(apart, members - apart);
    const double shared = is_along_rows == net->is_row_major
                              ? cyclic_factor(net, distance) / (double)members
                              : cyclic_factor(net, distance * others) / distance;

    return fmax(1, fmax(shared, leaving));
}

/* Where the distance between ranks lies among the measured distances of nodes.  Of two ranks on
 * different nodes these are at least one node apart. */
static struct fr_latency_place place_of(const struct cyclic_network *net, int64_t ranks)
{
    if (!net->latencies)
        return (struct fr_latency_place){ 0, 0 };
    return fr_latency_place_of(net->run, fmax(1, fabs((double)ranks) / (double)net->per_node));
}

/* The route of a hop, from its slot or into it. */
static const struct cyclic_route *route_of(const struct cyclic_network *net,
                                           enum cyclic_scope scope, int64_t from, int64_t to)
{
    const uint64_t key = ((uint64_t)from << 21 ^ (uint64_t)to) << 1 | scope;
    struct cyclic_route *route = &net->route[(key * UINT64_C(0x9E3779B97F4A7C15)) >> 51];
    struct senders senders;
    int64_t leaving;

    if (route->contention > 0 && route->from == from && route->to == to && route->scope == scope)
        return route;
    senders = senders_of(net, scope, from, to);
    leaving = most_leaving(&senders, net->period[scope], net->per_node);
    *route = (struct cyclic_route){
        .from = (int32_t)from,
        .to = (int32_t)to,
        .scope = (unsigned char)scope,
        .is_off = leaving > 0,
        .contention = 1,
        .crowd = 1,
    };
    if (leaving) {
        const int64_t members = scope == CYCLIC_ALONG_ROWS ? net->columns : net->rows;

        /* docs/models/block_cyclic.md#decision-contention-of-lines */
        route->crowd = crowd_of(net, scope, from, to, (double)leaving);
        route->contention = 1 + (route->crowd - 1) / (double)cyclic_most(1, members / 2);
        route->place = place_of(net, senders.shift);
    }
    return route;
}

/* ---- messages -------------------------------------------------------------------------------- */

const struct fr_protocol *cyclic_protocol_of(const struct cyclic_network *net, double bytes)
{
    const struct fr_protocol *protocol = net->run->cal->network.protocols.row;

    while (protocol->max_message_bytes < bytes)
        protocol++; /* the last one has no limit */
    return protocol;
}

/* What a link charges for a message, and for each of its bytes.  `distant_s` is the latency between
 * nodes. */
static struct cyclic_price price_of(const struct cyclic_network *net,
                                    const struct fr_protocol *protocol, bool is_off,
                                    double contention, double distant_s)
{
    const struct fr_link *link =
        is_off || isnan(protocol->on_node.latency_s) ? &protocol->off_node : &protocol->on_node;

    return (struct cyclic_price){
        .latency_s = is_off ? distant_s : link->latency_s,
        .busy_s = link->latency_s / 2,
        .s_per_byte =
            is_off ? fmax(link->inverse_bandwidth_s_per_byte, contention * net->node_s_per_byte)
                   : link->inverse_bandwidth_s_per_byte,
    };
}

/* The latency of the slowest of so many pairs of nodes at a distance
 * (docs/models/block_cyclic.md#decision-the-slowest-pair). */
static double latency_s(const struct cyclic_network *net, const struct fr_protocol *protocol,
                        struct fr_latency_place place, double pairs)
{
    struct fr_latency latency;

    if (!net->latencies)
        return protocol->off_node.latency_s;
    latency = fr_latency_at(net->latencies, place,
                            (size_t)(protocol - net->run->cal->network.protocols.row));
    return latency.mean_s + (pairs - 1) / (pairs + 1) * latency.beyond_s;
}

static struct cyclic_hop message(const struct cyclic_network *net,
                                 const struct fr_protocol *protocol, double bytes, bool is_off,
                                 double contention, double distant_s)
{
    const struct cyclic_price price = price_of(net, protocol, is_off, contention, distant_s);

    return (struct cyclic_hop){
        .time_s = cyclic_price_s(&price, bytes),
        .busy_s = price.busy_s,
        .sender_waits = protocol->pipelined != 1,
    };
}

/* The rows, or columns, that make a hop at once. */
static double lines_of(const struct cyclic_network *net, enum cyclic_scope scope)
{
    return (double)(scope == CYCLIC_ALONG_ROWS ? net->rows : net->columns);
}

static struct cyclic_hop hop_of(const struct cyclic_network *net, enum cyclic_scope scope,
                                int64_t from, int64_t to, double bytes, double pairs)
{
    const struct cyclic_route *route = route_of(net, scope, from, to);
    const struct fr_protocol *protocol = cyclic_protocol_of(net, bytes);

    return message(net, protocol, bytes, route->is_off, route->contention,
                   latency_s(net, protocol, route->place, pairs));
}

struct cyclic_hop cyclic_hop_of(const struct cyclic_network *net, enum cyclic_scope scope,
                                int64_t from, int64_t to, double bytes)
{
    return hop_of(net, scope, from, to, bytes, lines_of(net, scope));
}

struct cyclic_hop cyclic_member_hop(const struct cyclic_network *net, int64_t from, int64_t to,
                                    double bytes)
{
    return hop_of(net, CYCLIC_ALONG_COLUMNS, from, to, bytes, 1);
}

struct cyclic_price cyclic_price_of(const struct cyclic_network *net,
                                    const struct fr_protocol *protocol, enum cyclic_scope scope,
                                    int64_t from, int64_t to)
{
    const struct cyclic_route *route = route_of(net, scope, from, to);
    const double distant_s = latency_s(net, protocol, route->place, lines_of(net, scope));

    return price_of(net, protocol, route->is_off, route->contention, distant_s);
}

size_t cyclic_protocol_index(const struct cyclic_network *net, double bytes)
{
    return (size_t)(cyclic_protocol_of(net, bytes) - net->run->cal->network.protocols.row);
}

double cyclic_least_s_per_byte(const struct cyclic_network *net)
{
    const struct fr_calibration *cal = net->run->cal;
    double least = INFINITY;

    for (size_t i = 0; i < cal->network.protocols.count; i++) {
        const struct fr_protocol *protocol = &cal->network.protocols.row[i];

        least = fmin(least, protocol->on_node.inverse_bandwidth_s_per_byte);
        least = fmin(least,
                     fmax(protocol->off_node.inverse_bandwidth_s_per_byte, net->node_s_per_byte));
    }
    return isfinite(least) ? least : 0;
}

double cyclic_row_s(const struct cyclic_network *net, int64_t from, int64_t to, double bytes)
{
    return cyclic_hop_of(net, CYCLIC_ALONG_ROWS, from, to, bytes).time_s;
}

double cyclic_column_s(const struct cyclic_network *net, int64_t from, int64_t to, double bytes)
{
    return cyclic_hop_of(net, CYCLIC_ALONG_COLUMNS, from, to, bytes).time_s;
}

static void know_ring(struct cyclic_network *net, enum cyclic_scope scope)
{
    const int64_t members = scope == CYCLIC_ALONG_ROWS ? net->columns : net->rows;
    struct cyclic_ring_of *ring = &net->ring[scope];

    for (int64_t a = 0; a < members; a++) {
        const struct cyclic_route *route = route_of(net, scope, a, (a + 1) % members);

        ring->stays |= !route->is_off;
        ring->leaves |= route->is_off;
        ring->contention = fmax(ring->contention, route->contention);
    }
    ring->is_known = true;
    if (!ring->leaves)
        return;
    ring->next = place_of(net, senders_of(net, scope, 0, 1).shift);
    ring->around = place_of(net, senders_of(net, scope, members - 1, 0).shift);
}

/* The latency of a step of a ring, when each process takes as many steps as it has others: with
 * other pairs in each step these sum up to their mean, and the slowest process exceeds it by the
 * root of the number of steps (docs/models/block_cyclic.md#decision-the-slowest-pair). */
static double ring_latency_s(const struct cyclic_network *net, const struct fr_protocol *protocol,
                             enum cyclic_scope scope)
{
    const double members = (double)(scope == CYCLIC_ALONG_ROWS ? net->columns : net->rows);
    const struct cyclic_ring_of *ring = &net->ring[scope];
    const double next_s = latency_s(net, protocol, ring->next, 1);
    const double around_s = latency_s(net, protocol, ring->around, 1);
    const double beyond_s = latency_s(net, protocol, ring->next, members) - next_s;

    return next_s + (around_s - next_s) / members + beyond_s / sqrt(members - 1);
}

double cyclic_neighbours_s(struct cyclic_network *net, enum cyclic_scope scope, double bytes)
{
    const struct fr_protocol *protocol = cyclic_protocol_of(net, bytes);
    struct cyclic_ring_of *ring = &net->ring[scope];
    double time_s = 0;

    if (!ring->is_known)
        know_ring(net, scope);
    if (ring->stays)
        time_s = message(net, protocol, bytes, false, 1, 0).time_s;
    if (ring->leaves) {
        const double turn_s = ring_latency_s(net, protocol, scope);

        time_s = fmax(time_s, message(net, protocol, bytes, true, ring->contention, turn_s).time_s);
    }
    return time_s;
}

struct cyclic_hop cyclic_lone_hop(const struct cyclic_network *net, int64_t from, int64_t to,
                                  double bytes)
{
    const struct cyclic_route *route = route_of(net, CYCLIC_ALONG_COLUMNS, from, to);
    const struct fr_protocol *protocol = cyclic_protocol_of(net, bytes);

    return message(net, protocol, bytes, route->is_off, 1,
                   latency_s(net, protocol, route->place, 1));
}

double cyclic_crowded_row_s(const struct cyclic_network *net, int64_t from, int64_t to,
                            double bytes)
{
    const struct cyclic_route *route = route_of(net, CYCLIC_ALONG_ROWS, from, to);
    const struct fr_protocol *protocol = cyclic_protocol_of(net, bytes);

    return message(net, protocol, bytes, route->is_off, route->crowd,
                   latency_s(net, protocol, route->place, lines_of(net, CYCLIC_ALONG_ROWS)))
        .time_s;
}

double cyclic_across_s(const struct cyclic_network *net, enum cyclic_scope senders, double bytes)
{
    const bool is_along_rows = senders == CYCLIC_ALONG_ROWS;
    const int64_t members = is_along_rows ? net->columns : net->rows;
    const int64_t stride = is_along_rows == net->is_row_major ? 1
                           : is_along_rows                    ? net->rows
                                                              : net->columns;
    const int64_t together = cyclic_least(members, cyclic_blocks(net->per_node, stride));

    const int64_t processes = net->rows * net->columns;
    const struct fr_protocol *protocol = cyclic_protocol_of(net, bytes);
    /* Two of the ranks are a third of them apart on average. */
    const double distant_s =
        latency_s(net, protocol, place_of(net, processes / 3), (double)members);

    return message(net, protocol, bytes, processes > net->per_node, (double)together, distant_s)
        .time_s;
}

static void add_hop(const struct cyclic_network *net, const struct fr_protocol *protocol,
                    const struct cyclic_route *route, double distant_s, struct cyclic_sum *sum)
{
    const struct cyclic_price price =
        price_of(net, protocol, route->is_off, route->contention, distant_s);

    sum->latency_s += price.latency_s;
    sum->s_per_byte += price.s_per_byte;
}

/* The mean latency between a process row and the one `step` further around, over all rows: they are
 * in turn the root of a tree. */
static double turning_latency_s(const struct cyclic_network *net,
                                const struct fr_protocol *protocol, int64_t step)
{
    const int64_t around = net->rows - step;
    const struct cyclic_route *near = route_of(net, CYCLIC_ALONG_COLUMNS, 0, step);
    const double near_s = latency_s(net, protocol, near->place, 1);

    if (!net->latencies || !near->is_off)
        return near_s;
    return near_s +
           (double)step / (double)net->rows *
               (latency_s(net, protocol,
                          place_of(net, senders_of(net, CYCLIC_ALONG_COLUMNS, 0, around).shift),
                          1) -
                near_s);
}

double cyclic_turning_s(const struct cyclic_network *net, int64_t step, double bytes)
{
    const struct cyclic_route *route = route_of(net, CYCLIC_ALONG_COLUMNS, 0, step);
    const struct fr_protocol *protocol = cyclic_protocol_of(net, bytes);

    return message(net, protocol, bytes, route->is_off, route->contention,
                   turning_latency_s(net, protocol, step))
        .time_s;
}

double cyclic_tree_s(const struct cyclic_network *net, double bytes)
{
    const struct fr_protocol *protocol = cyclic_protocol_of(net, bytes);
    struct cyclic_sum *sum = &net->tree[protocol - net->run->cal->network.protocols.row];

    for (int64_t to = 1; to < net->rows && !sum->is_known; to *= 2)
        add_hop(net, protocol, route_of(net, CYCLIC_ALONG_COLUMNS, 0, to),
                turning_latency_s(net, protocol, to), sum);
    sum->is_known = true;
    return sum->latency_s + sum->s_per_byte * bytes;
}

static double others_s(const struct cyclic_network *net, int64_t row, double bytes)
{
    const struct fr_protocol *protocol = cyclic_protocol_of(net, bytes);
    const ptrdiff_t place = protocol - net->run->cal->network.protocols.row;
    struct cyclic_sum *sum = &net->to_others[place * CYCLIC_SENDERS + row % CYCLIC_SENDERS];

    if (sum->from != row)
        *sum = (struct cyclic_sum){ .from = row };
    for (int64_t a = 0; a < net->rows && !sum->is_known; a++) {
        const struct cyclic_route *route = route_of(net, CYCLIC_ALONG_COLUMNS, row, a);

        if (a != row)
            add_hop(net, protocol, route, latency_s(net, protocol, route->place, 1), sum);
    }
    sum->is_known = true;
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

/* The mean of C_avg over all pairs (i, j), (j, i), which are (P-1) |i-j| ranks apart. */
static double mean_transposed_factor(const struct cyclic_network *net)
{
    const double side = (double)net->rows;
    double sum = 0;

    for (double k = 1; k < side; k++)
        sum += (side - k) * cyclic_factor(net, (side - 1) * k);
    return sum / (side * (side - 1) / 2);
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
        slowest_s = fmax(slowest_s, latency_s(net, protocol, place_of(net, (net->rows - 1) * k),
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
    return message(net, protocol, bytes, net->transposed > 0,
                   fmax(fmax(1, net->transposed), net->transposed_factor),
                   transposed_latency_s(net, protocol))
        .time_s;
}
