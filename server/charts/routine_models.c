/* Selects the routine models that a chart shows.
 *
 * The options narrow the models down in turn (routine, flags, locality, threads). The first option
 * that leaves no model is the fault; its message lists the values that are available.
 */
#include "server/charts/routine_models.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const fr_chart_localities[] = { "in_cache", "out_of_cache", NULL };
const char *const fr_chart_size_names[] = { "m", "n", "k", NULL };

enum { NAME_BYTES = 40, LIST_BYTES = 200 };

/* A property by which a request selects models. */
struct trait {
    bool (*is_wanted)(const struct fr_chart_options *options, const struct blocked_fitted *fitted);
    void (*name)(const struct blocked_fitted *fitted, char out[NAME_BYTES]);
};

static bool is_routine(const struct fr_chart_options *options, const struct blocked_fitted *fitted)
{
    return !*options->routine.text ||
           strcmp(options->routine.text, fitted->kernel.routine->name) == 0;
}

static void name_routine(const struct blocked_fitted *fitted, char out[NAME_BYTES])
{
    snprintf(out, NAME_BYTES, "%s", fitted->kernel.routine->name);
}

/* A `*` in the flags of a model matches any letter. */
static bool has_flags(const struct fr_chart_options *options, const struct blocked_fitted *fitted)
{
    const char *wanted = options->flags.text, *own = fitted->kernel.flags;

    if (!*wanted)
        return true;
    for (; *own && *wanted; own++, wanted++)
        if (*own != *wanted && *own != '*')
            return false;
    return !*own && !*wanted;
}

static void name_flags(const struct blocked_fitted *fitted, char out[NAME_BYTES])
{
    snprintf(out, NAME_BYTES, "%s", *fitted->kernel.flags ? fitted->kernel.flags : "none");
}

static bool has_locality(const struct fr_chart_options *options,
                         const struct blocked_fitted *fitted)
{
    return options->locality == FR_OPEN_CHOICE || options->locality == fitted->locality;
}

static void name_locality(const struct blocked_fitted *fitted, char out[NAME_BYTES])
{
    snprintf(out, NAME_BYTES, "%s", fr_chart_localities[fitted->locality]);
}

static bool has_threads(const struct fr_chart_options *options, const struct blocked_fitted *fitted)
{
    return options->threads == FR_OPEN_INT || options->threads == fitted->threads;
}

static void name_threads(const struct blocked_fitted *fitted, char out[NAME_BYTES])
{
    snprintf(out, NAME_BYTES, "%" PRId64, fitted->threads);
}

/* The options, and the property of each. */
static const struct fr_param selects[] = { FR_CHART_MODELS, FR_PARAMS_END };
static const struct trait traits[] = {
    { is_routine, name_routine },
    { has_flags, name_flags },
    { has_locality, name_locality },
    { has_threads, name_threads },
};
enum { TRAITS = sizeof traits / sizeof *traits };

static bool is_named_before(const struct trait *trait, const struct fr_routine_view *view, size_t i)
{
    char own[NAME_BYTES], other[NAME_BYTES];

    trait->name(view[i].fitted, own);
    for (size_t j = 0; j < i; j++) {
        trait->name(view[j].fitted, other);
        if (strcmp(own, other) == 0)
            return true;
    }
    return false;
}

/* Lists the distinct values of a property. */
static void list_names(const struct trait *trait, const struct fr_routine_view *view, size_t count,
                       char out[LIST_BYTES])
{
    char name[NAME_BYTES];
    size_t used = 0;

    out[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        if (is_named_before(trait, view, i))
            continue;
        trait->name(view[i].fitted, name);
        if (used + strlen(name) + sizeof ", …" > LIST_BYTES) {
            snprintf(out + used, LIST_BYTES - used, ", …");
            return;
        }
        used += (size_t)snprintf(out + used, LIST_BYTES - used, "%s%s", used ? ", " : "", name);
    }
}

static void refuse(const struct fr_chart_source *source, const struct trait *trait,
                   const struct fr_routine_view *view, size_t count)
{
    const struct fr_param *option = &selects[trait - traits];
    char list[LIST_BYTES], given[FR_WORDS_BYTES];

    fr_param_print(option, source->options, given, sizeof given);
    list_names(trait, view, count, list);
    fr_fault(source->faults, FR_NOT_FOUND, option->name, "no model of '%.30s'%s%s; there %s %s",
             given, trait > traits ? " of " : "",
             trait > traits ? view[0].fitted->kernel.routine->name : "",
             strchr(list, ',') ? "are" : "is", list);
}

struct fr_routine_view *fr_chart_models(const struct fr_chart_source *source,
                                        const struct fr_calibration *cal, size_t *count)
{
    const size_t all = cal->fitted ? cal->kernels.routine_models.count : 0;
    struct fr_routine_view *view = fr_arena_zeroed(source->arena, all + 1, sizeof *view);

    *count = 0;
    source->plot->script.failed = source->plot->script.failed || !view;
    if (!view || !all)
        return NULL;
    for (size_t i = 0; i < all; i++)
        view[i] = (struct fr_routine_view){ &cal->fitted[i], &cal->kernels.routine_models.row[i] };
    *count = all;
    for (size_t t = 0; t < TRAITS; t++) {
        const size_t before = *count;
        struct fr_routine_view *kept = fr_arena_zeroed(source->arena, all, sizeof *kept);

        *count = 0;
        for (size_t i = 0; kept && i < before; i++)
            if (traits[t].is_wanted(source->options, view[i].fitted))
                kept[(*count)++] = view[i];
        if (!*count) {
            refuse(source, &traits[t], view, before);
            return NULL;
        }
        view = kept;
    }
    return view;
}

/* ---- sizes -------------------------------------------------------------------------------- */

static size_t place_of(const struct blocked_routine *routine, const char *name)
{
    for (size_t d = 0; d < routine->sizes; d++)
        if (strcmp(routine->size_names[d], name) == 0)
            return d;
    return BLOCKED_MAX_SIZES;
}

static void refuse_size(const struct fr_chart_source *source, const struct blocked_routine *routine,
                        const char *option, const char *name)
{
    char list[LIST_BYTES];
    size_t used = 0;

    for (size_t d = 0; d < routine->sizes; d++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", d ? ", " : "",
                                 routine->size_names[d]);
    fr_fault(source->faults, FR_RELATION, option, "%s has no size %s; it has %s", routine->name,
             name, list);
}

bool fr_chart_sizes(const struct fr_chart_source *source, const struct blocked_routine *routine,
                    struct fr_chart_sizes *out)
{
    const struct fr_chart_options *options = source->options;
    const int64_t given[] = { options->m, options->n, options->k };
    const size_t before = source->faults->count;

    *out = (struct fr_chart_sizes){ .open = routine->sizes, .x = BLOCKED_MAX_SIZES };
    for (size_t d = 0; d < BLOCKED_MAX_SIZES; d++)
        out->fixed[d] = FR_OPEN_INT;
    for (size_t i = 0; fr_chart_size_names[i]; i++) {
        const char *name = fr_chart_size_names[i];
        const size_t place = place_of(routine, name);

        if (given[i] != FR_OPEN_INT && place == BLOCKED_MAX_SIZES)
            refuse_size(source, routine, name, name);
        else if (given[i] != FR_OPEN_INT) {
            out->fixed[place] = given[i];
            out->open--;
        }
    }
    if (options->x == FR_OPEN_CHOICE)
        return source->faults->count == before;
    out->x = place_of(routine, fr_chart_size_names[options->x]);
    if (out->x == BLOCKED_MAX_SIZES)
        refuse_size(source, routine, "x", fr_chart_size_names[options->x]);
    else if (out->fixed[out->x] != FR_OPEN_INT)
        fr_fault(source->faults, FR_RELATION, "x", "%s is fixed at %" PRId64 "; leave one out",
                 fr_chart_size_names[options->x], out->fixed[out->x]);
    return source->faults->count == before;
}

const char *fr_chart_size_fixed(const struct fr_chart_sizes *sizes,
                                const struct blocked_routine *routine)
{
    for (size_t d = 0; d < routine->sizes; d++)
        if (sizes->fixed[d] != FR_OPEN_INT)
            return routine->size_names[d];
    return "x";
}

double fr_chart_middle(const struct blocked_fitted *fitted, size_t d)
{
    const double rounded = 8 * round(sqrt(fitted->low[d] * fitted->high[d]) / 8);

    return fmin(fmax(rounded, fitted->low[d]), fitted->high[d]);
}

/* ---- names -------------------------------------------------------------------------------- */

const char *fr_kernel_label(const struct blocked_kernel *kernel, struct fr_arena *arena)
{
    return fr_chart_text(arena, "%s%s%s", kernel->routine->name, *kernel->flags ? " " : "",
                         kernel->flags);
}

const char *fr_setting_label(const struct blocked_fitted *fitted, struct fr_arena *arena)
{
    return fr_chart_text(arena, "%s, %" PRId64 " %s",
                         fitted->locality == BLOCKED_IN_CACHE ? "in cache" : "out of cache",
                         fitted->threads, fitted->threads == 1 ? "thread" : "threads");
}

const char *fr_library_label(const struct fr_routine_model *row, struct fr_arena *arena)
{
    const char *name = row->library.name, *version = row->library.version;
    const char *core = row->library.core;

    if (!name)
        return "";
    return fr_chart_text(arena, "%.24s%s%.16s%s%.16s%s", name, version ? " " : "",
                         version ? version : "", core ? " (" : "", core ? core : "",
                         core ? ")" : "");
}

const char *fr_place_label(const struct fr_calibration *cal, const struct fr_routine_model *row,
                           struct fr_arena *arena)
{
    const char *library = fr_library_label(row, arena);

    return fr_chart_text(arena, "%s%s on %.40s", *library ? " with " : "", library, cal->machine);
}
