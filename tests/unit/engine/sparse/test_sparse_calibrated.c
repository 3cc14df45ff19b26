/* The kernel model `calibrated`: rate tables, the six sums of an example computed by hand, and
 * invariants on random structures. */
#include "engine/sparse/clocks/clocks.h"
#include "engine/sparse/rates/rates.h"
#include "tests/unit/support/sparse.h"

#include <string.h>

/* ---- tables --------------------------------------------------------------------------------- */

/* Sizes in any order; the rate of (m, n) is m n^2. */
static struct fr_rate square_rows[] = {
    { 16, 8, 0, 16. * 64 }, { 4, 2, 0, 4. * 4 }, { 4, 8, 0, 4. * 64 }, { 16, 2, 0, 16. * 4 }
};

static struct fr_kernel kernel_of(struct fr_rate *row, size_t count)
{
    struct fr_kernel kernel = { 0 };

    kernel.rates.row = row;
    kernel.rates.count = count;
    return kernel;
}

static double rate_at(double m, double n)
{
    const struct fr_kernel kernel = kernel_of(square_rows, 4);
    struct fr_faults faults = { 0 };
    struct sparse_rates rates;
    double rate;

    assert_int_equal(sparse_rates_init(&rates, FR_DGER, &kernel, &faults), FR_OK);
    rate = 1 / sparse_rates_s(&rates, 1, (const double[]){ m, n });
    sparse_rates_free(&rates);
    return rate;
}

TEST(rates_are_interpolated_in_logarithms_and_end_at_the_last_size)
{
    assert_close(rate_at(4, 2), 16, 1e-12);
    assert_close(rate_at(16, 8), 1024, 1e-12);
    assert_close(rate_at(8, 2), 32, 1e-12); /* a power law is interpolated exactly */
    assert_close(rate_at(8, 4), 128, 1e-12);
    assert_close(rate_at(5, 3), 45, 1e-12);
    assert_close(rate_at(1, 1), 16, 1e-12);
    assert_close(rate_at(1000, 3), 16 * 9, 1e-12);
    assert_close(rate_at(5, 1000), 5 * 64, 1e-12);
}

TEST(what_lies_outside_is_noted)
{
    const struct fr_kernel kernel = kernel_of(square_rows, 4);
    struct fr_faults faults = { 0 };
    struct sparse_rates rates;

    assert_int_equal(sparse_rates_init(&rates, FR_DGER, &kernel, &faults), FR_OK);
    sparse_rates_s(&rates, 16, (const double[]){ 4, 2 });
    assert_close(rates.time_s, 1, 1e-12);
    assert_true(rates.axis[0].outside_s == 0 && rates.axis[1].outside_s == 0);
    sparse_rates_s(&rates, 16, (const double[]){ 2, 2 });
    sparse_rates_s(&rates, 16, (const double[]){ 3, 1 });
    assert_close(rates.axis[0].outside_s, 2, 1e-12);
    assert_close(rates.axis[0].value, 2, 1e-12);
    assert_close(rates.axis[1].outside_s, 1, 1e-12);
    assert_close(rates.axis[1].value, 1, 1e-12);
    sparse_rates_s(&rates, 64, (const double[]){ 4, 64 });
    assert_close(rates.axis[0].value, 2, 1e-12);
    assert_close(rates.axis[1].value, 64, 1e-12);
    sparse_rates_free(&rates);
}

static void refused(enum fr_routine routine, struct fr_rate *row, size_t count, const char *why)
{
    const struct fr_kernel kernel = kernel_of(row, count);
    struct fr_faults faults = { 0 };
    struct sparse_rates rates;

    assert_int_equal(sparse_rates_init(&rates, routine, &kernel, &faults), FR_GROUP_MISSING);
    assert_string_equal(faults.fault[0].where, "calibration");
    if (!strstr(faults.fault[0].message, why))
        fail_msg("'%s' does not say '%s'", faults.fault[0].message, why);
}

TEST(tables_with_holes_are_refused_by_name)
{
    struct fr_rate row[SPARSE_MAX_SIZES + 1];

    refused(FR_DGEMM, NULL, 0, "kernels.dgemm.rates is missing");
    refused(FR_DGER, square_rows, 3, "kernels.dger.rates has 3 rates for 4 combinations");
    refused(FR_DTRSV, square_rows, 4, "kernels.dtrsv.rates.0 needs exactly the sizes");
    refused(FR_DGEMM, square_rows, 4, "m, n and k");
    memcpy(row, square_rows, sizeof square_rows);
    row[2] = row[1];
    refused(FR_DGER, row, 4, "repeats the sizes");
    for (int64_t i = 0; i <= SPARSE_MAX_SIZES; i++)
        row[i] = (struct fr_rate){ 0, i + 1, 0, 1e9 };
    refused(FR_DTRSV, row, SPARSE_MAX_SIZES + 1, "more than 64 sizes");
}

/* ---- the example ---------------------------------------------------------------------------- */

/* The same rate whatever the sizes: dgemm, dtrsm, dger, dtrsv. */
static struct fr_rate flat[] = {
    { 1, 1, 1, 1e9 }, { 1, 1, 0, 2e9 }, { 1, 1, 0, 5e8 }, { 0, 1, 0, 1e8 }
};

static struct sparse_tables flat_tables(void)
{
    struct fr_kernel kernel[FR_ROUTINES] = { [FR_DGEMM] = kernel_of(&flat[0], 1),
                                             [FR_DTRSM] = kernel_of(&flat[1], 1),
                                             [FR_DGER] = kernel_of(&flat[2], 1),
                                             [FR_DTRSV] = kernel_of(&flat[3], 1) };
    struct fr_faults faults = { 0 };
    struct sparse_tables tables;

    assert_int_equal(sparse_tables_init(&tables, kernel, &faults), FR_OK);
    return tables;
}

/* Widths 2, 3, 4; L(1,0) of 2 rows, L(2,0) of 3, L(2,1) of 4; U(0,1) of 2 columns, U(0,2) of 3,
 * U(1,2) of 4. */
static struct sparse_structure *example(void)
{
    struct fr_faults faults = { 0 };
    struct sparse_structure *s = sparse_structure_new(9, 3, 3, 3, &faults);

    memcpy(s->width, (int32_t[]){ 2, 3, 4 }, 3 * sizeof *s->width);
    memcpy(s->l_at, (int64_t[]){ 0, 2, 3 }, 3 * sizeof *s->l_at);
    memcpy(s->u_at, (int64_t[]){ 0, 2, 3 }, 3 * sizeof *s->u_at);
    memcpy(s->l, (struct sparse_l_block[]){ { 1, 2 }, { 2, 3 }, { 2, 4 } }, 3 * sizeof *s->l);
    memcpy(s->u,
           (struct sparse_u_block[]){ { 1, 2, 3, 2, 5 }, { 2, 3, 6, 2, 12 }, { 2, 4, 10, 3, 26 } },
           3 * sizeof *s->u);
    return sparse_valid(s);
}

TEST(the_sums_of_an_example_are_those_worked_by_hand)
{
    static const struct sparse_fit fit = { 2, 3, 1e-9, 1e-7, 1e-8, 1e-6 };
    struct sparse_tables tables = flat_tables();
    struct sparse_structure *s = example();
    struct fr_faults faults = { 0 };
    struct sparse_sums sums;

    assert_int_equal(sparse_calibrated_sums(s, &tables, &sums, &faults), FR_OK);
    /* 2 M N K: 5 2 2, 5 3 2 (the set of the others), 4 4 3 */
    assert_close(sums.gemm_s, (40 + 60 + 96) / 1e9, 1e-12);
    /* dger 2 n^2: orders 1; 2, 1; 3, 2, 1. dtrsm rows w^2: 5 2^2, 4 3^2. dtrsv: sums of squares */
    assert_close(sums.panel_s, (2 + 10 + 28) / 5e8 + (20 + 36) / 2e9 + (5 + 12 + 26) / 1e8, 1e-12);
    assert_close(sums.elements, 10 + 15 + 16, 1e-12);
    assert_close(sums.pairs, 2 + 2 + 1, 1e-12);
    assert_close(sums.columns, 4 + 6 + 4, 1e-12);
    assert_close(sums.supernodes, 3, 1e-12);
    assert_close(sparse_sums_s(&sums, &fit),
                 2 * sums.gemm_s + 3 * sums.panel_s + 41e-9 + 5e-7 + 14e-8 + 3e-6, 1e-12);
    sparse_tables_free(&tables);
    sparse_structure_free(s);
}

/* docs/models/sparse_lu.md#worked-example: on two process columns each panel waits for the one
 * before: factor(0), L(:,0), solve, factor(1), L(:,1), solve, factor(2). */
TEST(the_times_and_bounds_of_an_example_are_those_worked_by_hand)
{
    static const struct sparse_fit fit = { 2, 3, 1e-9, 1e-7, 1e-8, 1e-6 };
    static const struct sparse_network network = {
        .points = 1,
        .point = { { 1, 1e9 } },
        .latency_s = 1e-6,
        .index_bytes = 4,
        .messages_per_panel = 1,
    };
    const struct sparse_costs costs = sparse_costs_calibrated(&fit);
    struct sparse_tables tables = flat_tables();
    struct sparse_structure *s = example();
    struct fr_faults faults = { 0 };
    struct sparse_work_counts *counts =
        sparse_work_counts_calibrated(s, (struct sparse_grid){ 1, 2 }, &tables, &faults);
    struct sparse_times times;

    assert_int_equal(sparse_clocks(counts, &costs, &network, &times, NULL, NULL), FR_OK);
    assert_close(times.time_s, 9.324e-6, 1e-12);
    assert_close(times.most_load_s, 5.093e-6, 1e-12);
    assert_close(times.critical_path_s,
                 (1.042 + 1.172 + 1.150 + 1.114 + 1.220 + 1.780 + 1.168) * 1e-6, 1e-12);
    assert_true(times.most_sending_s == 0);
    assert_close(times.largest_message_bytes, 220, 1e-12);
    sparse_work_counts_free(counts);
    sparse_tables_free(&tables);
    sparse_structure_free(s);
}

static struct sparse_memory memory_of(const struct sparse_structure *s, struct sparse_grid grid)
{
    struct sparse_memory memory;

    assert_int_equal(sparse_memory_find(s, grid, NULL, 4, 1, &memory), FR_OK);
    return memory;
}

/* Indices: 2 for a panel of L, 2 + r for each block; 3 for a panel of U, 2 + w for each block. */
TEST(memory_is_that_of_panels_and_of_the_largest_steps)
{
    struct sparse_structure *s = example();
    struct sparse_memory memory;

    s->supernode_max = 4;
    memory = memory_of(s, (struct sparse_grid){ 1, 1 });
    assert_true(memory.factors == 8 * 70 + 4 * (15 + 13 + 8 + 14 + 9));
    assert_true(memory.window == 0);
    /* 7 rows with the diagonal block, 5 columns of U(0,:); segments of 3 */
    assert_true(memory.product == 8 * (3 * 5 + 7 * 5));
    /* products of the present and the next panel; the values of L(:,1); one block more */
    assert_true(memory.gathered == 8 * 16 * 2 + 8 * 21 + 8 * 16);
    /* the process of columns 0 and 2 */
    memory = memory_of(s, (struct sparse_grid){ 1, 2 });
    assert_true(memory.factors == 8 * (14 + 16 + 6 + 10) + 4 * (15 + 8 + 9 + 9));
    assert_true(memory.window == 2 * (4 * 15 + 8 * 21 + 4 * 9 + 8 * 10));
    assert_true(memory.product == 8 * (3 * 4 + 7 * 4));
    assert_true(sparse_memory_bytes(&memory) ==
                memory.factors + memory.window + memory.product + memory.gathered);
    sparse_structure_free(s);
}

/* Where the limit is not known it is the library's, or the widest supernode. */
TEST(buffers_follow_the_limit_on_supernodes)
{
    struct sparse_structure *s = example();
    struct sparse_memory known, unknown;

    s->supernode_max = 256;
    known = memory_of(s, (struct sparse_grid){ 2, 2 });
    s->supernode_max = 0;
    unknown = memory_of(s, (struct sparse_grid){ 2, 2 });
    assert_true(known.gathered == unknown.gathered && known.product == unknown.product);
    s->supernode_max = 32;
    known = memory_of(s, (struct sparse_grid){ 2, 2 });
    assert_true(known.gathered < unknown.gathered && known.factors == unknown.factors);
    sparse_structure_free(s);
}

/* ---- any structure -------------------------------------------------------------------------- */

static struct sparse_sums total(const struct sparse_work_counts *counts)
{
    struct sparse_sums sum = { 0 };

    for (int64_t p = 0; p < sparse_processes(counts->grid); p++) {
        const struct sparse_sums *one = &counts->process[p].sums;

        sum.gemm_s += one->gemm_s;
        sum.panel_s += one->panel_s;
        sum.elements += one->elements;
        sum.pairs += one->pairs;
        sum.columns += one->columns;
        sum.supernodes += one->supernodes;
    }
    return sum;
}

TEST(processes_share_the_work_of_one)
{
    static const struct sparse_fit fit = { 2, 3, 1e-9, 1e-7, 1e-8, 1e-6 };
    static const struct sparse_network network = {
        .points = 1,
        .point = { { 1, 1e9 } },
        .latency_s = 1e-6,
        .index_bytes = 4,
        .messages_per_panel = 1,
    };
    const struct sparse_costs costs = sparse_costs_calibrated(&fit);
    struct sparse_tables tables = flat_tables();

    for (uint64_t seed = 1; seed < 120; seed++) {
        struct sparse_structure *s =
            sparse_valid(sparse_random(seed, 3 + (int32_t)(seed % 30), 7, (double)(seed % 60)));
        const struct sparse_grid grid = { 1 + (int32_t)(seed % 3), 1 + (int32_t)(seed % 4) };
        struct fr_faults faults = { 0 };
        struct sparse_work_counts *counts =
            sparse_work_counts_calibrated(s, grid, &tables, &faults);
        struct sparse_sums alone, all;
        struct sparse_times times;

        assert_non_null(counts);
        assert_int_equal(sparse_calibrated_sums(s, &tables, &alone, &faults), FR_OK);
        all = total(counts);
        assert_close(all.panel_s, alone.panel_s, 1e-12);
        assert_close(all.elements, alone.elements, 1e-12);
        assert_close(all.pairs, alone.pairs, 1e-12);
        assert_close(all.columns, alone.columns, 1e-12);
        assert_true(all.gemm_s <= alone.gemm_s * (1 + 1e-12)); /* K is the largest of a process */
        assert_true(all.supernodes >= (double)s->supernodes &&
                    alone.supernodes == (double)s->supernodes);
        assert_close(s->facts.updates, alone.pairs, 1e-12);
        assert_int_equal(sparse_clocks(counts, &costs, &network, &times, NULL, NULL), FR_OK);
        assert_close(times.load_s, sparse_sums_s(&all, &fit), 1e-12);
        if (sparse_processes(grid) == 1)
            assert_close(times.time_s, sparse_sums_s(&alone, &fit), 1e-12);
        sparse_work_counts_free(counts);
        sparse_structure_free(s);
    }
    sparse_tables_free(&tables);
}
