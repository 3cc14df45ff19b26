/* Where the faster of two becomes the slower. */
#include "engine/core/arena.h"
#include "engine/core/fault.h"
#include "engine/prediction/model.h"
#include "engine/questions/recommend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Times that differ by rounding alone are equal. */
static const double rounding = 1e-9;

struct comparison {
    struct fr_search *search;
    const void *const *values;
    enum fr_leader leader; /* of the value asked last */
    enum fr_leader wanted;
};

static enum fr_leader leader_of(const enum fr_trial trial[2], const double cost[2])
{
    if (trial[0] == FR_FAILS || trial[1] == FR_FAILS)
        return trial[0] == FR_HOLDS ? FR_FIRST : trial[1] == FR_HOLDS ? FR_SECOND : FR_NEITHER;
    if (fabs(cost[0] - cost[1]) <= rounding * fmax(cost[0], cost[1]))
        return FR_EQUAL;
    return cost[0] < cost[1] ? FR_FIRST : FR_SECOND;
}

static enum fr_trial compare(struct comparison *comparison, size_t index, struct fr_segment *out)
{
    enum fr_trial trial[2];
    double cost[2] = { 0 };

    for (size_t i = 0; i < 2; i++) {
        struct fr_ranking ranking;

        trial[i] = fr_search_try(comparison->search, comparison->values[i], index, 1, &ranking);
        if (trial[i] == FR_IMPOSSIBLE || trial[i] == FR_ENDED)
            return trial[i];
        if (trial[i] == FR_HOLDS)
            cost[i] = fr_rank_cost(&ranking.row[0].prediction, ranking.is_filled);
        if (out && trial[i] == FR_HOLDS)
            out->row[i] = ranking.row[0];
        if (out && trial[i] == FR_FAILS)
            memcpy(out->reason, comparison->search->faults->fault[0].message, sizeof out->reason);
        if (out)
            out->has[i] = trial[i] == FR_HOLDS;
    }
    comparison->leader = leader_of(trial, cost);
    if (out && comparison->leader == FR_EQUAL)
        snprintf(out->reason, sizeof out->reason, "both take the same time");
    return FR_HOLDS;
}

static enum fr_trial has_a_leader(void *context, size_t index)
{
    return compare(context, index, NULL);
}

static enum fr_trial has_the_same_leader(void *context, size_t index)
{
    struct comparison *comparison = context;
    const enum fr_trial trial = compare(comparison, index, NULL);

    return trial != FR_HOLDS || comparison->leader == comparison->wanted ? trial : FR_FAILS;
}

/* Begins a segment at a value. */
static enum fr_trial begin(struct comparison *comparison, size_t index, struct fr_crossover *out)
{
    struct fr_segment *segment = &out->segment[out->count];
    enum fr_trial trial;

    if (out->count == FR_MOST_SEGMENTS) {
        comparison->search->faults->count = 0;
        fr_fault(comparison->search->faults, FR_TOO_MANY_POINTS,
                 comparison->search->scale->param->name,
                 "the order changes more than %d times; take a shorter range", FR_MOST_SEGMENTS);
        return FR_ENDED;
    }
    trial = compare(comparison, index, segment);
    segment->from = segment->to = index;
    segment->leader = comparison->leader;
    out->count++;
    return trial;
}

/* Adds the segments between the last one and a value whose leader is known. */
static enum fr_trial extend(struct comparison *comparison, size_t index, enum fr_leader leader,
                            struct fr_crossover *out)
{
    const struct fr_judge same = { has_the_same_leader, comparison };
    const struct fr_judge any = { has_a_leader, comparison };
    enum fr_trial trial = FR_HOLDS;

    while (trial != FR_ENDED && out->segment[out->count - 1].leader != leader) {
        struct fr_segment *last = &out->segment[out->count - 1];
        size_t next;

        comparison->wanted = last->leader;
        last->to = fr_search_last(comparison->search, &same, last->to, index, &trial);
        if (trial == FR_ENDED)
            break;
        next = fr_search_possible(comparison->search, &any, last->to + 1, index, &trial);
        if (trial != FR_ENDED)
            trial = begin(comparison, next, out);
    }
    out->segment[out->count - 1].to = index;
    return trial;
}

/* The value of a sample; the count behind the last. */
static size_t sample(const struct fr_scale *scale, size_t i)
{
    const size_t last = scale->count - 1;

    if (scale->count <= 2 * FR_SEARCH_SAMPLES || i == 0)
        return i < scale->count ? i : scale->count;
    return i < FR_SEARCH_SAMPLES    ? fr_scale_between(scale, 0, last, i, FR_SEARCH_SAMPLES)
           : i == FR_SEARCH_SAMPLES ? last
                                    : scale->count;
}

static enum fr_trial walk(struct comparison *comparison, struct fr_crossover *out)
{
    const struct fr_scale *scale = comparison->search->scale;
    const struct fr_judge any = { has_a_leader, comparison };

    for (size_t i = 0; sample(scale, i) < scale->count; i++) {
        const size_t end = sample(scale, i + 1);
        enum fr_trial trial = FR_IMPOSSIBLE;
        const size_t at =
            fr_search_possible(comparison->search, &any, sample(scale, i), end, &trial);

        if (at < end && trial != FR_ENDED)
            trial = out->count ? extend(comparison, at, comparison->leader, out)
                               : begin(comparison, at, out);
        if (trial == FR_ENDED)
            return trial;
    }
    return FR_HOLDS;
}

int fr_search_crossover(struct fr_search *search, const void *const values[2],
                        struct fr_crossover *out, struct fr_faults *faults)
{
    struct comparison comparison = { .search = search, .values = values };
    struct fr_crossover found = {
        .segment = fr_arena_zeroed(search->arena, FR_MOST_SEGMENTS, sizeof *found.segment),
    };

    if (!found.segment)
        return fr_fault(faults, FR_NOMEM, search->scale->param->name, "the search is too long");
    if (walk(&comparison, &found) == FR_ENDED || !found.count) {
        *faults = *search->faults;
        return faults->fault[0].code;
    }
    *out = found;
    return FR_OK;
}
