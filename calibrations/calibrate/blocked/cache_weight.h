/* The weight of the out-of-cache models: in a blend, from whole runs of a blocked algorithm
 * (docs/models/blocked.md#prediction), and by the distance of a reuse. */
#ifndef FR_CACHE_WEIGHT_H
#define FR_CACHE_WEIGHT_H

#include <stdbool.h>

#include "engine/blocked/modeler.h"

enum { FR_KEPT_MODELS_MAX = 128, FR_WEIGHT_RUNS_MAX = 16 };

/* Models of one thread count, owned here. */
struct fr_kept_models {
    struct fr_kept_model {
        struct blocked_kernel kernel;
        bool is_cold;
        struct blocked_model model;
    } kept[FR_KEPT_MODELS_MAX];
    int count;
};

/* Takes the model over, or frees it if there is no room. */
void fr_kept_models_add(struct fr_kept_models *models, const struct blocked_kernel *kernel,
                        bool is_cold, struct blocked_model *model);
void fr_kept_models_free(struct fr_kept_models *models);

/* A run: its measured time, and its sums of the median times of its calls. */
struct fr_weight_run {
    double time_s, in_cache_s, out_of_cache_s;
};

/* Fills the sums of trinv of that variant; returns false if a model of a call is missing. */
bool fr_weight_predict(const struct fr_kept_models *models, int variant, int n, int b,
                       struct fr_weight_run *out);

/* The weight with the least squares of relative errors of (1 - w) in cache + w out of cache, 0 to
 * 1, and the root mean square of those errors; NAN if the two sums are the same in every run. */
double fr_weight_fit(const struct fr_weight_run *run, int count, double *error);

/* The shares of the time between `warm_s` and `cold_s` that the times of `rows` distances reach, 0
 * to 1; a longer distance has no smaller share (docs/models/kernel_models.md#reuse). */
void fr_reuse_shares(const double *time_s, int rows, double warm_s, double cold_s, double *share);

#endif
