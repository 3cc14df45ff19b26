/* Ranking: predicts every combination of the open tunables and keeps the best.  It is generic over
 * models. */
#include "engine/questions/rank.h"
#include "engine/calibration/calibration.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The work of a configuration, in steps of the arena. */
static const double counted_steps = 1, refused_steps = 25, predicted_steps = 500;

/* The most of the work left for rough predictions, and then for others; the answer needs some. */
static const double rough_share = 0.7, share = 0.95;

/* A legal combination, the lower bound of its cost, and the cost; infinite: it is left out. */
struct candidate {
    void *values;
    double bound, cost, unit_s; /* unit_s: the time that costs 1 */
    size_t place;               /* among all */
    bool is_judged;             /* else the cost is that of another with the same bound */
};

/* The state of a ranking. */
struct search {
    const struct fr_model *model;
    const struct fr_run_source *source; /* or NULL */
    const struct fr_calibration *cal;
    struct fr_combinations combinations;
    enum fr_memory memory;
    size_t keep;
    struct fr_arena *arena;
    struct fr_ranking *out;
    struct fr_faults *why;            /* of the combination that represents the refused ones */
    void *values;                     /* the current combination */
    void *resolved;                   /* scratch */
    struct fr_prediction *prediction; /* scratch */
    struct fr_spread spread;          /* scratch */
    void *kept;                       /* what predictions share, or NULL */
    void *bounded;                    /* the values of bound_s */
    double bound;                     /* of the cost; NaN: of none yet */
    double unit_s;                    /* the time that costs 1 */
    struct candidate *candidate;      /* the combinations to predict; NULL: they are counted */
    size_t candidates;
    double cost;    /* of the last one judged; infinite: it is left out */
    bool is_rough;  /* all are predicted roughly before those that may be kept */
    bool was_rough; /* some prediction was */
    bool is_over;   /* the work of the question, or of the stage, is used up */
    bool is_ended;  /* that of a stage was */
    uint64_t given; /* set of fr_param_bit: tunables of one value, or of a list */
};

static void keep(struct search *search)
{
    struct fr_ranking *out = search->out;
    const double cost = fr_rank_cost(search->prediction, out->is_filled);
    size_t at = out->count;
    struct fr_ranked spare;

    search->cost = cost;
    while (at > 0 && fr_rank_cost(&out->row[at - 1].prediction, out->is_filled) > cost)
        at--;
    if (at == search->keep)
        return;
    /* The new row takes the memory of the row that drops out, or of the first unused one. */
    if (out->count < search->keep)
        out->count++;
    spare = out->row[out->count - 1];
    memmove(out->row + at + 1, out->row + at, (out->count - 1 - at) * sizeof *out->row);
    out->row[at].values = spare.values;
    out->row[at].prediction = *search->prediction;
    out->row[at].spread = search->spread;
    memcpy((void *)(uintptr_t)spare.values, search->resolved, search->model->values_size);
}

/* Charges the work of a configuration. */
static void spend(struct search *search, double steps)
{
    if (!fr_arena_spend(search->arena, steps))
        search->is_over = true;
}

/* Updates the lower bound if the resolved values have another one. */
static void find_bound(struct search *search)
{
    struct fr_faults faults = { 0 };
    struct fr_evaluation run = { .is_rough = true,
                                 .cal = search->cal,
                                 .arena = search->arena,
                                 .out = search->prediction,
                                 .faults = &faults };
    const struct fr_arena_mark mark = fr_arena_mark(search->arena);
    const struct fr_model *model = search->model;

    if (!isnan(search->bound) && memcmp(search->bounded, search->resolved, model->bound_bytes) == 0)
        return;
    memcpy(search->bounded, search->resolved, model->bound_bytes);
    fr_prediction_clear(search->prediction);
    search->prediction->time_s = model->bound_s(search->resolved, &run);
    search->bound = fr_rank_cost(search->prediction, search->out->is_filled);
    search->unit_s = search->out->is_filled ? search->prediction->flops : 1;
    fr_arena_release(search->arena, mark);
    if (faults.count)
        search->bound = 0;
}

/* Beyond this cost a configuration is too slow; infinite before there is any.  Where the best alone
 * is kept, all others are. */
static double most(const struct search *search)
{
    const struct fr_ranking *out = search->out;
    const double slow = search->keep > 1 ? FR_SLOW : 1;
    const double unsure = search->is_rough ? (1 + FR_ROUGH) / (1 - FR_ROUGH) : 1;

    return out->count ? unsure * slow * fr_rank_cost(&out->row[0].prediction, out->is_filled)
                      : INFINITY;
}

static double cost_of_last(const struct fr_ranking *out)
{
    return fr_rank_cost(&out->row[out->count - 1].prediction, out->is_filled);
}

/* Keeps the reasons against a refused configuration. */
static void refuse(struct search *search, const struct fr_faults *faults)
{
    search->out->tried++;
    spend(search, refused_steps);
    if (!search->is_over)
        fr_refusal_note(search->model, search->given, faults, search->why, search->out);
}

static void note_memory(struct fr_ranking *out, const struct fr_prediction *prediction)
{
    if (!out->left_out_memory++ || prediction->memory_bytes_per_process < out->least_memory_bytes) {
        out->least_memory_bytes = prediction->memory_bytes_per_process;
        out->memory_limit_bytes = prediction->memory_limit_bytes_per_process;
    }
}

/* Predicts the current combination; where there are bounds, not beyond the time that is too slow.
 */
static int predict(struct search *search, struct fr_faults *faults)
{
    const struct fr_model *model = search->model;
    struct fr_evaluation run = {
        .cal = search->cal,
        .arena = search->arena,
        .out = search->prediction,
        .faults = faults,
        .limit_s = most(search) * search->unit_s,
        .kept = search->kept,
        .is_rough = search->is_rough,
    };
    int code;

    if (!model->bound_s)
        return fr_model_answer(model, search->resolved, search->source, search->cal, search->arena,
                               search->prediction, &search->spread, faults);
    search->spread.runs = 0;
    search->spread.is_transferred = false;
    code = fr_model_resolve(model, search->resolved, search->cal, faults);
    if (code != FR_OK)
        return code;
    code = fr_model_predict_within(model, search->resolved, &run);
    search->was_rough |= search->prediction->is_rough;
    return code;
}

/* Predicts the current combination and keeps it if it is good. */
static bool judge(void *context)
{
    struct search *search = context;
    struct fr_prediction *prediction = search->prediction;
    struct fr_ranking *out = search->out;
    const struct fr_arena_mark mark = fr_arena_mark(search->arena);
    struct fr_faults faults;
    int code;

    faults.count = 0;
    search->cost = INFINITY;
    memcpy(search->resolved, search->values, search->model->values_size);
    code = predict(search, &faults);
    fr_arena_release(search->arena, mark);
    if (code == FR_NOMEM) { /* the work is used up: there is no ranking */
        *search->why = faults;
        search->is_over = true;
    } else if (code != FR_OK) {
        refuse(search, &faults);
    } else {
        spend(search, predicted_steps);
        out->tried++;
        if (fr_refusal_is_same(search->model, search->given, search->combinations.only, search->cal,
                               prediction, out))
            return !search->is_over;
        out->legal++;
        if (isinf(prediction->time_s))
            out->left_out_slow++;
        else if (search->memory == FR_MEMORY_LIMIT &&
                 prediction->memory_bytes_per_process > prediction->memory_limit_bytes_per_process)
            note_memory(out, prediction);
        else
            keep(search);
    }
    return !search->is_over;
}

/* Whether the model knows, before any prediction, that a combination exceeds the memory. */
static bool exceeds_memory(struct search *search)
{
    struct fr_prediction *prediction = search->prediction;
    struct fr_faults faults = { 0 };
    struct fr_evaluation run = {
        .cal = search->cal, .arena = search->arena, .out = prediction, .faults = &faults
    };

    if (search->memory != FR_MEMORY_LIMIT || !search->model->memory)
        return false;
    fr_prediction_clear(prediction);
    search->model->memory(search->resolved, &run);
    if (faults.count ||
        !(prediction->memory_bytes_per_process > prediction->memory_limit_bytes_per_process))
        return false;
    search->out->tried++;
    search->out->legal++;
    note_memory(search->out, prediction);
    return true;
}

static bool count(void *context)
{
    struct search *search = context;

    search->candidates++;
    spend(search, counted_steps);
    return !search->is_over;
}

/* Lists a legal combination with its bound. */
static bool list(void *context)
{
    struct search *search = context;
    struct fr_faults faults;
    struct candidate *candidate;

    faults.count = 0;
    memcpy(search->resolved, search->values, search->model->values_size);
    if (fr_model_resolve(search->model, search->resolved, search->cal, &faults) != FR_OK) {
        refuse(search, &faults);
        return !search->is_over;
    }
    if (exceeds_memory(search)) {
        spend(search, refused_steps);
        return !search->is_over;
    }
    find_bound(search);
    candidate = &search->candidate[search->candidates];
    candidate->bound = candidate->cost = search->bound;
    candidate->unit_s = search->unit_s;
    candidate->place = search->candidates++;
    memcpy(candidate->values, search->values, search->model->values_size);
    return true;
}

static int by_cost(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;

    if (a->cost != b->cost)
        return a->cost < b->cost ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

static void each(struct search *search, bool (*visit)(void *search))
{
    search->combinations.visit = visit;
    search->combinations.context = search;
    fr_combinations_each(&search->combinations);
}

static void judge_candidate(struct search *search, struct candidate *candidate)
{
    search->unit_s = candidate->unit_s;
    memcpy(search->values, candidate->values, search->model->values_size);
    judge(search);
    candidate->cost = search->cost;
    candidate->is_judged = !search->is_over;
}

/* Judges the first of each bound, and then the others in the order of their firsts, so that good
 * configurations come early and those that are sure to be too slow need not be followed. */
static void judge_in_order(struct search *search)
{
    struct candidate *all = search->candidate;

    qsort(all, search->candidates, sizeof *all, by_cost);
    for (size_t i = 0; i < search->candidates && !search->is_over; i++) {
        if (i && all[i].bound == all[i - 1].bound)
            all[i].cost = all[i - 1].cost;
        else if (all[i].bound <= most(search))
            judge_candidate(search, &all[i]);
    }
    qsort(all, search->candidates, sizeof *all, by_cost);
    for (size_t i = 0; i < search->candidates && !search->is_over; i++) {
        if (!all[i].is_judged && all[i].bound <= most(search))
            judge_candidate(search, &all[i]);
        if (all[i].is_judged || search->is_over)
            continue;
        all[i].cost = INFINITY;
        all[i].is_judged = true;
        search->out->tried++;
        search->out->legal++;
        search->out->left_out_slow++;
    }
}

/* Predicts as questions of their own those that may be kept, until all that are left are sure to be
 * slower than these.  They have been counted. */
static void judge_again(struct search *search)
{
    struct fr_ranking *out = search->out;

    qsort(search->candidate, search->candidates, sizeof *search->candidate, by_cost);
    search->is_rough = false;
    out->count = 0;
    for (size_t i = 0; i < search->candidates; i++) {
        struct candidate *candidate = &search->candidate[i];
        const double least = candidate->cost / (1 + FR_ROUGH);
        struct fr_ranking counted = *out;

        if (!candidate->is_judged)
            continue;
        if (isinf(least) || (out->count == search->keep && least > cost_of_last(out)))
            break;
        if (!search->is_over)
            judge_candidate(search, candidate);
        candidate->is_judged = !search->is_over;
        counted.count = out->count;
        counted.left_out_slow = out->left_out_slow;
        *out = counted;
    }
}

/* Has a stage of the search take a part of the work that is left, at most.  Whatever a stage leaves
 * undone for lack of work is untried. */
static void take_share(struct search *search, double part, void (*stage)(struct search *search))
{
    const double until = fr_arena_spent(search->arena) + part * fr_arena_left(search->arena);
    const double most = fr_arena_limit_steps(search->arena, until);

    stage(search);
    fr_arena_limit_steps(search->arena, most);
    search->is_ended |= search->is_over;
    search->is_over &= fr_refusal_says_what(search->why) || fr_arena_is_stopped(search->arena);
}

static void judge_by_bound(struct search *search)
{
    const size_t size = search->model->values_size;
    char *slot;

    each(search, count);
    if (search->is_over)
        return;
    search->candidate =
        fr_arena_zeroed(search->arena, search->candidates, sizeof *search->candidate);
    slot = fr_arena_zeroed(search->arena, search->candidates, size);
    if (!search->candidate || !slot) {
        search->is_over = true;
        return;
    }
    for (size_t i = 0; i < search->candidates; i++)
        search->candidate[i].values = slot + i * size;
    search->candidates = 0;
    each(search, list);
    if (search->is_over)
        return;
    search->is_rough = true;
    take_share(search, rough_share, judge_in_order);
    if (search->was_rough && search->out->count && !search->is_over)
        take_share(search, share, judge_again);
    for (size_t i = 0; i < search->candidates; i++)
        search->out->untried += !search->candidate[i].is_judged;
    search->is_over |= search->is_ended && !search->out->count;
}

/* A named run serves only the rows that agree with it: each row states its tunables, and a
 * recommendation its size. */
static uint64_t stated(const struct fr_model *model, const void *values)
{
    uint64_t set = 0;

    for (const struct fr_param *param = model->params; param->name; param++)
        if (param->flags & FR_TUNABLE || (param->one_of && !fr_param_is_open(param, values)))
            set |= fr_param_bit(model->params, param);
    return set;
}

int fr_rank(const struct fr_model *model, const void *values, const struct fr_restriction *only,
            const struct fr_run_source *source, const struct fr_calibration *cal,
            enum fr_memory memory, size_t keep_rows, struct fr_arena *arena, struct fr_ranking *out,
            struct fr_faults *faults)
{
    struct fr_ranked *row = fr_arena_zeroed(arena, keep_rows, sizeof *row);
    char *slot = fr_arena_zeroed(arena, keep_rows + 3, model->values_size);
    struct fr_prediction *scratch = fr_arena_zeroed(arena, 1, sizeof *scratch);
    struct fr_run_source named = source ? *source : (struct fr_run_source){ 0 };
    struct fr_arena_mark mark;
    struct search search = {
        .model = model,
        .source = source ? &named : NULL,
        .cal = cal,
        .memory = memory,
        .keep = keep_rows,
        .arena = arena,
        .out = out,
        .why = faults,
        .prediction = scratch,
        .combinations = { .model = model, .cal = cal, .only = only },
        .bound = NAN,
        .given = fr_refusal_tunables(model, values, only),
    };

    if (!row || !slot || !scratch)
        return fr_fault(faults, FR_NOMEM, "limit", "too many rows to keep");
    named.given |= stated(model, values);
    for (size_t i = 0; i < keep_rows; i++)
        row[i].values = slot + i * model->values_size;
    search.values = search.combinations.values = slot + keep_rows * model->values_size;
    search.resolved = slot + (keep_rows + 1) * model->values_size;
    search.bounded = slot + (keep_rows + 2) * model->values_size;
    memcpy(search.values, values, model->values_size);
    *out = (struct fr_ranking){ .row = row, .is_filled = fr_model_is_filled(model, values) };
    mark = fr_arena_mark(arena);
    if (model->kept_bytes)
        search.kept = fr_arena_zeroed(arena, 1, model->kept_bytes);
    if (model->bound_s)
        judge_by_bound(&search);
    else
        each(&search, judge);
    fr_arena_release(arena, mark);
    if (search.is_over)
        return fr_refusal_too_many(model, values, faults);
    if (!out->legal)
        return FR_RELATION;
    faults->count = 0; /* refused combinations are not faults of the question */
    return FR_OK;
}
