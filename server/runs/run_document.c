/* Decodes the document of a saved run: the model first, since it determines the parameters and the
 * outputs. */
#include "server/runs/run_document.h"

#include "engine/runs/saved_run.h"
#include "server/core/clock.h"
#include "server/http/http.h"
#include "server/json/decode.h"
#include "server/store/store.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char schema[] = "forerun-run-1";

enum {
    MOST_PHASES = 64, /* each name is compared with each */
    MOST_PHASE_BYTES = 40,
    MOST_JOB_BYTES = 256,
};

/* The state of decoding a run. */
struct reading {
    json_t *root;
    bool is_upload;
    const char *recorded; /* JSON of its parameters as they were stored; or NULL */
    struct fr_arena *arena;
    struct fr_run_document *document;
    const struct fr_model *model;
    void *values;
    double *outputs;
    struct fr_saved_run *run;
    struct fr_faults *faults; /* of this run alone: place_names changes them */
};

static int no_memory(struct fr_faults *faults)
{
    return fr_fault(faults, FR_NOMEM, "", "the run is too large");
}

static bool is_given(json_t *root, const char *key)
{
    json_t *value = fr_json_member(root, key);

    return value && fr_json_kind(value) != FR_JSON_NULL;
}

/* ---- which model -------------------------------------------------------------------------- */

static void read_model(struct reading *r, const struct fr_model *expected)
{
    const char *name = r->document->model;

    if (name)
        r->model = fr_model_named(name, "/model", r->faults);
    else if (!is_given(r->root, "model"))
        r->model = expected;
    if (r->model && expected && r->model != expected)
        fr_fault(r->faults, FR_RELATION, "/model", "the run is of %s, but the request is about %s",
                 r->model->name, expected->name);
    else if (!name && !r->model && !is_given(r->root, "model"))
        fr_fault(r->faults, FR_MISSING, "/model",
                 "required: the model of the operation that was run");
}

/* ---- parameters --------------------------------------------------------------------------- */

/* Turns names of parameters into pointers: into /parameters, or to a grid beside it. */
static void place_names(json_t *root, struct fr_faults *faults)
{
    json_t *parameters = fr_json_member(root, "parameters");

    for (size_t i = 0; i < fr_faults_kept(faults); i++) {
        char *where = faults->fault[i].where;
        const bool is_beside = strcmp(where, "parameters") == 0 ||
                               (is_given(root, where) && !fr_json_member(parameters, where));
        struct fr_decoder place = { .pointer = "" };

        if (!*where || *where == '/')
            continue;
        if (!is_beside)
            fr_decoder_enter(&place, "parameters");
        fr_decoder_enter(&place, where);
        memcpy(where, place.pointer, FR_WHERE_BYTES);
    }
}

/* A default may have been another one when the run was stored, and its time is of that one. */
static void take_recorded(struct reading *r)
{
    for (const struct fr_param *param = r->model->params; param->name; param++) {
        void *stored;

        if (!(param->flags & FR_RECORDED) || !fr_param_is_open(param, r->values))
            continue;
        stored = fr_arena_zeroed(r->arena, 1, r->model->values_size);
        if (!stored) {
            no_memory(r->faults);
            return;
        }
        fr_run_read_parameters(r->model, r->recorded, stored);
        fr_param_copy(param, stored, r->values);
    }
}

static void read_parameters(struct reading *r)
{
    json_t *parameters = fr_json_member(r->root, "parameters");

    if (fr_json_kind(parameters) == FR_JSON_NULL)
        parameters = NULL;
    fr_params_clear(r->model->params, r->values);
    fr_params_bind(r->model, parameters, NULL, r->values, &r->run->given, r->faults);
    if (r->recorded)
        take_recorded(r);
    fr_run_check(r->model, r->document, r->faults);
    fr_saved_run_finish(r->run, r->values, r->arena, r->faults);
    if (r->is_upload && !parameters)
        fr_fault(r->faults, FR_MISSING, "/parameters",
                 "required: the model's parameters, as in a prediction");
    else if (r->is_upload && fr_json_kind(parameters) == FR_JSON_OBJECT)
        fr_model_check_given(r->model, r->values, 0, r->faults);
    place_names(r->root, r->faults);
}

/* ---- what was measured -------------------------------------------------------------------- */

static void read_output(struct reading *r, const char *pointer, const char *name, json_t *value)
{
    const struct fr_output *output = fr_output_find(r->model->outputs, name);
    const double number = fr_json_get_number(value);

    if (!output)
        fr_quantity_refuse(r->model, name, FR_UNKNOWN_KEY, pointer, r->faults);
    else if (output->kind != FR_OUTPUT_NUMBER)
        fr_fault(r->faults, FR_TYPE, pointer, "%s is not a number: only numbers are compared",
                 output->name);
    else if (strcmp(output->name, "time_s") == 0)
        fr_fault(r->faults, FR_RELATION, pointer, "belongs into the run itself, as time_s");
    else if (fr_json_kind(value) != FR_JSON_NUMBER)
        fr_fault(r->faults, FR_TYPE, pointer, "must be a number");
    else if (number < 0 || number > FR_GREATEST)
        fr_fault(r->faults, FR_RANGE, pointer, "%g must be at least 0 and at most %g", number,
                 FR_GREATEST);
    else if (!isnan(r->outputs[output - r->model->outputs]))
        fr_fault(r->faults, FR_REPEATED, pointer, "%s is given twice", output->name);
    else
        r->outputs[output - r->model->outputs] = number;
}

/* The members of `outputs`, with the names of nested objects joined by dots.  The parser bounds the
 * depth. */
static void read_outputs(struct reading *r, struct fr_decoder *decoder, json_t *object,
                         const char *outer)
{
    const char *key;
    json_t *value;

    FR_JSON_EACH_MEMBER(object, key, value)
    {
        const size_t length = fr_decoder_enter(decoder, key);
        char name[FR_OUTPUT_NAME_BYTES];
        const int needed = snprintf(name, sizeof name, "%s%s%.60s", outer, *outer ? "." : "", key);

        if (fr_json_kind(value) == FR_JSON_OBJECT && needed < (int)sizeof name)
            read_outputs(r, decoder, value, name);
        else if (fr_json_kind(value) != FR_JSON_NULL)
            read_output(r, decoder->pointer, name, value);
        fr_decoder_leave(decoder, length);
    }
}

static void read_measured(struct reading *r)
{
    struct fr_decoder decoder = { .pointer = "/outputs" };
    json_t *outputs = fr_json_member(r->root, "outputs");

    for (size_t i = 0; r->model->outputs[i].name; i++)
        r->outputs[i] = NAN;
    if (is_given(r->root, "outputs") && fr_json_kind(outputs) != FR_JSON_OBJECT)
        fr_fault(r->faults, FR_TYPE, "/outputs", "must be an object");
    else
        read_outputs(r, &decoder, outputs, "");
}

static void check_phases(struct reading *r)
{
    static const char legal[] = "abcdefghijklmnopqrstuvwxyz0123456789_";

    for (size_t i = 0; i < r->document->breakdown.count; i++) {
        const char *phase = r->document->breakdown.row[i].phase;
        char pointer[60];

        if (!phase || (*phase && strlen(phase) <= MOST_PHASE_BYTES && !phase[strspn(phase, legal)]))
            continue;
        snprintf(pointer, sizeof pointer, "/breakdown/%zu/phase", i);
        fr_fault(r->faults, FR_RANGE, pointer,
                 "'%.50s' is not the name of a phase: 1 to %d of a-z 0-9 _", phase,
                 MOST_PHASE_BYTES);
    }
}

/* The time, or else the median of the repetitions. */
static void read_time(struct reading *r)
{
    struct fr_run_document *document = r->document;
    const size_t count = document->repetitions.count;
    double *sorted = count ? fr_arena_zeroed(r->arena, count, sizeof *sorted) : NULL;

    if (count && !sorted) {
        no_memory(r->faults);
        return;
    }
    if (count) {
        memcpy(sorted, document->repetitions.row, count * sizeof *sorted);
        fr_sort(sorted, count);
    }
    if (document->repetitions.row && !count)
        fr_fault(r->faults, FR_RANGE, "/repetitions", "is empty; leave it out or list the times");
    if (!is_given(r->root, "time_s") && count)
        document->time_s = fr_quantile(sorted, count, 0.5);
    else if (!is_given(r->root, "time_s") && r->is_upload && !is_given(r->root, "repetitions"))
        fr_fault(r->faults, FR_MISSING, "/time_s",
                 "required: the measured time, or repetitions, whose median is the time");
    else if (count && (document->time_s < sorted[0] || document->time_s > sorted[count - 1]))
        fr_fault(r->faults, FR_RELATION, "/time_s", "%g is outside the repetitions, %g to %g",
                 document->time_s, sorted[0], sorted[count - 1]);
}

static void read_start(struct reading *r)
{
    char timestamp[FR_TIMESTAMP_BYTES];

    if (!r->document->started_at)
        return;
    if (!fr_timestamp_read(r->document->started_at, timestamp))
        fr_fault(r->faults, FR_SYNTAX, "/started_at",
                 "'%.40s' is not a time of RFC 3339, such as 2026-11-20T12:00:00Z or "
                 "2026-11-20T13:00:00+01:00",
                 r->document->started_at);
    else if (!(r->document->started_at = fr_arena_text(r->arena, timestamp, strlen(timestamp))))
        no_memory(r->faults);
}

/* ---- the whole ---------------------------------------------------------------------------- */

static bool make_room(struct reading *r)
{
    size_t outputs = 0;

    while (r->model->outputs[outputs].name)
        outputs++;
    r->values = fr_arena_zeroed(r->arena, 1, r->model->values_size);
    r->outputs = fr_arena_zeroed(r->arena, outputs, sizeof *r->outputs);
    *r->run =
        (struct fr_saved_run){ .model = r->model, .document = r->document, .outputs = r->outputs };
    if (!r->values || !r->outputs)
        no_memory(r->faults);
    return r->values && r->outputs;
}

static void read_document(struct reading *r, const struct fr_model *expected)
{
    struct fr_run_document *document = r->document;
    struct fr_decoder decoder = { .arena = r->arena,
                                  .faults = r->faults,
                                  .most_numbers = FR_MAX_RUN_NUMBERS };

    fr_fields_clear(fr_run_fields, document);
    fr_decode_object(&decoder, r->root, fr_run_fields, document);
    if (fr_json_kind(r->root) != FR_JSON_OBJECT)
        return;
    if (document->schema && strcmp(document->schema, schema))
        fr_fault(r->faults, FR_CHOICE, "/schema", "'%.40s' is not %s", document->schema, schema);
    if (document->job && strlen(document->job) > MOST_JOB_BYTES)
        fr_fault(r->faults, FR_RANGE, "/job", "is longer than %d bytes; use notes for longer texts",
                 MOST_JOB_BYTES);
    if (document->breakdown.count > MOST_PHASES) {
        fr_fault(r->faults, FR_RANGE, "/breakdown", "%zu phases; at most %d",
                 document->breakdown.count, MOST_PHASES);
        document->breakdown.count = 0;
    }
    check_phases(r);
    read_time(r);
    read_start(r);
    read_model(r, expected);
    if (r->model && make_room(r)) {
        read_measured(r);
        read_parameters(r);
    }
}

/* Appends the faults of one run to those of all. */
static void add_faults(struct fr_faults *to, const struct fr_faults *from)
{
    for (size_t i = 0; i < fr_faults_kept(from) && to->count + i < FR_MAX_FAULTS; i++)
        to->fault[to->count + i] = from->fault[i];
    to->count += from->count;
}

static int decode(json_t *root, const struct fr_model *model_or_null, bool is_upload,
                  const char *recorded, struct fr_arena *arena, struct fr_saved_run *out,
                  struct fr_faults *faults)
{
    struct fr_saved_run run = { .model = NULL };
    struct fr_faults own;
    struct reading r = { .root = root,
                         .is_upload = is_upload,
                         .recorded = recorded,
                         .arena = arena,
                         .run = &run,
                         .document = fr_arena_zeroed(arena, 1, sizeof *r.document),
                         .faults = &own };

    if (!r.document)
        return no_memory(faults);
    own.count = 0;
    read_document(&r, model_or_null);
    add_faults(faults, &own);
    if (own.count)
        return own.fault[0].code;
    *out = run;
    return FR_OK;
}

int fr_run_decode(json_t *root, const struct fr_model *model_or_null, bool is_upload,
                  struct fr_arena *arena, struct fr_saved_run *out, struct fr_faults *faults)
{
    return decode(root, model_or_null, is_upload, NULL, arena, out, faults);
}

bool fr_run_compare(const struct fr_saved_run *run, const struct fr_calibration *cal,
                    struct fr_mismatches *out)
{
    char known_blas[FR_FACT_BYTES], found_blas[FR_FACT_BYTES];
    struct fr_machine_facts known, found;

    fr_calibration_facts(cal, known_blas, &known);
    fr_environment_facts(&run->document->environment, found_blas, &found);
    fr_facts_compare(&known, &found, out);
    return out->count > 0;
}

int fr_run_read(const struct fr_stored_run *stored, struct fr_arena *arena,
                struct fr_saved_run *out, struct fr_faults *faults)
{
    json_t *root = fr_json_parse(stored->document, stored->document_length, faults);
    int code;

    if (!root)
        return FR_SYNTAX;
    code = decode(root, NULL, true, stored->parameters, arena, out, faults);
    fr_json_free(root);
    return code;
}
