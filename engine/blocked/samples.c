/* A hash set of samples: a point measured once serves every region that contains it. */
#include "engine/blocked/modeling.h"

#include <stdlib.h>
#include <string.h>

static size_t hash(const int64_t *at)
{
    uint64_t mixed = 0;

    for (size_t d = 0; d < BLOCKED_MAX_SIZES; d++) {
        mixed = (mixed + (uint64_t)at[d]) * UINT64_C(0x9e3779b97f4a7c15);
        mixed ^= mixed >> 29;
    }
    return (size_t)mixed;
}

/* The slot of a point, or the empty slot for it. */
static size_t place(const struct blocked_samples *samples, const int64_t *at)
{
    size_t slot = hash(at) & (samples->slots - 1);

    while (samples->slot[slot] &&
           memcmp(samples->at[samples->slot[slot] - 1].at, at, sizeof samples->at->at) != 0)
        slot = (slot + 1) & (samples->slots - 1);
    return slot;
}

static int grow(struct blocked_samples *samples)
{
    const size_t room = samples->room ? 2 * samples->room : 64;
    struct blocked_sample *at = realloc(samples->at, room * sizeof *at);
    size_t *slot;

    if (!at)
        return -1;
    samples->at = at;
    slot = calloc(2 * room, sizeof *slot);
    if (!slot)
        return -1;
    free(samples->slot);
    samples->slot = slot;
    samples->slots = 2 * room;
    samples->room = room;
    for (size_t i = 0; i < samples->count; i++)
        slot[place(samples, samples->at[i].at)] = i + 1;
    return 0;
}

const struct blocked_sample *blocked_samples_find(const struct blocked_samples *samples,
                                                  const int64_t *at)
{
    size_t slot;

    if (samples->count == 0)
        return NULL;
    slot = samples->slot[place(samples, at)];
    return slot ? &samples->at[slot - 1] : NULL;
}

int blocked_samples_add(struct blocked_samples *samples, const struct blocked_sample *sample)
{
    size_t slot;

    if (samples->count == samples->room && grow(samples) != 0)
        return -1;
    slot = place(samples, sample->at);
    if (samples->slot[slot])
        return 0;
    samples->at[samples->count++] = *sample;
    samples->slot[slot] = samples->count;
    return 0;
}

void blocked_samples_free(struct blocked_samples *samples)
{
    free(samples->slot);
    free(samples->at);
    *samples = (struct blocked_samples){ 0 };
}
