/* The clocks of processes: their messages, memory and schedule, and the order of all work. */
#ifndef FR_SPARSE_CLOCKS_H
#define FR_SPARSE_CLOCKS_H

#include "engine/sparse/counts/work_counts.h"
#include "engine/sparse/rates/rates.h"
#include "engine/sparse/structure/structure.h"

/* ---- messages -------------------------------------------------------------------------- */

/* The panels that one step sends over a grid, and the time of a message
 * (docs/models/sparse_lu.md#messages). */

/* Seconds of a message: a + m / B(m), or m / B(m) if B includes the latency; 0 for no bytes.  B is
 * linear in log10 m between its points and constant outside them
 * (docs/models/sparse_lu.md#interpolation-of-the-bandwidth). */
double sparse_message_s(const struct sparse_network *network, double bytes);

/* How long a message takes, and how long its sender is busy with its bytes: m / B(m). */
struct sparse_sending {
    double time_s, port_s;
};
struct sparse_sending sparse_sending_of(const struct sparse_network *network, double bytes);
/* Of a panel, in one message or two. */
struct sparse_sending sparse_panel_sending(const struct sparse_network *network, double index_bytes,
                                           double value_bytes);

/* The blocks of L(:,k) in one process row, or of U(k,:) in one process column, as a message. */
struct sparse_panel {
    bool is_there; /* has any block, of L the diagonal one included */
    bool is_off;   /* has a block off the diagonal, so that its process needs the other panel */
    double index_bytes, value_bytes;
};

/* Fills in L(:,k) for each of Pr process rows and U(k,:) for each of Pc process columns.
 * O(Pr + Pc + blocks). */
void sparse_panels(const struct sparse_structure *s, struct sparse_grid grid, int64_t index_bytes,
                   int32_t k, struct sparse_panel *l, struct sparse_panel *u);
/* Seconds to send a panel to one receiver. */
double sparse_panel_s(const struct sparse_network *network, const struct sparse_panel *panel);
/* Bytes of the larger of its messages. */
double sparse_panel_message_bytes(const struct sparse_network *network,
                                  const struct sparse_panel *panel);

/* ---- memory ---------------------------------------------------------------------------- */

/* The memory of a process (docs/models/sparse_lu.md#memory-of-a-process). */

/* The library's limit on the columns of a supernode where none is set. */
enum { SPARSE_SUPERNODE_MAX = 256 };

/* Bytes of the process of any layer that needs most, the first of equals. */
struct sparse_memory {
    double factors;  /* its panels of L and U, with their indices */
    double window;   /* panels that it may receive ahead */
    double product;  /* of all blocks of a step, and one operand */
    double gathered; /* the other operand, and the blocks within the window */
};
double sparse_memory_bytes(const struct sparse_memory *memory);

/* `lookahead` is the window w; forests NULL: one layer.  FR_OK, or FR_NOMEM without a fault.
 * O(blocks + N (Pr + Pc) + P log layers). */
int sparse_memory_find(const struct sparse_structure *s, struct sparse_grid grid,
                       const struct sparse_forests *forests, int64_t index_bytes, int32_t lookahead,
                       struct sparse_memory *out);

/* ---- schedule -------------------------------------------------------------------------- */

/* The order in which supernodes are taken (docs/models/sparse_lu.md#schedule). */

struct sparse_schedule {
    int32_t count;     /* N */
    int32_t *order;    /* N: the supernode at each position */
    int32_t *position; /* N: its inverse */
    int32_t *last;     /* N: the position after which a column changes no more; -1: it never does */
    /* Forests one after the other: that of number f from first[f] to first[f + 1] - 1.  They do not
     * see each other: `last` is of the own forest. */
    const struct sparse_forests *forests; /* borrowed; NULL: all supernodes are one forest */
    int32_t *first;
};

/* All supernodes, by levels of their dependences (`is_static`) or in their natural order, and then
 * by forests, if there are any.  FR_OK, or FR_NOMEM without a fault.  Free with
 * sparse_schedule_free.  O(blocks). */
int sparse_schedule_init(struct sparse_schedule *schedule, const struct sparse_structure *s,
                         bool is_static, const struct sparse_forests *forests);
/* Accepts a zeroed struct. */
void sparse_schedule_free(struct sparse_schedule *schedule);

/* The last position within the window of k, the next `window` positions of its forest. */
int32_t sparse_window_end(const struct sparse_schedule *schedule, int32_t k, int32_t window);

/* The block columns j of U(k,j) whose positions are within the window of k: those of k are j[at[k]]
 * to j[at[k + 1] - 1], by position. */
struct sparse_ahead {
    int64_t *at; /* N + 1 */
    int32_t *j;
};
/* As sparse_schedule_init and sparse_schedule_free. */
int sparse_ahead_init(struct sparse_ahead *ahead, const struct sparse_structure *s,
                      const struct sparse_schedule *schedule, int32_t window);
void sparse_ahead_free(struct sparse_ahead *ahead);

/* ---- shares ---------------------------------------------------------------------------- */

/* How each column of L and each row of U is divided over a grid. */

/* The blocks of L(:,k) in one process row, or of U(k,:) in one process column. */
struct sparse_share {
    int32_t place;  /* the process row or column */
    int32_t blocks; /* off the diagonal */
    int32_t size;   /* their rows, or their column segments */
    double index_bytes, value_bytes;
};

/* Shares of k are l[l_at[k]] to l[l_at[k + 1] - 1], by ascending place; of L also that of the
 * diagonal block alone, which has no other blocks. */
struct sparse_shares {
    const struct sparse_structure *s;
    struct sparse_grid grid;
    int64_t *l_at, *u_at;
    struct sparse_share *l, *u;
};

/* FR_OK, or FR_NOMEM without a fault.  Free with sparse_shares_free, which accepts a zeroed struct.
 * O(blocks + N (Pr + Pc)). */
int sparse_shares_init(struct sparse_shares *shares, const struct sparse_structure *s,
                       struct sparse_grid grid, int64_t index_bytes);
void sparse_shares_free(struct sparse_shares *shares);

/* Local blocks of U(k,:) in this process column; of L(:,k) in this process row, with the diagonal
 * block if it is there. */
int32_t sparse_u_blocks(const struct sparse_shares *shares, int32_t k, int32_t column);
int32_t sparse_l_blocks(const struct sparse_shares *shares, int32_t k, int32_t row);

/* ---- window work ----------------------------------------------------------------------- */

/* The work of each process under a look-ahead window, in amounts of six constants
 * (docs/models/sparse_lu.md#work-with-a-window).
 *
 * Amounts depend on structure, grid, window, schedule and rate tables; not on constants, network or
 * clocks, which can change without a new pass over the structure.
 */

enum { SPARSE_MAX_LOOKAHEAD = 49 }; /* the library's limit */

/* An update by one process, of one block column within the window or of all others. */
struct sparse_update {
    double gemm_s;   /* from the rate tables */
    double elements; /* copied and scattered */
    double blocks;   /* destinations, each with its share of the search for it */
    double columns;  /* pairs of a row block and a column of its destination */
    double supernodes;
};

/* Updates of k begin at update[update_at[k]]: first those of each block column within the window,
 * in the order of `ahead`, by the shares of L with rows; then those of each share of U, likewise,
 * with the block columns beyond the window. */
struct sparse_window_work {
    const struct sparse_shares *shares; /* borrowed, like the schedule */
    const struct sparse_schedule *schedule;
    int32_t window;     /* look-ahead panels w */
    double *diagonal_s; /* N: the dgers of the diagonal block */
    double *column_s;   /* by share of L: the dtrsm of its owner */
    double *solve_s;    /* by share of U: the dtrsvs of its owner */
    struct sparse_ahead ahead;
    size_t *update_at; /* N + 1 */
    struct sparse_update *update;
    struct sparse_sums sums; /* over all processes */
    double updates, updates_ahead;
};

/* The work of all supernodes; `tables` record look-ups outside their
 * sizes.  FR_OK, or FR_NOMEM without a fault.  Free with sparse_window_work_free, which accepts a
 * zeroed struct. */
int sparse_window_work_init(struct sparse_window_work *work, const struct sparse_shares *shares,
                            const struct sparse_schedule *schedule, int32_t window,
                            struct sparse_tables *tables);
void sparse_window_work_free(struct sparse_window_work *work);

/* ---- window sums ----------------------------------------------------------------------- */

/* The amounts of a factorization on one process with a look-ahead window: equations of the fit, and
 * the sequential time. */

/* `tables` record look-ups outside their sizes.  FR_OK, or FR_NOMEM without a fault. */
int sparse_window_sums(const struct sparse_structure *s, const struct sparse_schedule *schedule,
                       int32_t window, struct sparse_tables *tables, struct sparse_sums *out);

/* ---- critical path --------------------------------------------------------------------- */

/* The longest chain of panels that depend on each other
 * (docs/models/sparse_lu.md#lower-bounds).
 *
 * Supernode k is factored, L(:,k) is sent, U(k,j) is solved and sent, and then block (j,j) can be
 * updated and supernode j factored, if L(j,k) and U(k,j) both exist; of several forests, if that of
 * j is the forest of k or above it.
 */

struct sparse_critical_path {
    const struct sparse_forests *forests; /* borrowed; NULL: one */
    double *end_s;                        /* N: when k can be factored, then when it is */
    double *solved_s;   /* Pc: from the factored diagonal block to the solved U(k,:) */
    double *received_s; /* Pc: from there to the other process rows */
    double longest_s;
};

/* FR_OK, or FR_NOMEM.  Free with sparse_critical_path_free, which accepts a zeroed struct. */
int sparse_critical_path_init(struct sparse_critical_path *path, const struct sparse_structure *s,
                              struct sparse_grid grid, const struct sparse_forests *forests);
void sparse_critical_path_free(struct sparse_critical_path *path);
/* The owner of diagonal block k factors it; k ascends from call to call. */
void sparse_critical_path_factor(struct sparse_critical_path *path, int32_t k, double factor_s);
/* Row k is solved: solved_s and received_s have been set.  O(blocks of k). */
void sparse_critical_path_solve(struct sparse_critical_path *path, const struct sparse_structure *s,
                                struct sparse_grid grid, int32_t k);

/* ---- clocks ---------------------------------------------------------------------------- */

/* The clocks of all processes during the factorization (docs/models/sparse_lu.md#clocks), and the
 * analytic time (docs/models/sparse_lu.md#analytic-time). */

struct sparse_times {
    double time_s;
    double computation_s, communication_s; /* of the critical path; their sum is time_s */
    int64_t rank_last;                     /* the process that ends last; on a tie the first */
    double load_balance;                   /* LB = critical_load_s P / load_s */
    double critical_load_s;                /* L_CP: sum over the steps of the largest load */
    double load_s;                         /* sum over all processes */
    double messages, message_bytes, largest_message_bytes;
    double reduced_bytes; /* of message_bytes: panels that layers add to each other's */
    /* Lower bounds (docs/models/sparse_lu.md#lower-bounds): the largest load and the longest time
     * of sending U of a process, and the longest chain of panels. */
    double most_load_s, most_sending_s, critical_path_s;
};

/* Advances the clocks through all steps; the work of every process must have been counted.
 * `clock_s` and `own_load_s` receive the end and the load of each rank in seconds; either may be
 * NULL.  FR_OK, or FR_NOMEM without a fault.  O(blocks + N P). */
int sparse_clocks(const struct sparse_work_counts *counts, const struct sparse_costs *costs,
                  const struct sparse_network *network, struct sparse_times *out, double *clock_s,
                  double *own_load_s);

/* Eq. 14 in seconds: T_1 / P + (2 N + N/2 log2 P) a + (2 nnz(L) + 1/2 nnz(U) log2 P) b / sqrt(P),
 * with b the time of 8 bytes.  `panels` is N
 * (docs/models/sparse_lu.md#order-in-equation-14). */
double sparse_analytic_s(const struct sparse_facts *facts, double sequential_s, double panels,
                         double latency_s, double bandwidth_bytes_per_s, double processes);
/* The largest bandwidth of the table, in bytes per second. */
double sparse_best_bandwidth(const struct sparse_network *network);

/* ---- solves ---------------------------------------------------------------------------- */

/* The clocks of all processes during the triangular solves L y = b, U x = y
 * (docs/models/sparse_lu.md#triangular-solves). */

enum { SPARSE_MAX_NRHS = 10000 };

/* Seconds per stored entry, per operation pair of an entry and a right-hand side, per block off the
 * diagonal, per supernode. */
struct sparse_solve_fit {
    double entry_s, flop_s, block_s, supernode_s;
};

/* The constants of another machine, for a calibration without them
 * (docs/models/sparse_lu.md#constants-of-the-solves). */
extern const struct sparse_solve_fit sparse_solve_default;

struct sparse_solve_times {
    struct sparse_times times;    /* with both redistributions of the right-hand sides; the largest
                                     load takes the place of the largest loads of steps */
    double forward_s, backward_s; /* of the sweeps alone */
};

/* One solve with `nrhs` right-hand sides.  `clock_s` and `load_s` as in sparse_clocks.  FR_OK, or
 * FR_NOMEM without a fault.  O(blocks + N Pr). */
int sparse_solve_clocks(const struct sparse_structure *s, struct sparse_grid grid, int64_t nrhs,
                        const struct sparse_solve_fit *fit, const struct sparse_network *network,
                        struct sparse_solve_times *out, double *clock_s, double *load_s);

/* ---- window ---------------------------------------------------------------------------- */

/* The clocks of one layer of processes under a look-ahead window
 * (docs/models/sparse_lu.md#clocks-with-a-window). */

/* A process: its clock t, the computation c on the path that led to t, and until when it is
 * sending; its work, and the time of all bytes that it sends. */
struct sparse_clock {
    double t, c, port, load_s, sending_s;
};

/* A walk through forests: it adds messages to `times`, and panels to `path`.  Borrows everything.
 * NULL if memory is short; free with sparse_walk_free, which accepts NULL. */
struct sparse_walk;
struct sparse_walk *sparse_walk_new(const struct sparse_window_work *work,
                                    const struct sparse_fit *fit,
                                    const struct sparse_network *network,
                                    struct sparse_critical_path *path, struct sparse_times *times);
void sparse_walk_free(struct sparse_walk *w);

/* Advances the clocks of the processes of a grid, by rank, through one forest of the schedule.
 * O(updates + N (w + Pr (1 + process columns with blocks of a row))) for the N of the forest. */
void sparse_walk_forest(struct sparse_walk *w, int32_t forest, struct sparse_clock *clock);

/* ---- layers ---------------------------------------------------------------------------- */

/* The clocks of all processes under a look-ahead window, on one layer or several
 * (docs/models/sparse_lu.md#layers). */

/* As sparse_clocks, which the paper's overlaps use; the largest load takes the place of the largest
 * loads of steps.  The layers are those of the schedule's forests; `clock_s` and `load_s` hold all
 * ranks of layer 0, then those of layer 1, and so on. */
int sparse_window_clocks(const struct sparse_window_work *work, const struct sparse_fit *fit,
                         const struct sparse_network *network, struct sparse_times *out,
                         double *clock_s, double *load_s);

#endif
