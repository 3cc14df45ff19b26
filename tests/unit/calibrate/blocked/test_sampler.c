/* The Sampler measures plausible times, and its operands keep their contents.
 *
 * FORERUN_IDLE=1 compares measured times, too, on a computer that does nothing else. */
#include "tests/unit/support/check.h"

#include <stdio.h>
#include <stdlib.h>

#include "calibrations/calibrate/blocked/sampler.h"
#include "calibrations/calibrate/core/blas.h"
#include "calibrations/calibrate/core/sample.h"

enum { LARGEST = 256, ROUTINES_MAX = 64 };

static struct fr_sampler sampler;
static char why[BLOCKED_WHY_BYTES];

/* A clock that moves when it is looked at, and while a call is charged instead of executed. */
static int64_t now_ns;

static int64_t steady_ns(void)
{
    return now_ns += 1000;
}

/* So that no two repetitions take the same time. */
static int64_t uneven_ns(void)
{
    return now_ns += 1000 + now_ns % 7;
}

/* The operands of dgemm are as large as those of any other routine. */
static struct fr_extent extent_of(int n, const struct fr_layout *layout)
{
    const struct blocked_call call = { .kernel = { blocked_routine_find("dgemm"), "NN" },
                                       .size = { n, n, n },
                                       .alpha = 1 };
    struct fr_extent extent = { 0 };

    fr_extent_add(&extent, &call, NULL);
    if (layout)
        fr_extent_add(&extent, &call, layout);
    return extent;
}

static int open_on(struct fr_sampler *opened, const struct fr_extent *extent,
                   const bool metrics[FR_METRICS], int64_t (*clock_ns)(void))
{
    const int status = fr_sampler_open(opened, extent, metrics, why);

    opened->clock_ns = clock_ns;
    if (clock_ns != fr_stopwatch_ns)
        opened->overhead_ns = 0;
    return status;
}

static int open_sampler(void **state)
{
    const struct fr_extent extent = extent_of(LARGEST, NULL);

    (void)state;
    fr_blas_set_threads(1);
    return open_on(&sampler, &extent, NULL, uneven_ns);
}

static int close_sampler(void **state)
{
    (void)state;
    fr_sampler_close(&sampler);
    return 0;
}

/* A call with equal sizes and the first letter of every flag. */
static struct blocked_call call_of(const struct blocked_routine *routine, int size)
{
    struct blocked_call call = { .kernel = { .routine = routine }, .alpha = 1 };

    for (size_t f = 0; f < routine->flags; f++)
        call.kernel.flags[f] = routine->flag_letters[f][0];
    for (size_t d = 0; d < routine->sizes; d++)
        call.size[d] = size;
    return call;
}

static size_t calls_of_all(int size, struct blocked_call *call)
{
    size_t count = 0;

    while (blocked_routines[count].name) {
        assert_in_range(count, 0, ROUTINES_MAX - 1);
        call[count] = call_of(&blocked_routines[count], size);
        count++;
    }
    return count;
}

static struct blocked_call call_from(const char *line)
{
    struct blocked_call call;

    if (!blocked_call_read(line, NULL, NULL, &call, why))
        fail_msg("%s: %s", line, why);
    return call;
}

static void assert_plausible(const struct fr_sampled *m)
{
    assert_true(isfinite(m->mean_s) && isfinite(m->std_s) && isfinite(m->max_s));
    assert_true(m->min_s > 0);
    assert_true(m->min_s <= m->median_s && m->median_s <= m->max_s);
    assert_true(m->min_s <= m->mean_s * (1 + 1e-12) && m->mean_s <= m->max_s * (1 + 1e-12));
    assert_true(m->std_s >= 0 && m->std_s <= m->max_s - m->min_s + 1e-15);
    assert_true(m->max_s < 10);
}

/* The calls of all routines with sizes of 16, then with 64. */
static size_t calls_of_two_sizes(struct blocked_call *call)
{
    const size_t count = calls_of_all(16, call);

    assert_int_equal(calls_of_all(64, call + count), count);
    return count;
}

#define SAMPLED(name) TEST_WITH(name, open_sampler, close_sampler)

SAMPLED(every_routine_is_measured)
{
    struct blocked_call call[2 * ROUTINES_MAX];
    struct fr_sampled out[2 * ROUTINES_MAX];
    const size_t count = 2 * calls_of_two_sizes(call);

    sampler.repetitions = 5;
    sampler.tolerance = 0;
    for (int is_cold = 0; is_cold < 2; is_cold++) {
        sampler.is_cold = is_cold;
        assert_int_equal(fr_sampler_take(&sampler, call, NULL, out, count), count);
        for (size_t i = 0; i < count; i++) {
            assert_plausible(&out[i]);
            assert_int_equal(out[i].repetitions, 5);
        }
    }
}

static size_t executions;

static int64_t charged_ns(const struct fr_execution *execution)
{
    int64_t elements = 0;

    for (size_t i = 0; i < execution->executor->operands; i++)
        elements += (int64_t)execution->operand[i].rows * execution->operand[i].columns;
    return elements;
}

static void charge(const struct fr_execution *execution)
{
    now_ns += charged_ns(execution);
    executions++;
}

/* However they are mixed, and whatever is executed without being timed. */
SAMPLED(each_call_gets_the_time_of_its_own_executions)
{
    struct blocked_call call[2 * ROUTINES_MAX];
    struct fr_sampled out[2 * ROUTINES_MAX];
    const size_t count = 2 * calls_of_two_sizes(call);

    sampler.repetitions = 5;
    sampler.tolerance = 0;
    sampler.clock_ns = steady_ns;
    sampler.overhead_ns = 1000;
    sampler.run = charge;
    for (int is_cold = 0; is_cold < 2; is_cold++) {
        executions = 0;
        sampler.is_cold = is_cold;
        assert_int_equal(fr_sampler_take(&sampler, call, NULL, out, count), count);
        assert_int_equal(executions, count * (is_cold ? 1 + 5 : 2 * 5));
        for (size_t i = 0; i < count; i++) {
            const struct fr_execution execution = fr_execution_of(&call[i]);

            assert_close(out[i].min_s, 1e-9 * (double)charged_ns(&execution), 1e-12);
            assert_close(out[i].max_s, out[i].min_s, 1e-12);
        }
    }
}

SAMPLED(deviations_are_those_of_a_sample)
{
    const struct blocked_call call = call_from("dgemm NN 64 64 64");
    struct fr_sampled out;

    sampler.repetitions = 1;
    assert_int_equal(fr_sampler_take(&sampler, &call, NULL, &out, 1), 1);
    assert_true(out.std_s == 0 && out.min_s == out.max_s && out.mean_s == out.min_s);
    sampler.repetitions = 2;
    assert_int_equal(fr_sampler_take(&sampler, &call, NULL, &out, 1), 1);
    assert_close(out.median_s, (out.min_s + out.max_s) / 2, 1e-12);
    assert_close(out.mean_s, out.median_s, 1e-12);
    assert_close(out.std_s, (out.max_s - out.min_s) / sqrt(2), 1e-6);
}

/* Addresses whose lines were flushed since the last execution. */
enum { LINE = 64, FLUSHED_MAX = 4000 };
static const char *flushed[FLUSHED_MAX];
static size_t flushes;

static void note(const void *at)
{
    assert_in_range(flushes, 0, FLUSHED_MAX - 1);
    flushed[flushes++] = at;
}

static bool is_flushed(const double *element)
{
    for (size_t i = 0; i < flushes; i++)
        if ((uintptr_t)flushed[i] / LINE == (uintptr_t)element / LINE)
            return true;
    return false;
}

static bool is_all_flushed(const struct fr_operand *operand)
{
    for (int j = 0; j < operand->columns; j++)
        for (int i = 0; i < operand->rows; i++)
            if (!is_flushed(&operand->at[i + (size_t)j * (size_t)operand->leading]))
                return false;
    return true;
}

/* The first execution is not timed. */
static void run_on_flushed(const struct fr_execution *execution)
{
    for (size_t i = 0; executions && i < execution->executor->operands; i++)
        assert_true(is_all_flushed(&execution->operand[i]));
    executions++;
    flushes = 0;
}

SAMPLED(cold_operands_are_flushed_before_each_timed_execution)
{
    const struct blocked_call call = call_from("dgemm NN 24 20 28");
    struct fr_sampled out;

    executions = flushes = 0;
    sampler.repetitions = 5;
    sampler.tolerance = 0;
    sampler.is_cold = true;
    sampler.cold.flush = note;
    sampler.run = run_on_flushed;
    assert_int_equal(fr_sampler_take(&sampler, &call, NULL, &out, 1), 1);
    assert_int_equal(executions, 6);
}

SAMPLED(where_lines_cannot_be_flushed_a_buffer_is_swept)
{
    const struct blocked_call call = call_from("dgemm NN 24 24 24");
    struct fr_sampled out;
    size_t whole;

    fr_cold_close(&sampler.cold);
    assert_int_equal(fr_cold_open(&sampler.cold, false), 0);
    whole = sampler.cold.bytes;
    assert_true(whole >= 1 << 20);
    sampler.cold.bytes = 1 << 20; /* the rest would only take time */
    sampler.repetitions = 3;
    sampler.tolerance = 0;
    sampler.is_cold = true;
    assert_int_equal(fr_sampler_take(&sampler, &call, NULL, &out, 1), 1);
    for (size_t at = 0; at < sampler.cold.bytes; at += LINE)
        assert_int_equal(sampler.cold.buffer[at], 1 + 3);
    sampler.cold.bytes = whole;
}

SAMPLED(a_median_that_is_known_is_measured_no_further)
{
    static double each_s[12 * ROUTINES_MAX];
    struct blocked_call call[ROUTINES_MAX];
    struct fr_sampled out[ROUTINES_MAX];
    const size_t count = calls_of_all(32, call);

    sampler.repetitions = 12;
    sampler.tolerance = 1000;
    assert_int_equal(fr_sampler_take(&sampler, call, NULL, out, count), count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(out[i].repetitions, 3);
    /* Without a tolerance, all repetitions are made even if the clock shows no differences. */
    sampler.tolerance = 0;
    sampler.clock_ns = steady_ns;
    sampler.each_s = each_s;
    calls_of_all(1, call);
    assert_int_equal(fr_sampler_take(&sampler, call, NULL, out, count), count);
    sampler.each_s = NULL;
    for (size_t i = 0; i < count; i++) {
        double sum_s = 0;

        assert_int_equal(out[i].repetitions, 12);
        for (size_t k = 0; k < 12; k++)
            sum_s += each_s[12 * i + k];
        assert_close(sum_s / 12, out[i].mean_s, 1e-12);
    }
    sampler.repetitions = 2;
    sampler.tolerance = 1000;
    assert_int_equal(fr_sampler_take(&sampler, call, NULL, out, count), count);
    assert_int_equal(out[0].repetitions, 2);
}

static void become_faster(const struct fr_execution *execution)
{
    (void)execution;
    now_ns += 1000000 - 1000 * (int64_t)++executions;
}

SAMPLED(repetitions_keep_their_order_while_the_median_is_watched)
{
    const struct blocked_call call = call_from("dgemm NN 16 16 16");
    double each_s[8];
    struct fr_sampled out;

    sampler.repetitions = 8;
    sampler.tolerance = 1e-9;
    sampler.clock_ns = steady_ns;
    sampler.run = become_faster;
    sampler.each_s = each_s;
    executions = 0;
    assert_int_equal(fr_sampler_take(&sampler, &call, NULL, &out, 1), 1);
    sampler.each_s = NULL;
    assert_int_equal(out.repetitions, 8);
    for (size_t i = 1; i < 8; i++)
        assert_true(each_s[i] < each_s[i - 1]);
}

/* The clock is looked at before each call, and before and after its execution. */
SAMPLED(a_deadline_leaves_a_beginning)
{
    enum { COUNT = 200 };
    static struct blocked_call call[COUNT];
    static struct fr_sampled out[COUNT];

    for (int i = 0; i < COUNT; i++)
        call[i] = call_from("dgemm NN 16 16 16");
    sampler.clock_ns = steady_ns;
    sampler.deadline_s = 1e-9 * (double)now_ns + 300e-6;
    assert_int_equal(fr_sampler_take(&sampler, call, NULL, out, COUNT), 100);
    for (size_t i = 0; i < COUNT; i++)
        assert_int_equal(out[i].repetitions, i < 100);
    sampler.deadline_s = 1e-9 * (double)now_ns;
    assert_int_equal(fr_sampler_take(&sampler, call, NULL, out, COUNT), 0);
    assert_int_equal(out[0].repetitions, 0);
}

SAMPLED(empty_calls_cost_nothing)
{
    const struct blocked_call call[] = { call_from("dgemm NN 0 8 8"), call_from("dpotrf L 8"),
                                         call_from("dtrsm LLNN 8 0") };
    struct fr_sampled out[3];

    assert_int_equal(fr_sampler_take(&sampler, call, NULL, out, 3), 3);
    assert_true(out[0].repetitions == 0 && out[0].max_s == 0);
    assert_plausible(&out[1]);
    assert_true(out[2].repetitions == 0 && out[2].max_s == 0);
}

static void assert_contents(const struct fr_operand *operand, double bound)
{
    assert_int_equal((uintptr_t)operand->at % 4096, 0);
    for (int j = 0; j < operand->columns; j++)
        for (int i = 0; i < operand->rows; i++) {
            const double x = operand->at[i + (size_t)j * (size_t)operand->leading];

            assert_true(x != 0 && fabs(x - (i == j)) <= bound);
            if (i < operand->columns && j < operand->rows)
                assert_true(x == operand->at[j + (size_t)i * (size_t)operand->leading]);
        }
}

/* Contents do not depend on the operands placed before. */
SAMPLED(operands_are_as_the_specification_wants_them)
{
    static const char *const lines[] = { "dgemm NN 8 8 256",     "dgemm TN 256 8 8",
                                         "dgemm NN 64 64 64",    "dsyrk LT 100 30",
                                         "dgemm NN 256 256 256", "sylv_unb 40 24" };

    for (size_t l = 0; l < sizeof lines / sizeof *lines; l++) {
        const struct blocked_call call = call_from(lines[l]);
        struct fr_execution execution = fr_execution_of(&call);

        fr_operand_memory_place(&sampler.memory, NULL, &execution);
        fr_operand_memory_refresh(&sampler.memory, &execution);
        for (size_t i = 0; i < execution.executor->operands; i++)
            assert_contents(&execution.operand[i], 0.05 / LARGEST);
    }
}

static void assert_tame(const struct fr_operand *operand, const char *name)
{
    for (int j = 0; j < operand->columns; j++)
        for (int i = 0; i < operand->rows; i++) {
            const double x = operand->at[i + (size_t)j * (size_t)operand->leading];

            if (x != 0 && !(fabs(x) > 1e-30 && fabs(x) < 1e6))
                fail_msg("%s: (%d, %d) has become %g", name, i, j, x);
        }
}

/* Of the operand that is overwritten: a call of smaller sizes would leave it. */
static const double *last_element(const struct fr_execution *execution)
{
    const struct fr_operand *operand = &execution->operand[execution->executor->operands - 1];

    return &operand
                ->at[operand->rows - 1 + (size_t)(operand->columns - 1) * (size_t)operand->leading];
}

SAMPLED(results_are_computed_to_the_end_and_stay_tame)
{
    struct blocked_call call[ROUTINES_MAX];
    const size_t count = calls_of_all(40, call);

    for (size_t c = 0; c < count; c++) {
        struct fr_execution execution;
        const double *last;
        double before;

        call[c].alpha = c % 2 && call[c].kernel.routine->has_alpha ? -1 : 1;
        execution = fr_execution_of(&call[c]);
        fr_operand_memory_place(&sampler.memory, NULL, &execution);
        fr_operand_memory_refresh(&sampler.memory, &execution);
        last = last_element(&execution);
        before = *last;
        fr_execution_run(&execution);
        assert_true(*last != before);
        for (int i = 0; i < 50; i++) {
            if (execution.executor->uses_up)
                fr_operand_memory_refresh(&sampler.memory, &execution);
            fr_execution_run(&execution);
        }
        for (size_t i = 0; i < execution.executor->operands; i++)
            assert_tame(&execution.operand[i], call[c].kernel.routine->name);
    }
}

/* The result of a call does not depend on the layout of its operands. */
TEST(leading_dimensions_are_honoured)
{
    static const char *const tuples[] = {
        "(dtrsm, L, L, N, N, 24, 40, 1.0, 576, 31, 960, 57)",
        "(dgemm, N, T, 24, 40, 16, -1.0, 384, 33, 640, 2600, 1.0, 960, 24)",
        "(sylv_unb, 24, 40, 576, 24, 1600, 47, 960, 29)",
        "(dpotrf, U, 40, 1600, 41)",
    };
    const struct fr_layout widest = { { 2600, 2600, 2600 } };
    const struct fr_extent extent = extent_of(64, &widest);
    static double result[2][64 * 64];
    struct fr_operand_memory memory;

    assert_int_equal(fr_operand_memory_open(&memory, &extent, why), 0);
    for (size_t t = 0; t < sizeof tuples / sizeof *tuples; t++) {
        for (int is_default = 0; is_default < 2; is_default++) {
            struct blocked_call call;
            struct fr_layout layout;
            struct fr_execution execution;
            const struct fr_operand *last;

            assert_int_equal(fr_call_parse(tuples[t], &call, &layout, why), 0);
            execution = fr_execution_of(&call);
            last = &execution.operand[execution.executor->operands - 1];
            fr_operand_memory_place(&memory, is_default ? NULL : &layout, &execution);
            assert_int_equal(execution.operand[0].leading,
                             is_default ? FR_LEADING : layout.leading[0]);
            fr_operand_memory_refresh(&memory, &execution);
            fr_execution_run(&execution);
            for (int j = 0; j < last->columns; j++)
                memcpy(&result[is_default][j * last->rows],
                       last->at + (size_t)j * (size_t)last->leading,
                       (size_t)last->rows * sizeof *last->at);
        }
        for (int i = 0; i < 24 * 40; i++)
            assert_close(result[0][i], result[1][i], 1e-12);
    }
    fr_operand_memory_close(&memory);
}

TEST(leading_dimensions_are_no_powers_of_two)
{
    assert_int_equal(fr_leading_default(8), 2500);
    assert_int_equal(fr_leading_default(2501), 2501);
    assert_int_equal(fr_leading_default(2560), 2568);
    assert_int_equal(fr_leading_default(4096), 4104);
}

/* Resident memory of the process, in bytes. */
static size_t memory_used(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    size_t pages = 0;

    if (file && fscanf(file, "%*u %zu", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return pages * 4096;
}

/* Three operands of 1, 2 and 0.2 MB, one of them with columns far apart. */
TEST(memory_is_what_the_calls_need)
{
    const struct blocked_call call[] = { call_from("dgemm NN 8 8 20000"),
                                         call_from("dtrsm LLNN 160 160") };
    struct fr_extent extent = { 0 };
    struct fr_sampler wide;
    struct fr_sampled out[2];
    const size_t before = memory_used();

    for (size_t i = 0; i < 2; i++)
        fr_extent_add(&extent, &call[i], NULL);
    assert_int_equal(open_on(&wide, &extent, NULL, uneven_ns), 0);
    assert_int_equal(wide.memory.leading, 20000);
    wide.repetitions = 2;
    assert_int_equal(fr_sampler_take(&wide, call, NULL, out, 2), 2);
    assert_plausible(&out[0]);
    assert_true(memory_used() - before < (size_t)300 << 20);
    fr_sampler_close(&wide);
}

TEST(too_much_memory_is_refused)
{
    const struct fr_extent extent = extent_of(BLOCKED_MAX_SIZE, NULL);
    struct fr_sampler refused;

    assert_int_equal(fr_sampler_open(&refused, &extent, NULL, why), -1);
    assert_non_null(strstr(why, "1000000 x 1000000 need 2.4e+04 GB"));
}

TEST(metrics_are_known_by_name)
{
    bool wanted[FR_METRICS] = { false };

    assert_int_equal(fr_metrics_read("seconds,tlb_misses,ticks", wanted, why), 0);
    assert_true(wanted[FR_TICKS] && wanted[FR_TLB_MISSES] && !wanted[FR_LOADS]);
    assert_int_equal(fr_metrics_read("loads,joules", wanted, why), -1);
    assert_non_null(strstr(why, "joules is not a metric; the metrics are seconds, ticks"));
    assert_int_equal(fr_metrics_read("loads,", wanted, why), -1);
    assert_int_equal(fr_metrics_read("", wanted, why), -1);
}

/* Times are measured whether or not the computer has the counters. */
SAMPLED(metrics_are_numbers_or_missing)
{
    const bool wanted[FR_METRICS] = { true, true, true, true, true, true };
    const struct fr_extent extent = extent_of(64, NULL);
    const struct blocked_call call = call_from("dgemm NN 64 64 64");
    struct fr_sampler counting;
    struct fr_sampled out;

    assert_int_equal(open_on(&counting, &extent, wanted, uneven_ns), 0);
    assert_int_equal(fr_sampler_take(&counting, &call, NULL, &out, 1), 1);
    assert_plausible(&out);
    for (int k = 0; k < FR_METRICS; k++)
        assert_true(counting.counters.is_open[k] ? out.metric[k] >= 0 : isnan(out.metric[k]));
#if defined(__x86_64__)
    assert_true(out.metric[FR_TICKS] > 100);
#endif
    /* 2 * 64^3 operations, at most 16 in an instruction. */
    if (counting.counters.is_open[FR_INSTRUCTIONS])
        assert_true(out.metric[FR_INSTRUCTIONS] > 16000);
    fr_sampler_close(&counting);
    assert_int_equal(fr_sampler_take(&sampler, &call, NULL, &out, 1), 1);
    assert_true(isnan(out.metric[FR_TICKS]));
}

/* ---- on the real clock, of a computer that does nothing else ---- */

static void use_an_idle_computer(void)
{
    const struct fr_extent extent = extent_of(LARGEST, NULL);

    if (!getenv("FORERUN_IDLE"))
        skip();
    fr_sampler_close(&sampler);
    assert_int_equal(open_on(&sampler, &extent, NULL, fr_stopwatch_ns), 0);
    sampler.repetitions = 5;
    sampler.tolerance = 0;
}

SAMPLED(larger_calls_take_longer)
{
    struct blocked_call call[2 * ROUTINES_MAX];
    struct fr_sampled out[2 * ROUTINES_MAX];
    const size_t count = calls_of_two_sizes(call);

    use_an_idle_computer();
    for (int is_cold = 0; is_cold < 2; is_cold++) {
        sampler.is_cold = is_cold;
        assert_int_equal(fr_sampler_take(&sampler, call, NULL, out, 2 * count), 2 * count);
        for (size_t i = 0; i < count; i++)
            assert_true(out[count + i].min_s > out[i].min_s);
    }
}

/* The fastest of all repetitions in and out of cache, which alternate, so that a change of the
 * processor's clock affects both. */
static void assert_cold_costs_time(void)
{
    const struct blocked_call small = call_from("dgemm NN 24 24 24");
    double fastest_s[2] = { HUGE_VAL, HUGE_VAL };

    for (int i = 0; i < 20; i++) {
        struct fr_sampled out;

        sampler.is_cold = i % 2;
        assert_int_equal(fr_sampler_take(&sampler, &small, NULL, &out, 1), 1);
        fastest_s[i % 2] = fmin(fastest_s[i % 2], out.min_s);
    }
    if (!(fastest_s[true] > 1.2 * fastest_s[false]))
        fail_msg("%g s out of cache, %g s in cache", fastest_s[true], fastest_s[false]);
}

SAMPLED(cold_operands_cost_time)
{
    use_an_idle_computer();
    assert_cold_costs_time();
}

SAMPLED(a_sweep_makes_them_cold_as_well)
{
    use_an_idle_computer();
    fr_cold_close(&sampler.cold);
    assert_int_equal(fr_cold_open(&sampler.cold, false), 0);
    assert_cold_costs_time();
}
