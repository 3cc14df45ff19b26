#include "calibrations/calibrate/sparse/sparse_kernels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrations/calibrate/core/bench.h"
#include "engine/sparse/clocks/clocks.h"
#include "engine/sparse/rates/rates.h"
#include "server/matrices/files/blocks.h"

enum { QUICK_MATRICES = 3, REPETITIONS = 5, QUICK_REPETITIONS = 3, ROUNDS = 3, QUICK_ROUNDS = 1 };
/* For one run of the program, and as such runs took on an AMD EPYC. */
static const double child_limit_s = 120, usual_s = 0.7, quick_s = 0.1;
/* More repetitions of long factorizations tell little that the other rounds do not tell. */
static const double run_s = 0.4;
/* Shorter ones are mostly calls of the library that no constant describes. */
static const double least_s = 3e-4;

/* Of several kinds and sizes, so that each constant matters for some; the fast ones first. */
static const char *const matrices[] = {
    "econ:8,150,4,103",  "circuit:7000,2,3,111", "cd3d:20,20,20,105",     "fem3d:10,10,10,3,112",
    "cfd2d:60,60,4,102", "econ:12,250,4,113",    "circuit:15000,1,8,110", "cfd2d:110,90,1,106",
    "cfd2d:24,24,6,107", "cd3d:50,50,8,109",     "cd3d:26,26,26,108",     "fem3d:14,14,14,2,114",
};
static const char *const limits[][2] = { { "256", "60" }, { "32", "8" } };
enum { MATRICES = sizeof matrices / sizeof *matrices, LIMITS = sizeof limits / sizeof *limits };
_Static_assert((int)MATRICES *(int)LIMITS <= (int)FR_SPARSE_SAMPLES_MAX, "too many matrices");

const int fr_sample_nrhs[FR_SAMPLE_SOLVES] = { 1, 8 };

enum task { ANALYZE, SOLVE, TIME_BLAS, FACTORIZE }; /* SOLVE is the first round of FACTORIZE */

static int repetitions_of(const struct fr_sparse_samples *samples,
                          const struct fr_sparse_sample *sample)
{
    /* Not measured yet: INFINITY. */
    return (int)fmin(fmax(ceil(run_s / sample->steps.time_s), 2), samples->repetitions);
}

/* Runs the program on a sample; returns its output. */
static char *ask(struct fr_sparse_samples *samples, const struct fr_sparse_sample *sample,
                 enum task task, size_t *length)
{
    char repetitions[16], solves[32];
    char *arguments[20];
    int count = 0;

    snprintf(repetitions, sizeof repetitions, "%d", repetitions_of(samples, sample));
    snprintf(solves, sizeof solves, "%d,%d", fr_sample_nrhs[0], fr_sample_nrhs[1]);
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
    if (task != ANALYZE) {
        ADD("--factorize");
        ADD("--repetitions");
        ADD(repetitions);
    }
    if (task == TIME_BLAS)
        ADD("--blas");
    if (task == SOLVE) {
        ADD("--solves");
        ADD(solves);
    }
#undef ADD
    arguments[count] = NULL;
    return fr_child_run(samples->program, arguments, child_limit_s, length, samples->why);
}

static void put_amounts(const struct sparse_sums *sums, struct fr_equation *equation)
{
    memcpy(equation->amount,
           (double[]){ sums->gemm_s, sums->panel_s, sums->elements, sums->pairs, sums->columns,
                       sums->supernodes },
           sizeof equation->amount);
}

/* The amount of a constant is the time with this one of 1 and the others of 0. */
static int put_solve(const struct sparse_structure *s, int nrhs, struct fr_fit_sample *solve)
{
    static const struct sparse_solve_fit unit[] = {
        { .entry_s = 1 }, { .flop_s = 1 }, { .block_s = 1 }, { .supernode_s = 1 }
    };
    const struct sparse_network alone = { 0 };
    struct sparse_solve_times times;
    double clock_s, load_s;
    int code = FR_OK;

    for (size_t j = 0; j < sizeof unit / sizeof *unit && code == FR_OK; j++) {
        code = sparse_solve_clocks(s, (struct sparse_grid){ 1, 1 }, nrhs, &unit[j], &alone, &times,
                                   &clock_s, &load_s);
        solve->equation.amount[j] = load_s;
    }
    return code;
}

/* The amounts of all fits. */
static int count_amounts(const struct sparse_structure *s, struct sparse_tables *tables,
                         struct fr_sparse_sample *sample, struct fr_faults *faults)
{
    struct sparse_schedule schedule = { 0 };
    struct sparse_sums steps, window;
    int code = sparse_calibrated_sums(s, tables, &steps, faults);

    if (code != FR_OK)
        return code;
    code = sparse_schedule_init(&schedule, s, true, NULL);
    if (code == FR_OK)
        code = sparse_window_sums(s, &schedule, FR_SAMPLE_WINDOW, tables, &window);
    sparse_schedule_free(&schedule);
    for (int k = 0; k < FR_SAMPLE_SOLVES && code == FR_OK; k++)
        code = put_solve(s, fr_sample_nrhs[k], &sample->solve[k]);
    if (code != FR_OK)
        return fr_fault(faults, code, "/", "no memory to count the work of the factorization");
    put_amounts(&steps, &sample->steps);
    put_amounts(&window, &sample->window.equation);
    return FR_OK;
}

static bool find_amounts(struct fr_sparse_samples *samples, struct fr_sparse_sample *sample)
{
    struct fr_faults faults = { 0 };
    struct sparse_structure *structure = NULL;
    const unsigned char *bytes;
    size_t length, count;
    char *text = ask(samples, sample, ANALYZE, &length);
    bool is_found = false;

    if (text && !fr_analyzed_structure(text, length, &bytes, &count, samples->why))
        structure = fr_blocks_read(bytes, count, &faults);
    if (structure)
        is_found = count_amounts(structure, &samples->tables, sample, &faults) == FR_OK;
    if (fr_faults_kept(&faults))
        snprintf(samples->why, sizeof samples->why, "%.*s", (int)sizeof samples->why - 1,
                 faults.fault[0].message);
    sparse_structure_free(structure);
    free(text);
    return is_found;
}

/* The median of the parts, as shares of the repetitions that they were measured in. */
static double share_of(const double *part_s, const struct fr_factorized *run)
{
    double share[FR_TIMES_MAX];

    for (int i = 0; i < run->times; i++)
        share[i] = part_s[i] / run->time_s[i];
    return fr_sample_median(share, run->times);
}

/* The best median of all rounds so far; or the shares of BLAS, which become times at the end. */
static void take(struct fr_sparse_sample *sample, enum task task, struct fr_factorized *run)
{
    if (task == TIME_BLAS) {
        sample->window.part_s[FR_BY_GEMM] = share_of(run->gemm_s, run);
        sample->window.part_s[FR_BY_PANEL] = share_of(run->panel_s, run);
        return;
    }
    for (int k = 0; k < FR_SAMPLE_SOLVES && task == SOLVE; k++)
        sample->solve[k].equation.time_s = run->solve_s[k];
    sample->spread = fr_sample_spread(run->time_s, run->times);
    sample->steps.time_s = fmin(sample->steps.time_s, fr_sample_median(run->time_s, run->times));
}

static bool measure(struct fr_sparse_samples *samples, struct fr_sparse_sample *sample,
                    enum task task)
{
    struct fr_factorized *run = malloc(sizeof *run);
    size_t length;
    char *text = ask(samples, sample, task, &length);
    bool is_found = run && text && !fr_analyzed_times(text, length, run, samples->why);

    if (is_found && task == TIME_BLAS && !run->has_parts) {
        snprintf(samples->why, sizeof samples->why, "it does not time BLAS");
        is_found = false;
    }
    if (is_found && task == SOLVE && run->solves != FR_SAMPLE_SOLVES) {
        snprintf(samples->why, sizeof samples->why, "it does not time solves");
        take(sample, FACTORIZE, run);
        is_found = false;
    }
    if (is_found)
        take(sample, task, run);
    free(run);
    free(text);
    return is_found;
}

static void say_failed(const struct fr_sparse_samples *samples,
                       const struct fr_sparse_sample *sample)
{
    fr_bench_say(samples->context, "sparse_fit: %s: %s", sample->matrix, samples->why);
}

static struct fr_sparse_sample sample_of(int which)
{
    const struct fr_fit_sample none = {
        .matrix = which / LIMITS,
        .part_s = { NAN, NAN, NAN, NAN, NAN, NAN },
    };
    struct fr_sparse_sample sample = {
        .matrix = matrices[which / LIMITS],
        .limit = limits[which % LIMITS],
        .steps.time_s = INFINITY,
        .window = none,
    };

    for (int k = 0; k < FR_SAMPLE_SOLVES; k++)
        sample.solve[k] = none;
    return sample;
}

static void analyze_all(struct fr_sparse_samples *samples, int count, struct fr_progress *progress)
{
    for (int i = 0; i < count && !fr_bench_is_late(samples->context, MPI_COMM_SELF); i++) {
        struct fr_sparse_sample *sample = &samples->sample[samples->count];

        *sample = sample_of(i);
        if (find_amounts(samples, sample))
            samples->count++;
        else
            say_failed(samples, sample);
        fr_progress_add(progress, 1);
    }
}

/* False if the time limit comes before the end. */
static bool measure_all(struct fr_sparse_samples *samples, enum task task,
                        struct fr_progress *progress)
{
    for (int i = 0; i < samples->count; i++) {
        if (fr_bench_is_late(samples->context, MPI_COMM_SELF))
            return false;
        if (!measure(samples, &samples->sample[i], task))
            say_failed(samples, &samples->sample[i]);
        fr_progress_add(progress, 1);
    }
    return true;
}

/* Keeps those that were factorized and are long enough. */
static void keep_measured(struct fr_sparse_samples *samples)
{
    int count = 0;

    for (int i = 0; i < samples->count; i++) {
        struct fr_sparse_sample sample = samples->sample[i];
        const double time_s = sample.steps.time_s;

        if (!(time_s >= least_s && time_s < INFINITY))
            continue;
        sample.window.equation.time_s = time_s;
        for (int j = 0; j < FR_CONSTANTS; j++)
            sample.window.part_s[j] *= time_s;
        samples->sample[count++] = sample;
    }
    samples->count = count;
}

static int count_of(const struct fr_context *context)
{
    return LIMITS * (context->options->is_quick ? QUICK_MATRICES : MATRICES);
}

static int rounds_of(const struct fr_context *context)
{
    return context->options->is_quick ? QUICK_ROUNDS : ROUNDS;
}

/* Runs of the program: of each sample its analysis, the parts of BLAS, and the rounds. */
static int runs_of(const struct fr_context *context)
{
    return count_of(context) * (2 + rounds_of(context));
}

double fr_sparse_samples_expected_s(const struct fr_context *context)
{
    return runs_of(context) * (context->options->is_quick ? quick_s : usual_s);
}

void fr_sparse_samples_take(struct fr_sparse_samples *samples)
{
    struct fr_context *context = samples->context;
    const bool is_quick = context->options->is_quick;
    const int count = count_of(context), rounds = rounds_of(context);
    struct fr_progress progress;
    bool goes_on;

    samples->repetitions = is_quick ? QUICK_REPETITIONS : REPETITIONS;
    snprintf(samples->why, sizeof samples->why, "the time limit has passed");
    progress = fr_progress_begin(context, "sparse_fit", runs_of(context));
    analyze_all(samples, count, &progress);
    goes_on = measure_all(samples, SOLVE, &progress);
    samples->rounds = 1;
    goes_on = goes_on && measure_all(samples, TIME_BLAS, &progress);
    while (goes_on && samples->rounds < rounds) {
        goes_on = measure_all(samples, FACTORIZE, &progress);
        samples->rounds++;
    }
    fr_progress_end(&progress);
    keep_measured(samples);
}
