/* Shared parts of the models allreduce, halo_exchange and cg: parameters, the cost of a message and
 * its penalties, distance in the network, process grids and mappings, both communications.
 * Symbols (docs/models/krylov.md#symbols):
 *   N nodes, c processes per node, P = N c, n bytes of a message, a processes of a node that send
 *   at the same time, s stalls per byte, h hops beyond the router, L their latency;
 *   S postal cost, F arithmetic, X penalties, H hidden part of X: T = S + F + X - H.
 *
 * Internally every grid has three dimensions.  A smaller one is padded in front with extents of 1,
 * which have no neighbours and do not change ranks, boxes and message sizes.
 */
#ifndef FR_KRYLOV_H
#define FR_KRYLOV_H

#include "engine/calibration/calibration.h"
#include "engine/core/param.h"
#include "engine/prediction/prediction.h"
#include "engine/runs/saved_run.h"

/* The first member of the values of each model.  KRYLOV_PARAMS describes it. */
struct krylov_values {
    int64_t nodes, processes_per_node;
    struct fr_vector allocation; /* krylov_resolve sets it if the topology needs one */
    double stalls_per_byte;      /* NaN: from the saved run, else unknown */
    double eager_limit_bytes;    /* NaN: the limit of the calibration */
    int penalties;               /* set of enum krylov_penalty */
    int overlap, hop_estimate, hop_best_step, congestion_multiplier;
    int allreduce_active_processes, reduction_flops, rounds, routing, contention_model;
    int64_t allreduce_messages_per_round; /* open: krylov_resolve chooses by contention_model */
    /* Not parameters: */
    const struct fr_saved_run *run; /* borrowed; NULL: none */
    bool is_allocation_assumed;     /* set by krylov_resolve */
};
static inline double krylov_processes_of(const struct krylov_values *v)
{
    return (double)v->nodes * (double)v->processes_per_node;
}

enum krylov_penalty { MAX_RATE, HOPS, CONGESTION, CONGESTION_HOPS, SYNCHRONIZATION };
enum krylov_hop_estimate { HOPS_BEST, HOPS_AVERAGE, HOPS_MAX };
enum krylov_hop_best_step { STEP_DOUBLING, STEP_UNIT };
enum krylov_congestion_multiplier { MULTIPLIER_HOPS, MULTIPLIER_TILES };
enum krylov_active { ACTIVE_ONE, ACTIVE_ALL };
enum krylov_reduction { FLOPS_PER_ELEMENT, FLOPS_PER_BYTE };
enum krylov_rounds { ROUNDS_REAL, ROUNDS_CEIL, ROUNDS_LIBRARY };
enum krylov_routing { ROUTING_STATIC, ROUTING_DYNAMIC };
extern const char *const krylov_penalties[], *const krylov_hop_estimates[];
extern const char *const krylov_hop_best_steps[], *const krylov_congestion_multipliers[];
extern const char *const krylov_actives[], *const krylov_reductions[];
enum krylov_contention_model { KRYLOV_PAPER, KRYLOV_REFINED };
extern const char *const krylov_roundings[], *const krylov_routings[];
extern const char *const krylov_contention_models[];

/* Whether `penalties` contains this one. */
bool krylov_has(const struct krylov_values *v, enum krylov_penalty penalty);
/* Whether congestion is charged: selected, and the stall rate is known and above 0. */
bool krylov_is_congested(const struct krylov_values *v);

/* Limits of the process count, as of the parameter `processes`, and of the processes of a node. */
enum { KRYLOV_MOST_PROCESSES = 1000000000, KRYLOV_MOST_PER_NODE = 4096 };

#define KRYLOV_PARAMS(rounds_default)                                                              \
    FR_INT(struct krylov_values, nodes, .unit = "1", .min = 1, .max = KRYLOV_MOST_PROCESSES,       \
           .one_of = "nodes", .doc = "Nodes of the job."),                                         \
        FR_INT(struct krylov_values, processes_per_node, .aliases = fr_per_node_aliases,           \
               .unit = "1", .min = 1, .max = KRYLOV_MOST_PER_NODE, .flags = FR_REQUIRED,           \
               .doc = "Processes on each node."),                                                  \
        FR_VECTOR(struct krylov_values, allocation, .unit = "1", .min = 1,                         \
                  .max = KRYLOV_MOST_PROCESSES, .flags = FR_AUTOMATIC | FR_OPTIONAL,               \
                  .doc = "Where the nodes lie. On a torus: extents in routers of the block that "  \
                         "holds them; on a dragonfly: numbers of routers, chassis and groups. "    \
                         "Left open, a compact allocation is assumed."),                           \
        FR_REAL(struct krylov_values, stalls_per_byte, .unit = "1/byte", .min = 0, .max = 1e9,     \
                .flags = FR_AUTOMATIC | FR_OPTIONAL | FR_METHOD,                                   \
                .doc = "Stall rate of the network. If left open, a saved run gives it."),          \
        FR_REAL(struct krylov_values, eager_limit_bytes, .unit = "bytes", .min = 0, .max = 1e15,   \
                .flags = FR_AUTOMATIC | FR_OPTIONAL,                                               \
                .doc = "Largest eager message (a setting of MPI), in place of the calibrated "     \
                       "limit; larger messages use rendezvous."),                                  \
        FR_SET_OF(struct krylov_values, penalties, .choices = krylov_penalties, .unit = "",        \
                  .fallback =                                                                      \
                      1 << MAX_RATE | 1 << HOPS | 1 << CONGESTION_HOPS | 1 << SYNCHRONIZATION,     \
                  .flags = FR_DEFAULT | FR_METHOD,                                                 \
                  .doc = "Costs added to the postal model; congestion_hops replaces congestion."), \
        FR_BOOL(struct krylov_values, overlap, .unit = "", .fallback = 1,                          \
                .flags = FR_DEFAULT | FR_METHOD,                                                   \
                .doc = "Whether penalties may overlap with other work."),                          \
        FR_CHOICE_OF(struct krylov_values, hop_estimate, .choices = krylov_hop_estimates,          \
                     .unit = "", .fallback = HOPS_AVERAGE, .flags = FR_DEFAULT | FR_METHOD,        \
                     .doc = "Hops of a message: best, average or worst case."),                    \
        FR_CHOICE_OF(struct krylov_values, hop_best_step, .choices = krylov_hop_best_steps,        \
                     .unit = "", .fallback = STEP_DOUBLING, .flags = FR_DEFAULT | FR_METHOD,       \
                     .doc = "Hops of the rounds of the best case along a torus dimension: 1, 2, "  \
                            "4, ... or always 1."),                                                \
        FR_CHOICE_OF(                                                                              \
            struct krylov_values, congestion_multiplier, .choices = krylov_congestion_multipliers, \
            .unit = "", .fallback = MULTIPLIER_HOPS, .flags = FR_DEFAULT | FR_METHOD,              \
            .doc = "Factor of congestion: hops, at least 1, or tiles, which is hops + 1."),        \
        FR_CHOICE_OF(struct krylov_values, allreduce_active_processes, .choices = krylov_actives,  \
                     .unit = "", .fallback = ACTIVE_ONE, .flags = FR_DEFAULT | FR_METHOD,          \
                     .doc = "Processes of a node that send at the same time in an allreduce."),    \
        FR_CHOICE_OF(struct krylov_values, reduction_flops, .choices = krylov_reductions,          \
                     .unit = "", .fallback = FLOPS_PER_ELEMENT, .flags = FR_DEFAULT | FR_METHOD,   \
                     .doc = "Additions of a reduction: one for each double, or for each byte."),   \
        FR_CHOICE_OF(                                                                              \
            struct krylov_values, rounds, .choices = krylov_roundings, .unit = "",                 \
            .fallback = (rounds_default), .flags = FR_DEFAULT | FR_METHOD,                         \
            .doc = "Rounds of an allreduce: the real logarithm, rounded up, or as a library "      \
                   "performs them, where processes beyond a power of two join a neighbor."),       \
        FR_CHOICE_OF(struct krylov_values, routing, .choices = krylov_routings, .unit = "",        \
                     .fallback = ROUTING_DYNAMIC, .flags = FR_DEFAULT,                             \
                     .doc = "Hop latencies of a dragonfly: with static or dynamic routing."),      \
        FR_CHOICE_OF(struct krylov_values, contention_model, .choices = krylov_contention_models,  \
                     .unit = "", .flags = FR_AUTOMATIC | FR_METHOD,                                \
                     .doc = "Cost of messages that share the network: by the source's equations, " \
                            "or as measured while all processes communicate; left open, refined "  \
                            "where the calibration has contention.exchange or .burst."),           \
        FR_INT(struct krylov_values, allreduce_messages_per_round, .unit = "1", .min = 1,          \
               .max = 2, .flags = FR_AUTOMATIC | FR_METHOD,                                        \
               .doc = "Messages of a round of an allreduce that do not overlap; left open, 2 "     \
                      "with contention_model=paper and 1 with refined.")

/* The first member of the values of halo_exchange and cg.  KRYLOV_PARAMS and KRYLOV_GRID_PARAMS
 * describe it. */
struct krylov_grid_values {
    struct krylov_values common;
    struct fr_vector local_grid, process_grid, on_node_grid;
    int periodic, process, mapping;
    /* Not a parameter; krylov_resolve sets it. */
    struct krylov_layout {
        size_t dimensions;             /* 1 to 3 */
        struct fr_vector process_grid; /* `dimensions` extents */
        struct fr_vector on_node_grid; /* empty: blocks of c ranks are not boxes */
        struct fr_vector host_grid;    /* nodes of one router in each dimension */
        struct fr_vector local_grid;   /* points of a process; empty: sizes are given in bytes */
    } layout;
};
enum krylov_process { PROCESS_SLOWEST, PROCESS_AVERAGE };
enum krylov_mapping { MAPPING_DEFAULT, MAPPING_NODE_AWARE, MAPPING_TOPOLOGY_AWARE };
extern const char *const krylov_processes[], *const krylov_mappings[];

/* `periodic_default` is 1 for halo_exchange and 0 for cg
 * (docs/models/krylov.md#decision-periodic-grids); `local_flags` is FR_REQUIRED in cg. */
#define KRYLOV_GRID_PARAMS(periodic_default, local_flags)                                         \
    FR_CHOICE_OF(struct krylov_grid_values, mapping, .choices = krylov_mappings, .unit = "",      \
                 .fallback = MAPPING_DEFAULT, .flags = FR_DEFAULT | FR_TUNABLE,                   \
                 .doc = "Placement of ranks: as MPI numbers them, in boxes that send the fewest " \
                        "bytes off the node, or along the network."),                             \
        FR_VECTOR(struct krylov_grid_values, local_grid, .unit = "1", .min = 1, .max = 1e6,       \
                  .flags = (local_flags) | FR_SCALED | FR_OF_PROCESS,                             \
                  .doc = "Rows of one process in each dimension."),                               \
        FR_VECTOR(struct krylov_grid_values, process_grid, .unit = "1", .min = 1,                 \
                  .max = KRYLOV_MOST_PROCESSES, .flags = FR_AUTOMATIC | FR_OPTIONAL,              \
                  .doc = "Processes in each dimension; left open, as equal as possible."),        \
        FR_VECTOR(struct krylov_grid_values, on_node_grid, .unit = "1", .min = 1,                 \
                  .max = KRYLOV_MOST_PER_NODE, .flags = FR_AUTOMATIC | FR_OPTIONAL,               \
                  .doc = "Processes of one node in each dimension; left open, by mapping."),      \
        FR_BOOL(struct krylov_grid_values, periodic, .unit = "", .fallback = (periodic_default),  \
                .flags = FR_DEFAULT, .doc = "Whether the process grid wraps around.")
#define KRYLOV_PROCESS_PARAM                                                                  \
    FR_CHOICE_OF(struct krylov_grid_values, process, .choices = krylov_processes, .unit = "", \
                 .fallback = PROCESS_SLOWEST, .flags = FR_DEFAULT | FR_METHOD,                \
                 .doc = "Process whose exchange is reported: the slowest, or an average one.")

/* Messages between neighbours (docs/models/krylov.md#messages-of-a-process). */
struct krylov_stencil {
    size_t dimensions;    /* 1 to 3 */
    bool is_full;         /* faces, edges and corners; else faces only */
    bool is_one_sided;    /* only to neighbors that come earlier in every dimension */
    double message_bytes; /* of each message; NaN: 8 bytes for each value of local_grid */
    double values_per_point;
    struct fr_vector local_grid; /* `dimensions` extents */
};

/* Properties of one model that the common checks need. */
struct krylov_rules {
    bool has_allreduce;              /* needs the time of an addition: peak and cores of a node */
    struct krylov_grid_values *grid; /* NULL: no halo; else the values that contain `v` */
    const struct krylov_stencil *stencil; /* of the halo; not read without `grid` */
    /* Points of all processes, in place of the stencil's local_grid; NULL or empty: none. */
    const struct fr_vector *global_grid;
    bool is_fitted; /* the process grid is the one whose processes send the fewest bytes */
    bool has_links; /* loads of links replace max-rate and hops of the halo */
};
/* Takes the stall rate of the run, assumes an allocation, lays out the grids and refuses what
 * docs/models/krylov.md#refusals-and-warnings lists (message_bytes and local_grid excepted).
 * Returns FR_OK or the code of a fault; appends all faults. */
int krylov_resolve(struct krylov_values *v, const struct fr_calibration *cal,
                   const struct krylov_rules *rules, struct fr_faults *faults);
/* Whether the value of a parameter comes from the saved run.  Such a value is dropped if it
 * contradicts the request. */
bool krylov_is_from_run(const struct krylov_values *v, const char *param);

/* Hooks of struct fr_model; they return what its members document. */
void krylov_set_run(void *values, const struct fr_saved_run *run);
size_t krylov_node_counts(const void *values, const struct fr_calibration *cal, int64_t max_nodes,
                          int64_t *out, size_t capacity);
/* The same for values that begin with struct krylov_grid_values.  If the mapping may be
 * topology_aware, the counts whose assumed allocation is a full block of the torus are added. */
size_t krylov_grid_node_counts(const void *values, const struct fr_calibration *cal,
                               int64_t max_nodes, int64_t *out, size_t capacity);
void krylov_set_nodes(void *values, int64_t nodes);

/* Cost of a communication for one process: T = S + F + X - H, with the parts of X before any of it
 * is hidden.  Seconds, bytes, and counts, which may be fractional. */
struct krylov_time {
    double time_s, postal_s, flop_s, penalty_s, max_rate_s, hops_s, congestion_s, hidden_s;
    double links_s; /* the penalty where messages share links; then there is no other */
    double on_node_messages, off_node_messages, on_node_bytes, off_node_bytes;
    double hops; /* h, the largest of a halo; NaN: topology unknown */
};

/* What goes on while a process computes between the start of a communication and its end. */
enum krylov_progress {
    PROGRESS_PENALTIES, /* the penalties that a blocking exchange does not hide either */
    PROGRESS_EAGER,     /* ... and the transfer of pipelined messages */
    PROGRESS_ALL        /* ... and of all others; an allreduce proceeds as a whole */
};
extern const char *const krylov_progresses[]; /* NULL at the end */
extern const struct fr_choice_alias krylov_progress_aliases[];
struct krylov_link_load;
struct krylov_overlap {
    bool is_blocking; /* it waits at once; `seconds` and `progress` are not read */
    double seconds;   /* of computation */
    int progress;     /* enum krylov_progress */
    /* Borrowed.  Where link_s is known, links share the exchange
     * (docs/models/krylov-links.md#exchange-with-links); NULL: they do not. */
    const struct krylov_link_load *load;
};

/* Cost of an allreduce of `bytes` (docs/models/krylov.md#allreduce).  Links are not read. */
struct krylov_time krylov_allreduce(const struct krylov_values *v, struct fr_evaluation *run,
                                    double bytes, const struct krylov_overlap *overlap);
/* What of a blocking allreduce's cost a non-blocking one hides
 * (docs/models/krylov-links.md#while-the-process-computes). */
double krylov_allreduce_hidden_s(const struct krylov_values *v, const struct krylov_time *blocking,
                                 const struct krylov_overlap *overlap);

/* Sets the outputs processes and nodes and adds the warnings allocation_assumed and oversubscribed;
 * call it once in each prediction.  krylov_finish_grid also sets the grids (vectors 0 and 1) and
 * adds topology_mapping_assumed.  krylov_warn_stalls adds stall_rate_missing, where stalls would
 * count. */
void krylov_finish(const struct krylov_values *v, struct fr_evaluation *run);
void krylov_finish_grid(const struct krylov_grid_values *v, struct fr_evaluation *run);
void krylov_warn_stalls(const struct krylov_values *v, struct fr_evaluation *run);

#define KRYLOV_GRID_OUTPUTS                                                           \
    FR_OWN_VECTOR(0, "process_grid", .unit = "1", .doc = "Processes by dimension."),  \
        FR_OWN_VECTOR(1, "on_node_grid", .unit = "1",                                 \
                      .doc = "Processes of one node by dimension; null if the ranks " \
                             "of a node are not a box.")

/* Ten members of a struct krylov_time as outputs; OWN is FR_OWN with the place of that struct. */
#define KRYLOV_EXCHANGE(OWN)                                                                      \
    OWN(on_node_messages, .unit = "1", .doc = "Messages of a process that stay on its node."),    \
        OWN(off_node_messages, .unit = "1", .doc = "Messages of a process that leave its node."), \
        OWN(on_node_bytes, .unit = "bytes", .doc = "Bytes of the messages on the node."),         \
        OWN(off_node_bytes, .unit = "bytes", .doc = "Bytes of the messages off the node."),       \
        OWN(hops, .unit = "1", .doc = "Network links that a message crosses beyond its router."), \
        OWN(postal_s, .unit = "s",                                                                \
            .doc = "Latency and transfer time of all messages, one after another."),              \
        OWN(penalty_s, .unit = "s", .doc = "All penalties, including hidden ones."),              \
        OWN(max_rate_s, .unit = "s", .doc = "Penalty for sharing the bandwidth of a node."),      \
        OWN(hops_s, .unit = "s", .doc = "Penalty for distance."),                                 \
        OWN(congestion_s, .unit = "s", .doc = "Penalty for stalls.")

/* Adds the phases postal, arithmetic (if `has_arithmetic`), max_rate, hops and congestion, or links
 * in place of these three.  They share the hidden time in proportion; postal time is hidden after
 * them, and arithmetic last. */
void krylov_phases(const struct krylov_time *time, bool has_arithmetic, struct fr_evaluation *run);

/* base^exponent, exact up to 2^53. */
double krylov_power(int64_t base, size_t exponent);
/* Non-increasing factors of `count`, the largest as small as possible, then the second
 * (docs/models/krylov.md#process-grid-and-mapping, as the next three). */
struct fr_vector krylov_dims_create(int64_t count, size_t dimensions);
/* The process grid over `global_grid` whose processes send the fewest bytes to neighbors on both
 * sides; empty if every one has more processes than points in a dimension
 * (docs/models/krylov_problem.md#grids).  The stencil's local_grid is not read. */
struct fr_vector krylov_fitted_grid(int64_t count, const struct fr_vector *global_grid,
                                    const struct krylov_stencil *stencil);
/* The largest box of points of a process. */
struct fr_vector krylov_divided_grid(const struct fr_vector *global_grid,
                                     const struct fr_vector *process_grid);
/* Bytes that a process sends to neighbors on both sides in every dimension of more than one
 * process.
 */
double krylov_sent_bytes(const struct krylov_stencil *stencil,
                         const struct fr_vector *process_grid);
/* The box of c ranks that sends the fewest bytes off the node. */
struct fr_vector krylov_node_aware_grid(const struct fr_vector *process_grid, int64_t c,
                                        const struct krylov_stencil *stencil, bool is_periodic);
/* The box that c consecutive ranks form; empty if they do not. */
struct fr_vector krylov_default_grid(const struct fr_vector *process_grid, int64_t c);
/* The layout along a torus; the allocation must be a full block. */
struct krylov_layout krylov_torus_layout(const struct fr_vector *allocation,
                                         int64_t nodes_per_router, int64_t c, size_t dimensions);
/* Bytes to a neighbour; bit d of `directions` is set if the message leaves along dimension d. */
double krylov_message_bytes(const struct krylov_stencil *stencil, unsigned directions);

/* The compact allocation of N nodes (docs/models/krylov.md#allocation); empty if the topology needs
 * none. */
struct fr_vector krylov_assumed_allocation(const struct fr_topology *topology, int64_t nodes);
/* FR_OK, or FR_RELATION with a fault of `allocation`, or of `nodes` if it was assumed. */
int krylov_check_allocation(const struct krylov_values *v, const struct fr_topology *topology,
                            struct fr_faults *faults);
/* h and L of one off-node message (docs/models/krylov.md#hops-and-their-latency): NaN if the
 * topology is unknown, 0 for one node. */
struct krylov_distance {
    double hops, latency_s;
};
struct krylov_distance krylov_distance(const struct krylov_values *v, struct fr_evaluation *run,
                                       bool is_allreduce);
/* Latency of one hop in seconds: the mean over the dimensions of a torus, a chassis link of a
 * dragonfly. */
double krylov_hop_latency_s(const struct krylov_values *v, const struct fr_topology *topology);

/* Cost of one message of `bytes` in seconds (docs/models/krylov.md#one-message): postal cost,
 * penalty for the shared bandwidth, penalty for congestion.  NaN `hops` need no topology as long as
 * congestion_hops is not selected. */
struct krylov_message {
    double latency_s, postal_s;
    bool is_pipelined;
};
struct krylov_message krylov_postal(const struct krylov_values *v, struct fr_evaluation *run,
                                    double bytes, bool is_off_node);
/* beta of the off-node protocol, s/byte. */
double krylov_inverse_bandwidth(const struct krylov_values *v, struct fr_evaluation *run,
                                double bytes);
double krylov_max_rate_s(const struct krylov_values *v, struct fr_evaluation *run, double bytes,
                         double active);
double krylov_congestion_s(const struct krylov_values *v, struct fr_evaluation *run, double bytes,
                           double active, double hops);

/* Classes of processes of a grid, and the messages of each in a halo exchange
 * (docs/models/krylov.md#classes-of-processes). */

/* Messages of a process, counted by kind (bit d is set if the neighbour differs in dimension d) and
 * by place: on the node, or off it across 0 to 3 router borders. */
enum { KINDS = 8, ON_NODE = 0, OFF_NODE = 1, PLACES = OFF_NODE + 4 };
struct halo_counts {
    double count[KINDS][PLACES];
};

/* The grid, padded to three dimensions. */
struct halo_grid {
    int64_t process[FR_MAX_EXTENTS]; /* extents */
    int64_t on_node[FR_MAX_EXTENTS], host[FR_MAX_EXTENTS];
    int64_t c;
    bool is_boxed; /* the processes of a node are a box */
    bool is_periodic, is_full, is_one_sided;
};

struct halo_grid halo_grid_of(const struct krylov_grid_values *v,
                              const struct krylov_stencil *stencil);
/* The stencil in three dimensions. */
struct krylov_stencil halo_padded(const struct krylov_stencil *stencil);

/* Indices of one dimension at the same position: the first, the last, or those between. */
struct halo_range {
    int64_t begin, count;
    bool is_first, is_last;
};
/* Splits the indices of a dimension; returns the number of ranges. */
size_t halo_ranges(int64_t extent, struct halo_range out[3]);

/* Receives each class of processes: how many there are and the messages of each. */
struct halo_visitor {
    void (*visit)(void *context, double processes, const struct halo_counts *counts);
    void *context;
};
/* Call the visitor for every class of a grid whose nodes hold boxes, or blocks of c consecutive
 * ranks. */
void halo_visit_boxes(const struct halo_grid *grid, struct halo_visitor visitor);
void halo_visit_ranks(const struct halo_grid *grid, struct halo_visitor visitor);

/* Lines of ranks that halo_visit_ranks visits; callers bound them by HALO_MOST_LINES. */
int64_t halo_rank_lines(const struct fr_vector *process_grid);
enum { HALO_MOST_LINES = 2000000 };

/* Refined communication: messages cost what was measured while all processes communicate, in place
 * of max-rate and hops (docs/models/krylov.md#refined-communication). */

/* Whether contention_model=refined is selected and the calibration has the table. */
bool krylov_has_exchange_table(const struct krylov_values *v, const struct fr_calibration *cal);
bool krylov_has_burst_table(const struct krylov_values *v, const struct fr_calibration *cal);

/* Time of a swap with the rank at `distance`, while all processes swap, over the postal time of a
 * single off-node message. */
double krylov_exchange_ratio(const struct krylov_values *v, struct fr_evaluation *run, double bytes,
                             double distance);
/* Time of a message of an allreduce whose number of processes is no power of two, over the same.
 * Needs rows of contention.fold. */
double krylov_fold_ratio(const struct krylov_values *v, struct fr_evaluation *run, double bytes);
/* Time of a further message of a burst over the postal time of a single off-node message
 * (docs/models/krylov.md#measured-ratios). */
double krylov_burst_ratio(const struct krylov_values *v, struct fr_evaluation *run, double bytes);

/* The least ratio of the table, at most 1; 1 without the table.  Folds count with exchanges. */
double krylov_least_exchange_ratio(const struct krylov_values *v, struct fr_evaluation *run);
double krylov_least_burst_ratio(const struct krylov_values *v, struct fr_evaluation *run);

/* Seconds that contention adds to a message to the rank at `distance`, by the contention factors of
 * shifts. */
double krylov_contention_s(const struct krylov_values *v, struct fr_evaluation *run, double bytes,
                           double distance);

#endif
