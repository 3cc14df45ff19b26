#include "tests/unit/support/blocked.h"

#include "server/calibrations/document.h"

#include <stdio.h>

struct blocked_kernel blocked_kernel_named(const char *routine, const char *flags)
{
    struct blocked_kernel kernel = { .routine = blocked_routine_find(routine) };

    assert_non_null(kernel.routine);
    snprintf(kernel.flags, sizeof kernel.flags, "%s", flags);
    return kernel;
}

/* Converts a model of the golden file, which stores the flags as one string and has no range or
 * locality. */
static json_t *routine_model(json_t *golden)
{
    const char *flags = json_string_value(json_object_get(golden, "flags"));
    const char *name = json_string_value(json_object_get(golden, "routine"));
    const struct blocked_routine *routine = blocked_routine_find(name);
    json_t *letters = json_object(), *range = json_array(), *region;
    size_t index;

    assert_non_null(routine);
    assert_int_equal(strlen(flags), routine->flags);
    for (size_t i = 0; i < routine->flags; i++)
        json_object_set_new(letters, routine->flag_names[i], json_stringn(&flags[i], 1));
    json_array_foreach(json_object_get(golden, "regions"), index, region)
        json_array_append_new(range, json_pack("{s:O,s:O}", "min", json_object_get(region, "min"),
                                               "max", json_object_get(region, "max")));
    return json_pack("{s:s,s:o,s:O,s:o,s:s,s:f,s:O,s:O}", "routine", name, "flags", letters,
                     "parameters", json_object_get(golden, "params"), "range", range, "locality",
                     "in_cache", "threads", 1.0, "basis", json_object_get(golden, "basis"),
                     "regions", json_object_get(golden, "regions"));
}

json_t *blocked_document(json_t *golden)
{
    json_t *models = json_array(), *model;
    size_t index;

    json_array_foreach(json_object_get(golden, "models"), index, model)
        json_array_append_new(models, routine_model(model));
    return json_pack("{s:s,s:s,s:{s:f,s:f},s:{s:o}}", "schema", "forerun-calibration-1", "machine",
                     "blocked", "node", "cores_per_node", 4.0, "peak_flops_per_s", 4e11, "kernels",
                     "routine_models", models);
}

json_t *blocked_any_model(const struct blocked_routine *routine, double threads, bool is_cold)
{
    json_t *flags = json_object(), *names = json_array(), *low = json_array(), *high = json_array();
    json_t *basis = json_array(), *coef = json_object(), *box, *region;
    static const char *const statistics[] = { "min", "med", "avg", "max", "std" };

    for (size_t i = 0; i < routine->flags; i++)
        json_object_set_new(flags, routine->flag_names[i], json_string("*"));
    for (size_t d = 0; d < routine->sizes; d++) {
        json_array_append_new(names, json_string(routine->size_names[d]));
        json_array_append_new(low, json_real(8));
        json_array_append_new(high, json_real(1024));
    }
    /* In local coordinates: the products of all subsets of the sizes, the empty product first. */
    for (unsigned set = 0; set < 1u << routine->sizes; set++) {
        json_t *row = json_array();

        for (size_t d = 0; d < routine->sizes; d++)
            json_array_append_new(row, json_real(set >> d & 1));
        json_array_append_new(basis, row);
    }
    for (size_t s = 0; s < 5; s++) {
        json_t *list = json_array();

        for (unsigned set = 0; set < 1u << routine->sizes; set++)
            json_array_append_new(
                list, json_real((is_cold ? 2 : 1) * (set ? 1e-3 / (double)(s + 1) : 1e-6)));
        json_object_set_new(coef, statistics[s], list);
    }
    box = json_pack("{s:O,s:O}", "min", low, "max", high);
    region = json_pack("{s:o,s:o,s:f,s:o}", "min", low, "max", high, "error", 0.05, "coef", coef);
    return json_pack("{s:s,s:o,s:o,s:[o],s:s,s:f,s:o,s:[o]}", "routine", routine->name, "flags",
                     flags, "parameters", names, "range", box, "locality",
                     is_cold ? "out_of_cache" : "in_cache", "threads", threads, "basis", basis,
                     "regions", region);
}

int blocked_begin(void **state)
{
    struct blocked_ground *ground = test_calloc(1, sizeof *ground);
    struct fr_calibration *cal;
    struct fr_faults faults = { 0 };
    json_t *document;
    char id[17];

    ground->golden = golden_load("blocked.json");
    ground->arena = fr_arena_new(8 << 20);
    cal = fr_arena_zeroed(ground->arena, 1, sizeof *cal);
    document = blocked_document(ground->golden);
    if (fr_calibration_decode(document, ground->arena, cal, id, &faults) != FR_OK)
        fail_msg("%s: %s", faults.fault[0].where, faults.fault[0].message);
    json_decref(document);
    ground->cal = cal;
    *state = ground;
    return 0;
}

int blocked_end(void **state)
{
    struct blocked_ground *ground = *state;

    fr_arena_free(ground->arena);
    json_decref(ground->golden);
    test_free(ground);
    return 0;
}
