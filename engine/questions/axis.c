/* Value lists and their products: `a,b,c`, `lo..hi`, `lo..hi..step`, `lo..hi..*factor`. */
#include "engine/core/arena.h"
#include "engine/core/param.h"
#include "engine/core/statistics.h"
#include "engine/questions/rank.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A list being read. */
struct list {
    const struct fr_param *param;
    struct fr_arena *arena;
    struct fr_faults *faults;
    double *value;
    struct fr_vector *vector;
    const char **text;
    size_t count, capacity;
};

static int too_many(const struct list *list)
{
    return fr_fault(list->faults, FR_TOO_MANY_POINTS, list->param->name, "more than %d values",
                    FR_MAX_POINTS);
}

/* Grows the list by one value of `size` bytes. */
static void *grown(struct list *list, void *old, size_t size)
{
    const size_t capacity = list->capacity ? 4 * list->capacity : 64;
    void *longer;

    if (list->count < list->capacity)
        return old;
    longer = fr_arena_longer(list->arena, old, list->count, capacity, size);
    if (longer)
        list->capacity = capacity;
    return longer;
}

static int no_room(const struct list *list)
{
    return fr_fault(list->faults, FR_NOMEM, list->param->name, "the list is too long");
}

static int add(struct list *list, double value)
{
    double *longer;

    if (list->count == FR_MAX_POINTS)
        return too_many(list);
    if (fr_param_check(list->param, value, list->faults) != FR_OK)
        return FR_RANGE;
    longer = grown(list, list->value, sizeof *longer);
    if (!longer)
        return no_room(list);
    list->value = longer;
    list->value[list->count++] = value;
    return FR_OK;
}

static int add_vector(struct list *list, const char *text)
{
    struct fr_vector vector, *longer;

    if (list->count == FR_MAX_POINTS)
        return too_many(list);
    if (fr_param_parse_vector(list->param, text, &vector, list->faults) != FR_OK)
        return FR_SYNTAX;
    longer = grown(list, list->vector, sizeof *longer);
    if (!longer)
        return no_room(list);
    list->vector = longer;
    list->vector[list->count++] = vector;
    return FR_OK;
}

static int add_text(struct list *list, const char *text, size_t length)
{
    const char **longer;

    if (list->count == FR_MAX_POINTS)
        return too_many(list);
    if (!length)
        return fr_fault(list->faults, FR_SYNTAX, list->param->name, "a name of the list is empty");
    longer = grown(list, list->text, sizeof *longer);
    if (!longer)
        return no_room(list);
    list->text = longer;
    list->text[list->count] = fr_arena_text(list->arena, text, length);
    return list->text[list->count++] ? FR_OK : no_room(list);
}

static bool read_number(const char *text, size_t length, double *value)
{
    char copy[64];

    if (length >= sizeof copy)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return fr_number_parse(copy, value) && isfinite(*value);
}

int fr_range_parse(const struct fr_param *param, const char *text, size_t length,
                   struct fr_range *range, struct fr_faults *faults)
{
    const int shown = (int)(length < 60 ? length : 60);
    const char *high_text = strstr(text, "..") + 2, *end = text + length;
    const char *step_text = strstr(high_text, "..");
    const char *high_end = step_text && step_text < end ? step_text : end;
    struct fr_range read = { .step = 1 };
    bool is_read = read_number(text, (size_t)(high_text - 2 - text), &read.low) &&
                   read_number(high_text, (size_t)(high_end - high_text), &read.high);

    if (is_read && high_end != end) {
        step_text += 2;
        read.is_factor = *step_text == '*';
        step_text += read.is_factor;
        is_read = read_number(step_text, (size_t)(end - step_text), &read.step);
    }
    if (!is_read)
        return fr_fault(faults, FR_SYNTAX, param->name,
                        "'%.*s' is not lo..hi, lo..hi..step or lo..hi..*factor", shown, text);
    if (read.low > read.high || read.step <= (read.is_factor ? 1 : 0) ||
        (read.is_factor && read.low <= 0))
        return fr_fault(faults, FR_RANGE, param->name,
                        "'%.*s' never ends or never starts: it must rise from lo to hi", shown,
                        text);
    *range = read;
    return FR_OK;
}

static int add_range(struct list *list, const char *text, size_t length)
{
    struct fr_range range;

    if (fr_range_parse(list->param, text, length, &range, list->faults) != FR_OK)
        return FR_SYNTAX;
    /* Each value is computed from its index: accumulated rounding could lose the last one. */
    for (size_t i = 0; i <= FR_MAX_POINTS; i++) {
        double value = range.is_factor ? range.low * pow(range.step, (double)i)
                                       : range.low + range.step * (double)i;

        if (value > range.high + 1e-12 * fabs(range.high))
            return FR_OK;
        value = fmin(value, range.high);
        if (list->param->kind == FR_KIND_INT && range.is_factor)
            value = round(value);
        if (range.is_factor && i && list->value[list->count - 1] == value)
            continue; /* 1, 1.2 and 1.44 round to one integer */
        if (add(list, value) != FR_OK)
            return FR_RANGE;
    }
    return too_many(list);
}

static int add_item(struct list *list, const char *text, size_t length)
{
    const bool is_number = list->param->kind == FR_KIND_INT || list->param->kind == FR_KIND_REAL;
    const char *dots = strstr(text, "..");
    char item[128];
    double value;

    if (is_number && dots && dots < text + length)
        return add_range(list, text, length);
    if (list->param->kind == FR_KIND_TEXT)
        return add_text(list, text, length);
    if (length >= sizeof item)
        return fr_fault(list->faults, FR_SYNTAX, list->param->name,
                        "a value of the list is too long");
    memcpy(item, text, length);
    item[length] = '\0';
    if (list->param->kind == FR_KIND_VECTOR)
        return add_vector(list, item);
    if (fr_param_parse(list->param, item, &value, list->faults) != FR_OK)
        return FR_SYNTAX;
    return add(list, value);
}

int fr_axis_parse(const struct fr_param *param, const char *text, struct fr_arena *arena,
                  struct fr_axis *axis, struct fr_faults *faults)
{
    struct list list = { .param = param, .arena = arena, .faults = faults };
    const size_t before = faults->count;

    for (;;) {
        const size_t length = strcspn(text, ",");

        if (add_item(&list, text, length) != FR_OK && list.count >= FR_MAX_POINTS)
            break;
        if (!text[length])
            break;
        text += length + 1;
    }
    if (faults->count > before)
        return FR_SYNTAX;
    *axis = (struct fr_axis){ param, list.value, list.vector, list.count, list.text };
    return FR_OK;
}

struct fr_axis fr_axis_of_one(const struct fr_param *param, const void *values,
                              struct fr_arena *arena)
{
    double *value = fr_arena_zeroed(arena, 1, sizeof *value);
    struct fr_vector *vector = fr_arena_zeroed(arena, 1, sizeof *vector);
    const char **text = fr_arena_zeroed(arena, 1, sizeof *text);

    if (!value || !vector || !text)
        return (struct fr_axis){ .param = param };
    if (param->kind == FR_KIND_VECTOR)
        *vector = *fr_param_vector(param, values);
    else if (param->kind == FR_KIND_TEXT)
        *text = fr_param_text(param, values);
    else
        *value = fr_param_get(param, values);
    return (struct fr_axis){ param, value, vector, 1, text };
}

void fr_axis_sort(struct fr_axis *axis)
{
    size_t kept = 1;

    fr_sort(axis->value, axis->count);
    for (size_t i = 1; i < axis->count; i++)
        if (axis->value[i] != axis->value[kept - 1])
            axis->value[kept++] = axis->value[i];
    axis->count = kept;
}

void fr_axis_put(const struct fr_axis *axis, size_t index, void *values)
{
    if (axis->param->kind == FR_KIND_VECTOR)
        fr_param_set_vector(axis->param, values, &axis->vector[index]);
    else if (axis->param->kind == FR_KIND_TEXT)
        fr_param_set_text(axis->param, values, axis->text[index]);
    else
        fr_param_set(axis->param, values, axis->value[index]);
}

void fr_axis_print(const struct fr_axis *axis, size_t index, char *out, size_t size)
{
    if (axis->param->kind == FR_KIND_VECTOR)
        fr_vector_print(&axis->vector[index], out, size);
    else if (axis->param->kind == FR_KIND_TEXT)
        snprintf(out, size, "%s", axis->text[index]);
    else
        fr_param_print_number(axis->param, axis->value[index], out, size);
}

void fr_axes_point(const struct fr_axis *axis, size_t count, size_t index, void *values)
{
    while (count-- > 0) {
        fr_axis_put(&axis[count], index % axis[count].count, values);
        index /= axis[count].count;
    }
}

const struct fr_axis *fr_axes_find(const struct fr_axis *axis, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(axis[i].param->name, name) == 0)
            return &axis[i];
    return NULL;
}

int fr_axes_count(const struct fr_axis *axis, size_t count, size_t machines, size_t *points,
                  struct fr_faults *faults)
{
    size_t product = machines;

    for (size_t i = 0; i < count; i++) {
        product *= axis[i].count; /* at most 1e5 * 1e5 before the refusal */
        if (product > FR_MAX_POINTS)
            return fr_fault(faults, FR_TOO_MANY_POINTS, axis[i].param->name,
                            "the lists make more than %d points; shorten one", FR_MAX_POINTS);
    }
    *points = product;
    return FR_OK;
}
