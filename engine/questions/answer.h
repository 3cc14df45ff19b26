/* Answers to a question about one configuration, and what they depend on. */
#ifndef FR_QUESTIONS_ANSWER_H
#define FR_QUESTIONS_ANSWER_H

#include "engine/calibration/calibration.h"
#include "engine/core/arena.h"
#include "engine/core/param.h"
#include "engine/core/statistics.h"
#include "engine/prediction/model.h"
#include "engine/runs/accuracy.h"
#include "engine/runs/saved_run.h"

/* ---- answer ---------------------------------------------------------------------------- */

/* An answer: the prediction with saved runs, what it rests on, and how far it may be off. */

/* ---- shares ---------------------------------------------------------------------------- */

/* How much of a prediction rests on what its warnings say is extrapolated. */

/* How wrong a prediction may be because it is for more processes than the network was measured
 * on. */
struct fr_extrapolation {
    bool is_present; /* the time depends on such a network; otherwise all are NaN: */
    double measured_processes, processes;
    /* The times if everything that is extrapolated takes less, or more, by its expected error, and
     * high_s / time_s - 1; NaN: there were too few measurements to tell. */
    double low_s, high_s, expected_error_fraction;
};
/* Sets share_fraction of the warnings `extrapolated`: by how much of an error of the extrapolated
 * values the time changes.  Each takes a prediction more: where that takes long, only the first
 * is weighed, and where it fails, none; the other shares stay NaN.  `values` are resolved, and
 * those of the prediction.  Then finds the expected errors (docs/calibration.md#expected-errors),
 * and sets those of the warnings, by two predictions more if anything is extrapolated. */
struct fr_extrapolation fr_extrapolation_find(const struct fr_model *model, const void *values,
                                              const struct fr_calibration *cal,
                                              struct fr_arena *arena,
                                              struct fr_prediction *prediction);
/* Writes the sentence for people, of one that is present. */
void fr_extrapolation_print(const struct fr_extrapolation *of, char *out, size_t size);

/* ---- answer ---------------------------------------------------------------------------- */

/* The answer to a question: one prediction, or the median over predictions with matching saved
 * runs. */

/* The spread of the predictions with each matching saved run. */
struct fr_spread {
    size_t runs; /* 0 if no saved run was used; the other members are then undefined */
    struct fr_box_statistics box;
    double unaided_s;    /* predicted without the measurements of the runs; NaN: not possible */
    bool is_transferred; /* the nearest run corrects the estimate; `runs` is then 0 */
};
/* Resolves and predicts bound values, once with each matching saved run; the answer is the median
 * prediction (docs/saved_runs.md#runs-that-serve-a-prediction).  `values` become resolved. `source`
 * may be NULL. */
int fr_model_answer(const struct fr_model *model, void *values, const struct fr_run_source *source,
                    const struct fr_calibration *cal, struct fr_arena *arena,
                    struct fr_prediction *out, struct fr_spread *spread, struct fr_faults *faults);

/* ---- outlook --------------------------------------------------------------------------- */

/* What to expect of the measured time of a prediction: its interval, and the time that a share of
 * runs does not exceed. */

/* What a request asks for; NaN: not given. */
struct fr_outlook_asked {
    double quantile; /* share of runs, 0.5 to 0.99 */
    double margin_percent;
};
extern const struct fr_param fr_outlook_params[];
/* FR_OK, or a fault: a margin has no meaning without a quantile. */
int fr_outlook_check(const struct fr_outlook_asked *asked, struct fr_faults *faults);

enum fr_quantile_basis {
    FR_QUANTILE_MODEL,      /* residuals of runs of this model */
    FR_QUANTILE_SIZE_CLASS, /* of those with a time of the same decade */
    FR_QUANTILE_LARGEST,    /* the largest residual of too few runs, which exceeds the margin */
    FR_QUANTILE_STATED,     /* the margin that the request states */
    FR_QUANTILE_ASSUMED,    /* FR_USUAL_MARGIN_PERCENT */
};
enum { FR_USUAL_MARGIN_PERCENT = 25 };
/* The name in answers; static. */
const char *fr_quantile_basis_name(enum fr_quantile_basis basis);

struct fr_outlook {
    bool has_interval;
    struct fr_interval interval;
    double quantile_s; /* NaN: not asked for */
    enum fr_quantile_basis basis;
    size_t runs, needed; /* comparable runs, and the fewest that guarantee the quantile */
    double margin_percent;
    bool is_assumed; /* the runs are too few, and the request states no margin */
    bool is_widened; /* the quantile includes the expected error of an extrapolation */
};
/* The outlook of one prediction (docs/saved_runs.md#quantiles-of-the-measured-time).  `errors` may
 * be NULL: none are known.  `spread` is that of fr_model_answer. */
void fr_outlook_find(const struct fr_outlook_asked *asked, const struct fr_errors *errors,
                     const struct fr_prediction *prediction, const struct fr_spread *spread,
                     struct fr_outlook *out);
/* Widens the interval, and moves the quantile up, by the error that is expected of extrapolation
 * (docs/saved_runs.md#prediction-intervals); NaN: by nothing. */
void fr_outlook_widen(struct fr_outlook *outlook, double predicted_s,
                      double expected_error_fraction);
/* Finds the outlook of one prediction, widened by its extrapolation, which takes a few predictions
 * more if there is one.  `values` are resolved, and those of the prediction, whose warnings get
 * their shares and expected errors. */
void fr_outlook_foresee(const struct fr_outlook_asked *asked, const struct fr_errors *errors,
                        const struct fr_model *model, const void *values,
                        const struct fr_calibration *cal, struct fr_arena *arena,
                        struct fr_prediction *prediction, const struct fr_spread *spread,
                        struct fr_outlook *out);
/* Says where a quantile comes from, to follow a time: "in 95 of 100 runs". */
void fr_outlook_print_basis(const struct fr_outlook *outlook, const struct fr_outlook_asked *asked,
                            char *out, size_t size);
/* Warns of an assumed margin. */
void fr_outlook_warn(const struct fr_outlook *outlook, struct fr_prediction *prediction);
/* Writes HH:MM:SS, rounded up to a whole minute of at least one: schedulers take 0 as unlimited. */
enum { FR_WALL_TIME_BYTES = 32 };
void fr_wall_time_print(double time_s, char out[FR_WALL_TIME_BYTES]);

/* Sensitivity: which calibrated values change a prediction most. */

enum { FR_MOST_INFLUENCES = 96, FR_INFLUENCE_BYTES = 64 };

/* What a change of one value, or of all values of a table, does to the time. */
struct fr_influence {
    char path[FR_INFLUENCE_BYTES]; /* of a what-if */
    /* With the factor, and with its inverse; NaN: such a machine has no prediction. */
    double multiplied_s, divided_s;
    double width_s; /* from the least to the greatest of these and the unchanged time */
};

struct fr_sensitivity {
    double time_s; /* unchanged */
    size_t tried;  /* values of the calibration that a model could read */
    size_t count;  /* those that change the time */
    struct fr_influence row[FR_MOST_INFLUENCES]; /* the widest first */
};

/* Predicts with `factor` (> 1) times each of: all bandwidths and all latencies of the network, the
 * contention, the rate of each kernel, and each other value of node, network, memory, sparse and
 * cnc; and with 1 / `factor` times each.  `values` are bound and not resolved, and stay unchanged.
 * Takes at most 2 * FR_MOST_INFLUENCES + 1 predictions.  Returns FR_OK, or the faults of the
 * unchanged question; FR_NOMEM if the work exceeds that of a question. */
int fr_sensitivity_find(const struct fr_model *model, const void *values,
                        const struct fr_run_source *source, const struct fr_calibration *cal,
                        double factor, struct fr_arena *arena, struct fr_sensitivity *out,
                        struct fr_faults *faults);

/* Held-out checks: how wrong extrapolation was inside a calibration's own measurements. */

/* Sets cal->held_outs, in the arena, from the tables of `contention` and `kernels` of a prepared
 * calibration: each key of each table without its outer values, and without one value at a time
 * (docs/calibration.md#held-out-checks).  FR_OK, or FR_NOMEM and a fault.  A document with very
 * many rows is checked in part. */
int fr_held_outs_find(struct fr_calibration *cal, struct fr_arena *arena, struct fr_faults *faults);

/* The tables of a calibration that held-out checks go through, as rows by keys. */

/* A table.  Curves have rows too: their key and abscissa stand in for processes and distance. */
struct held_out_table {
    const char *what[FR_TIMING_KEYS]; /* names of the keys in warnings; NULL: not checked */
    /* One of the three: where struct fr_calibration has the rows, the curves, or the only curve. */
    size_t timings, curves, curve;
    /* What models look up at the keys of a row: a time, a ratio or a factor. */
    double (*value)(const struct held_out_table *table, struct fr_evaluation *run,
                    const struct fr_timing *row);
    bool reads_factors;      /* of contention, for what lies outside the table */
    enum fr_routine routine; /* of kernels */
    int precision;
};
enum { HELD_OUT_TABLES = 23 };
extern const struct held_out_table held_out_tables[HELD_OUT_TABLES];

/* The rows of a table, ascending by pattern, layers and keys; those of curves in the arena, none if
 * it is full. */
struct fr_timings held_out_rows(const struct held_out_table *table, struct fr_calibration *cal,
                                struct fr_arena *arena);
/* Makes these rows, at least one and in that order, the only ones of the table.  False if the arena
 * is full. */
bool held_out_narrow(const struct held_out_table *table, struct fr_timings rows,
                     struct fr_arena *arena, struct fr_calibration *cal);

#endif
