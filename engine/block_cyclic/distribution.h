/* The block-cyclic distribution of rows or columns over processes
 * (docs/models/block_cyclic.md#symbols). */
#ifndef FR_BLOCK_CYCLIC_DISTRIBUTION_H
#define FR_BLOCK_CYCLIC_DISTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The slices in which the PBLAS multiply, whatever the block size (pilaenv.f). */
enum { CYCLIC_SLICE = 32 };

static inline int64_t cyclic_least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t cyclic_most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* ceil(a / b) of a >= 0, b > 0. */
static inline int64_t cyclic_blocks(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

/* The slot of a key among 2^bits, in a table that keeps the last of each slot. */
static inline size_t cyclic_slot_of(uint64_t key, int bits)
{
    return (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> (64 - bits));
}

int64_t cyclic_common_divisor(int64_t a, int64_t b);

/* How `n` rows divide: processes before `last` have `block` more than `whole`, `last` has `rest`
 * more. */
struct cyclic_shares {
    int64_t whole, block, last, rest;
};
struct cyclic_shares cyclic_shares_of(int64_t n, int64_t nb, int64_t processes);
static inline int64_t cyclic_share(const struct cyclic_shares *shares, int64_t i)
{
    return shares->whole + (i < shares->last    ? shares->block
                            : i == shares->last ? shares->rest
                                                : 0);
}
/* The rows of `n` from `first` on. */
struct cyclic_range {
    struct cyclic_shares all, before;
};
static inline struct cyclic_range cyclic_range_of(int64_t n, int64_t nb, int64_t processes,
                                                  int64_t first)
{
    return (struct cyclic_range){ cyclic_shares_of(n, nb, processes),
                                  cyclic_shares_of(first, nb, processes) };
}
static inline int64_t cyclic_range_share(const struct cyclic_range *range, int64_t i)
{
    return cyclic_share(&range->all, i) - cyclic_share(&range->before, i);
}
/* Processes `first` to `end` - 1 have `share` rows each; after the last process comes the first. */
struct cyclic_span {
    int64_t first, end, share;
};
enum { CYCLIC_SPANS = 5 };
struct cyclic_spans {
    size_t count;
    struct cyclic_span of[CYCLIC_SPANS];
};
/* All processes that have rows of the range. */
struct cyclic_spans cyclic_spans_of(const struct cyclic_range *range, int64_t processes);
static inline bool cyclic_span_has(const struct cyclic_span *span, int64_t i, int64_t processes)
{
    return (i >= span->first && i < span->end) || i + processes < span->end;
}
/* The rows of `n` that process `i` of `processes` has in blocks of `nb`. */
int64_t cyclic_rows(int64_t n, int64_t nb, int64_t i, int64_t processes);
/* Of these, the rows whose global index is at least `first`, which is at most n. */
int64_t cyclic_rows_from(int64_t n, int64_t nb, int64_t i, int64_t processes, int64_t first);
/* The most that a process has of the rows from `first` on, which is n or begins a block: the owner
 * of that block has them. */
int64_t cyclic_most_rows_from(int64_t n, int64_t nb, int64_t processes, int64_t first);

/* The process row and column that own the slice at `first` of the inner dimension `k` of a product,
 * in the order in which the PBLAS visit blocks (PB_CVMinit.c). */
struct cyclic_owner {
    int64_t row, column;
};
struct cyclic_owner cyclic_slice_owner(int64_t first, int64_t k, int64_t nb, int64_t process_rows,
                                       int64_t process_columns);

/* Sum over v < count of max(0, ceil((start + v step) / divisor)); step and divisor are positive.
 * Logarithmic in step and divisor. */
int64_t cyclic_sum_of_ceilings(int64_t count, int64_t step, int64_t start, int64_t divisor);

#endif
