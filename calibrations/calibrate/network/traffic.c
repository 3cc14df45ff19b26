/* Writes the table of --counters, node by node. */
#include "calibrations/calibrate/network/traffic.h"

#include <errno.h>
#include <string.h>

#include "calibrations/calibrate/core/bench.h"
#include "server/json/writer.h"

static const char header[] = "benchmark,rank,device,port,counter,difference\n";

static int is_first_of_node(const struct fr_context *context)
{
    return context->world->node_rank == 0;
}

/* Whether any node has port counters. */
static bool has_ports(const struct fr_context *context, struct fr_traffic *traffic)
{
    int own = 0, any;

    if (is_first_of_node(context)) {
        fr_port_counters_read(FR_PORTS_FOLDER, traffic->before);
        own = traffic->before->count > 0;
    }
    MPI_Allreduce(&own, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return any;
}

int fr_traffic_begin(struct fr_context *context, struct fr_traffic *traffic)
{
    const char *path = context->options->counters;
    int status = 0;

    *traffic = (struct fr_traffic){ 0 };
    if (!path)
        return 0;
    traffic->before = fr_world_record(1, sizeof *traffic->before);
    traffic->after = fr_world_record(1, sizeof *traffic->after);
    if (context->world->rank == 0) {
        traffic->file = fopen(path, "w");
        status = !traffic->file || fputs(header, traffic->file) < 0 || fflush(traffic->file);
        if (status)
            fr_bench_say(context, "--counters: %s: %s", path, strerror(errno));
    }
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    traffic->is_counting = !status && has_ports(context, traffic);
    if (!status && !traffic->is_counting)
        fr_bench_say(context, "--counters: no node has port counters in " FR_PORTS_FOLDER);
    return status ? -1 : 0;
}

void fr_traffic_before(const struct fr_context *context, struct fr_traffic *traffic)
{
    if (traffic->is_counting && is_first_of_node(context))
        fr_port_counters_read(FR_PORTS_FOLDER, traffic->before);
    if (traffic->is_counting)
        MPI_Barrier(MPI_COMM_WORLD);
}

/* Gathers node by node, so that rank 0 needs memory for one node only. */
void fr_traffic_after(struct fr_context *context, struct fr_traffic *traffic, const char *bench)
{
    const struct fr_world *world = context->world;
    enum { TAG_TRAFFIC = 78 };
    struct fr_writer lines;
    char prefix[96];

    if (!traffic->is_counting)
        return;
    MPI_Barrier(MPI_COMM_WORLD);
    fr_writer_init(&lines);
    if (is_first_of_node(context)) {
        fr_port_counters_read(FR_PORTS_FOLDER, traffic->after);
        snprintf(prefix, sizeof prefix, "%s,%d", bench, world->rank);
        fr_port_counters_difference(traffic->before, traffic->after, prefix, &lines);
    }
    if (world->rank)
        MPI_Send(lines.text, (int)lines.length, MPI_CHAR, 0, TAG_TRAFFIC, MPI_COMM_WORLD);
    else
        fwrite(lines.text, 1, lines.length, traffic->file);
    for (int i = 1; i < world->size && world->rank == 0; i++) {
        MPI_Status status;
        int length;
        char *text;

        MPI_Probe(i, TAG_TRAFFIC, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_CHAR, &length);
        text = fr_world_record((size_t)length + 1, 1);
        MPI_Recv(text, length, MPI_CHAR, i, TAG_TRAFFIC, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        fwrite(text, 1, (size_t)length, traffic->file);
        fr_record_free(text);
    }
    if (world->rank == 0)
        fflush(traffic->file);
    fr_writer_free(&lines);
}

int fr_traffic_end(struct fr_traffic *traffic)
{
    const int failed = traffic->file && (ferror(traffic->file) | fclose(traffic->file));

    fr_record_free(traffic->before);
    fr_record_free(traffic->after);
    return failed ? -1 : 0;
}
