/* Fuzzes the import filters. The first byte selects the filter and the parameters that the
 * request gives. The output must be JSON. */
#include "tests/fuzz/setting.h"

#include "server/core/utf8.h"
#include "server/json/walk.h"
#include "server/runs/imports/imports.h"

#include <stdlib.h>

static void see_nothing(void *context, const struct fr_json_leaf *leaf)
{
    (void)context;
    (void)leaf;
}

static const struct fr_import *choose(uint8_t byte)
{
    size_t count = 0;

    while (fr_imports[count])
        count++;
    return fr_imports[byte % count];
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
    static const struct fr_pair pair[] = {
        { "nodes", "1" },       { "solver", "pcg" },       { "utc_offset", "+01:00" },
        { "iterations", "15" }, { "local_grid", "8x8x8" }, { "penalties", "hops:max_rate" },
        { "ordering", "amd" },
    };
    const struct fr_import *import = choose(size ? data[0] : 0);
    const struct fr_import_given given = {
        .model = import->model || import->names_models ? NULL : "matmul",
        .pair = pair,
        .count = size ? data[0] / 32 : 0,
    };
    struct fr_arena *arena = fr_arena_new(1 << 20);
    struct fr_imported imported;
    struct fr_faults faults;
    struct fr_writer out;

    faults.count = 0;
    fr_writer_init(&out);
    fr_json_object(&out);
    fr_json_key(&out, "runs");
    if (arena && size &&
        fr_import_read(import, (const char *)data + 1, size - 1, &given, arena, &out, &imported,
                       &faults) == FR_OK) {
        fr_json_object_end(&out);
        check(&out);
    } else if (arena && size && !faults.count) {
        abort();
    }
    fr_writer_free(&out);
    fr_arena_free(arena);
    return 0;
}
