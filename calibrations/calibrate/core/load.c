#include "calibrations/calibrate/core/environment.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "calibrations/calibrate/core/sample.h"

/* A tenth of a core is more than an idle system takes, and a hundredth of the cores more than the
 * error of its clock ticks. */
static const double least_cores = 0.1, least_share = 0.01, most_slowdown = 1.1;
/* Shorter excesses may be the rounding of a few ticks of 10 ms. */
static const double least_s = 0.05;

enum { REFERENCE_STEPS = 500000, REFERENCE_ROUNDS = 5, CPUS_MAX = 4096 };

static const char processors[] = "/sys/devices/system/cpu";

double fr_load_clock_hz(const char *folder)
{
    double highest_khz = 0;

    for (int cpu = 0; cpu < CPUS_MAX; cpu++) {
        char path[PATH_MAX];

        snprintf(path, sizeof path, "%s/cpu%d", folder ? folder : processors, cpu);
        if (access(path, F_OK) != 0)
            break;
        snprintf(path, sizeof path, "%s/cpu%d/cpufreq/scaling_cur_freq",
                 folder ? folder : processors, cpu);
        highest_khz = fmax(highest_khz, fr_system_number(path, NULL)); /* ignores NAN */
    }
    return 1e3 * highest_khz;
}

static double count_throttles(void)
{
    char path[100];
    double sum = 0;

    for (int cpu = 0; cpu < CPUS_MAX; cpu++) {
        snprintf(path, sizeof path, "%s/cpu%d/thermal_throttle", processors, cpu);
        if (access(path, F_OK) != 0)
            break;
        snprintf(path, sizeof path, "%s/cpu%d/thermal_throttle/core_throttle_count", processors,
                 cpu);
        sum += fmax(0, fr_system_number(path, NULL));
    }
    return sum;
}

struct fr_load_reading fr_load_read(const char *stat, double at_s)
{
    struct fr_load_reading reading = {
        .at_s = at_s, .busy_s = NAN, .stolen_s = NAN, .throttles = count_throttles()
    };
    const double ticks_per_s = (double)sysconf(_SC_CLK_TCK);
    FILE *file = fopen(stat ? stat : "/proc/stat", "r");
    double user, nice, system, idle, wait, irq, softirq, steal;

    if (!file)
        return reading;
    /* Interrupts are left out: messages of the job cause some. */
    if (fscanf(file, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &user, &nice, &system, &idle, &wait,
               &irq, &softirq, &steal) == 8) {
        reading.busy_s = (user + nice + system) / ticks_per_s;
        reading.stolen_s = steal / ticks_per_s;
    }
    fclose(file);
    return reading;
}

double fr_load_reference_s(void)
{
    double best_s = HUGE_VAL;

    for (int round = 0; round < REFERENCE_ROUNDS; round++) {
        const double began_s = fr_stopwatch_s();
        volatile double result;
        double x = 1;

        for (int step = 0; step < REFERENCE_STEPS; step++)
            x = x * 0.5 + 1;
        result = x;
        (void)result;
        best_s = fmin(best_s, fr_stopwatch_s() - began_s);
    }
    return best_s;
}

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

double fr_load_own_s(void)
{
    struct rusage self, children;

    getrusage(RUSAGE_SELF, &self);
    getrusage(RUSAGE_CHILDREN, &children);
    return seconds(self.ru_utime) + seconds(self.ru_stime) + seconds(children.ru_utime) +
           seconds(children.ru_stime);
}

/* Cores for so many seconds of work within `taken_s`; 0 for less than can be told. */
static double cores_of(double work_s, double taken_s)
{
    return work_s > least_s && taken_s > 0 ? work_s / taken_s : 0;
}

struct fr_load fr_load_between(const struct fr_load_reading *before,
                               const struct fr_load_reading *after, double best_s)
{
    const double taken_s = after->at_s - before->at_s;
    const double own_s = after->own_s - before->own_s;
    const double slowest_s = fmax(before->reference_s, after->reference_s);
    const double lowest_hz = fmin(before->clock_hz, after->clock_hz);
    const double highest_hz = fmax(before->clock_hz, after->clock_hz);

    return (struct fr_load){
        .foreign_cores = cores_of(after->busy_s - before->busy_s - own_s, taken_s),
        .stolen_cores = cores_of(after->stolen_s - before->stolen_s, taken_s),
        .throttles = after->throttles - before->throttles,
        .slowdown = best_s > 0 ? fmax(1, slowest_s / best_s) : 1,
        .clock_ratio = lowest_hz > 0 ? highest_hz / lowest_hz : 1,
    };
}

static bool is_much(double busy_cores, int cores)
{
    return busy_cores > least_cores && busy_cores > least_share * cores;
}

bool fr_load_is_disturbing(const struct fr_load *load, int cores)
{
    return is_much(load->foreign_cores, cores) || is_much(load->stolen_cores, cores) ||
           load->throttles > 0 || load->slowdown > most_slowdown ||
           load->clock_ratio > most_slowdown;
}

void fr_load_print(const struct fr_load *load, int cores, char out[FR_LOAD_BYTES])
{
    const struct {
        bool is_reason;
        const char *before, *after;
        double value;
        int decimals;
    } reason[] = {
        { is_much(load->foreign_cores, cores), "other work on ", " cores", load->foreign_cores, 1 },
        { is_much(load->stolen_cores, cores), "the hypervisor took ", " cores", load->stolen_cores,
          1 },
        { load->throttles > 0, "throttled ", " times", load->throttles, 0 },
        { load->slowdown > most_slowdown, "a reference loop took ", " times its best time",
          load->slowdown, 2 },
        { load->clock_ratio > most_slowdown, "the clock changed by a factor of ", "",
          load->clock_ratio, 2 },
    };
    size_t used = 0;

    out[0] = '\0';
    for (size_t i = 0; i < sizeof reason / sizeof *reason; i++)
        if (reason[i].is_reason && used < FR_LOAD_BYTES)
            used += (size_t)snprintf(out + used, FR_LOAD_BYTES - used, "%s%s%.*f%s",
                                     used ? ", " : "", reason[i].before, reason[i].decimals,
                                     reason[i].value, reason[i].after);
}
