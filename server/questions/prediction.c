/* Predicts a question with and without its what-ifs. */
#include "server/http/server.h"
#include "server/questions/documents.h"

#include <math.h>
#include <string.h>

bool fr_predicted_calibrated_range(const struct fr_predicted *predicted,
                                   struct fr_calibrated_range *out)
{
    const double time_s = predicted->prediction->time_s;
    const double spread = fr_calibration_spread(predicted->cal, predicted->prediction->used);

    if (isnan(spread) || predicted->change_count)
        return false;
    *out = (struct fr_calibrated_range){
        .low_s = time_s / (1 + spread / 2),
        .high_s = time_s * (1 + spread / 2),
        .spread_fraction = spread,
    };
    return true;
}

void fr_predicted_foresee(struct fr_predicted *predicted, const struct fr_outlook_asked *asked)
{
    predicted->asked = *asked;
    fr_outlook_find(asked, predicted->errors, predicted->prediction, &predicted->spread,
                    &predicted->outlook);
    fr_outlook_widen(&predicted->outlook, predicted->prediction->time_s,
                     predicted->extrapolation.expected_error_fraction);
    fr_outlook_warn(&predicted->outlook, predicted->prediction);
    if (predicted->baseline)
        fr_predicted_foresee(predicted->baseline, asked);
}

/* The answer; one that takes a prediction for every saved run is remembered. */
static int answer(struct fr_request *rq, const struct fr_predicted *of, const void *asked,
                  void *values, const struct fr_matching_runs *matching,
                  struct fr_prediction *prediction, struct fr_spread *spread,
                  struct fr_faults *faults)
{
    int code;

    memcpy(values, asked, of->model->values_size);
    if (fr_matching_runs_recall(matching, of->cal, values, prediction, spread))
        return FR_OK;
    code = fr_model_answer(of->model, values, fr_matching_runs_source(matching), of->cal, rq->arena,
                           prediction, spread, faults);
    if (code == FR_OK)
        fr_matching_runs_remember(matching, of->cal, asked, values, prediction, spread);
    return code;
}

/* Sets the prediction, which lives in the arena, with its spread and extrapolation; NULL with
 * faults. */
static void predict_one(struct fr_request *rq, const void *asked, void *values,
                        const struct fr_matching_runs *matching, struct fr_predicted *out,
                        struct fr_faults *faults)
{
    struct fr_prediction *prediction = fr_arena_zeroed(rq->arena, 1, sizeof *prediction);

    out->prediction = NULL;
    out->values = values;
    out->extrapolation = (struct fr_extrapolation){ false, NAN, NAN, NAN, NAN, NAN };
    if (!prediction) {
        fr_fault(faults, FR_NOMEM, "", "memory for one request is used up; ask for less");
        return;
    }
    if (answer(rq, out, asked, values, matching, prediction, &out->spread, faults) != FR_OK)
        return;
    if (!out->spread.runs)
        out->extrapolation =
            fr_extrapolation_find(out->model, values, out->cal, rq->arena, prediction);
    fr_metrics_predictions(&rq->server->metrics, out->model, 1);
    out->prediction = prediction;
}

int fr_predict(struct fr_request *rq, const struct fr_question *question, struct fr_predicted *out,
               struct fr_faults *faults)
{
    const struct fr_model *model = question->model;
    const struct fr_target *target = &question->target[0];
    const struct fr_matching_runs *matching = &target->matching;
    void *resolved = fr_arena_zeroed(rq->arena, 2, model->values_size);
    void *unchanged = (char *)resolved + model->values_size;
    struct fr_predicted *baseline = NULL;
    struct fr_faults no_baseline;

    if (!resolved)
        return fr_fault(faults, FR_NOMEM, "", "memory for one request is used up; ask for less");
    *out = (struct fr_predicted){
        .model = model,
        .loaded = target->loaded,
        .cal = target->cal,
        .errors = fr_errors_of(matching, question->change_count > 0),
        .change = question->change,
        .change_count = question->change_count,
        .arena = rq->arena,
    };
    predict_one(rq, question->values, resolved, matching, out, faults);
    if (!out->prediction)
        return FR_RELATION;
    if (question->change_count)
        baseline = fr_arena_zeroed(rq->arena, 1, sizeof *baseline);
    if (!baseline)
        return FR_OK;
    /* A question that is legal only with the what-if has no baseline. */
    no_baseline.count = 0;
    *baseline = (struct fr_predicted){
        .model = model,
        .loaded = target->loaded,
        .cal = target->loaded->cal,
        .errors = fr_errors_of(matching, false),
    };
    predict_one(rq, question->values, unchanged, matching, baseline, &no_baseline);
    if (baseline->prediction)
        out->baseline = baseline;
    return FR_OK;
}
