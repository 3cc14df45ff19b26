/* Describes the software and hardware of the measurements in the document. */

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/core/blas.h"
#include "engine/forerun.h"

static void find_system(struct fr_document *document, struct fr_environment *environment)
{
    char text[200];
    struct utsname system;
    struct fr_blas_facts blas;

    fr_system_cpu(text, sizeof text);
    environment->cpu = fr_document_text(document, text);
    fr_system_governor(text, sizeof text);
    environment->cpu_governor = fr_document_text(document, text);
    if (uname(&system) == 0) {
        snprintf(text, sizeof text, "%.60s %.120s", system.sysname, system.release);
        environment->kernel = fr_document_text(document, text);
    }
    fr_blas_find(&blas);
    environment->blas.name = fr_document_text(document, blas.name);
    environment->blas.version = fr_document_text(document, blas.version);
    environment->blas.core = fr_document_text(document, blas.core);
}

static const char *describe_binding(const struct fr_context *context)
{
    if (context->world->is_simulated)
        return "simulated";
    if (context->options->is_unpinned)
        return context->cores->is_bound ? "bound by the launcher" : "none";
    if (context->cores->is_bound)
        return "bound by the launcher; for kernels pinned by forerun-calibrate to one core a "
               "thread";
    return "pinned by forerun-calibrate to one core a thread";
}

void fr_environment_day(char out[FR_DAY_BYTES])
{
    const time_t now = time(NULL);
    struct tm utc;

    strftime(out, FR_DAY_BYTES, "%Y-%m-%d", gmtime_r(&now, &utc));
}

void fr_environment_begin(const struct fr_context *context, const char *command)
{
    struct fr_document *document = context->document;
    struct fr_calibration *frame = &document->frame;
    const time_t now = time(NULL);
    struct tm utc;
    char text[64];

    frame->schema = "forerun-calibration-1";
    frame->machine = context->options->machine;
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    frame->created_at = fr_document_text(document, text);
    frame->tool.name = "forerun-calibrate";
    frame->tool.version = FR_VERSION;
    frame->tool.command = command;
    find_system(document, &frame->environment);
    frame->environment.mpi = fr_document_text(document, context->world->mpi);
    frame->environment.compiler = "gcc " __VERSION__;
    frame->environment.hosts = context->world->hosts;
    frame->environment.processes = context->world->size;
    frame->environment.binding = describe_binding(context);
}

/* The description: that of the user, what was not measured, and the warnings. */
static void write_description(const struct fr_context *context)
{
    char text[10500] = "", left[48] = "";
    const char *parts[][2] = { { "", context->options->description },
                               { "Unfinished: ", left },
                               { "Not measured: ", context->missing },
                               { "Warnings: ", context->warnings } };

    if (context->left)
        snprintf(left, sizeof left, "%d benchmarks were still to come", context->left);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const size_t used = strlen(text);

        if (parts[i][1] && *parts[i][1])
            snprintf(text + used, sizeof text - used, "%s%s%s",
                     !used                   ? ""
                     : text[used - 1] == '.' ? " "
                                             : ". ",
                     parts[i][0], parts[i][1]);
    }
    context->document->frame.description = fr_document_text(context->document, text);
}

void fr_environment_end(const struct fr_context *context)
{
    write_description(context);
    context->document->frame.tool.duration_s = MPI_Wtime() - context->started_s;
    context->document->frame.environment.threads_per_process = context->most_threads;
}
