/* Log lines to standard error, one an event: key=value, or JSON lines.  Safe from any thread: a
 * line is one write. */
#ifndef FR_LOG_H
#define FR_LOG_H

#include <stdbool.h>

enum fr_log_level { FR_LOG_ERROR, FR_LOG_WARNING, FR_LOG_INFO, FR_LOG_DEBUG };

struct fr_log {
    _Atomic int level;
    bool is_json;
};

/* Appends `key=value` pairs: fr_log(log, FR_LOG_INFO, "request", "method", "GET", NULL).  All
 * values are texts; the list ends with NULL. */
void fr_log(struct fr_log *log, enum fr_log_level level, const char *event, ...)
    __attribute__((sentinel));
/* The same with one formatted `detail`. */
void fr_logf(struct fr_log *log, enum fr_log_level level, const char *event, const char *format,
             ...) __attribute__((format(printf, 4, 5)));

#endif
