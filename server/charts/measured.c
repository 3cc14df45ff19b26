/* Loads saved runs as points of a chart and matches them with the lines. */
#include "server/charts/sweep_drawing.h"
#include "server/store/store.h"

#include "server/runs/run_document.h"

#include <math.h>
#include <string.h>

enum { PAGE = 100, PAGE_BYTES = 256 * 1024 * 1024 };

/* State of loading the runs. */
struct loading {
    struct fr_request *rq;
    const struct fr_target *target;
    const struct fr_quantity *quantity;
    struct fr_arena *page; /* released after every run */
    struct fr_measured_points *out;
    bool is_too_long; /* the step limit of the request was reached before all runs were loaded */
};

/* Most runs state a time but no rate. The rate is the work divided by the time; the work of the
 * configuration is the predicted rate times the predicted time. */
static double rate_of(struct loading *loading, const struct fr_saved_run *run, const void *resolved)
{
    struct fr_arena *arena = loading->rq->arena;
    const struct fr_arena_mark mark = fr_arena_mark(arena);
    struct fr_prediction prediction;
    struct fr_faults unread;
    double rate = NAN;

    unread.count = 0;
    if (!(run->document->time_s > 0))
        return NAN;
    if (fr_model_predict(loading->out->model, resolved, loading->target->cal, arena, &prediction,
                         &unread) == FR_OK)
        rate = fr_quantity_predicted(loading->quantity, &prediction) * prediction.time_s /
               run->document->time_s;
    else
        loading->is_too_long = !fr_arena_afford(arena, 0);
    fr_arena_release(arena, mark);
    return rate;
}

static double value_of(struct loading *loading, const struct fr_saved_run *run,
                       const void *resolved)
{
    const double stated = fr_quantity_measured(loading->quantity, run);

    return isnan(stated) && fr_quantity_is_rate(loading->quantity) ? rate_of(loading, run, resolved)
                                                                   : stated;
}

/* Values that are kept after the run's document is released. */
static int keep(struct loading *loading, const struct fr_saved_run *run, const void *resolved)
{
    struct fr_measured_points *out = loading->out;
    struct fr_measured_run *kept = &out->run[out->count];
    const fr_numbers *repetitions = &run->document->repetitions;
    struct fr_arena *arena = loading->rq->arena;
    void *values = fr_arena_zeroed(arena, 1, out->model->values_size);
    const double value = value_of(loading, run, resolved);
    double *each = NULL;

    if (fr_quantity_is_time(loading->quantity) || fr_quantity_is_rate(loading->quantity))
        each = fr_arena_zeroed(arena, repetitions->count, sizeof *each);
    for (size_t i = 0; each && i < repetitions->count; i++)
        each[i] = fr_quantity_is_time(loading->quantity)
                      ? repetitions->row[i]
                      : value * run->document->time_s / repetitions->row[i];
    if (!values)
        return FR_NOMEM;
    memcpy(values, resolved, out->model->values_size);
    *kept = (struct fr_measured_run){
        .values = values,
        .value = value,
        .stalls_per_byte = run->stalls_per_byte,
        .repetitions = each,
        .repetition_count = each ? repetitions->count : 0,
    };
    out->count++;
    return loading->is_too_long ? FR_TOO_LONG : FR_OK;
}

static int load_one(struct loading *loading, const struct fr_stored_run *stored)
{
    void *resolved = fr_arena_zeroed(loading->page, 1, loading->out->model->values_size);
    struct fr_saved_run run;
    struct fr_faults unread;

    unread.count = 0;
    if (!resolved)
        return FR_NOMEM;
    if (fr_run_read(stored, loading->page, &run, &unread) != FR_OK ||
        fr_run_resolve(&run, loading->target->cal, resolved, &unread) != FR_OK)
        return FR_OK; /* a run that the current checks refuse is not drawn */
    return keep(loading, &run, resolved);
}

static int load_all(struct loading *loading)
{
    const struct fr_arena_mark mark = fr_arena_mark(loading->page);
    const char *machine = loading->target->cal->machine;
    struct fr_stored_run *stored;
    int64_t before = 0;
    size_t count;

    do {
        if (fr_store_model_runs(loading->rq->store, machine, loading->out->model->name, before,
                                PAGE, loading->page, &stored, &count) != FR_STORE_OK)
            return FR_NOT_FOUND;
        for (size_t i = 0; i < count && loading->out->count < FR_MOST_MEASURED; i++) {
            const struct fr_arena_mark one = fr_arena_mark(loading->page);
            const int code = load_one(loading, &stored[i]);

            if (code != FR_OK)
                return code;
            before = stored[i].sequence;
            fr_arena_release(loading->page, one);
        }
        fr_arena_release(loading->page, mark);
    } while (count && loading->out->count < FR_MOST_MEASURED);
    return FR_OK;
}

int fr_measured_load(struct fr_request *rq, const struct fr_model *model,
                     const struct fr_target *target, const struct fr_quantity *quantity,
                     struct fr_measured_points *out, struct fr_faults *faults)
{
    struct loading loading = { .rq = rq,
                               .target = target,
                               .quantity = quantity,
                               .page = fr_arena_new(PAGE_BYTES),
                               .out = out };
    int code = FR_NOMEM;

    *out = (struct fr_measured_points){ .model = model };
    out->run = fr_arena_zeroed(rq->arena, FR_MOST_MEASURED, sizeof *out->run);
    if (loading.page && out->run)
        code = load_all(&loading);
    fr_arena_free(loading.page);
    if (code == FR_TOO_LONG)
        return fr_fault(faults, code, "measured",
                        "the work of so many saved runs takes too long to compute; request time_s, "
                        "or omit the runs");
    return code == FR_OK ? FR_OK
                         : fr_fault(faults, code, "measured", "the saved runs cannot be read");
}

uint64_t fr_measured_compared(const struct fr_question *question, const struct fr_param *x)
{
    const struct fr_param *params = question->model->params;
    uint64_t compared = 0;

    for (const struct fr_param *param = params; param->name; param++) {
        const uint64_t bit = fr_param_bit(params, param);
        const bool is_chosen = param->flags & FR_TUNABLE
                                   ? question->leaves_tunables_open
                                   : param->flags & FR_AUTOMATIC && !(param->flags & FR_RECORDED);

        if (param == x || param->flags & (FR_METHOD | FR_INPUT_ONLY))
            continue;
        if (!is_chosen || question->given & bit)
            compared |= bit;
    }
    return compared;
}

double fr_measured_at(const struct fr_measured_run *run, const struct fr_param *x)
{
    return fr_param_is_open(x, run->values) ? NAN : fr_param_get(x, run->values);
}

bool fr_measured_agrees(const struct fr_measured_points *measured,
                        const struct fr_measured_run *run, const void *values, uint64_t compared)
{
    const struct fr_param *params = measured->model->params;

    for (const struct fr_param *param = params; param->name; param++)
        if (compared & fr_param_bit(params, param) && !fr_param_is_open(param, values) &&
            !fr_param_is_idle(params, param, values) && !fr_param_is_open(param, run->values) &&
            !fr_param_equal(param, values, run->values) &&
            !(param->is_of && param->is_of(values, run->values)))
            return false;
    return true;
}
