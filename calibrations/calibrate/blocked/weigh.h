/* Measures out_of_cache_weight. */
#ifndef FR_WEIGH_H
#define FR_WEIGH_H

struct fr_context;
struct fr_kept_models;

/* Runs trinv in three sizes and variants on rank 0, whose BLAS has the threads of the models, and
 * records the weight; without models of its kernels in both localities, reports that. */
void fr_weigh(struct fr_context *context, const struct fr_kept_models *models, int leading);

#endif
