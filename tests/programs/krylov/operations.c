/* Timed allreduces, halo exchanges and solves, and the check of the eager limit. */
#include "tests/programs/krylov/operations.h"

#include <math.h>

#include "calibrations/calibrate/core/document.h"
#include "tests/programs/compute.h"
#include "tests/programs/krylov/halo.h"
#include "tests/programs/krylov/reduction.h"
#include "tests/programs/krylov/solve.h"

static bool is_blocking(const struct test *test)
{
    return question_value(test->question, "blocking") != 0;
}

/* Collective: records a repetition; `work_s` of its time was computation. */
static void take_time(struct test *test, int repetition, double began_s, double work_s)
{
    const double own_s = MPI_Wtime() - began_s - work_s;
    double sum_s;

    MPI_Allreduce(&own_s, &sum_s, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    test->average_s += sum_s / test->job->size / test->options->program.repetitions;
    test->time_s[repetition] = job_most(own_s);
}

static void begin_run(const struct test *test, struct fr_writer *run)
{
    program_run_begin(run, test->question->model->name);
    question_write_parameters(test->question, run);
    program_run_times(run, test->time_s, test->options->program.repetitions);
    question_write_grids(test->question, test->job, run);
    fr_json_pair_integer(run, "hosts", test->job->nodes);
}

static int doubles_of(double bytes)
{
    if (fmod(bytes, 8) != 0 || bytes > MESSAGE_BYTES_MAX)
        job_refuse("message_bytes=%g: messages are whole doubles, at most 1 GiB of them", bytes);
    return (int)(bytes / 8);
}

static void reduce(const struct test *test, struct reduction *reduction, const double *own,
                   int count, double overlap_s)
{
    const double slice_s = test->options->slice_s, slices = compute_slices(overlap_s, slice_s);

    if (is_blocking(test) && !test->options->has_own_allreduce) {
        MPI_Allreduce(own, reduction->sum, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        return;
    }
    reduction_begin(reduction, own, count);
    for (double i = 0; i < slices; i++) {
        compute_for(overlap_s / slices);
        reduction_test(reduction);
    }
    reduction_wait(reduction);
}

static void verify_sum(const struct test *test, const double *sum, int count)
{
    const double ranks = test->job->size;

    for (int i = 0; i < count; i++)
        if (sum[i] != ranks * (ranks - 1) / 2 + ranks * i)
            program_fail("rank %d: sum %d is %.17g", test->job->rank, i, sum[i]);
}

void run_allreduce(struct test *test)
{
    const int count = doubles_of(question_value(test->question, "message_bytes"));
    const double overlap_s = is_blocking(test) ? 0 : question_value(test->question, "overlap_s");
    double *own = job_room((size_t)count, sizeof *own);
    struct reduction reduction;
    struct fr_writer run;

    reduction_init(&reduction, count);
    for (int i = 0; i < count; i++)
        own[i] = test->job->rank + i;
    reduce(test, &reduction, own, count, 0);
    verify_sum(test, reduction.sum, count);
    for (int i = 0; i < test->options->program.repetitions; i++) {
        const double began_s = job_begin_together(test->job);

        reduce(test, &reduction, own, count, overlap_s);
        take_time(test, i, began_s, overlap_s);
    }
    if (test->job->rank == 0) {
        begin_run(test, &run);
        program_run_end(&run, &test->options->program);
    }
    reduction_free(&reduction);
    fr_record_free(own);
}

static const struct krylov_grid_values *grid_of(const struct question *question)
{
    return question->values; /* its first member */
}

/* The mean over the ranks must be what the model predicts for the average process. */
static void verify_messages(const struct test *test, const struct halo *halo, const char *prefix,
                            double exchanges)
{
    static const char *const name[] = { "on_node_messages", "off_node_messages", "on_node_bytes",
                                        "off_node_bytes" };
    const double own[] = { halo->on_node, halo->off_node, halo->on_node_bytes,
                           halo->off_node_bytes };
    double sum[4];

    MPI_Allreduce(own, sum, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < 4; i++) {
        const double mean = sum[i] / test->job->size / exchanges;
        char output[40];
        double wanted;

        snprintf(output, sizeof output, "%s%s", prefix, name[i]);
        wanted = question_output(test->question, output);
        if (fabs(mean - wanted) > 1e-9 * fmax(1, wanted))
            job_refuse("%s: a process sends %g, the model predicts %g", output, mean, wanted);
    }
}

static struct krylov_stencil faces_of(const struct question *question)
{
    struct krylov_stencil stencil = {
        .dimensions = grid_of(question)->layout.dimensions,
        .values_per_point = 1,
        .message_bytes = question_value(question, "message_bytes"),
        .local_grid = grid_of(question)->local_grid,
    };

    if (!isnan(stencil.message_bytes))
        doubles_of(stencil.message_bytes);
    return stencil;
}

static void exchange(const struct test *test, struct halo *halo, double overlap_s)
{
    const double slice_s = test->options->slice_s, slices = compute_slices(overlap_s, slice_s);

    halo_begin(halo);
    for (double i = 0; i < slices; i++) {
        compute_for(overlap_s / slices);
        halo_progress(halo);
    }
    halo_wait(halo);
}

static void write_halo(const struct test *test)
{
    struct fr_writer run;

    begin_run(test, &run);
    fr_json_key(&run, "outputs");
    fr_json_object(&run);
    fr_json_pair_number(&run, "time_average_s", test->average_s);
    fr_json_object_end(&run);
    program_run_end(&run, &test->options->program);
}

void run_halo_exchange(struct test *test)
{
    const double overlap_s = is_blocking(test) ? 0 : question_value(test->question, "overlap_s");
    const struct krylov_stencil stencil = faces_of(test->question);
    struct layout layout;
    struct halo halo;

    layout_make(&layout, test->job, grid_of(test->question),
                &test->question->reference.network.topology);
    halo_init(&halo, &layout, &stencil);
    halo_verify(&halo, &layout);
    for (int i = 0; i < test->options->program.repetitions; i++) {
        const double began_s = job_begin_together(test->job);

        exchange(test, &halo, overlap_s);
        take_time(test, i, began_s, overlap_s);
    }
    verify_messages(test, &halo, "", test->options->program.repetitions + 1);
    if (test->job->rank == 0)
        write_halo(test);
    halo_free(&halo);
    layout_free(&layout);
}

/* Times of the kernels by --kernel, else by the memory bandwidth. */
static void price(const struct test *test, const struct krylov_solver *solver,
                  struct kernels *kernels)
{
    for (int i = 0; i < KERNELS; i++) {
        char output[40];

        snprintf(output, sizeof output, "phases.%s_s", kernel_names[i]);
        kernels->time_s[i] = program_kernel_s(&test->options->program, kernel_names[i]);
        if (isnan(kernels->time_s[i]))
            kernels->time_s[i] = question_output(test->question, output);
    }
    kernels->time_s[KERNEL_VECTOR] *= solver->iterations / solver->step.vector_words;
    kernels->imbalance = test->options->imbalance;
}

static void solve_repeatedly(struct test *test, struct solve *solve)
{
    struct fr_writer run;

    for (int i = 0; i < test->options->program.repetitions; i++) {
        const double began_s = job_begin_together(test->job);

        solve_run(solve);
        take_time(test, i, began_s, 0);
    }
    if (test->job->rank == 0)
        begin_run(test, &run);
    solve_report(solve, test->job, &run);
    if (test->job->rank == 0)
        program_run_end(&run, &test->options->program);
}

void run_cg(struct test *test)
{
    const enum krylov_solver_choice which =
        (enum krylov_solver_choice)question_value(test->question, "solver");
    const struct krylov_solver *solver = &krylov_solvers[which];
    const struct krylov_stencil stencil = {
        .dimensions = 3,
        .is_full = true,
        .values_per_point = 1,
        .message_bytes = NAN,
        .local_grid = grid_of(test->question)->local_grid,
    };
    struct layout layout;
    struct halo halo;
    struct kernels kernels;
    struct solve solve = {
        .solver = which,
        .steps = (int)ceil(question_value(test->question, "iterations") / solver->iterations),
        .matvec_overlap = question_value(test->question, "matvec_overlap") != 0,
        .slice_s = test->options->slice_s,
        .halo = &halo,
        .kernels = &kernels,
    };
    const double matvecs = solver->start.matvecs + solve.steps * solver->step.matvecs;

    layout_make(&layout, test->job, grid_of(test->question),
                &test->question->reference.network.topology);
    halo_init(&halo, &layout, &stencil);
    kernels_init(&kernels, test->options->is_real, &stencil.local_grid, test->job->rank);
    price(test, solver, &kernels);
    halo_verify(&halo, &layout);
    kernels_verify(&kernels, &layout, &halo);
    solve_init(&solve);
    solve_repeatedly(test, &solve);
    verify_messages(test, &halo, "halo.",
                    matvecs * test->options->program.repetitions + 1 + kernels.is_real);
    solve_free(&solve);
    kernels_free(&kernels);
    halo_free(&halo);
    layout_free(&layout);
}

/* Whether MPI_Send returns before the receiver posts its receive. */
static bool returns_early(const struct job *job, int bytes)
{
    const double busy_s = 2e-3;
    char *text = job_room((size_t)bytes, 1);
    double took_s = 0;

    MPI_Barrier(MPI_COMM_WORLD);
    if (job->rank == 0) {
        const double began_s = MPI_Wtime();

        MPI_Send(text, bytes, MPI_CHAR, job->size - 1, 0, MPI_COMM_WORLD);
        took_s = MPI_Wtime() - began_s;
    } else if (job->rank == job->size - 1) {
        compute_for(busy_s);
        MPI_Recv(text, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    fr_record_free(text);
    return job_most(took_s) < busy_s / 2;
}

void verify_eager_limit(const struct test *test)
{
    const double limit = question_value(test->question, "eager_limit_bytes");

    if (isnan(limit) || test->job->size < 2)
        return;
    if (limit > 1 << 28 || !returns_early(test->job, (int)limit) ||
        returns_early(test->job, (int)limit + 1))
        job_refuse("eager_limit_bytes=%g: MPI has another limit; set smpi/async-small-thresh and "
                   "smpi/send-is-detached-thresh of SimGrid to one more",
                   limit);
}
