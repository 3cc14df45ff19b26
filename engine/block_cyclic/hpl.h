/* The parts of HPL: panel factorization, updates by a panel, and the broadcast during which columns
 * go on updating (docs/models/block_cyclic.md#hpl). */
#ifndef FR_BLOCK_CYCLIC_HPL_H
#define FR_BLOCK_CYCLIC_HPL_H

#include "engine/block_cyclic/walk.h"

enum hpl_broadcast { HPL_1RING, HPL_1RING_M, HPL_2RING, HPL_2RING_M, HPL_LONG, HPL_LONG_M };
enum hpl_swap { HPL_BINARY_EXCHANGE, HPL_SPREAD_ROLL, HPL_MIX };
enum { HPL_MOST_N = 1000000000 };

struct hpl_values {
    struct cyclic_values common;
    int64_t lookahead_depth, swap_threshold, nbmin, ndiv;
    double memory_fraction; /* determines n; open once it has */
    int broadcast, swap;
};

/* The time of some columns of an update after the swaps. */
struct hpl_columns {
    double trsm_s, update_s;
};
/* What is left of an update, where `columns` are left; 0: unused. */
struct hpl_left {
    int64_t columns;
    struct hpl_columns of;
};
/* An update of some columns of so many rows by a panel: row swaps, triangular solve, product, copy.
 * The swaps are `step_count` steps, then `rolls` steps of roll_s, the last of which takes last_s
 * more. */
enum { HPL_STEPS = 24, HPL_UPDATES = 16, HPL_PANELS = 4, HPL_LEFT = 32 };
struct hpl_update {
    uint64_t asked;                 /* when it was asked for last; 0: unused */
    bool is_ahead;                  /* one column alone swaps, while those that meet it wait */
    int64_t columns, blocks;        /* as many whole blocks of them */
    double rows, owner_rows, width; /* the most rows, and those of the owner of the panel */
    double swap_s, messages, message_bytes;
    int64_t step_count, rolls;
    double step_s[HPL_STEPS], roll_s, last_s;
    struct hpl_columns all, block; /* all columns; nb of them */
    struct hpl_left left[HPL_LEFT];
};
/* The time of a panel, which depends on the most rows of the owner and of another process. */
struct hpl_known_panel {
    int64_t width; /* 0: unused */
    double owner_rows, other_rows, time_s;
};
/* What a column has done of its update. */
struct hpl_progress {
    struct hpl_update *update; /* NULL: none */
    int64_t swaps_done, columns_done;
};

/* What a panel takes at least of the two lower bounds, and its factorization. */
struct hpl_part {
    double path_s, work_s, panel_s;
};
/* The bounds of the last configuration, with what they warn of: those that differ in broadcast and
 * depth alone have the same. */
enum { HPL_KEPT_PANELS = 8192, HPL_BOUND_BYTES = offsetof(struct cyclic_values, work) };
struct hpl_kept {
    bool is_known, is_rough;
    struct cyclic_values of; /* the first HPL_BOUND_BYTES */
    struct hpl_part part[HPL_KEPT_PANELS], sum;
    struct fr_warning warning[FR_MAX_WARNINGS];
    size_t warning_count;
    fr_uses used;
};

/* The work of a panel, and of each process column that gets it, in steps of the arena. */
enum { HPL_PANEL_STEPS = 40, HPL_COLUMN_STEPS = 2 };
struct hpl {
    struct cyclic_walk walk;
    const struct hpl_values *v;
    struct hpl_update update[HPL_UPDATES]; /* the last ones */
    uint64_t asked;
    struct hpl_known_panel known[HPL_PANELS];
    size_t next_known;
    struct hpl_progress *progress; /* of each column */
    double path_s, work_s;         /* what is left of the lower bounds */
    double least_s_per_byte;       /* of a message */
    double deviation;              /* of kernels, relative (fr_kernel_deviation) */
    const struct hpl_part *part;   /* of each panel that is followed */
};

/* The matrix elements that process (0, 0) stores: its part of the matrix, and of each panel that is
 * under way. */
double hpl_memory_words(const struct hpl_values *v);
/* The largest n, a multiple of the block size, that takes at most so many bytes; 0: none. */
int64_t hpl_largest_n(const struct hpl_values *v, double bytes);

/* Where more panels than columns are factored ahead, several of a column are updated at once. */
int64_t hpl_joined_panels(const struct hpl_values *v);
struct cyclic_sequence hpl_panels(const struct hpl_values *v);
/* Columns of a panel, and the first one after it. */
static inline int64_t hpl_panel_width(const struct hpl *hpl, int64_t panel)
{
    return cyclic_least(hpl->walk.block, hpl->v->common.n - panel * hpl->walk.block);
}
static inline int64_t hpl_panel_end(const struct hpl *hpl, int64_t panel)
{
    return panel * hpl->walk.block + hpl_panel_width(hpl, panel);
}
/* The most rows of a process after a panel, and those of the owner of the panel. */
static inline double hpl_most_rows(const struct hpl *hpl, int64_t panel)
{
    return cyclic_most_rows(&hpl->walk, hpl->v->common.n, hpl_panel_end(hpl, panel));
}
static inline double hpl_owner_rows(const struct hpl *hpl, int64_t panel)
{
    const struct cyclic_walk *walk = &hpl->walk;

    return (double)cyclic_rows_from(hpl->v->common.n, walk->block, panel % walk->rows, walk->rows,
                                    hpl_panel_end(hpl, panel));
}
/* Matrix columns of the process columns from `first` on, the right-hand side included. */
struct cyclic_range hpl_columns_from(const struct hpl *hpl, int64_t first);

/* Seconds of the factorization of a panel. */
double hpl_panel_s(struct hpl *hpl, int64_t panel);

/* Seconds of an update of so many columns by a panel, `is_ahead` of the other columns; 0 without
 * columns. */
double hpl_update_s(struct hpl *hpl, int64_t panel, int64_t columns, bool is_ahead);
/* The columns of spans have their matrix columns to update by a panel. */
void hpl_prepare_updates(struct hpl *hpl, int64_t panel, const struct cyclic_spans *spans);
/* Column q has so many of its matrix columns to update by a panel, possibly none. */
void hpl_prepare_update(struct hpl *hpl, int64_t q, int64_t panel, int64_t columns, bool is_ahead);
/* The same, at once; column q alone, ahead of the others. */
void hpl_update_all(struct hpl *hpl, int64_t panel, const struct cyclic_spans *spans);
void hpl_update_ahead(struct hpl *hpl, int64_t q, int64_t panel, int64_t columns);
/* The time of so many columns of an update after the swaps. */
struct hpl_columns hpl_columns_of(struct hpl *hpl, const struct hpl_update *update,
                                  int64_t columns);
/* Sets the parts of the panels and the lower bound of the prediction, of which back substitution
 * takes solve_s (docs/models/block_cyclic.md#lower-bound).  FR_OK, or FR_NOMEM after adding a
 * fault. */
int hpl_bound(struct hpl *hpl, double solve_s);
/* After the broadcast of a panel: whether the time may still be within the limit of the question.
 */
bool hpl_goes_on(struct hpl *hpl, int64_t panel);

/* Of a process: the matrix with the right-hand side. */
static inline double hpl_matrix_bytes(const struct hpl *hpl)
{
    return cyclic_matrix_bytes(&hpl->walk, hpl->v->common.n, hpl->v->common.n + 1);
}
/* Whether all columns meet in the broadcast of a panel. */
static inline bool hpl_meets(const struct hpl_values *v)
{
    return v->broadcast == HPL_LONG || v->broadcast == HPL_LONG_M;
}
/* Broadcasts a panel from column c; every column works on its progress[q].update meanwhile, which
 * is done afterwards. */
void hpl_broadcast_panel(struct hpl *hpl, int64_t panel, int64_t c);

#endif
