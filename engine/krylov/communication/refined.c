/* Refined communication: ratios of measured exchanges and bursts
 * (docs/models/krylov.md#refined-communication). */
#include "engine/krylov/communication/krylov.h"
#include "engine/lookup/lookup.h"

#include <math.h>

/* One process does not communicate and looks nothing up. */
static bool is_refined(const struct krylov_values *v)
{
    return v->contention_model == KRYLOV_REFINED && krylov_processes_of(v) > 1;
}

bool krylov_has_exchange_table(const struct krylov_values *v, const struct fr_calibration *cal)
{
    return is_refined(v) && cal->exchange.count > 0;
}

bool krylov_has_burst_table(const struct krylov_values *v, const struct fr_calibration *cal)
{
    return is_refined(v) && cal->burst.count > 0;
}

/* By the protocols of the document: the measurement does not depend on a moved eager limit. */
static double ratio(const void *context, const struct fr_timing *row)
{
    struct fr_evaluation run = fr_timing_run(context);

    return row->average_s / fr_message_s(&run, row->key[FR_TIMING_BYTES]);
}

/* The rounds of an allreduce follow each other, so a round costs what it adds to the slowest
 * process; the mean where only that was measured. */
static double round_ratio(const void *context, const struct fr_timing *row)
{
    struct fr_evaluation run = fr_timing_run(context);

    return row->maximum_s / fr_message_s(&run, row->key[FR_TIMING_BYTES]);
}

static double ratio_at(const struct krylov_values *v, struct fr_evaluation *run,
                       const struct fr_timings *rows, const char *const what[FR_TIMING_KEYS],
                       double distance, double bytes,
                       double (*of)(const void *context, const struct fr_timing *row))
{
    const struct fr_timing_question question = {
        .run = run,
        .rows = *rows,
        .at = { krylov_processes_of(v), distance, bytes },
        .what = what,
        .ratio = of,
        .context = run,
    };

    return fr_timing_ratio(&question);
}

double krylov_exchange_ratio(const struct krylov_values *v, struct fr_evaluation *run, double bytes,
                             double distance)
{
    static const char *const what[FR_TIMING_KEYS] = {
        "contention.exchange.processes",
        "contention.exchange.distance",
        "contention.exchange.message_bytes",
    };

    run->out->used |= FR_USE(EXCHANGE);
    return ratio_at(v, run, &run->cal->exchange, what, distance, bytes, round_ratio);
}

double krylov_fold_ratio(const struct krylov_values *v, struct fr_evaluation *run, double bytes)
{
    static const char *const what[FR_TIMING_KEYS] = {
        "contention.fold.processes",
        "contention.fold.distance",
        "contention.fold.message_bytes",
    };

    run->out->used |= FR_USE(FOLD);
    return ratio_at(v, run, &run->cal->fold, what, 1, bytes, ratio);
}

double krylov_burst_ratio(const struct krylov_values *v, struct fr_evaluation *run, double bytes)
{
    static const char *const what[FR_TIMING_KEYS] = {
        "contention.burst.processes",
        "contention.burst.distance",
        "contention.burst.message_bytes",
    };

    run->out->used |= FR_USE(BURST);
    return ratio_at(v, run, &run->cal->burst, what, 1, bytes, ratio);
}

static double least_ratio(const struct fr_timings *rows, const struct fr_evaluation *run,
                          double (*of)(const void *context, const struct fr_timing *row))
{
    double least = 1;

    for (size_t i = 0; i < rows->count; i++)
        least = fmin(least, of(run, &rows->row[i]));
    return least;
}

double krylov_least_exchange_ratio(const struct krylov_values *v, struct fr_evaluation *run)
{
    return krylov_has_exchange_table(v, run->cal)
               ? fmin(least_ratio(&run->cal->exchange, run, round_ratio),
                      least_ratio(&run->cal->fold, run, ratio))
               : 1;
}

double krylov_least_burst_ratio(const struct krylov_values *v, struct fr_evaluation *run)
{
    return krylov_has_burst_table(v, run->cal) ? least_ratio(&run->cal->burst, run, ratio) : 1;
}

double krylov_contention_s(const struct krylov_values *v, struct fr_evaluation *run, double bytes,
                           double distance)
{
    const double shared =
        fr_message_link(run, fr_contention_bytes(run))->inverse_bandwidth_s_per_byte;
    const double factor = fr_contention_average_among(run, krylov_processes_of(v), distance);

    return bytes * fmax(0, factor * shared - krylov_inverse_bandwidth(v, run, bytes));
}
