/* Routes: which messages leave their node, how many share a link or an interface, and at what
 * distance (docs/models/block_cyclic.md#decision-contention-of-lines); and the network as a whole,
 * which keeps them. */
#include "engine/block_cyclic/network.h"
#include "engine/lookup/lookup.h"

#include <math.h>

/* The curve of the process count nearest to that of the grid; without counts the only one.  Its
 * factors have to be multiplied by `weight`. */
static const struct fr_curve *curve_of(const struct cyclic_network *net, double *weight)
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
        *weight = fr_extrapolate(net->run->out, "contention.average.processes", processes,
                                 (double)curves->key[0], (double)curves->key[curves->count - 1]);
    return &curves->curve[nearest];
}

double cyclic_factor(const struct cyclic_network *net, double distance)
{
    const struct fr_curve *curve;
    const double x = log2(distance);
    double weight = 1;

    if (!net->has_contention || distance < 1)
        return 1;
    curve = curve_of(net, &weight);
    net->run->out->used |= FR_USE(CONTENTION_AVERAGE);
    if (!fr_curve_covers(curve, x))
        weight *=
            fr_extrapolate(net->run->out, "contention.average.distance", distance,
                           round(exp2(fr_curve_low(curve))), round(exp2(fr_curve_high(curve))));
    return weight * fr_curve_at(curve, x);
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
    const int64_t members = cyclic_members_of(net, scope), others = cyclic_lines_of(net, scope);
    const int64_t step = are_neighbours ? 1 : others;

    return (struct senders){ from * step, are_neighbours ? members : 1, others,
                             (to - from) * step };
}

int64_t cyclic_shift_of(const struct cyclic_network *net, enum cyclic_scope scope, int64_t from,
                        int64_t to)
{
    return senders_of(net, scope, from, to).shift;
}

/* The senders of a node repeat after per_node / gcd(stride, per_node) of them. */
static int64_t period_of(const struct cyclic_network *net, enum cyclic_scope scope)
{
    const struct senders senders = senders_of(net, scope, 0, 0);

    return net->per_node / fr_common_divisor(senders.stride, net->per_node);
}

/* The most senders of a node whose message leaves it, and whose message stays. */
struct most {
    int64_t leaving, staying;
};

/* Only the first node may hold less than the others. */
static struct most most_of(const struct senders *s, int64_t period, int64_t per_node)
{
    const int64_t count = cyclic_least(s->count, 2 * period), step = s->stride % per_node;
    int64_t leaving = 0, staying = 0, place = s->first % per_node; /* on its node */
    struct most most = { 0, 0 };

    for (int64_t i = 0; i < count; i++) {
        const bool leaves = place + s->shift < 0 || place + s->shift >= per_node;

        leaving += leaves;
        staying += !leaves;
        most.leaving = cyclic_most(most.leaving, leaving);
        most.staying = cyclic_most(most.staying, staying);
        place += step;
        if (place >= per_node || s->stride >= per_node)
            leaving = staying = 0;
        place -= place >= per_node ? per_node : 0;
    }
    return most;
}

/* The members of a line that one node has, at least. */
static int64_t members_on_node(const struct cyclic_network *net, enum cyclic_scope scope)
{
    return cyclic_least(cyclic_members_of(net, scope),
                        cyclic_most(1, net->per_node / cyclic_shift_of(net, scope, 0, 1)));
}

double cyclic_share_in_step(const struct cyclic_network *net, enum cyclic_scope scope)
{
    return 1 / (double)cyclic_most(1, cyclic_members_of(net, scope) / 2);
}

double cyclic_share_of(const struct cyclic_network *net, enum cyclic_scope scope, bool is_off)
{
    const double hops = (double)members_on_node(net, scope);

    return fmax(cyclic_share_in_step(net, scope), is_off ? 0 : (hops - 1) / hops);
}

/* The member that this one sends to; itself: to none. */
static int64_t partner_of(enum cyclic_step kind, int64_t step, int64_t member, int64_t members)
{
    switch (kind) {
    case CYCLIC_SHIFT:
        return (member + step) % members;
    case CYCLIC_TREE:
        return member % (2 * step) == 0 ? member + step : member;
    case CYCLIC_EXCHANGE:
    case CYCLIC_GROWING_EXCHANGE:
    case CYCLIC_STEPS:
        break;
    }
    return member ^ step;
}

/* The same of the members of a line that begins at rank `first`. */
static struct most members_of_line(const struct cyclic_network *net, enum cyclic_scope scope,
                                   enum cyclic_step kind, int64_t step, int64_t first)
{
    const int64_t members = cyclic_members_of(net, scope);
    const int64_t stride = cyclic_shift_of(net, scope, 0, 1);
    struct most most = { 0, 0 }, here = most;
    int64_t last = -1;

    for (int64_t i = 0; i < members; i++) {
        const int64_t to = partner_of(kind, step, i, members);
        const int64_t node = (first + i * stride) / net->per_node;
        const bool leaves = (first + to * stride) / net->per_node != node;

        if (node != last)
            here = (struct most){ 0, 0 };
        last = node;
        here.leaving += leaves && to < members;
        here.staying += !leaves && to < members && to != i;
        most.leaving = cyclic_most(most.leaving, here.leaving);
        most.staying = cyclic_most(most.staying, here.staying);
    }
    return most;
}

/* Lines begin at different places of a node; of a large grid some stand for all. */
static struct most most_members(const struct cyclic_network *net, enum cyclic_scope scope,
                                enum cyclic_step kind, int64_t step)
{
    const int64_t enough = 1 << 14, stride = cyclic_shift_of(net, scope, 0, 1);
    const int64_t members = cyclic_members_of(net, scope);
    const int64_t lines = cyclic_least(cyclic_least(cyclic_lines_of(net, scope), net->per_node),
                                       cyclic_most(1, enough / members));
    struct most most = { 0, 0 };

    for (int64_t i = 0; i < lines; i++) {
        const struct most one =
            members_of_line(net, scope, kind, step, stride == 1 ? i * members : i);

        most.leaving = cyclic_most(most.leaving, one.leaving);
        most.staying = cyclic_most(most.staying, one.staying);
    }
    return most;
}

/* Whole messages that `own` members send.  In a growing exchange `step` of all have the rows of the
 * owner, and send them; the others send what they have collected from as many. */
static double whole_messages(const struct cyclic_network *net, enum cyclic_scope scope,
                             enum cyclic_step kind, int64_t step, int64_t own)
{
    const double whole = (double)cyclic_least(own, step);

    if (kind != CYCLIC_GROWING_EXCHANGE)
        return (double)own;
    return whole + ((double)own - whole) * (double)step / (double)cyclic_members_of(net, scope);
}

const struct cyclic_crowd *cyclic_crowd_of(const struct cyclic_network *net,
                                           enum cyclic_scope scope, enum cyclic_step kind,
                                           int64_t step)
{
    struct cyclic_crowd *crowd = &net->crowd[scope][kind][cyclic_doublings(step)];
    const int64_t members = cyclic_members_of(net, scope);
    const int64_t period =
        net->period[scope == CYCLIC_ALONG_ROWS ? CYCLIC_ALONG_COLUMNS : CYCLIC_ALONG_ROWS];
    const int64_t some = cyclic_least(members, period + members_on_node(net, scope));
    struct most own;

    if (crowd->is_known)
        return crowd;
    own = most_members(net, scope, kind, step);
    *crowd = (struct cyclic_crowd){
        .is_known = true,
        .within = { whole_messages(net, scope, kind, step, own.staying), 1 },
        .off = { whole_messages(net, scope, kind, step, own.leaving), 1 },
    };
    for (int64_t from = 0; from < some; from++) {
        const int64_t to = partner_of(kind, step, from, members);
        const struct cyclic_route *route;

        if (to == from || to >= members)
            continue;
        route = cyclic_route_of(net, scope, from, to);
        crowd->off.of_lines = fmax(crowd->off.of_lines, route->crowd);
        crowd->within.of_lines = fmax(crowd->within.of_lines, route->staying);
    }
    return crowd;
}

/* How many messages share a link or an interface where all lines send at once. */
static double crowd_of(const struct cyclic_network *net, enum cyclic_scope scope, int64_t from,
                       int64_t to, double leaving)
{
    const bool is_along_rows = scope == CYCLIC_ALONG_ROWS;
    const int64_t members = cyclic_members_of(net, scope);
    const double others = (double)cyclic_lines_of(net, scope);
    const int64_t apart = from < to ? to - from : from - to;
    const int64_t least = cyclic_least(apart, members - apart);
    const double distance = (double)least;
    const bool are_neighbours = is_along_rows == net->is_row_major;
    double *factor = &net->factor[scope][least];

    if (*factor == 0)
        *factor = cyclic_factor(net, are_neighbours ? distance : distance * others);
    return fmax(1, fmax(*factor / (are_neighbours ? (double)members : distance), leaving));
}

struct fr_latency_place cyclic_place_of(const struct cyclic_network *net, int64_t ranks)
{
    if (!net->latencies)
        return (struct fr_latency_place){ 0, 0 };
    return fr_latency_place_of(net->run, fmax(1, fabs((double)ranks) / (double)net->per_node));
}

const struct cyclic_route *cyclic_route_of(const struct cyclic_network *net,
                                           enum cyclic_scope scope, int64_t from, int64_t to)
{
    const struct senders senders = senders_of(net, scope, from, to);
    const int64_t start = senders.first % net->per_node, lines = to - from;
    const uint64_t key = ((uint64_t)start << 21 ^ (uint64_t)lines) << 1 | scope;
    struct cyclic_route *route = &net->route[cyclic_slot_of(key, net->route_bits)];
    struct most most;

    if (route->contention > 0 && route->start == start && route->lines == lines &&
        route->scope == scope)
        return route;
    most = most_of(&senders, net->period[scope], net->per_node);
    *route = (struct cyclic_route){
        .start = (int32_t)start,
        .lines = (int32_t)lines,
        .scope = (unsigned char)scope,
        .is_off = most.leaving > 0,
        .crowd = 1,
        .staying = (double)most.staying,
    };
    if (most.leaving) {
        route->crowd = crowd_of(net, scope, from, to, (double)most.leaving);
        route->place = cyclic_place_of(net, senders.shift);
    }
    /* docs/models/block_cyclic.md#decision-contention-of-lines */
    route->contention = 1 + ((route->is_off ? route->crowd : fmax(1, route->staying)) - 1) *
                                cyclic_share_of(net, scope, route->is_off);
    return route;
}

static double inverse(double bandwidth)
{
    return isnan(bandwidth) ? 0 : 1 / bandwidth;
}

static void know_busy_node(struct cyclic_network *net)
{
    const struct fr_calibration *cal = net->run->cal;

    if (net->per_node == 1)
        return;
    net->on_node_s_per_byte = inverse(cal->network.busy_node.all_on_node_bandwidth_bytes_per_s);
    net->beside_s_per_byte[false] = inverse(cal->network.busy_node.on_node_bandwidth_bytes_per_s);
    net->beside_s_per_byte[true] = inverse(cal->network.busy_node.off_node_bandwidth_bytes_per_s);
    if (net->on_node_s_per_byte + net->beside_s_per_byte[0] + net->beside_s_per_byte[1] > 0)
        net->run->out->used |= FR_USE(BUSY_NODE);
}

/* The programs that cyclic_predict follows are those of ScaLAPACK. */
static void know_blacs(struct cyclic_network *net, const struct cyclic_values *v)
{
    const double message_s = net->run->cal->network.blacs_message_s;

    if (!v->rules || !v->rules->course || isnan(message_s))
        return;
    net->blacs_s = message_s;
    net->run->out->used |= FR_USE(BLACS_MESSAGE);
}

int cyclic_network_begin(struct cyclic_network *net, const struct cyclic_values *v,
                         struct fr_evaluation *run)
{
    const struct fr_calibration *cal = run->cal;
    const double bandwidth = cal->network.node_bandwidth_bytes_per_s;
    const size_t last = cal->network.protocols.count - 1;
    const int64_t processes = v->process_rows + v->process_columns;
    const int route_bits =
        (int)cyclic_least(CYCLIC_ROUTE_BITS, cyclic_doublings(4 * v->ranks_per_node * processes));
    const int64_t senders = cyclic_least(v->process_rows, CYCLIC_SENDERS);

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
        .route_bits = route_bits,
        .senders = senders,
        .route = fr_arena_zeroed(run->arena, (size_t)1 << route_bits, sizeof *net->route),
        .crowd = fr_arena_zeroed(run->arena, 2, sizeof *net->crowd),
        .halving = fr_arena_zeroed(run->arena, 1 << CYCLIC_HALVING_BITS, sizeof *net->halving),
        .tree = fr_arena_zeroed(run->arena, last + 1, sizeof *net->tree),
        .to_others =
            fr_arena_zeroed(run->arena, (last + 1) * (size_t)senders, sizeof *net->to_others),
        .latencies = cal->latencies.distances ? &cal->latencies : NULL,
        .transposed_s = fr_arena_zeroed(run->arena, last + 1, sizeof *net->transposed_s),
        .ring_s = { fr_arena_zeroed(run->arena, last + 1, sizeof **net->ring_s),
                    fr_arena_zeroed(run->arena, last + 1, sizeof **net->ring_s) },
        .turning = fr_arena_zeroed(run->arena, (last + 1) * CYCLIC_DOUBLINGS, sizeof *net->turning),
        .protocols = last + 1,
    };
    net->factor[CYCLIC_ALONG_ROWS] =
        fr_arena_zeroed(run->arena, (size_t)net->columns / 2 + 1, sizeof **net->factor);
    net->factor[CYCLIC_ALONG_COLUMNS] =
        fr_arena_zeroed(run->arena, (size_t)net->rows / 2 + 1, sizeof **net->factor);
    net->period[CYCLIC_ALONG_ROWS] = period_of(net, CYCLIC_ALONG_ROWS);
    net->period[CYCLIC_ALONG_COLUMNS] = period_of(net, CYCLIC_ALONG_COLUMNS);
    if (!net->route || !net->crowd || !net->factor[0] || !net->factor[1] || !net->halving ||
        !net->tree || !net->to_others || !net->transposed_s || !net->ring_s[0] || !net->ring_s[1] ||
        !net->turning || cyclic_lanes_begin(net) != FR_OK || cyclic_members_begin(net) != FR_OK)
        return fr_fault(run->faults, FR_NOMEM, "n", "too large for the memory of a request");
    run->out->used |= FR_USE(PROTOCOLS);
    if (!isnan(bandwidth))
        run->out->used |= FR_USE(NODE_BANDWIDTH);
    know_busy_node(net);
    know_blacs(net, v);
    return FR_OK;
}
