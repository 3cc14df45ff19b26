/* One clock for each process column, and the broadcasts along the rows that couple them
 * (docs/models/block_cyclic.md#clocks). */
#ifndef FR_BLOCK_CYCLIC_CLOCKS_H
#define FR_BLOCK_CYCLIC_CLOCKS_H

#include "engine/block_cyclic/distribution.h"
#include "engine/block_cyclic/network.h"

enum cyclic_phase {
    CYCLIC_PANEL,
    CYCLIC_SOLVE_TRIANGLE,
    CYCLIC_UPDATE,
    CYCLIC_COPY,
    CYCLIC_SOLVE,
    CYCLIC_BROADCAST,
    CYCLIC_SWAP,
    CYCLIC_WAIT,
    CYCLIC_PHASES
};

/* The clock of a process column, and how its time divides among phases; the rest is waiting. */
struct cyclic_clock {
    double now_s;
    double in_s[CYCLIC_PHASES];
};
struct cyclic_clocks {
    const struct cyclic_network *net;
    int64_t columns;
    struct cyclic_clock *of;
    double (*edge)[CYCLIC_PHASES];  /* what spans spend, from each column on */
    double messages, message_bytes; /* of a process, on average */
    double steps;                   /* the work so far, in steps of the arena */
    /* A chain of what must follow each other, which moves with the panels from owner to owner: the
     * clock of column path_at is never below path_s. */
    double path_s;
    int64_t path_at;
    bool is_bound; /* only a lower bound is asked for: the clocks stand still */
    /* Of pdpotrf, when the owner of the next diagonal block is free, and a time that is no later
     * (docs/models/block_cyclic.md#lower-bound).  Of hpl, when the last panel was factored. */
    double lead_s, lead_path_s;
};
/* What the columns show on average. */
struct cyclic_means {
    double now_s, path_s, in_s[CYCLIC_PHASES], edge_s[CYCLIC_PHASES], messages, message_bytes;
};
/* The work of a panel or slice, of a hop and of a clock that is set on, in steps of the arena. */
#define CYCLIC_STEP_STEPS 60
#define CYCLIC_HOP_STEPS 0.3
#define CYCLIC_CLOCK_STEPS 0.1
/* All clocks at 0.  FR_OK, or FR_NOMEM after adding a fault. */
int cyclic_clocks_begin(struct cyclic_clocks *clocks, const struct cyclic_network *net);

static inline void cyclic_spend(struct cyclic_clock *clock, enum cyclic_phase phase, double time_s)
{
    clock->now_s += time_s;
    clock->in_s[phase] += time_s;
}
/* Waits until a time that may have passed. */
static inline void cyclic_until(struct cyclic_clock *clock, double time_s)
{
    clock->now_s = clock->now_s < time_s ? time_s : clock->now_s;
}
/* Column q alone spends; counts for the path and for the work of the column. */
void cyclic_spend_on(struct cyclic_clocks *clocks, int64_t q, enum cyclic_phase phase,
                     double time_s);
/* Each column of a span spends the same; counts likewise. */
void cyclic_spend_each(struct cyclic_clocks *clocks, const struct cyclic_span *span,
                       enum cyclic_phase phase, double time_s);
/* All columns spend the same; counts likewise. */
void cyclic_spend_all(struct cyclic_clocks *clocks, enum cyclic_phase phase, double time_s);
/* Adds `times` times a part that began at 0 and ended at one time in all columns. */
void cyclic_repeat(struct cyclic_clocks *clocks, const struct cyclic_clocks *part, double times);
/* The most that one column spent by these. */
double cyclic_clocks_work_s(const struct cyclic_clocks *clocks);
struct cyclic_means cyclic_clocks_means(const struct cyclic_clocks *clocks);
/* What happened since `settled` counts `weight` times instead of once, what did between `before`
 * and that not at all (docs/models/block_cyclic.md#stretches). */
void cyclic_clocks_stretch(struct cyclic_clocks *clocks, const struct cyclic_means *before,
                           const struct cyclic_means *settled, double weight);
/* The columns' clocks go on so many columns to the right; false: out of memory. */
bool cyclic_clocks_turn(struct cyclic_clocks *clocks, int64_t distance);
/* Adds to each clock what its spans spent and what it waited. */
void cyclic_clocks_end(struct cyclic_clocks *clocks);
/* The greatest clock. */
double cyclic_clocks_latest(const struct cyclic_clocks *clocks);
/* All columns wait until a time that may have passed. */
void cyclic_all_until(struct cyclic_clocks *clocks, double time_s);
/* All columns wait for the last one. */
void cyclic_meet(struct cyclic_clocks *clocks);
/* Column `to` waits for column `from`, and the path goes with it. */
static inline void cyclic_follow(struct cyclic_clocks *clocks, int64_t from, int64_t to)
{
    cyclic_until(&clocks->of[to], clocks->of[from].now_s);
    clocks->path_at = clocks->path_at == from ? to : clocks->path_at;
}
/* Counts messages of a process, fractional as a mean over processes. */
void cyclic_count(struct cyclic_clocks *clocks, double messages, double bytes);

/* A message that is ready in column `from` reaches column `to`, at the cost of both. */
void cyclic_pass(struct cyclic_clocks *clocks, int64_t from, int64_t to,
                 const struct cyclic_hop *hop);
/* Broadcasts from column `c` along the rows: from neighbour to neighbour, in two rings at once, or
 * along a binomial tree. */
void cyclic_ring(struct cyclic_clocks *clocks, int64_t c, double bytes);
void cyclic_split_ring(struct cyclic_clocks *clocks, int64_t c, double bytes);
void cyclic_row_tree(struct cyclic_clocks *clocks, int64_t c, double bytes);

#endif
