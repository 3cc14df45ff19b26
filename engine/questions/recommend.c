/* Recommendation: chooses among the node counts the best one for the objective that meets the
 * constraints. */
#include "engine/questions/recommend.h"

#include "engine/calibration/calibration.h"
#include "engine/core/fault.h"
#include "engine/core/number.h"
#include "engine/prediction/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double fr_core_hours(const struct fr_prediction *prediction, const struct fr_calibration *cal)
{
    return prediction->nodes * (double)cal->node.cores_per_node * prediction->time_s / 3600;
}

/* The quantity that the objective minimizes. */
static double cost(enum fr_objective objective, const struct fr_prediction *prediction,
                   const struct fr_calibration *cal, bool is_filled)
{
    switch (objective) {
    case FR_LEAST_TIME:
        return fr_rank_cost(prediction, is_filled);
    case FR_FEWEST_NODES:
        return prediction->nodes;
    case FR_FEWEST_CORE_HOURS:
        return fr_core_hours(prediction, cal);
    case FR_KNEE:
        return fr_core_hours(prediction, cal) * prediction->time_s;
    case FR_BEST_EFFICIENCY:
        break;
    }
    return -prediction->percent_of_peak;
}

static bool is_better(const struct fr_ranked *a, const struct fr_ranked *b,
                      enum fr_objective objective, const struct fr_calibration *cal, bool is_filled)
{
    const double cost_a = cost(objective, &a->prediction, cal, is_filled);
    const double cost_b = cost(objective, &b->prediction, cal, is_filled);

    return cost_a != cost_b ? cost_a < cost_b : a->prediction.time_s < b->prediction.time_s;
}

/* The constraints of a goal, and the words for one that fails. */
enum { DEADLINE, CORE_HOURS, EFFICIENCY, SCALING, CONSTRAINTS };
static const struct constraint {
    const char *parameter, *best, *reaches, *at_best, *unit, *beyond;
    enum fr_rounding rounding;   /* of what is reached: as a limit it would be kept */
    enum fr_objective objective; /* serves this constraint best */
} constraints[CONSTRAINTS] = {
    [DEADLINE] = { "deadline_s", "fastest", "takes", "at least", " s", "more", FR_NO_LESS,
                   FR_LEAST_TIME },
    [CORE_HOURS] = { "max_core_hours", "cheapest", "takes", "at least", " core hours", "more",
                     FR_NO_LESS, FR_FEWEST_CORE_HOURS },
    [EFFICIENCY] = { "min_efficiency_fraction", "most efficient", "reaches", "at most", "", "less",
                     FR_NO_MORE, FR_BEST_EFFICIENCY },
    [SCALING] = { "min_scaling_fraction", "cheapest", "reaches", "at most", "", "less", FR_NO_MORE,
                  FR_FEWEST_CORE_HOURS },
};

/* What constraints are judged by. */
struct judge {
    const struct fr_goal *goal;
    const struct fr_calibration *cal;
    double least_core_hours; /* of all configurations */
};

static bool is_judged_by_quantile(const struct fr_goal *goal)
{
    return goal->deadline_s > 0 && goal->outlook && !isnan(goal->outlook->quantile);
}

/* Finds the outlooks that the deadline is compared with. */
static void foresee(const struct fr_model *model, const struct fr_calibration *cal,
                    const struct fr_goal *goal, struct fr_arena *arena, struct fr_ranking *all)
{
    for (size_t i = 0; i < all->count && is_judged_by_quantile(goal); i++) {
        struct fr_ranked *row = &all->row[i];

        fr_outlook_foresee(goal->outlook, goal->errors, model, row->values, cal, arena,
                           &row->prediction, &row->spread, &row->outlook);
    }
}

/* The time that the deadline is compared with, and where it comes from (empty: predicted). */
enum { WORDS_BYTES = 64 };
static double judged_s(const struct fr_goal *goal, const struct fr_ranked *row,
                       char words[WORDS_BYTES])
{
    words[0] = '\0';
    if (!is_judged_by_quantile(goal))
        return row->prediction.time_s;
    words[0] = ' ';
    fr_outlook_print_basis(&row->outlook, goal->outlook, words + 1, WORDS_BYTES - 1);
    return row->outlook.quantile_s;
}

/* The least core hours over those of a row; 1 if there is nothing to do. */
static double scaling_of(const struct judge *judge, const struct fr_ranked *row)
{
    const double core_hours = fr_core_hours(&row->prediction, judge->cal);

    return core_hours == 0 ? 1 : judge->least_core_hours / core_hours;
}

/* What a constraint judges, with the words of judged_s, and its limit (0 or NaN: none). */
static void measure(size_t one, const struct judge *judge, const struct fr_ranked *row,
                    double *value, double *limit, char words[WORDS_BYTES])
{
    const struct fr_goal *goal = judge->goal;

    words[0] = '\0';
    switch (one) {
    case DEADLINE:
        *value = judged_s(goal, row, words);
        *limit = goal->deadline_s;
        break;
    case CORE_HOURS:
        *value = fr_core_hours(&row->prediction, judge->cal);
        *limit = goal->max_core_hours;
        break;
    case EFFICIENCY:
        *value = row->prediction.percent_of_peak / 100;
        *limit = goal->min_efficiency_fraction;
        break;
    default:
        *value = scaling_of(judge, row);
        *limit = goal->min_scaling_fraction;
    }
}

static bool meets(size_t one, const struct judge *judge, const struct fr_ranked *row)
{
    char words[WORDS_BYTES];
    double value, limit;

    measure(one, judge, row, &value, &limit, words);
    return !(limit > 0) || (one >= EFFICIENCY ? value >= limit : value <= limit);
}

/* Whether every constraint is met, except for one that does not count (CONSTRAINTS: all count). */
static bool meets_all_but(size_t but, const struct judge *judge, const struct fr_ranked *row)
{
    for (size_t i = 0; i < CONSTRAINTS; i++)
        if (i != but && !meets(i, judge, row))
            return false;
    return true;
}

static bool wants_efficiency(const struct fr_goal *goal)
{
    return goal->objective == FR_BEST_EFFICIENCY || !isnan(goal->min_efficiency_fraction);
}

static int refuse_efficiency(const struct fr_model *model, const struct fr_goal *goal,
                             struct fr_faults *faults)
{
    if (!fr_output_find(model->outputs, "percent_of_peak")) {
        if (goal->objective == FR_BEST_EFFICIENCY)
            fr_fault(faults, FR_RELATION, "objective",
                     "%s has no percent_of_peak, so nothing is efficient; ask for time, nodes "
                     "or core_hours",
                     model->name);
        if (!isnan(goal->min_efficiency_fraction))
            fr_fault(faults, FR_RELATION, "min_efficiency_fraction",
                     "%s has no percent_of_peak, so nothing is efficient; leave it out",
                     model->name);
        return FR_RELATION;
    }
    return fr_fault(faults, FR_GROUP_MISSING, "calibration",
                    "an efficiency needs a peak, and there is none for %s", model->name);
}

/* Core hours of several node counts compare only for the same problem. */
int fr_goal_check(const struct fr_model *model, const void *values, const struct fr_goal *goal,
                  struct fr_faults *faults)
{
    int code = FR_OK;

    if (!fr_model_grows(model, values))
        return FR_OK;
    if (goal->min_scaling_fraction > 0)
        code = fr_fault(faults, FR_RELATION, "min_scaling_fraction",
                        "the problem grows with the nodes; give one of fixed size, or leave it "
                        "out");
    if (goal->objective == FR_KNEE)
        code = fr_fault(faults, FR_RELATION, "objective",
                        "the problem grows with the nodes, so its time has no knee; give one of "
                        "fixed size, or ask for time, nodes or core_hours");
    return code;
}

static int refuse_core_hours(const struct fr_model *model, const struct fr_goal *goal,
                             struct fr_faults *faults)
{
    const struct {
        const char *parameter;
        double limit;
    } wanted[] = { { "max_core_hours", goal->max_core_hours },
                   { "min_scaling_fraction", goal->min_scaling_fraction } };
    int code = FR_OK;

    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (wanted[i].limit > 0)
            code =
                fr_fault(faults, FR_RELATION, wanted[i].parameter,
                         "%s has no nodes, so no core hours are known; leave it out", model->name);
    if (goal->objective == FR_KNEE)
        code = fr_fault(faults, FR_RELATION, "objective",
                        "%s has no nodes, so its time has no knee; ask for time", model->name);
    return code;
}

/* The best row, whatever the constraints. */
static const struct fr_ranked *best_of(const struct fr_ranking *all, enum fr_objective objective,
                                       const struct fr_calibration *cal)
{
    const struct fr_ranked *best = &all->row[0];

    for (size_t i = 1; i < all->count; i++)
        if (is_better(&all->row[i], best, objective, cal, all->is_filled))
            best = &all->row[i];
    return best;
}

/* The row that serves one constraint best; if `is_joint`, among those that meet the others.  NULL
 * if there is none. */
static const struct fr_ranked *closest(const struct fr_ranking *all, size_t one, bool is_joint,
                                       const struct judge *judge)
{
    const struct fr_ranked *best = NULL;

    for (size_t i = 0; i < all->count; i++) {
        const struct fr_ranked *row = &all->row[i];

        if ((!is_joint || meets_all_but(one, judge, row)) &&
            (!best || is_better(row, best, constraints[one].objective, judge->cal, false)))
            best = row;
    }
    return best;
}

/* Says by how much the closest row misses a constraint. */
static void explain_one(size_t one, bool is_joint, const struct judge *judge,
                        const struct fr_ranked *best, struct fr_faults *faults)
{
    const struct constraint *c = &constraints[one];
    const double nodes = best->prediction.nodes;
    char who[100], share[24] = "", words[WORDS_BYTES];
    char reached[FR_ROUNDED_TEXT], missing[FR_ROUNDED_TEXT], wanted[32];
    double value, limit;

    measure(one, judge, best, &value, &limit, words);
    if (is_joint)
        snprintf(who, sizeof who, "every configuration that meets the other constraints %s %s",
                 c->reaches, c->at_best);
    else if (isnan(nodes))
        snprintf(who, sizeof who, "the %s %s", c->best, c->reaches);
    else
        snprintf(who, sizeof who, "the %s, on %.0f nodes, %s", c->best, nodes, c->reaches);
    if (!is_joint && value > limit)
        snprintf(share, sizeof share, " (%.3g %%)", 100 * (value / limit - 1));
    fr_number_rounded(value, c->rounding, reached);
    fr_number_rounded(fabs(strtod(reached, NULL) - limit), FR_NEAREST, missing);
    fr_number_text(limit, wanted, sizeof wanted);
    fr_fault(faults, FR_INFEASIBLE, c->parameter, "%s %s%s%s: %s%s%s %s than %s%s", who, reached,
             c->unit, words, missing, c->unit, share, c->beyond, wanted, c->unit);
}

/* Names each failing constraint and its margin: those that nothing meets, or else those that
 * nothing meets together with the others. */
static int explain(const struct fr_ranking *all, const struct judge *judge,
                   struct fr_faults *faults)
{
    const size_t before = faults->count;

    for (int is_joint = 0; is_joint < 2 && faults->count == before; is_joint++)
        for (size_t i = 0; i < CONSTRAINTS; i++) {
            const struct fr_ranked *best = closest(all, i, is_joint, judge);

            if (best && !meets(i, judge, best))
                explain_one(i, is_joint, judge, best, faults);
        }
    if (faults->count == before)
        fr_fault(faults, FR_INFEASIBLE, "deadline_s",
                 "each constraint can be met, but no two of them together");
    return FR_INFEASIBLE;
}

/* Whether a row goes before another: less far outside the calibrated range where that is preferred,
 * then better. */
static bool goes_before(const struct fr_ranked *a, const struct fr_ranked *b,
                        const struct judge *judge, bool is_filled)
{
    const enum fr_outside a_is = fr_prediction_outside(&a->prediction);
    const enum fr_outside b_is = fr_prediction_outside(&b->prediction);

    if (judge->goal->prefers_calibrated && a_is != b_is)
        return a_is < b_is;
    return is_better(a, b, judge->goal->objective, judge->cal, is_filled);
}

/* Moves the rows that meet the constraints to the front, best first, and drops the others. */
static void select_rows(struct fr_ranking *all, const struct judge *judge, size_t keep)
{
    size_t kept = 0;

    for (size_t i = 0; i < all->count; i++) {
        const struct fr_ranked row = all->row[i];
        size_t at = kept;

        if (!meets_all_but(CONSTRAINTS, judge, &row))
            continue;
        for (; at > 0 && goes_before(&row, &all->row[at - 1], judge, all->is_filled); at--)
            all->row[at] = all->row[at - 1];
        all->row[at] = row;
        kept++;
    }
    all->count = kept < keep ? kept : keep;
}

size_t fr_recommend_best(const struct fr_ranking *of, size_t count,
                         const struct fr_calibration *cal, const struct fr_goal *goal)
{
    struct fr_goal plain = *goal;
    struct judge judge = { .goal = &plain, .cal = cal, .least_core_hours = INFINITY };
    size_t best = count, fastest = count;

    plain.outlook = NULL; /* a quantile takes predictions of its own */
    for (size_t i = 0; i < count; i++)
        if (of[i].count)
            judge.least_core_hours =
                fmin(judge.least_core_hours, fr_core_hours(&of[i].row[0].prediction, cal));
    for (size_t i = 0; i < count; i++) {
        const struct fr_ranked *row = of[i].row;

        if (!of[i].count)
            continue;
        if (fastest == count || row->prediction.time_s < of[fastest].row->prediction.time_s)
            fastest = i;
        if (meets_all_but(CONSTRAINTS, &judge, row) &&
            (best == count || goes_before(row, of[best].row, &judge, of[i].is_filled)))
            best = i;
    }
    return best < count ? best : fastest;
}

int fr_recommend_among(const struct fr_model *model, const void *values,
                       const struct fr_calibration *cal, const struct fr_goal *goal, size_t keep,
                       struct fr_arena *arena, struct fr_ranking *curve, struct fr_faults *faults)
{
    const struct fr_ranking all = *curve;
    struct judge judge = { .goal = goal, .cal = cal };

    if (wants_efficiency(goal) && isnan(all.row[0].prediction.percent_of_peak))
        return refuse_efficiency(model, goal, faults);
    foresee(model, cal, goal, arena, curve);
    judge.least_core_hours = fr_core_hours(&closest(&all, SCALING, false, &judge)->prediction, cal);
    if (isnan(judge.least_core_hours) && refuse_core_hours(model, goal, faults) != FR_OK)
        return FR_RELATION;
    curve->fastest = *best_of(&all, FR_LEAST_TIME, cal);
    curve->has_knee = !fr_model_grows(model, values) && !isnan(judge.least_core_hours);
    if (curve->has_knee)
        curve->knee = *best_of(&all, FR_KNEE, cal);
    select_rows(curve, &judge, keep);
    if (curve->count)
        return FR_OK;
    return all.untried || all.untried_nodes ? fr_refusal_too_many(model, values, faults)
                                            : explain(&all, &judge, faults);
}

int fr_recommend(const struct fr_model *model, const void *values,
                 const struct fr_run_source *source, const struct fr_calibration *cal,
                 const struct fr_goal *goal, size_t keep, struct fr_arena *arena,
                 struct fr_ranking *out, struct fr_faults *faults)
{
    int code = fr_goal_check(model, values, goal, faults);

    if (code == FR_OK)
        code = fr_node_curve(model, values, source, cal, goal, arena, out, faults);
    return code == FR_OK ? fr_recommend_among(model, values, cal, goal, keep, arena, out, faults)
                         : code;
}
