/* State of a sum over the calls of an algorithm.  Private to resolve.c and sum.c. */
#ifndef FR_BLOCKED_SUM_H
#define FR_BLOCKED_SUM_H

#include "engine/blocked/blocked.h"
#include "engine/blocked/memo.h"
#include "engine/blocked/reuse.h"

enum { BLOCKED_MOST_KERNELS = 64 };

/* A kernel that the calls use, with the models that the locality needs; others are NULL. */
struct blocked_used {
    struct blocked_kernel kernel;
    const struct blocked_fitted *in_cache, *out_of_cache;
};

struct blocked_total {
    const struct blocked_values *values;
    const struct fr_calibration *cal;
    const char *kernel_set; /* the name of all kernels in forerun-calibrate, or NULL */
    struct blocked_used used[BLOCKED_MOST_KERNELS];
    size_t kernels;
    bool is_full;                /* more than BLOCKED_MOST_KERNELS kernels are used */
    bool has_operands;           /* every call says what its operands are */
    struct blocked_reuse *reuse; /* NULL unless the locality is reuse */
    struct {
        const char *routine;
        double time_s;
    } phase[FR_MAX_PHASES];
    size_t phases;
    struct blocked_times total;
    double variance, calls, outside, reordered, flops;
    struct blocked_memo memo;
    double steps; /* of work not yet charged to the request */
    struct fr_arena *arena;
    struct fr_prediction *out;
    const struct fr_listing *listing;
};

/* The kernel of a call, with its models; NULL beyond BLOCKED_MOST_KERNELS. */
struct blocked_used *blocked_use(struct blocked_total *sum, const struct blocked_kernel *kernel);

#endif
