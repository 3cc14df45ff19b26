#include "calibrations/calibrate/sparse/analyzed.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrations/calibrate/core/json_scan.h"

struct record {
    struct fr_member member[FR_MEMBERS_MAX];
    int members;
    const char *bytes; /* that follow the line */
    size_t left;       /* bytes up to the end of the text */
};

/* The text of a value, without quotes; empty if there is none. */
static struct fr_member value_of(const struct record *record, const char *key)
{
    const struct fr_member *found = fr_json_scan_find(record->member, record->members, key);
    struct fr_member value = found ? *found : (struct fr_member){ .value = "" };

    if (value.value_length >= 2 && *value.value == '"') {
        value.value++;
        value.value_length -= 2;
    }
    return value;
}

static bool has(const struct record *record, const char *key, const char *text)
{
    const struct fr_member value = value_of(record, key);

    return value.value_length == strlen(text) &&
           strncmp(value.value, text, value.value_length) == 0;
}

/* A finite number; otherwise NaN. */
static double number_at(const char *text, size_t length, size_t *used)
{
    char copy[40], *end;
    double number;

    snprintf(copy, sizeof copy, "%.*s", (int)(length < sizeof copy ? length : sizeof copy - 1),
             text);
    number = strtod(copy, &end);
    *used = (size_t)(end - copy);
    return *used && isfinite(number) ? number : NAN;
}

static double number_of(const struct record *record, const char *key)
{
    const struct fr_member value = value_of(record, key);
    size_t used;

    return number_at(value.value, value.value_length, &used);
}

/* Takes the next record: 1, 0 at the end of the text, -1 if the line is not a record. */
static int next_record(const char **text, size_t *length, struct record *record)
{
    const char *end = *length ? memchr(*text, '\n', *length) : NULL;
    double bytes;

    if (!*length)
        return 0;
    if (!end)
        return -1;
    record->members =
        fr_json_scan_split(*text, (size_t)(end - *text), record->member, FR_MEMBERS_MAX);
    if (record->members < 0)
        return -1;
    record->bytes = end + 1;
    record->left = *length - (size_t)(end + 1 - *text);
    bytes = number_of(record, "bytes");
    if (isnan(bytes))
        bytes = 0;
    if (bytes < 0 || bytes > (double)record->left)
        return -1;
    *text = record->bytes + (size_t)bytes;
    *length = record->left - (size_t)bytes;
    return 1;
}

static int fail(char *why, const char *reason, size_t length)
{
    if (length)
        snprintf(why, FR_ANALYZED_WHY_BYTES, "%.*s", (int)(length > 160 ? 160 : length), reason);
    else
        snprintf(why, FR_ANALYZED_WHY_BYTES, "it prints no result that can be read");
    return -1;
}

/* Finds the first record of a kind, or the reason of a failure. */
static int find_record(const char *text, size_t length, const char *kind, struct record *record,
                       char *why)
{
    int status;

    while ((status = next_record(&text, &length, record)) > 0) {
        const struct fr_member reason = value_of(record, "reason");

        if (has(record, "record", "failed") || has(record, "status", "failed"))
            return fail(why, reason.value, reason.value_length);
        if (has(record, "record", kind))
            return 0;
    }
    return fail(why, "", 0);
}

int fr_analyzed_structure(const char *text, size_t length, const unsigned char **bytes,
                          size_t *count, char why[FR_ANALYZED_WHY_BYTES])
{
    struct record record;
    double size;

    if (find_record(text, length, "ordering", &record, why))
        return -1;
    size = number_of(&record, "bytes");
    if (!(size > 0))
        return fail(why, "", 0);
    *bytes = (const unsigned char *)record.bytes;
    *count = (size_t)size;
    return 0;
}

/* Parses an array of at most FR_TIMES_MAX numbers; returns how many, or -1. */
static int read_numbers(const struct record *record, const char *key, double *out)
{
    const struct fr_member list = value_of(record, key);
    const char *at = list.value, *end = at + list.value_length;
    int count = 0;

    if (list.value_length < 2 || *at++ != '[' || *--end != ']')
        return -1;
    while (at < end && count < FR_TIMES_MAX) {
        size_t used;

        out[count] = number_at(at, (size_t)(end - at), &used);
        if (isnan(out[count++]))
            return -1;
        at += used;
        if (at < end && *at++ != ',')
            return -1;
    }
    return at == end ? count : -1;
}

int fr_analyzed_times(const char *text, size_t length, struct fr_factorized *out,
                      char why[FR_ANALYZED_WHY_BYTES])
{
    struct record record;

    if (find_record(text, length, "factorization", &record, why))
        return -1;
    out->times = read_numbers(&record, "factorization_s", out->time_s);
    for (int i = 0; i < out->times; i++)
        if (!(out->time_s[i] > 0))
            out->times = -1;
    out->has_parts = read_numbers(&record, "gemm_s", out->gemm_s) == out->times &&
                     read_numbers(&record, "panel_s", out->panel_s) == out->times;
    out->solves = read_numbers(&record, "solve_s", out->solve_s);
    for (int i = 0; i < out->solves; i++)
        if (!(out->solve_s[i] > 0))
            out->times = -1;
    out->supernodes = number_of(&record, "supernodes");
    out->nnz = number_of(&record, "nnz_lu");
    if (out->times < 1 || isnan(out->supernodes) || isnan(out->nnz))
        return fail(why, "", 0);
    return 0;
}
