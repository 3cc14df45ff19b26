/* Blocked algorithms beyond the golden cases: reading calls, the table of kernels, properties of
 * call sequences, coverage of boxes, and extrapolation. */
#include "tests/unit/support/blocked.h"
#include "tests/unit/support/draws.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static bool letter_n(void *context, const char *letter, size_t length, int64_t *size)
{
    *size = *(int64_t *)context;
    return length == 1 && *letter == 'n';
}

TEST(a_call_reads_as_it_is_written)
{
    static const char *const good[][2] = {
        { "dtrsm LLNN 100 200 -1", "dtrsm LLNN 100 200 -1" },
        { "  dtrsm  l L n N\t100 200", "dtrsm LLNN 100 200 +1" },
        { "dgemm NT 1 2 0 1", "dgemm NT 1 2 0 +1" },
        { "trinv4_unb n", "trinv4_unb 7" },
        { "sylv16_unb 96 33", "sylv16_unb 96 33" },
        { "dgetrf 1000000 3", "dgetrf 1000000 3" },
        { "dpotrf L 5 | dpotrf U 6", "dpotrf L 5" },
        { "dsyrk UT n n -1;", "dsyrk UT 7 7 -1" },
        { "(dtrsm, R, L, N, U, 512, 128, 0.37, A, 256, B, 512)", "dtrsm RLNU 512 128 +0.37" },
        { " dtrsm( R , L , N , U , n , 128, 0.37, A , 256, B , 512) ", "dtrsm RLNU 7 128 +0.37" },
        { "(dgemm,N,T,1,2,3,-1,2,1,6,2,1.0,2,1);", "dgemm NT 1 2 3 -1" },
        { "trinv4_unb (n, A, 8) | dpotrf(U, 6)", "trinv4_unb 7" },
    };
    int64_t n = 7;

    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct blocked_call call;
        char why[BLOCKED_WHY_BYTES] = "", text[BLOCKED_CALL_BYTES];

        if (!blocked_call_read(good[i][0], letter_n, &n, &call, why))
            fail_msg("%s: %s", good[i][0], why);
        blocked_call_print(&call, text);
        assert_string_equal(text, good[i][1]);
    }
}

TEST(a_bad_call_says_what_would_do)
{
    static const char *const bad[][2] = {
        { "", "dtrsm LLNN 100 200 -1" },
        { "sgemm NN 1 2 3", "sgemm is not a known routine" },
        { "dtrsm LLN 1 2", "4 flags, not 3" },
        { "dtrsm LLNNN 1 2", "4 flags, not 'LLNNN'" },
        { "dtrsm LLXN 1 2", "trans" },
        { "dgemm NN 1 2", "3 sizes, not 2" },
        { "dgemm NN 1 2 -3", "'-3'" },
        { "dgemm NN 1 2 1000001", "1000000" },
        { "dgemm NN 1 2 3 x", "alpha, a number" },
        { "dgemm NN 1 2 3 +1 4", "unexpected '4'" },
        { "dpotrf L 5 -1", "with its sizes" },
        { "dgemm NN 1 2 0x10", "0x10" },
        { "trinv1_unb 1e3", "not a whole number" },
        { "dgemm NN 1 2 99999999999999999999", "size k" },
        { "(dtrsm, R, L, N, U, 512, 128, A, 256, B, 512)", "unexpected 'A'" },
        { "(dtrsm, R, L, N, U, 512, 128, 0.37, A, 256", "')' is missing" },
        { "(dtrsm(R, L, N, U, 512, 128, 0.37, A, 256, B, 512)", "dtrsm(R is not a known routine" },
        { "((dpotrf, L, 5)", "(dpotrf is not a known routine" },
        { "dpotrf(L, (5)", "'(5'" },
        { "dpotrf(L, 5, A(, 5)", "')' is missing" },
        { "(dpotrf, L, 5; dpotrf L 5)", "')' is missing" },
        { "dpotrf(L, 5) dpotrf(L, 6)", "unexpected text after the ')'" },
        { "dtrsm RLNU 512 128 (0.37)", "unexpected '(0.37)'" },
    };

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct blocked_call call;
        char why[BLOCKED_WHY_BYTES] = "";

        assert_int_equal(blocked_call_read(bad[i][0], NULL, NULL, &call, why), 0);
        if (!strstr(why, bad[i][1]))
            fail_msg("%s: '%s' does not say %s", bad[i][0], why, bad[i][1]);
    }
}

/* Arbitrary bytes give a call or a printable error message and are never read beyond their end. */
TEST(changed_calls_are_read_or_refused)
{
    static const char *const seeds[] = { "dtrsm LLNN 100 200 -1", "dgemm NT n 2 0 +1",
                                         "trinv1_unb 5" };
    uint64_t random = draws_from(12);
    size_t read = 0;

    for (int i = 0; i < draws_of(30000); i++) {
        const char *seed = seeds[i % 3];
        const size_t length = strlen(seed);
        char *text =
            malloc(length + 1); /* the exact size, so that the sanitizer detects a read beyond it */
        struct blocked_call call;
        char why[BLOCKED_WHY_BYTES] = "";
        size_t taken;

        assert_non_null(text);
        memcpy(text, seed, length + 1);
        for (int changes = (int)random_between(&random, 1, 3); changes; changes--)
            text[random_between(&random, 0, (int64_t)length - 1)] =
                (char)random_between(&random, 0, 255);
        taken = blocked_call_read(text, NULL, NULL, &call, why);
        assert_true(taken <= strlen(text));
        assert_true(taken || strlen(why) > 5);
        for (const char *at = why; *at; at++)
            assert_true(*at >= ' ' && *at <= '~');
        read += taken > 0;
        free(text);
    }
    assert_true(read > (size_t)draws_of(100) && read < (size_t)draws_of(29000));
}

/* `dtrsm LUNN 64 64 +1`: the first letter of every flag, all sizes alike. */
static struct blocked_call call_of(const struct blocked_routine *routine, int64_t size)
{
    struct blocked_call call = { .kernel = { .routine = routine }, .alpha = 1 };

    for (size_t f = 0; f < routine->flags; f++)
        call.kernel.flags[f] = routine->flag_letters[f][0];
    for (size_t d = 0; d < routine->sizes; d++)
        call.size[d] = size;
    return call;
}

/* The factor by which the operations grow when size d doubles, or all of them (d = -1). */
static double growth(struct blocked_call call, int d)
{
    const double before = blocked_flops(&call.kernel, call.size);

    for (int i = 0; i < (int)call.kernel.routine->sizes; i++)
        call.size[i] *= d < 0 || i == d ? 2 : 1;
    return blocked_flops(&call.kernel, call.size) / before;
}

/* The basis has the degree of the operation count in each size and in all of them together. */
static void check_basis(const struct blocked_call *call)
{
    int exponent[BLOCKED_MAX_TERMS][BLOCKED_MAX_SIZES], degree[BLOCKED_MAX_SIZES], total = 0;
    const size_t terms = blocked_basis(&call->kernel, 0, exponent, degree);

    for (size_t i = 0; i < terms; i++) {
        const int sum = exponent[i][0] + exponent[i][1] + exponent[i][2];

        total = sum > total ? sum : total;
    }
    assert_close(growth(*call, -1), pow(2, total), 1e-2);
    for (size_t d = 0; d < call->kernel.routine->sizes; d++)
        assert_true(growth(*call, (int)d) <= pow(2, degree[d]));
}

/* A row of the table is enough: a kernel is read, printed, accepted in a document and predicted. */
TEST(every_kernel_of_the_table_is_read_and_predicted)
{
    for (const struct blocked_routine *r = blocked_routines; r->name; r++) {
        const struct blocked_call call = call_of(r, 512);
        struct fr_arena *arena = fr_arena_new(1 << 20);
        json_t *document =
            json_pack("{s:s,s:s,s:{s:[o]}}", "schema", "forerun-calibration-1", "machine", "m",
                      "kernels", "routine_models", blocked_any_model(r, 1, false));
        char *text = json_dumps(document, 0), line[BLOCKED_CALL_BYTES], query[200];
        const struct fr_calibration *cal = calibration_of(text, arena);
        struct fr_prediction out;

        blocked_call_print(&call, line);
        snprintf(query, sizeof query, "calls=%s", line);
        out = predicted("calls", query, cal);
        assert_true(out.time_s > 0);
        assert_close(out.flops, blocked_flops(&call.kernel, call.size), 1e-15);
        assert_int_equal(out.phase_count, 1);
        assert_string_equal(out.phase[0].name, r->name);
        check_basis(&call);
        free(text);
        json_decref(document);
        fr_arena_free(arena);
    }
}

/* "trinv1_unb to trinv4_unb" stands for four rows; each row occurs once, in the order of the
 * table. */
TEST(refusals_list_every_kernel_of_the_table)
{
    const struct blocked_routine *row = blocked_routines;
    struct blocked_call call;
    char names[BLOCKED_NAMES_BYTES], why[BLOCKED_WHY_BYTES];

    blocked_routine_names(names);
    assert_int_equal(blocked_call_read("sgemm NN 1 2 3", NULL, NULL, &call, why), 0);
    assert_non_null(strstr(why, names));
    for (char *item = strtok(names, ","); item; item = strtok(NULL, ",")) {
        const char *first = item + strspn(item, " "), *to = strstr(first, " to ");

        assert_memory_equal(first, row->name, strlen(row->name));
        while (to && strcmp(row->name, to + 4) != 0)
            row++;
        row++;
    }
    assert_null(row->name);
}

static bool add_work(void *context, const struct blocked_call *call)
{
    double *work = context;

    work[0] += blocked_flops(&call->kernel, call->size);
    work[1]++;
    return true;
}

/* Every update and every solve of X is done once: fourteen variants do the minimal number of
 * operations, and the two that undo an update do more. */
TEST(sylv_does_the_work_that_there_is)
{
    uint64_t random = draws_from(5);

    for (int i = 0; i < draws_of(3000); i++) {
        const int variant = (int)random_between(&random, 1, 16);
        const int64_t m = random_between(&random, 1, 60), n = random_between(&random, 1, 60);
        const int64_t b = random_between(&random, 1, 25);
        const double least = sylv_flops((double)m, (double)n);
        double work[2] = { 0 };

        assert_true(sylv_calls(variant, m, n, b, SYLV_LEAF_COMMON, add_work, work));
        if (variant != 4 && variant != 13)
            assert_close(work[0], least, 1e-12);
        else
            assert_true(work[0] >= least);
    }
}

/* One block row of 65,536 blocks: the recursion of twelve variants must not exhaust the stack. */
TEST(a_long_panel_is_walked_without_depth)
{
    for (int variant = 1; variant <= 16; variant++) {
        double wide[2] = { 0 }, tall[2] = { 0 };

        assert_true(sylv_calls(variant, 8, 8 * 65536, 8, SYLV_LEAF_OWN, add_work, wide));
        assert_true(sylv_calls(variant, 8 * 65536, 8, 8, SYLV_LEAF_OWN, add_work, tall));
        assert_true(wide[1] >= 65536 + 65535 && tall[1] >= 65536 + 65535);
    }
}

static bool stop(void *context, const struct blocked_call *call)
{
    (void)call;
    return ++*(int *)context < 3;
}

TEST(a_visitor_may_end_the_walk)
{
    int seen = 0;

    assert_false(trinv_calls(3, 1000, 96, stop, &seen));
    assert_int_equal(seen, 3);
    seen = 0;
    assert_false(sylv_calls(7, 1000, 1000, 96, SYLV_LEAF_OWN, stop, &seen));
    assert_int_equal(seen, 3);
}

struct boxes {
    double low[64][3], high[64][3];
    struct blocked_bounds bounds[64];
    size_t count;
};

/* Cuts a box repeatedly at random places. */
static void cut(struct boxes *boxes, size_t dimensions, uint64_t *random)
{
    *boxes = (struct boxes){ .count = 1 };
    for (size_t d = 0; d < dimensions; d++) {
        boxes->low[0][d] = 8;
        boxes->high[0][d] = 1024;
    }
    while (boxes->count < 40) {
        const size_t of = (size_t)random_between(random, 0, (int64_t)boxes->count - 1);
        const size_t d = (size_t)random_between(random, 0, (int64_t)dimensions - 1);
        const double at = floor((boxes->low[of][d] + boxes->high[of][d]) / 2);

        memcpy(boxes->low[boxes->count], boxes->low[of], sizeof boxes->low[of]);
        memcpy(boxes->high[boxes->count], boxes->high[of], sizeof boxes->high[of]);
        boxes->high[of][d] = boxes->low[boxes->count++][d] = at;
    }
    for (size_t i = 0; i < boxes->count; i++)
        boxes->bounds[i] = (struct blocked_bounds){ boxes->low[i], boxes->high[i] };
}

ARENA_TEST(pieces_cover_and_a_missing_one_is_found)
{
    const double low[] = { 8, 8, 8 }, high[] = { 1024, 1024, 1024 };
    uint64_t random = draws_from(77);

    for (int i = 0; i < draws_of(300); i++) {
        const size_t dimensions = (size_t)random_between(&random, 1, 3);
        struct boxes boxes;
        double hole[3];
        size_t gone, left = 1 << 20;

        cut(&boxes, dimensions, &random);
        assert_true(blocked_box_cover(boxes.bounds, boxes.count, low, high, dimensions, &left,
                                      arena, hole));
        gone = (size_t)random_between(&random, 0, (int64_t)boxes.count - 1);
        if (boxes.low[gone][0] == boxes.high[gone][0])
            continue;
        boxes.bounds[gone] = boxes.bounds[--boxes.count];
        assert_false(blocked_box_cover(boxes.bounds, boxes.count, low, high, dimensions, &left,
                                       arena, hole));
        for (size_t k = 0; k < boxes.count; k++) {
            bool is_inside = true;

            for (size_t d = 0; d < dimensions; d++)
                is_inside = is_inside && hole[d] > boxes.bounds[k].low[d] &&
                            hole[d] < boxes.bounds[k].high[d];
            assert_false(is_inside);
        }
    }
}

ARENA_TEST(too_much_work_is_no_answer)
{
    const double low[] = { 8, 8, 8 }, high[] = { 1024, 1024, 1024 };
    struct boxes boxes;
    uint64_t random = 3;
    double hole[3];
    size_t left = 50;

    cut(&boxes, 3, &random);
    assert_false(blocked_box_cover(boxes.bounds, boxes.count, low, high, 3, &left, arena, hole));
    assert_true(isnan(hole[0]));
}

TEST(beyond_the_regions_time_grows_with_the_work)
{
    const struct blocked_ground *ground = *state;
    const struct blocked_kernel gemm = blocked_kernel_named("dgemm", "NN");
    const struct blocked_fitted *fitted = blocked_find(ground->cal, &gemm, 1, BLOCKED_IN_CACHE);
    const struct blocked_call edge = { .kernel = gemm, .size = { 256, 1024, 1024 } };
    const struct blocked_call far = { .kernel = gemm, .size = { 256, 1024, 2048 } };
    const struct blocked_call small = { .kernel = gemm, .size = { 3, 1024, 1024 } };
    struct blocked_times at_edge, beyond;

    assert_non_null(blocked_evaluate(fitted, &far, &beyond));
    assert_null(blocked_evaluate(fitted, &edge, &at_edge));
    assert_close(beyond.med, 2 * at_edge.med, 1e-12);
    assert_close(beyond.std, 2 * at_edge.std, 1e-12);
    assert_non_null(blocked_evaluate(fitted, &small, &beyond));
    assert_true(beyond.med > 0);
}

/* The calibration of the worked example: coefficients of the median in seconds. */
static const char by_hand[] =
    "{'schema': 'forerun-calibration-1', 'machine': 'm',"
    " 'node': {'cores_per_node': 1, 'peak_flops_per_s': 4e10}, 'kernels': {'routine_models': ["
    "{'routine': 'trinv1_unb', 'flags': {}, 'parameters': ['n'], 'locality': 'in_cache',"
    " 'threads': 1, 'range': [{'min': [50], 'max': [150]}], 'basis': [[0], [1], [2], [3]],"
    " 'regions': [{'min': [50], 'max': [150], 'error': 0, 'coef': {'med': [4e-5, 1e-4, 8e-5, 4e-5],"
    " 'min': [0, 0, 0, 0], 'avg': [0, 0, 0, 0], 'max': [0, 0, 0, 0], 'std': [8e-6, 0, 0, 0]}}]},"
    "{'routine': 'dtrmm', 'flags': {'side': 'R', 'uplo': 'L', 'trans': 'N', 'diag': 'N'},"
    " 'parameters': ['m', 'n'], 'locality': 'in_cache', 'threads': 1,"
    " 'range': [{'min': [50, 100], 'max': [150, 300]}],"
    " 'basis': [[0, 0], [0, 1], [0, 2], [1, 0]],"
    " 'regions': [{'min': [50, 100], 'max': [150, 300], 'error': 0,"
    " 'coef': {'med': [6e-5, 1.2e-4, 8e-5, 1e-4],"
    " 'min': [0, 0, 0, 0], 'avg': [0, 0, 0, 0], 'max': [0, 0, 0, 0], 'std': [1e-5, 0, 0, 0]}}]},"
    "{'routine': 'dtrsm', 'flags': {'side': 'L', 'uplo': 'L', 'trans': 'N', 'diag': 'N'},"
    " 'parameters': ['m', 'n'], 'locality': 'in_cache', 'threads': 1,"
    " 'range': [{'min': [50, 100], 'max': [150, 300]}],"
    " 'basis': [[0, 0], [0, 1], [1, 0], [2, 0]],"
    " 'regions': [{'min': [50, 100], 'max': [150, 300], 'error': 0,"
    " 'coef': {'med': [5e-5, 8e-5, 6e-5, 4e-5],"
    " 'min': [0, 0, 0, 0], 'avg': [0, 0, 0, 0], 'max': [0, 0, 0, 0], 'std': [2e-6, 0, 0, 0]}}]}"
    "]}}";

/* docs/models/blocked.md#worked-example and docs/models/kernel_models.md#worked-example */
ARENA_TEST(the_worked_examples_hold)
{
    const struct fr_calibration *cal = calibration_of(by_hand, arena);
    struct fr_prediction out = predicted("trinv", "n=250&block_size=100&variant=1", cal);

    assert_close(out.time_s, 700e-6, 1e-12);
    assert_close(FR_OWN_OF(struct blocked_own, &out)->time_std_s, 20e-6, 1e-12);
    assert_close(FR_OWN_OF(struct blocked_own, &out)->calls, 7, 0);
    assert_close(out.flops, 5208500, 1e-15);
    assert_close(FR_OWN_OF(struct blocked_own, &out)->flops_fused, 2635500, 1e-12);
    assert_close(out.gflops, 7.4407, 1e-5);
    assert_close(out.percent_of_peak, 18.60, 1e-3);
    assert_close(phase_of(&out, "trinv1_unb")->time_s, 270e-6, 1e-12);
    assert_close(phase_of(&out, "dtrmm")->time_s, 250e-6, 1e-12);
    assert_close(phase_of(&out, "dtrsm")->time_s, 180e-6, 1e-12);
    /* its minima are 0 */
    assert_close(out.bound_s, 5208500 / 4e10, 1e-12);
    assert_string_equal(out.bound_by, "work");
    assert_false(has_warning(&out, FR_WARN_BELOW_BOUND, "work"));
    out = predicted("trinv", "n=250&block_size=100&variant=1&statistic=minimum", cal);
    assert_true(has_warning(&out, FR_WARN_BELOW_BOUND, "work"));
    out = predicted("calls", "calls=dtrsm LLNN 100 400 -1", cal);
    assert_close(out.time_s, 170e-6 * 4 / 3, 1e-12);
    assert_true(has_warning(&out, FR_WARN_EXTRAPOLATED, "kernels.routine_models.dtrsm"));
}

/* Constant statistics: those of dpotrf are out of order, those of trinv1_unb are not. */
static const char out_of_order[] =
    "{'schema': 'forerun-calibration-1', 'machine': 'm', 'kernels': {'routine_models': ["
    "{'routine': 'dpotrf', 'flags': {'uplo': 'L'}, 'parameters': ['n'], 'locality': 'in_cache',"
    " 'threads': 1, 'range': [{'min': [8], 'max': [96]}], 'basis': [[0]],"
    " 'regions': [{'min': [8], 'max': [96], 'error': 0, 'coef': {'min': [30], 'med': [20],"
    " 'avg': [50], 'max': [10], 'std': [3]}}]},"
    "{'routine': 'trinv1_unb', 'flags': {}, 'parameters': ['n'], 'locality': 'in_cache',"
    " 'threads': 1, 'range': [{'min': [8], 'max': [96]}], 'basis': [[0]],"
    " 'regions': [{'min': [8], 'max': [96], 'error': 0, 'coef': {'min': [1], 'med': [2],"
    " 'avg': [3], 'max': [4], 'std': [1]}}]}]}}";

/* docs/models/kernel_models.md#decision-statistics-in-order */
ARENA_TEST(each_call_has_its_statistics_in_order)
{
    const struct fr_calibration *cal = calibration_of(out_of_order, arena);
    struct fr_prediction out = predicted("calls", "calls=dpotrf L 8; trinv1_unb 8", cal);

    assert_close(out.time_s, 20 + 2, 0);
    assert_close(FR_OWN_OF(struct blocked_own, &out)->time_min_s, 20 + 1, 0);
    assert_close(FR_OWN_OF(struct blocked_own, &out)->time_average_s, 20 + 3, 0);
    assert_close(FR_OWN_OF(struct blocked_own, &out)->time_max_s, 20 + 4, 0);
    assert_true(has_warning(&out, FR_WARN_REORDERED, NULL));
    assert_close(out.bound_s, 20 + 1, 0); /* the peak is unknown */
    assert_string_equal(out.bound_by, "critical_path");
    out = predicted("calls", "calls=dpotrf L 8&statistic=minimum", cal);
    assert_close(out.time_s, 20, 0);
    out = predicted("calls", "calls=trinv1_unb 8", cal);
    assert_close(FR_OWN_OF(struct blocked_own, &out)->time_average_s, 3, 0);
    assert_false(has_warning(&out, FR_WARN_REORDERED, NULL));
}

GROUP(blocked_begin, blocked_end)
