/* Sizes beside the limits of protocols. */
#include "calibrations/calibrate/network/sizes.h"

#include <math.h>
#include <stdlib.h>

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/network/networking.h"

/* Reductions add doubles.  A library may count its header, so that messages just below a limit are
 * of neither side. */
enum { STEP = sizeof(double), LONGEST_HEADER = 64 };

/* A size within this factor of one beside a limit tells nothing that this one does not. */
static const double close_by = 1.25;

int fr_sizes_at_power(const struct fr_protocols *protocols, int k, double size[FR_SIZES_AT_POWER])
{
    const double power = exp2(ceil(log2(protocols->limit_bytes[k])));

    if (power > protocols->beyond_bytes[k])
        return 0;
    size[0] = power - LONGEST_HEADER;
    size[1] = power;
    size[2] = power + STEP;
    return FR_SIZES_AT_POWER;
}

static void add(struct fr_list *list, double bytes, int64_t most)
{
    const int64_t size = (int64_t)bytes;

    for (int i = 0; i < list->count; i++)
        if (list->value[i] == size)
            return;
    if (size >= STEP && size <= most && list->count < FR_LIST_MAX)
        list->value[list->count++] = size;
}

/* The longest message before the limit and the shortest beyond it, also around a power of two. */
static void add_sides(const struct fr_protocols *protocols, int k, int64_t most,
                      struct fr_list *list)
{
    double size[FR_SIZES_AT_POWER];
    const int sizes = fr_sizes_at_power(protocols, k, size);

    add(list, floor(protocols->limit_bytes[k] / STEP) * STEP, most);
    add(list, ceil(protocols->beyond_bytes[k] / STEP) * STEP, most);
    for (int i = 0; i < sizes; i++)
        add(list, size[i], most);
}

static bool is_close(int64_t size, const struct fr_list *list)
{
    for (int i = 0; i < list->count; i++)
        if (size != list->value[i] &&
            fabs(log((double)size / (double)list->value[i])) < log(close_by))
            return true;
    return false;
}

static int ascending(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

void fr_sizes_add_limits(const struct fr_protocols *protocols, int64_t most,
                         struct fr_list *messages)
{
    struct fr_list sides = { 0 }, all;

    for (int k = 0; k + 1 < protocols->count; k++)
        add_sides(protocols, k, most, &sides);
    all = sides;
    for (int i = 0; i < messages->count; i++)
        if (!is_close(messages->value[i], &sides))
            add(&all, (double)messages->value[i], most);
    qsort(all.value, (size_t)all.count, sizeof *all.value, ascending);
    *messages = all;
}

void fr_sizes_choose(const struct fr_context *context, const struct fr_list *usual,
                     struct fr_list *messages)
{
    const struct fr_list *asked = &context->networking->messages;

    *messages = asked->count ? *asked : *usual;
    if (asked->count)
        return;
    if (fr_world_is_many(context->world))
        fr_value_cut(messages, FR_SIZES_OF_MANY);
    if (!context->options->is_quick)
        fr_sizes_add_limits(&context->protocols, fr_value_largest(messages), messages);
}

void fr_sizes_choose_short(const struct fr_context *context, struct fr_list *messages)
{
    struct fr_list usual = { 12,
                             { 8, 128, 512, 1 << 10, 2 << 10, 4 << 10, 8 << 10, 16 << 10, 32 << 10,
                               64 << 10, 256 << 10, 1 << 20 } };

    if (context->options->is_quick)
        usual.count = 4;
    fr_sizes_choose(context, &usual, messages);
}
