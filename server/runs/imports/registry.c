/* The table of import filters, from list.h, and the steps common to all of them. */
#include "server/runs/imports/filter.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define FR_IMPORT(name) extern const struct fr_import fr_import_##name;
#include "server/runs/imports/list.h"
#undef FR_IMPORT

const struct fr_import *const fr_imports[] = {
#define FR_IMPORT(name) &fr_import_##name,
#include "server/runs/imports/list.h"
#undef FR_IMPORT
    NULL,
};

const struct fr_import *fr_import_find(const char *name)
{
    for (size_t i = 0; fr_imports[i]; i++)
        if (strcmp(fr_imports[i]->name, name) == 0)
            return fr_imports[i];
    return NULL;
}

bool fr_import_has_option(const struct fr_import *import, const char *name)
{
    for (const struct fr_import_option *option = import->options; option && option->name; option++)
        if (strcmp(option->name, name) == 0)
            return true;
    return false;
}

const char *fr_import_model(const struct fr_import *import, const char *text, size_t length,
                            const struct fr_import_given *given)
{
    if (given->model)
        return given->model;
    return import->model_of ? import->model_of(text, length, given) : import->model;
}

static void check_given(const struct fr_filter *filter)
{
    const struct fr_import *import = filter->import;
    const struct fr_import_given *given = filter->given;

    if (!filter->model_name && !import->names_models)
        fr_fault(filter->faults, FR_MISSING, "model",
                 "required: the text does not name the model of its runs");
    if (given->model && import->names_models)
        fr_fault(filter->faults, FR_RELATION, "model",
                 "%.60s: texts of %s name the models of their runs; leave it out", given->model,
                 import->name);
    if (import->model && given->model && strcmp(import->model, given->model))
        fr_fault(filter->faults, FR_RELATION, "model", "%.60s: texts of %s are always runs of %s",
                 given->model, import->name, import->model);
    for (size_t i = 1; i < given->count; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(given->pair[i].name, given->pair[j].name) == 0)
                fr_fault(filter->faults, FR_REPEATED, given->pair[i].name, "given twice");
}

/* The length of what srun --label (`0: `) or mpirun --tag-output (`[1,0]<stdout>:`) put before a
 * line; 0: nothing. */
static size_t label_length(struct fr_slice line)
{
    static const char digits[] = "0123456789";
    char text[FR_IMPORT_TEXT_BYTES];
    size_t at;

    fr_slice_print(line, text, sizeof text);
    at = strspn(text, digits);
    if (at && text[at] == ':' && (text[at + 1] == ' ' || !text[at + 1]))
        return at + 1;
    at = strcspn(text, ">");
    return text[0] == '[' && strstr(text, "]<std") && text[at] == '>' && text[at + 1] == ':'
               ? at + 2
               : 0;
}

/* Names what stands before each of the first lines of a text of which nothing was recognized. */
static void name_labels(struct fr_filter *filter, struct fr_slice text)
{
    struct fr_slice line, label = { NULL, 0 };
    char shown[FR_IMPORT_TEXT_BYTES];
    size_t lines = 0;

    for (filter->rest = text, filter->is_full = false;
         lines < 3 && fr_filter_line(filter, &line);) {
        if (!line.length)
            continue;
        line.length = label_length(line);
        if (!line.length || (lines++ && !fr_slice_equal(line, label)))
            return;
        label = line;
    }
    if (lines < 2)
        return;
    fr_slice_print(label, shown, sizeof shown);
    fr_fault(filter->faults, FR_SYNTAX, "",
             "'%s' stands before each line; send the text without (srun without --label, mpirun "
             "without --tag-output)",
             shown);
}

/* A text that is cut off within a number has another number there. */
static void warn_of_cut(struct fr_filter *filter, struct fr_slice text)
{
    if (text.length && isdigit((unsigned char)text.at[text.length - 1]) && filter->line > 1 &&
        filter->last_taken == filter->line)
        fr_filter_warn(filter, filter->line, FR_SYNTAX,
                       "the last line ends in a number, without a line end: if the text is cut off "
                       "there, the number is another one; send the whole text");
}

int fr_import_read(const struct fr_import *import, const char *text, size_t length,
                   const struct fr_import_given *given, struct fr_arena *arena,
                   struct fr_writer *out, struct fr_imported *imported, struct fr_faults *faults)
{
    struct fr_filter filter = {
        .import = import,
        .given = given,
        .model_name = fr_import_model(import, text, length, given),
        .arena = arena,
        .faults = faults,
        .rest = { text, length },
    };
    const struct fr_faults *warnings = &filter.imported.warnings;
    const size_t before = faults->count;

    if (filter.model_name)
        filter.model = fr_model_find(filter.model_name);
    check_given(&filter);
    fr_writer_init(&filter.out);
    fr_writer_init(&filter.read);
    fr_json_array(&filter.out);
    fr_json_array(&filter.read);
    if (length > 1 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0))
        fr_fault(faults, FR_SYNTAX, "", "the text is UTF-16, as PowerShell writes it; send UTF-8");
    else
        import->read(&filter);
    warn_of_cut(&filter, (struct fr_slice){ text, length });
    fr_json_array_end(&filter.out);
    fr_json_array_end(&filter.read);
    if (!filter.read.failed)
        filter.imported.read = fr_arena_text(arena, filter.read.text, filter.read.length);
    if (filter.out.failed || !filter.imported.read)
        fr_fault(faults, FR_NOMEM, "", "out of memory");
    fr_filter_fold(&filter);
    if (faults->count > before && !filter.imported.runs && !filter.imported.left_out)
        name_labels(&filter, (struct fr_slice){ text, length });
    /* Where nothing is left to be stored, the warnings say why. */
    for (size_t i = 0; !filter.imported.runs && i < fr_faults_kept(warnings); i++)
        fr_fault(faults, warnings->fault[i].code, warnings->fault[i].where, "%s",
                 warnings->fault[i].message);
    if (faults->count == before) {
        fr_json_raw(out, filter.out.text, filter.out.length);
        *imported = filter.imported;
    }
    fr_writer_free(&filter.out);
    fr_writer_free(&filter.read);
    return faults->count == before ? FR_OK : FR_SYNTAX;
}
