/* What a split would gain, judged by the samples of the region that is to be split
 * (docs/models/kernel_models.md#decision-the-side-that-explains-the-error-is-split). */
#include "engine/blocked/modeling.h"

#include <stdlib.h>

/* Samples of one half, and work space for them. */
struct half {
    struct blocked_box box;
    int64_t (*at)[BLOCKED_MAX_SIZES];
    double *value;
    size_t count;
};

static void take_inside(const struct modeling *m, struct half *half, size_t d)
{
    half->count = 0;
    for (size_t i = 0; i < m->chosen_count; i++) {
        const struct blocked_sample *sample = &m->sample.at[m->chosen[i]];

        if (sample->at[d] < half->box.min[d] || sample->at[d] > half->box.max[d])
            continue;
        for (size_t k = 0; k < BLOCKED_MAX_SIZES; k++)
            half->at[half->count][k] = sample->at[k];
        half->value[half->count++] = sample->time_s[m->build->reference];
    }
}

static int add_squares(const struct modeling *m, const struct half *half, double *squares)
{
    const bool is_relative = m->build->is_relative;
    double coef[BLOCKED_MAX_TERMS];

    if (blocked_fit(&half->box, m->dimensions, (int(*)[BLOCKED_MAX_SIZES])m->exponent, m->terms,
                    half->at, half->value, half->count, is_relative, BLOCKED_ROUNDING, coef) != 0)
        return -1;
    for (size_t i = 0; i < half->count; i++) {
        const double fitted =
            blocked_polynomial(&half->box, m->dimensions, (int(*)[BLOCKED_MAX_SIZES])m->exponent,
                               m->terms, coef, half->at[i]);
        const double residual = fitted - half->value[i];

        if (modeling_is_time(half->value[i], is_relative))
            *squares += residual * residual / (is_relative ? half->value[i] * half->value[i] : 1);
    }
    return 0;
}

int modeling_try_split(const struct modeling *m, const struct blocked_box *box, size_t d,
                       int64_t middle, double *squares)
{
    struct half low = { .box = *box }, high;
    int failed = -1;

    low.at = malloc((m->chosen_count + 1) * sizeof *low.at);
    low.value = malloc((m->chosen_count + 1) * sizeof *low.value);
    high = low;
    low.box.max[d] = high.box.min[d] = middle;
    *squares = 0;
    if (low.at && low.value) {
        take_inside(m, &low, d);
        failed = add_squares(m, &low, squares);
        take_inside(m, &high, d);
        failed = failed == 0 ? add_squares(m, &high, squares) : failed;
    }
    free(low.value);
    free(low.at);
    return failed;
}
