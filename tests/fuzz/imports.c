/* Fuzzes the import filters. The first line names the filter and what the request gives, as in
 * `petsc nodes=1&solver=pcg`; without a name that exists, its first byte chooses. The output must
 * be JSON. */
#include "tests/fuzz/setting.h"

#include "server/core/utf8.h"
#include "server/json/value.h"
#include "server/runs/imports/imports.h"

#include <stdlib.h>
#include <string.h>

static void see_nothing(void *context, const struct fr_json_leaf *leaf)
{
    (void)context;
    (void)leaf;
}

enum { LINE_BYTES = 200, MOST_PAIRS = 8 };

/* What the first line says; its texts are in `line`. */
struct asked {
    char line[LINE_BYTES];
    const struct fr_import *import;
    struct fr_pair pair[MOST_PAIRS];
    struct fr_import_given given;
};

static const struct fr_import *choose(const char *name)
{
    const struct fr_import *import = fr_import_find(name);
    size_t count = 0;

    while (fr_imports[count])
        count++;
    return import ? import : fr_imports[(unsigned char)*name % count];
}

static void take_pair(struct asked *asked, char *text)
{
    char *value = strchr(text, '=');

    if (!value || asked->given.count == MOST_PAIRS)
        return;
    *value++ = '\0';
    if (strcmp(text, "model") == 0)
        asked->given.model = fr_model_find(value) ? value : NULL;
    else
        asked->pair[asked->given.count++] = (struct fr_pair){ text, value };
}

/* Returns the bytes of the first line, with its end. */
static size_t read_line(struct asked *asked, const uint8_t *data, size_t size)
{
    const uint8_t *end = memchr(data, '\n', size < LINE_BYTES ? size : LINE_BYTES);
    const size_t length = end ? (size_t)(end - data) : 0;
    char *rest = asked->line;

    memcpy(asked->line, data, length);
    asked->line[length] = '\0';
    fr_utf8_sanitize(asked->line); /* the target of a request is UTF-8 */
    asked->import = choose(strsep(&rest, " "));
    asked->given = (struct fr_import_given){ .pair = asked->pair };
    while (rest)
        take_pair(asked, strsep(&rest, "&"));
    return end ? length + 1 : 0;
}

/* One member around the array, because fr_json_walk takes objects. */
static void check(const struct fr_writer *out)
{
    char error[FR_JSON_ERROR_BYTES];

    if (out->failed || !fr_is_utf8(out->text, out->length) ||
        !fr_json_walk(out->text, out->length, see_nothing, NULL, error))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fr_arena *arena = fr_arena_new(1 << 20);
    struct fr_imported imported;
    struct fr_faults faults = { 0 };
    struct fr_writer out;
    struct asked asked;
    const size_t skipped = read_line(&asked, data, size);

    fr_writer_init(&out);
    fr_json_object(&out);
    fr_json_key(&out, "runs");
    if (!arena)
        abort();
    if (fr_import_read(asked.import, (const char *)data + skipped, size - skipped, &asked.given,
                       arena, &out, &imported, &faults) == FR_OK) {
        fr_json_key(&out, "read");
        fr_json_raw(&out, imported.read, strlen(imported.read));
        fr_json_object_end(&out);
        check(&out);
    } else if (!faults.count) {
        abort();
    }
    fr_writer_free(&out);
    fr_arena_free(arena);
    return 0;
}
