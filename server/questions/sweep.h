/* Sweeps and forecasts. */
#ifndef FR_SWEEP_H
#define FR_SWEEP_H

#include "engine/runs/saved_run.h"
#include "server/questions/ask.h"

/* Iterates over the points of a sweep, for the table and the chart. */

/* The most points of a sweep with tune=true, where each point needs a ranking. */
enum { FR_MAX_TUNED_POINTS = 2000 };

struct fr_sweep {
    struct fr_request *rq;
    const struct fr_question *question;
    struct fr_restriction only; /* of tuned points: lists that are no axes */
    enum fr_memory memory;      /* likewise */
    size_t points; /* over all machines, machine by machine; the last list varies fastest */
    size_t legal;  /* points predicted so far */
    bool is_over;  /* the request's work limit is reached; later points are not legal */
    void *values;  /* of the current point, resolved if it is legal */
    const struct fr_target *target;
    struct fr_prediction *prediction;
    struct fr_spread spread;
    struct fr_faults *faults; /* of the current point */
};

/* The descriptor of tune; the options struct S has an int member for it. */
#define FR_TUNE(S)                        \
    FR_BOOL(S, tune, .flags = FR_DEFAULT, \
            .doc = "Whether each point uses the best values of the tunables that are not given.")
/* Counts the points.  Returns FR_OK, or FR_RANGE if `faults` is not empty, including faults found
 * before the call. */
int fr_sweep_begin(struct fr_sweep *sweep, struct fr_request *rq,
                   const struct fr_question *question, struct fr_faults *faults);
/* The outlook of the point predicted last, which must be legal. */
struct fr_outlook fr_sweep_outlook(struct fr_sweep *sweep);
/* Predicts point `index`.  Returns false if the model refuses it; sweep->faults has the reason. */
bool fr_sweep_point(struct fr_sweep *sweep, size_t index);
/* Predicts the point again with `values`, in which the caller has changed parameters. */
bool fr_sweep_changed(struct fr_sweep *sweep);

/* A forecast: a table over two parameters.  A cell has one value for each choice of a tunable, or
 * of each of several outputs. */

enum { FR_MAX_FORECAST = FR_MAX_TUNED_POINTS }; /* values in a table */

/* The options of the route as given; NULL if absent. */
struct fr_forecast_names {
    const char *rows, *columns, *by, *y;
    int tunables; /* whether CSV, txt and LaTeX show those that were chosen */
    int memory;   /* enum fr_memory */
};

struct fr_forecast_value {
    double value, time_s; /* NaN if the combination is not legal */
    double cost;          /* what the best has least of (fr_rank_cost) */
    struct fr_prediction prediction;
    struct fr_outlook outlook;
    char text[24];         /* as printed in a table */
    const void *resolved;  /* the parameters, if it is legal */
    const char *error;     /* why it is not legal, or NULL */
    bool is_best, is_tied; /* in its cell, by time; tied values print alike */
    uint64_t digest;       /* of all numbers of the prediction; 0 if there is none */
    /* The value of the cell, further left, that equals this one in all numbers: not a tie, but the
     * same by construction.  NULL: none. */
    const struct fr_forecast_value *same;
};

struct fr_forecast {
    const struct fr_question *question;
    const struct fr_axis *rows, *columns, *by;
    struct fr_quantities y; /* of several, `by` is which */
    struct fr_param which;  /* the parameter of that axis */
    bool shows_tunables;
    struct fr_axis list[FR_MAX_AXES]; /* of other tunables, which are chosen from them */
    size_t list_count;
    struct fr_forecast_value *value; /* [row][column][tunable], row-major */
};
/* Chooses rows, columns and by.  A parameter without a list becomes an axis of one value. */
void fr_forecast_choose_axes(struct fr_request *rq, struct fr_question *question,
                             const struct fr_forecast_names *names, struct fr_forecast *forecast,
                             struct fr_faults *faults);
const struct fr_forecast_value *fr_forecast_at(const struct fr_forecast *forecast, size_t row,
                                               size_t column, size_t by);
/* Whether the forecast chose the parameter in each cell. */
bool fr_forecast_chooses(const struct fr_forecast *forecast, const struct fr_param *param);
/* Writes a LaTeX table: the best value of each cell in bold, ties marked by a dagger, what is the
 * same by construction by an equals sign. */
void fr_forecast_write_tex(struct fr_writer *w, const struct fr_forecast *forecast);

#endif
