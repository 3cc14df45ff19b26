/* Times of RFC 3339, converted to a form in UTC that sorts as text. */
#ifndef FR_TIMESTAMP_H
#define FR_TIMESTAMP_H

#include <stdbool.h>

/* 2026-11-20T12:00:00.000Z */
enum { FR_TIMESTAMP_BYTES = 25 };

/* Reads a time with its offset from UTC; digits beyond the millisecond are dropped.  False, and
 * `out` stays as it is, if the text is not a time. */
bool fr_timestamp_read(const char *text, char out[FR_TIMESTAMP_BYTES]);
/* Seconds since 1970 in UTC; NaN if the text is not a time. */
double fr_timestamp_seconds(const char *text);
/* Reads a time, or a day in UTC such as 2026-11-20: its first or last millisecond. */
bool fr_timestamp_read_bound(const char *text, bool is_last, char out[FR_TIMESTAMP_BYTES]);

#endif
