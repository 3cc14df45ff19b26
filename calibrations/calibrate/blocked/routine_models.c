/* The benchmark routine_models: samples kernels and builds their models
 * (docs/models/kernel_models.md).
 *
 * A blocked algorithm has the cores of a node to itself.  So rank 0 samples alone, and the other
 * ranks wait without using their cores.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibrations/calibrate/blocked/modeling.h"
#include "calibrations/calibrate/blocked/reuse.h"
#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/core/blas.h"

/* All kernels in one locality and thread count. */
struct modeling_pass {
    const struct fr_domain *domain;
    int domains, threads;
    int after; /* passes that follow */
    double began_s, end_s;
    double second_per_flop; /* of the fastest model so far; HUGE_VAL: none */
};

/* The building of one model. */
struct modeling_job {
    struct fr_context *context;
    const struct fr_domain *domain;
    struct fr_sampler *sampler;
    struct fr_sample_log *sample_log;
    int threads;
    char name[64]; /* for messages */
    double began_s, shown_s;
    const struct modeling_pass *pass;
    double later_s; /* estimate of the models after this one in the pass */
    size_t executions;
    struct fr_fit_history history;
    struct fr_remaining remaining;
    double second_per_flop; /* of the last batch, with its executions and overhead */
};

/* Summary of all models. */
struct tally {
    int models, incomplete;
    size_t samples, regions;
    double worst_error;
};

/* Modelling continues without the file; a resumed run repeats the samples that are missing. */
static void tell_lost(struct fr_context *context)
{
    fr_bench_say(context, "--samples: %s: %s; further samples are not saved",
                 context->modeling->samples, strerror(errno));
    context->has_failed = true;
}

static size_t take(void *context, struct blocked_sample *sample, size_t count)
{
    struct modeling_job *job = context;
    struct blocked_call *call = calloc(count, sizeof *call);
    struct fr_sampled *measured = calloc(count, sizeof *measured);
    const double began_s = fr_stopwatch_s();
    double flops = 0;
    size_t taken = 0;

    for (size_t i = 0; call && i < count; i++) {
        call[i] =
            (struct blocked_call){ .kernel = job->domain->kernel, .alpha = job->domain->alpha };
        memcpy(call[i].size, sample[i].at, sizeof call[i].size);
    }
    if (call && measured)
        taken = fr_sampler_take(job->sampler, call, NULL, measured, count);
    for (size_t i = 0; i < taken; i++) {
        sample[i].time_s[BLOCKED_MIN] = measured[i].min_s;
        sample[i].time_s[BLOCKED_MED] = measured[i].median_s;
        sample[i].time_s[BLOCKED_AVG] = measured[i].mean_s;
        sample[i].time_s[BLOCKED_MAX] = measured[i].max_s;
        sample[i].time_s[BLOCKED_STD] = measured[i].std_s;
        job->executions += (size_t)measured[i].repetitions;
        flops += blocked_flops(&job->domain->kernel, sample[i].at);
        if (fr_sample_log_add(job->sample_log, &job->domain->kernel, job->threads,
                              job->sampler->is_cold, &sample[i]))
            tell_lost(job->context);
    }
    fr_remaining_take(&job->remaining, &job->domain->kernel, sample, taken,
                      fr_stopwatch_s() - began_s);
    job->second_per_flop = flops > 0 ? job->remaining.batch_s / flops : 0;
    free(call);
    free(measured);
    return taken;
}

/* An expansion does not know its next batches; the share of the sizes that is done has to do. */
static double left_s(const struct modeling_job *job, const struct blocked_progress *progress,
                     double now_s)
{
    const bool is_expansion = job->context->modeling->strategy == BLOCKED_EXPANSION;
    const double spent_s = now_s - job->began_s;
    const size_t most = job->domain->most_samples;
    const double own_s =
        is_expansion ? spent_s * (1 / fmax(progress->share_done, 1e-3) - 1)
                     : fr_remaining_s(&job->remaining, progress,
                                      most > progress->samples ? most - progress->samples : 0);

    const double pass_s = fmin(own_s, fmax(0, job->sampler->deadline_s - now_s)) + job->later_s;

    return pass_s + job->pass->after * (now_s - job->pass->began_s + pass_s);
}

static void report(void *context, const struct blocked_progress *progress)
{
    struct modeling_job *job = context;
    const double now_s = fr_stopwatch_s();
    char in_all[FR_IN_ALL_BYTES];
    double rest_s;

    fr_fit_history_add(&job->history, progress);
    if (now_s - job->shown_s < 1)
        return;
    job->shown_s = now_s;
    rest_s = left_s(job, progress, now_s);
    fr_bench_say(job->context,
                 "%s: %zu regions done, %zu open, %zu samples, error %.1f %%, about %.0f s left%s",
                 job->name, progress->regions_done, progress->regions_open, progress->samples,
                 100 * progress->error, rest_s, fr_bench_in_all(job->context, rest_s, in_all));
}

static double worst_error(const struct blocked_model *model)
{
    double worst = 0;

    for (size_t i = 0; i < model->pieces; i++)
        worst = fmax(worst, model->piece[i].error);
    return worst;
}

static void tell_missed(struct modeling_job *job, const struct blocked_model *model, double eps)
{
    char text[FR_MISSED_BYTES];

    if (fr_missed_write(job->domain->kernel.routine, model, eps, text))
        fr_bench_warn(job->context, "%s: %s", job->name, text);
}

/* Adds a model to the summary.  One that has all samples that it may take is not incomplete. */
static void count_model(struct modeling_job *job, const struct blocked_build *build,
                        const struct blocked_model *model, double seconds, struct tally *tally)
{
    const bool is_full = build->most_samples && model->samples >= build->most_samples;
    const double worst = worst_error(model);

    fr_bench_say(job->context,
                 "%s: %zu regions, %zu samples, %zu executions, worst error %.1f %%, %.1f s%s",
                 job->name, model->pieces, model->samples, job->executions, 100 * worst, seconds,
                 model->is_complete ? ""
                 : is_full          ? "; it may take no more samples"
                                    : "; the time limit allowed no more");
    tally->models++;
    tally->incomplete += !model->is_complete && !is_full;
    tally->samples += model->samples;
    tally->regions += model->pieces;
    tally->worst_error = fmax(tally->worst_error, worst);
    tell_missed(job, model, build->eps);
}

static void make_model(struct modeling_job *job, struct tally *tally)
{
    const struct blocked_build build =
        fr_modeling_build(job->context->modeling, job->domain, job->sampler->is_cold);
    const struct blocked_sampler source = { job, take, report };
    const struct blocked_kernel *kernel = &job->domain->kernel;
    const bool is_cold = job->sampler->is_cold;
    struct blocked_model model;
    size_t known_count;
    struct blocked_sample *known =
        fr_sample_log_find(job->sample_log, kernel, job->threads, is_cold, &known_count);
    char why[160];
    const int status = blocked_model_build(kernel, job->domain->box, job->domain->boxes, &build,
                                           known, known_count, &source, &model, why, sizeof why);
    const double seconds = fr_stopwatch_s() - job->began_s;

    free(known);
    if (status) {
        fr_bench_say(job->context, "%s: skipped, %s", job->name, why);
        tally->incomplete++;
        return;
    }
    fr_routine_record(job->context->document,
                      &(struct fr_routine_made){ .domain = job->domain,
                                                 .build = &build,
                                                 .model = &model,
                                                 .history = &job->history,
                                                 .is_cold = is_cold,
                                                 .threads = job->threads,
                                                 .repetitions = job->sampler->repetitions,
                                                 .leading_dimension = job->sampler->memory.leading,
                                                 .seconds = known_count ? NAN : seconds });
    count_model(job, &build, &model, seconds, tally);
    blocked_model_free(&model);
}

/* Share of a kernel in a time limit; kernels with more sizes take many times as long. */
static double weight_of(const struct fr_domain *domain)
{
    const double by_sizes[] = { 1, 3, 50 };

    return by_sizes[domain->kernel.routine->sizes - 1];
}

/* Of the models that follow, at the speed of the fastest so far. */
static double later_s(const struct fr_context *context, const struct modeling_pass *pass, int from,
                      bool is_cold)
{
    double flops = 0;

    for (int i = from; i < pass->domains; i++)
        flops += fr_modeling_flops(context->modeling, &pass->domain[i], is_cold);
    return isfinite(pass->second_per_flop) ? flops * pass->second_per_flop : 0;
}

/* Models all kernels of a pass. */
static void make_all(struct fr_context *context, struct modeling_pass *pass,
                     struct fr_sampler *sampler, struct fr_sample_log *sample_log,
                     struct tally *tally)
{
    double weights = 0;

    for (int i = 0; i < pass->domains; i++)
        weights += weight_of(&pass->domain[i]);
    for (int i = 0; i < pass->domains; i++) {
        const struct fr_domain *domain = &pass->domain[i];
        const double now_s = fr_stopwatch_s();
        const double share = weight_of(domain) / weights;
        struct modeling_job job = { .context = context,
                                    .domain = domain,
                                    .sampler = sampler,
                                    .sample_log = sample_log,
                                    .threads = pass->threads,
                                    .began_s = now_s,
                                    .shown_s = now_s,
                                    .pass = pass,
                                    .later_s = later_s(context, pass, i + 1, sampler->is_cold) };

        snprintf(job.name, sizeof job.name, "%s%s%s, %s, %d thread%s", domain->kernel.routine->name,
                 *domain->kernel.flags ? " " : "", domain->kernel.flags,
                 sampler->is_cold ? "out of cache" : "in cache", pass->threads,
                 pass->threads == 1 ? "" : "s");
        sampler->deadline_s =
            isinf(pass->end_s) ? pass->end_s : now_s + (pass->end_s - now_s) * share;
        make_model(&job, tally);
        if (job.second_per_flop > 0)
            pass->second_per_flop = fmin(pass->second_per_flop, job.second_per_flop);
        weights -= weight_of(domain);
    }
}

/* End of the time limits, on the clock of the sampler.  --time-limit leaves time for the benchmarks
 * that follow. */
static double end_of(const struct fr_context *context)
{
    const double now_s = fr_stopwatch_s();
    const double passed_s = MPI_Wtime() - context->started_s;

    return now_s + fmin(context->modeling->budget_s,
                        context->options->time_limit_s - passed_s - context->later_s);
}

static struct fr_extent extent_of(const struct fr_domain *domain, int domains)
{
    struct fr_extent extent = { 0 };

    for (int i = 0; i < domains; i++)
        for (size_t k = 0; k < domain[i].boxes; k++) {
            struct blocked_call call = { .kernel = domain[i].kernel, .alpha = 1 };

            memcpy(call.size, domain[i].box[k].max, sizeof call.size);
            fr_extent_add(&extent, &call, NULL);
        }
    return extent;
}

static void measure_all(struct fr_context *context, const struct fr_list *threads,
                        struct fr_sampler *sampler, struct fr_sample_log *sample_log,
                        struct tally *tally)
{
    const struct fr_modeling *modeling = context->modeling;
    const int passes = threads->count * (modeling->is_warm + modeling->is_cold);
    const double end_s = end_of(context);
    struct fr_domain domain[FR_KERNELS_MAX];
    struct modeling_pass pass;
    char why[160];
    const int domains = fr_domains_find(modeling, domain, why);
    int left = passes;

    for (int t = 0; t < threads->count; t++) {
        const int count = (int)threads->value[t];

        if (!fr_blas_set_threads(count) || count > context->cores_per_node) {
            fr_bench_say(context, "routine_models: %d threads skipped, the node has %d cores",
                         count, context->cores_per_node);
            continue;
        }
        fr_binding_set(context->cores, 0, count);
        for (int is_cold = 0; is_cold < 2; is_cold++) {
            const double now_s = fr_stopwatch_s();

            if (is_cold ? !modeling->is_cold : !modeling->is_warm)
                continue;
            sampler->is_cold = is_cold;
            pass = (struct modeling_pass){ .domain = domain,
                                           .domains = domains,
                                           .threads = count,
                                           .after = left - 1,
                                           .began_s = now_s,
                                           .end_s = isinf(end_s) ? end_s
                                                                 : now_s + (end_s - now_s) / left,
                                           .second_per_flop = HUGE_VAL };
            left--;
            make_all(context, &pass, sampler, sample_log, tally);
            if (is_cold && modeling->is_warm && t == 0) {
                fr_weigh(context, count, sampler->memory.leading);
                fr_reuse_measure(context, sampler);
            }
        }
    }
    fr_blas_set_threads(1);
}

static void write_source(struct fr_context *context, const struct tally *tally, int repetitions)
{
    fr_document_source(
        context->document, "/kernels/routine_models",
        fr_document_measured((int64_t)tally->samples, NAN, NULL),
        "one call at a time on rank 0, shuffled, up to %d repetitions; spread: each model's std; "
        "%zu regions, worst error %.1f %%%s",
        repetitions, tally->regions, 100 * tally->worst_error,
        tally->incomplete ? "; the time limit did not allow all" : "");
}

static void measure(struct fr_context *context)
{
    const struct fr_calibrate_options *options = context->options;
    struct fr_list threads = options->threads;
    struct fr_domain domain[FR_KERNELS_MAX];
    struct fr_sampler sampler;
    struct fr_sample_log sample_log;
    struct tally tally = { .models = 0 };
    char why[BLOCKED_WHY_BYTES];
    const int domains = fr_domains_find(context->modeling, domain, why);
    struct fr_extent extent = extent_of(domain, domains);

    if (!threads.count)
        fr_value_doublings(1, &threads);
    fr_reuse_add(&extent);
    if (fr_sample_log_open(&sample_log, context->modeling->samples, why)) {
        fr_bench_missing(context, "routine_models", "%s", why);
        context->has_failed = true;
        return;
    }
    if (fr_sampler_open(&sampler, &extent, NULL, why)) {
        fr_bench_missing(context, "routine_models", "%s", why);
        fr_sample_log_close(&sample_log);
        return;
    }
    sampler.is_over = fr_interrupt_came;
    sampler.repetitions = options->kernel_repetitions;
    sampler.tolerance = options->tolerance;
    measure_all(context, &threads, &sampler, &sample_log, &tally);
    if (tally.models)
        write_source(context, &tally, sampler.repetitions);
    fr_sampler_close(&sampler);
    fr_sample_log_close(&sample_log);
}

/* The time limit, or the calls, each executed some times. */
static double expected_s(const struct fr_context *context)
{
    const struct fr_modeling *modeling = context->modeling;
    const double rate = fmax(fr_blas_rate(), 1e6);
    const double executions = 10, efficiency = 0.5;
    const int passes = context->options->threads.count > 1 ? context->options->threads.count : 1;
    struct fr_domain domain[FR_KERNELS_MAX];
    char why[160];
    const int domains = fr_domains_find(modeling, domain, why);
    double flops = 0;

    for (int i = 0; i < domains; i++)
        for (int is_cold = !modeling->is_warm; is_cold <= modeling->is_cold; is_cold++)
            flops += fr_modeling_flops(modeling, &domain[i], is_cold);
    return fmin(modeling->budget_s, passes * executions * flops / (efficiency * rate));
}

/* Opens the file of samples once, so that errors are reported before anything is measured. */
static int check(const struct fr_context *context, char why[160])
{
    struct fr_sample_log sample_log;

    if (fr_sample_log_open(&sample_log, context->modeling->samples, why))
        return -1;
    fr_sample_log_close(&sample_log);
    return 0;
}

const struct fr_bench fr_bench_routine_models = {
    .name = "routine_models",
    .group = "kernels",
    .summary = "kernels of blocked algorithms as polynomials of their sizes",
    .needs_ranks = 1,
    .is_timing_cores = true,
    .is_alone = true,
    .keeps_samples = true,
    .check = check,
    .expected_s = expected_s,
    .run = measure,
};
