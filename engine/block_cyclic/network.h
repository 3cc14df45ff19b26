/* Messages of rows and columns of a process grid. */
#ifndef FR_BLOCK_CYCLIC_NETWORK_H
#define FR_BLOCK_CYCLIC_NETWORK_H

#include "engine/block_cyclic/values.h"
#include "engine/lookup/lookup.h"

/* Messages between the processes of a grid (docs/models/block_cyclic.md#messages). */

/* A hop leads along the rows of the grid, from process column to process column, or along the
 * columns; every row, or every column, makes it at once. */
enum cyclic_scope { CYCLIC_ALONG_ROWS, CYCLIC_ALONG_COLUMNS };

/* What the cost of hops depends on besides the bytes: hops over as many lines from the same place
 * on a node have one route. */
struct cyclic_route {
    int32_t start, lines;
    unsigned char scope;
    bool is_off;                   /* some message leaves its node */
    double contention;             /* C, on the node or off it; 0: unused */
    double crowd;                  /* C off the node if all lines send at the same time */
    double staying;                /* the most messages that stay on their node */
    struct fr_latency_place place; /* of the distance, if the calibration has latencies by it */
};
/* The most slots of tables, which a small grid does not need: each prediction clears its own. */
enum { CYCLIC_ROUTE_BITS = 13, CYCLIC_MEMBER_BITS = 12, CYCLIC_SENDERS = 1024, CYCLIC_HOPS = 1024 };
/* Messages of equal bytes one after the other.  In one protocol their time is linear in the bytes.
 */
struct cyclic_sum {
    double latency_s, s_per_byte;
    int64_t from;
    bool is_known;
};
/* What a message costs, and how long its sender is busy that does not wait. */
struct cyclic_price {
    double latency_s, s_per_byte, busy_s;
};
static inline double cyclic_price_s(const struct cyclic_price *price, double bytes)
{
    return price->latency_s + price->s_per_byte * bytes;
}
/* The prices of one protocol between neighbours (lanes.c). */
struct cyclic_lanes {
    bool sender_waits, has_rows, has_columns;    /* what is known */
    struct cyclic_price *from_left, *from_right; /* into each process column from beside it */
    struct cyclic_price least;                   /* the least of each price in both */
    struct cyclic_price *down; /* from row 0 to each row around the ring of a column, added up */
};
/* The step of a collective among the processes of a line: each sends to the one `step` further
 * around it; exchanges with the one whose number differs by that bit, all it has or, as in HPL's
 * binary exchange, what it has got so far; or every second one of those with multiples of `step`
 * sends to the one `step` further, as in MPICH's trees. */
enum cyclic_step {
    CYCLIC_SHIFT,
    CYCLIC_EXCHANGE,
    CYCLIC_GROWING_EXCHANGE,
    CYCLIC_TREE,
    CYCLIC_STEPS,
};
/* A collective that halves a vector in every step. */
enum { CYCLIC_HALVING_BITS = 8 };
struct cyclic_halving {
    enum cyclic_step kind;
    double bytes, time_s; /* bytes 0: unused */
};
/* The messages of a matrix column in a panel. */
enum { CYCLIC_MEMBER_ROWS = 8 }; /* process rows and pivots that stand for all */
struct cyclic_column_cost {
    bool is_known;
    int64_t row;
    double first_bytes, last_bytes, time_s;
};
/* The price of a message from a process row at this place of its node to one so many further. */
struct cyclic_member_price {
    int32_t place, rows;
    const struct fr_protocol *protocol; /* NULL: unused */
    struct cyclic_price price;
};
/* The time of a message, and how its sender fares. */
struct cyclic_hop {
    double time_s;
    double busy_s;     /* of the sender, unless it waits */
    bool sender_waits; /* until the receiver has the message */
};
/* What the messages of such a step share on a node: those that stay on it, and those that leave it,
 * the most of one line and of one process of each line; of_line 0: there is none. */
struct cyclic_sharing {
    double of_line, of_lines;
};
struct cyclic_crowd {
    bool is_known;
    struct cyclic_sharing within, off;
};
enum { CYCLIC_DOUBLINGS = 24 };
struct cyclic_network {
    struct fr_evaluation *run;
    int64_t rows, columns; /* P, Q */
    int64_t per_node;
    int64_t period[2]; /* by scope: after so many senders those of a node repeat, and so do places
                        * on nodes along a line of the other scope */
    bool is_row_major, has_contention;
    double node_s_per_byte;      /* of the network interface */
    double on_node_s_per_byte;   /* of the memory of a node; 0: it slows no message */
    double beside_s_per_byte[2]; /* on the node and off it, while the others multiply; 0: as ever */
    double blacs_s;              /* that a message of the BLACS takes longer; 0 of other programs */
    const struct fr_latencies *latencies; /* by distance; NULL: a protocol has one */
    int route_bits, member_bits;          /* of the slots of `route` and `member_price` */
    int64_t senders;                      /* slots of `to_others` */
    struct cyclic_route *route;           /* the last of each slot */
    double *factor[2];                    /* by scope and distance of lines; 0: unknown */
    struct cyclic_lanes *lanes;           /* by protocol */
    struct cyclic_halving *halving;       /* the last of each slot */
    struct cyclic_crowd (
        *crowd)[CYCLIC_STEPS][CYCLIC_DOUBLINGS]; /* by scope, and log2 of the step */
    struct cyclic_sum *tree;              /* by protocol: from row 0 to the rows 1, 2, 4, ... */
    struct cyclic_sum *to_others;         /* by protocol and slot of a row: to each other row */
    double transposed, transposed_factor; /* most senders of a node, C_avg; factor 0: unknown */
    double *transposed_s;                 /* by protocol: the latency; 0: unknown */
    double *ring_s[2];                    /* by scope and protocol: the latency; 0: unknown */
    struct cyclic_price *turning;         /* by log2 of the step and protocol; busy_s 0: unknown */
    size_t protocols;
    double *member_s; /* of members.c: the clocks of the processes of a column */
    struct cyclic_column_cost *column_cost;
    struct cyclic_member_price *member_price; /* the last of each slot */
    struct cyclic_hop *hop;                   /* the first messages of a column, `hops` known */
    int64_t hops, next_hop;
};
/* Borrows the evaluation.  FR_OK, or FR_NOMEM after adding a fault. */
int cyclic_network_begin(struct cyclic_network *net, const struct cyclic_values *v,
                         struct fr_evaluation *run);

static inline struct cyclic_hop cyclic_hop_at(const struct cyclic_price *price,
                                              const struct fr_protocol *protocol, double bytes)
{
    return (struct cyclic_hop){ cyclic_price_s(price, bytes), price->busy_s,
                                protocol->pipelined != 1 };
}
struct cyclic_hop cyclic_hop_of(const struct cyclic_network *net, enum cyclic_scope scope,
                                int64_t from, int64_t to, double bytes);
/* The price of a hop in a protocol, and the protocol of a message. */
struct cyclic_price cyclic_price_of(const struct cyclic_network *net,
                                    const struct fr_protocol *protocol, enum cyclic_scope scope,
                                    int64_t from, int64_t to);
const struct fr_protocol *cyclic_protocol_of(const struct cyclic_network *net, double bytes);
/* No less than any message takes for each byte. */
double cyclic_least_s_per_byte(const struct cyclic_network *net);
/* Allocates the lanes of all protocols.  FR_OK, or FR_NOMEM without a fault. */
int cyclic_lanes_begin(struct cyclic_network *net);
/* Allocates the clocks of members, if they are followed (members.c).  Likewise. */
int cyclic_members_begin(struct cyclic_network *net);
/* The prices between neighbours of messages of so many bytes. */
const struct cyclic_lanes *cyclic_lanes_of(const struct cyclic_network *net, double bytes);
/* Seconds of `hops` messages, one after the other, from row to row down the ring of a column. */
double cyclic_down_s(const struct cyclic_network *net, int64_t from, int64_t hops, double bytes);
/* The price of a message from process row to process row in one column alone. */
struct cyclic_price cyclic_member_price_of(const struct cyclic_network *net,
                                           const struct fr_protocol *protocol, int64_t from,
                                           int64_t to);
size_t cyclic_protocol_index(const struct cyclic_network *net, double bytes);
/* Seconds of a hop along the rows and along the columns. */
double cyclic_row_s(const struct cyclic_network *net, int64_t from, int64_t to, double bytes);
double cyclic_column_s(const struct cyclic_network *net, int64_t from, int64_t to, double bytes);
/* A hop along so many columns, each of which begins it `lag_s` after the one before it
 * (docs/models/block_cyclic.md#decision-columns-that-lag). */
double cyclic_lagging_column_s(const struct cyclic_network *net, int64_t from, int64_t to,
                               int64_t columns, double lag_s, double bytes);
/* A hop of one column between process rows `step` apart around it, the mean over all of them. */
double cyclic_turning_s(const struct cyclic_network *net, int64_t step, double bytes);
/* Every process sends to the next of its row or column, around the ring, or exchanges with the one
 * whose number differs by the bit `step`.  `share` of the time the other rows or columns do, too.
 */
double cyclic_roll_s(const struct cyclic_network *net, enum cyclic_scope scope, double share,
                     double bytes);
double cyclic_pairwise_s(const struct cyclic_network *net, enum cyclic_scope scope, int64_t step,
                         double share, double bytes);
/* A step of a collective along all lines of the scope. */
double cyclic_step_s(const struct cyclic_network *net, enum cyclic_scope scope,
                     enum cyclic_step kind, int64_t step, double bytes);
/* Seconds per byte for which the memory and the interface of a node are busy when each of its
 * processes sends a message around the ring of its row or column. */
struct cyclic_busy {
    double memory_s_per_byte, interface_s_per_byte;
};
struct cyclic_busy cyclic_busy_of(const struct cyclic_network *net, enum cyclic_scope scope);
/* That share, of hops that follow each other along all lines of the scope. */
double cyclic_share_in_step(const struct cyclic_network *net, enum cyclic_scope scope);
/* The same of hops that leave their node, or stay on it: lines are a hop out of step, and meet on a
 * node in all hops but one (docs/models/block_cyclic.md#decision-contention-of-lines). */
double cyclic_share_of(const struct cyclic_network *net, enum cyclic_scope scope, bool is_off);
/* A hop of one process of a line, while the other lines send nothing. */
struct cyclic_hop cyclic_lone_hop(const struct cyclic_network *net, enum cyclic_scope scope,
                                  int64_t from, int64_t to, double bytes);
/* A hop that all rows make at the same time, unlike those of a ring, which get out of step. */
double cyclic_crowded_row_s(const struct cyclic_network *net, int64_t from, int64_t to,
                            double bytes);
/* A message of each process of one row, or column, to those of a column, or row. */
double cyclic_across_s(const struct cyclic_network *net, enum cyclic_scope senders, double bytes);
/* C_avg at a distance of ranks (docs/models/block_cyclic.md#decision-contention-of-lines). */
double cyclic_factor(const struct cyclic_network *net, double distance);

/* Collectives of the processes of a column; 0 for one process
 * (docs/models/block_cyclic.md#collectives-of-a-process-column). */
int cyclic_doublings(int64_t members);            /* ceil(log2 members) */
extern const double cyclic_short_reduction_bytes; /* up to this size along a tree (MPICH) */
bool cyclic_is_tree(const struct cyclic_network *net, double bytes); /* of a broadcast */
double cyclic_tree_s(const struct cyclic_network *net, double bytes);
double cyclic_broadcast_s(const struct cyclic_network *net, double bytes);
double cyclic_reduce_s(const struct cyclic_network *net, double bytes);
/* The same reduction among the processes of a row. */
double cyclic_row_reduce_s(const struct cyclic_network *net, double bytes);
/* pdamax and pdnrm2: a binomial tree of 16 bytes, and the result to all. */
double cyclic_combine_s(const struct cyclic_network *net);
/* A row exchanged with a random row of the column that process row `row` belongs to. */
double cyclic_random_row_s(const struct cyclic_network *net, int64_t row, double bytes);
/* On a square grid, processes (i, j) and (j, i) exchange messages. */
double cyclic_transpose_s(struct cyclic_network *net, double bytes);

/* The processes of one column, each with a clock of its own, for the short messages of a panel
 * (docs/models/block_cyclic.md#decision-members-of-a-column). */

/* Whether the members are followed: latencies by distance are known, and broadcasts of a panel of
 * so many columns travel along trees. */
bool cyclic_follows_members(const struct cyclic_network *net, int64_t width);
/* Seconds of the messages of a panel of `width` columns that begins in process row `row`. */
/* pdgetf2: of each column the pivot is found, its row exchanged and what is right of it sent. */
double cyclic_pivots_s(struct cyclic_network *net, int64_t row, int64_t width);
/* pdgeqr2: of each column the diagonal element is sent, the norm found, and the products with the
 * columns to its right added up. */
double cyclic_reflectors_s(struct cyclic_network *net, int64_t row, int64_t width);

/* HPL_pdmxswp: the search for the pivot of one of `width` columns, and the exchange of its row; the
 * mean over process rows. */
double cyclic_exchange_s(struct cyclic_network *net, double width);

/* The routes of hops, and what a message over one costs: what the parts of network.h share. */

/* The processes of a row or column of the scope, and the rows or columns that make a hop at once.
 */
static inline int64_t cyclic_members_of(const struct cyclic_network *net, enum cyclic_scope scope)
{
    return scope == CYCLIC_ALONG_ROWS ? net->columns : net->rows;
}
static inline int64_t cyclic_lines_of(const struct cyclic_network *net, enum cyclic_scope scope)
{
    return scope == CYCLIC_ALONG_ROWS ? net->rows : net->columns;
}
/* The route of a hop, from its slot or into it. */
const struct cyclic_route *cyclic_route_of(const struct cyclic_network *net,
                                           enum cyclic_scope scope, int64_t from, int64_t to);
/* What the messages of such a step share. */
const struct cyclic_crowd *cyclic_crowd_of(const struct cyclic_network *net,
                                           enum cyclic_scope scope, enum cyclic_step kind,
                                           int64_t step);
/* Ranks between the two ends of a hop. */
int64_t cyclic_shift_of(const struct cyclic_network *net, enum cyclic_scope scope, int64_t from,
                        int64_t to);
/* Where the distance between ranks lies among the measured distances of nodes.  Of two ranks on
 * different nodes these are at least one node apart. */
struct fr_latency_place cyclic_place_of(const struct cyclic_network *net, int64_t ranks);

/* The latency of the slowest of so many pairs of nodes at a distance
 * (docs/models/block_cyclic.md#decision-the-slowest-pair). */
double cyclic_distant_s(const struct cyclic_network *net, const struct fr_protocol *protocol,
                        struct fr_latency_place place, double pairs);
/* What messages meet on their node: how many share its interface, or if they stay on it the memory,
 * and the share of its cores that compute meanwhile. */
struct cyclic_load {
    double contention, computing;
};
/* Of a hop that leads from one process of each line, while the others compute. */
static inline struct cyclic_load cyclic_load_of(const struct cyclic_route *route)
{
    return (struct cyclic_load){ route->contention, 1 };
}
/* What a link charges for a message, and for each of its bytes.  `distant_s` is the latency between
 * nodes. */
struct cyclic_price cyclic_link_price(const struct cyclic_network *net,
                                      const struct fr_protocol *protocol, bool is_off,
                                      struct cyclic_load load, double distant_s);
struct cyclic_hop cyclic_message(const struct cyclic_network *net,
                                 const struct fr_protocol *protocol, double bytes, bool is_off,
                                 struct cyclic_load load, double distant_s);

#endif
