/* Lines, words, numbers and times of a text with arbitrary bytes.  The code assumes neither a NUL
 * at the end nor printable characters. */
#include "server/runs/imports/filter.h"

#include "server/core/utf8.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

bool fr_filter_line(struct fr_filter *filter, struct fr_slice *line)
{
    static const char mark[] = "\xef\xbb\xbf"; /* of each of several files */
    struct fr_slice *rest = &filter->rest;
    const char *end;

    if (!rest->length || filter->is_full)
        return false;
    end = memchr(rest->at, '\n', rest->length);
    line->at = rest->at;
    line->length = end ? (size_t)(end - rest->at) : rest->length;
    rest->at += line->length + (end != NULL);
    rest->length -= line->length + (end != NULL);
    fr_slice_skip(line, mark);
    *line = fr_slice_trim(*line);
    filter->line++;
    return true;
}

static int add(struct fr_faults *faults, size_t line, enum fr_code code, const char *message)
{
    char where[32];

    snprintf(where, sizeof where, "line %zu", line);
    return fr_fault(faults, code, where, "%s", message);
}

static bool is_equal(const struct fr_fault *fault, enum fr_code code, const char *message)
{
    return fault->code == code && strncmp(fault->where, "line ", 5) == 0 &&
           strcmp(fault->message, message) == 0;
}

int fr_filter_fault(struct fr_filter *filter, size_t line, enum fr_code code, const char *format,
                    ...)
{
    char message[FR_MESSAGE_BYTES];
    size_t equal = 0, first = 0;
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    for (size_t i = fr_faults_kept(filter->faults); i-- > 0;)
        if (is_equal(&filter->faults->fault[i], code, message)) {
            equal++;
            first = i;
        }
    if (equal < FR_LISTED_LINES)
        return add(filter->faults, line, code, message);
    filter->folded[first]++;
    return code;
}

void fr_filter_fold(struct fr_filter *filter)
{
    struct fr_fault *fault = filter->faults->fault;

    for (size_t i = 0; i < fr_faults_kept(filter->faults); i++) {
        const size_t kept = fr_faults_kept(filter->faults), length = strlen(fault[i].message);
        size_t left = i + 1;

        if (!filter->folded[i])
            continue;
        for (size_t j = left; j < kept; j++)
            if (!is_equal(&fault[j], fault[i].code, fault[i].message)) {
                filter->folded[left] = filter->folded[j];
                fault[left++] = fault[j];
            }
        snprintf(fault[i].message + length, sizeof fault[i].message - length,
                 "; %zu lines have this fault", filter->folded[i] + kept - left + 1);
        filter->faults->count -= kept - left;
    }
}

void fr_filter_warn(struct fr_filter *filter, size_t line, enum fr_code code, const char *format,
                    ...)
{
    char message[FR_MESSAGE_BYTES];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    add(&filter->imported.warnings, line, code, message);
}

const char *fr_filter_given(const struct fr_filter *filter, const char *name)
{
    for (size_t i = 0; i < filter->given->count; i++)
        if (strcmp(filter->given->pair[i].name, name) == 0)
            return filter->given->pair[i].value;
    return NULL;
}

bool fr_slice_equal(struct fr_slice a, struct fr_slice b)
{
    return a.length == b.length && (!a.length || memcmp(a.at, b.at, a.length) == 0);
}

bool fr_slice_is(struct fr_slice slice, const char *text)
{
    return fr_slice_equal(slice, (struct fr_slice){ text, strlen(text) });
}

bool fr_slice_begins(struct fr_slice slice, const char *text)
{
    return slice.length >= strlen(text) && memcmp(slice.at, text, strlen(text)) == 0;
}

bool fr_slice_has(struct fr_slice slice, const char *text)
{
    return memmem(slice.at, slice.length, text, strlen(text)) != NULL;
}

bool fr_slice_skip(struct fr_slice *slice, const char *text)
{
    const size_t length = strlen(text);

    if (!fr_slice_begins(*slice, text))
        return false;
    *slice = fr_slice_trim((struct fr_slice){ slice->at + length, slice->length - length });
    return true;
}

struct fr_slice fr_slice_trim(struct fr_slice slice)
{
    while (slice.length && is_blank(slice.at[0])) {
        slice.at++;
        slice.length--;
    }
    while (slice.length && is_blank(slice.at[slice.length - 1]))
        slice.length--;
    return slice;
}

bool fr_slice_word(struct fr_slice *rest, struct fr_slice *word)
{
    *rest = fr_slice_trim(*rest);
    *word = (struct fr_slice){ rest->at, 0 };
    while (word->length < rest->length && !is_blank(rest->at[word->length]))
        word->length++;
    if (!word->length) /* the address of nothing may be NULL */
        return false;
    rest->at += word->length;
    rest->length -= word->length;
    return true;
}

bool fr_slice_field(struct fr_slice *rest, char separator, struct fr_slice *field)
{
    const char *end;

    if (!rest->at)
        return false;
    end = rest->length ? memchr(rest->at, separator, rest->length) : NULL;
    field->at = rest->at;
    field->length = end ? (size_t)(end - rest->at) : rest->length;
    *field = fr_slice_trim(*field);
    *rest = end ? (struct fr_slice){ end + 1, rest->length - (size_t)(end + 1 - rest->at) }
                : (struct fr_slice){ NULL, 0 };
    return true;
}

enum { NUMBER_BYTES = 64 };

/* The bytes as a C string; false where they are too many for a number, or hold an end. */
static bool copy_number(struct fr_slice slice, char out[NUMBER_BYTES])
{
    if (slice.length >= NUMBER_BYTES || (slice.length && memchr(slice.at, '\0', slice.length)))
        return false;
    if (slice.length)
        memcpy(out, slice.at, slice.length);
    out[slice.length] = '\0';
    return true;
}

bool fr_slice_number(struct fr_slice slice, double *value)
{
    char text[NUMBER_BYTES];
    double number;

    if (!copy_number(slice, text) || !fr_number_parse(text, &number) ||
        !(fabs(number) <= FR_GREATEST))
        return false;
    *value = number;
    return true;
}

bool fr_slice_count(struct fr_slice slice, int64_t *value)
{
    double number;

    if (!fr_slice_number(slice, &number) || number < 0 || number > 0x1p53 ||
        number != floor(number))
        return false;
    *value = (int64_t)number;
    return true;
}

size_t fr_slice_digits(struct fr_slice slice)
{
    size_t digits = 0;

    for (size_t i = 0; i < slice.length && slice.at[i] != 'e' && slice.at[i] != 'E'; i++)
        digits += isdigit((unsigned char)slice.at[i]) && (digits || slice.at[i] != '0');
    return digits;
}

void fr_slice_print(struct fr_slice slice, char *out, size_t size)
{
    const size_t length = slice.length < size ? slice.length : size - 1;

    for (size_t i = 0; i < length; i++)
        out[i] = (unsigned char)slice.at[i] < 0x20 || slice.at[i] == 0x7f ? '?' : slice.at[i];
    out[length] = '\0';
    fr_utf8_sanitize(out);
}

/* Half a unit of the last printed digit: 0.005 for `3.14`, 5 for `1.23e+03`. */
static double half_digit(struct fr_slice slice)
{
    double digit = 0.5;
    bool is_fraction = false;

    for (size_t i = 0; i < slice.length; i++) {
        if (slice.at[i] == '.') {
            is_fraction = true;
        } else if (slice.at[i] == 'e' || slice.at[i] == 'E') {
            double exponent = 0;

            fr_slice_number((struct fr_slice){ slice.at + i + 1, slice.length - i - 1 }, &exponent);
            return digit * pow(10, exponent);
        } else if (is_fraction) {
            digit /= 10;
        }
    }
    return digit;
}

bool fr_time_beside_rate(struct fr_slice time, double operations, struct fr_slice rate, double unit,
                         double *time_s)
{
    double seconds, per_second, error_s, derived_s, derived_error_s;

    if (!fr_slice_number(time, &seconds) || !fr_slice_number(rate, &per_second) || seconds < 0)
        return false;
    error_s = half_digit(time);
    if (!(per_second > 0 && operations > 0)) {
        *time_s = seconds;
        return seconds > error_s;
    }
    derived_s = operations / (per_second * unit);
    derived_error_s = derived_s * half_digit(rate) / per_second;
    /* Twice the rounding error: both may have been rounded before they were printed. */
    if (!(fabs(seconds - derived_s) <= 2 * (error_s + derived_error_s)))
        return false;
    *time_s = derived_error_s < error_s ? derived_s : seconds;
    return *time_s > 0;
}

/* Seconds east of Greenwich.  An unescaped `+` in a query arrives as a blank. */
static bool read_offset(const char *offset, long *seconds)
{
    const bool has_sign = *offset == '+' || *offset == '-' || *offset == ' ';
    const char *at = offset + has_sign;
    int hours, minutes;

    if (strcmp(offset, "Z") == 0) {
        *seconds = 0;
        return true;
    }
    if (!isdigit((unsigned char)at[0]) || !isdigit((unsigned char)at[1]))
        return false;
    hours = (at[0] - '0') * 10 + at[1] - '0';
    at += 2 + (at[2] == ':');
    if (!isdigit((unsigned char)at[0]) || !isdigit((unsigned char)at[1]) || at[2])
        return false;
    minutes = (at[0] - '0') * 10 + at[1] - '0';
    *seconds = (hours * 3600L + minutes * 60L) * (*offset == '-' ? -1 : 1);
    return hours <= 14 && minutes < 60;
}

bool fr_time_utc(const struct tm *local, const char *offset, char out[FR_TIME_BYTES])
{
    struct tm time = *local, utc;
    long east;
    time_t at;

    if (!read_offset(offset, &east) || local->tm_year < 70 || local->tm_year > 8000)
        return false;
    at = timegm(&time);
    /* timegm turns April 31 into May 1. */
    if (time.tm_mon != local->tm_mon || time.tm_mday != local->tm_mday ||
        time.tm_hour != local->tm_hour || time.tm_min != local->tm_min ||
        time.tm_sec != local->tm_sec)
        return false;
    at -= east;
    return gmtime_r(&at, &utc) && strftime(out, FR_TIME_BYTES, "%Y-%m-%dT%H:%M:%SZ", &utc) > 0;
}
