/* The parameters of block-cyclic programs, their descriptors and refusals
 * (docs/models/block_cyclic.md#parameters). */
#ifndef FR_BLOCK_CYCLIC_VALUES_H
#define FR_BLOCK_CYCLIC_VALUES_H

#include "engine/block_cyclic/distribution.h"
#include "engine/block_cyclic/stretches.h"
#include "engine/prediction/model.h"

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
        FR_INT(struct cyclic_values, ranks_per_node, .unit = "1", .min = 1, .max = 65536,          \
               .flags = FR_AUTOMATIC | FR_LATE,                                                    \
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

/* What one model needs to know of itself for resolve. */
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
