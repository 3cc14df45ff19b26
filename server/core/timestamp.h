/* Moments: RFC 3339 as clients write it, and in the one form that sorts as a text. */
#ifndef FR_TIMESTAMP_H
#define FR_TIMESTAMP_H

#include <stdbool.h>

/* 2026-11-20T12:00:00.000Z */
enum { FR_TIMESTAMP_BYTES = 25 };

/* Reads a time with its offset from UTC, strictly; digits beyond the millisecond are dropped. False
 * where it is none. */
bool fr_timestamp_read(const char *text, char out[FR_TIMESTAMP_BYTES]);
/* The same, or a day (2026-11-20, in UTC): its first millisecond, or its last. */
bool fr_timestamp_read_bound(const char *text, bool is_last, char out[FR_TIMESTAMP_BYTES]);

#endif
