/* Describes the software and hardware of the measurements in the document. */
#include "calibrations/calibrate/core/environment.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/core/blas.h"
#include "engine/forerun.h"

/* Reads the first line of a file, or the text after `key` and a colon; empty if not found. */
static void read_line(const char *path, const char *key, char *out, size_t size)
{
    char line[512];
    FILE *file = fopen(path, "r");

    *out = '\0';
    if (!file)
        return;
    while (!*out && fgets(line, sizeof line, file)) {
        const char *value = line;

        line[strcspn(line, "\n")] = '\0';
        if (key && strncmp(line, key, strlen(key)) != 0)
            continue;
        if (key)
            value = strchr(line, ':') ? strchr(line, ':') + 1 : "";
        snprintf(out, size, "%s", value + strspn(value, " \t"));
        if (!key)
            break;
    }
    fclose(file);
}

void fr_environment_cpu(char *out, size_t size)
{
    read_line("/proc/cpuinfo", "model name", out, size);
}

void fr_environment_governor(char *out, size_t size)
{
    read_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", NULL, out, size);
}

static void write_system(struct fr_document *document)
{
    char text[200];
    struct utsname system;

    fr_environment_cpu(text, sizeof text);
    fr_document_text(document, "/environment/cpu", text);
    fr_environment_governor(text, sizeof text);
    fr_document_text(document, "/environment/cpu_governor", text);
    if (uname(&system) == 0) {
        snprintf(text, sizeof text, "%.60s %.120s", system.sysname, system.release);
        fr_document_text(document, "/environment/kernel", text);
    }
}

static void write_blas(struct fr_document *document)
{
    struct fr_blas_facts blas;

    fr_blas_find(&blas);
    fr_document_text(document, "/environment/blas/name", blas.name);
    fr_document_text(document, "/environment/blas/version", blas.version);
    fr_document_text(document, "/environment/blas/core", blas.core);
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
    const time_t now = time(NULL);
    struct tm utc;
    char text[64];

    fr_document_text(document, "/schema", "forerun-calibration-1");
    fr_document_text(document, "/machine", context->options->machine);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    fr_document_text(document, "/created_at", text);
    fr_document_text(document, "/tool/name", "forerun-calibrate");
    fr_document_text(document, "/tool/version", FR_VERSION);
    fr_document_text(document, "/tool/command", command);
    write_system(document);
    write_blas(document);
    fr_document_text(document, "/environment/mpi", context->world->mpi);
    fr_document_text(document, "/environment/compiler", "gcc " __VERSION__);
    fr_document_integer(document, "/environment/hosts", context->world->hosts);
    fr_document_integer(document, "/environment/processes", context->world->size);
    fr_document_text(document, "/environment/binding", describe_binding(context));
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
    fr_document_text(context->document, "/description", text);
}

void fr_environment_end(const struct fr_context *context)
{
    write_description(context);
    fr_document_number(context->document, "/tool/duration_s", MPI_Wtime() - context->started_s);
    fr_document_integer(context->document, "/environment/threads_per_process",
                        context->most_threads);
}
