/* Statistics of the computation of a run: quantiles over iterations and processes. */
#include "engine/forerun.h"
#include "tests/unit/support/check.h"

enum { ROWS = 3, COLUMNS = 2 };

/* Lists that point to the numbers. */
static fr_number_lists lists(double numbers[ROWS][COLUMNS], fr_numbers rows[ROWS])
{
    for (size_t i = 0; i < ROWS; i++)
        rows[i] = (fr_numbers){ numbers[i], COLUMNS };
    return (fr_number_lists){ rows, ROWS };
}

static const struct fr_run_computation nothing = { .summary = { NAN, NAN, NAN, NAN } };

static struct fr_run_summary summarized(const struct fr_run_computation *computation)
{
    struct fr_arena *arena = fr_arena_new(1 << 16);
    struct fr_faults faults = { 0 };
    struct fr_run_summary out;

    assert_int_equal(fr_run_summarize(computation, arena, &out, &faults), FR_OK);
    assert_int_equal(faults.count, 0);
    fr_arena_free(arena);
    return out;
}

static void check(const struct fr_run_statistics *got, double median, double quartile,
                  double slowest_median, double slowest_quartile)
{
    assert_close(got->median_s, median, 1e-14);
    assert_close(got->first_quartile_s, quartile, 1e-14);
    assert_close(got->slowest_median_s, slowest_median, 1e-14);
    assert_close(got->slowest_first_quartile_s, slowest_quartile, 1e-14);
}

TEST(phases_are_taken_in_the_shares_between_allreduces)
{
    double matvec[ROWS][COLUMNS] = { { 10, 20 }, { 10, 20 }, { 10, 60 } };
    double preconditioner[ROWS][COLUMNS] = { { 1, 2 }, { 1, 4 }, { 1, 6 } };
    double vector[ROWS][COLUMNS] = { { 247, 494 }, { 247, 247 }, { 247, 247 } };
    fr_numbers rows[3][ROWS];
    struct fr_run_computation c = nothing;
    struct fr_run_summary got;

    c.phases.matvec_s = lists(matvec, rows[0]);
    c.phases.preconditioner_s = lists(preconditioner, rows[1]);
    c.phases.vector_s = lists(vector, rows[2]);
    got = summarized(&c);
    check(&got.of[FR_RUN_MATVEC], 15, 10, 20, 20);
    check(&got.of[FR_RUN_PRECONDITIONER], 1.5, 1, 4, 3);
    check(&got.of[FR_RUN_VECTOR], 247, 247, 247, 247);
    /* 258 258 258 271 313 516; the slowest 271 313 516 */
    check(&got.of[FR_RUN_ITERATION], 264.5, 258, 313, 292);
    /* rows 0 and 1 are added, the last is dropped: 516 and 787 */
    check(&got.of[FR_RUN_PAIR], 651.5, 583.75, 787, 787);
    /* 5/13 of 247 is 95: 105 105 105 115 155 210 */
    check(&got.of[FR_RUN_PCG_MATVEC], 110, 105, 155, 135);
    /* 8/13 is 152: 153 153 153 156 158 306 */
    check(&got.of[FR_RUN_PCG_PRECONDITIONER], 154.5, 153, 158, 157);
    /* 8/19 is 104: 105 105 105 108 110 210 */
    check(&got.of[FR_RUN_NBPCG_PRECONDITIONER], 106.5, 105, 110, 109);
    /* 11/19 is 143: 153 153 153 163 203 306 */
    check(&got.of[FR_RUN_NBPCG_MATVEC], 158, 153, 203, 183);
}

TEST(totals_give_only_iterations_and_pairs)
{
    double total[ROWS][COLUMNS] = { { 1, 3 }, { 1, 5 }, { 1, 9 } };
    fr_numbers rows[ROWS];
    struct fr_run_computation c = nothing;
    struct fr_run_summary got;

    c.total_s = lists(total, rows);
    got = summarized(&c);
    check(&got.of[FR_RUN_ITERATION], 2, 1, 5, 4);
    check(&got.of[FR_RUN_PAIR], 5, 3.5, 8, 8);
    check(&got.of[FR_RUN_MATVEC], NAN, NAN, NAN, NAN);
    check(&got.of[FR_RUN_PCG_MATVEC], NAN, NAN, NAN, NAN);
    c.total_s.count = 1;
    got = summarized(&c);
    check(&got.of[FR_RUN_ITERATION], 2, 1.5, 3, 3);
    check(&got.of[FR_RUN_PAIR], NAN, NAN, NAN, NAN);
}

TEST(a_summary_is_doubled_for_pairs)
{
    struct fr_run_computation c = nothing;
    struct fr_run_summary got;

    got = summarized(&c);
    for (size_t i = 0; i < FR_RUN_SHARES; i++)
        check(&got.of[i], NAN, NAN, NAN, NAN);
    c.summary = (struct fr_run_statistics){ 4, 3, 8, 6 };
    got = summarized(&c);
    check(&got.of[FR_RUN_ITERATION], 4, 3, 8, 6);
    check(&got.of[FR_RUN_PAIR], 8, 6, 16, 12);
    check(&got.of[FR_RUN_MATVEC], NAN, NAN, NAN, NAN);
}

/* Scratch memory is returned; if it is too small, the run is refused. */
TEST(summaries_need_scratch_memory)
{
    enum { MANY = 10000 };
    static double numbers[MANY];
    fr_numbers row = { numbers, MANY };
    struct fr_run_computation c = nothing;
    struct fr_arena *arena = fr_arena_new(1 << 17);
    struct fr_faults faults = { 0 };
    struct fr_run_summary out;

    for (size_t i = 0; i < MANY; i++)
        numbers[i] = (double)i;
    c.total_s = (fr_number_lists){ &row, 1 };
    assert_int_equal(fr_run_summarize(&c, arena, &out, &faults), FR_NOMEM);
    assert_string_equal(faults.fault[0].where, "/computation");
    fr_arena_free(arena);

    arena = fr_arena_new(3 << 16);
    for (int i = 0; i < 3; i++)
        assert_int_equal(fr_run_summarize(&c, arena, &out, &faults), FR_OK);
    assert_close(out.of[FR_RUN_ITERATION].median_s, (MANY - 1) / 2.0, 1e-14);
    fr_arena_free(arena);
}
