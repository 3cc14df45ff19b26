#include "engine/document/document.h"

#include "engine/prediction/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what sources say ------------------------------------------------------------------------ */

/* NaN stands for nothing yet. */
static double sum(double a, double b)
{
    return isnan(a) ? b : isnan(b) ? a : a + b;
}

fr_uses fr_loaded_parts(const struct fr_calibration *cal)
{
    fr_uses parts = 0;

    for (size_t i = 0; i < cal->sources.count; i++)
        if (cal->sources.row[i].load)
            parts |= cal->sources.row[i].uses;
    return parts;
}

static void add_source(const struct fr_calibration *cal, const struct fr_source *source,
                       const char *now, struct fr_part *part)
{
    const char *day = source->measured_on ? source->measured_on : cal->created_at;

    if ((enum fr_provenance)source->kind > part->provenance)
        part->provenance = (enum fr_provenance)source->kind;
    part->samples = sum(part->samples, source->samples ? (double)source->samples : NAN);
    part->spread_fraction = fmax(part->spread_fraction, source->spread_fraction);
    if (source->kind == FR_FROM_MEASURED)
        part->age_days = fmax(part->age_days, fr_days_between(day, now));
    if (!part->load)
        part->load = source->load;
}

static struct fr_part empty_part(size_t use)
{
    return (struct fr_part){ .pointer = fr_use_pointers[use],
                             .benchmark = fr_benchmark_of(FR_USE_OF(use)),
                             .samples = NAN,
                             .spread_fraction = NAN,
                             .error_fraction = NAN,
                             .age_days = NAN };
}

/* Whether a checked key ("kernels.dgemm.n") is one of this part ("/kernels/dgemm/square"). */
static bool is_key_of(const char *what, const char *pointer)
{
    static const char square[] = "/square";

    for (pointer++; *pointer && strcmp(pointer, square) != 0; what++, pointer++)
        if (*what != (*pointer == '/' ? '.' : *pointer))
            return false;
    return *what == '.';
}

/* The largest error of interpolation of its keys; NaN if none was checked. */
static double held_out_error(const struct fr_calibration *cal, const char *pointer)
{
    double largest = NAN;

    for (size_t i = 0; cal->held_outs && i < cal->held_outs->count; i++)
        if (is_key_of(cal->held_outs->of[i].what, pointer))
            largest = fmax(largest, expm1(cal->held_outs->of[i].between_error));
    return largest;
}

static struct fr_part present_part(const struct fr_calibration *cal, size_t use, const char *now)
{
    const fr_uses bit = FR_USE_OF(use);
    struct fr_part part = empty_part(use);

    part.is_present = true;
    part.error_fraction = held_out_error(cal, part.pointer);
    for (size_t i = 0; i < cal->sources.count; i++)
        if (cal->sources.row[i].uses & bit)
            add_source(cal, &cal->sources.row[i], now, &part);
    if (cal->unstated & bit)
        part.provenance = FR_FROM_UNSTATED;
    return part;
}

bool fr_part_is_doubtful(const struct fr_part *part)
{
    return part->is_present && (part->load || part->spread_fraction > FR_NOISY_SPREAD);
}

static bool is_in_group(const char *pointer, const char *group)
{
    const size_t length = strlen(group);

    return strncmp(pointer + 1, group, length) == 0 && pointer[1 + length] == '/';
}

static void find_present(const struct fr_calibration *cal, const char *now, struct fr_quality *out)
{
    for (unsigned group = 1; group <= FR_CAL_CNC; group *= 2)
        for (size_t use = 0; use < FR_USE_COUNT; use++)
            if (cal->has & FR_USE_OF(use) &&
                is_in_group(fr_use_pointers[use], fr_group_name(group)))
                out->part[out->parts++] = present_part(cal, use, now);
    out->present = out->parts;
}

/* ---- what models lack ------------------------------------------------------------------------ */

/* The missing part, which is added if no model has lacked it before. */
static struct fr_part *missing_part(struct fr_quality *out, size_t use, const char *kernels)
{
    struct fr_part *part = out->part + out->present;

    for (; part < out->part + out->parts; part++)
        if (part->pointer == fr_use_pointers[use] &&
            strcmp(part->kernels ? part->kernels : "", kernels ? kernels : "") == 0)
            return part;
    if (out->parts == FR_PARTS_MAX)
        return NULL;
    out->parts++;
    *part = empty_part(use);
    part->kernels = kernels;
    return part;
}

static void add_missing(struct fr_quality *out, size_t model, fr_uses parts, bool is_refused)
{
    const char *const kernels = fr_models[model]->reads.kernels;

    for (size_t use = 0; use < FR_USE_COUNT; use++) {
        const fr_uses bit = FR_USE_OF(use);
        struct fr_part *part =
            parts & bit ? missing_part(out, use, bit == FR_USE(ROUTINE_MODELS) ? kernels : NULL)
                        : NULL;

        if (part)
            *(is_refused ? &part->refused : &part->helped) |= UINT64_C(1) << model;
    }
}

static void find_missing_of(const struct fr_calibration *cal, size_t model, struct fr_quality *out)
{
    const struct fr_reads *reads = &fr_models[model]->reads;
    const fr_uses kernels = reads->kernels ? FR_USE(ROUTINE_MODELS) : FR_USE(CALLS);
    fr_uses missing = ~cal->has;

    if (reads->has_kernels)
        missing = reads->has_kernels(cal) ? missing & ~kernels : missing | kernels;
    add_missing(out, model, reads->required & missing, true);
    for (size_t i = 0; i < sizeof reads->either / sizeof *reads->either; i++) {
        const fr_uses lacking = reads->either[i].preferred & missing;

        add_missing(out, model, lacking, reads->either[i].instead & missing);
        add_missing(out, model, lacking ? reads->either[i].beside & missing : 0, false);
    }
    add_missing(out, model, reads->helpful & missing, false);
}

static int refusals_first(const void *left, const void *right)
{
    const struct fr_part *a = left, *b = right;

    if (!a->refused != !b->refused)
        return a->refused ? -1 : 1;
    if (a->benchmark != b->benchmark)
        return !a->benchmark || (b->benchmark && a->benchmark > b->benchmark) ? 1 : -1;
    if (strcmp(a->pointer, b->pointer) != 0)
        return strcmp(a->pointer, b->pointer);
    return strcmp(a->kernels ? a->kernels : "", b->kernels ? b->kernels : "");
}

void fr_quality_find(const struct fr_calibration *cal, const char *now, struct fr_quality *out)
{
    out->parts = 0;
    find_present(cal, now, out);
    for (size_t i = 0; fr_models[i] && i < 64; i++)
        find_missing_of(cal, i, out);
    qsort(out->part + out->present, out->parts - out->present, sizeof *out->part, refusals_first);
}
