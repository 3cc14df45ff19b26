/* Evaluations that are remembered: those of the model, with less work. */
#include "tests/unit/support/blocked.h"
#include "tests/unit/support/draws.h"

#include "engine/blocked/blocked.h"

#include <stdlib.h>

/* Sizes inside and outside the regions of the golden model of dgemm. */
static struct blocked_call some_call(uint64_t *random)
{
    return (struct blocked_call){
        .kernel = blocked_kernel_named("dgemm", "NN"),
        .size = { 8 * random_between(random, 1, 20), 8 * random_between(random, 1, 20),
                  100 * random_between(random, 1, 20) },
    };
}

#define CASE(name) TEST_OF(name, const struct blocked_ground *ground, NULL, NULL)

CASE(remembered_evaluations_are_those_of_the_model)
{
    const struct blocked_kernel gemm = blocked_kernel_named("dgemm", "NN");
    const struct blocked_fitted *fitted = blocked_find(ground->cal, &gemm, 1, BLOCKED_IN_CACHE);
    struct fr_arena *arena = fr_arena_new(1 << 22);
    struct blocked_memo memo = { 0 };
    uint64_t random = draws_from(5);
    double steps = 0;

    for (int i = 0; i < draws_of(20000); i++) {
        const struct blocked_call call = some_call(&random);
        const struct blocked_evaluation *found =
            blocked_recall(&memo, fitted, &call, arena, &steps);
        struct blocked_times times;

        assert_ptr_equal(found->nearest, blocked_evaluate(fitted, &call, &times));
        assert_memory_equal(&found->times, &times, sizeof times);
    }
    fr_arena_free(arena);
}

CASE(other_models_and_flags_are_not_mistaken)
{
    const struct blocked_routine *trsm = blocked_routine_find("dtrsm");
    json_t *document = json_pack(
        "{s:s,s:s,s:{s:[o,o]}}", "schema", "forerun-calibration-1", "machine", "m", "kernels",
        "routine_models", blocked_any_model(trsm, 1, false), blocked_any_model(trsm, 1, true));
    char *text = json_dumps(document, 0);
    const struct fr_calibration *cal = calibration_of(text, ground->arena);
    const char *const flags[] = { "LLNN", "RLNN" };
    struct blocked_memo memo = { 0 };
    double steps = 0, med[2][2];

    for (int cold = 0; cold < 2; cold++)
        for (int side = 0; side < 2; side++) {
            /* Beyond the region the operations count, which depend on the side. */
            const struct blocked_call call = { .kernel = blocked_kernel_named("dtrsm", flags[side]),
                                               .size = { 2048, 64 } };
            const struct blocked_fitted *fitted =
                blocked_find(cal, &call.kernel, 1, cold ? BLOCKED_OUT_OF_CACHE : BLOCKED_IN_CACHE);

            med[cold][side] =
                blocked_recall(&memo, fitted, &call, ground->arena, &steps)->times.med;
        }
    assert_close(med[0][0], 2 * med[0][1], 1e-12); /* m^2 n, m n^2; m is twice its largest */
    assert_close(med[1][0], 2 * med[0][0], 1e-12);
    assert_close(med[1][1], 2 * med[0][1], 1e-12);
    free(text);
    json_decref(document);
}

/* The work of a number of calls of as many different sizes, of which each comes `times` times. */
static double work_of(const struct blocked_fitted *fitted, struct fr_arena *arena, int sizes,
                      int times)
{
    struct blocked_memo memo = { 0 };
    double steps = 0;

    for (int i = 0; i < sizes * times; i++) {
        const struct blocked_call call = { .kernel = fitted->kernel,
                                           .size = { 8, 8, 8 * (1 + i % sizes) } };

        blocked_recall(&memo, fitted, &call, arena, &steps);
    }
    return steps;
}

CASE(calls_of_known_sizes_are_less_work)
{
    const struct blocked_kernel gemm = blocked_kernel_named("dgemm", "NN");
    const struct blocked_fitted *fitted = blocked_find(ground->cal, &gemm, 1, BLOCKED_IN_CACHE);
    const double regions = (double)fitted->regions;
    const double once = work_of(fitted, ground->arena, 1, 1);
    const double again = work_of(fitted, ground->arena, 1, 2) - once;

    assert_close(once - again, 16 + regions, 0); /* an evaluation, and a test of each region */
    /* The table has room for many sizes, without one for each. */
    assert_true(work_of(fitted, ground->arena, 1000, 100) <
                100000 * again + 10 * 1000 * (once - again));
}

CASE(without_memory_the_table_stays_small_and_right)
{
    const struct blocked_kernel gemm = blocked_kernel_named("dgemm", "NN");
    const struct blocked_fitted *fitted = blocked_find(ground->cal, &gemm, 1, BLOCKED_IN_CACHE);
    struct fr_arena *full = fr_arena_new(0);
    struct blocked_memo memo = { 0 };
    uint64_t random = draws_from(6);
    double steps = 0;

    while (fr_arena_zeroed(full, 1, 1024))
        ;
    for (int i = 0; i < draws_of(1000); i++) {
        const struct blocked_call call = some_call(&random);
        struct blocked_times times;

        blocked_evaluate(fitted, &call, &times);
        assert_memory_equal(&blocked_recall(&memo, fitted, &call, full, &steps)->times, &times,
                            sizeof times);
    }
    assert_null(memo.larger);
    fr_arena_free(full);
}

GROUP(blocked_begin, blocked_end)
