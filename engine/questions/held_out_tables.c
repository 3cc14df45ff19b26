/* Tables for held-out checks.  Curves are turned into rows and back. */
#include "engine/questions/answer.h"

#include "engine/dense/refined.h"
#include "engine/krylov/communication/krylov.h"
#include "engine/lookup/lookup.h"

#include <math.h>

static double pattern_value(const struct held_out_table *table, struct fr_evaluation *run,
                            const struct fr_timing *row)
{
    const double p = row->key[FR_TIMING_PROCESSES], c = (double)row->layers;
    const struct dense d = { .run = run,
                             .p = p,
                             .c = c,
                             .q = sqrt(p / c),
                             .word_bytes = sizeof(double),
                             .has_contention = true,
                             .is_refined = true };

    (void)table;
    return refined_pattern(&d, (enum fr_pattern_kind)row->pattern,
                           row->key[FR_TIMING_BYTES] / d.word_bytes, REFINED_MAXIMUM)
        .time_s;
}

static struct krylov_values job_of(const struct fr_timing *row)
{
    return (struct krylov_values){ .nodes = (int64_t)row->key[FR_TIMING_PROCESSES],
                                   .processes_per_node = 1,
                                   .contention_model = KRYLOV_REFINED };
}

static double exchange_value(const struct held_out_table *table, struct fr_evaluation *run,
                             const struct fr_timing *row)
{
    const struct krylov_values v = job_of(row);

    (void)table;
    return krylov_exchange_ratio(&v, run, row->key[FR_TIMING_BYTES], row->key[FR_TIMING_DISTANCE]);
}

static double fold_value(const struct held_out_table *table, struct fr_evaluation *run,
                         const struct fr_timing *row)
{
    const struct krylov_values v = job_of(row);

    (void)table;
    return krylov_fold_ratio(&v, run, row->key[FR_TIMING_BYTES]);
}

static double burst_value(const struct held_out_table *table, struct fr_evaluation *run,
                          const struct fr_timing *row)
{
    const struct krylov_values v = job_of(row);

    (void)table;
    return krylov_burst_ratio(&v, run, row->key[FR_TIMING_BYTES]);
}

static double maximum_value(const struct held_out_table *table, struct fr_evaluation *run,
                            const struct fr_timing *row)
{
    (void)table;
    return fr_contention_maximum(run, row->key[FR_TIMING_PROCESSES], row->key[FR_TIMING_DISTANCE]);
}

static double average_value(const struct held_out_table *table, struct fr_evaluation *run,
                            const struct fr_timing *row)
{
    (void)table;
    return fr_contention_average_among(run, row->key[FR_TIMING_PROCESSES],
                                       row->key[FR_TIMING_DISTANCE]);
}

static double lone_average_value(const struct held_out_table *table, struct fr_evaluation *run,
                                 const struct fr_timing *row)
{
    (void)table;
    return fr_contention_average(run, row->key[FR_TIMING_DISTANCE]);
}

static double kernel_value(const struct held_out_table *table, struct fr_evaluation *run,
                           const struct fr_timing *row)
{
    return fr_kernel_s(run, table->routine, table->precision, row->key[FR_TIMING_DISTANCE],
                       row->key[FR_TIMING_PROCESSES]);
}

#define AT(member) offsetof(struct fr_calibration, member)
#define KERNEL(name, of, in, at)                                                        \
    {                                                                                   \
        .what = { "kernels." name ".threads", "kernels." name ".n" }, .curves = AT(at), \
        .value = kernel_value, .routine = (of), .precision = (in),                      \
    }
#define DOUBLE(name, of) KERNEL(name, of, FR_DOUBLE, rate[of])
#define PRECISE(name, of, in) KERNEL(name, of, in, precise_rate[in][of])
#define KERNELS(path, in)                                                     \
    PRECISE(path ".gemm", FR_DGEMM, in), PRECISE(path ".trsm", FR_DTRSM, in), \
        PRECISE(path ".syrk", FR_DSYRK, in), PRECISE(path ".potrf", FR_DPOTRF, in)

const struct held_out_table held_out_tables[HELD_OUT_TABLES] = {
    { .what = { "contention.patterns.processes", NULL, "contention.patterns.message_bytes" },
      .timings = AT(patterns),
      .value = pattern_value,
      .reads_factors = true },
    { .what = { "contention.exchange.processes", "contention.exchange.distance",
                "contention.exchange.message_bytes" },
      .timings = AT(exchange),
      .value = exchange_value },
    { .what = { "contention.fold.processes", NULL, "contention.fold.message_bytes" },
      .timings = AT(fold),
      .value = fold_value },
    { .what = { "contention.burst.processes", NULL, "contention.burst.message_bytes" },
      .timings = AT(burst),
      .value = burst_value },
    { .what = { "contention.maximum.processes", "contention.maximum.distance" },
      .curves = AT(maximum),
      .value = maximum_value },
    { .what = { "contention.average.processes", "contention.average.distance" },
      .curves = AT(averages),
      .value = average_value },
    { .what = { NULL, "contention.average" }, .curve = AT(average), .value = lone_average_value },
    DOUBLE("dgemm", FR_DGEMM),
    DOUBLE("dtrsm", FR_DTRSM),
    DOUBLE("dsyrk", FR_DSYRK),
    DOUBLE("dpotrf", FR_DPOTRF),
    KERNELS("by_precision.single", FR_SINGLE),
    KERNELS("by_precision.complex", FR_COMPLEX),
    KERNELS("by_precision.double_complex", FR_DOUBLE_COMPLEX),
};

static void *in(struct fr_calibration *cal, size_t offset)
{
    return (char *)cal + offset;
}

static struct fr_timing row_of(int64_t key, double x)
{
    return (struct fr_timing){
        .key = { (double)key, round(exp2(x)), 1 },
        .x = { log2((double)key), x, 0 },
    };
}

/* The measured value of a curve is kept as average_s. */
static struct fr_timings rows_of(const struct fr_curves *curves, struct fr_arena *arena)
{
    struct fr_timing *row;
    size_t count = 0;

    for (size_t i = 0; i < curves->count; i++)
        count += curves->curve[i].count;
    row = fr_arena_zeroed(arena, count, sizeof *row);
    if (!row)
        return (struct fr_timings){ NULL, 0 };
    count = 0;
    for (size_t i = 0; i < curves->count; i++)
        for (size_t k = 0; k < curves->curve[i].count; k++, count++) {
            row[count] = row_of(curves->key[i], curves->curve[i].x[k]);
            row[count].average_s = curves->curve[i].y[k];
        }
    return (struct fr_timings){ row, count };
}

struct fr_timings held_out_rows(const struct held_out_table *table, struct fr_calibration *cal,
                                struct fr_arena *arena)
{
    static const int64_t any = 1;

    if (table->timings)
        return *(struct fr_timings *)in(cal, table->timings);
    if (table->curves)
        return rows_of(in(cal, table->curves), arena);
    return rows_of(&(struct fr_curves){ .key = &any, .curve = in(cal, table->curve), .count = 1 },
                   arena);
}

static bool set_curves(struct fr_curves *out, struct fr_timings rows, struct fr_arena *arena)
{
    double *x = fr_arena_zeroed(arena, rows.count, sizeof *x);
    double *y = fr_arena_zeroed(arena, rows.count, sizeof *y);
    int64_t *key = fr_arena_zeroed(arena, rows.count, sizeof *key);
    double *log2_key = fr_arena_zeroed(arena, rows.count, sizeof *log2_key);
    struct fr_curve *curve = fr_arena_zeroed(arena, rows.count, sizeof *curve);
    size_t curves = 0;

    if (!x || !y || !key || !log2_key || !curve)
        return false;
    for (size_t i = 0; i < rows.count; i++) {
        const struct fr_timing *row = &rows.row[i];

        if (!i || row->key[FR_TIMING_PROCESSES] != row[-1].key[FR_TIMING_PROCESSES]) {
            key[curves] = (int64_t)row->key[FR_TIMING_PROCESSES];
            log2_key[curves] = row->x[FR_TIMING_PROCESSES];
            curve[curves++] = (struct fr_curve){ x + i, y + i, 0 };
        }
        x[i] = row->x[FR_TIMING_DISTANCE];
        y[i] = row->average_s;
        curve[curves - 1].count++;
    }
    *out = (struct fr_curves){ key, log2_key, curve, curves };
    return true;
}

bool held_out_narrow(const struct held_out_table *table, struct fr_timings rows,
                     struct fr_arena *arena, struct fr_calibration *cal)
{
    struct fr_curves curves;

    if (table->timings) {
        *(struct fr_timings *)in(cal, table->timings) = rows;
        return true;
    }
    if (!set_curves(&curves, rows, arena))
        return false;
    if (table->curves)
        *(struct fr_curves *)in(cal, table->curves) = curves;
    else
        *(struct fr_curve *)in(cal, table->curve) = curves.curve[0];
    return true;
}
