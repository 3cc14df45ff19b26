/* Splits a tuple into fields, reads name, flags and sizes through the short form, and checks the
 * scalars and operands against the table of executors. */
#include "calibrations/calibrate/blocked/sampler.h"
#include "engine/core/number.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More than the longest tuple: name, flags, sizes, two scalars, two numbers for each operand. */
enum { FIELDS_MAX = 20, FIELD_BYTES = 24 };

struct fields {
    size_t count, used; /* number of fields, and of those read */
    char text[FIELDS_MAX][FIELD_BYTES];
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static const char *skip_blanks(const char *text)
{
    while (is_blank(*text))
        text++;
    return text;
}

static int refuse(char *why, const char *sentence)
{
    snprintf(why, BLOCKED_WHY_BYTES, "%s", sentence);
    return -1;
}

/* Copies one field without the blanks around it. */
static int take_field(struct fields *fields, const char *text, size_t length, char *why)
{
    char *field = fields->text[fields->count];

    while (length && is_blank(text[length - 1]))
        length--;
    if (fields->count == FIELDS_MAX)
        return refuse(why, "more arguments than any routine has");
    if (!length || length >= FIELD_BYTES) {
        snprintf(why, BLOCKED_WHY_BYTES, "argument %zu is %s", fields->count + 1,
                 length ? "too long" : "empty");
        return -1;
    }
    for (size_t i = 0; i < length; i++)
        field[i] = isprint((unsigned char)text[i]) ? text[i] : '?';
    field[length] = '\0';
    fields->count++;
    return 0;
}

/* `(dtrsm, R, L, ...)` or `dtrsm(R, L, ...)`. */
static int split(const char *text, struct fields *fields, char *why)
{
    if (*text != '(') {
        const size_t length = strcspn(text, "(");

        if (take_field(fields, text, length, why))
            return -1;
        text += length;
    }
    do {
        size_t length;

        text = skip_blanks(text + 1);
        length = strcspn(text, ",)");
        if (take_field(fields, text, length, why))
            return -1;
        text += length;
    } while (*text == ',');
    if (*text != ')')
        return refuse(why, "')' is missing at the end");
    return *skip_blanks(text + 1) ? refuse(why, "unexpected text after the ')'") : 0;
}

/* Number of arguments in the tuple of a routine. */
static size_t fields_of(const struct blocked_routine *routine, const struct fr_executor *executor)
{
    return 1 + routine->flags + routine->sizes + (size_t)routine->has_alpha +
           (size_t)executor->has_beta + 2 * executor->operands;
}

/* Reads name, flags and sizes as the short form, whose error messages apply. */
static int read_short(struct fields *fields, struct blocked_call *call, char *why)
{
    const struct blocked_routine *routine = blocked_routine_find(fields->text[0]);
    char line[FIELDS_MAX * FIELD_BYTES] = "";
    size_t used = 0, wanted;

    if (!routine)
        return blocked_call_read(fields->text[0], NULL, NULL, call, why) ? 0 : -1;
    wanted = fields_of(routine, fr_executor_find(routine));
    if (fields->count != wanted) {
        snprintf(why, BLOCKED_WHY_BYTES, "%s takes %zu arguments, its name among them, not %zu",
                 routine->name, wanted, fields->count);
        return -1;
    }
    while (fields->used < 1 + routine->flags + routine->sizes)
        used +=
            (size_t)snprintf(line + used, sizeof line - used, "%s ", fields->text[fields->used++]);
    return blocked_call_read(line, NULL, NULL, call, why) ? 0 : -1;
}

static int read_scalar(struct fields *fields, const char *name, double *out, char *why)
{
    const char *text = fields->text[fields->used++];

    if (fr_number_parse(text, out) && isfinite(*out))
        return 0;
    snprintf(why, BLOCKED_WHY_BYTES, "%s is %s, not a number", name, text);
    return -1;
}

static int read_beta(struct fields *fields, char *why)
{
    double beta;

    if (read_scalar(fields, "beta", &beta, why))
        return -1;
    if (beta == 1)
        return 0;
    snprintf(why, BLOCKED_WHY_BYTES, "beta is %s; calls are sampled with 1.0",
             fields->text[fields->used - 1]);
    return -1;
}

static int read_count(struct fields *fields, const char *what, const char *name, long long *out,
                      char *why)
{
    const char *text = fields->text[fields->used++];
    char *end;

    *out = isdigit((unsigned char)*text) ? strtoll(text, &end, 10) : -1;
    if (*out < 0 || *end) {
        snprintf(why, BLOCKED_WHY_BYTES, "%s of %s: '%s' is not a whole number", what, name, text);
        return -1;
    }
    return 0;
}

/* The size may include the elements between the columns or not; both forms are in use. */
static int read_operand(struct fields *fields, const char *name, const struct fr_operand *operand,
                        int *leading, char *why)
{
    const long long rows = operand->rows, columns = operand->columns;
    const bool is_named = strcmp(fields->text[fields->used], name) == 0;
    long long elements = rows * columns, given;

    fields->used += is_named;
    if ((!is_named && read_count(fields, "size", name, &elements, why)) ||
        read_count(fields, "leading dimension", name, &given, why))
        return -1;
    if (given < rows || given < 1 || given > BLOCKED_MAX_SIZE) {
        snprintf(why, BLOCKED_WHY_BYTES,
                 "leading dimension of %s is %lld; it must be from %lld to %d", name, given,
                 rows ? rows : 1, BLOCKED_MAX_SIZE);
        return -1;
    }
    if (elements < rows * columns || elements > given * columns) {
        snprintf(
            why, BLOCKED_WHY_BYTES,
            "size of %s is %lld; %lld x %lld elements are %lld, with leading dimension %lld up "
            "to %lld",
            name, elements, rows, columns, rows * columns, given, given * columns);
        return -1;
    }
    *leading = (int)given;
    return 0;
}

static int read_tuple(const char *text, struct blocked_call *call, struct fr_layout *layout,
                      char *why)
{
    struct fields fields = { 0 };
    struct fr_execution execution;

    if (split(text, &fields, why) || read_short(&fields, call, why))
        return -1;
    if (call->kernel.routine->has_alpha && read_scalar(&fields, "alpha", &call->alpha, why))
        return -1;
    execution = fr_execution_of(call);
    for (size_t i = 0; i < execution.executor->operands; i++) {
        const bool is_last = i + 1 == execution.executor->operands;

        if (is_last && execution.executor->has_beta && read_beta(&fields, why))
            return -1;
        if (read_operand(&fields, execution.executor->shape[i].name, &execution.operand[i],
                         &layout->leading[i], why))
            return -1;
    }
    return 0;
}

int fr_call_parse(const char *text, struct blocked_call *call, struct fr_layout *layout,
                  char why[BLOCKED_WHY_BYTES])
{
    struct blocked_call read = { .alpha = 1 };
    struct fr_layout laid_out = { 0 };
    size_t length;

    text = skip_blanks(text);
    if (strchr(text, '(')) {
        if (read_tuple(text, &read, &laid_out, why))
            return -1;
    } else {
        length = blocked_call_read(text, NULL, NULL, &read, why);
        if (!length)
            return -1;
        if (*skip_blanks(text + length))
            return refuse(why, "a line must be one call");
    }
    *call = read;
    *layout = laid_out;
    return 0;
}
