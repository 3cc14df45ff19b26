/* Log lines to standard error, one for each event: key=value pairs or a JSON object.  Every
 * function may be called from any thread. */
#ifndef FR_LOG_H
#define FR_LOG_H

#include <stdbool.h>
#include <stdint.h>

struct fr_clock;

enum fr_log_level { FR_LOG_ERROR, FR_LOG_WARNING, FR_LOG_INFO, FR_LOG_DEBUG };
extern const char *const fr_log_levels[]; /* their names, NULL-ended */

struct fr_log {
    _Atomic int level; /* enum fr_log_level: the least severe one that is written */
    bool is_json;
    struct fr_clock *clock;
    /* Counts; log.c locks them. */
    uint64_t lost, untold_lost; /* lines that found no room; those that no line has told of */
    uint64_t left_out;          /* refusals, since a line told of them */
    uint64_t second;            /* of the clock, in which `refusals` were logged */
    unsigned refusals;
};

enum { FR_LOG_REFUSALS_PER_S = 50 };

/* The daemon never waits for the reader of the log.  It drops and counts the lines that find no
 * room, and writes the count before the next line.
 *
 * Writes an event with key=value pairs: fr_log(log, FR_LOG_INFO, "request", "method", "GET", NULL).
 * All values are texts; the list ends with NULL. */
void fr_log(struct fr_log *log, enum fr_log_level level, const char *event, ...)
    __attribute__((sentinel));
/* Writes an event with one pair, the formatted `detail`. */
void fr_logf(struct fr_log *log, enum fr_log_level level, const char *event, const char *format,
             ...) __attribute__((format(printf, 4, 5)));

/* Whether one more line about a refused request fits into this second; else it is counted, and a
 * later line tells the count. */
bool fr_log_takes_refusal(struct fr_log *log);
/* Tells the counts that no line has told; called every second. */
void fr_log_tick(struct fr_log *log);
/* The lines lost so far. */
uint64_t fr_log_lost(struct fr_log *log);

#endif
