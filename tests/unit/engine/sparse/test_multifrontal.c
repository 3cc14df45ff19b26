/* Assembly trees that can be drawn by hand (docs/models/multifrontal.md#a-worked-example), and what
 * must hold for every tree. */
#include "engine/multifrontal/multifrontal.h"
#include "engine/sparse/structure/structure.h"
#include "tests/unit/support/check.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

/* A pattern by columns. */
struct pattern {
    int32_t n, at[MOST + 1], row[MOST * MOST];
};

static void add_column(struct pattern *p, int32_t first, int32_t last)
{
    p->at[p->n + 1] = p->at[p->n];
    for (int32_t i = first; i <= last; i++)
        p->row[p->at[p->n + 1]++] = i;
    p->n++;
}

static struct sparse_fronts fronts_of(const struct pattern *p, const int32_t *place)
{
    int32_t natural[MOST];
    struct fr_faults faults = { 0 };
    struct sparse_fronts fronts;

    for (int32_t j = 0; j < p->n; j++)
        natural[j] = j;
    assert_int_equal(
        sparse_fronts_make(&fronts, p->n, p->at, p->row, place ? place : natural, &faults), FR_OK);
    return fronts;
}

static struct sparse_front_share share_of(const struct sparse_fronts *fronts, int64_t processes)
{
    struct fr_faults faults = { 0 };
    struct sparse_front_share share;

    assert_int_equal(sparse_fronts_share(fronts, processes, &share, &faults), FR_OK);
    return share;
}

static void assert_front(const struct sparse_fronts *fronts, int32_t i, int32_t pivots,
                         int32_t order, int32_t parent)
{
    assert_true(i < fronts->count);
    assert_int_equal(fronts->front[i].pivots, pivots);
    assert_int_equal(fronts->front[i].order, order);
    assert_int_equal(fronts->front[i].parent, parent);
}

/* Only the upper entries are given: the factorization is of A+A'. */
TEST(the_last_two_columns_of_a_chain_are_one_front)
{
    struct pattern p = { 0 };
    struct sparse_multifrontal sum;
    struct sparse_front_share share;
    struct sparse_fronts fronts;

    for (int32_t j = 0; j < 4; j++)
        add_column(&p, j ? j - 1 : 0, j);
    fronts = fronts_of(&p, NULL);
    assert_int_equal(fronts.count, 3);
    assert_front(&fronts, 0, 1, 2, 1);
    assert_front(&fronts, 1, 1, 2, 2);
    assert_front(&fronts, 2, 2, 2, -1);
    sum = sparse_multifrontal_count(&fronts);
    assert_int_equal(sum.fronts, 3);
    assert_int_equal(sum.largest_front, 2);
    assert_int_equal(sum.factor_entries, 10);
    assert_close(sum.flops, 9, 1e-12);
    share = share_of(&fronts, 1);
    assert_int_equal(share.most_entries, 10);
    assert_int_equal(share.all_entries, 10);
    assert_int_equal(share.most_indices, 3 * (2 * 2 + 20));
    sparse_fronts_free(&fronts);
}

TEST(a_dense_matrix_is_one_front)
{
    struct pattern p = { 0 };
    struct sparse_multifrontal sum;
    struct sparse_fronts fronts;

    for (int32_t j = 0; j < 3; j++)
        add_column(&p, 0, 2);
    fronts = fronts_of(&p, (int32_t[]){ 2, 0, 1 });
    assert_int_equal(fronts.count, 1);
    assert_front(&fronts, 0, 3, 3, -1);
    sum = sparse_multifrontal_count(&fronts);
    assert_int_equal(sum.factor_entries, 9);
    assert_close(sum.flops, 13, 1e-12);
    assert_int_equal(share_of(&fronts, 1).most_entries, 9);
    sparse_fronts_free(&fronts);
}

/* Column 0 beside a dense block of `dense` columns, to whose first it is coupled. */
static struct sparse_fronts pendant(int32_t dense)
{
    struct pattern p = { 0 };

    add_column(&p, 0, 1);
    for (int32_t j = 1; j <= dense; j++)
        add_column(&p, 1, dense);
    return fronts_of(&p, NULL);
}

TEST(a_front_is_merged_below_five_percent_of_zeros)
{
    struct sparse_fronts fronts = pendant(20); /* 38 zeros among 441 entries: 8.6 % */

    assert_int_equal(fronts.count, 2);
    assert_front(&fronts, 0, 1, 2, 1);
    assert_front(&fronts, 1, 20, 20, -1);
    sparse_fronts_free(&fronts);
    fronts = pendant(40); /* 78 among 1681: 4.6 % */
    assert_int_equal(fronts.count, 1);
    assert_front(&fronts, 0, 41, 41, -1);
    sparse_fronts_free(&fronts);
}

/* Two leaves of order 4 with 2 pivots below a root of order 2. */
TEST(a_block_waits_where_its_front_was)
{
    struct sparse_front list[] = { { 2, 2, 4 }, { 2, 2, 4 }, { -1, 2, 2 } };
    const struct sparse_fronts fronts = { 3, list };
    struct sparse_front_share share = share_of(&fronts, 1);

    assert_int_equal(share.most_entries, 12 + 4 + 16); /* while the second leaf is assembled */
    share = share_of(&fronts, 2);
    assert_int_equal(share.most_entries, 16);
    assert_int_equal(share.all_entries, 16 + 16);
    assert_int_equal(share.most_indices, 28 + 24);
    assert_int_equal(share.all_indices, 28 + 28 + 24);
}

TEST(large_fronts_are_divided_above_the_subtrees)
{
    struct sparse_front list[] = { { 2, 100, 900 }, { 2, 100, 900 }, { -1, 800, 800 } };
    const struct sparse_fronts fronts = { 3, list };
    const struct sparse_front_share share = share_of(&fronts, 2);

    /* A leaf each, and half of the root: factors 170,000, block 640,000, and 320,000. */
    assert_int_equal(share.most_entries, 170000 + 640000 + 320000);
    assert_int_equal(share.all_entries, 2 * share.most_entries);
}

TEST(the_child_that_frees_most_comes_first)
{
    struct pattern p = { 0 };
    struct sparse_fronts fronts;

    /* Columns 0 to 5 with 12: peak 49, block 1.  Columns 6 to 11 with 13 to 16: 100 and 16. */
    for (int32_t j = 0; j < 6; j++)
        add_column(&p, 0, 5);
    for (int32_t j = 6; j < 12; j++)
        add_column(&p, 6, 11);
    add_column(&p, 12, 16);
    for (int32_t i = 0; i < 6; i++)
        p.row[p.at[p.n]++] = i;
    for (int32_t j = 13; j < 17; j++)
        add_column(&p, 6, 16);
    fronts = fronts_of(&p, NULL);
    assert_int_equal(fronts.count, 3);
    assert_front(&fronts, 0, 6, 10, 2);
    assert_front(&fronts, 1, 6, 7, 2);
    assert_front(&fronts, 2, 5, 5, -1);
    /* The stack alone: 100, then 16 + 49, then 16 + 25; the other way round 101.  The fullest
     * moment is the last: 84 + 48 factors, the block of 16, and the root over the block of 1. */
    assert_int_equal(share_of(&fronts, 1).most_entries, 132 + 16 + 25);
    sparse_fronts_free(&fronts);
}

/* A grid with neighbours along its axes; `what` MUMPS 5.5.1 says after its analysis of it. */
static void assert_grid(const int32_t size[3], const struct sparse_multifrontal *what)
{
    enum { COLUMNS = 1000 };
    static int32_t at[COLUMNS + 1], row[4 * COLUMNS], place[COLUMNS];
    const int32_t step[3] = { 1, size[0], size[0] * size[1] }, n = step[2] * size[2];
    struct fr_faults faults = { 0 };
    struct sparse_multifrontal sum;
    struct sparse_fronts fronts;

    assert_true(n <= COLUMNS);
    for (int32_t j = 0; j < n; j++) {
        place[j] = j;
        at[j + 1] = at[j];
        row[at[j + 1]++] = j;
        for (int axis = 0; axis < 3; axis++)
            if (j / step[axis] % size[axis] > 0)
                row[at[j + 1]++] = j - step[axis];
    }
    assert_int_equal(sparse_fronts_make(&fronts, n, at, row, place, &faults), FR_OK);
    sum = sparse_multifrontal_count(&fronts);
    assert_int_equal(sum.fronts, what->fronts);
    assert_int_equal(sum.largest_front, what->largest_front);
    assert_int_equal(sum.factor_entries, what->factor_entries);
    assert_close(sum.flops, what->flops, 1e-12);
    sparse_fronts_free(&fronts);
}

/* INFOG(6), INFOG(5), INFOG(20), RINFOG(1). */
TEST(grids_are_what_mumps_says)
{
    assert_grid((int32_t[]){ 30, 30, 1 },
                &(struct sparse_multifrontal){ 14, 302, 276118, 55134947 });
    assert_grid((int32_t[]){ 20, 10, 5 },
                &(struct sparse_multifrontal){ 9, 925, 871596, 529182662 });
}

static uint64_t next(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 33;
}

/* Entries of the factors of A+A' without merging: elimination in a dense table. */
static int64_t fill_of(const struct pattern *p, const int32_t *place)
{
    static char is_there[MOST][MOST];
    int64_t count = 0;

    memset(is_there, 0, sizeof is_there);
    for (int32_t j = 0; j < p->n; j++)
        for (int32_t e = p->at[j]; e < p->at[j + 1]; e++)
            is_there[place[j]][place[p->row[e]]] = is_there[place[p->row[e]]][place[j]] = 1;
    for (int32_t k = 0; k < p->n; k++) {
        is_there[k][k] = 1;
        for (int32_t i = k + 1; i < p->n; i++)
            for (int32_t j = k + 1; is_there[i][k] && j < p->n; j++)
                is_there[i][j] |= is_there[k][j];
    }
    for (int32_t i = 0; i < p->n; i++)
        for (int32_t j = 0; j < p->n; j++)
            count += is_there[i][j];
    return count;
}

static void assert_tree(const struct sparse_fronts *fronts, int32_t n)
{
    int64_t pivots = 0;

    for (int32_t i = 0; i < fronts->count; i++) {
        const struct sparse_front *front = &fronts->front[i];
        const int32_t left = front->order - front->pivots;

        pivots += front->pivots;
        assert_true(front->pivots >= 1 && left >= 0);
        assert_true(front->parent == -1 ? left == 0 : front->parent > i);
        assert_true(front->parent == -1 || left <= fronts->front[front->parent].order);
    }
    assert_int_equal(pivots, n);
}

TEST(every_tree_eliminates_each_column_once)
{
    uint64_t seed = 1;

    for (int round = 0; round < 60; round++) {
        static struct pattern p;
        int32_t place[MOST];
        struct sparse_fronts fronts;
        struct sparse_front_share one;
        struct sparse_multifrontal sum;

        p.n = 1 + (int32_t)(next(&seed) % (MOST - 1));
        p.at[0] = 0;
        for (int32_t j = 0; j < p.n; j++) {
            p.at[j + 1] = p.at[j];
            place[j] = j;
            for (int32_t i = 0; i < p.n; i++)
                if (i == j || next(&seed) % (uint64_t)p.n < 2)
                    p.row[p.at[j + 1]++] = i;
        }
        for (int32_t j = p.n - 1; j > 0; j--) {
            const int32_t other = (int32_t)(next(&seed) % (uint64_t)(j + 1)), kept = place[j];

            place[j] = place[other];
            place[other] = kept;
        }
        fronts = fronts_of(&p, place);
        assert_tree(&fronts, p.n);
        sum = sparse_multifrontal_count(&fronts);
        one = share_of(&fronts, 1);
        assert_true(one.most_entries >= sum.factor_entries);
        assert_true(one.most_entries <= sum.factor_entries + 2 * (int64_t)p.n * p.n);
        for (int64_t processes = 2; processes <= 8; processes *= 2) {
            const struct sparse_front_share share = share_of(&fronts, processes);

            assert_true(share.most_entries <= share.all_entries);
            assert_true(share.all_entries >= sum.factor_entries);
        }
        /* Fewer than strict elimination has, since columns move ahead; or more, by merged zeros. */
        assert_true((double)sum.factor_entries <= 1.3 * (double)fill_of(&p, place) + 200);
        sparse_fronts_free(&fronts);
    }
}

static struct sparse_mumps small(int64_t processes)
{
    return (struct sparse_mumps){ .n = 100,
                                  .entries = 500,
                                  .tree = { .fronts = 10, .largest_front = 20 },
                                  .share = { .processes = processes,
                                             .most_entries = 1000,
                                             .all_entries = 1000,
                                             .most_indices = 300,
                                             .all_indices = 300 } };
}

TEST(the_memory_of_one_process_can_be_added_up)
{
    const struct sparse_mumps mumps = small(1);
    const struct sparse_mumps_memory memory = sparse_mumps_memory(&mumps, 20);

    /* 1720 words, 1920 integers, two buffers of 140,000 bytes. */
    assert_close(memory.most, 1720 * 8 + 1920 * 4 + 280000, 1e-12);
    assert_close(memory.all, memory.most, 1e-12);
}

TEST(the_relaxation_that_fits_is_the_largest)
{
    const struct sparse_mumps mumps = small(2);
    const double bytes = sparse_mumps_memory(&mumps, 37).most;

    assert_int_equal(sparse_mumps_relax(&mumps, bytes), 37);
    assert_int_equal(sparse_mumps_relax(&mumps, bytes - 1), 36);
    assert_int_equal(sparse_mumps_relax(&mumps, 1000), -1);
    assert_int_equal(sparse_mumps_relax(&mumps, 1e12), SPARSE_MUMPS_RELAX_MOST);
}

TEST(the_range_is_that_of_the_errors_seen)
{
    struct sparse_mumps mumps = small(1);
    struct sparse_mumps_range range = sparse_mumps_errors(&mumps, SPARSE_ORDERING_amd, 20);

    assert_close(range.high, 1.03 * 301440 + 1e6, 1e-12);
    assert_close(range.low, 0, 1e-12);
    mumps = small(2);
    mumps.share.most_entries = 1000000000;
    range = sparse_mumps_errors(&mumps, SPARSE_ORDERING_amd, 20);
    assert_close(range.high - 1e6, 1.4 * sparse_mumps_memory(&mumps, 20).most, 1e-12);
    assert_close(range.low + 1e6, 0.8 * sparse_mumps_memory(&mumps, 20).most, 1e-12);
    range = sparse_mumps_errors(&mumps, SPARSE_ORDERING_natural, 20);
    assert_close(range.high - 1e6, 2.6 * sparse_mumps_memory(&mumps, 20).most, 1e-12);
}
