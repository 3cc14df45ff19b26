/* Predicts saved runs page by page, with the memory of one page at a time. */
#include "server/calibrations/catalogue.h"
#include "server/matrices/simulation.h"
#include "server/runs/residuals.h"
#include "server/store/store.h"

#include "server/runs/run_document.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 100, PAGE_BYTES = 1 << 30, SLOTS = 1 << 15 };

/* The last row of some parameters, which are known by their hash. */
struct latest {
    uint64_t parameters;
    const struct fr_backtested *row;
};

/* The state of a backtest. */
struct backtest {
    const struct fr_backtest_request *of;
    struct fr_arena *page;            /* released after every page of runs */
    struct fr_loaded *then;           /* a share: the calibration of the previous run */
    struct fr_structures *structures; /* NULL: the model needs none, or there are none */
    struct fr_partitions *partitions; /* the same */
    void *values;                     /* of the last prediction, resolved if that was possible */
    struct fr_backtested *run;
    struct fr_faults faults;  /* of the last prediction */
    enum fr_left_out failure; /* the same */
    struct latest *latest;    /* SLOTS of them; NULL: a prediction needs more than parameters */
    size_t count, looked_at;  /* predicted, or left out; all that were read */
    struct fr_prediction prediction;
    /* Of a model that transfers: the newest runs decoded, as many as there are, as in `run`. */
    struct fr_arena *decoded;
    const struct fr_saved_run *newest[FR_MOST_MATCHING];
};

static size_t this_run(void *context, const void *values, const struct fr_saved_run *const **runs)
{
    (void)values;
    *runs = context;
    return 1;
}

const char *fr_left_out_name(enum fr_left_out reason)
{
    static const char *const names[] = {
#define X(reason, name) [reason] = name,
        FR_LEFT_OUT(X)
#undef X
    };

    return names[reason];
}

static enum fr_left_out reason_of(enum fr_code code)
{
    if (code == FR_TOO_LONG || code == FR_NOMEM)
        return FR_LEFT_OUT_TOO_LONG;
    if (code == FR_GROUP_MISSING)
        return FR_LEFT_OUT_GROUP_MISSING;
    return code == FR_NOT_FOUND || code == FR_STRUCTURE_MISSING ? FR_LEFT_OUT_MATRIX_MISSING
                                                                : FR_LEFT_OUT_REFUSED;
}

/* Notes why a run is left out, for the first reason only. */
static int leave_out(struct backtest *test, struct fr_backtested *run, enum fr_left_out reason,
                     const char *message)
{
    if (run->left_out)
        return FR_OK;
    run->left_out = reason;
    run->reason = fr_arena_text(test->of->arena, message, strlen(message));
    return run->reason ? FR_OK : FR_NOMEM;
}

/* Notes why the last prediction failed, if it did. */
static int note_failure(struct backtest *test, struct fr_backtested *run)
{
    return test->failure ? leave_out(test, run, test->failure, test->faults.fault[0].message)
                         : FR_OK;
}

/* The same for predictions beside that with the newest calibration, which may fail for reasons of
 * their own. */
static int note_lateness(struct backtest *test, struct fr_backtested *run)
{
    return test->failure == FR_LEFT_OUT_TOO_LONG ? note_failure(test, run) : FR_OK;
}

/* The prediction for the parameters of the run, with the measurements of the source's runs. */
static double predict(struct backtest *test, const struct fr_saved_run *run,
                      const struct fr_calibration *cal, const struct fr_run_source *source)
{
    const struct fr_model *model = run->model;
    struct fr_arena *arena = test->of->arena;
    const struct fr_arena_mark mark = fr_arena_mark(arena);
    struct fr_spread spread;
    double value = NAN;
    int code;

    test->faults.count = 0;
    memcpy(test->values, run->values, model->values_size);
    if (test->structures)
        model->set_structures(test->values, fr_structures_source(test->structures));
    if (test->partitions)
        model->set_partitions(test->values, fr_partitions_source(test->partitions));
    code = fr_model_answer(model, test->values, source, cal, arena, &test->prediction, &spread,
                           &test->faults);
    test->failure = code == FR_OK ? FR_LEFT_OUT_NOT : reason_of(test->faults.fault[0].code);
    if (code == FR_OK)
        value = fr_quantity_predicted(&test->of->quantity, &test->prediction);
    fr_arena_release(arena, mark);
    return value;
}

/* The calibration that was current when the run was uploaded, or NULL. */
static const struct fr_loaded *calibration_then(struct backtest *test, const char *id)
{
    const struct fr_loaded *newest = test->of->newest;

    if (!id || (newest && strcmp(newest->id, id) == 0))
        return id ? newest : NULL;
    if (test->then && strcmp(test->then->id, id) == 0)
        return test->then;
    fr_cached_drop(test->then);
    test->then = fr_catalog_get(test->of->catalog, test->of->store, id, test->page);
    return test->then;
}

/* Copies the texts of a run that outlive its page. */
static bool keep_texts(struct fr_arena *arena, struct fr_backtested *out,
                       const struct fr_stored_run *stored)
{
    const char *at = stored->started_at ? stored->started_at : stored->uploaded_at;

    out->id = fr_arena_text(arena, stored->id, strlen(stored->id));
    out->at = fr_arena_text(arena, at, strlen(at));
    out->parameters = fr_arena_text(arena, stored->parameters, strlen(stored->parameters));
    out->calibration = stored->calibration
                           ? fr_arena_text(arena, stored->calibration, strlen(stored->calibration))
                           : NULL;
    return out->id && out->at && out->parameters && (out->calibration || !stored->calibration);
}

/* Decodes a run: one of the newest of a model that transfers for as long as the backtest lasts,
 * any other for its page.  FR_NOMEM, or the code of test->faults for a run that an earlier release
 * accepted. */
static int decode(struct backtest *test, const struct fr_stored_run *stored,
                  const struct fr_saved_run **out)
{
    const bool is_kept = test->of->model->nearest_run && test->count < FR_MOST_MATCHING;
    struct fr_arena *arena = is_kept ? test->decoded : test->page;
    struct fr_saved_run *run = fr_arena_zeroed(arena, 1, sizeof *run);
    int code;

    test->faults.count = 0;
    if (!run)
        return FR_NOMEM;
    *out = run;
    code = fr_run_read(stored, arena, run, &test->faults);
    if (is_kept)
        test->newest[test->count] = code == FR_OK ? run : NULL;
    return code;
}

static void take_predictions(struct fr_backtested *out, const struct fr_backtested *from)
{
    out->newest = from->newest;
    out->at_peak_s = from->at_peak_s;
    out->then = from->then;
    out->unaided = from->unaided;
    out->footprint = from->footprint;
    out->left_out = from->left_out;
    out->reason = from->reason;
}

/* The row before with the parameters of the run, and so its predictions; the row of test->count
 * takes its place. */
static const struct fr_backtested *take_place(struct backtest *test, const struct fr_saved_run *run)
{
    const uint64_t parameters = fr_configuration(test->of->model, run->values, 0);
    const struct fr_backtested *before;
    size_t slot = parameters % SLOTS;

    if (!test->latest)
        return NULL;
    while (test->latest[slot].row && test->latest[slot].parameters != parameters)
        slot = (slot + 1) % SLOTS;
    before = test->latest[slot].row;
    test->latest[slot] = (struct latest){ parameters, &test->run[test->count] };
    return before;
}

static int predict_newest(struct backtest *test, const struct fr_saved_run *run,
                          const struct fr_run_source *source, struct fr_backtested *out)
{
    const struct fr_model *model = test->of->model;
    const struct fr_loaded *newest = test->of->newest;
    int code;

    out->newest = out->unaided = out->at_peak_s = NAN;
    if (!newest)
        return leave_out(test, out, FR_LEFT_OUT_GROUP_MISSING, "the machine has no calibration");
    out->newest = predict(test, run, newest->cal, source);
    if (!test->failure && fr_quantity_is_time(&test->of->quantity))
        out->at_peak_s = test->prediction.percent_of_peak / 100 * out->newest;
    code = note_failure(test, out);
    fr_footprint_of(model, test->values, &out->footprint);
    out->unaided = model->set_run ? predict(test, run, newest->cal, NULL) : out->newest;
    return code == FR_OK ? note_lateness(test, out) : code;
}

/* All predictions of a run, into the row of test->count. */
static int predict_run(struct backtest *test, const struct fr_stored_run *stored,
                       const struct fr_saved_run *run)
{
    struct fr_backtested *out = &test->run[test->count];
    const struct fr_loaded *then = calibration_then(test, stored->calibration);
    const struct fr_run_source source = { this_run, &run, run->given };
    const struct fr_backtested *before = take_place(test, run);
    int code = FR_OK;

    test->failure = FR_LEFT_OUT_NOT;
    if (before)
        take_predictions(out, before);
    else
        code = predict_newest(test, run, &source, out);
    if (!then)
        out->then = NAN;
    else if (then == test->of->newest)
        out->then = out->newest;
    else if (!before || !before->calibration || strcmp(before->calibration, then->id) != 0)
        out->then = predict(test, run, then->cal, &source);
    return code == FR_OK ? note_lateness(test, out) : code;
}

static int backtest_run(struct backtest *test, const struct fr_stored_run *stored)
{
    const struct fr_backtest_request *of = test->of;
    struct fr_backtested *out = &test->run[test->count];
    const struct fr_saved_run *run = NULL;
    int code = decode(test, stored, &run);

    if (code == FR_NOMEM)
        return FR_NOMEM;
    out->measured = code == FR_OK ? fr_quantity_measured(&of->quantity, run) : NAN;
    if (code == FR_OK && isnan(out->measured))
        return FR_OK;
    if (!keep_texts(of->arena, out, stored))
        return FR_NOMEM;
    out->sequence = stored->sequence;
    if (code == FR_OK) {
        out->problem = fr_configuration(of->model, run->values, FR_METHOD | FR_TUNABLE);
        out->configuration = fr_configuration(of->model, run->values, FR_METHOD);
        code = predict_run(test, stored, run);
    } else {
        out->newest = out->unaided = out->at_peak_s = out->then = NAN;
        code = leave_out(test, out, FR_LEFT_OUT_REFUSED, test->faults.fault[0].message);
    }
    test->count++;
    return code;
}

static int by_time(const void *left, const void *right)
{
    const struct fr_backtested *a = left, *b = right;
    const int order = strcmp(a->at, b->at);

    return order ? order : (a->sequence > b->sequence) - (a->sequence < b->sequence);
}

/* Also where no run has measured the quantity. */
static bool may_look_on(const struct backtest *test)
{
    return test->count < FR_MOST_BACKTESTED && test->looked_at < FR_MOST_LOOKED_AT;
}

/* All pages, from the newest run to the limit. */
static int backtest_all(struct backtest *test)
{
    const struct fr_backtest_request *of = test->of;
    struct fr_stored_run *stored;
    int64_t before = 0;
    size_t count;

    do {
        const struct fr_arena_mark mark = fr_arena_mark(test->page);

        if (fr_store_model_runs(of->store, of->machine, of->model->name, before, PAGE, test->page,
                                &stored, &count) != FR_STORE_OK)
            return FR_NOT_FOUND;
        for (size_t i = 0; i < count && may_look_on(test); i++) {
            const struct fr_arena_mark one = fr_arena_mark(test->page);

            test->looked_at++;
            if (backtest_run(test, &stored[i]) != FR_OK)
                return FR_NOMEM;
            before = stored[i].sequence;
            fr_arena_release(test->page, one);
        }
        fr_arena_release(test->page, mark);
    } while (count && may_look_on(test));
    return FR_OK;
}

static int by_configuration(const void *left, const void *right)
{
    const struct fr_backtested *const *a = left, *const *b = right;

    if ((*a)->configuration != (*b)->configuration)
        return (*a)->configuration < (*b)->configuration ? -1 : 1;
    return ((*a)->newest > (*b)->newest) - ((*a)->newest < (*b)->newest);
}

/* The median of ascending predictions without the one at index `left_out`. */
static double median_without(struct fr_backtested *const *of, size_t count, size_t left_out)
{
    const size_t low = (count - 2) / 2, high = (count - 1) / 2;

    return (of[low + (low >= left_out)]->newest + of[high + (high >= left_out)]->newest) / 2;
}

/* Leave-one-out: a request before the run could use only the other runs of its configuration. */
static int leave_one_out(struct backtest *test)
{
    struct fr_backtested **of = fr_arena_zeroed(test->page, test->count, sizeof *of);
    size_t count = 0;

    if (!of)
        return FR_NOMEM;
    for (size_t i = 0; i < test->count; i++) {
        test->run[i].others = NAN;
        if (!isnan(test->run[i].newest))
            of[count++] = &test->run[i];
    }
    qsort(of, count, sizeof *of, by_configuration);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first; end < count && of[end]->configuration == of[first]->configuration;)
            end++;
        for (size_t i = first; end - first > 1 && i < end; i++)
            of[i]->others = median_without(of + first, end - first, i - first);
    }
    return FR_OK;
}

struct others {
    const struct fr_saved_run *run[FR_MOST_MATCHING];
    size_t count;
};

static size_t other_runs(void *context, const void *values, const struct fr_saved_run *const **runs)
{
    const struct others *others = context;

    (void)values;
    *runs = others->run;
    return others->count;
}

/* Leave-one-out of a model that transfers: the nearest of the other runs serves, of the newest. */
static int transfer_others(struct backtest *test)
{
    const size_t count = test->count < FR_MOST_MATCHING ? test->count : FR_MOST_MATCHING;

    int code = FR_OK;

    for (size_t i = 0; i < count && code == FR_OK; i++) {
        struct others others = { .count = 0 };
        struct fr_run_source source = { other_runs, &others, 0 };

        test->run[i].others = NAN;
        if (isnan(test->run[i].newest))
            continue;
        for (size_t k = count; k-- > 0;) /* the last stored one wins a tie */
            if (k != i && test->newest[k])
                others.run[others.count++] = test->newest[k];
        if (!others.count)
            continue;
        source.given = test->newest[i]->given;
        test->run[i].others = predict(test, test->newest[i], test->of->newest->cal, &source);
        code = note_lateness(test, &test->run[i]);
    }
    return code;
}

static void begin_backtest(struct backtest *test)
{
    const struct fr_backtest_request *of = test->of;

    test->page = fr_arena_new(PAGE_BYTES);
    test->decoded = fr_arena_new(PAGE_BYTES);
    test->run = fr_arena_zeroed(of->arena, FR_MOST_BACKTESTED, sizeof *test->run);
    test->values = fr_arena_zeroed(of->arena, 1, of->model->values_size);
    if (of->model->set_structures && of->simulations && test->page)
        test->structures = fr_structures_begin(of->simulations, of->store, test->page);
    if (test->structures)
        fr_structures_watch(test->structures, of->client, of->is_partial);
    if (of->model->set_partitions && of->simulations && test->page)
        test->partitions = fr_partitions_begin_stored(of->simulations, of->store, test->page);
    if (!of->model->set_run && !test->structures && !test->partitions && test->decoded)
        test->latest = fr_arena_zeroed(test->decoded, SLOTS, sizeof *test->latest);
}

int fr_backtest(const struct fr_backtest_request *request, struct fr_backtested **out,
                size_t *count)
{
    struct backtest test = { .of = request };
    int code = FR_NOMEM;

    begin_backtest(&test);
    if (test.page && test.decoded && test.run && test.values)
        code = backtest_all(&test);
    if (code == FR_OK)
        code = leave_one_out(&test);
    if (code == FR_OK && request->model->nearest_run)
        code = transfer_others(&test);
    fr_cached_drop(test.then);
    fr_structures_end(test.structures);
    fr_partitions_end(test.partitions);
    fr_arena_free(test.page);
    fr_arena_free(test.decoded);
    if (code != FR_OK)
        return code;
    qsort(test.run, test.count, sizeof *test.run, by_time);
    *out = test.run;
    *count = test.count;
    return FR_OK;
}

void fr_backtested_left_out(const struct fr_backtested *run, size_t count,
                            size_t out[FR_LEFT_OUT_REASONS])
{
    memset(out, 0, FR_LEFT_OUT_REASONS * sizeof *out);
    for (size_t i = 0; i < count; i++)
        out[run[i].left_out]++;
}

bool fr_left_out_may_change(const size_t left_out[FR_LEFT_OUT_REASONS])
{
    return left_out[FR_LEFT_OUT_TOO_LONG] || left_out[FR_LEFT_OUT_MATRIX_MISSING];
}
