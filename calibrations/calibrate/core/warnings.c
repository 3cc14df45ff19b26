/* Warnings about the machine: different nodes, unstable clocks, noise. */
#include "calibrations/calibrate/core/bench.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Median spread of the sources above which the document warns of noise; the manual states it. */
static const double most_spread = 0.1;

void fr_bench_warn(struct fr_context *context, const char *format, ...)
{
    char text[400];
    const size_t used = strlen(context->warnings);
    va_list arguments;

    if (context->world->rank)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fr_bench_say(context, "warning: %s", text);
    snprintf(context->warnings + used, sizeof context->warnings - used, "%s%s", used ? "; " : "",
             text);
}

static struct fr_host find_host(const struct fr_context *context)
{
    struct fr_host host = { .cores = context->cores->count,
                            .is_first = context->world->node_rank == 0 };

    fr_system_cpu(host.cpu, sizeof host.cpu);
    fr_system_governor(host.governor, sizeof host.governor);
    host.is_boosting =
        fr_system_number("/sys/devices/system/cpu/intel_pstate/no_turbo", NULL) == 0 ||
        fr_system_number("/sys/devices/system/cpu/cpufreq/boost", NULL) == 1;
    return host;
}

static void judge_options(struct fr_context *context)
{
    const struct fr_world *world = context->world;

    if (world->node_size > context->cores_per_node)
        fr_bench_warn(context, "%d ranks on a node of %d cores share them", world->node_size,
                      context->cores_per_node);
    if (context->options->cores_per_node && context->cores_per_node != context->cores->count)
        fr_bench_warn(context, "--cores-per-node says %d, the first node has %d",
                      context->cores_per_node, context->cores->count);
}

void fr_warn_of_hosts(struct fr_context *context)
{
    const struct fr_world *world = context->world;
    const struct fr_host own = find_host(context);
    char warning[FR_HOSTS_WARNINGS][FR_HOSTS_WARNING_BYTES];
    struct fr_host *host;
    int count;

    if (world->is_simulated)
        return;
    host = fr_world_record((size_t)world->size, sizeof *host);
    MPI_Gather(&own, sizeof own, MPI_BYTE, host, sizeof own, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (world->rank == 0) {
        judge_options(context);
        count = fr_hosts_compare(host, world->size, warning);
        for (int i = 0; i < count; i++)
            fr_bench_warn(context, "%s", warning[i]);
    }
    fr_record_free(host);
}

void fr_warn_of_noise(struct fr_context *context)
{
    const struct fr_node *const sources = fr_tree_find(context->document->values, "sources");
    const char *where = "";
    size_t count = 0, spreads = 0;
    double *spread, widest = 0, median;

    for (const struct fr_node *source = sources->first; source; source = source->next)
        count++;
    spread = fr_document_memory(context->document, count + 1, sizeof *spread);
    for (const struct fr_node *source = sources->first; source; source = source->next) {
        const struct fr_node *const stated = fr_tree_find(source, "spread_fraction");
        const double here = stated ? strtod(stated->text, NULL) : NAN;

        if (isnan(here))
            continue;
        spread[spreads++] = here;
        if (here > widest) {
            widest = here;
            where = source->key;
        }
    }
    median = spreads ? fr_sample_median(spread, (int)spreads) : 0;
    if (median > most_spread)
        fr_bench_warn(
            context,
            "the machine was noisy: the median spread is %.1f %%, above %.0f %%; the widest is "
            "that of %s, %.0f %%",
            100 * median, 100 * most_spread, where, 100 * widest);
}
