/* sparse_fit: the constants of the kernel model `calibrated`, for the steps of the paper
 * (sparse.fit), for a look-ahead window (sparse.window_fit) and for solves (sparse.solve_fit).
 *
 * forerun-analyze factorizes small generated matrices with the installed library; the engine
 * computes the factor of each constant for the same block structures from the measured rate tables.
 * Without the program the constants are those of another machine.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "calibrations/calibrate/core/document.h"
#include "calibrations/calibrate/sparse/sparse_kernels.h"

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

static void assume(struct fr_context *context, const char *why)
{
    fr_constants_assume(context, &fr_step_constants, why);
    fr_constants_assume(context, &fr_window_constants, why);
    fr_constants_assume(context, &fr_solve_constants, why);
}

static void fit(struct fr_sparse_samples *samples)
{
    char why[FR_CHILD_WHY_BYTES + 60];

    fr_sparse_samples_take(samples);
    /* The fits need at least as many equations as constants. */
    if (samples->count < FR_CONSTANTS) {
        snprintf(why, sizeof why, "%d of at least %d samples succeeded: %s", samples->count,
                 FR_CONSTANTS, samples->why);
        assume(samples->context, why);
        return;
    }
    fr_step_constants_fit(samples);
    fr_window_constants_fit(samples);
    fr_solve_constants_fit(samples);
}

static void run(struct fr_context *context)
{
    struct fr_sparse_samples *samples = fr_world_record(1, sizeof *samples);
    struct fr_kernel kernels[FR_ROUTINES];
    struct fr_faults faults = { 0 };
    char program[PATH_MAX];

    samples->context = context;
    samples->program = program;
    if (!find_program(context->options, program))
        assume(context, "forerun-analyze is missing");
    else if (!fr_sparse_kernels_find(kernels))
        assume(context, "the rate tables were not measured");
    else if (sparse_tables_init(&samples->tables, kernels, &faults) != FR_OK)
        assume(context, faults.fault[0].message);
    else {
        fit(samples);
        sparse_tables_free(&samples->tables);
    }
    fr_record_free(samples);
}

static double expected_s(const struct fr_context *context)
{
    return fr_sparse_samples_expected_s(context);
}

const struct fr_bench fr_bench_sparse_fit = {
    .name = "sparse_fit",
    .group = "sparse",
    .summary = "constants of sparse LU, from factorizations and solves of small matrices",
    .needs_ranks = 1,
    .is_timing_cores = true,
    .is_alone = true, /* the child is bound, too */
    .after = "sparse_kernels",
    .expected_s = expected_s,
    .run = run,
};
