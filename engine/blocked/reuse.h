/* How long ago the operands of each call of an algorithm were last used, and what they cost for
 * that (docs/models/blocked.md#reuse-of-operands). */
#ifndef FR_BLOCKED_REUSE_H
#define FR_BLOCKED_REUSE_H

#include "engine/blocked/call.h"
#include "engine/calibration/calibration.h"

/* Each matrix is divided into square tiles of whole blocks, at most this many along a side. */
enum { BLOCKED_MAX_TILES = 32 };

struct blocked_reuse {
    const struct fr_calibration *cal;
    struct {
        int64_t rows, columns; /* of the part that calls touch */
        size_t tile_rows, tile_columns;
        double *used_bytes; /* by tile, column by column: the clock at its last use */
    } matrix[BLOCKED_MATRICES];
    int64_t block, tile;  /* sides in elements */
    double clock_bytes;   /* of the operands of all calls so far */
    double touched_bytes; /* of all tiles that were ever used */
    bool is_touched;      /* every tile that calls use was used before */
    double steps;         /* work done: uses of tiles */
};

/* Passes the calls of an algorithm to a visitor, as blocked_walk. */
typedef bool blocked_calls(const void *values, blocked_visit *visit, void *context);

/* Sets up the tiles.  With `is_warm` the algorithm has just been executed, so that its operands are
 * in the caches as far as they fit; otherwise they are in none.  Returns 0, or -1 without memory or
 * where a call does not say what its operands are.  blocked_reuse_close frees the tiles. */
int blocked_reuse_open(struct blocked_reuse *reuse, const struct fr_calibration *cal,
                       blocked_calls *calls, const void *values, bool is_warm);
void blocked_reuse_close(struct blocked_reuse *reuse);

/* The weight of out of cache in the time of the next call, 0 to 1; marks its operands as used. */
double blocked_reuse_weight(struct blocked_reuse *reuse, const struct blocked_call *call);

/* The share of kernels.reuse at a distance; linear in its logarithm, 0 at no distance, and that of
 * the last row beyond it. */
double blocked_reuse_share(const struct fr_calibration *cal, double distance_bytes);

#endif
