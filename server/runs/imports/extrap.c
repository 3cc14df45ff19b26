/* extrap: measurements of Extra-P, in its JSON Lines, JSON, text and TaLPas formats.
 *
 *     {"params": {"n": 4096, "processes": 16}, "metric": "time", "callpath": "main", "value": 1.5}
 *
 * `params` are parameters of the model; `value` is a time in seconds or a list of times.  All
 * values with the same parameters are repetitions of one run, whose time is their median.  Metrics
 * other than time are ignored.  A run is a whole program: if a text has several callpaths, the
 * request names one.  TaLPas writes `parameters`, and `;` between the members.
 */
#include "server/runs/imports/extrap.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MAX_PARAMETERS = FR_MAX_IMPORT_PARAMS, MAX_VALUES = 200000 };

void extrap_wrong(struct extrap *reading, enum fr_code code, const char *format, ...)
{
    char message[FR_MESSAGE_BYTES];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    reading->is_wrong = true;
    fr_filter_fault(reading->filter, reading->filter->line, code, "%s", message);
}

/* Makes space for one more; false if out of memory. */
static bool make_room(struct extrap *reading)
{
    const size_t capacity = reading->capacity ? 2 * reading->capacity : 256;
    struct extrap_value *grown;

    if (reading->count < reading->capacity)
        return true;
    grown = fr_arena_longer(reading->filter->arena, reading->row, reading->count, capacity,
                            sizeof *grown);
    if (!grown)
        return false;
    reading->row = grown;
    reading->capacity = capacity;
    return true;
}

void extrap_value(struct extrap *reading, const struct fr_json_leaf *leaf)
{
    if (!leaf->is_number || !(leaf->number > 0 && leaf->number <= FR_GREATEST)) {
        extrap_wrong(reading, FR_TYPE,
                     "value must be a time in seconds above 0, or a list of times");
    } else if (reading->count == MAX_VALUES || !make_room(reading)) {
        extrap_wrong(reading, FR_NOMEM, "too many values; send them in parts");
        reading->filter->is_full = true;
    } else {
        reading->row[reading->count] =
            (struct extrap_value){ .order = reading->count, .value = leaf->number };
        reading->count++;
    }
}

void extrap_parameter(struct extrap *reading, const struct fr_json_leaf *leaf)
{
    if (!leaf->member || !(leaf->is_number || (leaf->text && *leaf->text)))
        extrap_wrong(reading, FR_TYPE, "params must be an object of numbers and texts");
    else if (strlen(leaf->member) >= FR_IMPORT_TEXT_BYTES ||
             (leaf->text && strlen(leaf->text) >= FR_IMPORT_TEXT_BYTES))
        extrap_wrong(reading, FR_RANGE,
                     "the name or text of a parameter is too long for any model");
    else if (reading->run.param_count == MAX_PARAMETERS)
        extrap_wrong(reading, FR_NOMEM, "too many params");
    else if (leaf->text)
        fr_run_set_text(&reading->run, leaf->member, leaf->text);
    else
        fr_run_set(&reading->run, leaf->member, leaf->number);
}

static void take_text(struct extrap *reading, const struct fr_json_leaf *leaf,
                      char out[FR_IMPORT_TEXT_BYTES])
{
    if (!leaf->text)
        extrap_wrong(reading, FR_TYPE, "metric and callpath must be texts");
    else
        fr_slice_print((struct fr_slice){ leaf->text, strlen(leaf->text) }, out,
                       FR_IMPORT_TEXT_BYTES);
}

/* Whether the line is a time of the program, given the metric and callpath of the request. */
static bool is_wanted(struct extrap *reading)
{
    const char *metric = fr_filter_given(reading->filter, "metric");
    const char *callpath = fr_filter_given(reading->filter, "callpath");
    const char *own = reading->metric;

    if (metric ? strcmp(own, metric) != 0
               : *own && strcmp(own, "time") != 0 && strcmp(own, "runtime") != 0) {
        memcpy(reading->other_metric, own, sizeof reading->other_metric);
        return false;
    }
    return !callpath || strcmp(reading->callpath, callpath) == 0;
}

/* All lines must have the same metric and callpath. */
static void check_alike(struct extrap *reading)
{
    struct fr_filter *filter = reading->filter;

    if (!reading->has_taken) {
        reading->has_taken = true;
        memcpy(reading->taken_metric, reading->metric, sizeof reading->metric);
        memcpy(reading->taken_callpath, reading->callpath, sizeof reading->callpath);
    }
    if (strcmp(reading->metric, reading->taken_metric)) {
        fr_filter_fault(filter, filter->line, FR_RELATION,
                        "metric '%s' here but '%s' before; choose one with metric", reading->metric,
                        reading->taken_metric);
        filter->is_full = true;
    }
    if (strcmp(reading->callpath, reading->taken_callpath)) {
        fr_filter_fault(
            filter, filter->line, FR_RELATION,
            "callpath '%s' here but '%s' before; choose that of the program with callpath",
            reading->callpath, reading->taken_callpath);
        filter->is_full = true;
    }
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct fr_import_param *)a)->name,
                  ((const struct fr_import_param *)b)->name);
}

/* The parameters as a JSON object; NULL if out of memory. */
static const char *key_of(struct extrap *reading)
{
    struct fr_import_run *run = &reading->run;
    struct fr_writer w;
    const char *key;

    fr_writer_init(&w);
    fr_json_object(&w);
    qsort(run->param, run->param_count, sizeof run->param[0], by_name);
    for (size_t i = 0; i < run->param_count; i++) {
        if (i && strcmp(run->param[i].name, run->param[i - 1].name) == 0)
            extrap_wrong(reading, FR_REPEATED, "the parameter '%s' twice", run->param[i].name);
        if (*run->param[i].text)
            fr_json_pair(&w, run->param[i].name, run->param[i].text);
        else
            fr_json_pair_number(&w, run->param[i].name, run->param[i].number);
    }
    fr_json_object_end(&w);
    key = w.failed ? NULL : fr_arena_text(reading->filter->arena, w.text, w.length);
    fr_writer_free(&w);
    return key;
}

void extrap_begin(struct extrap *reading)
{
    reading->first = reading->count;
    reading->run.param_count = 0;
    reading->is_wrong = false;
}

void extrap_end(struct extrap *reading, size_t parameters_line)
{
    const char *key;

    if (!reading->is_wrong && !reading->run.param_count)
        extrap_wrong(reading, FR_MISSING, "no params: the parameters of the value");
    if (!reading->is_wrong && reading->count == reading->first)
        extrap_wrong(reading, FR_MISSING, "no value");
    if (reading->is_wrong || !is_wanted(reading)) {
        reading->count = reading->first;
        return;
    }
    check_alike(reading);
    key = key_of(reading);
    if (!key)
        extrap_wrong(reading, FR_NOMEM, "too many values; send them in parts");
    for (size_t i = reading->first; i < reading->count; i++) {
        reading->row[i].key = key ? key : "";
        reading->row[i].line = reading->filter->line;
        reading->row[i].parameters_line = parameters_line;
    }
}

/* ---- JSON Lines, TaLPas ---- */

static void see(void *context, const struct fr_json_leaf *leaf)
{
    struct extrap *reading = context;

    if (reading->is_wrong)
        return;
    if (strcmp(leaf->key, "params") == 0 || strcmp(leaf->key, "parameters") == 0)
        extrap_parameter(reading, leaf);
    else if (strcmp(leaf->key, "value") == 0)
        extrap_value(reading, leaf);
    else if (strcmp(leaf->key, "metric") == 0)
        take_text(reading, leaf, reading->metric);
    else if (strcmp(leaf->key, "callpath") == 0)
        take_text(reading, leaf, reading->callpath);
    else if (!reading->has_others) {
        reading->has_others = true;
        fr_filter_warn(reading->filter, reading->filter->line, FR_UNKNOWN_KEY,
                       "'%.40s' is not read: only params, metric, callpath and value, in seconds",
                       leaf->key);
    }
}

/* Writes commas for the `;` of TaLPas that are not within a text. */
static void write_commas(struct fr_writer *w, struct fr_slice line)
{
    bool is_text = false;

    fr_writer_append(w, line.at, line.length);
    for (size_t i = 0; i < w->length && !w->failed; i++) {
        if (w->text[i] == '\\' && is_text)
            i++;
        else if (w->text[i] == '"')
            is_text = !is_text;
        else if (w->text[i] == ';' && !is_text)
            w->text[i] = ',';
    }
}

static void take_line(struct extrap *reading, struct fr_slice line)
{
    char error[FR_JSON_ERROR_BYTES];
    struct fr_writer commas;

    fr_writer_init(&commas);
    extrap_begin(reading);
    *reading->metric = *reading->callpath = '\0';
    write_commas(&commas, line);
    if (commas.failed)
        extrap_wrong(reading, FR_NOMEM, "out of memory");
    else if (!fr_json_walk(commas.text, commas.length, see, reading, error))
        extrap_wrong(reading, FR_SYNTAX, "%s", error);
    fr_writer_free(&commas);
    extrap_end(reading, reading->filter->line);
}

/* ---- runs ---- */

static int by_key(const void *a, const void *b)
{
    const struct extrap_value *x = a, *y = b;
    const int order = strcmp(x->key, y->key);

    return order ? order : (x->order > y->order) - (x->order < y->order);
}

/* The repetitions of one run, in the order of the text. */
struct group {
    const struct extrap_value *row;
    size_t count;
};

static int by_first(const void *a, const void *b)
{
    const struct group *x = a, *y = b;

    return (x->row->order > y->row->order) - (x->row->order < y->row->order);
}

/* What users of Extra-P call the number of processes. */
static bool is_processes(const char *name)
{
    static const char *const names[] = { "p", "np", "nprocs", "procs", "ranks", "num_procs" };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(name, names[i]) == 0)
            return true;
    return false;
}

static void check_names(struct fr_filter *filter, const struct fr_import_run *run)
{
    for (size_t i = 0; filter->model && i < run->param_count; i++) {
        const char *name = run->param[i].name, *near = NULL;

        if (is_processes(name) && fr_param_find(filter->model->params, "processes"))
            near = "processes";
        else if (name[0] && name[1]) /* every other letter is near to `x` */
            near = fr_param_near(filter->model->params, name);
        if (!fr_param_find(filter->model->params, name))
            fr_filter_fault(filter, run->line, FR_UNKNOWN_PARAMETER,
                            "'%s' is not a parameter of %s; %s%s", name, filter->model_name,
                            near ? "did you mean " : "write the model's name for it",
                            near ? near : "");
    }
}

static void see_key(void *context, const struct fr_json_leaf *leaf)
{
    const struct fr_json_leaf parameter = { .member = leaf->key,
                                            .is_number = leaf->is_number,
                                            .number = leaf->number,
                                            .text = leaf->text };

    extrap_parameter(context, &parameter);
}

static void write_group(struct extrap *reading, const struct group *group)
{
    struct fr_filter *filter = reading->filter;
    const struct extrap_value *first = group->row;
    double *times = fr_arena_zeroed(filter->arena, 2 * group->count, sizeof *times);
    double *sorted = times + group->count;
    char error[FR_JSON_ERROR_BYTES];

    if (!times) {
        fr_filter_fault(filter, first->line, FR_NOMEM, "too many values; send them in parts");
        return;
    }
    for (size_t i = 0; i < group->count; i++)
        times[i] = sorted[i] = group->row[i].value;
    fr_sort(sorted, group->count);
    reading->run = (struct fr_import_run){ .line = first->parameters_line };
    fr_json_walk(first->key, strlen(first->key), see_key, reading, error);
    reading->run.line = first->line;
    reading->run.time_s = fr_quantile(sorted, group->count, 0.5);
    reading->run.repetition = times;
    reading->run.repetition_count = group->count;
    if (*reading->taken_callpath)
        fr_run_note(&reading->run, "callpath %s", reading->taken_callpath);
    check_names(filter, &reading->run);
    fr_run_begin(filter, &reading->run);
    fr_run_end(filter);
}

static void write_groups(struct extrap *reading)
{
    struct group *group =
        fr_arena_zeroed(reading->filter->arena, reading->count + 1, sizeof *group);
    size_t groups = 0;

    if (!group) {
        fr_fault(reading->filter->faults, FR_NOMEM, "", "too many values; send them in parts");
        return;
    }
    qsort(reading->row, reading->count, sizeof reading->row[0], by_key);
    for (size_t i = 0; i < reading->count; i++) {
        if (!i || strcmp(reading->row[i].key, reading->row[i - 1].key))
            group[groups++].row = &reading->row[i];
        group[groups - 1].count++;
    }
    qsort(group, groups, sizeof *group, by_first);
    for (size_t i = 0; i < groups && !reading->filter->is_full; i++)
        write_group(reading, &group[i]);
}

/* Reads the text from its first line that is no comment. */
static void read_from(struct extrap *reading, struct fr_slice line)
{
    const struct fr_slice *rest = &reading->filter->rest;
    const struct fr_slice text = { line.at, (size_t)(rest->at - line.at) + rest->length };

    if (extrap_is_text(line))
        extrap_read_text(reading, line);
    else if (!extrap_read_json(reading, text, line))
        do
            if (line.length)
                take_line(reading, line);
        while (fr_filter_line(reading->filter, &line));
}

static void read_measurements(struct fr_filter *filter)
{
    struct extrap reading = { .filter = filter };
    const size_t before = filter->faults->count;
    struct fr_slice line;
    bool has_line;

    while ((has_line = fr_filter_line(filter, &line)) && (!line.length || *line.at == '#'))
        continue;
    if (has_line)
        read_from(&reading, line);
    if (filter->faults->count > before)
        return;
    if (reading.count)
        write_groups(&reading);
    else if (*reading.other_metric)
        fr_fault(filter->faults, FR_NOT_FOUND, "metric",
                 "no measurement of time, but for example of '%s'; choose the metric in seconds",
                 reading.other_metric);
    else
        fr_fault(filter->faults, FR_NOT_FOUND,
                 fr_filter_given(filter, "callpath") ? "callpath" : "",
                 "no measurement in %zu lines", filter->line);
}

static const struct fr_import_option options[] = {
    { "metric", "The metric with the time in seconds; default: time or runtime." },
    { "callpath", "The callpath of the whole program, if there are several." },
    { .name = NULL },
};

const struct fr_import fr_import_extrap = {
    .name = "extrap",
    .summary = "Measurements of Extra-P: JSON Lines, JSON, text or TaLPas.",
    .options = options,
    .read = read_measurements,
};
