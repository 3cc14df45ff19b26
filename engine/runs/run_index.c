/* Sorts saved runs by the hash of their configuration, so that those of a question are found by
 * bisection. */
#include "engine/core/statistics.h"
#include "engine/runs/saved_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* By configuration, then newest first. */
static int by_configuration(const void *left, const void *right)
{
    const struct fr_indexed_run *a = left, *b = right;

    if (a->footprint.decided != b->footprint.decided)
        return a->footprint.decided < b->footprint.decided ? -1 : 1;
    return (a->sequence < b->sequence) - (a->sequence > b->sequence);
}

/* Adds a run to those in the order of their uploads; where there is no place, the oldest makes
 * room. */
static size_t insert(const struct fr_indexed_run *run, size_t count,
                     const struct fr_indexed_run *out[FR_MOST_MATCHING])
{
    size_t at;

    if (count == FR_MOST_MATCHING && run->sequence < out[0]->sequence)
        return count;
    if (count == FR_MOST_MATCHING)
        memmove(out, out + 1, --count * sizeof *out);
    for (at = count++; at > 0 && out[at - 1]->sequence > run->sequence; at--)
        out[at] = out[at - 1];
    out[at] = run;
    return count;
}

void fr_run_index_sort(struct fr_run_index *index)
{
    qsort(index->run, index->count, sizeof *index->run, by_configuration);
    index->configurations = 0;
    for (size_t i = 0; i < index->count; i++)
        if (!i || index->run[i].footprint.decided != index->run[i - 1].footprint.decided)
            index->configurations = insert(&index->run[i], index->configurations, index->newest);
}

/* The place of the first run whose hash is not below this one. */
static size_t first_of(const struct fr_run_index *index, uint64_t decided)
{
    size_t low = 0, high = index->count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (index->run[middle].footprint.decided < decided)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t fr_run_index_find(const struct fr_run_index *index, const void *values, uint64_t given,
                         enum fr_agreement agreement,
                         const struct fr_indexed_run *out[FR_MOST_MATCHING])
{
    struct fr_footprint asked;
    size_t found = 0;

    if (!index->count)
        return 0;
    fr_footprint_of(index->model, values, &asked);
    for (size_t i = first_of(index, asked.decided);
         i < index->count && found < FR_MOST_MATCHING &&
         index->run[i].footprint.decided == asked.decided;
         i++)
        if (fr_footprint_agrees(index->model, &index->run[i].footprint, &asked, given, agreement))
            out[found++] = &index->run[i];
    return found;
}

size_t fr_run_index_candidates(const struct fr_run_index *index, const void *values, uint64_t given,
                               const struct fr_indexed_run *out[FR_MOST_MATCHING])
{
    const struct fr_indexed_run *own[FR_MOST_MATCHING];
    size_t count = index->configurations;

    memcpy(out, index->newest, count * sizeof *out);
    if (!fr_run_index_find(index, values, given, FR_SAME_ITERATION, own))
        return count;
    if (count == FR_MOST_MATCHING)
        memmove(out, out + 1, --count * sizeof *out);
    out[count++] = own[0];
    return count;
}

struct fr_run_time fr_run_index_time(const struct fr_run_index *index, const void *resolved,
                                     uint64_t given)
{
    const struct fr_indexed_run *found[FR_MOST_MATCHING];
    const size_t count = fr_run_index_find(index, resolved, given, FR_SAME_TIME, found);
    double time_s[FR_MOST_MATCHING];

    for (size_t i = 0; i < count; i++)
        time_s[i] = found[i]->time_s;
    fr_sort(time_s, count);
    return (struct fr_run_time){ count, count ? fr_quantile(time_s, count, 0.5) : NAN };
}
