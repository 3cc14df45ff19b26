/* The tables of a calibration that held-out checks go through, as rows by keys. */
#ifndef FR_QUESTIONS_HELD_OUT_TABLES_H
#define FR_QUESTIONS_HELD_OUT_TABLES_H

#include "engine/prediction/prediction.h"

/* A table.  Curves have rows too: their key and abscissa stand in for processes and distance. */
struct held_out_table {
    const char *what[FR_TIMING_KEYS]; /* names of the keys in warnings; NULL: not checked */
    /* One of the three: where a calibration keeps the rows, the curves, or the only curve. */
    struct fr_timings *(*timings)(struct fr_calibration *cal);
    struct fr_curves *(*curves)(const struct held_out_table *table, struct fr_calibration *cal);
    struct fr_curve *(*curve)(struct fr_calibration *cal);
    /* What models look up at the keys of a row: a time, a ratio or a factor. */
    double (*value)(const struct held_out_table *table, struct fr_evaluation *run,
                    const struct fr_timing *row);
    bool reads_factors;      /* of contention, for what lies outside the table */
    enum fr_routine routine; /* of kernels */
    int precision;
};
enum { HELD_OUT_TABLES = 23 };
extern const struct held_out_table held_out_tables[HELD_OUT_TABLES];

/* The rows of a table, ascending by pattern, layers and keys; those of curves in the arena, none if
 * it is full. */
struct fr_timings held_out_rows(const struct held_out_table *table, struct fr_calibration *cal,
                                struct fr_arena *arena);
/* Makes these rows, at least one and in that order, the only ones of the table.  False if the arena
 * is full. */
bool held_out_narrow(const struct held_out_table *table, struct fr_timings rows,
                     struct fr_arena *arena, struct fr_calibration *cal);

#endif
