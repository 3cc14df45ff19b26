/* An algorithm, step by step over the blocks of a matrix. */
#ifndef FR_BLOCK_CYCLIC_WALK_H
#define FR_BLOCK_CYCLIC_WALK_H

#include "engine/block_cyclic/kernels.h"
#include "engine/block_cyclic/network.h"

/* One clock for each process column, and the broadcasts along the rows that couple them
 * (docs/models/block_cyclic.md#clocks). */

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

/* Broadcasts from column `c` along the rows: from neighbour to neighbour, in two rings at once, or
 * along a binomial tree. */
void cyclic_ring(struct cyclic_clocks *clocks, int64_t c, double bytes);
void cyclic_split_ring(struct cyclic_clocks *clocks, int64_t c, double bytes);
void cyclic_row_tree(struct cyclic_clocks *clocks, int64_t c, double bytes);

/* The state of one prediction of a block-cyclic program, and what its models share: kernels,
 * network, clocks, outputs (docs/models/block_cyclic.md). */

struct cyclic_walk {
    struct fr_evaluation *run;
    const struct cyclic_values *v;
    int64_t rows, columns, block; /* P, Q, nb of the walk, which may be a mirror image */
    struct cyclic_kernels kernels;
    struct cyclic_network net;
    struct cyclic_clocks clocks;
    int64_t followed;     /* steps so far */
    double weight;        /* how many the present one stands for; 0: it settles the clocks */
    double sure;          /* the share of a bound that is sure: sums over stretches are not exact */
    int64_t shrunk_width; /* of cyclic_shrinking_s */
    double shrunk_s;
};
/* The mirror image of a problem: rows and columns of matrices and grid are exchanged
 * (docs/models/block_cyclic.md#decision-mirror-images). */
struct cyclic_values cyclic_mirrored(const struct cyclic_values *v);
/* Begins the walk of resolved values; all are borrowed.  At each step the processes of a column
 * wait for each other, and `columns_meet` if those of all columns do.  FR_OK, or FR_NOMEM after
 * adding a fault. */
int cyclic_begin(struct cyclic_walk *walk, const struct cyclic_values *v, bool columns_meet,
                 struct fr_evaluation *run);

/* Matrix columns of the process columns from `first` on. */
static inline struct cyclic_range cyclic_columns_from(const struct cyclic_walk *walk, int64_t n,
                                                      int64_t first)
{
    return cyclic_range_of(n, walk->block, walk->columns, first);
}
/* The most matrix rows of a process from `first` on. */
static inline double cyclic_most_rows(const struct cyclic_walk *walk, int64_t n, int64_t first)
{
    return (double)cyclic_most_rows_from(n, walk->block, walk->rows, first);
}
/* Matrix columns of each process column from `first` on. */
static inline struct cyclic_spans cyclic_column_spans(const struct cyclic_walk *walk, int64_t n,
                                                      int64_t first)
{
    const struct cyclic_range range = cyclic_columns_from(walk, n, first);

    return cyclic_spans_of(&range, walk->columns);
}
/* Seconds of a collective on each of width - 1, width - 2, ... 1 numbers, always the same one. */
double cyclic_shrinking_s(struct cyclic_walk *walk,
                          double (*collective)(const struct cyclic_network *net, double bytes),
                          int64_t width);
/* Seconds of a copy of contiguous columns in `calls` calls, and of one that also transposes. */
double cyclic_packed_s(const struct cyclic_walk *walk, double m, double n, double calls);
double cyclic_turned_s(const struct cyclic_walk *walk, double m, double n, double calls);

/* Bytes that a process has of an m x n matrix. */
static inline double cyclic_matrix_bytes(const struct cyclic_walk *walk, int64_t m, int64_t n)
{
    return 8 * (double)m * (double)n / ((double)walk->rows * (double)walk->columns);
}
/* Words of an m x n matrix that is factored in place, and of a panel of rows and one of columns. */
double cyclic_factor_words(const struct cyclic_values *v, int64_t m, int64_t n);

/* The share of a sum over some of the steps of a sequence that is no more than the sum over all. */
#define CYCLIC_SURE 0.998
/* Sets the lower bounds of a walk whose models spend by cyclic_spend_on and cyclic_spend_each
 * (docs/models/block_cyclic.md#lower-bound). */
void cyclic_bound(struct cyclic_walk *walk);
/* Follows a sequence in stretches.  False if a step returned false, if the time is sure to exceed
 * the limit of the question, when it becomes infinite, or with a fault if the work of the request
 * is used up or nobody waits for its answer. */
bool cyclic_follow_steps(struct cyclic_walk *walk, const struct cyclic_sequence *sequence,
                         bool (*step)(void *context, int64_t number), void *context);
/* The same for the panels of the matrix. */
bool cyclic_follow_panels(struct cyclic_walk *walk, bool (*step)(void *context, int64_t number),
                          void *context);
/* Charges the request with the work of the walk so far; false: it must end. */
bool cyclic_charge(struct cyclic_walk *walk);
/* The same with a fault, after enough work since the last time. */
bool cyclic_goes_on(struct cyclic_walk *walk);
extern const struct fr_output cyclic_outputs[];
/* Sets the memory of a process that holds so many numbers, and its limit. */
void cyclic_memory(const struct cyclic_values *v, double words, const struct fr_calibration *cal,
                   struct fr_prediction *out);
/* Writes phases and outputs of a finished walk; `v` are the values asked for, not the mirror image,
 * and `memory_words` the matrix elements of a process. */
void cyclic_finish(struct cyclic_walk *walk, const struct cyclic_values *v, double flops,
                   double memory_words);

/* The functions of a model whose rules have a course.  The bound is that of a prediction, by the
 * walk without its clocks; the same bytes of values give the same bound. */
double cyclic_bound_s(const void *values, struct fr_evaluation *run);
void cyclic_predict(const void *values, struct fr_evaluation *run);
void cyclic_course_memory(const void *values, struct fr_evaluation *run);
#define CYCLIC_COURSE                                                               \
    .bound_s = cyclic_bound_s, .bound_bytes = offsetof(struct cyclic_values, work), \
    .predict = cyclic_predict, .memory = cyclic_course_memory
/* What the programs of ScaLAPACK read beside HPL. */
#define CYCLIC_BLACS (FR_USE(BROADCAST) | FR_USE(BLACS_MESSAGE))
/* The common members of the descriptors of these models.  S is the struct of the values; the file
 * defines `params` and `resolve`.  `squares` are the FR_USE bits of rates that
 * replace costs of calls, `more` those of further parts that it reads. */
#define CYCLIC_MODEL(S, squares, more)                                                            \
    .family = "block_cyclic",                                                                     \
    .reads = { .required = FR_USE(NODE_CORES) | FR_USE(PROTOCOLS),                                \
               .either = { { .preferred = FR_USE(CALLS), .instead = squares },                    \
                           { .preferred = FR_USE(STREAMS), .instead = FR_USE(CORE_BANDWIDTH) } }, \
               .older = FR_USE(ROUTINE_MODELS) | FR_USE(ROW_ELEMENT),                             \
               .helpful = FR_USE(NODE_PEAK) | FR_USE(NODE_MEMORY) | FR_USE(NODE_BANDWIDTH) |      \
                          FR_USE(BUSY_NODE) | FR_USE(VARIABILITY) | FR_USE(CONTENTION_AVERAGE) |  \
                          FR_USE(LATENCY_BY_DISTANCE) | FR_USE(CALL_TIME) | FR_USE(LINE_BYTES) |  \
                          FR_USE(ROW_SWAPS) | (more),                                             \
               .has_kernels = cyclic_has_kernels },                                               \
    .groups = FR_CAL_NODE | FR_CAL_NETWORK | FR_CAL_KERNELS | FR_CAL_MEMORY, .cost = FR_LONG,     \
    .values_size = sizeof(S), .params = params, .outputs = cyclic_outputs,                        \
    .grows_with = cyclic_grows_with, .resolve = resolve, .node_counts = cyclic_node_counts,       \
    .set_nodes = cyclic_set_nodes

/* Slices of an operand on their way to the processes that multiply them
 * (docs/models/block_cyclic.md#slices-that-are-turned). */

/* What a slice costs each column with the same number of columns. */
struct cyclic_slice {
    double broadcast_s, copy_s, update_s;
};

/* Every column of a span with columns of a matrix spends the cost of the span on a slice of
 * `width`, of which each process sends a share. */
void cyclic_spend_slice(struct cyclic_walk *walk, const struct cyclic_spans *spans,
                        const struct cyclic_slice *costs, double width);
void cyclic_send_along_rows(struct cyclic_walk *walk, bool is_ring, int64_t c, double bytes);

/* A slice that lies along a process row, and is needed along a process column, or the other way
 * (PB_Cpaxpby.c; docs/models/block_cyclic.md#slices-that-are-turned). */
struct cyclic_turn {
    double received, sent; /* messages of a process that needs, and that has, a part */
    double hop_s, bytes;   /* of a message */
    double receive_s;      /* of all that a process needs */
    double copy_s, pack_s; /* of the process that needs, and that has, a part */
};
/* The slice of `length` and `width` lies along the rows, or the columns; a process needs the part
 * `share` of its length. */
struct cyclic_turn cyclic_turn_of(const struct cyclic_walk *walk, enum cyclic_scope lies,
                                  double length, double share, double width);
/* Seconds of a turn if nothing else goes on; messages travel while others are packed or unpacked.
 */
double cyclic_turned_all_s(const struct cyclic_turn *turn);
/* The processes of each row combine a vector; all wait for the last. */
void cyclic_combine_rows(struct cyclic_walk *walk, double bytes);

/* A slice of `length`, which lies along the process row of its owner, turned and sent along the
 * rows; a process needs `rows` of it. */
void cyclic_send_turned(struct cyclic_walk *walk, bool is_ring, const struct cyclic_owner *owner,
                        double length, double rows, double width);

/* The triangular solves of the PBLAS (docs/models/block_cyclic.md#pdtrsm).
 *
 * `order` is that of A, `sides` the number of right-hand sides.  Each solve returns whether it came
 * to its end within the limit of the question.
 */

/* A and B move; X A = B with A of order n (PB_CptrsmAB.c).  A transposed A is turned slice by
 * slice. */
bool cyclic_solve_moving_both(struct cyclic_walk *walk, bool is_transposed);
/* The same of a transposed A that is not turned: what was solved is combined along the rows.
 * `is_mirrored`: slices of B are rows in memory. */
bool cyclic_solve_combining(struct cyclic_walk *walk, bool is_mirrored);
/* B alone moves (PB_CptrsmB.c, PB_Cptrsm.c): the right-hand sides of process column q, or, if they
 * are turned, of process row q, one slice after the other. */
bool cyclic_solve_moving_b(struct cyclic_walk *walk, int64_t order, int64_t sides, bool is_turned,
                           bool is_mirrored);
/* Its clock updates. */
double cyclic_solve_moving_b_work(const struct cyclic_values *v, int64_t order);

/* The parallel products of the PBLAS, by the operand that stays in its place
 * (docs/models/block_cyclic.md#pdgemm).
 *
 * Each returns whether it came to its end within the limit of the question.
 */

/* C stays: slices of A travel along the rows, slices of B down the columns (PB_CpgemmAB.c). */
bool cyclic_multiply_c_stays(struct cyclic_walk *walk);
/* Whether that is one slice: no operand spans several process rows or columns with its k. */
bool cyclic_is_one_slice(const struct cyclic_values *v);
/* Its slices. */
struct cyclic_sequence cyclic_product_slices(const struct cyclic_values *v);
/* B, as it is, stays: slices of A travel, rows of C are combined (PB_CpgemmAC.c).  An A that is not
 * transposed stays in the mirror image (PB_CpgemmBC.c). */
bool cyclic_multiply_b_stays(struct cyclic_walk *walk);
/* A, transposed, stays: slices of B travel, columns of C are combined (PB_CpgemmBC.c).  A
 * transposed B stays in the mirror image (PB_CpgemmAC.c). */
bool cyclic_multiply_transposed_a_stays(struct cyclic_walk *walk);

/* The Cholesky factorization of ScaLAPACK, lower triangle (docs/models/block_cyclic.md#pdpotrf):
 * what its panels, the transposition and the update share. */

enum { CHOLESKY_KNOWN_UPDATES = 64 };

/* One step: panel kappa, and what is below it. */
struct cholesky {
    struct cyclic_walk *walk;
    double packing_s; /* how much longer the others of its column pack than it waits for parts */
    int64_t first, width, below;
    int64_t row, column, next_row, next_column; /* r, c, r', c' */
    int64_t divisor;                            /* the greatest common one of P and Q */
    int64_t blocks;                             /* rows of blocks below */
    bool is_forced;
    bool has_few_blocks;       /* of the whole matrix */
    struct cyclic_range right; /* matrix columns right of the panel */
    struct cyclic_spans spans; /* process columns by these */
    int64_t known_width;       /* of known_diagonal_s; 0: unused */
    double known_diagonal_s;
    struct cholesky_known_update {
        int64_t wide, high, offset, columns;
        double diagonals, time_s;
    } known[CHOLESKY_KNOWN_UPDATES]; /* of this panel; wide 0: unused */
};

/* The owner of the next diagonal block is free so long after its column. */
static inline void cholesky_lead_after(struct cholesky *f, double after_s)
{
    struct cyclic_clocks *clocks = &f->walk->clocks;

    clocks->lead_s = clocks->of[f->next_column].now_s + after_s;
    clocks->lead_path_s = clocks->path_s + after_s;
}

/* Latencies by distance are those of single messages, so that columns are not taken to be in step
 * (docs/models/block_cyclic.md#decision-columns-in-step). */
static inline bool cholesky_is_out_of_step(const struct cholesky *f)
{
    return f->walk->net.latencies != NULL;
}

/* A hop down a column while the other columns send nothing. */
static inline double cholesky_alone_s(const struct cholesky *f, int64_t from, double bytes)
{
    const struct cyclic_network *net = &f->walk->net;
    const int64_t next = (from + 1) % f->walk->rows;

    return cholesky_is_out_of_step(f)
               ? cyclic_lone_hop(net, CYCLIC_ALONG_COLUMNS, from, next, bytes).time_s
               : cyclic_column_s(net, from, next, bytes);
}

/* Blocks at the places first, first + step, ... below `count`. */
int64_t cyclic_places(int64_t first, int64_t step, int64_t count);
/* Common divisors of P and Q by which the first block of a process is right of the diagonal; the
 * process is `a` rows and `b` columns from the owner of the first trailing block. */
int64_t cyclic_triangle_offset(const struct cholesky *f, int64_t a, int64_t b);
/* Seconds of the update of that process, which has `columns`. */
double cyclic_triangle_s(struct cholesky *f, int64_t a, int64_t b, int64_t columns);
/* Turns the panel and updates what is below it, on several process columns. */
void cyclic_update_triangle(struct cholesky *f);

#endif
