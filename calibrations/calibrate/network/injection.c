/* The bandwidth out of a node to many other nodes at once: all of its processes send long messages.
 * A single target may be behind a link that is slower than the node's own.  The targets are the
 * neighbours on a grid of nodes, nodes at distances 1, 2, 4, ... both ways, or nodes spread over
 * the job; the set that gets most tells what the node can do (docs/models/krylov-links.md#routes).
 */
#include <stdlib.h>

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/network/sizes.h"
#include "calibrations/calibrate/network/timed_collective.h"
#include "engine/krylov/communication/krylov.h"

enum { NODES_MAX = 1 + FR_MAX_EXTENTS, TARGETS_MAX = 64, TAG_INJECTION = 30, BYTES = 1 << 20 };
enum target_set { NEIGHBOURS, DOUBLING, SPREAD, ONE_LINK, SETS };
static const char *const set_names[SETS] = {
    "the neighbors on a grid of nodes",
    "nodes at distances of powers of two",
    "nodes spread over the job",
    "the nodes one link away",
};

struct injection {
    const struct fr_context *context;
    const struct fr_world *world;
    int bytes;
    char *buffer;
    MPI_Request *request;
    int *first, *rank; /* ranks by node; those of node i from first[i] on */
    int from[NODES_MAX];
    int nodes; /* that send, in turn */
    struct fr_timed_collective times[NODES_MAX * SETS];
    struct fr_collective_summary summary;
};

struct targets {
    int node[TARGETS_MAX];
    int count;
};

/* Keeps each node once, and not the sender. */
static void add_target(struct targets *targets, int from, int to)
{
    if (to == from || targets->count == TARGETS_MAX)
        return;
    for (int i = 0; i < targets->count; i++)
        if (targets->node[i] == to)
            return;
    targets->node[targets->count++] = to;
}

static void add_grid_neighbours(struct targets *targets, int from, int hosts)
{
    const struct fr_vector grid = krylov_dims_create(hosts, FR_MAX_EXTENTS);
    int stride = hosts;

    for (size_t d = 0; d < grid.count; d++) {
        const int extent = (int)grid.at[d], below = stride / extent;
        const int at = from / below % extent, base = from - at * below;

        add_target(targets, from, base + (at + 1) % extent * below);
        add_target(targets, from, base + (at + extent - 1) % extent * below);
        stride = below;
    }
}

static void add_adjacent(struct targets *targets, const struct injection *of, int from)
{
    for (int to = 0; to < of->world->hosts; to++)
        if (fr_hops_between(of->context, of->rank[of->first[from]], of->rank[of->first[to]]) == 1)
            add_target(targets, from, to);
}

static struct targets targets_of(const struct injection *of, enum target_set set, int from)
{
    const int hosts = of->world->hosts;
    struct targets targets = { .count = 0 };

    if (set == NEIGHBOURS)
        add_grid_neighbours(&targets, from, hosts);
    for (int distance = 1; set == DOUBLING && distance < hosts; distance *= 2) {
        add_target(&targets, from, (from + distance) % hosts);
        add_target(&targets, from, (from + hosts - distance) % hosts);
    }
    for (int i = 0; set == SPREAD && i < TARGETS_MAX; i++)
        add_target(&targets, from,
                   (int)((from + 1 + (int64_t)(hosts - 1) * i / TARGETS_MAX) % hosts));
    if (set == ONE_LINK)
        add_adjacent(&targets, of, from);
    return targets;
}

static int ranks_on(const struct injection *of, int node)
{
    return of->first[node + 1] - of->first[node];
}

/* Every process of the sender has a message at least, and every target gets one. */
static int messages_of(const struct injection *of, int from, const struct targets *targets)
{
    if (!targets->count)
        return 0;
    return targets->count > ranks_on(of, from) ? targets->count : ranks_on(of, from);
}

static int inject(void *with, int row)
{
    const struct injection *of = with;
    const struct fr_world *world = of->world;
    const int from = of->from[row / SETS];
    const struct targets targets = targets_of(of, row % SETS, from);
    const int messages = messages_of(of, from, &targets), senders = ranks_on(of, from);
    bool has_part = false;
    int requests = 0;

    for (int i = 0; i < messages; i++) {
        const int to = targets.node[i % targets.count];
        const int sender = of->rank[of->first[from] + i % senders];
        const int receiver = of->rank[of->first[to] + i / targets.count % ranks_on(of, to)];

        if (world->rank == sender)
            MPI_Isend(of->buffer, of->bytes, MPI_CHAR, receiver, TAG_INJECTION, MPI_COMM_WORLD,
                      &of->request[requests++]);
        else if (world->rank == receiver)
            MPI_Recv(of->buffer, of->bytes, MPI_CHAR, sender, TAG_INJECTION, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        has_part = has_part || world->rank == sender || world->rank == receiver;
    }
    MPI_Waitall(requests, of->request, MPI_STATUSES_IGNORE);
    return has_part;
}

static void list_ranks(struct injection *of)
{
    const struct fr_world *world = of->world;
    int *next = fr_world_record((size_t)world->hosts + 1, sizeof *next);

    of->first = fr_world_record((size_t)world->hosts + 1, sizeof *of->first);
    of->rank = fr_world_record((size_t)world->size, sizeof *of->rank);
    for (int i = 0; i < world->size; i++)
        of->first[world->host[i] + 1]++;
    for (int i = 0; i < world->hosts; i++)
        next[i + 1] = of->first[i + 1] += of->first[i];
    for (int i = 0; i < world->size; i++)
        of->rank[next[world->host[i]]++] = i;
    fr_record_free(next);
}

/* The median over the nodes; 0 without a measurement. */
static double bandwidth(const struct fr_context *context, struct injection *of, enum target_set set)
{
    double rate[NODES_MAX];
    int rates = 0;

    for (int i = 0; i < of->nodes; i++) {
        const struct targets targets = targets_of(of, set, of->from[i]);
        const double bytes = (double)messages_of(of, of->from[i], &targets) * of->bytes;
        const double took_s = fr_timed_collective_maximum_s(&of->times[i * SETS + (int)set]);
        const double moving_s = fr_protocol_moving_s(&context->protocols, FR_OFF_NODE, took_s);

        if (moving_s > 0)
            rate[rates++] = bytes / moving_s;
    }
    return rates ? fr_sample_median(rate, rates) : 0;
}

static void record(struct fr_context *context, struct injection *of)
{
    double best = 0;
    int chosen = 0;

    for (int set = 0; set < SETS; set++) {
        const double rate = bandwidth(context, of, set);

        if (rate > best) {
            best = rate;
            chosen = set;
        }
    }
    if (!(best > 0))
        return;
    fr_timed_collective_count(&of->summary, of->times, of->nodes * SETS);
    context->document->found.network.injection_bandwidth_bytes_per_s = best;
    fr_document_source(
        context->document, "/network/injection_bandwidth_bytes_per_s",
        fr_timed_collective_source(&of->summary),
        "all processes of a node send %d bytes each to up to %d other nodes at once; largest to "
        "%s, median of %d nodes",
        of->bytes, targets_of(of, chosen, of->from[0]).count, set_names[chosen], of->nodes);
}

/* Of nodes spread over the job, the one that has most others one link away, but for those that are
 * chosen; -1 if none has. */
static int most_adjacent(const struct injection *of)
{
    int best = -1, most = 0;

    for (int i = 0; i < TARGETS_MAX; i++) {
        const int node = (int)((int64_t)of->world->hosts * i / TARGETS_MAX);
        const int count = targets_of(of, ONE_LINK, node).count;
        bool is_chosen = false;

        for (int j = 0; j < of->nodes; j++)
            is_chosen = is_chosen || of->from[j] == node;
        if (!is_chosen && count > most) {
            most = count;
            best = node;
        }
    }
    return best;
}

/* Without a topology the node in the middle, and the one before it in each dimension. */
static void choose_senders(struct injection *of)
{
    const struct fr_vector grid = krylov_dims_create(of->world->hosts, FR_MAX_EXTENTS);
    int middle = 0, below = 1;

    for (int node; of->nodes < NODES_MAX && (node = most_adjacent(of)) >= 0;)
        of->from[of->nodes++] = node;
    if (of->nodes)
        return;
    for (size_t d = grid.count; d-- > 0; below *= (int)grid.at[d])
        middle += (int)grid.at[d] / 2 * below;
    of->from[of->nodes++] = middle;
    below = 1;
    for (size_t d = grid.count; d-- > 0; below *= (int)grid.at[d])
        if (grid.at[d] > 1)
            of->from[of->nodes++] = middle - below;
}

static struct injection *begin(const struct fr_context *context)
{
    const int64_t longest = context->options->max_message_bytes;
    struct injection *of = fr_world_record(1, sizeof *of);

    of->context = context;
    of->world = context->world;
    of->bytes = (int)(longest < BYTES ? longest : BYTES);
    list_ranks(of);
    choose_senders(of);
    return of;
}

static void end(struct injection *of)
{
    fr_record_free(of->first);
    fr_record_free(of->rank);
    fr_record_free(of);
}

static void plan(struct fr_context *context)
{
    struct injection *of;
    double round_s = 0;

    if (context->world->hosts < 2)
        return;
    of = begin(context);
    for (int row = 0; row < of->nodes * SETS; row++) {
        const struct targets targets = targets_of(of, row % SETS, of->from[row / SETS]);

        round_s += fr_plan_operation_s(&context->plan, of->world->size,
                                       messages_of(of, of->from[row / SETS], &targets), of->bytes);
    }
    fr_plan_add(&context->plan, "injection", of->world->size, 1, of->nodes * SETS,
                context->options->repetitions * round_s);
    end(of);
}

static void measure(struct fr_context *context, struct injection *of)
{
    const struct fr_workload workload = { .run = inject, .with = of };

    of->bytes = fr_message_buffer_for(context, "injection", of->bytes, 1);
    of->buffer = fr_message_buffer_take(context, of->bytes);
    of->request = fr_world_record((size_t)(TARGETS_MAX + of->world->size), sizeof *of->request);
    fr_timed_collective_measure(context, MPI_COMM_WORLD, "injection", &workload, of->times,
                                of->nodes * SETS);
    if (context->world->rank == 0)
        record(context, of);
    fr_record_free(of->request);
    free(of->buffer);
}

static void run(struct fr_context *context)
{
    struct injection *of;

    if (context->world->hosts < 2) {
        fr_bench_missing(context, "injection", "all ranks are on one node");
        return;
    }
    if (!fr_plan_begin(context, "injection"))
        return;
    of = begin(context);
    measure(context, of);
    end(of);
    fr_plan_end(context, "injection");
}

const struct fr_bench fr_bench_injection = {
    .name = "injection",
    .group = "network",
    .summary = "bandwidth out of a node to many other nodes at once",
    .needs_ranks = 2,
    .after = "pingpong",
    .plan = plan,
    .run = run,
};
