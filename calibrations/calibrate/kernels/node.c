/* Properties of a node that are counted, not timed. */
#include <stdio.h>
#include <unistd.h>

#ifdef HAVE_HWLOC
#include <hwloc.h>
#endif

#include "calibrations/calibrate/core/bench.h"

struct node {
    int cores;                 /* physical cores that the job may use */
    int present;               /* all physical cores; 0: unknown */
    int sockets, numa_domains; /* 0: unknown */
    double memory_bytes;       /* this and the next: NAN: unknown */
    double clock_hz;
    const char *counted_by;
};

#ifdef HAVE_HWLOC
static int count(hwloc_topology_t topology, hwloc_obj_type_t type)
{
    const int objects = hwloc_get_nbobjs_by_type(topology, type);

    return objects > 0 ? objects : 0;
}

static void count_parts(struct node *node)
{
    hwloc_topology_t topology;

    if (hwloc_topology_init(&topology))
        return;
    hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    if (hwloc_topology_load(topology) == 0) {
        node->counted_by = "hwloc";
        node->present = count(topology, HWLOC_OBJ_CORE);
        node->sockets = count(topology, HWLOC_OBJ_PACKAGE);
        node->numa_domains = count(topology, HWLOC_OBJ_NUMANODE);
    }
    hwloc_topology_destroy(topology);
}
#else
enum { NUMBERS = 1024 };

static void count_parts(struct node *node)
{
    char path[96];

    for (int i = 0; i < NUMBERS; i++) {
        double package;

        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/physical_package_id",
                 i);
        package = fr_system_number(path, NULL);
        if (package >= node->sockets && package < NUMBERS)
            node->sockets = (int)package + 1;
        snprintf(path, sizeof path, "/sys/devices/system/node/node%d", i);
        node->numa_domains += access(path, F_OK) == 0;
    }
}
#endif

static struct node find(const struct fr_context *context)
{
    struct node node = { .cores = context->cores->count, .counted_by = "the operating system" };

    count_parts(&node);
    node.memory_bytes = 1024 * fr_system_number("/proc/meminfo", "MemTotal");
    /* The base clock of the processor; the actual one changes with the load. */
    node.clock_hz =
        1e3 * fr_system_number("/sys/devices/system/cpu/cpu0/cpufreq/base_frequency", NULL);
    return node;
}

static void write_cores(struct fr_context *context, const struct node *node)
{
    context->document->found.node.cores_per_node = context->cores_per_node;
    if (context->options->cores_per_node)
        fr_document_source(context->document, "/node/cores_per_node", fr_source_published,
                           "given on the command line");
    else if (node->present > node->cores)
        fr_document_source(context->document, "/node/cores_per_node", fr_source_counted,
                           "physical cores that the job may use, of %d present, counted by %s",
                           node->present, node->counted_by);
    else
        fr_document_source(context->document, "/node/cores_per_node", fr_source_counted,
                           "physical cores, counted by %s", node->counted_by);
}

static void write_rest(struct fr_context *context, const struct node *node)
{
    struct fr_document *document = context->document;
    struct fr_calibration *found = &document->found;

    if (node->memory_bytes > 0) {
        found->node.memory_bytes = node->memory_bytes;
        fr_document_source(document, "/node/memory_bytes", fr_source_counted,
                           "MemTotal of the operating system");
    }
    if (node->sockets) {
        found->node.sockets = node->sockets;
        fr_document_source(document, "/node/sockets", fr_source_counted, "counted by %s",
                           node->counted_by);
    }
    if (node->numa_domains) {
        found->node.numa_domains = node->numa_domains;
        fr_document_source(document, "/node/numa_domains", fr_source_counted, "counted by %s",
                           node->counted_by);
    }
    if (node->clock_hz > 0) {
        found->node.clock_hz = node->clock_hz;
        fr_document_source(document, "/node/clock_hz", fr_source_published,
                           "base frequency of the processor, read from the system");
    }
}

static void run(struct fr_context *context)
{
    const struct node node = find(context);

    if (context->world->is_simulated && !context->options->cores_per_node) {
        fr_bench_missing(context, "node",
                         "a simulated node differs from this one; give --cores-per-node");
        return;
    }
    if (!context->world->is_simulated && node.present > node.cores &&
        !context->options->cores_per_node)
        fr_bench_warn(context, "the job may use %d of %d cores; they are taken as the node",
                      node.cores, node.present);
    write_cores(context, &node);
    if (!context->world->is_simulated)
        write_rest(context, &node);
}

const struct fr_bench fr_bench_node = {
    .name = "node",
    .group = "node",
    .summary = "cores, sockets, memory, clock",
    .needs_ranks = 1,
    .expected_s = fr_bench_no_time_s,
    .run = run,
};
