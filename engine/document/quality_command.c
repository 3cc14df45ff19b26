/* What to run to measure the parts that a calibration lacks. */
#include "engine/document/document.h"

#include <stdio.h>

/* A command, and the parts that it measures. */
struct command {
    const struct fr_quality *quality;
    const struct fr_part *only; /* or NULL: all of a kind */
    bool is_of_job;
    char *out;
    size_t used;
};

static void append(struct command *command, const char *before, const char *what)
{
    if (command->used < FR_QUALITY_COMMAND_BYTES)
        command->used +=
            (size_t)snprintf(command->out + command->used, FR_QUALITY_COMMAND_BYTES - command->used,
                             "%s%s", before, what);
}

static bool is_measured(const struct command *command, const struct fr_part *part,
                        const struct fr_benchmark *by)
{
    if (part->benchmark != by)
        return false;
    return command->only ? part == command->only
                         : by->is_of_job == command->is_of_job &&
                               (!part->is_present || fr_part_is_doubtful(part));
}

/* The ranks of the document's job, or one for each core of a node. */
static void append_launcher(struct command *command, const struct fr_calibration *cal)
{
    const int64_t job = cal->environment.hosts > 1 ? cal->environment.processes : 0;
    const int64_t ranks = command->is_of_job ? job : cal->node.cores_per_node;
    char number[32];

    snprintf(number, sizeof number, " -n %lld", (long long)ranks);
    append(command, "mpirun", ranks ? number : "");
    append(command, " forerun-calibrate --machine=", cal->machine);
}

/* Appends what a benchmark measures of the command, if it does; returns whether it does. */
static bool append_benchmark(struct command *command, const struct fr_benchmark *benchmark,
                             bool is_first, struct command *options)
{
    const struct fr_quality *quality = command->quality;
    const char *before = " --kernels=";
    bool is_listed = false;

    for (size_t i = 0; i < quality->parts; i++) {
        const struct fr_part *part = &quality->part[i];

        if (!is_measured(command, part, benchmark))
            continue;
        if (!is_listed)
            append(command, is_first ? " --only=" : ",", benchmark->name);
        if (!is_listed && benchmark->option)
            append(options, " ", benchmark->option);
        if (part->kernels) {
            append(options, before, part->kernels);
            before = ",";
        }
        is_listed = true;
    }
    return is_listed;
}

void fr_quality_command(const struct fr_calibration *cal, const struct fr_quality *quality,
                        const struct fr_part *part, bool is_of_job,
                        char out[FR_QUALITY_COMMAND_BYTES])
{
    char text[FR_QUALITY_COMMAND_BYTES] = "";
    struct command options = { .out = text };
    struct command command = {
        .quality = quality, .only = part, .is_of_job = is_of_job, .out = out
    };
    bool is_first = true;

    out[0] = '\0';
    if (part && part->benchmark)
        command.is_of_job = part->benchmark->is_of_job;
    append_launcher(&command, cal);
    for (const struct fr_benchmark *one = fr_benchmarks; one->name; one++)
        is_first &= !append_benchmark(&command, one, is_first, &options);
    append(&command, text, command.is_of_job ? " -o network.json" : " -o node.json");
    if (is_first)
        out[0] = '\0';
}
