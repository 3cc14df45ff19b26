#include "engine/document/quality.h"

#include "engine/prediction/held_out.h"
#include "engine/prediction/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const fr_provenances[] = {
    [FR_FROM_MEASURED] = "measured", [FR_FROM_PUBLISHED] = "published", [FR_FROM_STATED] = "stated",
    [FR_FROM_ASSUMED] = "assumed",   [FR_FROM_UNSTATED] = "unstated",   NULL,
};

/* Days of the Gregorian calendar since 0000-03-01, so that a leap day ends a year. */
static double days_of(const char *text)
{
    int year, month, day, length = 0;

    if (sscanf(text, "%4d-%2d-%2d%n", &year, &month, &day, &length) != 3 || length != 10 ||
        month < 1 || month > 12 || day < 1 || day > 31)
        return NAN;
    month -= 3;
    if (month < 0) {
        month += 12;
        year--;
    }
    return 365.0 * year + floor(year / 4.0) - floor(year / 100.0) + floor(year / 400.0) +
           floor((153.0 * month + 2) / 5) + day;
}

double fr_days_between(const char *from, const char *to)
{
    return from && to ? days_of(to) - days_of(from) : NAN;
}

/* ---- what sources say ------------------------------------------------------------------------ */

/* The text behind `word` in a source, or NULL. */
static const char *find(const char *source, const char *word)
{
    const char *at = strstr(source, word);

    return at ? at + strlen(word) : NULL;
}

/* "(210 samples, ..."; NaN if the source states no number. */
static double samples_of(const char *source)
{
    const char *at = source;

    while ((at = strchr(at, '('))) {
        const size_t digits = strspn(++at, "0123456789");

        if (digits && strncmp(at + digits, " sample", strlen(" sample")) == 0)
            return strtod(at, NULL);
    }
    return NAN;
}

static enum fr_provenance provenance_of(const struct fr_source *source)
{
    if (source->state == FR_ASSUMED)
        return FR_FROM_ASSUMED;
    if (strncmp(source->text, "measured:", strlen("measured:")) == 0)
        return FR_FROM_MEASURED;
    return strncmp(source->text, "published:", strlen("published:")) == 0 ? FR_FROM_PUBLISHED
                                                                          : FR_FROM_STATED;
}

/* NaN stands for nothing yet. */
static double sum(double a, double b)
{
    return isnan(a) ? b : isnan(b) ? a : a + b;
}

/* What disturbed the measurement, or NULL. */
static const char *load_of(const char *source)
{
    return find(source, "; loaded: ");
}

uint64_t fr_loaded_parts(const struct fr_calibration *cal)
{
    uint64_t parts = 0;

    for (size_t i = 0; i < cal->sources.count; i++)
        if (load_of(cal->sources.row[i].text))
            parts |= cal->sources.row[i].uses;
    return parts;
}

static void add_source(const struct fr_calibration *cal, const struct fr_source *source,
                       const char *now, struct fr_part *part)
{
    const char *day = find(source->text, "; on ");
    const enum fr_provenance provenance = provenance_of(source);

    if (provenance > part->provenance)
        part->provenance = provenance;
    part->samples = sum(part->samples, samples_of(source->text));
    part->spread_fraction = fmax(part->spread_fraction, fr_source_spread(source->text));
    if (provenance == FR_FROM_MEASURED)
        part->age_days = fmax(part->age_days, fr_days_between(day ? day : cal->created_at, now));
    if (!part->load)
        part->load = load_of(source->text);
}

static struct fr_part empty_part(size_t use)
{
    return (struct fr_part){ .pointer = fr_use_pointers[use],
                             .benchmark = fr_benchmark_of(UINT64_C(1) << use),
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
    const uint64_t bit = UINT64_C(1) << use;
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
            if (cal->has & UINT64_C(1) << use &&
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

static void add_missing(struct fr_quality *out, size_t model, uint64_t parts, bool is_refused)
{
    const char *const kernels = fr_models[model]->reads.kernels;

    for (size_t use = 0; use < FR_USE_COUNT; use++) {
        const uint64_t bit = UINT64_C(1) << use;
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
    uint64_t missing = ~cal->has;

    if (reads->has_kernels && !reads->has_kernels(cal))
        missing |= FR_USE(ROUTINE_MODELS);
    add_missing(out, model, reads->required & missing, true);
    for (size_t i = 0; i < sizeof reads->either / sizeof *reads->either; i++) {
        const uint64_t lacking = reads->either[i].preferred & missing;

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
