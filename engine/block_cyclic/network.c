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
    };
    net->period[CYCLIC_ALONG_ROWS] = period_of(net, CYCLIC_ALONG_ROWS);
    net->period[CYCLIC_ALONG_COLUMNS] = period_of(net, CYCLIC_ALONG_COLUMNS);
    if (!net->route || !net->halving || !net->tree || !net->to_others ||
        cyclic_lanes_begin(net) != FR_OK)
        return fr_fault(run->faults, FR_NOMEM, "n", no_memory);
    run->out->used |= FR_USE(PROTOCOLS);
    if (!isnan(bandwidth))
        run->out->used |= FR_USE(NODE_BANDWIDTH);
    return FR_OK;
}

/* docs/models/block_cyclic.md#decision-contention-of-lines */
static double contention_of(const struct cyclic_network *net, enum cyclic_scope scope, int64_t from,
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

    return 1 + fmax(0, fmax(shared, leaving) - 1) / (double)cyclic_most(1, members / 2);
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
    *route =
        (struct cyclic_route){ (int32_t)from, (int32_t)to, (unsigned char)scope, leaving > 0, 1 };
    if (leaving)
        route->contention = contention_of(net, scope, from, to, (double)leaving);
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

/* What a link charges for a message, and for each of its bytes. */
static struct cyclic_sum price_of(const struct cyclic_network *net,
                                  const struct fr_protocol *protocol, bool is_off,
                                  double contention)
{
    const struct fr_link *link =
        is_off || isnan(protocol->on_node.latency_s) ? &protocol->off_node : &protocol->on_node;

    return (struct cyclic_sum){
        .latency_s = link->latency_s,
        .s_per_byte =
            is_off ? fmax(link->inverse_bandwidth_s_per_byte, contention * net->node_s_per_byte)
                   : link->inverse_bandwidth_s_per_byte,
    };
}

static struct cyclic_hop message(const struct cyclic_network *net, double bytes, bool is_off,
                                 double contention)
{
    const struct fr_protocol *protocol = cyclic_protocol_of(net, bytes);
    const struct cyclic_sum price = price_of(net, protocol, is_off, contention);

    return (struct cyclic_hop){
        .time_s = price.latency_s + price.s_per_byte * bytes,
        .busy_s = price.latency_s / 2,
        .sender_waits = protocol->pipelined != 1,
    };
}

struct cyclic_hop cyclic_hop_of(const struct cyclic_network *net, enum cyclic_scope scope,
                                int64_t from, int64_t to, double bytes)
{
    const struct cyclic_route *route = route_of(net, scope, from, to);

    return message(net, bytes, route->is_off, route->contention);
}

struct cyclic_price cyclic_price_of(const struct cyclic_network *net,
                                    const struct fr_protocol *protocol, enum cyclic_scope scope,
                                    int64_t from, int64_t to)
{
    const struct cyclic_route *route = route_of(net, scope, from, to);
    const struct cyclic_sum price = price_of(net, protocol, route->is_off, route->contention);

    return (struct cyclic_price){ price.latency_s, price.s_per_byte, price.latency_s / 2 };
}

double cyclic_row_s(const struct cyclic_network *net, int64_t from, int64_t to, double bytes)
{
    return cyclic_hop_of(net, CYCLIC_ALONG_ROWS, from, to, bytes).time_s;
}

double cyclic_column_s(const struct cyclic_network *net, int64_t from, int64_t to, double bytes)
{
    return cyclic_hop_of(net, CYCLIC_ALONG_COLUMNS, from, to, bytes).time_s;
}

double cyclic_neighbours_s(struct cyclic_network *net, enum cyclic_scope scope, double bytes)
{
    const int64_t members = scope == CYCLIC_ALONG_ROWS ? net->columns : net->rows;
    struct cyclic_ring_of *ring = &net->ring[scope];
    double time_s = 0;

    for (int64_t a = 0; a < members && !ring->is_known; a++) {
        const struct cyclic_route *route = route_of(net, scope, a, (a + 1) % members);

        ring->stays |= !route->is_off;
        ring->leaves |= route->is_off;
        ring->contention = fmax(ring->contention, route->contention);
    }
    ring->is_known = true;
    if (ring->stays)
        time_s = message(net, bytes, false, 1).time_s;
    if (ring->leaves)
        time_s = fmax(time_s, message(net, bytes, true, ring->contention).time_s);
    return time_s;
}

static void add_hop(const struct cyclic_network *net, const struct fr_protocol *protocol,
                    int64_t from, int64_t to, struct cyclic_sum *sum)
{
    const struct cyclic_route *route = route_of(net, CYCLIC_ALONG_COLUMNS, from, to);
    const struct cyclic_sum price = price_of(net, protocol, route->is_off, route->contention);

    sum->latency_s += price.latency_s;
    sum->s_per_byte += price.s_per_byte;
}

double cyclic_tree_s(const struct cyclic_network *net, double bytes)
{
    const struct fr_protocol *protocol = cyclic_protocol_of(net, bytes);
    struct cyclic_sum *sum = &net->tree[protocol - net->run->cal->network.protocols.row];

    for (int64_t to = 1; to < net->rows && !sum->is_known; to *= 2)
        add_hop(net, protocol, 0, to, sum);
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
    for (int64_t a = 0; a < net->rows && !sum->is_known; a++)
        if (a != row)
            add_hop(net, protocol, row, a, sum);
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

double cyclic_transpose_s(struct cyclic_network *net, double bytes)
{
    if (net->transposed_factor == 0) {
        net->transposed = most_transposed(net);
        net->transposed_factor = net->transposed > 0 ? mean_transposed_factor(net) : 1;
    }
    return message(net, bytes, net->transposed > 0,
                   fmax(fmax(1, net->transposed), net->transposed_factor))
        .time_s;
}
