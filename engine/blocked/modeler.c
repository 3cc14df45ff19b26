/* Entry of the Modeler: checks the options, runs a strategy and returns the model. */
#include "engine/blocked/modeling.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMALLEST_SIDE = 8 };

struct blocked_build blocked_build_default(const struct blocked_kernel *kernel)
{
    struct blocked_build build = {
        .strategy = BLOCKED_REFINEMENT,
        .direction = BLOCKED_TOWARD_ORIGIN,
        .split = BLOCKED_SPLIT_LONGEST,
        .grid = BLOCKED_CHEBYSHEV,
        .measure = BLOCKED_ERROR_P90,
        .reference = BLOCKED_MED,
        .is_relative = true,
        .eps = 0.08,
        .s_min = kernel->routine->sizes == 3 ? 128 : 32,
        .s_ini = 128,
    };

    for (size_t d = 0; d < BLOCKED_MAX_SIZES; d++)
        build.oversampling[d] = 2;
    return build;
}

static int refuse(char *why, size_t bytes, const char *sentence)
{
    snprintf(why, bytes, "%s", sentence);
    return -1;
}

static int check_build(const struct blocked_build *build, size_t dimensions, char *why,
                       size_t bytes)
{
    if (!(build->eps >= 0) || isinf(build->eps))
        return refuse(why, bytes, "eps is not a number of 0 or more, such as 0.08");
    if (build->degree_extra < 0 || build->degree_extra > 2)
        return refuse(why, bytes, "degree_extra is not 0, 1 or 2");
    if (build->strategy == BLOCKED_REFINEMENT && build->s_min < SMALLEST_SIDE)
        return refuse(why, bytes, "s_min is below 8, the distance between sample points");
    if (build->s_fine && build->s_fine < SMALLEST_SIDE)
        return refuse(why, bytes, "s_fine is below 8, the distance between sample points");
    if (build->strategy == BLOCKED_EXPANSION && build->s_ini < SMALLEST_SIDE)
        return refuse(why, bytes, "s_ini is below 8, the distance between sample points");
    for (size_t d = 0; d < dimensions; d++)
        if (build->oversampling[d] < 1 || build->oversampling[d] > MODELING_MOST_OVERSAMPLING)
            return refuse(why, bytes, "oversampling is not from 1 to 64");
    return 0;
}

static int check_boxes(const struct blocked_box *box, size_t boxes, size_t dimensions, char *why,
                       size_t bytes)
{
    if (boxes == 0)
        return refuse(why, bytes, "no range of sizes is given");
    for (size_t i = 0; i < boxes; i++)
        for (size_t d = 0; d < dimensions; d++) {
            const int64_t lo = box[i].min[d], hi = box[i].max[d];

            if (lo >= 1 && lo <= hi && hi <= BLOCKED_MAX_SIZE)
                continue;
            snprintf(why, bytes,
                     "the range %" PRId64 " to %" PRId64 " is not a range of sizes from 1 to %d",
                     lo, hi, BLOCKED_MAX_SIZE);
            return -1;
        }
    return 0;
}

/* Known samples join the model when a grid needs them, so that a resumed building makes the same
 * decisions as an uninterrupted one. */
static int remember(struct modeling *m, const struct blocked_sample *known, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct blocked_sample sample = known[i];

        for (size_t d = m->dimensions; d < BLOCKED_MAX_SIZES; d++)
            sample.at[d] = 0;
        if (blocked_samples_add(&m->known, &sample) != 0)
            return -1;
    }
    return 0;
}

/* Orders the regions, which are accepted level by level, by box. */
static int list_by_box(struct modeling *m)
{
    struct blocked_piece *ordered = malloc(m->pieces * sizeof *ordered);
    size_t count = 0;

    if (!ordered)
        return -1;
    for (size_t range = 0; range < m->ranges; range++)
        for (size_t i = 0; i < m->pieces; i++)
            if (m->range_of[i] == range)
                ordered[count++] = m->piece[i];
    free(m->piece);
    m->piece = ordered;
    return 0;
}

static int run(struct modeling *m, const struct blocked_sample *known, size_t known_count)
{
    for (size_t i = 0; i < m->ranges; i++)
        m->volume += modeling_volume(&m->range[i], &m->range[i], m->dimensions);
    if (remember(m, known, known_count) != 0)
        return -1;
    if ((m->build->strategy == BLOCKED_REFINEMENT ? modeling_refine(m) : modeling_expand(m)) != 0)
        return -1;
    m->has_new_batch = true;
    modeling_report(m, 0);
    return list_by_box(m) != 0 ? -1 : modeling_add_known(m);
}

static void hand_over(struct modeling *m, struct blocked_model *out)
{
    *out = (struct blocked_model){ .dimensions = m->dimensions,
                                   .terms = m->terms,
                                   .pieces = m->pieces,
                                   .samples = m->sample.count,
                                   .piece = m->piece,
                                   .sample = m->sample.at,
                                   .is_complete = !m->is_ended };
    memcpy(out->exponent, m->exponent, sizeof out->exponent);
    m->piece = NULL;
    m->sample.at = NULL;
}

int blocked_model_build(const struct blocked_kernel *kernel, const struct blocked_box *box,
                        size_t boxes, const struct blocked_build *build,
                        const struct blocked_sample *known, size_t known_count,
                        const struct blocked_sampler *sampler, struct blocked_model *out, char *why,
                        size_t why_bytes)
{
    const size_t dimensions = kernel->routine->sizes;
    struct modeling m = { .build = build,
                          .sampler = sampler,
                          .range = box,
                          .ranges = boxes,
                          .dimensions = dimensions,
                          .why = "not enough memory" };
    int failed;

    if (check_build(build, dimensions, why, why_bytes) != 0 ||
        check_boxes(box, boxes, dimensions, why, why_bytes) != 0)
        return -1;
    m.terms = blocked_basis(kernel, build->degree_extra, m.exponent, m.degree);
    failed = run(&m, known, known_count);
    if (failed == 0)
        hand_over(&m, out);
    else
        refuse(why, why_bytes, m.why);
    blocked_samples_free(&m.known);
    blocked_samples_free(&m.sample);
    blocked_samples_free(&m.requested);
    free(m.chosen);
    free(m.range_of);
    free(m.piece);
    return failed;
}

void blocked_model_free(struct blocked_model *model)
{
    free(model->sample);
    free(model->piece);
    *model = (struct blocked_model){ .dimensions = 0 };
}
