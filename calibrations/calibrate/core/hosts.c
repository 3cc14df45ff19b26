/* Warnings about nodes that differ, frequency scaling and boosted clocks. */
#include "calibrations/calibrate/core/environment.h"

#include <stdio.h>
#include <string.h>

static bool has_another_processor(const struct fr_host *host, const struct fr_host *first)
{
    return strcmp(host->cpu, first->cpu) != 0;
}

static bool has_other_cores(const struct fr_host *host, const struct fr_host *first)
{
    return host->cores != first->cores;
}

static bool is_scaling(const struct fr_host *host, const struct fr_host *first)
{
    (void)first;
    return *host->governor && strcmp(host->governor, "performance") != 0;
}

static bool is_boosting(const struct fr_host *host, const struct fr_host *first)
{
    (void)first;
    return host->is_boosting;
}

/* Counts the nodes for which `holds` is true; `example` gets the last of them. */
static int count(const struct fr_host *host, int ranks,
                 bool (*holds)(const struct fr_host *, const struct fr_host *),
                 const struct fr_host **example)
{
    int nodes = 0;

    for (int i = 0; i < ranks; i++)
        if (host[i].is_first && holds(&host[i], host)) {
            nodes++;
            *example = &host[i];
        }
    return nodes;
}

int fr_hosts_compare(const struct fr_host *host, int ranks,
                     char warning[FR_HOSTS_WARNINGS][FR_HOSTS_WARNING_BYTES])
{
    const struct fr_host *example = host;
    int hosts = 0, nodes, warnings = 0;

    for (int i = 0; i < ranks; i++)
        hosts += host[i].is_first;
    if ((nodes = count(host, ranks, has_another_processor, &example)) > 0)
        snprintf(warning[warnings++], FR_HOSTS_WARNING_BYTES,
                 "%d of %d nodes have another processor, such as %s beside %s; the document names "
                 "the first one's",
                 nodes, hosts, example->cpu, host->cpu);
    if ((nodes = count(host, ranks, has_other_cores, &example)) > 0)
        snprintf(warning[warnings++], FR_HOSTS_WARNING_BYTES,
                 "%d of %d nodes have other than the first one's %d cores, such as %d", nodes,
                 hosts, host->cores, example->cores);
    if ((nodes = count(host, ranks, is_scaling, &example)) > 0)
        snprintf(warning[warnings++], FR_HOSTS_WARNING_BYTES,
                 "frequency scaling is on, governor %s on %d of %d nodes; performance would give "
                 "steadier numbers",
                 example->governor, nodes, hosts);
    if ((nodes = count(host, ranks, is_boosting, &example)) > 0)
        snprintf(warning[warnings++], FR_HOSTS_WARNING_BYTES,
                 "the clock may be boosted on %d of %d nodes: it then depends on the load", nodes,
                 hosts);
    return warnings;
}
