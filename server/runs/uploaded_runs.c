/* Reads the runs of an upload one after the other; the memory of decoding is released after each.
 */
#include "server/calibrations/document.h"
#include "server/runs/run_document.h"
#include "server/store/store.h"

#include "server/json/decode.h"

#include <stdio.h>
#include <string.h>

/* The state of reading an upload. */
struct upload {
    const struct fr_run_upload *of;
    struct fr_arena *arena;
    struct fr_uploaded_runs *out;
    struct fr_faults *faults;
    struct fr_faults own;      /* of the current run */
    struct fr_writer document; /* machine, newline, canonical form: the id is a hash of all three */
    struct fr_writer parameters; /* NUL-ended */
    struct fr_writer warnings;   /* NUL-ended; empty if there are none */
};

static int no_memory(struct upload *u)
{
    return fr_fault(u->faults, FR_NOMEM, "", "the runs together are too large; send them in parts");
}

/* Reports the faults of a run: `place` begins the pointer, `label` the message. */
static void report(struct upload *u, const char *place, const char *label)
{
    for (size_t i = 0; i < fr_faults_kept(&u->own); i++) {
        const struct fr_fault *fault = &u->own.fault[i];
        char where[FR_WHERE_BYTES];

        snprintf(where, sizeof where, "%s%.130s", place, fault->where);
        fr_fault(u->faults, fault->code, where, "%s%.280s", label, fault->message);
    }
    u->faults->count += u->own.count - fr_faults_kept(&u->own);
}

/* Writes the facts in which the calibration differs, if it does. */
static void note_mismatches(struct upload *u, const struct fr_saved_run *run)
{
    struct fr_mismatches mismatches;

    u->warnings.length = 0;
    if (!u->of->cal || !fr_run_compare(run, u->of->cal, &mismatches))
        return;
    fr_mismatches_write(&u->warnings, &mismatches, FR_CALIBRATION_HAS, FR_RUN_HAS);
    fr_writer_append(&u->warnings, "", 1);
}

/* Decodes and checks a run; fills the writers and the members of `stored` that need no memory. */
static int read_run(struct upload *u, json_t *root, struct fr_stored_run *stored,
                    char started_at[32])
{
    struct fr_saved_run run;
    void *resolved;

    if (fr_run_decode(root, NULL, true, u->arena, &run, &u->own) != FR_OK)
        return FR_RELATION;
    resolved = fr_arena_zeroed(u->arena, 1, run.model->values_size);
    if (!resolved)
        return fr_fault(&u->own, FR_NOMEM, "", "the run is too large");
    if (fr_run_resolve(&run, u->of->cal, resolved, &u->own) != FR_OK)
        return FR_RELATION;
    stored->model = run.model->name;
    stored->time_s = run.document->time_s;
    stored->started_at = run.document->started_at ? started_at : NULL;
    if (run.document->started_at)
        snprintf(started_at, 32, "%s", run.document->started_at);
    stored->job = run.document->job;
    note_mismatches(u, &run);
    fr_run_write_parameters(&u->parameters, &run, resolved);
    fr_writer_append(&u->parameters, "", 1);
    fr_writer_printf(&u->document, "%s\n", u->of->machine);
    fr_json_canonical(&u->document, root);
    return FR_OK;
}

static bool copy(struct upload *u, const char **text)
{
    return !*text || (*text = fr_arena_text(u->arena, *text, strlen(*text)));
}

/* Releases the memory of decoding and keeps the run to be stored. */
static void keep(struct upload *u, struct fr_arena_mark mark, struct fr_stored_run stored)
{
    const size_t head = strlen(u->of->machine) + 1;
    const char *warnings = u->warnings.length ? u->warnings.text : NULL;
    char id[17], job[512];

    if (u->document.failed || u->parameters.failed || u->warnings.failed) {
        no_memory(u);
        return;
    }
    fr_bytes_id(u->document.text, u->document.length, id);
    snprintf(job, sizeof job, "%s", stored.job ? stored.job : "");
    stored.job = stored.job ? job : NULL;
    fr_arena_release(u->arena, mark);
    if (!copy(u, &warnings))
        no_memory(u);
    u->out->warnings[u->out->count] = warnings;
    stored.id = id;
    stored.machine = u->of->machine;
    stored.parameters = u->parameters.text;
    stored.document_length = u->document.length - head;
    stored.document = fr_arena_text(u->arena, u->document.text + head, stored.document_length);
    if (stored.document && copy(u, &stored.id) && copy(u, &stored.job) &&
        copy(u, &stored.parameters) && copy(u, &stored.started_at))
        u->out->run[u->out->count++] = stored;
    else
        no_memory(u);
}

static void take_run(struct upload *u, json_t *root, const char *place, const char *label)
{
    const struct fr_arena_mark mark = fr_arena_mark(u->arena);
    struct fr_stored_run stored = { .model = NULL };
    char started_at[32];

    u->own.count = 0;
    u->document.length = u->parameters.length = 0;
    read_run(u, root, &stored, started_at);
    report(u, place, label);
    if (u->faults->count)
        fr_arena_release(u->arena,
                         mark); /* nothing will be stored; the other runs are only checked */
    else
        keep(u, mark, stored);
}

static bool make_room(struct upload *u, size_t count)
{
    if (count > FR_MAX_UPLOADED_RUNS) {
        fr_fault(u->faults, FR_NOMEM, "", "%zu runs; at most %d in one upload", count,
                 FR_MAX_UPLOADED_RUNS);
        return false;
    }
    u->out->run = fr_arena_zeroed(u->arena, count, sizeof *u->out->run);
    u->out->warnings = fr_arena_zeroed(u->arena, count, sizeof *u->out->warnings);
    if (!u->out->run || !u->out->warnings)
        no_memory(u);
    return u->out->run && u->out->warnings;
}

static void take_array(struct upload *u, json_t *array)
{
    char place[32], label[32] = "";
    size_t i;
    json_t *run;

    if (!make_room(u, fr_json_count(array)))
        return;
    FR_JSON_EACH_ITEM(array, i, run)
    {
        if (u->of->is_imported)
            snprintf(label, sizeof label, "run %zu: ", i + 1);
        snprintf(place, sizeof place, "/%zu", i);
        take_run(u, run, u->of->is_imported ? "" : place, label);
    }
}

static void take_document(struct upload *u)
{
    json_t *root = fr_json_parse(u->of->text, u->of->length, u->faults);

    if (fr_json_kind(root) == FR_JSON_ARRAY) {
        take_array(u, root);
    } else if (root && make_room(u, 1)) {
        u->out->is_single = true;
        take_run(u, root, "", "");
    }
    fr_json_free(root);
}

/* The next line without its newline; false after the last. */
static bool next_line(const char **rest, const char *end, const char **line, size_t *length)
{
    const char *newline;

    if (*rest >= end)
        return false;
    newline = memchr(*rest, '\n', (size_t)(end - *rest));
    *line = *rest;
    *rest = newline ? newline + 1 : end;
    *length = (size_t)((newline ? newline : end) - *line);
    return true;
}

static bool is_blank(const char *line, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r')
            return false;
    return true;
}

static size_t count_lines(const char *text, size_t length)
{
    const char *rest = text, *line;
    size_t count = 0, bytes;

    while (next_line(&rest, text + length, &line, &bytes))
        count += !is_blank(line, bytes);
    return count;
}

static void take_line(struct upload *u, const char *line, size_t length, size_t number)
{
    char place[32], label[40];
    json_t *root;

    snprintf(place, sizeof place, "/%zu", number);
    snprintf(label, sizeof label, "line %zu: ", number);
    root = fr_json_parse_line(line, length, number, place, u->faults);
    if (root)
        take_run(u, root, place, label);
    fr_json_free(root);
}

static void take_lines(struct upload *u)
{
    const char *rest = u->of->text, *end = rest + u->of->length, *line;
    const size_t count = count_lines(u->of->text, u->of->length);
    size_t number = 0, length;

    if (!count)
        fr_fault(u->faults, FR_MISSING, "", "required: one run on each line, but there is none");
    else if (!make_room(u, count))
        return;
    while (next_line(&rest, end, &line, &length)) {
        number++;
        if (!is_blank(line, length))
            take_line(u, line, length, number);
    }
}

int fr_runs_read(const struct fr_run_upload *upload, struct fr_arena *arena,
                 struct fr_uploaded_runs *out, struct fr_faults *faults)
{
    struct fr_uploaded_runs read = { .run = NULL };
    struct upload u = { .of = upload, .arena = arena, .out = &read, .faults = faults };
    const size_t before = faults->count;

    fr_writer_init(&u.document);
    fr_writer_init(&u.parameters);
    fr_writer_init(&u.warnings);
    if (upload->is_json_lines)
        take_lines(&u);
    else
        take_document(&u);
    fr_writer_free(&u.document);
    fr_writer_free(&u.parameters);
    fr_writer_free(&u.warnings);
    if (faults->count > before)
        return faults->fault[0].code;
    *out = read;
    return FR_OK;
}
