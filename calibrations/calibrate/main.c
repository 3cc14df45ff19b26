/* forerun-calibrate: measures a machine and writes its calibration document.
 *
 * All ranks run the benchmarks of the table together; rank 0 writes.  Actions that need no MPI
 * (help, merging) run before MPI starts, so that they work on a login node.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrations/calibrate/blocked/sample_command.h"
#include "calibrations/calibrate/command.h"
#include "calibrations/calibrate/core/document.h"
#include "calibrations/calibrate/core/environment.h"
#include "engine/forerun.h"
#include "server/json/writer.h"

static void list_benches(void)
{
    for (int i = 0; fr_benches[i]; i++) {
        const struct fr_bench *bench = fr_benches[i];

        printf("%-18s %-11s %s%s", bench->name, bench->group, bench->summary,
               bench->after || bench->needs_ranks > 1 ? " (" : "");
        if (bench->after)
            printf("after %s%s", bench->after, bench->needs_ranks > 1 ? ", " : ")");
        if (bench->needs_ranks > 1)
            printf("%d ranks or more)", bench->needs_ranks);
        putchar('\n');
    }
}

static int merge_files(const struct fr_command *command)
{
    struct fr_text documents[FR_FILES_MAX] = { 0 };
    char *text[FR_FILES_MAX] = { 0 };
    char message[FR_MERGE_MESSAGE_BYTES];
    const char *const *file = command->line.file;
    const char *const output = command->options.output;
    const int files = command->line.files;
    struct fr_writer out;
    int status = EXIT_SUCCESS;

    fr_writer_init(&out);
    for (int i = 0; i < files && !status; i++) {
        text[i] = fr_output_read(file[i], &documents[i].length);
        documents[i].text = text[i];
        if (!text[i])
            status = fr_command_fail(file[i], strerror(errno));
    }
    if (!status && fr_merge(documents, files, &out, message))
        status = fr_command_fail("--merge", message);
    if (!status && *message)
        fprintf(stderr, "forerun-calibrate: warning: %s than those before it\n", message);
    if (!status && fr_output_write(output, out.text, out.length))
        status = fr_command_fail(output, strerror(errno));
    for (int i = 0; i < files; i++)
        free(text[i]);
    fr_writer_free(&out);
    return status;
}

/* Refuses names in --only that are not benchmarks. */
static int check_names(const struct fr_calibrate_options *options)
{
    char name[64];

    for (const char *at = options->only; at; at = strchr(at, ',')) {
        int i = 0;

        at += *at == ',';
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
        while (fr_benches[i] && strcmp(fr_benches[i]->name, name) != 0)
            i++;
        if (!fr_benches[i]) {
            fprintf(stderr, "forerun-calibrate: --only: no benchmark %s; see --list\n", name);
            if (fr_domains_has(name))
                fprintf(stderr,
                        "forerun-calibrate: %s is made by --only=routine_models --kernels=%s\n",
                        name, name);
            return -1;
        }
    }
    return 0;
}

/* Joins the command line, without the folder of the program. */
static void join_command(int argc, char **argv, char *out, size_t size)
{
    const char *slash = strrchr(argv[0], '/');
    size_t used = (size_t)snprintf(out, size, "%s", slash ? slash + 1 : argv[0]);

    for (int i = 1; i < argc && used < size; i++) {
        const char *quote = strpbrk(argv[i], " \t'\"$") ? "'" : "";

        used += (size_t)snprintf(out + used, size - used, " %s%s%s", quote, argv[i], quote);
    }
}

/* Distributes the ranks of a node over its cores, unless the launcher has bound them or they
 * outnumber the cores. */
static void bind_for_network(const struct fr_context *context, struct fr_cores *cores)
{
    const struct fr_world *world = context->world;

    if (world->is_simulated || cores->is_bound || world->node_size > cores->count)
        return;
    fr_binding_settle(cores, world->node_rank * (cores->count / world->node_size));
}

static int measure(struct fr_command *command, const char *text)
{
    static const uint64_t seed = UINT64_C(0x9E3779B97F4A7C15);
    struct fr_world world;
    struct fr_cores *cores = calloc(1, sizeof *cores);
    struct fr_calibrate_options *const options = &command->options;
    struct fr_context context = { .options = options,
                                  .networking = &command->networking,
                                  .modeling = &command->modeling,
                                  .world = &world,
                                  .cores = cores,
                                  .document = fr_document_new(),
                                  .random = { seed },
                                  .started_s = MPI_Wtime(),
                                  .most_threads = 1 };
    bool chosen[FR_BENCHES_MAX] = { false };
    int status;

    if (!cores || !context.document || fr_world_find(&world))
        fr_world_out_of_memory();
    fr_command_settle(options, &world);
    fr_cores_find(cores);
    cores->is_unpinned = options->is_unpinned;
    context.cores_per_node = options->cores_per_node ? options->cores_per_node : cores->count;
    bind_for_network(&context, cores);
    if (!world.is_simulated)
        fr_interrupt_watch();
    fr_benches_choose(options, chosen);
    status = fr_run_benchmarks(&context, &command->line, text, chosen);
    fr_document_free(context.document);
    fr_world_forget(&world);
    free(cores);
    return status;
}

int main(int argc, char **argv)
{
    struct fr_command command;
    char text[1000];
    int status, threads;

    join_command(argc, argv, text, sizeof text);
    fr_command_parse(argc, argv, &command);
    if (check_names(&command.options))
        return 64;
    if (command.options.is_showing_version) {
        puts("forerun-calibrate " FR_VERSION);
        return EXIT_SUCCESS;
    }
    if (command.options.is_listing) {
        list_benches();
        return EXIT_SUCCESS;
    }
    if (command.options.is_merging)
        return merge_files(&command);
    if (command.options.is_checking)
        return (int)fr_check(command.line.file[0]);
    if (command.options.is_sampling)
        return fr_sample_command(&command.options, command.line.file[0]);
    /* Any level of thread support will do, since only the main thread communicates. */
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads);
    status = measure(&command, text);
    MPI_Finalize();
    return status;
}
