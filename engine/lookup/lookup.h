/* Look-ups in a calibration; each records what it read and extrapolated. */
#ifndef FR_LOOKUP_LOOKUP_H
#define FR_LOOKUP_LOOKUP_H

#include "engine/calibration/calibration.h"
#include "engine/core/fault.h"
#include "engine/prediction/prediction.h"

/* Measured curves: linear between points, constant outside.  A curve has at least one point; its
 * abscissas are ascending, log2 of a size, distance or process count.  Private to the engine. */

/* The curve at x; outside its range the value of the nearest end.  O(log points). */
double fr_curve_at(const struct fr_curve *curve, double x);
/* Whether x lies within the range, ends included. */
bool fr_curve_covers(const struct fr_curve *curve, double x);
/* The ends of the range. */
double fr_curve_low(const struct fr_curve *curve);
double fr_curve_high(const struct fr_curve *curve);
/* The value at x of the line through (x0, y0) and (x1, y1); x0 and x1 differ. */
double fr_interpolate(double x, double x0, double y0, double x1, double y1);

/* Names of the two keys of a table in warnings: of the abscissa, and of the curves' key.  The
 * values are rates or times: an expected error that lengthens a time lowers a rate. */
struct fr_curves_names {
    const char *abscissa, *key;
    bool are_rates;
};
/* The value at `value` (its log2 is the abscissa) on the curves of the nearest keys, then linear in
 * the key itself; constant outside, with a warning for either.  `curves` has at least one. */
double fr_curves_at(struct fr_evaluation *run, const struct fr_curves *curves,
                    struct fr_curves_names names, double value, double key);

/* The least-squares polynomial of degree min(2, count - 1) of the points (x, y), evaluated at `at`.
 * count is at least 1; x are distinct and ascending.  O(count). */
double fr_fit_quadratic(const double *x, const double *y, size_t count, double at);

/* Latencies between nodes by protocol and by their distance in the order of the job, linear in log2
 * of the distance and constant beyond the measured distances
 * (docs/models/block_cyclic.md#latency-by-distance).  Private to the engine. */

/* Fills cal->latencies from network.latency_by_distance, in the arena.  A factor by which a what-if
 * changes the latency of a protocol applies to its latencies by distance as well.  Adds a fault
 * FR_NOMEM if the arena is full. */
void fr_latencies_prepare(struct fr_calibration *cal, struct fr_arena *arena,
                          struct fr_faults *faults);

/* Where a distance lies: behind the measured one of this index, by a share of the way to the next.
 */
struct fr_latency_place {
    uint32_t below;
    float share; /* 0 to 1 */
};
/* The calibration must have latencies.  Records their use and warns beyond them.  O(log rows). */
struct fr_latency_place fr_latency_place_of(struct fr_evaluation *run, double distance);
/* The latency of a protocol at a place. */
static inline struct fr_latency fr_latency_at(const struct fr_latencies *latencies,
                                              struct fr_latency_place place, size_t protocol)
{
    const struct fr_latency *low = &latencies->of[place.below * latencies->protocols + protocol];
    const struct fr_latency *high = place.share > 0 ? low + latencies->protocols : low;
    const double share = (double)place.share;

    return (struct fr_latency){
        .mean_s = low->mean_s + share * (high->mean_s - low->mean_s),
        .beyond_s = low->beyond_s + share * (high->beyond_s - low->beyond_s),
    };
}

/* Measured times of whole communication patterns, as ratios to the times of an equation.
 *
 * Times jump where the protocol changes; the ratios vary slowly.  So ratios are interpolated:
 * linear in log2 of the bytes, then of the distance, then of the process count, constant outside
 * (docs/models/dense.md#interpolation-of-measured-patterns,
 * docs/models/krylov.md#measured-ratios).  Private to the engine.
 */

/* Fills cal->patterns, exchange, fold and burst from the tables of `contention`, sorted, in the
 * arena. Rows of patterns whose processes form no square layers are left out.  Adds a fault
 * FR_NOMEM if the arena is full. */
void fr_timings_prepare(struct fr_calibration *cal, struct fr_arena *arena,
                        struct fr_faults *faults);
/* Whether processes communicate only with those at the same place of other layers. */
bool fr_pattern_crosses_layers(enum fr_pattern_kind pattern);
/* Whether the pattern exists on that many processes: they form layers of q x q, and more than one
 * process takes part. */
bool fr_pattern_is_possible(enum fr_pattern_kind pattern, int64_t processes, int64_t layers);
/* The rows of cal->patterns with this pattern and number of layers, possibly none; borrowed.
 * O(log rows). */
struct fr_timings fr_timings_of(const struct fr_calibration *cal, enum fr_pattern_kind pattern,
                                int64_t layers);

/* A lookup of a ratio. */
struct fr_timing_question {
    struct fr_evaluation *run;
    struct fr_timings rows; /* at least one */
    double at[FR_TIMING_KEYS];
    const char *const *what; /* names of the keys in warnings, FR_TIMING_KEYS of them */
    /* The measured time of a row over that of the equation. */
    double (*ratio)(const void *context, const struct fr_timing *row);
    const void *context;
};
/* The evaluation with the calibration as it was measured.  Ratios are computed with it, so a
 * what-if that changes messages changes patterns in the same proportion. */
struct fr_evaluation fr_timing_run(const struct fr_evaluation *run);
/* The interpolated ratio; warns where the question lies outside the rows. */
double fr_timing_ratio(const struct fr_timing_question *question);

/* Costs of BLAS calls as programs make them (docs/models/block_cyclic.md#costs-of-calls). */

/* What a call of m, n and k does: its multiplications with their additions, and the elements of
 * its operands.  Extra columns of dgemm multiply too; NULL: none.  dsyrk: m = n; dtrsm: m = k the
 * order of the triangle, n right-hand sides. */
struct fr_call_amounts {
    double multiply_adds, a_elements, b_elements, c_elements;
};
struct fr_call_amounts fr_call_amounts(enum fr_blas_call call, const struct fr_extra_columns *extra,
                                       double m, double n, double k);

/* The rows of one call and thread count, in order; count 0: none.  Borrowed from the
 * calibration. */
struct fr_call_costs {
    const struct fr_call_cost *row[FR_CALL_ROWS_MAX];
    size_t count;
    const struct fr_extra_columns *extra; /* of dgemm; else NULL */
};
struct fr_call_costs fr_call_costs_find(const struct fr_calibration *cal, enum fr_blas_call call,
                                        int64_t threads);

/* Seconds of a call; its sizes are above 0 and may be fractional.  Warns beyond the sizes measured.
 */
double fr_call_s(struct fr_evaluation *run, const struct fr_call_costs *costs, double m, double n,
                 double k);
/* No more than the calls take together among which the n columns are divided. */
double fr_call_least_s(const struct fr_call_costs *costs, double m, double n, double k);

/* Lookups in the calibration of an evaluation: contention factors, messages, kernels.
 *
 * Each records in run->out which table it read and warns where it extrapolates.  The table must
 * exist: the model's resolve() has checked it.
 */

/* Contention factors, dimensionless: the time of a transfer over `distance` ranks while all
 * processes send, over that of an uncontended message
 * (docs/models/dense.md#messages-and-contention-factors).  C_avg is the mean over the processes. */
double fr_contention_average(struct fr_evaluation *run, double distance);
/* C_avg where `processes` send, if the calibration has factors by process count; else as above
 * (docs/models/dense.md#messages-under-contention). */
double fr_contention_average_among(struct fr_evaluation *run, double processes, double distance);
/* C_max, the factor of the slowest of `processes`. */
double fr_contention_maximum(struct fr_evaluation *run, double processes, double distance);

/* Latency and inverse bandwidth of the first protocol that carries `bytes`: between nodes, or
 * within the node where the calibration has no off-node values.  Borrowed from the calibration. */
const struct fr_link *fr_message_link(struct fr_evaluation *run, double bytes);
/* Seconds of an uncontended message; `bytes` may be fractional. */
double fr_message_s(struct fr_evaluation *run, double bytes);
/* The message size that the contention factors were measured with; INFINITY where it is unknown,
 * which selects the last protocol. */
double fr_contention_bytes(struct fr_evaluation *run);
/* Seconds of a message at contention factor `factor`, which applies to the inverse bandwidth of
 * messages of `reference_bytes` (docs/models/dense.md#messages-under-contention). */
double fr_message_contended_s(struct fr_evaluation *run, double bytes, double factor,
                              double reference_bytes);

/* How MPI broadcasts so many bytes; `assumed`, with a warning, if the calibration does not say it.
 */
enum fr_broadcast_algorithm fr_broadcast_chosen(struct fr_evaluation *run, double bytes,
                                                enum fr_broadcast_algorithm assumed);

/* Seconds of a routine on square operands of order n (docs/models/dense.md#kernels).  Without rates
 * of this precision, or if it is open (-1), each real operation costs as in double precision, with
 * a warning (docs/models/dense.md#precision). */
double fr_kernel_s(struct fr_evaluation *run, enum fr_routine routine, int precision, double n,
                   double threads);
/* The measured rates; none if count is 0.  Borrowed from the calibration. */
const struct fr_curves *fr_kernel_rates(const struct fr_calibration *cal, enum fr_routine routine,
                                        int precision);
/* The time of a kernel on the slowest of the processors that a job on so many cores has, in the
 * last of `meeting` processes that wait for each other after it, over the time of the look-ups
 * above; 1 where the calibration does not say how processors and calls differ
 * (docs/models/variability.md).
 */
double fr_kernel_slowest(struct fr_evaluation *run, double cores, double meeting);
/* The same without the last call: processors alone, which sets `slowest_low` and `slowest_high` of
 * the prediction.  A time that memory bounds is not multiplied by it, but may differ as much. */
double fr_kernel_choice(struct fr_evaluation *run, double cores);
/* How much longer than the mean the last of the calls of so many processes takes; NAN where the
 * calibration does not say it (docs/models/variability.md#the-last-call). */
double fr_kernel_late(struct fr_evaluation *run, double meeting);
/* The relative standard deviation of a call among so many cores: of processors, if there are
 * several, and of calls on one core; 0 where the calibration says neither. */
double fr_kernel_deviation(struct fr_evaluation *run, double cores);
/* Operations per second of one of the threads, in double precision. */
double fr_kernel_rate(struct fr_evaluation *run, enum fr_routine routine, double n, double threads);
/* Seconds per byte of a kernel that has by_size, of one of `processes` busy cores of a node. */
double fr_stream_byte_s(struct fr_evaluation *run, enum fr_stream stream, double processes,
                        double working_set_bytes);
/* The share of the memory bandwidth that a kernel reaches; 1 where it is not calibrated. */
double fr_stream_fraction(struct fr_evaluation *run, enum fr_stream stream);
const char *fr_routine_name(enum fr_routine routine);
/* Operations of a routine on operands of order n, leading term only
 * (docs/models/dense.md#decision-kernels-count-their-leading-term). */
double fr_routine_flops(enum fr_routine routine, double n);

#endif
