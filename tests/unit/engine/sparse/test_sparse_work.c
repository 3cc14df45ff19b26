/* The bounds on work and memory hold. */
#include "tests/unit/support/sparse.h"

#include "engine/sparse/counts/work.h"
#include "engine/sparse/rates/rates.h"

static const struct sparse_machine machine = {
    .flop_s = 1e-9,
    .memory_latency_s = 1e-7,
    .levels = 2,
    .level = { { 4096, 64, SPARSE_LRU, 1e-9 }, { 65536, 64, SPARSE_LRU, 5e-9 } },
    .index_bytes = 4,
    .dgemm_block = { 8, 8, 8 },
    .dgemm_unroll = { 4, 2 },
    .dger_unroll = 4,
    .dtrsv_unroll = 4,
    .dtrsv_loads_linear = 2,
};

static const struct sparse_grid grids[] = { { 1, 1 }, { 1, 5 }, { 4, 1 }, { 3, 3 }, { 40, 30 } };

static double bytes_of(const struct sparse_work_counts *counts)
{
    double bytes = 0;

    for (int64_t p = 0; p < sparse_processes(counts->grid); p++)
        bytes += (double)sizeof counts->process[p] + (double)counts->s->supernodes +
                 (double)counts->process[p].room * sizeof(double);
    return bytes;
}

static int32_t bits_of(uint8_t has)
{
    return (has & 1) + (has >> 1 & 1) + (has >> 2 & 1) + (has >> 3 & 1);
}

static double operations_in(const struct sparse_work_counts *counts)
{
    double count = 0;

    for (int64_t p = 0; p < sparse_processes(counts->grid); p++)
        for (int32_t k = 0; k < counts->s->supernodes; k++)
            count += bits_of(counts->process[p].has[k]);
    return count;
}

static void check(const struct sparse_structure *s, struct sparse_grid grid)
{
    struct fr_faults faults = { 0 };
    struct sparse_work_counts *counts = sparse_work_counts_paper(s, grid, &machine, &faults);
    struct sparse_work work;
    double expected;

    assert_non_null(counts);
    assert_int_equal(sparse_work_counts_count_all(counts, &faults), FR_OK);
    sparse_work_find(s, grid, &work);
    expected = sparse_work_bytes(&work, s, grid, counts->panel_terms, counts->update_terms);
    assert_true(operations_in(counts) <= work.panels + work.updates);
    assert_true(bytes_of(counts) <= expected);
    if (sparse_processes(grid) == 1) /* on one process the bound is exact */
        assert_true(operations_in(counts) == work.panels + work.updates ||
                    operations_in(counts) >= (work.panels + work.updates) / 2);
    sparse_work_counts_free(counts);
}

TEST(no_simulation_takes_more_than_expected)
{
    for (int seed = 1; seed <= 20; seed++) {
        struct sparse_structure *s = sparse_valid(sparse_random(seed, 5 + seed, 6, 10 + seed));

        for (size_t i = 0; i < sizeof grids / sizeof grids[0]; i++)
            check(s, grids[i]);
        sparse_structure_free(s);
    }
}

TEST(more_processes_are_more_work)
{
    struct sparse_structure *s = sparse_valid(sparse_dissected(5, 6));
    struct sparse_work one, many;

    sparse_work_find(s, (struct sparse_grid){ 1, 1 }, &one);
    sparse_work_find(s, (struct sparse_grid){ 8, 8 }, &many);
    assert_true(many.updates > one.updates && many.panels > one.panels);
    assert_true(sparse_paper_updates(s, (struct sparse_grid){ 1, 1 }) >= s->facts.updates);
    assert_true(sparse_paper_updates(s, (struct sparse_grid){ 200, 200 }) >
                4e4 * (double)s->supernodes / 6);
    assert_true(sparse_walk_steps(s, (struct sparse_grid){ 8, 8 }) > 64. * s->supernodes);
    assert_true(sparse_calibrated_updates(&many, s) > sparse_calibrated_updates(&one, s));
    sparse_structure_free(s);
}

struct patience {
    int left;
};

static bool goes_on(const void *context)
{
    struct patience *patience = (struct patience *)(uintptr_t)context;

    return patience->left-- > 0;
}

/* One process has so many updates that goes_on is called several times. */
TEST(counting_can_be_ended_within_a_process)
{
    struct sparse_structure *s = sparse_valid(sparse_dissected(12, 4));
    struct fr_faults faults = { 0 };
    const struct sparse_grid grid = { 1, 1 };

    assert_true(s->facts.updates > 2e5);
    for (int left = 1; left < 1000; left += 998) {
        struct sparse_work_counts *counts = sparse_work_counts_paper(s, grid, &machine, &faults);
        struct sparse_counter *counter = sparse_counter_new(counts);
        struct patience patience = { left };

        sparse_counter_ask(counter, goes_on, &patience);
        assert_int_equal(sparse_work_counts_count(counts, counter, 0),
                         left == 1 ? FR_TOO_LONG : FR_OK);
        assert_true(patience.left < left - 1 || left == 1);
        sparse_counter_free(counter);
        sparse_work_counts_free(counts);
    }
    sparse_structure_free(s);
}
