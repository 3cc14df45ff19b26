/* The slowest of the processors of a job (docs/models/variability.md). */
#include "engine/core/statistics.h"
#include "engine/lookup/lookup.h"

#include <math.h>

/* A number of processors, drawn from all that are known. */
struct slowest {
    double mean, low, high; /* low and high: FR_COVERAGE of the choices lie between */
};

/* Of k drawn from N, that on place i is the slowest in C(i-1, k-1) of C(N, k) cases. */
static struct slowest slowest_of(const double *time, size_t known, double drawn)
{
    const double least = 0x1p-64; /* what is left adds no digit */
    const double tail = (1 - FR_COVERAGE) / 2;
    struct slowest of = { .mean = 0 };
    double chance = drawn / (double)known, above = 0; /* of this place, and of those above it */

    for (size_t i = known;; i--) {
        of.mean += chance * time[i - 1];
        if (above < tail)
            of.high = time[i - 1];
        if (above <= 1 - tail)
            of.low = time[i - 1];
        above += chance;
        if ((double)i <= drawn || chance < least)
            return of;
        chance *= ((double)i - drawn) / (double)(i - 1);
    }
}

/* The mean of the greatest of so many standard normal numbers (G. Blom, Statistical Estimates and
 * Transformed Beta-Variables, 1958): the quantile at (count - 3/8)/(count + 1/4), which Newton's
 * method reaches from below. */
static double greatest_normal(double count)
{
    const double pi = 3.14159265358979323846, at = (count - 0.375) / (count + 0.25);
    double z = 0, step;

    do {
        step = (at - 0.5 * erfc(-z / sqrt(2))) * sqrt(2 * pi) * exp(z * z / 2);
        z += step;
    } while (step > 1e-12);
    return z;
}

double fr_kernel_late(struct fr_evaluation *run, double meeting)
{
    const double measured = (double)run->cal->kernels.variability.cores;
    const double late = run->cal->kernels.variability.late_fraction;

    if (isnan(late) || measured < 2)
        return NAN;
    run->out->used |= FR_USE(VARIABILITY);
    return meeting < 2 ? 0 : late * greatest_normal(meeting) / greatest_normal(measured);
}

double fr_kernel_deviation(struct fr_evaluation *run, double cores)
{
    const struct fr_calibration *cal = run->cal;
    const size_t known = cal->kernels.variability.processor_times.count;
    const double measured = (double)cal->kernels.variability.cores;
    const double late = fr_kernel_late(run, measured);
    const double of_calls = isnan(late) ? 0 : late / greatest_normal(measured);
    double mean = 0, squares = of_calls * of_calls;

    for (size_t i = 0; i < known; i++)
        mean += cal->slowness[i] / (double)known;
    for (size_t i = 0; i < known && cores > measured; i++)
        squares += pow(cal->slowness[i] / mean - 1, 2) / (double)known;
    return sqrt(squares);
}

double fr_kernel_choice(struct fr_evaluation *run, double cores)
{
    const struct fr_calibration *cal = run->cal;
    const size_t known = cal->kernels.variability.processor_times.count;
    struct slowest of;
    double drawn;

    if (!known)
        return 1;
    run->out->used |= FR_USE(VARIABILITY);
    drawn = ceil(cores / (double)cal->kernels.variability.cores);
    of = slowest_of(cal->slowness, known, fmin(drawn, (double)known));
    run->out->slowest_low = of.low / of.mean;
    run->out->slowest_high = of.high / of.mean;
    if (drawn <= (double)known)
        return of.mean;
    return of.mean *
           fr_extrapolate(run->out, "kernels.variability.processor_times", drawn, 1, (double)known);
}

double fr_kernel_slowest(struct fr_evaluation *run, double cores, double meeting)
{
    const double mean = fr_kernel_choice(run, cores);
    double late;

    if (!run->cal->kernels.variability.processor_times.count)
        return 1;
    late = fr_kernel_late(run, meeting);
    return mean * (isnan(late) ? 1 : 1 + late);
}
