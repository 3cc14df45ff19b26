/* The options of the benchmark routine_models, and the kernels and ranges that follow from them. */
#include "tests/unit/support/blocked.h"
#include "tests/unit/support/check.h"

#include <math.h>
#include <stdio.h>

#include "calibrations/calibrate/blocked/modeling.h"

static struct fr_domain domain[FR_KERNELS_MAX];
static char why[160];

/* Parses a command line, its words separated by blanks. */
static struct fr_modeling parse(const char *line)
{
    struct fr_modeling modeling = fr_modeling_default();
    struct fr_command_line command = { .group = { { fr_modeling_options, &modeling,
                                                    fr_modeling_check } } };
    char name[] = "test", text[300], *word[20] = { name };
    int words = 1;

    assert_in_range(snprintf(text, sizeof text, "%s", line), 0, sizeof text - 1);
    for (char *at = strtok(text, " "); at; at = strtok(NULL, " ")) {
        assert_in_range(words, 1, 18);
        word[words++] = at;
    }
    fr_option_parse(&command, words, word);
    return modeling;
}

static struct blocked_build build_of(const char *options, const char *routine)
{
    const struct fr_modeling modeling = parse(options);
    const struct fr_domain of = { .kernel = blocked_kernel_named(
                                      routine, strcmp(routine, "dgemm") == 0 ? "NN" : "LLNN") };

    return fr_modeling_build(&modeling, &of, false);
}

TEST(without_options_each_kernel_has_its_default)
{
    static const char *const routines[] = { "dgemm", "dtrsm", "dtrmm" };

    for (size_t i = 0; i < sizeof routines / sizeof *routines; i++) {
        const struct blocked_kernel kernel = blocked_kernel_named(routines[i], "");
        const struct blocked_build build = build_of("", routines[i]);
        const struct blocked_build wanted = blocked_build_default(&kernel);

        assert_int_equal(build.strategy, BLOCKED_REFINEMENT);
        assert_int_equal(build.grid, BLOCKED_CHEBYSHEV);
        assert_int_equal(build.split, BLOCKED_SPLIT_BEST);
        assert_int_equal(build.measure, BLOCKED_ERROR_P90);
        assert_int_equal(build.reference, BLOCKED_MIN);
        assert_int_equal(build.s_min, 32);
        assert_int_equal(build.s_fine, 8);
        assert_int_equal(build.s_ini, wanted.s_ini);
        assert_int_equal(build.degree_extra, 0);
        assert_true(build.is_relative && build.eps == (i == 0 ? 0.05 : 0.03));
        for (size_t d = 0; d < kernel.routine->sizes; d++)
            assert_int_equal(build.oversampling[d], i == 0 ? 2 : 3);
    }
}

/* Only the difference to in cache counts. */
TEST(out_of_cache_models_may_be_coarser)
{
    const struct fr_modeling modeling = parse(""), finer = parse("--eps 0.02 --s-fine 16");
    const struct fr_domain gemm = { .kernel = blocked_kernel_named("dgemm", "NN") };
    const struct blocked_build build = fr_modeling_build(&modeling, &gemm, true);

    assert_true(build.eps == 0.08);
    assert_int_equal(build.s_min, 128);
    assert_int_equal(build.s_fine, 0);
    assert_true(fr_modeling_build(&finer, &gemm, true).eps == 0.02);
    assert_int_equal(fr_modeling_build(&finer, &gemm, true).s_fine, 16);
}

TEST(the_papers_configuration_can_be_asked_for)
{
    const struct blocked_build build =
        build_of("--absolute --measure max --split all --s-min 32 --eps 0.1 --grid cartesian "
                 "--reference avg --degree-extra 1 --oversampling 4",
                 "dgemm");

    assert_false(build.is_relative);
    assert_int_equal(build.measure, BLOCKED_ERROR_MAX);
    assert_int_equal(build.split, BLOCKED_SPLIT_ALL);
    assert_int_equal(build.grid, BLOCKED_CARTESIAN);
    assert_int_equal(build.reference, BLOCKED_AVG);
    assert_int_equal(build.s_min, 32);
    assert_int_equal(build.degree_extra, 1);
    assert_true(build.eps == 0.1);
    assert_int_equal(build.oversampling[0], 4);
    assert_int_equal(build.oversampling[2], 4);
}

static size_t most_samples_of(const char *kernel, const char *options)
{
    struct fr_modeling modeling = parse(options);

    modeling.kernels = kernel;
    assert_int_equal(fr_domains_find(&modeling, domain, why), 1);
    return fr_modeling_build(&modeling, &domain[0], false).most_samples;
}

TEST(a_model_may_take_as_many_samples_as_the_paper_s)
{
    assert_int_equal(most_samples_of("dtrsm:LLNN", ""), 400);
    assert_int_equal(most_samples_of("dtrsm:LLNN", "--model-samples 200000"), 200000);
    assert_int_equal(most_samples_of("trinv1_unb", "--model-samples 50"), 50);
}

TEST(expansion_is_on_an_even_grid_unless_told)
{
    struct blocked_build build =
        build_of("--strategy model_expansion --direction away_from_origin --s-ini 64", "dtrsm");

    assert_int_equal(build.strategy, BLOCKED_EXPANSION);
    assert_int_equal(build.direction, BLOCKED_AWAY_FROM_ORIGIN);
    assert_int_equal(build.s_ini, 64);
    assert_int_equal(build.grid, BLOCKED_CARTESIAN);
    build = build_of("--strategy model_expansion --grid chebyshev", "dtrsm");
    assert_int_equal(build.grid, BLOCKED_CHEBYSHEV);
    assert_int_equal(build.direction, BLOCKED_TOWARD_ORIGIN);
}

TEST(sizes_may_be_oversampled_differently)
{
    const struct blocked_build three = build_of("--oversampling 2,3,1", "dgemm");
    const struct blocked_build two = build_of("--oversampling 4,1", "dgemm");

    assert_int_equal(three.oversampling[0], 2);
    assert_int_equal(three.oversampling[1], 3);
    assert_int_equal(three.oversampling[2], 1);
    assert_int_equal(two.oversampling[0], 4);
    assert_int_equal(two.oversampling[1], 1);
    assert_int_equal(two.oversampling[2], 1);
}

TEST(localities_and_limits_are_taken)
{
    struct fr_modeling modeling = parse("");

    assert_true(modeling.is_warm && modeling.is_cold && isinf(modeling.budget_s));
    assert_null(modeling.samples);
    modeling = parse("--locality out_of_cache --model-time 2.5");
    assert_true(!modeling.is_warm && modeling.is_cold && modeling.budget_s == 2.5);
    modeling = parse("--locality in_cache");
    assert_true(modeling.is_warm && !modeling.is_cold);
    modeling = parse("--locality in_cache,out_of_cache");
    assert_true(modeling.is_warm && modeling.is_cold);
}

TEST(sizes_left_open_follow_from_those_given)
{
    static const struct {
        const char *line;
        int size, block, quick_size, quick_block;
    } cases[] = {
        { "", 1024, 256, 128, 64 },
        { "--model-size 200", 200, 200, 200, 64 },
        { "--model-size 48", 48, 48, 48, 48 },
        { "--model-block 96", 1024, 96, 128, 96 },
        { "--model-block 2000", 2000, 2000, 2000, 2000 },
        { "--model-size 512 --model-block 128", 512, 128, 512, 128 },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fr_modeling modeling = parse(cases[i].line);

        assert_int_equal(modeling.size, cases[i].size);
        assert_int_equal(modeling.block, cases[i].block);
        fr_modeling_hurry(&modeling);
        assert_int_equal(modeling.size, cases[i].quick_size);
        assert_int_equal(modeling.block, cases[i].quick_block);
    }
}

static int find(const char *kernels)
{
    struct fr_modeling modeling = parse("--model-size 1000 --model-block 200");

    modeling.kernels = kernels;
    *why = '\0';
    return fr_domains_find(&modeling, domain, why);
}

/* `high` lists the upper corners of the boxes, separated by blanks. */
static void assert_domain(int index, const char *name, const char *high, int alpha)
{
    const struct fr_domain *found = &domain[index];
    char kernel[40], corners[100] = "";

    snprintf(kernel, sizeof kernel, "%s%s%s", found->kernel.routine->name,
             *found->kernel.flags ? ":" : "", found->kernel.flags);
    for (size_t b = 0; b < found->boxes; b++)
        for (size_t d = 0; d < found->kernel.routine->sizes; d++) {
            const size_t length = strlen(corners);

            assert_int_equal(found->box[b].min[d], 8);
            snprintf(corners + length, sizeof corners - length, "%s%d",
                     d   ? "x"
                     : b ? " "
                         : "",
                     (int)found->box[b].max[d]);
        }
    assert_string_equal(kernel, name);
    assert_string_equal(corners, high);
    assert_int_equal(found->alpha, alpha);
}

static const char gemm_boxes[] = "1000x1000x200 1000x200x1000 200x1000x1000";

TEST(trinv_and_sylv_have_the_kernels_that_they_call)
{
    assert_int_equal(find("trinv,sylv"), 9);
    assert_domain(0, "trinv1_unb", "200", 1);
    assert_domain(3, "trinv4_unb", "200", 1);
    assert_domain(4, "dtrsm:LLNN", "200x1000 1000x200", -1);
    assert_domain(5, "dtrsm:RLNN", "1000x200", -1);
    assert_domain(6, "dtrmm:RLNN", "200x1000", 1);
    assert_domain(7, "sylv_unb", "200x200", 1);
    assert_domain(8, "dgemm:NN", gemm_boxes, -1);
    assert_int_equal(find("sylv"), 2);
    assert_domain(0, "sylv_unb", "200x200", 1);
    assert_domain(1, "dgemm:NN", gemm_boxes, -1);
}

/* They walk through about n^2 empty steps. */
TEST(own_leaves_end_at_128)
{
    assert_int_equal(find("sylv_own"), 17);
    assert_domain(0, "sylv1_unb", "128x128", 1);
    assert_domain(15, "sylv16_unb", "128x128", 1);
    assert_domain(16, "dgemm:NN", gemm_boxes, -1);
}

TEST(kernels_given_by_name_go_up_to_the_size)
{
    assert_int_equal(find("dtrsm:LLNN,dsyrk:LN,dpotrf:L,trinv2_unb,dgetrf"), 5);
    assert_domain(0, "dtrsm:LLNN", "1000x1000", -1);
    assert_domain(1, "dsyrk:LN", "1000x1000", 1);
    assert_domain(2, "dpotrf:L", "200", 1);
    assert_domain(3, "trinv2_unb", "200", 1);
    assert_domain(4, "dgetrf", "1000x1000", 1);
}

TEST(the_slowest_is_last_and_none_comes_twice)
{
    assert_int_equal(find("dgemm:NN,dtrsm:LLNN,trinv,trinv"), 8);
    assert_domain(0, "dtrsm:LLNN", "1000x1000", -1);
    assert_domain(1, "trinv1_unb", "200", 1);
    assert_domain(7, "dgemm:NN", "1000x1000x1000", -1);
}

TEST(refusals_name_what_would_do)
{
    static const struct {
        const char *kernels, *says;
    } cases[] = {
        { "cholesky", "cholesky is not trinv, sylv, sylv_own or a routine" },
        { "panels", "replaced by the benchmark calls: --only=calls" },
        { "trinv,", "is not trinv, sylv" },
        { "", "is not trinv, sylv" },
        { "trinv,sylv,nothing:LL", "nothing is not trinv" },
        { "dtrsm", "dtrsm takes 4 flags; dtrsm takes four, dtrsm:LLNN" },
        { "dtrsm:LLN", "dtrsm takes 4 flags" },
        { "trinv1_unb:L", "trinv1_unb takes 0 flags" },
        { "dtrsm:LLXN", "dtrsm: flag trans must be one of NTC, not X" },
        { "dgemm:nn", "dgemm: flag transA must be one of NTC, not n" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(find(cases[i].kernels), -1);
        if (!strstr(why, cases[i].says))
            fail_msg("%s: %s", cases[i].kernels, why);
    }
}

TEST(a_kernel_of_two_sets_has_the_boxes_of_both)
{
    assert_int_equal(find("trinv,dgemm:NN"), 8);
    assert_string_equal(domain[7].kernel.routine->name, "dgemm");
    assert_int_equal(domain[7].boxes, 4); /* those of trinv, and all sizes */
    assert_int_equal(domain[7].box[3].max[2], domain[7].box[3].max[0]);
}

TEST(finer_sides_follow_from_the_shortest_unless_told)
{
    assert_int_equal(build_of("", "dgemm").s_fine, 8);
    assert_int_equal(build_of("", "dtrsm").s_fine, 8);
    assert_int_equal(build_of("--s-min 64", "dgemm").s_fine, 0);
    assert_int_equal(build_of("--s-min 64 --s-fine 16", "dgemm").s_fine, 16);
}

/* No kernel is dropped silently. */
TEST(too_many_kernels_are_refused)
{
    char text[1000] = "trinv,sylv_own,sylv";

    for (int i = 0; i < 24; i++)
        for (int routine = 0; routine < 2; routine++)
            snprintf(text + strlen(text), sizeof text - strlen(text), ",%s:%c%c%c%c",
                     routine ? "dtrsm" : "dtrmm", "LR"[i & 1], "LU"[i >> 1 & 1], "NTC"[i / 8],
                     "NU"[i >> 2 & 1]);
    assert_int_equal(find(text), -1);
    assert_string_equal(why, "6 kernels more than the limit of 64; leave some out");
}
