/* The message sizes of patterns, exchange and burst. */
#ifndef FR_SIZES_H
#define FR_SIZES_H

#include "calibrations/calibrate/core/plan.h"
#include "calibrations/calibrate/core/value.h"

struct fr_context;

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

#endif
