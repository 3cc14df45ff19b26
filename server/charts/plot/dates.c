/* Tics of an axis of time: hours, days, months or years, whichever fit. */
#include "server/charts/plot/script.h"

#include <math.h>
#include <time.h>

enum { HOUR = 3600, DAY = 24 * HOUR, MONTHS = 12 };

/* Either seconds or months; a label takes this many characters. */
static const struct step {
    int seconds, months, characters;
    enum { OF_HOURS, OF_DAYS, OF_MONTHS, OF_YEARS } label;
} steps[] = {
    { .seconds = HOUR, .characters = 11, .label = OF_HOURS },
    { .seconds = 6 * HOUR, .characters = 11, .label = OF_HOURS },
    { .seconds = DAY, .characters = 10, .label = OF_DAYS },
    { .seconds = 2 * DAY, .characters = 10, .label = OF_DAYS },
    { .seconds = 7 * DAY, .characters = 10, .label = OF_DAYS },
    { .seconds = 14 * DAY, .characters = 10, .label = OF_DAYS },
    { .months = 1, .characters = 7, .label = OF_MONTHS },
    { .months = 3, .characters = 7, .label = OF_MONTHS },
    { .months = MONTHS, .characters = 4, .label = OF_YEARS },
    { .months = 2 * MONTHS, .characters = 4, .label = OF_YEARS },
    { .months = 10 * MONTHS, .characters = 4, .label = OF_YEARS },
    { .months = 100 * MONTHS, .characters = 4, .label = OF_YEARS },
};
enum { STEPS = sizeof steps / sizeof *steps };

static double month_start(long month)
{
    struct tm day = { .tm_year = (int)(month / MONTHS) - 1900,
                      .tm_mon = (int)(month % MONTHS),
                      .tm_mday = 1 };

    return (double)timegm(&day);
}

/* Months since the year 0. */
static long month_of(double at)
{
    const time_t second = (time_t)floor(at);
    struct tm utc;

    gmtime_r(&second, &utc);
    return (utc.tm_year + 1900L) * MONTHS + utc.tm_mon;
}

/* The first tic of the step at or after `at`. */
static double first_tic(const struct step *step, double at)
{
    long month;

    if (step->seconds)
        return ceil(at / step->seconds) * step->seconds;
    month = month_of(at);
    month -= month % step->months;
    return month_start(month) < at ? month_start(month + step->months) : month_start(month);
}

static double next_tic(const struct step *step, double tic)
{
    return step->seconds ? tic + step->seconds : month_start(month_of(tic) + step->months);
}

static void write_label(const struct step *step, const struct tm *at, char *out, size_t size)
{
    if (step->label == OF_HOURS)
        strftime(out, size, "%m-%d %H:%M", at);
    else if (step->label == OF_DAYS)
        strftime(out, size, "%Y-%m-%d", at);
    else if (step->label == OF_MONTHS)
        strftime(out, size, "%Y-%m", at);
    else
        strftime(out, size, "%Y", at);
}

/* At most `most` tics of this step; FR_MOST_DATES + 1 if there are more. */
static size_t tics_of(const struct step *step, double low, double high, double most,
                      struct fr_date_tic out[FR_MOST_DATES])
{
    size_t count = 0;

    for (double tic = first_tic(step, low); tic <= high; tic = next_tic(step, tic)) {
        const time_t second = (time_t)tic;
        struct tm utc;

        if (count == FR_MOST_DATES || (double)count + 1 > most)
            return FR_MOST_DATES + 1;
        out[count].value = tic;
        gmtime_r(&second, &utc);
        write_label(step, &utc, out[count++].label, sizeof out->label);
    }
    return count;
}

size_t fr_dates_find(double low, double high, double characters,
                     struct fr_date_tic out[FR_MOST_DATES])
{
    size_t count = 0;

    for (size_t i = 0; i < STEPS; i++) {
        const double most = fmax(1, floor(characters / (steps[i].characters + 3)));

        count = tics_of(&steps[i], low, high, most, out);
        if (count <= FR_MOST_DATES)
            return count;
    }
    return 0;
}
