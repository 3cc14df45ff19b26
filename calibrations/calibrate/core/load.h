/* Whether something disturbed a measurement: other work, a hypervisor, or a slower processor. */
#ifndef FR_LOAD_H
#define FR_LOAD_H

#include <stdbool.h>
#include <stddef.h>

/* A node at one time. */
struct fr_load_reading {
    double at_s;        /* any clock */
    double busy_s;      /* of all its processors, since it started; NaN: unknown */
    double stolen_s;    /* in which the hypervisor ran something else; NaN: unknown */
    double own_s;       /* processor time of the job's processes on the node */
    double throttles;   /* times that a core was throttled for heat; 0 if unknown */
    double reference_s; /* of fr_load_reference_s; 0: not measured */
    double clock_hz;    /* of fr_load_clock_hz after it; 0: unknown */
};

/* What happened between two readings. */
struct fr_load {
    double foreign_cores; /* busy with other work */
    double stolen_cores;
    double throttles;
    double slowdown;    /* of the reference loop, in comparison with its best time; at least 1 */
    double clock_ratio; /* of the higher clock to the lower; at least 1 */
};

/* Reads the counters of Linux, of the processors from the file `stat` (NULL: /proc/stat); those
 * that there are not stay unknown.  `own_s` is left to the caller. */
struct fr_load_reading fr_load_read(const char *stat, double at_s);
/* Times a loop of dependent additions and multiplications on this core: best of several, in all
 * about 5 ms. */
double fr_load_reference_s(void);
/* The clock of the fastest processor, as cpu0/cpufreq/scaling_cur_freq and so on say below
 * `folder`; 0 where none does.  NULL: of this computer.  After the reference loop the fastest is
 * the one that worked, and idle ones may be slow. */
double fr_load_clock_hz(const char *folder);
/* The processor time of this process and of the children that it has waited for. */
double fr_load_own_s(void);

/* `best_s` is the best time of the reference loop in the whole run. */
struct fr_load fr_load_between(const struct fr_load_reading *before,
                               const struct fr_load_reading *after, double best_s);
/* Whether a measurement on a node of so many cores should be repeated: other work or stolen time of
 * more than a tenth of a core and a hundredth of the cores, throttling, or a processor or its
 * clock that changed by more than a tenth. */
bool fr_load_is_disturbing(const struct fr_load *load, int cores);
/* Writes the reasons: "other work on 1.1 cores, throttled 3 times". */
enum { FR_LOAD_BYTES = 200 };
void fr_load_print(const struct fr_load *load, int cores, char out[FR_LOAD_BYTES]);

#endif
