/* A message occupies its sender, and in the end its receiver, for half the latency of the protocol;
 * in between both are free.  A member that has its message goes on before others have theirs, so
 * that the longest way of one collective seldom continues in the longest way of the next. */
#include "engine/block_cyclic/network.h"

#include <math.h>
#include <string.h>

/* The columns over which a mean is taken; each has its pivot in another process row. */
enum { SAMPLES = CYCLIC_MEMBER_ROWS, ROUGH_SAMPLES = 4, MANY = 64 };

/* Columns without pivots, which repeat themselves after a few. */
enum { LAPS = 4 };

int cyclic_members_begin(struct cyclic_network *net)
{
    const size_t costs = CYCLIC_MEMBER_ROWS * 2 * net->protocols;
    const int64_t prices = net->period[CYCLIC_ALONG_ROWS] * 2 * net->rows * (int64_t)net->protocols;

    if (!net->latencies)
        return FR_OK;
    net->member_bits =
        (int)cyclic_least(CYCLIC_MEMBER_BITS, cyclic_most(1, cyclic_doublings(prices)));
    net->member_s = fr_arena_zeroed(net->run->arena, (size_t)net->rows, sizeof *net->member_s);
    net->column_cost = fr_arena_zeroed(net->run->arena, costs, sizeof *net->column_cost);
    net->member_price =
        fr_arena_zeroed(net->run->arena, (size_t)1 << net->member_bits, sizeof *net->member_price);
    net->hop = fr_arena_zeroed(net->run->arena, CYCLIC_HOPS + 2, sizeof *net->hop);
    return net->member_s && net->column_cost && net->member_price && net->hop ? FR_OK : FR_NOMEM;
}

static double later(double a_s, double b_s)
{
    return a_s > b_s ? a_s : b_s;
}

struct members {
    struct cyclic_network *net;
    int64_t count;
    double *now_s; /* of each member */
};

/* The receiver has the message that its sender begins to send at `began_s`. */
static void receive(const struct members *m, const struct cyclic_hop *hop, int64_t to,
                    double began_s)
{
    m->now_s[to] = later(m->now_s[to] + hop->busy_s, began_s + hop->time_s);
}

/* The price of a message, from its slot or into it: it follows from the sender's place on its node
 * and the distance. */
static inline struct cyclic_hop hop_of(const struct members *m, int64_t from, int64_t to,
                                       double bytes)
{
    const struct cyclic_network *net = m->net;
    const struct fr_protocol *protocol = cyclic_protocol_of(net, bytes);
    const size_t index = (size_t)(protocol - net->run->cal->network.protocols.row);
    const int64_t place = from % net->period[CYCLIC_ALONG_ROWS], rows = to - from;
    const uint64_t key = ((uint64_t)place << 21 ^ (uint64_t)rows) * net->protocols + index;
    struct cyclic_member_price *known = &net->member_price[cyclic_slot_of(key, net->member_bits)];

    if (known->protocol != protocol || known->place != place || known->rows != rows)
        *known = (struct cyclic_member_price){ (int32_t)place, (int32_t)rows, protocol,
                                               cyclic_member_price_of(net, protocol, from, to) };
    return cyclic_hop_at(&known->price, protocol, bytes);
}

/* The price of the next message of a column, which all columns send alike: those of the first one
 * are kept, and two more at a time. */
static inline const struct cyclic_hop *next_hop(const struct members *m, int64_t from, int64_t to,
                                                double bytes)
{
    struct cyclic_network *net = m->net;
    const int64_t at = net->next_hop++;
    struct cyclic_hop *hop = &net->hop[at < CYCLIC_HOPS ? at : CYCLIC_HOPS + at % 2];

    if (at >= net->hops) {
        *hop = hop_of(m, from, to, bytes);
        net->hops = cyclic_least(at + 1, CYCLIC_HOPS);
    }
    return hop;
}

static void send(const struct members *m, int64_t from, int64_t to, double bytes)
{
    const struct cyclic_hop *hop = next_hop(m, from, to, bytes);
    const double began_s = m->now_s[from];

    if (hop->sender_waits) {
        m->now_s[to] = m->now_s[from] = later(m->now_s[to], began_s) + hop->time_s;
        return;
    }
    m->now_s[from] += hop->busy_s;
    receive(m, hop, to, began_s);
}

/* Half of what the BLACS add to a message is its sender's, half its receiver's. */
static void add_blacs(const struct members *m, int64_t member, double messages)
{
    m->now_s[member] += messages / 2 * m->net->blacs_s;
}

/* Along a binomial tree to member 0 (pdamax_.c, pdnrm2_.c). */
static void gather(const struct members *m, double bytes)
{
    for (int64_t step = 1; step < m->count; step *= 2)
        for (int64_t to = 0; to + step < m->count; to += 2 * step) {
            add_blacs(m, to + step, 1);
            send(m, to + step, to, bytes);
            add_blacs(m, to, 1);
        }
}

/* Along a binomial tree, the largest subtree first (MPI_Bcast). */
static void broadcast(const struct members *m, int64_t root, double bytes)
{
    int64_t step = INT64_C(1) << cyclic_doublings(m->count);

    add_blacs(m, root, 1);
    for (step /= 2; step >= 1; step /= 2)
        for (int64_t from = 0; from + step < m->count; from += 2 * step)
            send(m, (root + from) % m->count, (root + from + step) % m->count, bytes);
    for (int64_t a = 1; a < m->count; a++)
        add_blacs(m, (root + a) % m->count, 1);
}

/* Two members send to each other, then receive. */
static inline void exchange_at(const struct members *m, int64_t a, int64_t b,
                               const struct cyclic_hop *to_b, const struct cyclic_hop *to_a)
{
    const double a_s = m->now_s[a], b_s = m->now_s[b];

    if (to_b->sender_waits || to_a->sender_waits) {
        m->now_s[a] = m->now_s[b] = later(a_s, b_s) + later(to_a->time_s, to_b->time_s);
        return;
    }
    m->now_s[a] = later(a_s + to_b->busy_s + to_a->busy_s, b_s + to_a->time_s);
    m->now_s[b] = later(b_s + to_b->busy_s + to_a->busy_s, a_s + to_b->time_s);
}

static void exchange(const struct members *m, int64_t a, int64_t b, double a_bytes, double b_bytes)
{
    const struct cyclic_hop *to_b = next_hop(m, a, b, a_bytes);

    exchange_at(m, a, b, to_b, next_hop(m, b, a, b_bytes));
}

/* The largest one that is not above `count`. */
static int64_t power_of_two(int64_t count)
{
    int64_t power = 1;

    while (2 * power <= count)
        power *= 2;
    return power;
}

/* By recursive doubling (MPI_Allreduce of short vectors); members beyond a power of two give theirs
 * to a neighbour first and get the result in the end. */
static void combine(const struct members *m, double bytes)
{
    const int64_t power = power_of_two(m->count), spare = m->count - power;

    for (int64_t i = 0; i < spare; i++)
        send(m, power + i, i, bytes);
    for (int64_t step = 1; step < power; step *= 2)
        for (int64_t i = 0; i < power; i++)
            if (!(i & step))
                exchange(m, i, i + step, bytes, bytes);
    for (int64_t i = 0; i < spare; i++)
        send(m, i, power + i, bytes);
}

static double latest(const struct members *m)
{
    double latest_s = 0;

    for (int64_t i = 0; i < m->count; i++)
        latest_s = later(latest_s, m->now_s[i]);
    return latest_s;
}

/* The member at a distance from member 0 that is less than twice around. */
static int64_t member_at(const struct members *m, int64_t distance)
{
    return distance < m->count ? distance : distance - m->count;
}

/* What a matrix column of a panel sends; `pivot` is the process row of its pivot. */
typedef void messages_of(const struct members *m, const struct cyclic_column_cost *of,
                         int64_t pivot);

static void find_pivot(const struct members *m, const struct cyclic_column_cost *of, int64_t pivot)
{
    gather(m, 16);
    broadcast(m, 0, 16);
    if (pivot != of->row) {
        const struct cyclic_hop there = hop_of(m, of->row, pivot, of->first_bytes);
        const struct cyclic_hop back = hop_of(m, pivot, of->row, of->first_bytes);

        exchange_at(m, of->row, pivot, &there, &back);
        add_blacs(m, of->row, 2);
        add_blacs(m, pivot, 2);
    }
    if (of->last_bytes > 0)
        broadcast(m, of->row, of->last_bytes);
}

static void find_reflector(const struct members *m, const struct cyclic_column_cost *of,
                           int64_t pivot)
{
    (void)pivot;
    broadcast(m, of->row, of->first_bytes);
    gather(m, 16);
    broadcast(m, 0, 16);
    if (of->last_bytes > 0)
        combine(m, of->last_bytes);
}

/* HPL_pdmxswp: the search and the exchange in one.  Members that know the row of the owner send it
 * with their maximum. */
static void swap_maximum(const struct members *m, const struct cyclic_column_cost *of,
                         int64_t pivot)
{
    const int64_t power = power_of_two(m->count), spare = m->count - power;

    (void)pivot;
    for (int64_t i = 0; i < spare; i++)
        send(m, member_at(m, of->row + power + i), member_at(m, of->row + i), of->first_bytes);
    for (int64_t step = 1; step < power; step *= 2)
        for (int64_t i = 0; i < power; i++)
            if (!(i & step))
                exchange(m, member_at(m, of->row + i), member_at(m, of->row + i + step),
                         i < step ? of->last_bytes : of->first_bytes, of->first_bytes);
    for (int64_t i = 0; i < spare; i++)
        send(m, member_at(m, of->row + i), member_at(m, of->row + power + i), of->first_bytes);
}

/* Seconds of a column behind another one, as a mean over pivots. */
static double column_s(struct cyclic_network *net, const struct cyclic_column_cost *of,
                       messages_of *messages)
{
    const struct members m = { net, net->rows, net->member_s };
    const int64_t samples = messages == find_pivot ? cyclic_least(SAMPLES, m.count) : LAPS;
    double began_s;

    memset(m.now_s, 0, (size_t)m.count * sizeof *m.now_s);
    net->hops = net->next_hop = 0;
    messages(&m, of, of->row);
    began_s = latest(&m);
    for (int64_t i = 0; i < samples; i++) {
        net->next_hop = 0;
        messages(&m, of, (of->row + i * m.count / samples) % m.count);
    }
    return (latest(&m) - began_s) / (double)samples;
}

/* The cost of a column, from its slot or into it.  Of many process rows some stand for all. */
static double cost_s(struct cyclic_network *net, int64_t row, double first_bytes, double last_bytes,
                     messages_of *messages)
{
    const int64_t each = cyclic_blocks(net->rows, SAMPLES), nearest = row - row % each;
    const size_t protocol = cyclic_protocol_index(net, last_bytes);
    struct cyclic_column_cost *cost =
        &net->column_cost[((size_t)(nearest / each) * net->protocols + protocol) * 2 +
                          (last_bytes > 0)];

    if (cost->is_known && cost->first_bytes == first_bytes && cost->last_bytes == last_bytes)
        return cost->time_s;
    *cost = (struct cyclic_column_cost){ true, nearest, first_bytes, last_bytes, 0 };
    cost->time_s = column_s(net, cost, messages);
    return cost->time_s;
}

/* Seconds of the columns of a panel, of which those with up to `most` columns to their right send
 * as many elements.  Where these have one protocol, their mean stands for all. */
static double columns_s(struct cyclic_network *net, int64_t row, double first_bytes, int64_t most,
                        messages_of *messages)
{
    double sum = cost_s(net, row, first_bytes, 0, messages);

    for (int64_t right = 1, end; right <= most; right = end) {
        const struct fr_protocol *protocol = cyclic_protocol_of(net, 8 * (double)right);

        /* the last protocol has no limit */
        end = 1 + (int64_t)fmin((double)most, floor(protocol->max_message_bytes / 8));
        sum += (double)(end - right) *
               cost_s(net, row, first_bytes, 4 * (double)(right + end - 1), messages);
    }
    return sum;
}

bool cyclic_follows_members(const struct cyclic_network *net, int64_t width)
{
    return net->latencies && net->rows > 1 && cyclic_is_tree(net, 16) &&
           cyclic_is_tree(net, 8 * (double)width);
}

double cyclic_pivots_s(struct cyclic_network *net, int64_t row, int64_t width)
{
    return columns_s(net, row, 8 * (double)width, width - 1, find_pivot);
}

double cyclic_reflectors_s(struct cyclic_network *net, int64_t row, int64_t width)
{
    const int64_t few = cyclic_least(width - 1, (int64_t)(cyclic_short_reduction_bytes / 8));
    double sum = columns_s(net, row, 8, few, find_reflector);

    for (int64_t right = few + 1; right < width; right++)
        sum += cost_s(net, row, 8, 0, find_reflector) + cyclic_reduce_s(net, 8 * (double)right);
    return sum;
}

double cyclic_exchange_s(struct cyclic_network *net, double width)
{
    const int64_t rows = net->rows;
    const int64_t samples = !net->run->is_rough ? SAMPLES : rows > MANY ? 1 : ROUGH_SAMPLES;
    const int64_t each = cyclic_blocks(rows, samples);
    double sum = 0;

    for (int64_t row = 0; row < rows; row += each)
        sum += cost_s(net, row, 8 * (width + 4), 8 * (2 * width + 4), swap_maximum);
    return sum / (double)cyclic_blocks(rows, each);
}
