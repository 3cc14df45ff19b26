/* Sizes and protocols of messages. */
#ifndef FR_SIZES_H
#define FR_SIZES_H

#include "calibrations/calibrate/core/options.h"
#include "calibrations/calibrate/core/plan.h"
#include "engine/calibration/calibration.h"

/* Fits protocols to ping-pong times: one straight line for each range of sizes. */

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

/* The message sizes of patterns, exchange and burst. */

/* The longest message of many processes (fr_world_is_many). */
enum { FR_SIZES_OF_MANY = 340 << 10 };

/* Sizes around the power of two in which the first protocols up to number `k` may end; it lies
 * between the longest message known to belong to them and the shortest known not to.  Returns their
 * number: 0 if there is no such power. */
enum { FR_SIZES_AT_POWER = 3 };
int fr_sizes_at_power(const struct fr_protocols *protocols, int k, double size[FR_SIZES_AT_POWER]);

/* Adds sizes on both sides of each limit between protocols, up to `most`, in multiples of a double,
 * and removes others close by.  The list is ascending afterwards.  Times jump at a limit, and so
 * may their ratios to single messages. */
void fr_sizes_add_limits(const struct fr_protocols *protocols, int64_t most,
                         struct fr_list *messages);

/* The sizes of --messages, or else the usual ones that suit the job, and both sides of each limit
 * up to the largest of them (not with --quick). */
void fr_sizes_choose(const struct fr_context *context, const struct fr_list *usual,
                     struct fr_list *messages);
/* The same with the usual sizes of reductions and halos, 8 bytes to 1 MiB. */
void fr_sizes_choose_short(const struct fr_context *context, struct fr_list *messages);

/* The time of a message while all processes send one, for plans. */

/* Collective over all ranks, some milliseconds; the same on every rank.  Zeros for one rank. */
struct fr_link fr_all_send(const struct fr_context *context);

/* Derives the rows of `network.broadcast` from times: the algorithm closest to that of the MPI
 * library. */

enum { FR_CLASSIFY_MAX = 3, FR_CLASSIFY_SIZES = 96 };

struct fr_broadcast_time {
    double message_bytes;
    double own_s, algorithm_s[FR_CLASSIFY_MAX]; /* > 0 */
};

/* `times`: at least one, in rising order of size.  A single deviating size between two that agree
 * is noise.  If the algorithm of the previous size is equally close, it continues.  A limit is the
 * last size measured before a change.  The last row has no limit, HUGE_VAL.
 * Returns the number of rows; `*error` gets the median
 * relative difference between the MPI library and the chosen algorithm. */
int fr_classify_broadcast(const struct fr_broadcast_time *times, int count, int algorithms,
                          struct fr_broadcast_choice rows[FR_CLASSIFY_SIZES], double *error);

#endif
