/* Shared by the charts of routine models: selection of models, their labels, their sizes. */
#ifndef FR_CHART_ROUTINE_MODELS_H
#define FR_CHART_ROUTINE_MODELS_H

#include "engine/blocked/fitted.h"
#include "server/charts/chart.h"
#include "server/charts/plot/script.h"

/* One of kernels.routine_models, as a row of the document and as prepared for evaluation. */
struct fr_routine_view {
    const struct blocked_fitted *fitted;
    const struct fr_routine_model *row;
};

/* Options of charts that select some of the models. */
#define FR_CHART_MODELS                                                                     \
    FR_TEXT(struct fr_chart_options, routine, .unit = "", .flags = FR_OPTIONAL,             \
            .doc = "Routine; default that of the first model."),                            \
        FR_TEXT(struct fr_chart_options, flags, .unit = "", .flags = FR_OPTIONAL,           \
                .doc = "Flags, as joined letters."),                                        \
        FR_CHOICE_OF(struct fr_chart_options, locality, .choices = fr_chart_localities,     \
                     .unit = "", .flags = FR_OPTIONAL, .doc = "Location of the operands."), \
        FR_INT(struct fr_chart_options, threads, .unit = "1", .min = 1, .max = 65536,       \
               .flags = FR_OPTIONAL, .doc = "Threads of the calls.")
/* Options of charts over the sizes of a call. */
#define FR_CHART_SIZES                                                                     \
    FR_CHOICE_OF(struct fr_chart_options, x, .choices = fr_chart_size_names, .unit = "",   \
                 .flags = FR_OPTIONAL,                                                     \
                 .doc = "regions and routine: the size along the horizontal axis."),       \
        FR_INT(struct fr_chart_options, m, .unit = "1", .min = 1, .max = BLOCKED_MAX_SIZE, \
               .flags = FR_OPTIONAL, .doc = "regions and routine: fixes this size."),      \
        FR_INT(struct fr_chart_options, n, .unit = "1", .min = 1, .max = BLOCKED_MAX_SIZE, \
               .flags = FR_OPTIONAL, .doc = "regions and routine: fixes this size."),      \
        FR_INT(struct fr_chart_options, k, .unit = "1", .min = 1, .max = BLOCKED_MAX_SIZE, \
               .flags = FR_OPTIONAL, .doc = "regions and routine: fixes this size.")
/* Option of charts that show a second calibration's models. */
#define FR_CHART_WITH                                                                            \
    FR_TEXT(struct fr_chart_options, with, .unit = "", .flags = FR_OPTIONAL,                     \
            .doc = "routine and convergence: id of a second calibration whose models are drawn " \
                   "in the same chart, for example of another BLAS or another build strategy.")
extern const char *const fr_chart_localities[], *const fr_chart_size_names[];

/* The models of a calibration that the options select, in the order of the document; the arena
 * owns them. NULL if there are none, with a fault that lists the available values unless the
 * document has no models at all. */
struct fr_routine_view *fr_chart_models(const struct fr_chart_source *source,
                                        const struct fr_calibration *cal, size_t *count);

/* A model and the matching model of the second calibration, whose row is NULL if there is none. */
struct fr_routine_pair {
    struct fr_routine_view own, other;
};
struct fr_routine_view fr_chart_counterpart(const struct fr_chart_source *source,
                                            const struct fr_routine_view *own);
/* A label that distinguishes the line from that of the other model; "" without a second model.
 * The arena owns it. */
const char *fr_pair_label(const struct fr_chart_source *source, const struct fr_routine_pair *pair,
                          bool is_other);

/* The sizes of a routine that the options select. */
struct fr_chart_sizes {
    int64_t fixed[BLOCKED_MAX_SIZES]; /* FR_OPEN_INT: not fixed */
    size_t open;                      /* number of sizes that are not fixed */
    size_t x;                         /* size along the axis; BLOCKED_MAX_SIZES: open */
};
/* The option to name in a fault if the fixed sizes do not fit: one of them, or x. */
const char *fr_chart_size_fixed(const struct fr_chart_sizes *sizes,
                                const struct blocked_routine *routine);
/* False with a fault if a size is not one of the routine's, or if x is fixed. */
bool fr_chart_sizes(const struct fr_chart_source *source, const struct blocked_routine *routine,
                    struct fr_chart_sizes *out);

/* The middle of a size's range on a logarithmic scale, rounded to a multiple of 8 inside the
 * range. */
double fr_chart_middle(const struct blocked_fitted *fitted, size_t d);

/* `dtrsm LLNN`; the arena owns the text. */
const char *fr_kernel_label(const struct blocked_kernel *kernel, struct fr_arena *arena);
/* `in cache, 2 threads`; the arena owns the text. */
const char *fr_setting_label(const struct blocked_fitted *fitted, struct fr_arena *arena);
/* `OpenBLAS 0.3.21 (SkylakeX)`, without unknown parts; the arena owns the text. */
const char *fr_library_label(const struct fr_routine_model *row, struct fr_arena *arena);
/* ` with OpenBLAS 0.3.21 (SkylakeX) on MACHINE`, without unknown parts; the arena owns the text. */
const char *fr_place_label(const struct fr_calibration *cal, const struct fr_routine_model *row,
                           struct fr_arena *arena);

#endif
