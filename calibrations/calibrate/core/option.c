/* Options of the command line: argp with tables.
 *
 * argp gets one table of all groups.  The key of an option is its letter or KEY_FIRST plus its
 * position in that table, which also indexes `given`.
 */
#include "calibrations/calibrate/core/options.h"

#include <argp.h>
#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { KEY_FIRST = 256 };

/* A walk over the rows of all groups, headings too. */
struct row {
    const struct fr_option_group *group;
    const struct fr_option *option; /* NULL: the end */
    int index;
};

static bool is_row(const struct fr_option *option)
{
    return option && option->help;
}

static struct row at_group(const struct fr_command_line *line, int group, int index)
{
    while (group < FR_OPTION_GROUPS_MAX && !is_row(line->group[group].option))
        group++;
    if (group == FR_OPTION_GROUPS_MAX)
        return (struct row){ NULL, NULL, index };
    return (struct row){ &line->group[group], line->group[group].option, index };
}

static struct row next(const struct fr_command_line *line, struct row row)
{
    row.option++;
    row.index++;
    return is_row(row.option) ? row : at_group(line, (int)(row.group - line->group) + 1, row.index);
}

int fr_option_refuse(char why[FR_OPTION_WHY_BYTES], const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(why, FR_OPTION_WHY_BYTES, format, arguments);
    va_end(arguments);
    return -1;
}

int fr_command_fail(const char *what, const char *why)
{
    fprintf(stderr, "forerun-calibrate: %s: %s\n", what, why);
    return EXIT_FAILURE;
}

static int key_of(struct row row)
{
    return row.option->letter ? row.option->letter : KEY_FIRST + row.index;
}

static int take_name(const struct fr_option *option, const char *text, int *out, char *why)
{
    size_t used;

    for (int i = 0; option->names[i]; i++)
        if (strcmp(option->names[i], text) == 0) {
            *out = i;
            return 0;
        }
    used = (size_t)snprintf(why, FR_OPTION_WHY_BYTES, "%.80s is not one of ", text);
    for (int i = 0; option->names[i]; i++)
        used += (size_t)snprintf(why + used, FR_OPTION_WHY_BYTES - used, "%s%s", i ? ", " : "",
                                 option->names[i]);
    return -1;
}

/* Writes the value of one option into its member. */
static int take(const struct fr_option *option, const char *text, void *values, char *why)
{
    void *const member = (char *)values + option->offset;
    int64_t bytes;

    switch (option->kind) {
    case FR_OPTION_HEADING:
        break;
    case FR_OPTION_FLAG:
        *(bool *)member = true;
        break;
    case FR_OPTION_TEXT:
        *(const char **)member = text;
        break;
    case FR_OPTION_WHOLE:
        if (fr_value_whole(text, option->min, option->max, member))
            return fr_option_refuse(why, "%.80s is not a whole number from %d to %d", text,
                                    option->min, option->max);
        break;
    case FR_OPTION_NUMBER:
        if (fr_value_positive(text, member))
            return fr_option_refuse(why, "%.80s is not a number above 0", text);
        break;
    case FR_OPTION_BYTES:
        if (fr_value_bytes(text, &bytes) || bytes < option->min)
            return fr_option_refuse(why, "%.80s is not a size from %d bytes to 1G", text,
                                    option->min);
        *(int64_t *)member = bytes;
        break;
    case FR_OPTION_WHOLES:
        if (fr_value_list(text, option->max, member))
            return fr_option_refuse(why,
                                    "%.80s is not a list of different whole numbers from 1 to %d",
                                    text, option->max);
        break;
    case FR_OPTION_NAME:
        return take_name(option, text, member, why);
    case FR_OPTION_OTHER:
        return option->parse(text, values, why);
    }
    return 0;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct fr_command_line *line = state->input;
    char why[FR_OPTION_WHY_BYTES];

    if (key == ARGP_KEY_ARG) {
        if (line->files == FR_FILES_MAX)
            argp_error(state, "at most %d files", FR_FILES_MAX);
        else
            line->file[line->files++] = text;
        return 0;
    }
    if (key == ARGP_KEY_END)
        for (int i = FR_OPTION_GROUPS_MAX - 1; i >= 0; i--)
            if (line->group[i].check && line->group[i].check(line, line->group[i].values, why))
                argp_error(state, "%s", why);
    for (struct row row = at_group(line, 0, 0); row.option; row = next(line, row)) {
        if (row.option->kind == FR_OPTION_HEADING || key_of(row) != key)
            continue;
        line->given[row.index] = text ? text : "";
        if (take(row.option, text, row.group->values, why))
            argp_error(state, "--%s: %s", row.option->name, why);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

void fr_option_parse(struct fr_command_line *line, int argc, char **argv)
{
    struct argp_option table[FR_OPTIONS_MAX + 1] = { 0 };
    const struct argp argp = {
        .options = table, .parser = parse, .args_doc = line->usage, .doc = line->doc
    };

    for (struct row row = at_group(line, 0, 0); row.option; row = next(line, row)) {
        assert(row.index < FR_OPTIONS_MAX);
        table[row.index] = (struct argp_option){ .name = row.option->name,
                                                 .arg = row.option->argument,
                                                 .doc = row.option->help };
        if (row.option->kind != FR_OPTION_HEADING)
            table[row.index].key = key_of(row);
    }
    argp_parse(&argp, argc, argv, 0, NULL, line);
}

void fr_option_inapplicable(const struct fr_command_line *line, int flags, char *out, size_t size)
{
    size_t used = 0;

    *out = '\0';
    for (struct row row = at_group(line, 0, 0); row.option; row = next(line, row))
        if (line->given[row.index] && !(row.option->flags & flags) && used < size)
            used += (size_t)snprintf(out + used, size - used, "%s--%s", used ? ", " : "",
                                     row.option->name);
}

/* Writes the value of an option, or nothing where it is not set. */
static void write_value(struct row row, const char *given, char *out, size_t size)
{
    const void *const member = (const char *)row.group->values + row.option->offset;
    const struct fr_list *list;
    size_t used = 0;

    *out = '\0';
    switch (row.option->kind) {
    case FR_OPTION_FLAG:
        snprintf(out, size, "%s", *(const bool *)member ? "yes" : "");
        break;
    case FR_OPTION_TEXT:
        snprintf(out, size, "%s", *(const char *const *)member ? *(const char *const *)member : "");
        break;
    case FR_OPTION_WHOLE:
        if (*(const int *)member >= row.option->min)
            snprintf(out, size, "%d", *(const int *)member);
        break;
    case FR_OPTION_NUMBER:
        if (*(const double *)member > 0 && isfinite(*(const double *)member))
            snprintf(out, size, "%.17g", *(const double *)member);
        break;
    case FR_OPTION_BYTES:
        snprintf(out, size, "%lld", (long long)*(const int64_t *)member);
        break;
    case FR_OPTION_WHOLES:
        list = member;
        for (int i = 0; i < list->count && used < size; i++)
            used += (size_t)snprintf(out + used, size - used, "%s%lld", i ? "," : "",
                                     (long long)list->value[i]);
        break;
    case FR_OPTION_NAME:
        if (*(const int *)member >= 0)
            snprintf(out, size, "%s", row.option->names[*(const int *)member]);
        break;
    case FR_OPTION_OTHER:
        snprintf(out, size, "%s", given ? given : "");
        break;
    case FR_OPTION_HEADING:
        break;
    }
}

void fr_option_record(const struct fr_command_line *line, char *out, size_t size)
{
    char value[800];
    size_t used = 0;

    *out = '\0';
    for (struct row row = at_group(line, 0, 0); row.option && used < size; row = next(line, row)) {
        if (!(row.option->flags & FR_OPTION_RECORDED))
            continue;
        write_value(row, line->given[row.index], value, sizeof value);
        if (*value)
            used += (size_t)snprintf(out + used, size - used, " %s %s", row.option->name, value);
    }
}
