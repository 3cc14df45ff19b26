/* What the charts of routine models share: which models a request means, their names, their sizes.
 */
#ifndef FR_CHART_ROUTINE_MODELS_H
#define FR_CHART_ROUTINE_MODELS_H

#include "engine/blocked/fitted.h"
#include "server/charts/chart.h"
#include "server/charts/plot/script.h"

/* One of kernels.routine_models, as it stands there and as it is looked up. */
struct fr_routine_view {
    const struct blocked_fitted *fitted;
    const struct fr_routine_model *row;
};

/* Options of a chart that is about some of the models … */
#define FR_CHART_MODELS                                                                       \
    FR_TEXT(struct fr_chart_options, routine, .unit = "", .flags = FR_OPTIONAL,               \
            .doc = "Routine, such as dtrsm; without it that of the document's first model."), \
        FR_TEXT(struct fr_chart_options, flags, .unit = "", .flags = FR_OPTIONAL,             \
                .doc = "Its flags as joined letters, such as LLNN."),                         \
        FR_CHOICE_OF(struct fr_chart_options, locality, .choices = fr_chart_localities,       \
                     .unit = "", .flags = FR_OPTIONAL, .doc = "Where the operands were."),    \
        FR_INT(struct fr_chart_options, threads, .unit = "1", .min = 1, .max = 65536,         \
               .flags = FR_OPTIONAL, .doc = "Threads of the calls.")
/* … and of one over the sizes of a call. */
#define FR_CHART_SIZES                                                                     \
    FR_CHOICE_OF(struct fr_chart_options, x, .choices = fr_chart_size_names, .unit = "",   \
                 .flags = FR_OPTIONAL, .doc = "The size along the horizontal axis."),      \
        FR_INT(struct fr_chart_options, m, .unit = "1", .min = 1, .max = BLOCKED_MAX_SIZE, \
               .flags = FR_OPTIONAL, .doc = "Fixes the size m."),                          \
        FR_INT(struct fr_chart_options, n, .unit = "1", .min = 1, .max = BLOCKED_MAX_SIZE, \
               .flags = FR_OPTIONAL, .doc = "Fixes the size n."),                          \
        FR_INT(struct fr_chart_options, k, .unit = "1", .min = 1, .max = BLOCKED_MAX_SIZE, \
               .flags = FR_OPTIONAL, .doc = "Fixes the size k.")
/* … and of one that lays a second calibration's models over. */
#define FR_CHART_WITH                                                        \
    FR_TEXT(struct fr_chart_options, with, .unit = "", .flags = FR_OPTIONAL, \
            .doc = "Id of a calibration whose models are laid over.")
extern const char *const fr_chart_localities[], *const fr_chart_size_names[];

/* The models of a calibration that the options mean, in the order of the document; NULL: none, with
 * a fault that names what there is, unless the document has none at all. */
struct fr_routine_view *fr_chart_models(const struct fr_chart_source *source,
                                        const struct fr_calibration *cal, size_t *count);

/* A model and the same of the second calibration, another library's perhaps; without one its row is
 * NULL. */
struct fr_routine_pair {
    struct fr_routine_view own, other;
};
struct fr_routine_view fr_chart_counterpart(const struct fr_chart_source *source,
                                            const struct fr_routine_view *own);
/* By what the line of one is told from that of the other, "" of one that is alone. */
const char *fr_pair_label(const struct fr_chart_source *source, const struct fr_routine_pair *pair,
                          bool is_other);

/* What the options say about the sizes of a routine. */
struct fr_chart_sizes {
    int64_t fixed[BLOCKED_MAX_SIZES]; /* FR_OPEN_INT: not fixed */
    size_t open;                      /* how many are not */
    size_t x;                         /* BLOCKED_MAX_SIZES: open */
};
/* The option to blame where the fixed sizes do not fit: one of them, or x. */
const char *fr_chart_size_fixed(const struct fr_chart_sizes *sizes,
                                const struct blocked_routine *routine);
/* False with a fault: of sizes that the routine lacks, and of an x that is fixed. */
bool fr_chart_sizes(const struct fr_chart_source *source, const struct blocked_routine *routine,
                    struct fr_chart_sizes *out);

/* In the middle of a size's range on a logarithmic scale, a multiple of 8 where that lies inside.
 */
double fr_chart_middle(const struct blocked_fitted *fitted, size_t d);

/* `dtrsm LLNN`, in the arena. */
const char *fr_kernel_label(const struct blocked_kernel *kernel, struct fr_arena *arena);
/* `in cache, 2 threads`, in the arena. */
const char *fr_setting_label(const struct blocked_fitted *fitted, struct fr_arena *arena);
/* `OpenBLAS 0.3.21 (SkylakeX)`, as far as it is known, in the arena. */
const char *fr_library_label(const struct fr_routine_model *row, struct fr_arena *arena);
/* ` with OpenBLAS 0.3.21 (SkylakeX) on MACHINE` likewise. */
const char *fr_place_label(const struct fr_calibration *cal, const struct fr_routine_model *row,
                           struct fr_arena *arena);

#endif
