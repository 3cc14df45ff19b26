/* What algorithms on block-cyclic matrices are asked: the distribution, and values of
 * parameters. */
#ifndef FR_BLOCK_CYCLIC_VALUES_H
#define FR_BLOCK_CYCLIC_VALUES_H

#include "engine/prediction/model.h"

/* Which steps of a walk are followed, and how many each of them stands for
 * (docs/models/block_cyclic.md#stretches). */

/* The steps of a walk, panels or slices: `count` of `width` matrix columns each, whose owner
 * changes every `block` columns.  The first `ahead` differ from the others. */
struct cyclic_sequence {
    int64_t count, width, block, ahead;
};
/* The most intervals of a long sequence from which stretches are taken; CYCLIC_ALL: every step is
 * followed. */
enum cyclic_detail { CYCLIC_ALL = 0, CYCLIC_ROUGH = 3, CYCLIC_FINE = 24 };

/* The steps from `settle` on bring the clocks to their pattern; each of those from `first` to `end`
 * - 1 stands for `weight` steps. */
struct cyclic_stretch {
    int64_t settle, first, end;
    double weight;
};
enum { CYCLIC_STRETCHES = 2 * CYCLIC_FINE + 2 };
struct cyclic_stretches {
    int64_t count, steps; /* `steps` are followed */
    struct cyclic_stretch of[CYCLIC_STRETCHES];
};
struct cyclic_stretches cyclic_stretches_of(const struct cyclic_sequence *sequence, int64_t rows,
                                            int64_t columns, enum cyclic_detail detail);

/* The block-cyclic distribution of rows or columns over processes
 * (docs/models/block_cyclic.md#symbols). */

/* The slices in which the PBLAS multiply, whatever the block size (pilaenv.f). */
enum { CYCLIC_SLICE = 32 };

static inline int64_t cyclic_least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t cyclic_most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* ceil(a / b) of a >= 0, b > 0. */
static inline int64_t cyclic_blocks(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

/* The slot of a key among 2^bits, in a table that keeps the last of each slot. */
static inline size_t cyclic_slot_of(uint64_t key, int bits)
{
    return (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> (64 - bits));
}

/* How `n` rows divide: processes before `last` have `block` more than `whole`, `last` has `rest`
 * more. */
struct cyclic_shares {
    int64_t whole, block, last, rest;
};
struct cyclic_shares cyclic_shares_of(int64_t n, int64_t nb, int64_t processes);
static inline int64_t cyclic_share(const struct cyclic_shares *shares, int64_t i)
{
    return shares->whole + (i < shares->last    ? shares->block
                            : i == shares->last ? shares->rest
                                                : 0);
}
/* The rows of `n` from `first` on. */
struct cyclic_range {
    struct cyclic_shares all, before;
};
static inline struct cyclic_range cyclic_range_of(int64_t n, int64_t nb, int64_t processes,
                                                  int64_t first)
{
    return (struct cyclic_range){ cyclic_shares_of(n, nb, processes),
                                  cyclic_shares_of(first, nb, processes) };
}
static inline int64_t cyclic_range_share(const struct cyclic_range *range, int64_t i)
{
    return cyclic_share(&range->all, i) - cyclic_share(&range->before, i);
}
/* Processes `first` to `end` - 1 have `share` rows each; after the last process comes the first. */
struct cyclic_span {
    int64_t first, end, share;
};
enum { CYCLIC_SPANS = 5 };
struct cyclic_spans {
    size_t count;
    struct cyclic_span of[CYCLIC_SPANS];
};
/* All processes that have rows of the range. */
struct cyclic_spans cyclic_spans_of(const struct cyclic_range *range, int64_t processes);
static inline bool cyclic_span_has(const struct cyclic_span *span, int64_t i, int64_t processes)
{
    return (i >= span->first && i < span->end) || i + processes < span->end;
}
/* The rows of `n` that process `i` of `processes` has in blocks of `nb`. */
int64_t cyclic_rows(int64_t n, int64_t nb, int64_t i, int64_t processes);
/* Of these, the rows whose global index is at least `first`, which is at most n. */
int64_t cyclic_rows_from(int64_t n, int64_t nb, int64_t i, int64_t processes, int64_t first);
/* The most that a process has of the rows from `first` on, which is n or begins a block: the owner
 * of that block has them. */
int64_t cyclic_most_rows_from(int64_t n, int64_t nb, int64_t processes, int64_t first);

/* The process row and column that own the slice at `first` of the inner dimension `k` of a product,
 * in the order in which the PBLAS visit blocks (PB_CVMinit.c). */
struct cyclic_owner {
    int64_t row, column;
};
struct cyclic_owner cyclic_slice_owner(int64_t first, int64_t k, int64_t nb, int64_t process_rows,
                                       int64_t process_columns);

/* Sum over v < count of max(0, ceil((start + v step) / divisor)); step and divisor are positive.
 * Logarithmic in step and divisor. */
int64_t cyclic_sum_of_ceilings(int64_t count, int64_t step, int64_t start, int64_t divisor);

/* The parameters of block-cyclic programs, their descriptors and refusals
 * (docs/models/block_cyclic.md#parameters). */

enum cyclic_mapping { CYCLIC_ROW_MAJOR, CYCLIC_COLUMN_MAJOR };
enum cyclic_side { CYCLIC_LEFT, CYCLIC_RIGHT };
enum cyclic_uplo { CYCLIC_LOWER, CYCLIC_UPPER };

enum cyclic_following { CYCLIC_STRETCHED, CYCLIC_EXACT };

/* The first member of the values of every model.  Sizes that a model does not have are 0. */
struct cyclic_values {
    int64_t m, n, k, block_size;
    int64_t process_rows, process_columns, processes, nodes, cores;
    int64_t threads, ranks_per_node;
    int mapping, side, uplo, trans, transa, transb, contention, walk;
    int64_t joined;    /* panels whose updates may be joined; set by hpl */
    double work;       /* clock updates of a prediction; set by resolve */
    const char *dtrsm; /* rules.dtrsm, or NULL; set by resolve */
    const struct cyclic_rules *rules;
};

/* The most processes of a grid, and of one of its lines, each of which has a clock. */
enum { CYCLIC_MAX_PROCESSES = 1 << 20, CYCLIC_MAX_LINE = 1 << 16 };

extern const char *const cyclic_mappings[], *const cyclic_sides[], *const cyclic_uplos[],
                                                                       *const cyclic_followings[];
/* Pairs of letters: N, T and C, which is T for real matrices. */
extern const char *const cyclic_transposes[];
static inline bool cyclic_is_transposed(int choice)
{
    return choice > 1;
}
size_t cyclic_row_candidates(const void *values, const struct fr_calibration *cal, int64_t *out,
                             size_t capacity);
size_t cyclic_block_candidates(const void *values, const struct fr_calibration *cal, int64_t *out,
                               size_t capacity);

#define CYCLIC_SIZE(f, text)                                                                 \
    FR_INT(struct cyclic_values, f, .unit = "1", .min = 1, .max = 1e9, .flags = FR_REQUIRED, \
           .doc = text)
#define CYCLIC_SIDE                                                               \
    FR_CHOICE_OF(struct cyclic_values, side, .choices = cyclic_sides, .unit = "", \
                 .fallback = CYCLIC_LEFT, .flags = FR_DEFAULT,                    \
                 .doc = "L: op(A) X = B; R: X op(A) = B.")
#define CYCLIC_UPLO(text)                                                         \
    FR_CHOICE_OF(struct cyclic_values, uplo, .choices = cyclic_uplos, .unit = "", \
                 .fallback = CYCLIC_LOWER, .flags = FR_DEFAULT, .doc = text)
#define CYCLIC_TRANSPOSE(f, operand)                                                               \
    FR_CHOICE_OF(struct cyclic_values, f, .choices = cyclic_transposes, .unit = "", .fallback = 0, \
                 .flags = FR_DEFAULT,                                                              \
                 .doc = "N: " operand " as it is; T or C: its transpose, which the PBLAS never "   \
                        "form: they take other paths, which move and combine other operands.")
#define CYCLIC_PARAMS                                                                              \
    FR_INT(struct cyclic_values, block_size, .unit = "1", .min = 1, .max = 1e6,                    \
           .flags = FR_TUNABLE, .candidates = cyclic_block_candidates,                             \
           .doc = "Rows and columns of a block of the distribution (NB)."),                        \
        FR_INT(struct cyclic_values, process_rows, .unit = "1", .min = 1,                          \
               .max = CYCLIC_MAX_PROCESSES, .flags = FR_TUNABLE,                                   \
               .candidates = cyclic_row_candidates, .doc = "Rows of the process grid (P)."),       \
        FR_INT(struct cyclic_values, process_columns, .unit = "1", .min = 1,                       \
               .max = CYCLIC_MAX_PROCESSES, .one_of = "processes",                                 \
               .doc = "Columns of the process grid (Q)."),                                         \
        FR_INT(struct cyclic_values, processes, .unit = "1", .min = 1,                             \
               .max = CYCLIC_MAX_PROCESSES, .one_of = "processes", .flags = FR_INPUT_ONLY,         \
               .doc = "Instead of process_columns: total processes, a multiple of process_rows."), \
        FR_INT(struct cyclic_values, nodes, .unit = "1", .min = 1, .max = CYCLIC_MAX_PROCESSES,    \
               .one_of = "processes", .flags = FR_INPUT_ONLY,                                      \
               .doc = "Instead of processes: whole nodes of ranks_per_node processes."),           \
        FR_INT(struct cyclic_values, cores, .unit = "1", .min = 1, .max = 1e9,                     \
               .one_of = "processes", .flags = FR_INPUT_ONLY,                                      \
               .doc = "Instead of processes: total cores; a multiple of threads."),                \
        FR_CHOICE_OF(struct cyclic_values, mapping, .choices = cyclic_mappings, .unit = "",        \
                     .fallback = CYCLIC_ROW_MAJOR, .flags = FR_DEFAULT,                            \
                     .doc = "Order of the ranks in the grid: row by row, or column by column."),   \
        FR_INT(struct cyclic_values, threads, .unit = "1", .min = 1, .max = 65536, .fallback = 1,  \
               .flags = FR_DEFAULT, .doc = "Cores of each process."),                              \
        FR_INT(struct cyclic_values, ranks_per_node, .aliases = fr_per_node_aliases, .unit = "1",  \
               .min = 1, .max = 65536, .flags = FR_AUTOMATIC | FR_LATE,                            \
               .doc = "Processes of a node; by default as many as its cores hold."),               \
        FR_BOOL(struct cyclic_values, contention, .unit = "", .fallback = 1, .flags = FR_DEFAULT,  \
                .doc = "Whether the measured contention factors slow messages."),                  \
        FR_CHOICE_OF(struct cyclic_values, walk, .choices = cyclic_followings, .unit = "",         \
                     .fallback = CYCLIC_STRETCHED, .flags = FR_DEFAULT,                            \
                     .doc = "stretches: of thousands of panels or slices some stand for all; "     \
                            "exact: each one is followed.")

extern const char *const cyclic_grows_with[];
size_t cyclic_node_counts(const void *values, const struct fr_calibration *cal, int64_t max_nodes,
                          int64_t *out, size_t capacity);
void cyclic_set_nodes(void *values, int64_t nodes);

/* A program as it is described, perhaps as its mirror image. */
struct cyclic_walk;
struct cyclic_course {
    struct cyclic_values seen;
    bool (*walk)(struct cyclic_walk *walk); /* whether it came to its end within the limit */
    double flops, memory_words;             /* useful operations; the most of a process */
};

/* What one model needs to know of itself. */
struct cyclic_rules {
    bool needs_trsm;
    /* Clock updates of a prediction, and the parameter that makes them fewer. */
    double (*work)(const void *values);
    const char *(*work_of)(const void *values);
    /* Side, uplo and trans of the dtrsm that the program calls, such as "LLN"; NULL: of none. */
    const char *(*dtrsm)(const void *values);
    /* Sets the size of the problem if the question leaves it open; may be NULL. */
    void (*size)(void *values, const struct fr_calibration *cal, struct fr_faults *faults);
    /* Adds faults of the model's own; may be NULL. */
    void (*check)(const void *values, struct fr_faults *faults);
    /* What cyclic_predict follows. */
    struct cyclic_course (*course)(const struct cyclic_values *v);
    /* Adds warnings to a prediction, or sets its error; may be NULL. */
    void (*remark)(const struct cyclic_values *v, struct fr_prediction *out);
};
/* Sets the grid and the automatic parameters; refuses in stages
 * (docs/models/block_cyclic.md#refusals).  Returns FR_OK, or a code after adding faults. */
int cyclic_resolve(void *values, const struct fr_calibration *cal, const struct cyclic_rules *rules,
                   struct fr_faults *faults);
/* The panels of a matrix whose least size is given, and its slices. */
static inline struct cyclic_sequence cyclic_panels(const struct cyclic_values *v, int64_t least)
{
    return (struct cyclic_sequence){ cyclic_blocks(least, v->block_size), v->block_size,
                                     v->block_size, 0 };
}
static inline struct cyclic_sequence cyclic_slices(const struct cyclic_values *v, int64_t size)
{
    return (struct cyclic_sequence){ cyclic_blocks(size, CYCLIC_SLICE), CYCLIC_SLICE, v->block_size,
                                     0 };
}
/* The stretches that a prediction follows, roughly or not. */
struct cyclic_stretches cyclic_stretches(const struct cyclic_values *v,
                                         const struct cyclic_sequence *sequence, bool is_rough);
/* The clock updates of a sequence whose steps take `more` beside those of the grid's lines. */
double cyclic_work(const struct cyclic_values *v, const struct cyclic_sequence *sequence,
                   double more);
/* Those of a factorization by panels of a matrix whose least size is given. */
double cyclic_panel_work(const struct cyclic_values *v, int64_t least);
/* "block_size". */
const char *cyclic_work_of_blocks(const void *values);

#endif
