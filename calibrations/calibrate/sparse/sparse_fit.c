/* sparse_fit: the six constants of the kernel model `calibrated` (sparse.fit).
 *
 * forerun-analyze factorizes small generated matrices with the installed library; the engine
 * computes the factor of each constant for the same block structures from the measured rate tables.
 * Without the program the constants are those of another machine.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/core/child.h"
#include "calibrations/calibrate/core/nonnegative.h"
#include "calibrations/calibrate/core/progress.h"
#include "calibrations/calibrate/core/record.h"
#include "calibrations/calibrate/sparse/analyzed.h"
#include "calibrations/calibrate/sparse/sparse_kernels.h"
#include "engine/sparse/calibrated.h"
#include "server/json/writer.h"
#include "server/matrices/files/blocks.h"

enum { QUICK_MATRICES = 3, REPETITIONS = 5, QUICK_REPETITIONS = 3, ROUNDS = 4, QUICK_ROUNDS = 1 };
/* For one factorization with its repetitions; the largest takes about two seconds. */
static const double child_limit_s = 120;

/* Of several kinds and sizes, so that each constant matters for some; the fast ones first. */
static const char *const matrices[] = {
    "cd3d:14,14,14,101",     "cfd2d:36,36,3,102", "econ:8,150,4,103",   "cd3d:90,70,1,104",
    "circuit:15000,1,8,110", "cd3d:20,20,20,105", "cfd2d:110,90,1,106", "cfd2d:24,24,6,107",
    "circuit:7000,2,3,111",  "cd3d:26,26,26,108", "cd3d:50,50,8,109",
};
static const char *const limits[][2] = { { "256", "60" }, { "32", "8" } }; /* max, relax */
enum { MATRICES = sizeof matrices / sizeof *matrices, LIMITS = 2 };

static const char *const names[FR_CONSTANTS] = { "gemm",    "panel",    "scatter_s",
                                                 "block_s", "column_s", "supernode_s" };
/* docs/models/sparse_lu.md#fit-of-the-six-constants */
static const double elsewhere[FR_CONSTANTS] = { 1.96, 1.89, 1.13e-9, 1.1e-7, 7.2e-9, 2.57e-6 };

struct sample {
    const char *matrix;
    const char *const *limit;
    int rounds;
    double round_s[ROUNDS], spread; /* median of each round; spread of the last round */
    struct fr_equation equation;
};

struct fitting {
    struct fr_context *context;
    struct sparse_tables tables;
    const char *program;
    struct sample sample[MATRICES * LIMITS];
    int samples, repetitions, rounds;
    char why[FR_CHILD_WHY_BYTES]; /* of the last failure */
};

/* The program of the option, or the one beside this program. */
static bool find_program(const struct fr_calibrate_options *options, char path[PATH_MAX])
{
    static const char name[] = "forerun-analyze";
    ssize_t length;
    char *slash;

    if (options->analyze) {
        snprintf(path, PATH_MAX, "%s", options->analyze);
        return access(path, X_OK) == 0;
    }
    length = readlink("/proc/self/exe", path, PATH_MAX - sizeof name);
    if (length < 0)
        return false;
    path[length] = '\0';
    slash = strrchr(path, '/');
    strcpy(slash ? slash + 1 : path, name);
    return access(path, X_OK) == 0;
}

/* Runs the program on a sample; returns its output. */
static char *ask(struct fitting *fitting, const struct sample *sample, bool is_factorized,
                 size_t *length)
{
    char repetitions[16];
    char *arguments[16];
    int count = 0;

    snprintf(repetitions, sizeof repetitions, "%d", fitting->repetitions);
#define ADD(text) (arguments[count++] = (char *)(uintptr_t)(text))
    ADD("forerun-analyze");
    ADD("--generate");
    ADD(sample->matrix);
    ADD("--ordering");
    ADD("metis");
    ADD("--supernode-max");
    ADD(sample->limit[0]);
    ADD("--supernode-relax");
    ADD(sample->limit[1]);
    if (is_factorized) {
        ADD("--factorize");
        ADD("--repetitions");
        ADD(repetitions);
    }
#undef ADD
    arguments[count] = NULL;
    return fr_child_run(fitting->program, arguments, child_limit_s, length, fitting->why);
}

/* Finds the factors of the constants. */
static bool find_amounts(struct fitting *fitting, struct sample *sample)
{
    struct fr_faults faults = { 0 };
    struct sparse_structure *structure = NULL;
    struct sparse_sums sums = { 0 };
    const unsigned char *bytes;
    size_t length, count;
    char *text = ask(fitting, sample, false, &length);
    bool is_found = false;

    if (text && !fr_analyzed_structure(text, length, &bytes, &count, fitting->why))
        structure = fr_blocks_read(bytes, count, &faults);
    if (structure)
        is_found = sparse_calibrated_sums(structure, &fitting->tables, &sums, &faults) == FR_OK;
    if (fr_faults_kept(&faults))
        snprintf(fitting->why, sizeof fitting->why, "%.*s", (int)sizeof fitting->why - 1,
                 faults.fault[0].message);
    memcpy(sample->equation.amount,
           (double[]){ sums.gemm_s, sums.panel_s, sums.elements, sums.pairs, sums.columns,
                       sums.supernodes },
           sizeof sample->equation.amount);
    sparse_structure_free(structure);
    free(text);
    return is_found;
}

static bool find_time(struct fitting *fitting, struct sample *sample)
{
    struct fr_factorized *run = malloc(sizeof *run);
    size_t length;
    char *text = ask(fitting, sample, true, &length);
    const bool is_found = run && text && !fr_analyzed_times(text, length, run, fitting->why);

    if (is_found) {
        sample->spread = fr_sample_spread(run->time_s, run->times);
        sample->round_s[sample->rounds++] = fr_sample_median(run->time_s, run->times);
    }
    free(run);
    free(text);
    return is_found;
}

static void say_failed(const struct fitting *fitting, const struct sample *sample)
{
    fr_bench_say(fitting->context, "sparse_fit: %s: %s", sample->matrix, fitting->why);
}

/* Analyzes as many samples as the time allows, then factorizes them in rounds. */
static void sample_all(struct fitting *fitting)
{
    struct fr_context *context = fitting->context;
    const int count = LIMITS * (context->options->is_quick ? QUICK_MATRICES : MATRICES);
    struct fr_progress progress =
        fr_progress_begin(context, "sparse_fit", (double)count * (1 + fitting->rounds));

    snprintf(fitting->why, sizeof fitting->why, "the time limit has passed");
    for (int i = 0; i < count && !fr_bench_is_late(context, MPI_COMM_SELF); i++) {
        struct sample *sample = &fitting->sample[fitting->samples];

        *sample = (struct sample){ .matrix = matrices[i / LIMITS], .limit = limits[i % LIMITS] };
        if (find_amounts(fitting, sample))
            fitting->samples++;
        else
            say_failed(fitting, sample);
        fr_progress_add(&progress, 1);
    }
    for (int i = 0; i < fitting->rounds * fitting->samples; i++) {
        struct sample *sample = &fitting->sample[i % fitting->samples];

        if (fr_bench_is_late(context, MPI_COMM_SELF))
            break;
        if (!find_time(fitting, sample))
            say_failed(fitting, sample);
        fr_progress_add(&progress, 1);
    }
    fr_progress_end(&progress);
}

/* Collects the equations of the factorized samples; returns their number. */
static int gather(struct fitting *fitting, struct fr_equation *equation)
{
    int count = 0;

    for (int i = 0; i < fitting->samples; i++) {
        struct sample *sample = &fitting->sample[i];

        if (!sample->rounds)
            continue;
        sample->equation.time_s = sample->round_s[0];
        for (int k = 1; k < sample->rounds; k++)
            sample->equation.time_s = fmin(sample->equation.time_s, sample->round_s[k]);
        fitting->sample[count] = *sample;
        equation[count++] = sample->equation;
    }
    return fitting->samples = count;
}

static void write_constants(struct fr_context *context, const double constant[FR_CONSTANTS])
{
    struct fr_writer *out = fr_document_value(context->document, "/sparse/fit");

    fr_json_object(out);
    for (int i = 0; i < FR_CONSTANTS; i++)
        fr_json_pair_number(out, names[i], constant[i]);
    fr_json_object_end(out);
}

static void record_defaults(struct fr_context *context, const char *why)
{
    fr_bench_say(context, "sparse.fit: not fitted, %s; taken from another machine", why);
    write_constants(context, elsewhere);
    fr_document_source(context->document, "/sparse/fit",
                       "assumed: fitted on another machine; here %s", why);
}

/* Writes the constants and the distribution of the residuals as factors of at least 1. */
static void record_fit(struct fitting *fitting, const double constant[FR_CONSTANTS], double error)
{
    double factor[FR_EQUATIONS_MAX], spread[FR_EQUATIONS_MAX], median;
    int furthest = 0;

    for (int i = 0; i < fitting->samples; i++) {
        const struct fr_equation *equation = &fitting->sample[i].equation;

        factor[i] = exp(fabs(log(fr_equation_s(equation, constant) / equation->time_s)));
        spread[i] = fitting->sample[i].spread;
        furthest = factor[i] > factor[furthest] ? i : furthest;
    }
    fr_bench_say(fitting->context,
                 "sparse_fit: the largest error has %s, a factor of %.2f of %.3g ms",
                 fitting->sample[furthest].matrix, factor[furthest],
                 1e3 * fitting->sample[furthest].equation.time_s);
    median = fr_sample_median(factor, fitting->samples);
    write_constants(fitting->context, constant);
    fr_document_source(
        fitting->context->document, "/sparse/fit",
        "measured: SuperLU_DIST on one process, metis, generated matrices at two limits of "
        "supernodes, non-negative least squares of the relative error: root mean square %.1f %%, "
        "median factor %.3f, worst %.3f (%d samples, best median of %d rounds of %d, spread %.1f "
        "%%)",
        100 * error, median, factor[fitting->samples - 1], fitting->samples, fitting->rounds,
        fitting->repetitions, 100 * fr_sample_median(spread, fitting->samples));
}

static void fit(struct fitting *fitting)
{
    struct fr_equation equation[FR_EQUATIONS_MAX];
    double constant[FR_CONSTANTS], error;
    char why[FR_CHILD_WHY_BYTES + 60];

    sample_all(fitting);
    /* The fit needs at least as many equations as constants. */
    if (gather(fitting, equation) < FR_CONSTANTS) {
        snprintf(why, sizeof why, "%d of at least %d samples succeeded: %s", fitting->samples,
                 FR_CONSTANTS, fitting->why);
        record_defaults(fitting->context, why);
        return;
    }
    if (fr_nonnegative_fit(equation, fitting->samples, constant, &error))
        record_fit(fitting, constant, error);
    else
        record_defaults(fitting->context, "no constants fit the measured times");
}

static void run_alone(struct fr_context *context)
{
    static const char missing[] = "forerun-analyze is missing";
    struct fitting *fitting = fr_record_new(1, sizeof *fitting);
    struct fr_kernel kernels[FR_ROUTINES];
    struct fr_faults faults = { 0 };
    char program[PATH_MAX];

    if (!fitting)
        fr_world_out_of_memory();
    fitting->context = context;
    fitting->program = program;
    fitting->repetitions = context->options->is_quick ? QUICK_REPETITIONS : REPETITIONS;
    fitting->rounds = context->options->is_quick ? QUICK_ROUNDS : ROUNDS;
    if (!find_program(context->options, program))
        record_defaults(context, missing);
    else if (!fr_sparse_kernels_find(kernels))
        record_defaults(context, "the rate tables were not measured");
    else if (sparse_tables_init(&fitting->tables, kernels, &faults) != FR_OK)
        record_defaults(context, faults.fault[0].message);
    else {
        fit(fitting);
        sparse_tables_free(&fitting->tables);
    }
    fr_record_free(fitting);
}

static void run(struct fr_context *context)
{
    const bool may_pin = !context->options->is_unpinned;
    struct fr_team team;

    team = fr_team_begin(context->world, context->world->rank == 0);
    if (context->world->rank == 0) {
        /* Inherited by the child. */
        if (may_pin)
            fr_binding_set(context->cores, 0, 1);
        run_alone(context);
        if (may_pin)
            fr_binding_restore(context->cores);
    }
    fr_team_end(context->world, &team);
}

static double expected_s(const struct fr_context *context)
{
    return context->options->is_quick ? 1 : 30;
}

const struct fr_bench fr_bench_sparse_fit = {
    .name = "sparse_fit",
    .group = "sparse",
    .summary = "constants of sparse LU, from factorizations of small matrices",
    .needs_ranks = 1,
    .is_timing_cores = true,
    .after = "sparse_kernels",
    .expected_s = expected_s,
    .run = run,
};
