/* The weight of a blend: sums over models, and its fit. */
#include "tests/unit/support/modeled.h"

#include "calibrations/calibrate/blocked/modeling.h"
#include "engine/blocked/fitted.h"

TEST(the_weight_of_exact_blends_is_found)
{
    struct fr_weight_run run[3];
    double error;

    for (int i = 0; i < 3; i++) {
        run[i] = (struct fr_weight_run){ .in_cache_s = 1 + i, .out_of_cache_s = 2 + 3 * i };
        run[i].time_s = 0.7 * run[i].in_cache_s + 0.3 * run[i].out_of_cache_s;
    }
    assert_close(fr_weight_fit(run, 3, &error), 0.3, 1e-12);
    assert_true(error < 1e-12);
}

TEST(a_weight_is_a_share)
{
    const struct fr_weight_run slow = { .time_s = 5, .in_cache_s = 1, .out_of_cache_s = 2 };
    const struct fr_weight_run fast = { .time_s = 0.5, .in_cache_s = 1, .out_of_cache_s = 2 };
    const struct fr_weight_run same = { .time_s = 1, .in_cache_s = 1, .out_of_cache_s = 1 };
    double error;

    assert_true(fr_weight_fit(&slow, 1, &error) == 1);
    assert_close(error, 0.6, 1e-12);
    assert_true(fr_weight_fit(&fast, 1, &error) == 0);
    assert_true(isnan(fr_weight_fit(&same, 1, &error)));
}

static void record(struct fr_document *document, const char *routine, const char *flags,
                   bool is_cold)
{
    const struct blocked_box box = { { 8, 8, 8 }, { 256, 256, 256 } };
    const struct fr_domain domain = { .kernel = modeled_kernel(routine, flags) };
    const struct blocked_build build = blocked_build_default(&domain.kernel);
    const struct fr_fit_history history = { .rows = 0 };
    struct modeled formula = { .jump = 0 };
    struct blocked_model model = modeled_build(&domain.kernel, &box, 1, &build, &formula);

    fr_routine_record(document, &(struct fr_routine_made){ .domain = &domain,
                                                           .build = &build,
                                                           .model = &model,
                                                           .history = &history,
                                                           .is_cold = is_cold,
                                                           .threads = 2 });
    blocked_model_free(&model);
}

static bool predicts(struct fr_document *document, int threads, int n, struct fr_weight_run *run)
{
    struct fr_faults faults = { 0 };

    blocked_prepare(&document->found, document->arena, &faults);
    return fr_weight_predict(&document->found, threads, 1, n, 40, run);
}

TEST(sums_need_a_model_of_every_call)
{
    struct fr_document *document = fr_document_new();
    struct fr_weight_run run;

    for (int is_cold = 0; is_cold < 2; is_cold++) {
        record(document, "trinv1_unb", "", is_cold);
        record(document, "dtrsm", "LLNN", is_cold);
        assert_false(predicts(document, 2, 200, &run));
        record(document, "dtrmm", "RLNN", is_cold);
    }
    assert_true(predicts(document, 2, 200, &run));
    assert_true(run.in_cache_s > 0);
    assert_close(run.out_of_cache_s, run.in_cache_s, 1e-9);
    assert_false(predicts(document, 1, 200, &run));
    assert_false(predicts(document, 2, 600, &run));
    fr_document_free(document);
}

TEST(shares_rise_from_in_cache_to_out_of_cache)
{
    /* Noise below the warm time, a dip, and more than the cold time. */
    const double time_s[] = { 0.9e-6, 1e-6, 2e-6, 1.5e-6, 5e-6, 6e-6 };
    const double wanted[] = { 0, 0, 0.25, 0.25, 1, 1 };
    double share[6];

    fr_reuse_shares(time_s, 6, 1e-6, 5e-6, share);
    for (int i = 0; i < 6; i++)
        assert_close(share[i], wanted[i], 1e-12);
    /* Without a difference nothing has a share. */
    fr_reuse_shares(time_s, 6, 1e-6, 1e-6, share);
    for (int i = 0; i < 6; i++)
        assert_close(share[i], 0, 0);
}
