/* Writes a run: parameters of the text and of the request become one document. */
#include "server/runs/imports/filter.h"

#include "server/core/utf8.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct fr_import_param *fr_run_set(struct fr_import_run *run, const char *name, double number)
{
    struct fr_import_param *set = fr_run_set_text(run, name, "");

    set->number = number;
    return set;
}

struct fr_import_param *fr_run_set_text(struct fr_import_run *run, const char *name,
                                        const char *text)
{
    /* No filter sets more; extrap, where a client decides how many there are, counts them. */
    struct fr_import_param *set =
        &run->param[run->param_count < FR_MAX_IMPORT_PARAMS ? run->param_count++
                                                            : FR_MAX_IMPORT_PARAMS - 1];

    *set = (struct fr_import_param){ .number = NAN, .line = run->line };
    snprintf(set->name, sizeof set->name, "%s", name);
    snprintf(set->text, sizeof set->text, "%s", text);
    return set;
}

void fr_run_note(struct fr_import_run *run, const char *format, ...)
{
    const size_t used = strlen(run->notes);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(run->notes + used, sizeof run->notes - used, format, arguments);
    va_end(arguments);
    fr_utf8_sanitize(run->notes);
}

static const struct fr_param *param_of(const struct fr_filter *filter, const char *name)
{
    return filter->model ? fr_param_find(filter->model->params, name) : NULL;
}

/* The name of the choice that the request gives, or its text. */
static const char *canonical(const struct fr_param *param, const char *text)
{
    const int choice =
        param && param->kind == FR_KIND_CHOICE ? fr_param_choice(param, text) : FR_OPEN_CHOICE;

    return choice == FR_OPEN_CHOICE ? text : param->choices[choice];
}

static double given_count(const struct fr_filter *filter, const char *name)
{
    const char *text = fr_filter_given(filter, name);
    double number;

    return text && fr_number_parse(text, &number) && number >= 1 && number < 1e15 ? number : 0;
}

void fr_run_set_nodes(struct fr_filter *filter, struct fr_import_run *run, double processes,
                      double nodes)
{
    const double per_node = given_count(filter, "processes_per_node");
    const bool is_told = nodes != 0;

    if (nodes == 0)
        nodes = given_count(filter, "nodes");
    if (nodes == 0 && per_node != 0)
        nodes = processes / per_node;
    if (nodes == 0 && processes == 1)
        nodes = 1;
    if (nodes == 0) {
        fr_fault(
            filter->faults, FR_MISSING, "nodes",
            "required, or processes_per_node: the text gives %g processes but not the number of "
            "nodes",
            processes);
    } else if (processes != 0 && (nodes != floor(nodes) || fmod(processes, nodes) != 0)) {
        fr_filter_fault(filter, run->line, FR_RELATION,
                        "%g processes do not fill %g nodes (nodes, processes_per_node) evenly",
                        processes, nodes);
    } else {
        struct fr_import_param *set = fr_run_set(run, "nodes", nodes);

        if (!is_told)
            set->line = 0;
        if (processes != 0)
            fr_run_set(run, "processes_per_node", processes / nodes);
    }
}

void fr_run_set_size(struct fr_filter *filter, struct fr_import_run *run, double processes,
                     double nodes)
{
    const struct fr_param *by_nodes = param_of(filter, "nodes");

    if (by_nodes && !param_of(filter, "processes")) {
        if (processes != 0 || nodes != 0)
            fr_run_set_nodes(filter, run, processes, nodes);
        return;
    }
    if (processes != 0)
        fr_run_set(run, "processes", processes);
    /* If nodes are another way to give the processes, they imply that the nodes were full, which
     * the text does not say. */
    if (nodes != 0 && (fr_filter_given(filter, "nodes") || (by_nodes && !by_nodes->one_of)))
        fr_run_set(run, "nodes", nodes);
}

/* `8x8x8`: two extents or more, up to FR_MAX_EXTENTS. */
static bool is_vector(const char *text)
{
    for (size_t extents = 1; extents <= FR_MAX_EXTENTS; extents++, text++) {
        const size_t digits = strspn(text, "0123456789");

        text += digits;
        if (!digits || digits > 15)
            return false;
        if (*text != 'x')
            return !*text && extents > 1;
    }
    return false;
}

static void write_parts(struct fr_writer *w, const char *text, char separator, bool are_numbers)
{
    fr_json_array(w);
    while (*text) {
        const char *end = strchrnul(text, separator);
        char part[FR_IMPORT_TEXT_BYTES];
        double number;

        fr_slice_print((struct fr_slice){ text, (size_t)(end - text) }, part, sizeof part);
        if (are_numbers && fr_number_parse(part, &number) && isfinite(number))
            fr_json_number(w, number);
        else
            fr_json_text(w, part);
        text = end + (*end != '\0');
    }
    fr_json_array_end(w);
}

/* Writes a value by the kind of the parameter, or by its form if the model is unknown.  A value of
 * the wrong kind is written as a text, which the validation then refuses. */
static void write_given(const struct fr_filter *filter, struct fr_writer *w,
                        const struct fr_pair *given)
{
    const struct fr_param *param = param_of(filter, given->name);
    const char *text = canonical(param, given->value);
    const bool is_truth = strcmp(text, "true") == 0 || strcmp(text, "false") == 0;
    double number;

    fr_json_key(w, given->name);
    if (param ? param->kind == FR_KIND_SET : strchr(text, ':') != NULL)
        write_parts(w, strcmp(text, "none") == 0 ? "" : text, ':', false);
    else if (param ? param->kind == FR_KIND_VECTOR : is_vector(text))
        write_parts(w, text, 'x', true);
    else if ((!param || param->kind == FR_KIND_BOOL) && is_truth)
        fr_json_bool(w, *text == 't');
    else if ((!param || param->kind == FR_KIND_INT || param->kind == FR_KIND_REAL) &&
             fr_number_parse(text, &number) && isfinite(number))
        fr_json_number(w, number);
    else
        fr_json_text(w, text);
}

static const struct fr_import_param *param_set(const struct fr_import_run *run, const char *name)
{
    for (size_t i = 0; i < run->param_count; i++)
        if (strcmp(run->param[i].name, name) == 0)
            return &run->param[i];
    return NULL;
}

const char *fr_run_text(const struct fr_filter *filter, const struct fr_import_run *run,
                        const char *name)
{
    const char *given = fr_filter_given(filter, name);
    const struct fr_import_param *set = param_set(run, name);

    return given ? given : set ? set->text : NULL;
}

static void print_param(const struct fr_import_param *set, char out[FR_IMPORT_TEXT_BYTES])
{
    if (*set->text)
        snprintf(out, FR_IMPORT_TEXT_BYTES, "%s", set->text);
    else
        fr_number_text(set->number, out, FR_IMPORT_TEXT_BYTES);
}

static void compare(struct fr_filter *filter, const struct fr_import_run *run,
                    const struct fr_pair *given, const struct fr_import_param *set)
{
    char text[FR_IMPORT_TEXT_BYTES];
    double number;

    if (*set->text ? strcmp(set->text, canonical(param_of(filter, set->name), given->value)) == 0
                   : fr_number_parse(given->value, &number) && number == set->number)
        return;
    print_param(set, text);
    fr_filter_fault(filter, run->line, FR_RELATION, "%s is %s here, but %.60s in the request",
                    set->name, text, given->value);
}

/* Whether the request gives the parameter in another form, such as cores for processes. */
static bool is_given_otherwise(const struct fr_filter *filter, const struct fr_param *param)
{
    for (size_t i = 0; param->one_of && i < filter->given->count; i++) {
        const struct fr_param *other = param_of(filter, filter->given->pair[i].name);

        if (other && other != param && other->one_of && strcmp(other->one_of, param->one_of) == 0)
            return true;
    }
    return false;
}

/* Of the text, or else of the request; without a run of the request alone.  0: neither has it. */
static double count_of(const struct fr_filter *filter, const struct fr_import_run *run,
                       const char *name)
{
    const struct fr_import_param *set = run ? param_set(run, name) : NULL;

    return set ? set->number : given_count(filter, name);
}

static double processes_of_grid(const struct fr_filter *filter, const struct fr_import_run *run)
{
    return count_of(filter, run, "process_rows") * count_of(filter, run, "process_columns") *
           fmax(count_of(filter, run, "process_layers"), 1);
}

/* The processes by what the request gives for them; 0: the calibration decides. */
static double processes_of_request(const struct fr_filter *filter)
{
    const double grid = processes_of_grid(filter, NULL);
    const double threads = given_count(filter, "threads");

    if (grid > 0)
        return grid;
    return fmax(given_count(filter, "processes"),
                threads > 0 ? given_count(filter, "cores") / threads : 0);
}

/* The processes that the text has must be those of another form in the request, which counts. */
static void compare_processes(struct fr_filter *filter, const struct fr_import_run *run)
{
    const bool has_grid = param_set(run, "process_columns");
    const struct fr_param *param = param_of(filter, has_grid ? "process_columns" : "processes");
    const double told = has_grid                      ? processes_of_grid(filter, run)
                        : param_set(run, "processes") ? count_of(filter, run, "processes")
                                                      : 0;
    const double asked = processes_of_request(filter);

    if (!(told > 0) || !param || !is_given_otherwise(filter, param))
        return;
    if (asked > 0 && asked != told)
        fr_filter_fault(filter, run->line, FR_RELATION,
                        "%.15g processes here, but %.15g by the request (the grid, processes, or "
                        "cores and threads)",
                        told, asked);
    else if (!(asked > 0) && filter->imported.runs == 1) /* of the others it is the same */
        fr_filter_warn(filter, run->line, FR_RELATION,
                       "%.15g processes here, but they follow from the nodes, cores or grid of the "
                       "request, and from the machine: check that they agree",
                       told);
}

/* Notes what was taken of the text: the value is written between the two. */
static void begin_read(struct fr_filter *filter, const char *field)
{
    fr_json_object(&filter->read);
    fr_json_pair_integer(&filter->read, "run", (int64_t)filter->imported.runs);
    fr_json_pair(&filter->read, "field", field);
    fr_json_key(&filter->read, "value");
}

static void end_read(struct fr_filter *filter, size_t line)
{
    fr_json_pair_integer(&filter->read, "line", (int64_t)line);
    fr_json_object_end(&filter->read);
    if (line > filter->last_taken)
        filter->last_taken = line;
}

static void write_value(struct fr_writer *w, const char *text, double number)
{
    if (*text)
        fr_json_text(w, text);
    else
        fr_json_number(w, number);
}

static void read_value(struct fr_filter *filter, const char *field, size_t line, const char *text,
                       double number)
{
    if (!line)
        return;
    begin_read(filter, field);
    write_value(&filter->read, text, number);
    end_read(filter, line);
}

static bool is_taken(const struct fr_filter *filter, const struct fr_import_param *set)
{
    const struct fr_param *param = param_of(filter, set->name);

    return set->is_output || !filter->model || (param && !is_given_otherwise(filter, param));
}

static void write_set(struct fr_filter *filter, const struct fr_import_param *set)
{
    fr_json_key(&filter->out, set->name);
    write_value(&filter->out, set->text, set->number);
}

static void write_parameters(struct fr_filter *filter, const struct fr_import_run *run)
{
    const struct fr_import_given *given = filter->given;

    fr_json_pair_object(&filter->out, "parameters");
    for (size_t i = 0; i < given->count; i++) {
        const struct fr_import_param *set = param_set(run, given->pair[i].name);

        if (fr_import_has_option(filter->import, given->pair[i].name))
            continue;
        if (set && !set->is_translated)
            compare(filter, run, &given->pair[i], set);
        if (!set || !set->is_translated)
            write_given(filter, &filter->out, &given->pair[i]);
    }
    compare_processes(filter, run);
    for (size_t i = 0; i < run->param_count; i++)
        if (!run->param[i].is_output && is_taken(filter, &run->param[i]) &&
            (run->param[i].is_translated || !fr_filter_given(filter, run->param[i].name)))
            write_set(filter, &run->param[i]);
    fr_json_object_end(&filter->out);
}

static void write_outputs(struct fr_filter *filter, const struct fr_import_run *run)
{
    bool has_any = false;

    for (size_t i = 0; i < run->param_count; i++) {
        if (!run->param[i].is_output)
            continue;
        if (!has_any) {
            fr_json_pair_object(&filter->out, "outputs");
        }
        has_any = true;
        write_set(filter, &run->param[i]);
    }
    if (has_any)
        fr_json_object_end(&filter->out);
}

/* What the text says of the run, in the terms of the run. */
static void write_read(struct fr_filter *filter, const struct fr_import_run *run)
{
    for (size_t i = 0; i < run->param_count; i++)
        if (is_taken(filter, &run->param[i]))
            read_value(filter, run->param[i].name, run->param[i].line, run->param[i].text,
                       run->param[i].number);
    read_value(filter, "time_s", run->time_line ? run->time_line : run->line, "", run->time_s);
    if (run->repetition_count > 1) {
        begin_read(filter, "repetitions");
        fr_json_numbers(&filter->read, run->repetition, run->repetition_count);
        end_read(filter, run->line);
    }
    if (*run->started_at && !fr_filter_given(filter, "started_at"))
        read_value(filter, "started_at", run->start_line ? run->start_line : run->line,
                   run->started_at, 0);
    if (*run->job && !fr_filter_given(filter, "job"))
        read_value(filter, "job", run->line, run->job, 0);
    if (run->hosts)
        read_value(filter, "hosts", run->line, "", (double)run->hosts);
}

void fr_run_begin(struct fr_filter *filter, const struct fr_import_run *run)
{
    struct fr_writer *w = &filter->out;

    if (filter->imported.runs++ == FR_MAX_IMPORTED) {
        fr_filter_fault(filter, run->line, FR_NOMEM, "more than %d runs; send them in parts",
                        FR_MAX_IMPORTED);
        filter->is_full = true;
    }
    fr_json_object(w);
    fr_json_pair(w, "schema", "forerun-run-1");
    fr_json_pair(w, "model", filter->model_name);
    write_parameters(filter, run);
    fr_json_pair_number(w, "time_s", run->time_s);
    if (*run->started_at)
        fr_json_pair(w, "started_at", run->started_at);
    if (*run->job)
        fr_json_pair(w, "job", run->job);
    if (run->hosts)
        fr_json_pair_integer(w, "hosts", run->hosts);
    if (run->repetition_count > 1) {
        fr_json_key(w, "repetitions");
        fr_json_numbers(w, run->repetition, run->repetition_count);
    }
    write_outputs(filter, run);
    if (*run->notes)
        fr_json_pair(w, "notes", run->notes);
    write_read(filter, run);
}

void fr_run_end(struct fr_filter *filter)
{
    fr_json_object_end(&filter->out);
}
