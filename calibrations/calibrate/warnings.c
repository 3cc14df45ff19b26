#include "warnings.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "environment.h"
#include "record.h"

/* A median over the sources' spreads beyond which predictions should not be trusted to a few per
 * cent; the manual states it. */
static const double most_spread = 0.1;

struct host {
    char cpu[80], governor[24];
    int cores, is_boosting, is_first; /* is_first: of its node, the others do not count */
};

void fr_bench_warn(struct fr_context *context, const char *format, ...)
{
    char text[300];
    const size_t used = strlen(context->remarks);
    va_list arguments;

    if (context->world->rank)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fr_bench_say(context, "warning: %s", text);
    snprintf(context->remarks + used, sizeof context->remarks - used, "%s%s", used ? "; " : "",
             text);
}

static bool has_number(const char *path, char number)
{
    FILE *file = fopen(path, "r");
    const bool has = file && fgetc(file) == number;

    if (file)
        fclose(file);
    return has;
}

static struct host find_host(const struct fr_context *context)
{
    struct host host = { .cores = context->cores->count,
                         .is_first = context->world->node_rank == 0 };

    fr_environment_cpu(host.cpu, sizeof host.cpu);
    fr_environment_governor(host.governor, sizeof host.governor);
    host.is_boosting = has_number("/sys/devices/system/cpu/intel_pstate/no_turbo", '0') ||
                       has_number("/sys/devices/system/cpu/cpufreq/boost", '1');
    return host;
}

/* The nodes beside the first. */
static void compare_hosts(struct fr_context *context, const struct host *host)
{
    const struct fr_world *world = context->world;
    int others = 0, fewer = 0, example = 0;

    for (int i = 1; i < world->size; i++) {
        if (!host[i].is_first)
            continue;
        if (strcmp(host[i].cpu, host[0].cpu) != 0) {
            others++;
            example = i;
        }
        fewer += host[i].cores != host[0].cores;
    }
    if (others)
        fr_bench_warn(
            context,
            "%d of %d nodes have another processor, such as %s beside %s; the document names "
            "the first one's",
            others, world->hosts, host[example].cpu, host[0].cpu);
    if (fewer)
        fr_bench_warn(context, "%d of %d nodes have other than the first one's %d cores", fewer,
                      world->hosts, host[0].cores);
}

static void judge_frequencies(struct fr_context *context, const struct host *host)
{
    const struct fr_world *world = context->world;
    int scaling = 0, boosting = 0, example = 0;

    for (int i = 0; i < world->size; i++) {
        if (!host[i].is_first)
            continue;
        boosting += host[i].is_boosting;
        if (*host[i].governor && strcmp(host[i].governor, "performance") != 0) {
            scaling++;
            example = i;
        }
    }
    if (scaling)
        fr_bench_warn(
            context,
            "frequency scaling is on, governor %s on %d of %d nodes; performance would give "
            "steadier numbers",
            host[example].governor, scaling, world->hosts);
    if (boosting)
        fr_bench_warn(context,
                      "the clock may be boosted on %d of %d nodes: it then depends on the load",
                      boosting, world->hosts);
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
    const struct host own = find_host(context);
    struct host *host;

    if (world->is_simulated)
        return;
    host = fr_record_new((size_t)world->size, sizeof *host);
    if (!host)
        fr_world_out_of_memory();
    MPI_Gather(&own, sizeof own, MPI_BYTE, host, sizeof own, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (world->rank == 0) {
        judge_options(context);
        compare_hosts(context, host);
        judge_frequencies(context, host);
    }
    fr_record_free(host);
}

void fr_warn_of_noise(struct fr_context *context)
{
    const int sources = fr_document_sources(context->document);
    double *spread = fr_record_new((size_t)sources + 1, sizeof *spread), median, widest = 0;
    const char *where = "", *pointer;
    int count = 0;

    if (!spread)
        fr_world_out_of_memory();
    for (int i = 0; i < sources; i++) {
        const double here = fr_document_spread(context->document, i, &pointer);

        if (isnan(here))
            continue;
        spread[count++] = here;
        if (here > widest) {
            widest = here;
            where = pointer;
        }
    }
    median = count ? fr_sample_median(spread, count) : 0;
    fr_record_free(spread);
    if (median > most_spread)
        fr_bench_warn(
            context,
            "the machine was noisy: the median spread is %.1f %%, above %.0f %%; the widest is "
            "that of %s, %.0f %%",
            100 * median, 100 * most_spread, where, 100 * widest);
}
