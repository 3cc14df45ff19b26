/* Predicts the saved runs of a machine, for the accuracy report and its chart. */
#include "server/calibrations/catalogue.h"
#include "server/http/server.h"
#include "server/runs/residuals.h"
#include "server/store/store.h"

#include <math.h>
#include <string.h>

static bool is_wanted(const struct fr_accuracy_question *question, const struct fr_model *model)
{
    return !question->model || strcmp(question->model, model->name) == 0;
}

static void check_output(const struct fr_accuracy_question *question, struct fr_faults *faults)
{
    struct fr_quantity quantity;
    bool is_known = false;

    for (const struct fr_model *const *model = fr_models; *model; model++)
        if (is_wanted(question, *model))
            is_known = is_known || fr_quantity_find(*model, question->output, &quantity);
    if (!is_known && (!question->model || fr_model_find(question->model)))
        fr_fault(faults, FR_CHOICE, "output",
                 "'%.60s' is not an output of %s; breakdown_PHASE_time_s is the time of a phase",
                 question->output, question->model ? question->model : "any model");
}

int fr_accuracy_ask(struct fr_request *rq, struct fr_reply *reply,
                    struct fr_accuracy_options *options, struct fr_accuracy_question *question,
                    struct fr_faults *faults)
{
    struct fr_machine machine;
    int status;

    faults->count = 0;
    options->with_runs = true; /* unless the route has the option */
    fr_options_read(rq, rq->route->options, options, faults);
    *question =
        (struct fr_accuracy_question){ .machine = rq->segment[0],
                                       .model = options->model,
                                       .output = options->output ? options->output : "time_s",
                                       .with_runs = options->with_runs };
    if (question->model)
        fr_model_named(question->model, "model", faults);
    check_output(question, faults);
    if (faults->count)
        return fr_reply_faults(reply, faults);
    status = fr_machine_find(rq, reply, &machine);
    if (status)
        return status;
    question->calibrations = machine.calibrations;
    question->loaded = fr_catalog_newest(rq->server->catalog, question->machine);
    return FR_OK;
}

bool fr_accuracy_is_known(struct fr_request *rq, struct fr_reply *reply,
                          const struct fr_accuracy_question *question)
{
    struct fr_run_count runs = { 0 };
    struct fr_writer key;
    bool is_known;

    fr_store_count_runs(rq->store, question->machine, NULL, &runs);
    fr_writer_init(&key);
    fr_writer_printf(&key, "%s %s %s %lld %d %lld.%lld", FR_ENGINE, rq->path,
                     question->loaded ? question->loaded->id : "-",
                     (long long)question->calibrations, (int)rq->format, (long long)runs.runs,
                     (long long)runs.newest);
    for (size_t i = 0; i < rq->query_count; i++) {
        fr_writer_append(&key, rq->query[i].name, strlen(rq->query[i].name) + 1);
        fr_writer_append(&key, rq->query[i].value, strlen(rq->query[i].value) + 1);
    }
    is_known = fr_reply_is_known(rq, reply, key.text, key.length);
    fr_writer_free(&key);
    return is_known;
}

void fr_accuracy_end(struct fr_accuracy_question *question)
{
    for (size_t i = 0; i < question->count; i++)
        fr_cached_drop(question->report[i].residuals);
    fr_cached_drop(question->loaded);
}

double fr_accuracy_predicted(const struct fr_accuracy_question *question,
                             const struct fr_backtested *run)
{
    return question->with_runs ? run->newest : run->unaided;
}

/* The predictions of a run. */
enum against { THEN, NEWEST, BEFORE };

static double predicted_of(const struct fr_accuracy_question *question,
                           const struct fr_accuracy_report *report, const struct fr_backtested *run,
                           enum against against)
{
    if (against == THEN)
        return run->then;
    /* A request before the run could not use its measurements. */
    if (against == BEFORE && question->with_runs && report->model->set_run)
        return run->others;
    return fr_accuracy_predicted(question, run);
}

/* Residuals of the runs that have this prediction, and their errors in percent of the peak;
 * `place` gives the index of each run. */
static size_t residuals_of(const struct fr_accuracy_question *question,
                           const struct fr_accuracy_report *report, enum against against,
                           struct fr_residual *out, double *points, size_t *place)
{
    size_t kept = 0;

    for (size_t i = 0; i < report->count; i++) {
        const struct fr_backtested *run = &report->run[i];
        const double predicted = predicted_of(question, report, run, against);

        if (isnan(predicted))
            continue;
        place[kept] = i;
        points[kept] = fr_percent_points(predicted, run->measured, run->at_peak_s);
        out[kept++] = (struct fr_residual){
            .measured = run->measured,
            .predicted = predicted,
            .problem = run->problem,
            .configuration = run->configuration,
        };
    }
    return kept;
}

static int measure(struct fr_request *rq, const struct fr_accuracy_question *question,
                   struct fr_accuracy_report *report, struct fr_faults *faults)
{
    struct fr_residual *residual = fr_arena_zeroed(rq->arena, report->count, sizeof *residual);
    size_t *place = fr_arena_zeroed(rq->arena, report->count, sizeof *place);
    double *points = fr_arena_zeroed(rq->arena, report->count, sizeof *points);
    size_t kept;

    if (!residual || !place || !points)
        return fr_fault(faults, FR_NOMEM, "model", "too many runs; name one model");
    kept = residuals_of(question, report, THEN, residual, points, place);
    fr_accuracy(residual, kept, rq->arena, &report->then);
    fr_accuracy_add_points(points, kept, &report->then);
    kept = residuals_of(question, report, NEWEST, residual, points, place);
    fr_accuracy(residual, kept, rq->arena, &report->newest);
    fr_accuracy_add_points(points, kept, &report->newest);
    report->worst_count = fr_worst_residuals(residual, kept, report->worst, FR_WORST_CASES);
    for (size_t i = 0; i < report->worst_count; i++)
        report->worst[i] = place[report->worst[i]];
    kept = residuals_of(question, report, BEFORE, residual, points, place);
    report->covered_fraction =
        fr_conformal_coverage(residual, kept, rq->arena, &report->covered_of);
    return FR_OK;
}

static int backtest(struct fr_request *rq, const struct fr_accuracy_question *question,
                    const struct fr_model *model, struct fr_accuracy_report *report,
                    struct fr_faults *faults)
{
    struct fr_backtest_request request = {
        .store = rq->store,
        .catalog = rq->server->catalog,
        .simulations = rq->server->simulations,
        .arena = rq->arena,
        .client = rq->client,
        .is_partial = &rq->is_partial,
        .machine = question->machine,
        .model = model,
        .newest = question->loaded,
    };
    /* The cached residuals come from this very backtest. */
    const bool is_of_times = question->loaded && strcmp(question->output, "time_s") == 0;
    int code;

    *report = (struct fr_accuracy_report){ .model = model };
    if (!fr_quantity_find(model, question->output, &request.quantity))
        return FR_OK;
    code = is_of_times ? fr_residual_cache_backtest(rq->server->residuals, &request, &report->run,
                                                    &report->count, &report->residuals)
                       : fr_backtest(&request, &report->run, &report->count);
    if (code != FR_OK)
        return fr_fault(faults, FR_NOMEM, "model", "too many runs; name one model");
    if (!report->count)
        return FR_OK;
    fr_backtested_left_out(report->run, report->count, report->left_out);
    if (question->loaded && !report->residuals)
        report->residuals = fr_residual_cache_make(rq->server->residuals, rq->store,
                                                   rq->server->catalog, model, question->loaded);
    return measure(rq, question, report, faults);
}

int fr_accuracy_answer(struct fr_request *rq, struct fr_accuracy_question *question,
                       struct fr_faults *faults)
{
    size_t models = 0;

    for (const struct fr_model *const *model = fr_models; *model; model++)
        models++;
    question->report = fr_arena_zeroed(rq->arena, models, sizeof *question->report);
    if (!question->report)
        return fr_fault(faults, FR_NOMEM, "model", "too many models");
    for (const struct fr_model *const *model = fr_models; *model; model++) {
        struct fr_accuracy_report *report = &question->report[question->count];

        if (!is_wanted(question, *model))
            continue;
        if (backtest(rq, question, *model, report, faults) != FR_OK)
            return FR_NOMEM;
        question->count += report->count > 0;
    }
    return FR_OK;
}
