/* Parsing of numbers and lists on the command line. */
#include "calibrations/calibrate/core/options.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int64_t bytes_max = INT64_C(1) << 30;

/* Reads the digits at the start of the text.  Returns their end, or NULL if there are none or the
 * value exceeds `max`. */
static const char *take_integer(const char *text, int64_t max, int64_t *out)
{
    char *end;
    long long value;

    if (!isdigit((unsigned char)*text))
        return NULL;
    errno = 0;
    value = strtoll(text, &end, 10);
    if (errno || value > max)
        return NULL;
    *out = value;
    return end;
}

int fr_value_bytes(const char *text, int64_t *out)
{
    int64_t value;
    const char *at = take_integer(text, bytes_max, &value);
    int shift = 0;

    if (!at)
        return -1;
    if (*at == 'K' || *at == 'k')
        shift = 10;
    else if (*at == 'M')
        shift = 20;
    else if (*at == 'G')
        shift = 30;
    if (at[shift != 0] || value > bytes_max >> shift)
        return -1;
    *out = value << shift;
    return 0;
}

int fr_value_list(const char *text, int64_t max, struct fr_list *out)
{
    struct fr_list list = { 0 };

    for (;;) {
        if (list.count == FR_LIST_MAX || !(text = take_integer(text, max, &list.value[list.count])))
            return -1;
        for (int i = 0; i < list.count; i++)
            if (list.value[i] == list.value[list.count])
                return -1;
        if (list.value[list.count++] < 1)
            return -1;
        if (!*text)
            break;
        if (*text++ != ',')
            return -1;
    }
    *out = list;
    return 0;
}

int fr_value_whole(const char *text, int min, int max, int *out)
{
    int64_t value;
    const char *end = take_integer(text, max, &value);

    if (!end || *end || value < min)
        return -1;
    *out = (int)value;
    return 0;
}

int fr_value_positive(const char *text, double *out)
{
    char *end;
    const double value = strtod(text, &end);

    if (end == text || *end || !(value > 0) || !isfinite(value))
        return -1;
    *out = value;
    return 0;
}

void fr_value_ladder(int64_t low, int64_t high, struct fr_list *out)
{
    out->count = 0;
    for (int64_t v = low; v <= high && out->count < FR_LIST_MAX; v *= 2) {
        out->value[out->count++] = v;
        if (v % 2 == 0 && v + v / 2 <= high && out->count < FR_LIST_MAX)
            out->value[out->count++] = v + v / 2;
    }
}

void fr_value_doublings(int64_t high, struct fr_list *out)
{
    out->count = 0;
    for (int64_t v = 1; v < high && out->count < FR_LIST_MAX - 1; v *= 2)
        out->value[out->count++] = v;
    out->value[out->count++] = high;
}

void fr_value_spaced(int64_t low, int64_t high, int count, struct fr_list *out)
{
    const double ratio = (double)high / (double)low;

    out->count = 0;
    for (int i = 0; i < count && out->count < FR_LIST_MAX; i++) {
        const double value = (double)low * pow(ratio, (double)i / (count > 1 ? count - 1 : 1));

        out->value[out->count++] = (int64_t)(value / 8 + 0.5) * 8;
    }
}

int64_t fr_value_largest(const struct fr_list *list)
{
    int64_t largest = 0;

    for (int i = 0; i < list->count; i++)
        if (list->value[i] > largest)
            largest = list->value[i];
    return largest;
}

void fr_value_cut(struct fr_list *list, int64_t most)
{
    int kept = 0;

    for (int i = 0; i < list->count; i++)
        if (list->value[i] <= most)
            list->value[kept++] = list->value[i];
    list->count = kept;
}
