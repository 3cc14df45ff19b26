/* Cores from the cpuset of the job and the topology in /sys, and binding by sched_setaffinity. */
#include "calibrations/calibrate/core/environment.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The first hardware thread of the core of `cpu`, or `cpu` if Linux does not list the siblings. */
static int first_sibling(int cpu)
{
    char path[96];
    double first;

    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
    first = fr_system_number(path, NULL);
    return isnan(first) ? cpu : (int)first;
}

/* Finds one CPU of each core: the lowest sibling that is permitted. */
static int keep_one_of_each_core(const cpu_set_t *permitted, int *cpu)
{
    int *seen = calloc(FR_CPUS_MAX, sizeof *seen);
    int count = 0;

    for (int i = 0; i < FR_CPUS_MAX && seen; i++) {
        int core;

        if (!CPU_ISSET(i, permitted))
            continue;
        core = first_sibling(i);
        if (core < 0 || core >= FR_CPUS_MAX || seen[core])
            continue;
        seen[core] = 1;
        cpu[count++] = i;
    }
    free(seen);
    return count;
}

void fr_cores_find(struct fr_cores *cores)
{
    int launched_cpu[FR_CPUS_MAX];
    cpu_set_t every, permitted;

    CPU_ZERO(&cores->home);
    sched_getaffinity(0, sizeof cores->home, &cores->home);
    CPU_ZERO(&every);
    for (int i = 0; i < FR_CPUS_MAX; i++)
        CPU_SET(i, &every);
    /* Linux reduces this mask to the cpuset of the job. */
    permitted = cores->home;
    if (sched_setaffinity(0, sizeof every, &every) == 0) {
        sched_getaffinity(0, sizeof permitted, &permitted);
        sched_setaffinity(0, sizeof cores->home, &cores->home);
    }
    cores->count = keep_one_of_each_core(&permitted, cores->cpu);
    if (cores->count < 1) {
        cores->count = 1;
        cores->cpu[0] = 0;
    }
    cores->is_bound = keep_one_of_each_core(&cores->home, launched_cpu) < cores->count;
}

static void set_every_thread(const struct fr_cores *cores, const cpu_set_t *set)
{
    DIR *tasks = cores->is_unpinned ? NULL : opendir("/proc/self/task");
    struct dirent *entry;

    if (cores->is_unpinned)
        return;
    if (!tasks) {
        sched_setaffinity(0, sizeof *set, set);
        return;
    }
    while ((entry = readdir(tasks)) != NULL)
        if (entry->d_name[0] != '.')
            sched_setaffinity((pid_t)strtol(entry->d_name, NULL, 10), sizeof *set, set);
    closedir(tasks);
}

void fr_binding_set(const struct fr_cores *cores, int first, int count)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    for (int i = 0; i < count; i++)
        CPU_SET(cores->cpu[(first + i) % cores->count], &set);
    set_every_thread(cores, &set);
}

void fr_binding_settle(struct fr_cores *cores, int index)
{
    CPU_ZERO(&cores->home);
    CPU_SET(cores->cpu[index % cores->count], &cores->home);
    set_every_thread(cores, &cores->home);
}

void fr_binding_restore(const struct fr_cores *cores)
{
    set_every_thread(cores, &cores->home);
}

void fr_binding_set_thread(const struct fr_cores *cores, int index)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    CPU_SET(cores->cpu[index % cores->count], &set);
    if (!cores->is_unpinned)
        sched_setaffinity(0, sizeof set, &set);
}
