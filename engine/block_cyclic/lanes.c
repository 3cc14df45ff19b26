/* Prices between neighbours of the grid.  Rings pass a message on from neighbour to neighbour, so
 * that these hops are most of all: each is priced once for each protocol. */
#include "engine/block_cyclic/network.h"

static size_t protocols_of(const struct cyclic_network *net)
{
    return net->run->cal->network.protocols.count;
}

int cyclic_lanes_begin(struct cyclic_network *net)
{
    const size_t rows = (size_t)net->rows + 1, columns = (size_t)net->columns;
    struct cyclic_price *price =
        fr_arena_zeroed(net->run->arena, protocols_of(net) * (rows + 2 * columns), sizeof *price);

    net->lanes = fr_arena_zeroed(net->run->arena, protocols_of(net), sizeof *net->lanes);
    if (!price || !net->lanes)
        return FR_NOMEM;
    for (size_t i = 0; i < protocols_of(net); i++, price += rows + 2 * columns)
        net->lanes[i] = (struct cyclic_lanes){
            .sender_waits = net->run->cal->network.protocols.row[i].pipelined != 1,
            .from_left = price,
            .from_right = price + columns,
            .down = price + 2 * columns,
        };
    return FR_OK;
}

static double lesser(double a, double b)
{
    return a < b ? a : b;
}

static struct cyclic_lanes *lanes_of(const struct cyclic_network *net,
                                     const struct fr_protocol *protocol)
{
    return &net->lanes[protocol - net->run->cal->network.protocols.row];
}

static void know_rows(const struct cyclic_network *net, const struct fr_protocol *protocol,
                      struct cyclic_lanes *lanes)
{
    const int64_t Q = net->columns;

    for (int64_t q = 0; q < Q; q++) {
        lanes->from_left[q] =
            cyclic_price_of(net, protocol, CYCLIC_ALONG_ROWS, q ? q - 1 : Q - 1, q);
        lanes->from_right[q] =
            cyclic_price_of(net, protocol, CYCLIC_ALONG_ROWS, q + 1 < Q ? q + 1 : 0, q);
    }
    lanes->least = lanes->from_left[0];
    for (int64_t q = 0; q < Q; q++)
        for (int side = 0; side < 2; side++) {
            const struct cyclic_price *one = side ? &lanes->from_right[q] : &lanes->from_left[q];

            lanes->least.latency_s = lesser(lanes->least.latency_s, one->latency_s);
            lanes->least.s_per_byte = lesser(lanes->least.s_per_byte, one->s_per_byte);
            lanes->least.busy_s = lesser(lanes->least.busy_s, one->busy_s);
        }
    lanes->has_rows = true;
}

const struct cyclic_lanes *cyclic_lanes_of(const struct cyclic_network *net, double bytes)
{
    const struct fr_protocol *protocol = cyclic_protocol_of(net, bytes);
    struct cyclic_lanes *lanes = lanes_of(net, protocol);

    if (!lanes->has_rows)
        know_rows(net, protocol, lanes);
    return lanes;
}

static void know_columns(const struct cyclic_network *net, const struct fr_protocol *protocol,
                         struct cyclic_lanes *lanes)
{
    const int64_t P = net->rows;

    for (int64_t a = 0; a < P; a++) {
        const struct cyclic_price one =
            cyclic_price_of(net, protocol, CYCLIC_ALONG_COLUMNS, a, a + 1 < P ? a + 1 : 0);

        lanes->down[a + 1].latency_s = lanes->down[a].latency_s + one.latency_s;
        lanes->down[a + 1].s_per_byte = lanes->down[a].s_per_byte + one.s_per_byte;
    }
    lanes->has_columns = true;
}

double cyclic_down_s(const struct cyclic_network *net, int64_t from, int64_t hops, double bytes)
{
    const struct fr_protocol *protocol = cyclic_protocol_of(net, bytes);
    struct cyclic_lanes *lanes = lanes_of(net, protocol);
    const int64_t end = from + hops, P = net->rows;
    double sum;

    if (!lanes->has_columns)
        know_columns(net, protocol, lanes);
    sum = cyclic_price_s(&lanes->down[end < P ? end : end - P], bytes) -
          cyclic_price_s(&lanes->down[from], bytes);
    return end < P ? sum : sum + cyclic_price_s(&lanes->down[P], bytes);
}
