/* forerun-calibrate: measures what a calibration document holds and writes one.
 *
 * All ranks go through the table of benchmarks together; rank 0 writes.  What needs no MPI (help,
 * merging) is done before MPI starts, so that it works on a login node.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "environment.h"
#include "forerun.h"
#include "merge.h"
#include "output.h"
#include "sample_command.h"
#include "json/writer.h"

#define FR_BENCH(name) &fr_bench_##name,
static const struct fr_bench *const benches[] = {
#include "list.h"
};
#undef FR_BENCH

enum { BENCHES = sizeof benches / sizeof *benches };

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "forerun-calibrate: %s: %s\n", what, why);
    return EXIT_FAILURE;
}

static void list_benches(void)
{
    for (int i = 0; i < BENCHES; i++)
        printf("%-12s %-12s %s%s\n", benches[i]->name, benches[i]->group, benches[i]->summary,
               benches[i]->needs_ranks > 1 ? " (2 ranks or more)" : "");
}

static int merge_files(const struct fr_options *options)
{
    struct fr_text documents[FR_FILES_MAX] = { 0 };
    char *text[FR_FILES_MAX] = { 0 };
    char message[FR_MERGE_MESSAGE_BYTES];
    struct fr_writer out;
    int status = EXIT_SUCCESS;

    fr_writer_init(&out);
    for (int i = 0; i < options->files && !status; i++) {
        text[i] = fr_output_read(options->file[i], &documents[i].length);
        documents[i].text = text[i];
        if (!text[i])
            status = fail(options->file[i], strerror(errno));
    }
    if (!status && fr_merge(documents, options->files, &out, message))
        status = fail("--merge", message);
    if (!status && *message)
        fprintf(stderr, "forerun-calibrate: warning: %s than those before it\n", message);
    if (!status && fr_output_write(options->output, out.text, out.length))
        status = fail(options->output, strerror(errno));
    for (int i = 0; i < options->files; i++)
        free(text[i]);
    fr_writer_free(&out);
    return status;
}

/* Whether `name` stands in a list with commas. */
static bool is_listed(const char *list, const char *name)
{
    const size_t length = strlen(name);

    for (const char *at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || !at[length]))
            return true;
    }
    return false;
}

static bool is_in_group(const struct fr_bench *bench, const char *first, const char *second)
{
    return strcmp(bench->group, first) == 0 || strcmp(bench->group, second) == 0;
}

static bool is_asked_for(const struct fr_options *options, const struct fr_bench *bench)
{
    if (options->network_only)
        return is_in_group(bench, "network", "contention");
    if (options->kernels_only)
        return is_in_group(bench, "node", "kernels");
    return !options->only || is_listed(options->only, bench->name);
}

/* What another one needs comes along; all stand in the list after what they need. */
static void choose_benches(const struct fr_options *options, bool *chosen)
{
    for (int i = BENCHES - 1; i >= 0; i--) {
        chosen[i] = chosen[i] || is_asked_for(options, benches[i]);
        for (int j = 0; j < i && chosen[i] && benches[i]->after; j++)
            if (strcmp(benches[j]->name, benches[i]->after) == 0)
                chosen[j] = true;
    }
}

/* Names that are no benchmark's are a mistake worth stopping for. */
static int check_names(const struct fr_options *options)
{
    char name[64];

    for (const char *at = options->only; at; at = strchr(at, ',')) {
        int i = 0;

        at += *at == ',';
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
        while (i < BENCHES && strcmp(benches[i]->name, name) != 0)
            i++;
        if (i == BENCHES) {
            fprintf(stderr, "forerun-calibrate: --only: no benchmark %s; see --list\n", name);
            return -1;
        }
    }
    return 0;
}

/* Rather than leaving out, after hours perhaps, what the run is for. */
static int check_benches(const struct fr_options *options, const bool *chosen)
{
    char why[160];
    int status = EXIT_SUCCESS;

    for (int i = 0; i < BENCHES; i++)
        if (chosen[i] && benches[i]->check && benches[i]->check(options, why))
            status = fail(benches[i]->name, why);
    return status;
}

static void run_benches(struct fr_context *context, const bool *chosen)
{
    for (int i = 0; i < BENCHES; i++) {
        const struct fr_bench *bench = benches[i];

        if (!chosen[i])
            continue;
        if (context->world->size < bench->needs_ranks)
            fr_bench_say(context, "%s: left out, it needs %d ranks or more", bench->name,
                         bench->needs_ranks);
        else if (fr_bench_is_late(context, MPI_COMM_WORLD))
            fr_bench_say(context, "%s: left out, the time limit has passed", bench->name);
        else
            bench->run(context);
    }
}

/* The command as typed, without the program's folder. */
static void join_command(int argc, char **argv, char *out, size_t size)
{
    const char *slash = strrchr(argv[0], '/');
    size_t used = (size_t)snprintf(out, size, "%s", slash ? slash + 1 : argv[0]);

    for (int i = 1; i < argc && used < size; i++) {
        const char *quote = strpbrk(argv[i], " \t'\"$") ? "'" : "";

        used += (size_t)snprintf(out + used, size - used, " %s%s%s", quote, argv[i], quote);
    }
}

static int write_document(const struct fr_context *context)
{
    const char *output = context->options->output;
    struct fr_writer out;
    int status = EXIT_SUCCESS;

    fr_writer_init(&out);
    fr_environment_end(context);
    if (fr_document_write(context->document, &out))
        status = fail("document", "out of memory");
    else if (fr_output_write(output, out.text, out.length))
        status = fail(output, strerror(errno));
    fr_writer_free(&out);
    fr_bench_say(context, "%s after %.0f s", status ? "failed" : "written",
                 MPI_Wtime() - context->started_s);
    return status;
}

/* Spread over the node's cores where the launcher has not bound and there is a core for each. */
static void bind_for_network(const struct fr_context *context, struct fr_cores *cores)
{
    const struct fr_world *world = context->world;

    if (world->is_simulated || context->options->is_unpinned || cores->is_bound ||
        world->node_size > cores->count)
        return;
    fr_binding_settle(cores, world->node_rank * (cores->count / world->node_size));
}

static int measure_chosen(struct fr_context *context, const char *command, const bool *chosen)
{
    int status = EXIT_SUCCESS;

    fr_environment_begin(context, command);
    run_benches(context, chosen);
    if (context->world->rank == 0) {
        status = write_document(context);
        if (context->has_failed)
            status = EXIT_FAILURE;
    }
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return status;
}

static int measure(const struct fr_options *options, const char *command)
{
    static const uint64_t seed = UINT64_C(0x9E3779B97F4A7C15);
    struct fr_world world;
    struct fr_cores *cores = calloc(1, sizeof *cores);
    struct fr_context context = { .options = options,
                                  .world = &world,
                                  .cores = cores,
                                  .document = fr_document_new(),
                                  .random = { seed },
                                  .started_s = MPI_Wtime(),
                                  .most_threads = 1 };
    bool chosen[BENCHES] = { false };
    int status = EXIT_SUCCESS;

    if (!cores || !context.document || fr_world_find(&world))
        fr_world_out_of_memory();
    fr_cores_find(cores);
    context.cores_per_node = options->cores_per_node ? options->cores_per_node : cores->count;
    if (world.node_size > context.cores_per_node && !world.is_simulated)
        fr_bench_say(&context, "warning: %d ranks on a node of %d cores share them",
                     world.node_size, context.cores_per_node);
    bind_for_network(&context, cores);
    choose_benches(options, chosen);
    if (world.rank == 0)
        status = check_benches(options, chosen);
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (!status)
        status = measure_chosen(&context, command, chosen);
    fr_document_free(context.document);
    fr_world_forget(&world);
    free(cores);
    return status;
}

int main(int argc, char **argv)
{
    struct fr_options options;
    char command[1000];
    int status;

    join_command(argc, argv, command, sizeof command);
    fr_options_parse(argc, argv, &options);
    if (check_names(&options))
        return 64;
    switch (options.action) {
    case FR_SHOW_VERSION:
        puts("forerun-calibrate " FR_VERSION);
        return EXIT_SUCCESS;
    case FR_LIST_BENCHES:
        list_benches();
        return EXIT_SUCCESS;
    case FR_MERGE_FILES:
        return merge_files(&options);
    case FR_SAMPLE_CALLS:
        return fr_sample_command(&options);
    case FR_MEASURE:
        break;
    }
    MPI_Init(&argc, &argv);
    status = measure(&options, command);
    MPI_Finalize();
    return status;
}
