#include "calibrations/calibrate/sparse/prior_fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrations/calibrate/core/document.h"
#include "engine/core/arena.h"

enum { MEMORY_BYTES = 1 << 26 };

struct record {
    struct fr_arena *arena;
    const struct fr_node *root;
    const char *bytes; /* that follow the line */
    size_t left;       /* bytes up to the end of the text */
};

static bool has(const struct record *record, const char *key, const char *quoted)
{
    const struct fr_node *const value = fr_tree_find(record->root, key);

    return value && value->text && strcmp(value->text, quoted) == 0;
}

/* A finite number; otherwise NaN. */
static double number_at(const struct fr_node *value)
{
    char *end;
    double number;

    if (!value || !value->text)
        return NAN;
    number = strtod(value->text, &end);
    return end > value->text && isfinite(number) ? number : NAN;
}

static double number_of(const struct record *record, const char *key)
{
    return number_at(fr_tree_find(record->root, key));
}

/* Takes the next record: 1, 0 at the end of the text, -1 if the line is not a record. */
static int next_record(const char **text, size_t *length, struct record *record)
{
    const char *end = *length ? memchr(*text, '\n', *length) : NULL;
    double bytes;

    if (!*length)
        return 0;
    record->root = end ? fr_tree_read(record->arena, *text, (size_t)(end - *text)) : NULL;
    if (!record->root || record->root->kind != FR_NODE_OBJECT)
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

/* The reason is a string as it is in the text, or NULL. */
static int fail(char *why, const char *reason)
{
    if (reason && strlen(reason) > 2)
        snprintf(why, FR_ANALYZED_WHY_BYTES, "%.*s", (int)fmin(160, (double)strlen(reason) - 2),
                 reason + 1);
    else
        snprintf(why, FR_ANALYZED_WHY_BYTES, "it prints no result that can be read");
    return -1;
}

/* Finds the first record of a kind, or the reason of a failure. */
static int find_record(const char *text, size_t length, const char *quoted_kind,
                       struct record *record, char *why)
{
    int status;

    while (record->arena && (status = next_record(&text, &length, record)) > 0) {
        const struct fr_node *const reason = fr_tree_find(record->root, "reason");

        if (has(record, "record", "\"failed\"") || has(record, "status", "\"failed\""))
            return fail(why, reason ? reason->text : NULL);
        if (has(record, "record", quoted_kind))
            return 0;
    }
    return fail(why, NULL);
}

int fr_analyzed_structure(const char *text, size_t length, const unsigned char **bytes,
                          size_t *count, char why[FR_ANALYZED_WHY_BYTES])
{
    struct record record = { .arena = fr_arena_new(MEMORY_BYTES) };
    int status = find_record(text, length, "\"ordering\"", &record, why);
    const double size = status ? 0 : number_of(&record, "bytes");

    if (!status && !(size > 0))
        status = fail(why, NULL);
    if (!status) {
        *bytes = (const unsigned char *)record.bytes;
        *count = (size_t)size;
    }
    fr_arena_free(record.arena);
    return status;
}

/* Reads an array of at most FR_TIMES_MAX numbers; returns how many, or -1. */
static int read_numbers(const struct record *record, const char *key, double *out)
{
    const struct fr_node *const list = fr_tree_find(record->root, key);
    int count = 0;

    if (!list || list->kind != FR_NODE_ARRAY)
        return -1;
    for (const struct fr_node *value = list->first; value; value = value->next) {
        if (count == FR_TIMES_MAX || isnan(out[count] = number_at(value)))
            return -1;
        count++;
    }
    return count;
}

static void read_times(const struct record *record, struct fr_factorized *out)
{
    out->times = read_numbers(record, "factorization_s", out->time_s);
    for (int i = 0; i < out->times; i++)
        if (!(out->time_s[i] > 0))
            out->times = -1;
    out->has_parts = read_numbers(record, "gemm_s", out->gemm_s) == out->times &&
                     read_numbers(record, "panel_s", out->panel_s) == out->times;
    out->solves = read_numbers(record, "solve_s", out->solve_s);
    for (int i = 0; i < out->solves; i++)
        if (!(out->solve_s[i] > 0))
            out->times = -1;
    out->supernodes = number_of(record, "supernodes");
    out->nnz = number_of(record, "nnz_lu");
}

int fr_analyzed_times(const char *text, size_t length, struct fr_factorized *out,
                      char why[FR_ANALYZED_WHY_BYTES])
{
    struct record record = { .arena = fr_arena_new(MEMORY_BYTES) };
    int status = find_record(text, length, "\"factorization\"", &record, why);

    if (!status) {
        read_times(&record, out);
        if (out->times < 1 || isnan(out->supernodes) || isnan(out->nnz))
            status = fail(why, NULL);
    }
    fr_arena_free(record.arena);
    return status;
}
