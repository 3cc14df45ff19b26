/* Which cores the job may use on this node, and keeping threads on them. */
#ifndef FR_BINDING_H
#define FR_BINDING_H

#include <stdbool.h>

#include <sched.h>

enum { FR_CPUS_MAX = CPU_SETSIZE };

struct fr_cores {
    int count;            /* physical cores that the job may use */
    int cpu[FR_CPUS_MAX]; /* one logical CPU of each, rising */
    cpu_set_t home; /* where this process stays between kernels; at first the launcher's choice */
    bool is_bound;  /* the launcher allowed fewer cores than the job may use */
};

/* Looks at what the batch system's cpuset permits, which may be more than the launcher's binding.
 */
void fr_cores_find(struct fr_cores *cores);

/* Keeps every thread of this process, also those a BLAS has started, on `count` of the cores,
 * beginning with the first'th and going round. */
void fr_binding_set(const struct fr_cores *cores, int first, int count);
/* From now on this core is where the process belongs. */
void fr_binding_settle(struct fr_cores *cores, int index);
/* Back to where the process belongs. */
void fr_binding_restore(const struct fr_cores *cores);
/* The calling thread alone, on one core. */
void fr_binding_set_thread(const struct fr_cores *cores, int index);

#endif
