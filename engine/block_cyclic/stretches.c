/* Stretches of a long sequence of steps (docs/models/block_cyclic.md#stretches). */
#include "engine/block_cyclic/values.h"

#include <math.h>

/* The least steps that settle the clocks and that are measured; the most, where one is asked for
 * all that is known and where not; and the slices of a block that count among them. */
enum { LEAST_SETTLING = 8, LEAST_MEASURED = 16, MOST_SETTLING = 32, MOST_MEASURED = 128 };
enum { MOST_ROUGH = 16, MOST_SLICES = 8 };
/* Panels take turns with their owners; slices of a block do so late, and need more intervals. */
enum { MOST_INTERVALS_OF_PANELS = 12 };
/* Beyond this share of the steps all of them are followed. */
static const double worthwhile = 0.8;

static void add(struct cyclic_stretches *all, int64_t settle, int64_t first, int64_t end,
                double weight)
{
    struct cyclic_stretch *last = all->count ? &all->of[all->count - 1] : NULL;

    if (end <= settle)
        return;
    all->steps += end - settle;
    if (last && last->weight == 1 && weight == 1 && last->end == settle)
        last->end = end;
    else
        all->of[all->count++] = (struct cyclic_stretch){ settle, first, end, weight };
}

static void add_all(struct cyclic_stretches *all, int64_t first, int64_t end)
{
    add(all, first, first, end, 1);
}

/* Two stretches at the points of Gauss's rule, or all steps if these are hardly more. */
static void add_interval(struct cyclic_stretches *all, int64_t first, int64_t end, int64_t settling,
                         int64_t measured)
{
    const double length = (double)(end - first), middle = (double)first + length / 2;
    const double away = length / 2 / sqrt(3);

    if (length < 2 * (double)settling + 2.5 * (double)measured) {
        add_all(all, first, end);
        return;
    }
    for (int side = -1; side <= 1; side += 2) {
        const int64_t at = llround(middle + side * away - (double)measured / 2);

        add(all, at - settling, at, at + measured, length / 2 / (double)measured);
    }
}

/* The steps that are measured at a time: whole rounds of the process columns and as many as there
 * are rows, unless they are more than `most` panels. */
static int64_t measured_of(int64_t each, int64_t rows, int64_t columns, int64_t most_panels)
{
    const int64_t few = cyclic_least(each, MOST_SLICES), most = most_panels * few;
    const int64_t round = columns * each, unit = round <= most ? round : few;
    const int64_t least = cyclic_most(LEAST_MEASURED, cyclic_least(rows * few, most));

    return cyclic_blocks(least, unit) * unit;
}

struct cyclic_stretches cyclic_stretches_of(const struct cyclic_sequence *sequence, int64_t rows,
                                            int64_t columns, enum cyclic_detail detail)
{
    const bool is_rough = detail == CYCLIC_ROUGH;
    const int64_t count = sequence->count;
    const int64_t each =
        cyclic_least(count, cyclic_most(1, sequence->block / sequence->width)); /* of an owner */
    const int64_t measured =
        measured_of(each, rows, columns, is_rough ? MOST_ROUGH : MOST_MEASURED);
    const int64_t owners = is_rough ? cyclic_least(columns, MOST_ROUGH) : columns;
    const int64_t round = owners * cyclic_least(each, MOST_SLICES);
    const int64_t settling = cyclic_least(is_rough ? LEAST_SETTLING : MOST_SETTLING,
                                          cyclic_most(LEAST_SETTLING, round / 2));
    const int64_t head = sequence->ahead + round + LEAST_SETTLING,
                  tail = 2 * round + LEAST_MEASURED;
    const int64_t intervals = each == 1 ? cyclic_least(detail, MOST_INTERVALS_OF_PANELS) : detail;
    struct cyclic_stretches all = { 0 };

    if (detail && count > head + tail) {
        add_all(&all, 0, head);
        for (int64_t i = intervals, first = head; i > 0; i--) {
            const double left = (double)(count - head) * sqrt((double)(i - 1) / (double)intervals);
            const int64_t end = count - cyclic_most(tail, llround(left));

            if (end > first)
                add_interval(&all, first, end, settling, measured);
            first = cyclic_most(first, end);
        }
        add_all(&all, count - tail, count);
        if ((double)all.steps < worthwhile * (double)count)
            return all;
    }
    all = (struct cyclic_stretches){ 0 };
    add_all(&all, 0, count);
    return all;
}
