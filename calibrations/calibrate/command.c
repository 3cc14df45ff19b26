/* The table of the options that are not of one room, and the rules between options. */
#include "calibrations/calibrate/command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibrations/calibrate/blocked/sampler.h"

enum { REPETITIONS_MAX = 99, ORDER_MAX = 16384, COUNT_MAX = 1 << 20 };

#define HEADING(text) \
    {                 \
        .help = text  \
    }
#define ROW(type, member, ...)                                                             \
    {                                                                                      \
        .kind = FR_OPTION_##type, .offset = offsetof(struct fr_calibrate_options, member), \
        __VA_ARGS__                                                                        \
    }

static int take_machine(const char *text, void *values, char why[FR_OPTION_WHY_BYTES])
{
    struct fr_calibrate_options *o = values;

    fr_document_machine(text, o->machine);
    return strcmp(o->machine, text) == 0
               ? 0
               : fr_option_refuse(why, "%.80s is not a machine name; %s would be", text,
                                  o->machine);
}

static int take_tolerance(const char *text, void *values, char why[FR_OPTION_WHY_BYTES])
{
    struct fr_calibrate_options *o = values;
    char *end;
    const double value = strtod(text, &end);

    if (end == text || *end || !(value >= 0 && value <= 1))
        return fr_option_refuse(why, "%.80s is not a number from 0 to 1", text);
    o->tolerance = value;
    return 0;
}

static const struct fr_option table[] = {
    HEADING("The document"),
    ROW(TEXT, output, .name = "output", .letter = 'o', .argument = "FILE",
        .flags = FR_OPTION_SAMPLES | FR_OPTION_MERGES,
        .help = "Write to FILE, or - for standard output (the default)"),
    ROW(OTHER, machine, .name = "machine", .argument = "NAME", .parse = take_machine,
        .help = "Name of the machine; default: derived from the host name"),
    ROW(TEXT, description, .name = "description", .argument = "TEXT",
        .help = "A sentence that describes the machine"),
    ROW(FLAG, is_merging, .name = "merge", .flags = FR_OPTION_MERGES,
        .help = "Measure nothing: combine the documents given as arguments; groups and kernels of "
                "later documents replace those of earlier ones"),
    ROW(FLAG, is_checking, .name = "check", .flags = FR_OPTION_CHECKS,
        .help = "Measure nothing: print how sure each part of the document FILE is, what it lacks "
                "for which model, and what to run; the exit status is 2 if a part is doubtful"),
    ROW(FLAG, is_sampling, .name = "sample", .flags = FR_OPTION_SAMPLES,
        .help = "Measure only the BLAS calls in FILE or standard input, one a line, and write CSV"),
    HEADING("What to measure"),
    ROW(FLAG, network_only, .name = "network-only",
        .help = "Only benchmarks that need two ranks: network, contention"),
    ROW(FLAG, kernels_only, .name = "kernels-only",
        .help = "Only benchmarks that need one rank: node, kernels, memory, ..."),
    ROW(TEXT, only, .name = "only", .argument = "NAMES",
        .help = "Only these benchmarks, separated by commas"),
    ROW(FLAG, is_listing, .name = "list", .help = "List the benchmarks and exit"),
    ROW(WHOLES, sizes, .name = "sizes", .argument = "N,...", .max = ORDER_MAX,
        .flags = FR_OPTION_RECORDED, .help = "Orders of the kernels' matrices; default 4 to 2048"),
    ROW(WHOLES, threads, .name = "threads", .argument = "N,...", .max = COUNT_MAX,
        .flags = FR_OPTION_RECORDED | FR_OPTION_SAMPLES,
        .help = "Thread counts; default 1, 2, 4, ... up to the cores"),
    ROW(WHOLES, processes, .name = "processes", .argument = "N,...", .max = COUNT_MAX,
        .flags = FR_OPTION_RECORDED,
        .help = "Process counts of contention; default 2, 4, 8, ... up to the job"),
    ROW(BYTES, max_message_bytes, .name = "max-message", .argument = "BYTES", .min = 64,
        .flags = FR_OPTION_RECORDED,
        .help = "Longest ping-pong message, at least that of contention; default 16M"),
    ROW(BYTES, contention_message_bytes, .name = "contention-message", .argument = "BYTES",
        .min = 1, .flags = FR_OPTION_RECORDED,
        .help = "Message size of the contention factors; default 64M, of 64 processes or more 1M"),
    ROW(FLAG, is_planning, .name = "plan",
        .help = "Print what this job would measure and how long it takes, after a short ping-pong"),
    HEADING("How"),
    ROW(WHOLE, repetitions, .name = "repetitions", .argument = "N", .min = 1,
        .max = REPETITIONS_MAX, .flags = FR_OPTION_RECORDED | FR_OPTION_SAMPLES,
        .help = "Repetitions of each benchmark; default 7, of --sample 10, simulated 1"),
    ROW(NUMBER, time_limit_s, .name = "time-limit", .argument = "SECONDS",
        .flags = FR_OPTION_SAMPLES,
        .help = "Stop measuring after this time and write the results so far"),
    ROW(TEXT, resume, .name = "resume", .argument = "FILE",
        .help = "Skip the benchmarks completed in FILE, and add each one that completes"),
    ROW(FLAG, is_quick, .name = "quick", .flags = FR_OPTION_RECORDED,
        .help = "Take seconds instead of minutes: for trials, not for predictions"),
    ROW(FLAG, is_unpinned, .name = "no-pin", .flags = FR_OPTION_RECORDED | FR_OPTION_SAMPLES,
        .help = "Leave all binding to the launcher"),
    ROW(NUMBER, peak_flops_per_s, .name = "peak-flops-per-s", .argument = "RATE",
        .flags = FR_OPTION_RECORDED, .help = "Peak rate of the node, instead of measuring it"),
    ROW(WHOLE, cores_per_node, .name = "cores-per-node", .argument = "N", .min = 1,
        .max = COUNT_MAX, .flags = FR_OPTION_RECORDED,
        .help = "Cores of the node, instead of counting them"),
    ROW(TEXT, counters, .name = "counters", .argument = "FILE",
        .help = "Write a table of the changes in the InfiniBand port counters by benchmark"),
    ROW(TEXT, analyze, .name = "analyze", .argument = "PROGRAM",
        .help = "The forerun-analyze that sparse_fit runs; default: beside this program"),
    HEADING("With --sample"),
    ROW(FLAG, is_cold, .name = "cold", .flags = FR_OPTION_SAMPLES,
        .help = "Operands out of every cache, instead of in them"),
    ROW(FLAG, is_each, .name = "each", .flags = FR_OPTION_SAMPLES,
        .help = "Write the time of each repetition too; --tolerance=0 has all of them"),
    ROW(OTHER, tolerance, .name = "tolerance", .argument = "F", .parse = take_tolerance,
        .flags = FR_OPTION_SAMPLES,
        .help = "Stop repeating a call when the relative error of its median is at most F; default "
                "0.01; 0: never"),
    ROW(TEXT, metrics, .name = "metrics", .argument = "NAMES", .flags = FR_OPTION_SAMPLES,
        .help = "Of seconds, ticks, instructions, loads, stores, cache_misses, tlb_misses"),
    ROW(FLAG, is_showing_version, .name = "version", .letter = 'V',
        .help = "Print the version and exit"),
    { 0 },
};

static int check_inapplicable(const struct fr_command_line *line,
                              const struct fr_calibrate_options *o, char *why)
{
    const int flags = o->is_sampling   ? FR_OPTION_SAMPLES
                      : o->is_merging  ? FR_OPTION_MERGES
                      : o->is_checking ? FR_OPTION_CHECKS
                                       : 0;
    char names[200];

    if (!flags)
        return 0;
    fr_option_inapplicable(line, flags, names, sizeof names);
    return *names ? fr_option_refuse(why, "%s: not with %s; leave out what does not apply there",
                                     names,
                                     o->is_sampling  ? "--sample"
                                     : o->is_merging ? "--merge"
                                                     : "--check")
                  : 0;
}

static int check_sample(const struct fr_command_line *line, const struct fr_calibrate_options *o,
                        char *why)
{
    if (!o->is_sampling && (o->is_cold || o->is_each || o->metrics))
        return fr_option_refuse(why, "--cold, --each and --metrics need --sample");
    if (o->is_sampling && line->files > 1)
        return fr_option_refuse(why, "--sample reads one file, not %d", line->files);
    if (o->is_sampling && o->threads.count > 1)
        return fr_option_refuse(why, "--threads: one count with --sample, not %d",
                                o->threads.count);
    return 0;
}

/* Fills the options that were not given and whose default depends on others. */
static void fill_defaults(struct fr_calibrate_options *o)
{
    const bool is_quick = o->is_quick;

    o->kernel_repetitions = o->repetitions ? o->repetitions : FR_SAMPLER_REPETITIONS;
    if (!o->max_message_bytes)
        o->max_message_bytes = is_quick ? 256 << 10 : 16 << 20;
    if (!o->sizes.count && is_quick)
        fr_value_list("4,8,16,32,64,128,256", ORDER_MAX, &o->sizes);
    else if (!o->sizes.count)
        fr_value_ladder(4, 2048, &o->sizes);
    if (!o->threads.count && is_quick)
        fr_value_doublings(1, &o->threads);
    if (!*o->machine) {
        char host[256] = "";

        gethostname(host, sizeof host - 1);
        fr_document_machine(host, o->machine);
    }
}

static int check(const struct fr_command_line *line, void *values, char why[FR_OPTION_WHY_BYTES])
{
    struct fr_calibrate_options *o = values;

    if (o->network_only + o->kernels_only + (o->only != NULL) > 1)
        return fr_option_refuse(why,
                                "--network-only, --kernels-only and --only exclude each other");
    if (o->is_listing || o->is_showing_version)
        return 0;
    if (o->is_sampling + o->is_merging + o->is_checking > 1)
        return fr_option_refuse(why, "--merge, --check and --sample exclude each other");
    if (o->is_merging && line->files < 2)
        return fr_option_refuse(why, "--merge needs two documents or more");
    if (o->is_checking && line->files != 1)
        return fr_option_refuse(why, "--check reads one document, not %d", line->files);
    if (!o->is_merging && !o->is_sampling && !o->is_checking && line->files)
        return fr_option_refuse(
            why, "%.80s: files are read with --merge, --check and --sample only", line->file[0]);
    if (check_inapplicable(line, o, why) || check_sample(line, o, why))
        return -1;
    fill_defaults(o);
    return 0;
}

void fr_command_settle(struct fr_calibrate_options *o, const struct fr_world *world)
{
    if (!o->repetitions)
        o->repetitions = world->is_simulated ? 1 : o->is_quick ? 3 : 7;
    if (!o->contention_message_bytes)
        o->contention_message_bytes = o->is_quick               ? 256 << 10
                                      : fr_world_is_many(world) ? 1 << 20
                                                                : 64 << 20;
}

void fr_command_parse(int argc, char **argv, struct fr_command *command)
{
    *command = (struct fr_command){
        .options = { .output = "-", .time_limit_s = HUGE_VAL, .tolerance = FR_SAMPLER_TOLERANCE },
        .modeling = fr_modeling_default(),
        .line = { .usage = "\n--merge A.json B.json...\n--check FILE\n--sample [FILE]",
                  .doc = "Measure this machine's calibration document for forerun.\v"
                         "Run it under mpirun, one rank for each core, on nodes without other "
                         "jobs.  Open MPI refuses to run as root: run as another user or, in a "
                         "container, set OMPI_ALLOW_RUN_AS_ROOT=1 and "
                         "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1.",
                  .group = { { table, &command->options, check },
                             { fr_networking_options, &command->networking, NULL },
                             { fr_modeling_options, &command->modeling, fr_modeling_check } } },
    };
    fr_option_parse(&command->line, argc, argv);
    if (command->options.is_quick)
        fr_modeling_hurry(&command->modeling);
}
