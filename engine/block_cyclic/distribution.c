/* Counting in a block-cyclic distribution. */
#include "engine/block_cyclic/values.h"

struct cyclic_shares cyclic_shares_of(int64_t n, int64_t nb, int64_t processes)
{
    const int64_t blocks = n / nb;

    return (struct cyclic_shares){ blocks / processes * nb, nb, blocks % processes, n % nb };
}

struct cyclic_spans cyclic_spans_of(const struct cyclic_range *range, int64_t processes)
{
    const int64_t edge[] = { range->all.last, range->all.last + 1, range->before.last,
                             range->before.last + 1 };
    const int64_t start = range->before.last, around = start + processes;
    struct cyclic_spans spans = { 0 };

    for (int64_t first = start, end; first < around; first = end) {
        const int64_t share =
            cyclic_range_share(range, first < processes ? first : first - processes);

        end = around;
        for (size_t i = 0; i < sizeof edge / sizeof edge[0]; i++) {
            const int64_t next = edge[i] > first ? edge[i] : edge[i] + processes;

            end = next > first && next < end ? next : end;
        }
        if (share)
            spans.of[spans.count++] =
                first < processes
                    ? (struct cyclic_span){ first, end, share }
                    : (struct cyclic_span){ first - processes, end - processes, share };
    }
    return spans;
}

int64_t cyclic_rows(int64_t n, int64_t nb, int64_t i, int64_t processes)
{
    const struct cyclic_shares shares = cyclic_shares_of(n, nb, processes);

    return cyclic_share(&shares, i);
}

int64_t cyclic_rows_from(int64_t n, int64_t nb, int64_t i, int64_t processes, int64_t first)
{
    return cyclic_rows(n, nb, i, processes) - cyclic_rows(first, nb, i, processes);
}

int64_t cyclic_most_rows_from(int64_t n, int64_t nb, int64_t processes, int64_t first)
{
    return cyclic_rows_from(n, nb, first / nb % processes, processes, first);
}

struct cyclic_owner cyclic_slice_owner(int64_t first, int64_t k, int64_t nb, int64_t process_rows,
                                       int64_t process_columns)
{
    const int64_t period =
        process_rows / fr_common_divisor(process_rows, process_columns) * process_columns;
    const int64_t blocks = cyclic_blocks(k, nb), each = blocks / period, longer = blocks % period;
    const int64_t block = first / nb;
    int64_t turn; /* the first `longer` residues have one block more */

    if (block < longer * (each + 1))
        turn = block / (each + 1);
    else
        turn = each ? longer + (block - longer * (each + 1)) / each : period - 1;
    turn = cyclic_least(turn, period - 1);
    return (struct cyclic_owner){ turn % process_rows, turn % process_columns };
}

/* Sum over v < count of floor((step v + start) / divisor), start >= 0. */
static int64_t sum_of_floors(int64_t count, int64_t step, int64_t start, int64_t divisor)
{
    int64_t sum = 0;

    for (;;) {
        int64_t top;

        sum += count * (count - 1) / 2 * (step / divisor) + count * (start / divisor);
        step %= divisor;
        start %= divisor;
        top = step * count + start;
        if (top < divisor)
            return sum;
        /* The points below the line, counted along the other axis. */
        count = top / divisor;
        start = top % divisor;
        top = step;
        step = divisor;
        divisor = top;
    }
}

int64_t cyclic_sum_of_ceilings(int64_t count, int64_t step, int64_t start, int64_t divisor)
{
    const int64_t skipped = start > 0 ? 0 : cyclic_least(count, -start / step + 1);

    if (skipped >= count)
        return 0;
    /* ceil(x / d) = floor((x + d - 1) / d) */
    return sum_of_floors(count - skipped, step, start + skipped * step + divisor - 1, divisor);
}
