/* Where the calibrator runs: the host, its cores, threads and child programs. */
#ifndef FR_ENVIRONMENT_H
#define FR_ENVIRONMENT_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- system ---------------------------------------------------------------------------- */

/* The first line of a file or, with a key, what follows it and a colon; empty if there is none. */
void fr_system_line(const char *path, const char *key, char *out, size_t size);
/* The number that such a line begins with; NAN if there is none. */
double fr_system_number(const char *path, const char *key);
/* Empty if unknown. */
void fr_system_cpu(char *out, size_t size);
void fr_system_governor(char *out, size_t size);
/* Memory that nothing uses now, the cache of files included in what is used. */
double fr_system_free_bytes(void);

/* The data caches of a core. */

enum { FR_CACHE_LEVELS_MAX = 4 };

struct fr_data_cache {
    char name[8]; /* L1, L2, ... */
    int64_t capacity_bytes, line_bytes;
};

struct fr_cache_levels {
    struct fr_data_cache level[FR_CACHE_LEVELS_MAX]; /* inner level first */
    int count;
    const char *told_by; /* for sources */
};

/* Returns 0, or -1 if the levels found are no hierarchy with one line size. */
int fr_cache_levels_find(struct fr_cache_levels *out);

/* ---- environment ----------------------------------------------------------------------- */

/* The members of the document that describe the tool and the environment of the measurements. */

struct fr_context;

/* Today, in UTC: 2026-11-23. */
enum { FR_DAY_BYTES = 16 };
void fr_environment_day(char out[FR_DAY_BYTES]);

/* Called before the benchmarks, so that these members come first. */
void fr_environment_begin(const struct fr_context *context, const char *command);
/* Called after them: duration, threads used, values not measured.  May be called again. */
void fr_environment_end(const struct fr_context *context);

/* ---- hosts ----------------------------------------------------------------------------- */

/* Comparison of the nodes of a job, with warnings about unreliable measurements. */

struct fr_host {
    char cpu[80], governor[24]; /* empty if unknown */
    int cores;
    bool is_boosting; /* the clock may be above the nominal one */
    bool is_first;    /* rank of its node; other ranks are ignored */
};

enum { FR_HOSTS_WARNINGS = 4, FR_HOSTS_WARNING_BYTES = 300 };

/* Compares the hosts of all ranks with the first, which the document describes.  Returns the number
 * of warnings. */
int fr_hosts_compare(const struct fr_host *host, int ranks,
                     char warning[FR_HOSTS_WARNINGS][FR_HOSTS_WARNING_BYTES]);

/* ---- load ------------------------------------------------------------------------------ */

/* Whether something disturbed a measurement: other work, a hypervisor, or a slower processor. */

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

/* ---- interrupt ------------------------------------------------------------------------- */

/* Termination requests by the batch system before the end of the job, or by the user. */

/* Records SIGTERM, SIGINT, SIGUSR1 and SIGUSR2 from now on; a second signal of the same kind has
 * its default effect. */
void fr_interrupt_watch(void);
bool fr_interrupt_came(void);
/* The name of the signal received, or NULL. */
const char *fr_interrupt_name(void);

/* The cores that the job may use on this node, and the binding of threads to them. */

enum { FR_CPUS_MAX = CPU_SETSIZE };

struct fr_cores {
    int count;            /* physical cores that the job may use */
    int cpu[FR_CPUS_MAX]; /* one logical CPU of each, ascending */
    cpu_set_t home;   /* binding of this process between kernels; initially that of the launcher */
    bool is_unpinned; /* the functions below bind nothing */
    bool is_bound;    /* the launcher allowed fewer cores than the job may use */
};

/* Finds the cores that the cpuset of the batch system permits; the launcher may have bound the
 * process to fewer. */
void fr_cores_find(struct fr_cores *cores);

/* Binds every thread of this process, those of the BLAS too, to `count` cores, starting at index
 * `first` and wrapping around. */
void fr_binding_set(const struct fr_cores *cores, int first, int count);
/* Makes this core the binding of the process between kernels. */
void fr_binding_settle(struct fr_cores *cores, int index);
/* Restores the binding of the process between kernels. */
void fr_binding_restore(const struct fr_cores *cores);
/* Binds only the calling thread, to one core. */
void fr_binding_set_thread(const struct fr_cores *cores, int index);

/* A thread on each of several cores, all running the same work at the same time: the speed of a
 * core while the other cores of the node are busy. */

struct fr_thread_team {
    const struct fr_cores *cores;
    int count, samples;
    void *shared; /* read by all threads */
    /* Runs in each thread after binding, so that memory is allocated near its core.  Returns the
     * argument of `work`, or NULL if out of memory. */
    void *(*begin)(void *shared, int index);
    /* Runs one sample; all threads start it together. */
    void (*work)(void *own);
    void (*end)(void *own);
};

/* Fills time_s[index * samples + sample].  Ends the program if memory or threads run out, because
 * started threads wait for all. */
void fr_thread_team_run(const struct fr_thread_team *team, double *time_s);
/* Fills rate[samples] with the amount divided by the mean or the largest time of the threads.  Ends
 * the program as above. */
enum fr_thread_team_time { FR_THREAD_TEAM_MEAN, FR_THREAD_TEAM_SLOWEST };
void fr_thread_team_rates(const struct fr_thread_team *team, double amount,
                          enum fr_thread_team_time by, double *rate);

/* Runs another program to its end. */

enum { FR_CHILD_WHY_BYTES = 200 };

/* Returns the standard output of `path`, terminated by a 0, which the caller frees; or NULL with an
 * error message in `why` if the program cannot be started, fails without output, prints more than
 * 64 MiB or takes longer than `limit_s`.  The environment of MPI is hidden from the program, and
 * its standard error is discarded. */
char *fr_child_run(const char *path, char *const arguments[], double limit_s, size_t *length,
                   char why[FR_CHILD_WHY_BYTES]);

#endif
