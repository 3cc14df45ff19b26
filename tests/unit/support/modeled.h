/* Models of a kernel whose time is a formula: the formula of the golden file, extended to one
 * and to three sizes. This is a header, so that other tests do not link LAPACK. */
#ifndef FR_MODELED_H
#define FR_MODELED_H

#include "engine/blocked/modeler.h"
#include "tests/unit/support/check.h"

/* Weak: NULL with a library other than OpenBLAS. */
extern void openblas_set_num_threads(int threads) __attribute__((weak));

/* Setup of a group: OpenBLAS uses one thread, because the thread sanitizer does not see how its
 * threads synchronize. */
static inline int modeled_alone(void **state)
{
    (void)state;
    if (openblas_set_num_threads)
        openblas_set_num_threads(1);
    return 0;
}

struct modeled {
    double jump;  /* times 1.3 if m n exceeds it; 0: never */
    int64_t step; /* times 1.3 if size `side` exceeds it; 0: never */
    size_t side;
    double noise;       /* relative error of the measured times */
    size_t gives_up_at; /* number of samples after which it stops; 0: never */
    size_t hole;        /* every hole-th time is replaced by `in_hole`; 0: none */
    double in_hole;
    size_t measured, batches, told;
    struct blocked_progress progress; /* the last report */
};

/* 1e-6 + 2e-9 m n + 3e-12 m^2 n; with one size m = n, with three the last term has m n k. */
static inline double modeled_time(const struct modeled *formula, const int64_t *at)
{
    const double m = (double)at[0], n = at[1] ? (double)at[1] : m, k = at[2] ? (double)at[2] : m;
    const double time_s = 1e-6 + 2e-9 * m * n + 3e-12 * m * n * k;

    if (formula->step && at[formula->side] > formula->step)
        return 1.3 * time_s;
    return formula->jump > 0 && m * n > formula->jump ? 1.3 * time_s : time_s;
}

static inline size_t modeled_take(void *context, struct blocked_sample *sample, size_t count)
{
    static const double factor[BLOCKED_STATISTICS] = { .95, 1, 1.02, 1.2, .05 };
    struct modeled *formula = context;

    formula->batches++;
    for (size_t i = 0; i < count; i++) {
        const double noise = formula->noise * sin(12.9898 * (double)formula->measured);

        if (formula->gives_up_at && formula->measured == formula->gives_up_at)
            return i;
        formula->measured++;
        for (int s = 0; s < BLOCKED_STATISTICS; s++)
            sample[i].time_s[s] =
                formula->hole && formula->measured % formula->hole == 0
                    ? formula->in_hole
                    : factor[s] * (1 + noise) * modeled_time(formula, sample[i].at);
    }
    return count;
}

static inline void modeled_tell(void *context, const struct blocked_progress *progress)
{
    struct modeled *formula = context;

    formula->told++;
    assert_true(progress->samples >= formula->progress.samples);
    assert_true(progress->regions_done >= formula->progress.regions_done);
    assert_true(progress->share_done >= formula->progress.share_done);
    assert_true(progress->share_done <= (progress->regions_open ? 1 - 1e-9 : 1));
    formula->progress = *progress;
}

static inline struct blocked_kernel modeled_kernel(const char *routine, const char *flags)
{
    struct blocked_kernel kernel = { .routine = blocked_routine_find(routine) };

    assert_non_null(kernel.routine);
    memcpy(kernel.flags, flags, strlen(flags) + 1);
    return kernel;
}

/* Builds a model, resumed from the samples of `from` unless that is NULL. */
static inline struct blocked_model modeled_again(const struct blocked_kernel *kernel,
                                                 const struct blocked_box *box, size_t boxes,
                                                 const struct blocked_build *build,
                                                 const struct blocked_model *from,
                                                 struct modeled *formula)
{
    const struct blocked_sampler sampler = { formula, modeled_take, modeled_tell };
    struct blocked_model model;
    char why[160] = "";

    if (blocked_model_build(kernel, box, boxes, build, from ? from->sample : NULL,
                            from ? from->samples : 0, &sampler, &model, why, sizeof why) != 0)
        fail_msg("%s", why);
    return model;
}

static inline struct blocked_model modeled_build(const struct blocked_kernel *kernel,
                                                 const struct blocked_box *box, size_t boxes,
                                                 const struct blocked_build *build,
                                                 struct modeled *formula)
{
    return modeled_again(kernel, box, boxes, build, NULL, formula);
}

static inline bool modeled_is_inside(const struct blocked_box *box, size_t dimensions,
                                     const int64_t *at)
{
    for (size_t d = 0; d < dimensions; d++)
        if (at[d] < box->min[d] || at[d] > box->max[d])
            return false;
    return true;
}

/* The region used at a point: the one with the smallest error of those that contain it. */
static inline const struct blocked_piece *modeled_region(const struct blocked_model *model,
                                                         const int64_t *at)
{
    const struct blocked_piece *best = NULL;

    for (size_t i = 0; i < model->pieces; i++)
        if (modeled_is_inside(&model->piece[i].box, model->dimensions, at) &&
            (!best || model->piece[i].error < best->error))
            best = &model->piece[i];
    return best;
}

static inline double modeled_value(struct blocked_model *model, enum blocked_statistic statistic,
                                   const int64_t *at)
{
    const struct blocked_piece *region = modeled_region(model, at);

    assert_non_null(region);
    return blocked_polynomial(&region->box, model->dimensions, model->exponent, model->terms,
                              region->coef[statistic], at);
}

/* Checks that regions cover a box, at points 12 apart and at the upper bounds. */
static inline void modeled_check_covers(const struct blocked_model *model,
                                        const struct blocked_box *box)
{
    int64_t at[BLOCKED_MAX_SIZES], from[BLOCKED_MAX_SIZES] = { 0 }, to[BLOCKED_MAX_SIZES] = { 0 };

    for (size_t d = 0; d < model->dimensions; d++) {
        from[d] = box->min[d];
        to[d] = box->max[d];
    }
    for (int64_t i = from[0]; i < to[0] + 12; i += 12)
        for (int64_t j = from[1]; j < to[1] + 12; j += 12)
            for (int64_t k = from[2]; k < to[2] + 12; k += 12) {
                at[0] = i < to[0] ? i : to[0];
                at[1] = j < to[1] ? j : to[1];
                at[2] = k < to[2] ? k : to[2];
                if (!modeled_region(model, at))
                    fail_msg("no region holds %d, %d, %d", (int)at[0], (int)at[1], (int)at[2]);
            }
}

/* Checks that numbers are finite, boxes are not reversed, and regions and points are distinct. */
static inline void modeled_check_sound(const struct blocked_model *model)
{
    assert_true(model->pieces > 0 && model->samples > 0);
    for (size_t i = 0; i < model->pieces; i++) {
        assert_true(isfinite(model->piece[i].error) && model->piece[i].error >= 0);
        for (size_t d = 0; d < model->dimensions; d++)
            assert_true(model->piece[i].box.min[d] <= model->piece[i].box.max[d]);
        for (int s = 0; s < BLOCKED_STATISTICS; s++)
            for (size_t j = 0; j < model->terms; j++)
                assert_true(isfinite(model->piece[i].coef[s][j]));
    }
    for (size_t i = 0; i < model->pieces; i++)
        for (size_t j = 0; j < i; j++)
            assert_memory_not_equal(&model->piece[i].box, &model->piece[j].box,
                                    sizeof model->piece[i].box);
    for (size_t i = 0; i < model->samples; i++)
        for (size_t j = 0; j < i; j++)
            assert_memory_not_equal(model->sample[i].at, model->sample[j].at,
                                    sizeof model->sample[i].at);
}

#endif
