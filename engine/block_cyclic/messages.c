/* Prices of single messages: latency and bandwidth of a hop by its protocol, route and distance
 * (docs/models/block_cyclic.md#hops). */
#include "engine/block_cyclic/network.h"

#include <math.h>

const struct fr_protocol *cyclic_protocol_of(const struct cyclic_network *net, double bytes)
{
    const struct fr_protocol *protocol = net->run->cal->network.protocols.row;

    while (protocol->max_message_bytes < bytes)
        protocol++; /* the last one has no limit */
    return protocol;
}

struct cyclic_price cyclic_link_price(const struct cyclic_network *net,
                                      const struct fr_protocol *protocol, bool is_off,
                                      struct cyclic_load load, double distant_s)
{
    const struct fr_link *link =
        is_off || isnan(protocol->on_node.latency_s) ? &protocol->off_node : &protocol->on_node;
    const double alone = link->inverse_bandwidth_s_per_byte;
    const double beside = fmax(alone, net->beside_s_per_byte[is_off]);

    return (struct cyclic_price){
        .latency_s = is_off ? distant_s : link->latency_s,
        .busy_s = link->latency_s / 2,
        .s_per_byte =
            fmax(alone + (beside - alone) * load.computing,
                 load.contention * (is_off ? net->node_s_per_byte : net->on_node_s_per_byte)),
    };
}

double cyclic_distant_s(const struct cyclic_network *net, const struct fr_protocol *protocol,
                        struct fr_latency_place place, double pairs)
{
    struct fr_latency latency;

    if (!net->latencies)
        return protocol->off_node.latency_s;
    latency = fr_latency_at(net->latencies, place,
                            (size_t)(protocol - net->run->cal->network.protocols.row));
    return latency.mean_s + (pairs - 1) / (pairs + 1) * latency.beyond_s;
}

/* Of a message of the program: half of what the BLACS add is at its sender. */
static struct cyclic_price program_price(const struct cyclic_network *net,
                                         struct cyclic_price price)
{
    price.latency_s += net->blacs_s;
    price.busy_s += net->blacs_s / 2;
    return price;
}

struct cyclic_hop cyclic_message(const struct cyclic_network *net,
                                 const struct fr_protocol *protocol, double bytes, bool is_off,
                                 struct cyclic_load load, double distant_s)
{
    const struct cyclic_price price =
        program_price(net, cyclic_link_price(net, protocol, is_off, load, distant_s));

    return cyclic_hop_at(&price, protocol, bytes);
}

/* By MPI. */
static struct cyclic_price price_between(const struct cyclic_network *net,
                                         const struct fr_protocol *protocol,
                                         enum cyclic_scope scope, int64_t from, int64_t to,
                                         double pairs)
{
    const struct cyclic_route *route = cyclic_route_of(net, scope, from, to);
    const double distant_s = cyclic_distant_s(net, protocol, route->place, pairs);

    return cyclic_link_price(net, protocol, route->is_off, cyclic_load_of(route), distant_s);
}

struct cyclic_price cyclic_price_of(const struct cyclic_network *net,
                                    const struct fr_protocol *protocol, enum cyclic_scope scope,
                                    int64_t from, int64_t to)
{
    return program_price(
        net, price_between(net, protocol, scope, from, to, (double)cyclic_lines_of(net, scope)));
}

struct cyclic_price cyclic_member_price_of(const struct cyclic_network *net,
                                           const struct fr_protocol *protocol, int64_t from,
                                           int64_t to)
{
    return price_between(net, protocol, CYCLIC_ALONG_COLUMNS, from, to, 1);
}

struct cyclic_hop cyclic_hop_of(const struct cyclic_network *net, enum cyclic_scope scope,
                                int64_t from, int64_t to, double bytes)
{
    const struct fr_protocol *protocol = cyclic_protocol_of(net, bytes);
    const struct cyclic_price price = cyclic_price_of(net, protocol, scope, from, to);

    return cyclic_hop_at(&price, protocol, bytes);
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

/* Messages of equal bytes through one link: the last of them has the link for as long as all need,
 * less what was over before it began. */
double cyclic_lagging_column_s(const struct cyclic_network *net, int64_t from, int64_t to,
                               int64_t columns, double lag_s, double bytes)
{
    const struct cyclic_route *route = cyclic_route_of(net, CYCLIC_ALONG_COLUMNS, from, to);
    const struct fr_protocol *protocol = cyclic_protocol_of(net, bytes);
    const double one_s = bytes * (route->is_off ? net->node_s_per_byte : net->on_node_s_per_byte);
    const double lines =
        fmin((double)columns, route->is_off ? route->crowd : fmax(1, route->staying));
    const double together = one_s > 0 ? lines - (lines - 1) * lag_s / one_s : 1;

    return cyclic_message(net, protocol, bytes, route->is_off,
                          (struct cyclic_load){ fmax(1, together), 1 },
                          cyclic_distant_s(net, protocol, route->place, (double)net->columns))
        .time_s;
}

struct cyclic_hop cyclic_lone_hop(const struct cyclic_network *net, enum cyclic_scope scope,
                                  int64_t from, int64_t to, double bytes)
{
    const struct cyclic_route *route = cyclic_route_of(net, scope, from, to);
    const struct fr_protocol *protocol = cyclic_protocol_of(net, bytes);

    return cyclic_message(net, protocol, bytes, route->is_off, (struct cyclic_load){ 1, 1 },
                          cyclic_distant_s(net, protocol, route->place, 1));
}

double cyclic_crowded_row_s(const struct cyclic_network *net, int64_t from, int64_t to,
                            double bytes)
{
    const struct cyclic_route *route = cyclic_route_of(net, CYCLIC_ALONG_ROWS, from, to);
    const struct fr_protocol *protocol = cyclic_protocol_of(net, bytes);

    return cyclic_message(net, protocol, bytes, route->is_off,
                          (struct cyclic_load){ route->is_off ? route->crowd : route->staying, 0 },
                          cyclic_distant_s(net, protocol, route->place, (double)net->rows))
        .time_s;
}

double cyclic_across_s(const struct cyclic_network *net, enum cyclic_scope senders, double bytes)
{
    const bool is_along_rows = senders == CYCLIC_ALONG_ROWS;
    const int64_t members = cyclic_members_of(net, senders);
    const int64_t stride = is_along_rows == net->is_row_major ? 1
                           : is_along_rows                    ? net->rows
                                                              : net->columns;
    const int64_t together = cyclic_least(members, cyclic_blocks(net->per_node, stride));

    const int64_t processes = net->rows * net->columns;
    const struct fr_protocol *protocol = cyclic_protocol_of(net, bytes);
    /* Two of the ranks are a third of them apart on average. */
    const double distant_s =
        cyclic_distant_s(net, protocol, cyclic_place_of(net, processes / 3), (double)members);

    return cyclic_message(net, protocol, bytes, processes > net->per_node,
                          (struct cyclic_load){ (double)together, 0 }, distant_s)
        .time_s;
}
