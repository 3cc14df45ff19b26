/* A forecast: a table of two parameters, in each cell one number for each value of a tunable. */
#ifndef FR_FORECAST_H
#define FR_FORECAST_H

#include "server/questions/sweep.h"

enum { FR_MAX_FORECAST = FR_MAX_TUNED_POINTS }; /* numbers of a table */

/* The route's own options as they were given; NULL: left out. */
struct fr_forecast_names {
    const char *rows, *columns, *by, *y;
};

struct fr_forecast_value {
    double value, time_s;  /* NaN where the combination is not legal */
    char text[24];         /* as a table shows it */
    const char *error;     /* why it is not legal, or NULL */
    bool is_best, is_tied; /* in its cell: by time; what looks the same as the best is tied */
};

struct fr_forecast {
    const struct fr_question *question;
    const struct fr_axis *rows, *columns, *by;
    struct fr_quantity quantity;
    const char *output;
    struct fr_forecast_value *value; /* row by row, column by column, then by the tunable */
};
/* Chooses rows, columns and by, which become axes of the question where they were not lists. */
void fr_forecast_choose_axes(struct fr_request *rq, struct fr_question *question,
                             const struct fr_forecast_names *names, struct fr_forecast *forecast,
                             struct fr_faults *faults);
const struct fr_forecast_value *fr_forecast_at(const struct fr_forecast *forecast, size_t row,
                                               size_t column, size_t by);
/* A LaTeX table: the best of each cell in bold, ties with a dagger. */
void fr_forecast_write_tex(struct fr_writer *w, const struct fr_forecast *forecast);

#endif
