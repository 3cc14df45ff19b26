#include "server/core/clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Reads `digits` digits and the character after them (`\0`: any); false if they do not match. */
static bool take(const char **text, int digits, char behind, int *out)
{
    *out = 0;
    for (int i = 0; i < digits; i++, (*text)++) {
        if (**text < '0' || **text > '9')
            return false;
        *out = *out * 10 + (**text - '0');
    }
    if (behind && *(*text)++ != behind)
        return false;
    return true;
}

static bool take_day(const char **text, struct tm *out)
{
    struct tm day;
    int year, month, number;

    if (!take(text, 4, '-', &year) || !take(text, 2, '-', &month) || !take(text, 2, '\0', &number))
        return false;
    *out = day = (struct tm){ .tm_year = year - 1900, .tm_mon = month - 1, .tm_mday = number };
    timegm(&day); /* turns April 31 into May 1 */
    return month >= 1 && number >= 1 && day.tm_mon == out->tm_mon && day.tm_mday == out->tm_mday;
}

/* The digits after the point, as milliseconds. */
static bool take_fraction(const char **text, int *milliseconds)
{
    int place = 100;

    *milliseconds = 0;
    if (**text != '.')
        return true;
    (*text)++;
    if (**text < '0' || **text > '9')
        return false;
    for (; **text >= '0' && **text <= '9'; (*text)++, place /= 10)
        *milliseconds += place * (**text - '0');
    return true;
}

static bool take_offset(const char **text, long *east_s)
{
    int hours, minutes, sign;

    *east_s = 0;
    if (**text == 'Z' || **text == 'z') {
        (*text)++;
        return true;
    }
    if (**text != '+' && **text != '-')
        return false;
    sign = *(*text)++ == '-' ? -1 : 1;
    if (!take(text, 2, ':', &hours) || !take(text, 2, '\0', &minutes) || hours > 23 || minutes > 59)
        return false;
    *east_s = sign * (hours * 3600L + minutes * 60L);
    return true;
}

bool fr_timestamp_read(const char *text, char out[FR_TIMESTAMP_BYTES])
{
    struct tm local, utc;
    int milliseconds;
    long east_s;
    time_t at;

    if (!take_day(&text, &local) || (*text != 'T' && *text != 't'))
        return false;
    text++;
    if (!take(&text, 2, ':', &local.tm_hour) || !take(&text, 2, ':', &local.tm_min) ||
        !take(&text, 2, '\0', &local.tm_sec) || !take_fraction(&text, &milliseconds) ||
        !take_offset(&text, &east_s) || *text)
        return false;
    /* Second 60 is a leap second. */
    if (local.tm_hour > 23 || local.tm_min > 59 || local.tm_sec > 60)
        return false;
    at = timegm(&local) - east_s;
    if (!gmtime_r(&at, &utc) || utc.tm_year < -1900 || utc.tm_year > 9999 - 1900)
        return false;
    snprintf(out, FR_TIMESTAMP_BYTES, "%04u-%02u-%02uT%02u:%02u:%02u.%03uZ",
             (unsigned)(utc.tm_year + 1900) % 10000, (unsigned)(utc.tm_mon + 1) % 100,
             (unsigned)utc.tm_mday % 100, (unsigned)utc.tm_hour % 100, (unsigned)utc.tm_min % 100,
             (unsigned)utc.tm_sec % 100, (unsigned)milliseconds % 1000);
    return true;
}

double fr_timestamp_seconds(const char *text)
{
    char utc[FR_TIMESTAMP_BYTES];
    struct tm at = { 0 };
    int milliseconds;

    if (!fr_timestamp_read(text, utc) ||
        sscanf(utc, "%4d-%2d-%2dT%2d:%2d:%2d.%3dZ", &at.tm_year, &at.tm_mon, &at.tm_mday,
               &at.tm_hour, &at.tm_min, &at.tm_sec, &milliseconds) != 7)
        return NAN;
    at.tm_year -= 1900;
    at.tm_mon--;
    return (double)timegm(&at) + milliseconds / 1000.0;
}

bool fr_timestamp_read_bound(const char *text, bool is_last, char out[FR_TIMESTAMP_BYTES])
{
    const char *rest = text;
    struct tm day;

    if (strlen(text) != strlen("2026-11-20"))
        return fr_timestamp_read(text, out);
    if (!take_day(&rest, &day))
        return false;
    snprintf(out, FR_TIMESTAMP_BYTES, "%.10sT%s", text,
             is_last ? "23:59:59.999Z" : "00:00:00.000Z");
    return true;
}
