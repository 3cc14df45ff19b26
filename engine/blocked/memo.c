/* Remembers evaluations in a table with one place for each hash, where a new one replaces the one
 * before. */
#include "engine/blocked/blocked.h"

#include <string.h>

enum { MOST_EVALUATIONS = 4096 };
/* Units of work: the test of a region is one step. */
enum { RECALL_STEPS = 16, EVALUATION_STEPS = 16 };

static size_t hash_of(const struct blocked_fitted *fitted, const struct blocked_call *call)
{
    const uint64_t odd = 0x9E3779B97F4A7C15; /* 2^64 divided by the golden ratio */
    uint64_t hash = (uint64_t)fitted->locality;

    for (size_t d = 0; d < BLOCKED_MAX_SIZES; d++)
        hash = (hash ^ (uint64_t)call->size[d]) * odd;
    return (size_t)(hash >> 40);
}

static bool is_of(const struct blocked_evaluation *known, const struct blocked_fitted *fitted,
                  const struct blocked_call *call)
{
    return known->fitted == fitted && memcmp(known->size, call->size, sizeof known->size) == 0 &&
           strcmp(known->flags, call->kernel.flags) == 0;
}

/* Doubles a table of which half was filled or replaced; what it held is evaluated again. */
static void grow(struct blocked_memo *memo, struct fr_arena *arena)
{
    const size_t places = memo->places ? 2 * memo->places : BLOCKED_LEAST_EVALUATIONS;
    struct blocked_evaluation *larger = NULL;

    if (memo->places)
        larger = fr_arena_zeroed(arena, places, sizeof *larger);
    if (larger || !memo->places) {
        memo->larger = larger;
        memo->places = places;
    }
    memo->evaluated = 0;
}

const struct blocked_evaluation *blocked_recall(struct blocked_memo *memo,
                                                const struct blocked_fitted *fitted,
                                                const struct blocked_call *call,
                                                struct fr_arena *arena, double *steps)
{
    struct blocked_evaluation *known;

    if (memo->evaluated >= memo->places / 2 && memo->places < MOST_EVALUATIONS)
        grow(memo, arena);
    known = &(memo->larger ? memo->larger : memo->first)[hash_of(fitted, call) % memo->places];
    *steps += RECALL_STEPS;
    if (is_of(known, fitted, call))
        return known;
    memo->evaluated++;
    known->fitted = fitted;
    memcpy(known->flags, call->kernel.flags, sizeof known->flags);
    memcpy(known->size, call->size, sizeof known->size);
    known->nearest = blocked_evaluate(fitted, call, &known->times);
    *steps += EVALUATION_STEPS + (double)fitted->regions;
    return known;
}
