/* A prediction: its phases, outputs and warnings. */
#ifndef FR_PREDICTION_PREDICTION_H
#define FR_PREDICTION_PREDICTION_H

#include "engine/calibration/calibration.h"
#include "engine/core/arena.h"
#include "engine/core/number.h"

/* How wrong look-ups were at measured values that were left out of their table
 * (docs/calibration.md#held-out-checks).  Errors are |log(looked up / measured)|. */

/* The rows at `to` were looked up in those from the other end of the table up to `from`, the
 * nearest value that was kept. */
struct fr_held_out_step {
    double from, to;
    double error; /* the 90th percentile over the rows */
    size_t rows;
};
/* The checks of one key of a table. */
struct fr_held_out {
    const char *what; /* as in warnings: contention.patterns.processes; static */
    const struct fr_held_out_step *step;
    size_t steps;
    /* The 90th percentile over rows that were left out one value at a time, between others; NaN:
     * there are none. */
    double between_error;
    size_t between_rows;
};
/* All keys that were checked; immutable. */
struct fr_held_outs {
    const struct fr_held_out *of;
    size_t count;
};

/* The checks of a key; NULL if there are none. */
const struct fr_held_out *fr_held_out_of(const struct fr_held_outs *all, const char *what);
/* The error to be expected at a value outside the measured [low, high]
 * (docs/calibration.md#expected-errors); NaN: too few values were checked in this direction, or
 * they are wrong by more than a factor of 10^6. */
double fr_held_out_error(const struct fr_held_out *of, double value, double low, double high);

enum fr_phase_kind { FR_COMPUTATION, FR_COMMUNICATION };
struct fr_phase {
    const char *name;
    enum fr_phase_kind kind;
    double time_s, hidden_s;
};

/* X(code, name) */
#define FR_WARNINGS(X)                                          \
    X(FR_WARN_EXTRAPOLATED, "extrapolated")                     \
    X(FR_WARN_ASSUMED, "assumed_value")                         \
    X(FR_WARN_UNSTATED, "unstated_source")                      \
    X(FR_WARN_MEMORY, "memory_exceeded")                        \
    X(FR_WARN_MACHINE, "exceeds_machine")                       \
    X(FR_WARN_UNEVEN_BLOCKS, "uneven_blocks")                   \
    X(FR_WARN_UNEVEN_LAYERS, "uneven_layers")                   \
    X(FR_WARN_ROUNDED, "collective_rounded")                    \
    X(FR_WARN_OVERSUBSCRIBED, "oversubscribed")                 \
    X(FR_WARN_ALLOCATION, "allocation_assumed")                 \
    X(FR_WARN_STALL_RATE, "stall_rate_missing")                 \
    X(FR_WARN_TOPOLOGY_MAPPING, "topology_mapping_assumed")     \
    X(FR_WARN_LINK_BANDWIDTH, "link_bandwidth_assumed")         \
    X(FR_WARN_LINKS_SKIPPED, "link_sharing_skipped")            \
    X(FR_WARN_COMPUTATION, "computation_estimated")             \
    X(FR_WARN_COMPUTATION_SCALED, "computation_scaled")         \
    X(FR_WARN_COMPUTATION_SPLIT, "computation_split_estimated") \
    X(FR_WARN_TRANSFERRED, "computation_transferred")           \
    X(FR_WARN_CORE_BANDWIDTH, "core_bandwidth_missing")         \
    X(FR_WARN_SYNCHRONIZATION, "synchronization_missing")       \
    X(FR_WARN_PATTERN, "pattern_missing")                       \
    X(FR_WARN_BROADCAST, "broadcast_algorithm_assumed")         \
    X(FR_WARN_REORDERED, "statistics_reordered")                \
    X(FR_WARN_PRECISION, "precision_not_calibrated")            \
    X(FR_WARN_BELOW_BOUND, "below_bound")                       \
    X(FR_WARN_MARGIN, "margin_assumed")                         \
    X(FR_WARN_SLOW_VARIANT, "slow_variant")                     \
    X(FR_WARN_FIT_QUALITY, "fit_quality")                       \
    X(FR_WARN_SOLVE_FIT, "solve_fit_assumed")                   \
    X(FR_WARN_OLDER_MACHINES, "kernel_model_of_older_machines") \
    X(FR_WARN_SAME_AS, "same_as")                               \
    X(FR_WARN_NOT_RANKED, "not_all_ranked")                     \
    X(FR_WARN_ZERO_DIAGONAL, "zero_diagonal")
enum fr_warning_code { FR_WARNINGS(FR_CHOICE_VALUE) };
/* A warning holds numbers only, so that raising one is cheap; fr_warning_print words it. */
enum { FR_CALL_SIZES = 3 };
struct fr_warning {
    enum fr_warning_code code;
    const char *what; /* the quantity concerned, or NULL */
    double value, low, high;
    size_t sizes; /* of the call of a kernel that has the value; 0: it is no call's */
    double size[FR_CALL_SIZES];
    const char *weighed_as; /* NULL: its share cannot be known */
    /* Of an error of what is extrapolated in the time; of one unit of what is left out, relative to
     * the time; NaN: unknown. */
    double share_fraction;
    /* Of what is extrapolated, by held-out checks; NaN: they were not possible. */
    double expected_error_fraction;
};

enum { FR_MAX_PHASES = 32, FR_MAX_WARNINGS = 48, FR_MAX_OWN = 44, FR_MAX_VECTORS = 3 };

struct fr_prediction {
    double time_s, flops, gflops, percent_of_peak;
    double processes, nodes;
    double memory_bytes_per_process, memory_limit_bytes_per_process;
    double communication_bytes_per_process;
    double computation_s, communication_s, hidden_s;
    double bound_s; /* no schedule is faster; NaN: unknown */
    /* all members up to here are doubles: fr_model_answer averages them as an array */
    double own[FR_MAX_OWN]; /* the model's own outputs; NaN: no value */
    struct fr_vector vector[FR_MAX_VECTORS];
    const char *text;     /* NULL: no value */
    const char *bound_by; /* the resource that sets bound_s; static; NULL: none */
    fr_uses used;         /* enum fr_use bits of the calibrated values that were read */
    size_t phase_count;
    struct fr_phase phase[FR_MAX_PHASES];
    /* Asked for: the warning of this name (weighed_as) counts more by FR_WEIGHING; NULL: none.  The
     * difference of two times is the share of the quantity. */
    const char *weighed;
    /* Asked for: what is extrapolated takes longer (1) or less long (-1) by its expected error; 0:
     * neither. */
    double erring;
    const struct fr_held_outs *erring_by; /* borrowed */
    /* Kernel times of the slowest processor of a job, over the mean of all choices of processors:
     * nine of ten choices lie between them; 0: it is not known how processors differ. */
    double slowest_low, slowest_high;
    double error_fraction; /* as of the model, unless it is another for this question; 0: unknown */
    bool is_rough;         /* less work was done than for a question of its own */
    size_t warning_count;
    struct fr_warning warning[FR_MAX_WARNINGS];
};
/* A hash of all numbers, not 0: equal for predictions that are the same by construction. */
uint64_t fr_prediction_digest(const struct fr_prediction *prediction);

/* The descriptor of an output: its place in struct fr_prediction.  A name such as `step.time_s` is
 * a member of an object in JSON and becomes `step_time_s` in flat formats. */
enum fr_output_kind { FR_OUTPUT_NUMBER, FR_OUTPUT_VECTOR, FR_OUTPUT_TEXT };
struct fr_output {
    const char *name;
    enum fr_output_kind kind;
    size_t offset;
    const char *unit;
    const char *doc;
};
#define FR_OUTPUT(f, ...)                                                    \
    {                                                                        \
        .name = #f, .offset = offsetof(struct fr_prediction, f), __VA_ARGS__ \
    }
/* An output of the model's own: a member of S, which lies in `own`; too large an S divides by zero.
 * The name is that of the member, as `step.time_s`. */
#define FR_OWN(S, f, ...) FR_OWN_AS(S, f, #f, __VA_ARGS__)
#define FR_OWN_AS(S, f, label, ...)                                                          \
    {                                                                                        \
        .name = label,                                                                       \
        .offset = offsetof(struct fr_prediction, own) +                                      \
                  offsetof(S, f) / (sizeof(S) <= sizeof((struct fr_prediction *)NULL)->own), \
        __VA_ARGS__                                                                          \
    }
#define FR_OWN_OF(S, out) ((S *)(out)->own)
#define FR_OWN_VECTOR(i, label, ...)                                                       \
    {                                                                                      \
        .name = label, .kind = FR_OUTPUT_VECTOR,                                           \
        .offset = offsetof(struct fr_prediction, vector) + (i) * sizeof(struct fr_vector), \
        __VA_ARGS__                                                                        \
    }
#define FR_OWN_TEXT(label, ...)                                                                \
    {                                                                                          \
        .name = label, .kind = FR_OUTPUT_TEXT, .offset = offsetof(struct fr_prediction, text), \
        __VA_ARGS__                                                                            \
    }
/* The lower bound of the time. */
#define FR_BOUND_OUTPUTS                                                    \
    FR_OUTPUT(bound_s, .unit = "s",                                         \
              .doc = "A lower bound of the time for any schedule; null if " \
                     "none is known."),                                     \
        FR_OUTPUT(bound_by, .kind = FR_OUTPUT_TEXT, .unit = "1",            \
                  .doc = "What sets the bound: work, critical_path or network.")
#define FR_OUTPUTS_END \
    {                  \
        .name = NULL   \
    }

/* Finds an output by its flat or dotted name; NULL if there is none. */
const struct fr_output *fr_output_find(const struct fr_output *outputs, const char *name);
/* The value; NaN if it has none or is not a number. */
double fr_output_get(const struct fr_output *output, const struct fr_prediction *prediction);
const struct fr_vector *fr_output_vector(const struct fr_output *output,
                                         const struct fr_prediction *prediction);
const char *fr_output_text(const struct fr_output *output, const struct fr_prediction *prediction);
/* Writes `step_time_s` for `step.time_s`. */
enum { FR_OUTPUT_NAME_BYTES = 64 };
void fr_output_flat_name(const struct fr_output *output, char out[FR_OUTPUT_NAME_BYTES]);

void fr_prediction_clear(struct fr_prediction *out);
/* Adds a phase and its time to the total, so that a breakdown always sums to the total. */
void fr_phase(struct fr_prediction *out, const char *name, enum fr_phase_kind kind, double time_s,
              double hidden_s);
/* Warns that `what` has no rates of the precision asked for, and charges those of another. */
void fr_warn_precision(struct fr_prediction *out, const char *what, int asked,
                       enum fr_precision charged);
/* Offers a lower bound of the time that holds for any schedule; NaN offers none.  The largest is
 * kept, with the name of its resource, a static string. */
void fr_bound(struct fr_prediction *out, const char *resource, double time_s);
/* Warns if the time lies below the bound by more than rounding, which it takes off the bound, or
 * below that of the peak of the cores. */
void fr_check_bound(struct fr_prediction *out);
/* Raises a warning.  Each (code, what) is kept once, with the value furthest outside [low, high].
 */
void fr_warn(struct fr_prediction *out, enum fr_warning_code code, const char *what, double value,
             double low, double high);
bool fr_has_warned(const struct fr_prediction *out, enum fr_warning_code code);
/* Raises a warning that another prediction has raised. */
void fr_warn_again(struct fr_prediction *out, const struct fr_warning *warning);
/* Warns that a value of a table lies outside [low, high].  A time that is read of the table has to
 * be multiplied by the result, and a rate divided: 1, a little more where the table is weighed, or
 * the expected error. */
#define FR_WEIGHING 0x1p-7
double fr_extrapolate(struct fr_prediction *out, const char *what, double value, double low,
                      double high);
/* The same of the call of a kernel whose size `outside` lies outside the modelled [low, high];
 * `path` is that of the kernel's models. */
double fr_extrapolate_call(struct fr_prediction *out, const char *path, const double *size,
                           size_t sizes, size_t outside, double low, double high);
/* The ratio by which the value of a warning lies outside its range; infinite if one of the two is
 * 0. */
double fr_warning_overshoot(const struct fr_warning *warning);
/* Whether a warning says that the time depends on a network of more processes than were measured.
 */
bool fr_warning_is_of_more_processes(const struct fr_warning *warning);
/* How far the prediction reads outside calibrated tables: not at all; in some table; on a network
 * of more processes than were measured, which may do what no smaller one shows. */
enum fr_outside { FR_INSIDE, FR_OUTSIDE, FR_OUTSIDE_PROCESSES };
enum fr_outside fr_prediction_outside(const struct fr_prediction *prediction);
bool fr_prediction_is_extrapolated(const struct fr_prediction *prediction);
/* Warns that something of unknown amount is left out. */
void fr_warn_left_out(struct fr_prediction *out, enum fr_warning_code code);
/* The amount to be charged of it: 0 or, where it is weighed, FR_WEIGHING of its unit. */
double fr_left_out(const struct fr_prediction *out, enum fr_warning_code code);
const char *fr_warning_name(enum fr_warning_code code);
/* Writes a fraction as a percentage for people. */
void fr_percent_print(double fraction, char *out, size_t size);
/* Writes the sentence for people; `cal` gives the sources of assumed values. */
void fr_warning_print(const struct fr_warning *warning, const struct fr_prediction *prediction,
                      const struct fr_calibration *cal, char *out, size_t size);

/* The arguments of a prediction. */
struct fr_evaluation {
    const struct fr_calibration *cal;
    struct fr_arena *arena;
    struct fr_prediction *out;
    struct fr_faults *faults; /* found while computing; any fault refuses the prediction */
    /* A model may stop once its time is sure to exceed this, and leave time_s infinite; 0 or
     * infinite: none. */
    double limit_s;
    /* What predictions with the same calibration share, in the model's kept_bytes, which are zero
     * before the first one; NULL: nothing. */
    void *kept;
    /* A time that is right within FR_ROUGH serves; a model may do less work for it. */
    bool is_rough;
    /* The time alone serves; a model may leave out lower bounds. */
    bool is_time_alone;
};
#define FR_ROUGH 0.03

#endif
