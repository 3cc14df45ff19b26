/* Log lines to standard error, one for each event: key=value pairs or a JSON object.  Every
 * function may be called from any thread. */
#ifndef FR_LOG_H
#define FR_LOG_H

#include <stdbool.h>

enum fr_log_level { FR_LOG_ERROR, FR_LOG_WARNING, FR_LOG_INFO, FR_LOG_DEBUG };
extern const char *const fr_log_levels[]; /* their names, NULL-ended */

struct fr_log {
    _Atomic int level; /* enum fr_log_level: the least severe one that is written */
    bool is_json;
};

/* Writes an event with key=value pairs: fr_log(log, FR_LOG_INFO, "request", "method", "GET", NULL).
 * All values are texts; the list ends with NULL. */
void fr_log(struct fr_log *log, enum fr_log_level level, const char *event, ...)
    __attribute__((sentinel));
/* Writes an event with one pair, the formatted `detail`. */
void fr_logf(struct fr_log *log, enum fr_log_level level, const char *event, const char *format,
             ...) __attribute__((format(printf, 4, 5)));

#endif
