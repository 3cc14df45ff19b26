#include "calibrations/calibrate/core/options.h"

#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibrations/calibrate/blocked/sampler.h"

enum key {
    KEY_MACHINE = 256,
    KEY_DESCRIPTION,
    KEY_NETWORK_ONLY,
    KEY_KERNELS_ONLY,
    KEY_ONLY,
    KEY_LIST,
    KEY_QUICK,
    KEY_NO_PIN,
    KEY_TIME_LIMIT,
    KEY_REPETITIONS,
    KEY_SIZES,
    KEY_THREADS,
    KEY_PROCESSES,
    KEY_MAX_MESSAGE,
    KEY_CONTENTION_MESSAGE,
    KEY_PEAK,
    KEY_CORES,
    KEY_ANALYZE,
    KEY_RESUME,
    KEY_COUNTERS,
    KEY_MERGE,
    KEY_SAMPLE,
    KEY_COLD,
    KEY_TOLERANCE,
    KEY_METRICS,
    KEY_END, /* 64 more than the first at most */
};

enum { REPETITIONS_MAX = 99, SIZE_MAX_N = 16384, COUNT_MAX = 1 << 20 };

static const struct argp_option table[] = {
    { .doc = "The document" },
    { "output", 'o', "FILE", 0, "Write to FILE, or - for standard output (the default)", 0 },
    { "machine", KEY_MACHINE, "NAME", 0, "The machine's name; default: made from the host's", 0 },
    { "description", KEY_DESCRIPTION, "TEXT", 0, "What the machine is, in a sentence", 0 },
    { "merge", KEY_MERGE, NULL, 0,
      "Measure nothing: combine the documents given as arguments; a later one's groups and kernels "
      "win",
      0 },
    { "sample", KEY_SAMPLE, NULL, 0,
      "Instead: measure the calls of BLAS in FILE, or standard input, one a line; CSV comes out",
      0 },
    { .doc = "What to measure" },
    { "network-only", KEY_NETWORK_ONLY, NULL, 0, "Only what needs two ranks: network, contention",
      0 },
    { "kernels-only", KEY_KERNELS_ONLY, NULL, 0, "Only what needs none: node, kernels, memory, ...",
      0 },
    { "only", KEY_ONLY, "NAMES", 0, "Only these benchmarks, with commas between", 0 },
    { "list", KEY_LIST, NULL, 0, "Name the benchmarks and end", 0 },
    { "sizes", KEY_SIZES, "N,...", 0, "Orders of the kernels' matrices; default 16 to 2048", 0 },
    { "threads", KEY_THREADS, "N,...", 0, "Thread counts; default 1, 2, 4, ... up to the cores",
      0 },
    { "processes", KEY_PROCESSES, "N,...", 0,
      "Process counts of contention; default 2, 4, 8, ... up to the job", 0 },
    { "max-message", KEY_MAX_MESSAGE, "BYTES", 0,
      "Longest ping-pong message if longer than that of contention; default 16M", 0 },
    { "contention-message", KEY_CONTENTION_MESSAGE, "BYTES", 0,
      "Message of the contention factors; default 64M", 0 },
    { .doc = "How" },
    { "repetitions", KEY_REPETITIONS, "N", 0, "Rounds of each benchmark; default 7, of --sample 10",
      0 },
    { "time-limit", KEY_TIME_LIMIT, "SECONDS", 0,
      "Stop measuring after this long and write what there is", 0 },
    { "resume", KEY_RESUME, "FILE", 0,
      "Take over the benchmarks finished in FILE, and add each that finishes", 0 },
    { "quick", KEY_QUICK, NULL, 0, "Seconds instead of minutes: to try things, not to use", 0 },
    { "no-pin", KEY_NO_PIN, NULL, 0, "Leave all binding to the launcher", 0 },
    { "peak-flops-per-s", KEY_PEAK, "RATE", 0, "The node's peak, instead of measuring it", 0 },
    { "cores-per-node", KEY_CORES, "N", 0, "The node's cores, instead of counting them", 0 },
    { "counters", KEY_COUNTERS, "FILE", 0,
      "Write a table of what each benchmark added to the InfiniBand ports' counters", 0 },
    { "analyze", KEY_ANALYZE, "PROGRAM", 0,
      "forerun-analyze, which sparse_fit factorises with; default: beside this program", 0 },
    { .doc = "With --sample" },
    { "cold", KEY_COLD, NULL, 0, "Operands out of every cache, instead of in them", 0 },
    { "tolerance", KEY_TOLERANCE, "F", 0,
      "Stop repeating a call once its median is known this well; default 0.01; 0: never", 0 },
    { "metrics", KEY_METRICS, "NAMES", 0,
      "Of seconds, ticks, instructions, loads, stores, cache_misses, tlb_misses", 0 },
    { .doc = "Other" },
    { "version", 'V', NULL, 0, "Print the version and end", 0 },
    { 0 },
};

static void take_count(struct argp_state *state, const char *option, const char *text, int max,
                       int *out)
{
    struct fr_list list;

    if (fr_value_list(text, max, &list) || list.count != 1)
        argp_error(state, "%s: %s is no whole number from 1 to %d", option, text, max);
    else
        *out = (int)list.value[0];
}

static void take_list(struct argp_state *state, const char *option, const char *text, int max,
                      struct fr_list *out)
{
    if (fr_value_list(text, max, out))
        argp_error(state, "%s: %s is no list of different whole numbers from 1 to %d", option, text,
                   max);
}

static void take_bytes(struct argp_state *state, const char *option, const char *text, int64_t min,
                       int64_t *out)
{
    int64_t bytes;

    if (fr_value_bytes(text, &bytes) || bytes < min)
        argp_error(state, "%s: %s is no size from %d bytes to 1G", option, text, (int)min);
    else
        *out = bytes;
}

static void take_positive(struct argp_state *state, const char *option, const char *text,
                          double *out)
{
    if (fr_value_positive(text, out))
        argp_error(state, "%s: %s is no number above 0", option, text);
}

static void take_tolerance(struct argp_state *state, const char *text, double *out)
{
    char *end;
    const double value = strtod(text, &end);

    if (end == text || *end || !(value >= 0 && value <= 1))
        argp_error(state, "--tolerance: %s is no number from 0 to 1", text);
    else
        *out = value;
}

static void take_machine(struct argp_state *state, const char *text, char *out)
{
    char name[FR_MACHINE_BYTES];

    fr_document_machine(text, name);
    if (strcmp(name, text) != 0)
        argp_error(state, "--machine: %s is no machine name; %s would be", text, name);
    memcpy(out, name, sizeof name);
}

/* What --quick leaves open may still be given. */
static void fill_defaults(struct fr_calibrate_options *o)
{
    static const char quick_sizes[] = "16,32,64,128,256";

    if (!o->output)
        o->output = "-";
    o->modeling_repetitions = o->repetitions ? o->repetitions : FR_SAMPLER_REPETITIONS;
    if (o->is_quick)
        fr_modeling_hurry(&o->modeling);
    if (!o->repetitions && o->action == FR_SAMPLE_CALLS)
        o->repetitions = FR_SAMPLER_REPETITIONS;
    if (!o->repetitions)
        o->repetitions = o->is_quick ? 3 : 7;
    if (!o->max_message_bytes)
        o->max_message_bytes = o->is_quick ? 256 << 10 : 16 << 20;
    if (!o->contention_message_bytes)
        o->contention_message_bytes = o->is_quick ? 256 << 10 : 64 << 20;
    if (!o->sizes.count && o->is_quick)
        fr_value_list(quick_sizes, SIZE_MAX_N, &o->sizes);
    else if (!o->sizes.count)
        fr_value_ladder(16, 2048, &o->sizes);
    if (!o->threads.count && o->is_quick)
        fr_value_doublings(1, &o->threads);
    if (o->tolerance < 0)
        o->tolerance = FR_SAMPLER_TOLERANCE;
    if (!*o->machine) {
        char host[256] = "";

        gethostname(host, sizeof host - 1);
        fr_document_machine(host, o->machine);
    }
}

static uint64_t bit_of(int key)
{
    return UINT64_C(1) << (key - KEY_MACHINE);
}

/* Adds the names of the options whose bits are set, with commas between. */
static void add_names(const struct argp_option *options, int first_key, uint64_t given, char *out,
                      size_t size)
{
    for (const struct argp_option *option = options; option->name || option->doc; option++) {
        const int bit = option->key - first_key;
        const size_t used = strlen(out);

        if (option->name && bit >= 0 && bit < 64 && (given >> bit & 1))
            snprintf(out + used, size - used, "%s--%s", used ? ", " : "", option->name);
    }
}

/* What an action would pass over is a mistake about it. */
static void check_applies(struct argp_state *state, const struct fr_calibrate_options *o)
{
    const uint64_t sampling = bit_of(KEY_SAMPLE) | bit_of(KEY_COLD) | bit_of(KEY_METRICS) |
                              bit_of(KEY_REPETITIONS) | bit_of(KEY_TOLERANCE) |
                              bit_of(KEY_THREADS) | bit_of(KEY_TIME_LIMIT) | bit_of(KEY_NO_PIN);
    const bool is_sampling = o->action == FR_SAMPLE_CALLS;
    char names[600] = "";

    if (!is_sampling && o->action != FR_MERGE_FILES)
        return;
    add_names(table, KEY_MACHINE, o->given & ~(is_sampling ? sampling : bit_of(KEY_MERGE)), names,
              sizeof names);
    add_names(fr_networking_argp.options, FR_NETWORKING_KEY, o->networking.given, names,
              sizeof names);
    add_names(fr_modeling_argp.options, FR_MODELING_KEY, o->modeling.given, names, sizeof names);
    if (*names)
        argp_error(state, "%s: not with %s; leave out what does not apply there", names,
                   is_sampling ? "--sample" : "--merge");
}

static void check_sample(struct argp_state *state, const struct fr_calibrate_options *o)
{
    if (o->action != FR_SAMPLE_CALLS && (o->is_cold || o->metrics))
        argp_error(state, "--cold and --metrics need --sample");
    if (o->action == FR_SAMPLE_CALLS && o->files > 1)
        argp_error(state, "--sample reads one file, not %d", o->files);
    if (o->action == FR_SAMPLE_CALLS && o->threads.count > 1)
        argp_error(state, "--threads: one count with --sample, not %d", o->threads.count);
}

static void check_together(struct argp_state *state, const struct fr_calibrate_options *o)
{
    if (o->network_only + o->kernels_only + (o->only != NULL) > 1)
        argp_error(state, "--network-only, --kernels-only and --only exclude each other");
    if ((o->given & bit_of(KEY_SAMPLE)) && (o->given & bit_of(KEY_MERGE)))
        argp_error(state, "--merge and --sample exclude each other");
    if (o->action == FR_MERGE_FILES && o->files < 2)
        argp_error(state, "--merge needs two documents or more");
    if (o->action != FR_MERGE_FILES && o->action != FR_SAMPLE_CALLS && o->files)
        argp_error(state, "%s: documents are read with --merge only, calls with --sample",
                   o->file[0]);
    check_applies(state, o);
    check_sample(state, o);
}

static error_t parse_value(int key, char *text, struct argp_state *state)
{
    struct fr_calibrate_options *o = state->input;

    switch (key) {
    case KEY_MACHINE:
        take_machine(state, text, o->machine);
        return 0;
    case KEY_TIME_LIMIT:
        take_positive(state, "--time-limit", text, &o->time_limit_s);
        return 0;
    case KEY_REPETITIONS:
        take_count(state, "--repetitions", text, REPETITIONS_MAX, &o->repetitions);
        return 0;
    case KEY_SIZES:
        take_list(state, "--sizes", text, SIZE_MAX_N, &o->sizes);
        return 0;
    case KEY_THREADS:
        take_list(state, "--threads", text, COUNT_MAX, &o->threads);
        return 0;
    case KEY_PROCESSES:
        take_list(state, "--processes", text, COUNT_MAX, &o->processes);
        return 0;
    case KEY_MAX_MESSAGE:
        take_bytes(state, "--max-message", text, 64, &o->max_message_bytes);
        return 0;
    case KEY_CONTENTION_MESSAGE:
        take_bytes(state, "--contention-message", text, 1, &o->contention_message_bytes);
        return 0;
    case KEY_PEAK:
        take_positive(state, "--peak-flops-per-s", text, &o->peak_flops_per_s);
        return 0;
    case KEY_TOLERANCE:
        take_tolerance(state, text, &o->tolerance);
        return 0;
    case KEY_CORES:
        take_count(state, "--cores-per-node", text, COUNT_MAX, &o->cores_per_node);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct fr_calibrate_options *o = state->input;

    if (key >= KEY_MACHINE && key < KEY_END)
        o->given |= bit_of(key);
    switch (key) {
    case 'o':
        o->output = text;
        return 0;
    case 'V':
        o->action = FR_SHOW_VERSION;
        return 0;
    case KEY_DESCRIPTION:
        o->description = text;
        return 0;
    case KEY_MERGE:
        o->action = FR_MERGE_FILES;
        return 0;
    case KEY_SAMPLE:
        o->action = FR_SAMPLE_CALLS;
        return 0;
    case KEY_COLD:
        o->is_cold = true;
        return 0;
    case KEY_METRICS:
        o->metrics = text;
        return 0;
    case KEY_LIST:
        o->action = FR_LIST_BENCHES;
        return 0;
    case KEY_NETWORK_ONLY:
        o->network_only = true;
        return 0;
    case KEY_KERNELS_ONLY:
        o->kernels_only = true;
        return 0;
    case KEY_ONLY:
        o->only = text;
        return 0;
    case KEY_RESUME:
        o->resume = text;
        return 0;
    case KEY_COUNTERS:
        o->counters = text;
        return 0;
    case KEY_ANALYZE:
        o->analyze = text;
        return 0;
    case KEY_QUICK:
        o->is_quick = true;
        return 0;
    case KEY_NO_PIN:
        o->is_unpinned = true;
        return 0;
    case ARGP_KEY_ARG:
        if (o->files == FR_FILES_MAX)
            argp_error(state, "at most %d documents", FR_FILES_MAX);
        o->file[o->files++] = text;
        return 0;
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->networking;
        state->child_inputs[1] = &o->modeling;
        return 0;
    case ARGP_KEY_END:
        check_together(state, o);
        return 0;
    default:
        return parse_value(key, text, state);
    }
}

void fr_options_parse(int argc, char **argv, struct fr_calibrate_options *options)
{
    static const struct argp_child children[] = {
        { &fr_networking_argp, 0, "Network", 0 },
        { &fr_modeling_argp, 0, "Routine models", 0 },
        { NULL, 0, NULL, 0 },
    };
    static const struct argp argp = {
        .options = table,
        .parser = parse,
        .children = children,
        .args_doc = "\n--merge A.json B.json...\n--sample [FILE]",
        .doc = "Measure this machine's calibration document for forerun.\v"
               "Run it under mpirun, one rank for each core, alone on its nodes.",
    };

    *options = (struct fr_calibrate_options){ .time_limit_s = HUGE_VAL,
                                              .tolerance = -1,
                                              .modeling = fr_modeling_default() };
    argp_parse(&argp, argc, argv, 0, NULL, options);
    fill_defaults(options);
}
