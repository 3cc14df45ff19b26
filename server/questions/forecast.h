/* A forecast: a table over two parameters.  A cell has one value for each choice of a tunable. */
#ifndef FR_FORECAST_H
#define FR_FORECAST_H

#include "server/questions/sweep.h"

enum { FR_MAX_FORECAST = FR_MAX_TUNED_POINTS }; /* values in a table */

/* The options of the route as given; NULL if absent. */
struct fr_forecast_names {
    const char *rows, *columns, *by, *y;
};

struct fr_forecast_value {
    double value, time_s; /* NaN if the combination is not legal */
    struct fr_prediction prediction;
    struct fr_outlook outlook;
    char text[24];         /* as printed in a table */
    const void *resolved;  /* the parameters, if it is legal */
    const char *error;     /* why it is not legal, or NULL */
    bool is_best, is_tied; /* in its cell, by time; tied values print alike */
};

struct fr_forecast {
    const struct fr_question *question;
    const struct fr_axis *rows, *columns, *by;
    struct fr_quantity quantity;
    const char *output;
    struct fr_forecast_value *value; /* [row][column][tunable], row-major */
};
/* Chooses rows, columns and by.  A parameter without a list becomes an axis of one value. */
void fr_forecast_choose_axes(struct fr_request *rq, struct fr_question *question,
                             const struct fr_forecast_names *names, struct fr_forecast *forecast,
                             struct fr_faults *faults);
const struct fr_forecast_value *fr_forecast_at(const struct fr_forecast *forecast, size_t row,
                                               size_t column, size_t by);
/* Writes a LaTeX table: the best value of each cell in bold, ties marked by a dagger. */
void fr_forecast_write_tex(struct fr_writer *w, const struct fr_forecast *forecast);

#endif
