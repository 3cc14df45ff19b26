/* Runs the chosen benchmarks: checks, checkpoint, plan, execution and output. */
#include "calibrations/calibrate/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/network/sizes.h"
#include "calibrations/calibrate/network/traffic.h"
#include "engine/forerun.h"
#include "server/json/writer.h"

enum { PATH_BYTES = 4096 };

struct run {
    struct fr_context *context;
    const struct fr_command_line *line;
    const bool *chosen;
    bool is_done[FR_BENCHES_MAX];
    struct fr_journal checkpoint; /* on rank 0 */
    struct fr_traffic traffic;
    struct fr_watch watch;
    int count;       /* benchmarks to measure */
    bool is_planned; /* they have announced what they measure */
};

/* Writes the line that must be equal in a job and the one that it resumes. */
static void write_key(const struct run *run, char *out, size_t size)
{
    const struct fr_context *context = run->context;
    char cpu[80];
    size_t used;

    fr_system_cpu(cpu, sizeof cpu);
    used = (size_t)snprintf(out, size, "forerun-calibrate %s: %s, %d hosts, %d processes, %s,",
                            FR_VERSION, context->options->machine, context->world->hosts,
                            context->world->size, cpu);
    if (used < size)
        fr_option_record(run->line, out + used, size - used);
}

/* Finds errors before measuring, which may take hours. */
static int check(struct run *run)
{
    const struct fr_calibrate_options *options = run->context->options;
    char key[FR_CHECKPOINT_KEY_BYTES], why[FR_CHECKPOINT_WHY_BYTES];
    int status = EXIT_SUCCESS;

    for (int i = 0; fr_benches[i]; i++)
        if (run->chosen[i] && fr_benches[i]->check && fr_benches[i]->check(run->context, why))
            status = fr_command_fail(fr_benches[i]->name, why);
    if (fr_output_check(options->output)) {
        snprintf(why, sizeof why, "%s; give a path that can be written", strerror(errno));
        status = fr_command_fail(options->output, why);
    }
    write_key(run, key, sizeof key);
    if (fr_checkpoint_open(&run->checkpoint, options->resume, key, why))
        status = fr_command_fail("--resume", why);
    return status;
}

/* Results passed on in memory are not in the checkpoint, so they are measured again if needed. */
static bool is_needed_again(const struct run *run, int bench)
{
    for (int i = 0; fr_benches[i]; i++)
        if (run->chosen[i] && !run->is_done[i] && fr_bench_needs(fr_benches[i], fr_benches[bench]))
            return true;
    return false;
}

static void take_over(struct run *run)
{
    size_t length;

    for (int i = 0; fr_benches[i]; i++)
        run->is_done[i] =
            fr_checkpoint_find(&run->checkpoint, fr_benches[i]->name, &length) != NULL;
    for (int i = fr_bench_count - 1; i >= 0; i--)
        if (run->is_done[i] && is_needed_again(run, i))
            run->is_done[i] = false;
    for (int i = 0; fr_benches[i]; i++) {
        const char *json = fr_checkpoint_find(&run->checkpoint, fr_benches[i]->name, &length);

        run->is_done[i] = run->is_done[i] && run->chosen[i] &&
                          fr_document_read(run->context->document, json, length) == 0;
        if (run->is_done[i])
            fr_bench_say(run->context, "%s: resumed from %s", fr_benches[i]->name,
                         run->context->options->resume);
    }
}

/* Adds what the benchmark found to the document and, if it is whole, to the checkpoint. */
static void keep_found(struct run *run, const struct fr_bench *bench, bool is_whole)
{
    struct fr_context *context = run->context;
    struct fr_writer line;

    fr_writer_init(&line);
    fr_document_write_found(context->document, &line);
    if (line.failed || fr_document_read(context->document, line.text, line.length)) {
        fr_bench_say(context, "%s is not saved: out of memory", bench->name);
        context->has_failed = true;
    } else if (is_whole && fr_journal_add(&run->checkpoint, "%s %.*s\n", bench->name,
                                          (int)line.length, line.text)) {
        fr_bench_say(context, "--resume: %s is not saved: %s", bench->name, strerror(errno));
        context->has_failed = true;
    }
    fr_writer_free(&line);
}

static int write_document(const struct fr_context *context, const char *path)
{
    struct fr_writer out;
    int status = EXIT_SUCCESS;

    fr_writer_init(&out);
    fr_environment_end(context);
    if (fr_document_write(context->document, &out))
        status = fr_command_fail("document", "out of memory");
    else if (fr_output_write(path, out.text, out.length))
        status = fr_command_fail(path, strerror(errno));
    fr_writer_free(&out);
    return status;
}

/* The path of the unfinished document.  Returns false if the output is not a file. */
static bool partial_path(const struct fr_context *context, char *out)
{
    return fr_output_is_file(context->options->output) &&
           snprintf(out, PATH_BYTES, "%s.partial", context->options->output) < PATH_BYTES;
}

static void run_part(struct fr_context *context, const struct fr_bench *bench)
{
    struct fr_team team;

    if (!bench->is_alone) {
        bench->run(context);
        return;
    }
    team = fr_team_begin(context->world, context->world->rank == 0);
    if (context->world->rank == 0) {
        fr_binding_set(context->cores, 0, 1);
        bench->run(context);
        fr_binding_restore(context->cores);
    }
    fr_team_end(context->world, &team);
}

/* Runs a part of a benchmark.  Returns whether something disturbed it, with the reasons on rank 0.
 */
static bool run_watched(struct run *run, const struct fr_bench *bench, char reasons[FR_LOAD_BYTES])
{
    fr_watch_begin(&run->watch);
    run_part(run->context, bench);
    return fr_watch_end(&run->watch, reasons);
}

/* Whether a part that took so long is run once more: half of the remaining time is left to the
 * others. */
static bool has_time_again(const struct run *run, const struct fr_bench *bench, double took_s)
{
    const struct fr_context *context = run->context;
    const double left_s = context->options->time_limit_s - (MPI_Wtime() - context->started_s);
    int has_time = !bench->keeps_samples && took_s <= left_s / 2 && !fr_interrupt_came();

    MPI_Bcast(&has_time, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return has_time;
}

/* "precisions, part 3 of 12", or the name of a benchmark of one part. */
enum { PART_BYTES = 64 };
static void name_part(const struct fr_context *context, const struct fr_bench *bench,
                      char out[PART_BYTES])
{
    const size_t used = (size_t)snprintf(out, PART_BYTES, "%s", bench->name);

    if (bench->parts && used < PART_BYTES)
        snprintf(out + used, PART_BYTES - used, ", part %d of %d", context->part + 1, bench->parts);
}

/* Runs a part of a benchmark, once more if it was disturbed, and says in the sources of its values
 * when it was and whether it was disturbed then too. */
static void run_dated(struct run *run, const struct fr_bench *bench)
{
    struct fr_context *context = run->context;
    struct fr_calibration *found = &context->document->found;
    const struct fr_calibration found_before = *found;
    const struct fr_context before = *context;
    const double began_s = MPI_Wtime();
    char reasons[FR_LOAD_BYTES], day[FR_DAY_BYTES], part[PART_BYTES];
    bool is_disturbed = run_watched(run, bench, reasons);

    name_part(context, bench, part);
    if (is_disturbed && has_time_again(run, bench, MPI_Wtime() - began_s)) {
        fr_bench_say(context, "%s: %s; it is measured again", part, reasons);
        *context = before;
        *found = found_before;
        is_disturbed = run_watched(run, bench, reasons);
    }
    fr_environment_day(day);
    fr_document_date(context->document, found_before.sources.count, day,
                     is_disturbed ? reasons : NULL);
    if (is_disturbed)
        fr_bench_warn(context, "%s was measured on a loaded machine: %s", part, reasons);
}

static void run_parts(struct run *run, const struct fr_bench *bench)
{
    struct fr_context *context = run->context;
    const int parts = bench->parts ? bench->parts : 1;

    context->plan.has_cuts = false;
    for (context->part = 0; context->part < parts; context->part++)
        run_dated(run, bench);
}

static void measure(struct run *run, const struct fr_bench *bench)
{
    struct fr_context *context = run->context;
    struct fr_calibration *found = &context->document->found;
    const size_t lacks = strlen(context->missing);
    char path[PATH_BYTES];
    bool is_late, has_nothing;

    fr_calibration_clear(found);
    fr_traffic_before(context, &run->traffic);
    run_parts(run, bench);
    fr_traffic_after(context, &run->traffic, bench->name);
    is_late = fr_bench_is_late(context, MPI_COMM_WORLD);
    if (context->world->rank)
        return;
    has_nothing = !fr_encode_has_any(fr_calibration_fields, found) && !bench->is_check;
    if (has_nothing && strlen(context->missing) == lacks)
        fr_bench_missing(context, bench->name, "%s",
                         is_late ? "no time for it" : "it found nothing to measure");
    else
        keep_found(run, bench, !has_nothing && !is_late && !context->plan.has_cuts);
    if (partial_path(context, path))
        write_document(context, path);
}

static bool is_due(const struct run *run, int bench)
{
    return run->chosen[bench] && !run->is_done[bench];
}

/* On rank 0: foresees the time of the benchmarks from `first` on; each knows better as more is
 * measured. */
static void foresee(struct run *run, int first)
{
    struct fr_context *context = run->context;

    context->later_s = 0;
    context->is_later_open = false;
    for (int i = first; fr_benches[i] && !context->world->rank; i++) {
        if (!is_due(run, i) || !fr_bench_can_run(context, fr_benches[i]))
            continue;
        if (fr_benches[i]->expected_s)
            context->later_s += fr_benches[i]->expected_s(context);
        else
            context->is_later_open = true;
    }
}

static void run_bench(struct run *run, int index)
{
    const struct fr_bench *bench = fr_benches[index];
    struct fr_context *context = run->context;
    char in_all[FR_IN_ALL_BYTES];

    foresee(run, index);
    fr_bench_in_all(context, 0, in_all);
    foresee(run, index + 1);
    context->left--;
    if (context->world->size < bench->needs_ranks) {
        fr_bench_missing(context, bench->name, "it needs %d ranks or more", bench->needs_ranks);
    } else if (bench->is_timing_cores && context->world->is_simulated) {
        fr_bench_missing(context, bench->name, "a simulated cluster has no cores to time");
    } else if (fr_bench_is_late(context, MPI_COMM_WORLD)) {
        fr_bench_missing(context, bench->name, "%s",
                         fr_interrupt_came() ? "the run was interrupted"
                                             : "the time limit has passed");
    } else {
        fr_bench_say(context, "%s: benchmark %d of %d, after %.0f s%s", bench->name,
                     run->count - context->left, run->count, MPI_Wtime() - context->started_s,
                     in_all);
        measure(run, bench);
    }
}

static bool has_ranks(const struct run *run, int bench)
{
    return run->context->world->size >= fr_benches[bench]->needs_ranks;
}

/* Asks all benchmarks that are due and have enough ranks what they measure. */
static void plan(struct run *run)
{
    struct fr_context *context = run->context;

    context->plan.all = fr_all_send(context);
    for (int i = 0; fr_benches[i]; i++)
        if (is_due(run, i) && has_ranks(run, i) && fr_benches[i]->plan)
            fr_benches[i]->plan(context);
    run->is_planned = true;
}

static void run_benches(struct run *run)
{
    for (int i = 0; fr_benches[i]; i++)
        run->count += is_due(run, i);
    run->context->left = run->count;
    for (int i = 0; fr_benches[i]; i++) {
        if (!is_due(run, i))
            continue;
        if (fr_benches[i]->plan && !run->is_planned)
            plan(run);
        run_bench(run, i);
    }
}

/* Whether a benchmark needs the result to announce what it measures. */
static bool is_for_plan(const struct run *run, int bench)
{
    bool is_needed = false;

    for (int i = 0; fr_benches[i]; i++)
        is_needed = is_needed || (is_due(run, i) && fr_benches[i]->plan &&
                                  fr_bench_needs(fr_benches[i], fr_benches[bench]));
    return is_needed && !fr_benches[bench]->is_check;
}

static void print_table(const struct run *run)
{
    const struct fr_context *context = run->context;
    const double took_s = MPI_Wtime() - context->started_s;

    printf("processes: %d, nodes: %d, repetitions: %d\n", context->world->size,
           context->world->hosts, context->options->repetitions);
    fr_plan_print(&context->plan, context->options->time_limit_s - took_s);
    printf("just measured for this plan: %.2f s\n", took_s);
    for (int i = 0; fr_benches[i]; i++)
        if (is_due(run, i) && fr_bench_can_run(context, fr_benches[i]) && fr_benches[i]->expected_s)
            printf("%-36s %10s %10.2f\n", fr_benches[i]->name, "",
                   fr_benches[i]->expected_s(context));
    printf("not estimated:");
    for (int i = 0; fr_benches[i]; i++)
        if (is_due(run, i) && fr_bench_can_run(context, fr_benches[i]) &&
            !fr_benches[i]->expected_s && !fr_benches[i]->plan && !is_for_plan(run, i))
            printf(" %s", fr_benches[i]->name);
    puts("");
}

/* For --plan: runs only what plans are made from, and prints the plan. */
static void print_plan(struct run *run)
{
    for (int i = 0; fr_benches[i]; i++)
        if (is_due(run, i) && has_ranks(run, i) && is_for_plan(run, i))
            run_part(run->context, fr_benches[i]);
    plan(run);
    if (run->context->world->rank == 0)
        print_table(run);
}

/* On rank 0. */
static int finish(struct run *run)
{
    struct fr_context *context = run->context;
    char path[PATH_BYTES];
    int status;

    if (fr_interrupt_came())
        fr_bench_warn(context, "interrupted by %s after %.0f s", fr_interrupt_name(),
                      MPI_Wtime() - context->started_s);
    fr_warn_of_noise(context);
    status = write_document(context, context->options->output);
    if (!status && partial_path(context, path))
        unlink(path);
    fr_journal_close(&run->checkpoint);
    fr_bench_say(context, "%s after %.0f s", status ? "failed" : "written",
                 MPI_Wtime() - context->started_s);
    return context->has_failed || fr_interrupt_came() ? EXIT_FAILURE : status;
}

int fr_run_benchmarks(struct fr_context *context, const struct fr_command_line *line,
                      const char *command, const bool *chosen)
{
    struct run run = { .context = context, .line = line, .chosen = chosen };
    int status = EXIT_SUCCESS;

    if (context->options->is_planning) {
        print_plan(&run);
        return EXIT_SUCCESS;
    }
    if (context->world->rank == 0)
        status = check(&run);
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (status || fr_traffic_begin(context, &run.traffic))
        return EXIT_FAILURE;
    fr_environment_begin(context, command);
    fr_warn_of_hosts(context);
    if (context->world->rank == 0)
        take_over(&run);
    MPI_Bcast(run.is_done, sizeof run.is_done, MPI_BYTE, 0, MPI_COMM_WORLD);
    run.watch = fr_watch_open(context->world, context->cores_per_node);
    run_benches(&run);
    fr_watch_close(&run.watch);
    if (fr_traffic_end(&run.traffic)) {
        fr_bench_say(context, "--counters: the table could not be written completely");
        context->has_failed = true;
    }
    if (context->world->rank == 0)
        status = finish(&run);
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return status;
}
