/* Fits protocols to ping-pong times: one straight line for each range of sizes. */
#ifndef FR_PROTOCOL_H
#define FR_PROTOCOL_H

#include "calibrations/calibrate/core/plan.h"

/* Finds one to FR_PROTOCOLS_MAX ranges (MPI has two or three protocols, caches add ranges) by
 * dynamic programming; both paths share the limits.  `pings` has at least 3 sizes in strictly
 * rising order, which span a doubling and reach 64 bytes; every time of a path in `has` is
 * positive.  Returns 0, or -1 if these conditions do not hold or without memory.  Time O(count^3),
 * space O(count^2). */
int fr_protocol_fit(const struct fr_ping *pings, int count, const bool has[FR_PATHS],
                    struct fr_protocols *out);

/* The fitted time of one message. */
double fr_protocol_time_s(const struct fr_protocols *protocols, enum fr_path path,
                          double message_bytes);

/* What long messages take beside one latency; all of `took_s` where that is most of it or not
 * known. */
double fr_protocol_moving_s(const struct fr_protocols *protocols, enum fr_path path, double took_s);

/* The names by position: short, eager, rendezvous, ... */
const char *fr_protocol_name(const struct fr_protocols *protocols, int index);

#endif
