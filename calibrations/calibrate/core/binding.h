/* The cores that the job may use on this node, and the binding of threads to them. */
#ifndef FR_BINDING_H
#define FR_BINDING_H

#include <stdbool.h>

#include <sched.h>

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

#endif
