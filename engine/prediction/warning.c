/* Warnings of predictions. */
#include "engine/calibration/calibration.h"
#include "engine/prediction/prediction.h"

#include <math.h>
#include <string.h>

static const char *const warning_names[] = { FR_WARNINGS(FR_CHOICE_NAME) };

const char *fr_warning_name(enum fr_warning_code code)
{
    return warning_names[code];
}

double fr_warning_overshoot(const struct fr_warning *warning)
{
    const bool is_below = warning->value < warning->low;
    const double less = is_below ? warning->value : warning->high;
    const double more = is_below ? warning->low : warning->value;

    return less > 0 ? more / less : INFINITY;
}

void fr_warn_again(struct fr_prediction *out, const struct fr_warning *warning)
{
    for (size_t i = 0; i < out->warning_count; i++) {
        struct fr_warning *known = &out->warning[i];
        double expected;

        if (known->code != warning->code || known->what != warning->what)
            continue;
        expected = fmax(known->expected_error_fraction, warning->expected_error_fraction);
        if (fr_warning_overshoot(warning) > fr_warning_overshoot(known))
            *known = *warning;
        known->expected_error_fraction = expected;
        return;
    }
    if (out->warning_count < FR_MAX_WARNINGS)
        out->warning[out->warning_count++] = *warning;
}

void fr_warn(struct fr_prediction *out, enum fr_warning_code code, const char *what, double value,
             double low, double high)
{
    fr_warn_again(out, &(struct fr_warning){ .code = code,
                                             .what = what,
                                             .value = value,
                                             .low = low,
                                             .high = high,
                                             .share_fraction = NAN,
                                             .expected_error_fraction = NAN });
}

bool fr_has_warned(const struct fr_prediction *out, enum fr_warning_code code)
{
    for (size_t i = 0; i < out->warning_count; i++)
        if (out->warning[i].code == code)
            return true;
    return false;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), size = strlen(end);

    return length >= size && strcmp(text + length - size, end) == 0;
}

bool fr_warning_is_of_more_processes(const struct fr_warning *warning)
{
    return warning->code == FR_WARN_EXTRAPOLATED && !(warning->share_fraction <= 0) &&
           ends_with(warning->what, ".processes") && warning->value > warning->high;
}

enum fr_outside fr_prediction_outside(const struct fr_prediction *prediction)
{
    enum fr_outside outside = FR_INSIDE;

    for (size_t i = 0; i < prediction->warning_count; i++) {
        if (fr_warning_is_of_more_processes(&prediction->warning[i]))
            return FR_OUTSIDE_PROCESSES;
        if (prediction->warning[i].code == FR_WARN_EXTRAPOLATED)
            outside = FR_OUTSIDE;
    }
    return outside;
}

bool fr_prediction_is_extrapolated(const struct fr_prediction *prediction)
{
    return fr_prediction_outside(prediction) != FR_INSIDE;
}

void fr_warn_left_out(struct fr_prediction *out, enum fr_warning_code code)
{
    const struct fr_warning warning = { .code = code,
                                        .value = 1,
                                        .low = 1,
                                        .high = 1,
                                        .weighed_as = fr_warning_name(code),
                                        .share_fraction = NAN,
                                        .expected_error_fraction = NAN };

    fr_warn_again(out, &warning);
}

double fr_left_out(const struct fr_prediction *out, enum fr_warning_code code)
{
    return out->weighed == fr_warning_name(code) ? FR_WEIGHING : 0;
}

double fr_extrapolate(struct fr_prediction *out, const char *what, double value, double low,
                      double high)
{
    const struct fr_held_out *of = fr_held_out_of(out->erring_by, what);
    const double error = of ? fr_held_out_error(of, value, low, high) : NAN;
    const struct fr_warning warning = { .code = FR_WARN_EXTRAPOLATED,
                                        .what = what,
                                        .value = value,
                                        .low = low,
                                        .high = high,
                                        .weighed_as = what,
                                        .share_fraction = NAN,
                                        .expected_error_fraction = expm1(error) };

    fr_warn_again(out, &warning);
    if (out->weighed == what)
        return 1 + FR_WEIGHING;
    return isnan(error) ? 1 : exp(out->erring * error);
}

/* No calls are held out. */
double fr_extrapolate_call(struct fr_prediction *out, const char *path, const double *size,
                           size_t sizes, size_t outside, double low, double high)
{
    struct fr_warning warning = { .code = FR_WARN_EXTRAPOLATED,
                                  .what = path,
                                  .value = size[outside],
                                  .low = low,
                                  .high = high,
                                  .weighed_as = path,
                                  .share_fraction = NAN,
                                  .expected_error_fraction = NAN,
                                  .sizes = sizes };

    memcpy(warning.size, size, sizes * sizeof *size);
    fr_warn_again(out, &warning);
    return out->weighed == path ? 1 + FR_WEIGHING : 1;
}

void fr_warn_precision(struct fr_prediction *out, const char *what, int asked,
                       enum fr_precision charged)
{
    fr_warn(out, FR_WARN_PRECISION, what, asked, charged, charged);
}
