/* Regions: the choice of samples, the fit of all statistics, and the error
 * (docs/models/kernel_models.md#error-of-a-region). */
#include "engine/blocked/modeling.h"
#include "engine/core/statistics.h"

#include <math.h>
#include <stdlib.h>

/* Cutoff of singular values for fits that extrapolate: directions that the samples hardly determine
 * are left out. */
static const double coarse = 1e-2;

static bool is_inside(const struct blocked_box *box, size_t dimensions, const int64_t *at)
{
    for (size_t d = 0; d < dimensions; d++)
        if (at[d] < box->min[d] || at[d] > box->max[d])
            return false;
    return true;
}

static double reference_of(const struct modeling *m, size_t i)
{
    return m->sample.at[m->chosen[i]].time_s[m->build->reference];
}

size_t modeling_usable(const struct modeling *m)
{
    size_t usable = 0;

    for (size_t i = 0; i < m->chosen_count; i++)
        usable += modeling_is_time(reference_of(m, i), false);
    return usable;
}

static int make_room(struct modeling *m)
{
    size_t *chosen;

    m->chosen_count = 0;
    if (m->chosen_room >= m->sample.count)
        return 0;
    chosen = realloc(m->chosen, m->sample.room * sizeof *chosen);
    if (!chosen)
        return -1;
    m->chosen = chosen;
    m->chosen_room = m->sample.room;
    return 0;
}

int modeling_choose_grid(struct modeling *m, const struct blocked_box *box, bool *is_whole)
{
    const struct modeling_grid grid = modeling_grid_of(m, box);
    int64_t at[BLOCKED_MAX_SIZES] = { 0 };

    if (make_room(m) != 0)
        return -1;
    for (size_t i = 0; i < grid.count; i++) {
        const struct blocked_sample *sample;

        modeling_grid_point(m, &grid, i, at);
        sample = blocked_samples_find(&m->sample, at);
        if (sample)
            m->chosen[m->chosen_count++] = (size_t)(sample - m->sample.at);
    }
    *is_whole = m->chosen_count == grid.count && modeling_usable(m) > 0;
    return 0;
}

/* Chooses the samples inside a box; NULL: all. */
static int choose(struct modeling *m, const struct blocked_box *box)
{
    if (make_room(m) != 0)
        return -1;
    for (size_t i = 0; i < m->sample.count; i++)
        if (!box || is_inside(box, m->dimensions, m->sample.at[i].at))
            m->chosen[m->chosen_count++] = i;
    return 0;
}

int modeling_choose_inside(struct modeling *m, const struct blocked_box *box)
{
    return choose(m, box);
}

bool modeling_suffices(const struct modeling *m, const struct blocked_box *box)
{
    for (size_t d = 0; d < m->dimensions; d++) {
        bool has_min = false, has_max = false;

        for (size_t i = 0; i < m->chosen_count; i++) {
            const int64_t at = m->sample.at[m->chosen[i]].at[d];
            const bool is_time = modeling_is_time(reference_of(m, i), false);

            has_min = has_min || (is_time && at == box->min[d]);
            has_max = has_max || (is_time && at == box->max[d]);
        }
        if (!has_min || !has_max)
            return false;
    }
    return modeling_usable(m) >= m->terms;
}

/* Combines relative errors by the measure; sorts them. */
static double measure(enum blocked_measure measure, double *error, size_t count)
{
    double sum = 0;

    if (count == 0)
        return 0;
    fr_sort(error, count);
    for (size_t i = 0; i < count; i++)
        sum += error[i];
    switch (measure) {
    case BLOCKED_ERROR_P90: /* nearest rank ceil(0.9 N), in integers to avoid rounding */
        return error[(9 * count + 9) / 10 - 1];
    case BLOCKED_ERROR_MEAN:
        return sum / (double)count;
    case BLOCKED_ERROR_MAX:
        break;
    }
    return error[count - 1];
}

/* Fits every statistic; `at` and `value` are work space for the chosen samples. */
static int fit(struct modeling *m, const struct blocked_box *box, double cutoff,
               int64_t (*at)[BLOCKED_MAX_SIZES], double *value, struct blocked_piece *out)
{
    size_t count = 0;

    *out = (struct blocked_piece){ .box = *box, .samples = m->chosen_count };
    for (size_t i = 0; i < m->chosen_count; i++)
        for (size_t d = 0; d < BLOCKED_MAX_SIZES; d++)
            at[i][d] = m->sample.at[m->chosen[i]].at[d];
    for (int s = 0; s < BLOCKED_STATISTICS; s++) {
        /* A standard deviation may be 0, so its residuals are absolute. */
        const bool is_relative = m->build->is_relative && s != BLOCKED_STD;

        for (size_t i = 0; i < m->chosen_count; i++)
            value[i] = m->sample.at[m->chosen[i]].time_s[s];
        if (blocked_fit(box, m->dimensions, m->exponent, m->terms, at, value, m->chosen_count,
                        is_relative, cutoff, out->coef[s]) != 0)
            return -1;
    }
    for (size_t i = 0; i < m->chosen_count; i++) {
        const double time_s = reference_of(m, i);
        const double fitted = blocked_polynomial(box, m->dimensions, m->exponent, m->terms,
                                                 out->coef[m->build->reference], at[i]);

        if (modeling_is_time(time_s, true))
            value[count++] = fabs(fitted - time_s) / time_s;
    }
    out->error = measure(m->build->measure, value, count);
    return 0;
}

static int fit_chosen(struct modeling *m, const struct blocked_box *box, double cutoff,
                      struct blocked_piece *out)
{
    int64_t(*at)[BLOCKED_MAX_SIZES] = malloc((m->chosen_count + 1) * sizeof *at);
    double *value = malloc((m->chosen_count + 1) * sizeof *value);
    int failed = at && value ? 0 : -1;

    if (failed == 0 && fit(m, box, cutoff, at, value, out) != 0) {
        m->why = "not enough memory, or LAPACK's dgelsd does not converge";
        failed = -1;
    }
    free(value);
    free(at);
    return failed;
}

int modeling_fit(struct modeling *m, const struct blocked_box *box, struct blocked_piece *out)
{
    return fit_chosen(m, box, BLOCKED_ROUNDING, out);
}

int modeling_cover(struct modeling *m, const struct blocked_box *box, struct blocked_piece *out)
{
    if (choose(m, box) != 0)
        return -1;
    if (modeling_suffices(m, box))
        return fit_chosen(m, box, BLOCKED_ROUNDING, out);
    if (modeling_usable(m) == 0 && choose(m, NULL) != 0)
        return -1;
    if (modeling_usable(m) == 0) {
        m->why = "no sample has a usable time";
        return -1;
    }
    return fit_chosen(m, box, coarse, out);
}
