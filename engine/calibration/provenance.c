/* Provenance: what a source in words states, and the source of each value. */

#include "engine/calibration/calibration.h"
#include "engine/core/arena.h"
#include "engine/core/fault.h"
#include "engine/core/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const fr_use_pointers[FR_USE_COUNT] = {
#define X(name, pointer) [FR_USE_INDEX_##name] = pointer,
    FR_USES(X)
#undef X
};

const char *const fr_provenances[] = { FR_PROVENANCES(FR_CHOICE_NAME) NULL };

enum { DAY_BYTES = sizeof "2026-11-28" };

/* Days of the Gregorian calendar since 0000-03-01, so that a leap day ends a year. */
static double days_of(const char *text)
{
    static const char form[] = "0000-00-00";
    int year, month, day, is_leap;

    for (size_t i = 0; form[i]; i++)
        if (form[i] == '-' ? text[i] != '-' : text[i] < '0' || text[i] > '9')
            return NAN;
    sscanf(text, "%4d-%2d-%2d", &year, &month, &day);
    is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    if (month < 1 || month > 12 || day < 1 ||
        day > (month == 2 ? 28 + is_leap : 30 + (month + month / 8) % 2))
        return NAN;
    month -= 3;
    if (month < 0) {
        month += 12;
        year--;
    }
    return 365.0 * year + floor(year / 4.0) - floor(year / 100.0) + floor(year / 400.0) +
           floor((153.0 * month + 2) / 5) + day;
}

bool fr_day_is_valid(const char *text)
{
    return strlen(text) == DAY_BYTES - 1 && !isnan(days_of(text));
}

double fr_days_between(const char *from, const char *to)
{
    return from && to ? days_of(to) - days_of(from) : NAN;
}

/* ---- a source in words ---- */

/* "spread 1.9 %" as a fraction, cut out with the comma before it; NaN if the text states none. */
static double cut_spread(char *text)
{
    static const char word[] = "spread ", comma[] = ", ";
    char number[16];
    double percent;

    for (char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
        char *const digits = at + strlen(word);
        const size_t length = strspn(digits, "0123456789.");

        snprintf(number, sizeof number, "%.*s", (int)length, digits);
        if (length >= sizeof number || !fr_number_parse(number, &percent) ||
            strncmp(digits + length, " %", 2) != 0)
            continue;
        if (at >= text + 2 && strncmp(at - 2, comma, 2) == 0)
            memmove(at - 2, digits + length + 2, strlen(digits + length + 2) + 1);
        return percent / 100;
    }
    return NAN;
}

/* Cuts out "(210 samples, STATISTIC)". */
static int cut_samples(char *text, struct fr_arena *arena, struct fr_source *out)
{
    static const char word[] = " sample";
    char *open = strchr(text, '('), *rest, *close;
    size_t digits = 0;

    for (; open; open = strchr(open + 1, '(')) {
        digits = strspn(open + 1, "0123456789");
        if (digits && strncmp(open + 1 + digits, word, strlen(word)) == 0)
            break;
    }
    if (!open)
        return FR_OK;
    out->samples = strtoll(open + 1, NULL, 10);
    rest = open + 1 + digits + strlen(word);
    rest += *rest == 's';
    close = strchr(rest, ')');
    if (!close || (rest < close && strncmp(rest, ", ", 2) != 0))
        return FR_OK;
    if (rest < close) {
        rest += 2;
        out->statistic = fr_arena_text(arena, rest, (size_t)(close - rest));
        if (!out->statistic)
            return FR_NOMEM;
    }
    if (open > text && open[-1] == ' ')
        open--;
    memmove(open, close + 1, strlen(close + 1) + 1);
    return FR_OK;
}

/* Cuts off what follows `word`, or NULL. */
static const char *cut_load(char *text)
{
    static const char word[] = "; loaded: ";
    char *at = strstr(text, word);

    if (!at)
        return NULL;
    *at = '\0';
    return at + strlen(word);
}

/* Cuts out "; on DAY". */
static int cut_day(char *text, struct fr_arena *arena, struct fr_source *out)
{
    static const char word[] = "; on ";

    for (char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
        char *const behind = at + strlen(word);
        char day[DAY_BYTES];

        snprintf(day, sizeof day, "%.*s", DAY_BYTES - 1, behind);
        if (!fr_day_is_valid(day))
            continue;
        out->measured_on = fr_arena_text(arena, day, strlen(day));
        memmove(at, behind + strlen(day), strlen(behind + strlen(day)) + 1);
        return out->measured_on ? FR_OK : FR_NOMEM;
    }
    return FR_OK;
}

int fr_source_read(const char *text, struct fr_arena *arena, struct fr_source *out)
{
    char *rest = fr_arena_text(arena, text, strlen(text));

    *out = (struct fr_source){ .kind = FR_FROM_STATED, .spread_fraction = NAN };
    out->words = fr_arena_text(arena, text, strlen(text));
    if (!rest || !out->words)
        return FR_NOMEM;
    for (int kind = 0; kind < FR_FROM_UNSTATED; kind++) {
        const size_t length = strlen(fr_provenances[kind]);

        if (kind == FR_FROM_STATED || strncmp(rest, fr_provenances[kind], length) != 0 ||
            rest[length] != ':')
            continue;
        out->kind = kind;
        rest += length + 1;
        rest += strspn(rest, " ");
        break;
    }
    out->load = cut_load(rest);
    out->text = rest;
    if (out->kind == FR_FROM_MEASURED)
        out->spread_fraction = cut_spread(rest);
    return cut_day(rest, arena, out) == FR_OK ? cut_samples(rest, arena, out) : FR_NOMEM;
}

/* ---- the source of a value ---- */

/* Whether `pointer` names the value at `value` or an ancestor of it. */
static bool covers(const char *pointer, const char *value)
{
    const size_t length = strlen(pointer);

    return strncmp(pointer, value, length) == 0 && (value[length] == '/' || !value[length]);
}

bool fr_calibration_has_notes_below(const struct fr_calibration *cal, const char *pointer)
{
    const size_t length = strlen(pointer);

    for (size_t i = 0; i < FR_USE_COUNT; i++)
        if (covers(pointer, fr_use_pointers[i]) && fr_use_pointers[i][length])
            return true;
    for (size_t i = 0; i < cal->sources.count; i++)
        if (covers(pointer, cal->sources.row[i].pointer) && cal->sources.row[i].pointer[length])
            return true;
    return false;
}

static int by_pointer(const void *left, const void *right)
{
    const struct fr_source *const *a = left, *const *b = right;

    return strcmp((*a)->pointer, (*b)->pointer);
}

void fr_sources_prepare(struct fr_calibration *cal, struct fr_arena *arena,
                        struct fr_faults *faults)
{
    const size_t count = cal->sources.count;

    cal->by_pointer = fr_arena_zeroed(arena, count, sizeof(struct fr_source *));
    if (!cal->by_pointer) {
        fr_fault(faults, FR_NOMEM, "/sources", "too large to index");
        return;
    }
    for (size_t i = 0; i < count; i++)
        cal->by_pointer[i] = &cal->sources.row[i];
    if (count)
        qsort(cal->by_pointer, count, sizeof *cal->by_pointer, by_pointer);
}

/* Searches from the value upwards: the longest pointer is the most specific. */
struct fr_source *fr_source_of(const struct fr_calibration *cal, const char *pointer)
{
    char part[FR_WHERE_BYTES];
    const struct fr_source wanted = { .pointer = part }, *key = &wanted;
    char *slash = part;

    snprintf(part, sizeof part, "%s", pointer);
    while (cal->sources.count && slash) {
        struct fr_source *const *found =
            bsearch(&key, cal->by_pointer, cal->sources.count, sizeof key, by_pointer);

        if (found)
            return *found;
        slash = strrchr(part, '/');
        if (slash)
            *slash = '\0';
    }
    return NULL;
}

void fr_calibration_note_value(struct fr_calibration *cal, const char *pointer)
{
    struct fr_source *source;
    fr_uses uses = 0;

    for (size_t i = 0; i < FR_USE_COUNT; i++)
        if (covers(fr_use_pointers[i], pointer))
            uses |= FR_USE_OF(i);
    if (!uses)
        return;
    cal->has |= uses;
    source = fr_source_of(cal, pointer);
    if (!source)
        cal->unstated |= uses;
    else if (source->kind == FR_FROM_ASSUMED)
        cal->assumed |= uses;
    if (source)
        source->uses |= uses;
}

double fr_calibration_spread(const struct fr_calibration *cal, fr_uses used)
{
    const fr_uses exact =
        FR_USE(NODE_CORES) | FR_USE(NODE_MEMORY) | FR_USE(INDEX_BYTES) | FR_USE(LINE_BYTES);
    fr_uses known = exact;
    double widest = NAN;

    for (size_t i = 0; i < cal->sources.count; i++) {
        const struct fr_source *source = &cal->sources.row[i];

        if (isnan(source->spread_fraction) || !(source->uses & used & ~exact))
            continue;
        known |= source->uses;
        widest = fmax(widest, source->spread_fraction);
    }
    return used & ~known ? NAN : widest;
}
