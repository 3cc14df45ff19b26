/* Scales: ranges are not written out, so that a search among a billion values takes no memory. */
#include "engine/core/fault.h"
#include "engine/core/number.h"
#include "engine/questions/recommend.h"

#include <math.h>
#include <string.h>

/* Indexes stay exact as doubles. */
static const double most_steps = 1e15;

static int too_many(const struct fr_param *param, struct fr_faults *faults)
{
    return fr_fault(faults, FR_TOO_MANY_POINTS, param->name, "more than %g steps; take larger ones",
                    most_steps);
}

static int parse_numbers(const struct fr_param *param, const char *text, struct fr_scale *out,
                         struct fr_faults *faults)
{
    const size_t before = faults->count;
    struct fr_range range;
    double steps;

    if (fr_range_parse(param, text, strlen(text), &range, faults) != FR_OK)
        return FR_SYNTAX;
    steps = floor((range.high - range.low) / range.step * (1 + 1e-12));
    if (!(steps < most_steps))
        return too_many(param, faults);
    /* With both ends and the first step every value between them is possible. */
    fr_param_check(param, range.low, faults);
    if (steps > 0)
        fr_param_check(param, fmin(range.low + steps * range.step, range.high), faults);
    if (steps > 1)
        fr_param_check(param, range.low + range.step, faults);
    if (faults->count > before)
        return FR_RANGE;
    *out = (struct fr_scale){ .param = param,
                              .count = (size_t)steps + 1,
                              .is_range = true,
                              .low = range.low,
                              .step = range.step };
    return FR_OK;
}

/* Copies the text up to the next `..` and returns what follows it; NULL at the end. */
static const char *cut(const char *text, char *out, size_t size)
{
    const char *dots = strstr(text, "..");
    const size_t length = dots ? (size_t)(dots - text) : strlen(text);

    out[0] = '\0';
    if (length < size) {
        memcpy(out, text, length);
        out[length] = '\0';
    }
    return dots ? dots + 2 : NULL;
}

static int parse_vectors(const struct fr_param *param, const char *text, struct fr_scale *out,
                         struct fr_faults *faults)
{
    char first[128], last[128], step_text[128] = "1";
    const char *rest = cut(text, first, sizeof first);
    struct fr_vector low, high;
    double step, rise;

    rest = cut(rest, last, sizeof last);
    if (rest && cut(rest, step_text, sizeof step_text))
        step_text[0] = '\0'; /* more than three parts */
    if (fr_param_parse_vector(param, first, &low, faults) != FR_OK ||
        fr_param_parse_vector(param, last, &high, faults) != FR_OK)
        return FR_SYNTAX;
    if (!fr_number_parse(step_text, &step) || !(step >= 1) || step != floor(step))
        return fr_fault(faults, FR_SYNTAX, param->name, "the step '%.20s' is not a whole number",
                        step_text);
    rise = (double)(high.at[0] - low.at[0]);
    for (size_t i = 0; i < low.count; i++)
        if (high.count != low.count || rise < 0 || (double)(high.at[i] - low.at[i]) != rise)
            return fr_fault(faults, FR_RANGE, param->name,
                            "'%.60s' must rise by the same amount in every extent", text);
    *out = (struct fr_scale){ .param = param,
                              .count = (size_t)floor(rise / step) + 1,
                              .is_range = true,
                              .step = step,
                              .corner = low };
    return FR_OK;
}

static int parse_list(const struct fr_param *param, const char *text, struct fr_arena *arena,
                      struct fr_scale *out, struct fr_faults *faults)
{
    struct fr_axis list;

    if (fr_axis_parse(param, text, arena, &list, faults) != FR_OK)
        return FR_SYNTAX;
    for (size_t i = 1; i < list.count && list.value; i++)
        if (list.value[i] <= list.value[i - 1])
            return fr_fault(faults, FR_RANGE, param->name,
                            "the values of a search must rise from one to the next");
    *out = (struct fr_scale){ .param = param, .count = list.count, .list = list };
    return FR_OK;
}

int fr_scale_parse(const struct fr_param *param, const char *text, struct fr_arena *arena,
                   struct fr_scale *scale, struct fr_faults *faults)
{
    if (!strchr(text, ',') && !strchr(text, '*') && strstr(text, "..")) {
        if (param->kind == FR_KIND_INT || param->kind == FR_KIND_REAL)
            return parse_numbers(param, text, scale, faults);
        if (param->kind == FR_KIND_VECTOR)
            return parse_vectors(param, text, scale, faults);
    }
    return parse_list(param, text, arena, scale, faults);
}

struct fr_scale fr_scale_whole(const struct fr_param *param)
{
    return (struct fr_scale){ .param = param,
                              .count = (size_t)(param->max - param->min) + 1,
                              .is_range = true,
                              .low = param->min,
                              .step = 1 };
}

static double number_at(const struct fr_scale *scale, size_t index)
{
    const double low =
        scale->param->kind == FR_KIND_VECTOR ? (double)scale->corner.at[0] : scale->low;

    return low + scale->step * (double)index;
}

void fr_scale_put(const struct fr_scale *scale, size_t index, void *values)
{
    if (!scale->is_range) {
        fr_axis_put(&scale->list, index, values);
    } else if (scale->param->kind == FR_KIND_VECTOR) {
        struct fr_vector vector = scale->corner;

        for (size_t i = 0; i < vector.count; i++)
            vector.at[i] += (int64_t)scale->step * (int64_t)index;
        fr_param_set_vector(scale->param, values, &vector);
    } else {
        fr_param_set(scale->param, values, fmin(number_at(scale, index), scale->param->max));
    }
}

/* The place that divides low to high by ratio of values, or by number of steps. */
static double place(const struct fr_scale *scale, size_t low, size_t high, double share)
{
    double a, b;

    if (!scale->is_range)
        return (double)low + share * (double)(high - low);
    a = number_at(scale, low);
    b = number_at(scale, high);
    if (a > 0 && b > 4 * a)
        return (double)low + (a * pow(b / a, share) - a) / scale->step;
    return (double)low + share * (double)(high - low);
}

/* Moves a place to the nearest one that makes the value a multiple of a power of 2 steps. */
static double round_place(const struct fr_scale *scale, double at, double room)
{
    const double offset = number_at(scale, 0) / scale->step;
    double unit = 1;

    if (offset != floor(offset))
        return round(at);
    while (2 * unit <= room)
        unit *= 2;
    return round((at + offset) / unit) * unit - offset;
}

size_t fr_scale_between(const struct fr_scale *scale, size_t low, size_t high, size_t part,
                        size_t parts)
{
    const double share = 1 / (double)parts;
    double at, below, above;

    if (high - low < 2)
        return low;
    at = place(scale, low, high, (double)part * share);
    below = place(scale, low, high, (double)(part - 1) * share);
    above = place(scale, low, high, (double)(part + 1) * share);
    if (scale->is_range) /* half of the room at most, so that the order of the parts remains */
        at = round_place(scale, at, fmin(at - below, above - at) / 2);
    return (size_t)fmin(fmax(round(at), (double)low + 1), (double)high - 1);
}
