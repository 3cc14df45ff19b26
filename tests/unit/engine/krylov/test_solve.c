/* solve: refusals, choices that follow from others, and properties that hold for every question. */
#include "engine/krylov/communication/krylov.h"
#include "engine/krylov/solvers/solvers.h"
#include "tests/unit/support/draws.h"
#include "tests/unit/support/machines.h"

#include <stdio.h>
#include <string.h>

static void check_refused(const struct fr_calibration *cal, const char *query, const char *where,
                          const char *words)
{
    const struct fr_faults faults = refused("solve", query, cal);
    const struct fr_fault *fault = fault_at(&faults, where);

    if (!fault || !strstr(fault->message, words) || faults.count != 1)
        fail_msg("%s: %zu faults, %s: %s", query, faults.count, faults.fault[0].where,
                 faults.fault[0].message);
}

#define SIZE "iterations=20&nodes=8&processes_per_node=4"
TEST(impossible_requests_are_refused)
{
    const struct fr_calibration *cal = ((const struct machines *)*state)->uniform;

    check_refused(cal, SIZE, "local_grid", "none of local_grid");
    check_refused(cal, SIZE "&local_grid=8x8&global_grid=64x64", "local_grid", "several");
    check_refused(cal, SIZE "&local_grid=8x8&system=general", "solver", "required");
    check_refused(cal, SIZE "&local_grid=8x8&system=symmetric&solver=pcg", "solver",
                  "pcg needs a system that is spd");
    check_refused(cal, SIZE "&local_grid=8x8&system=general&solver=bcgs&preconditioner=icc",
                  "preconditioner", "use ilu");
    check_refused(cal, SIZE "&global_grid=4x4", "process_grid", "more processes than");
    check_refused(cal, SIZE "&global_grid=31&grid_shape=fitted", "global_grid", "fewer processes");
    check_refused(cal, SIZE "&local_grid=8x8&grid_shape=fitted", "grid_shape", "local_grid");
    check_refused(cal, SIZE "&global_grid=64x64&process_grid=8x4&grid_shape=fitted", "grid_shape",
                  "process_grid");
    check_refused(cal, SIZE "&global_grid=64x64&process_grid=8x8", "process_grid", "32 processes");
    check_refused(cal, SIZE "&local_grid=8x8&partition=metis", "partition", "divides a matrix");
    check_refused(cal, SIZE "&matrix=m&solver=gmres&mapping=node_aware", "mapping", "use default");
    check_refused(cal, SIZE "&matrix=m&solver=gmres", "matrix", "stored");
    check_refused(cal, SIZE "&local_grid=8x8&link_sharing=true", "link_sharing", "use false");
}

TEST(computation_needs_a_bandwidth_or_kernels_by_size)
{
    struct fr_calibration cal = *((const struct machines *)*state)->uniform;

    cal.memory.node_bandwidth_bytes_per_s = NAN;
    check_refused(&cal, SIZE "&local_grid=8x8", "calibration", "by_size");
}

static double value_of(const struct fr_calibration *cal, const char *name, const char *more)
{
    struct fr_prediction prediction;
    char query[200];

    snprintf(query, sizeof query, SIZE "&solver=pcg%s", more);
    prediction = predicted("solve", query, cal);
    return output_of("solve", name, &prediction);
}

TEST(a_global_grid_is_the_sum_of_its_local_grids)
{
    const struct fr_calibration *cal = ((const struct machines *)*state)->uniform;

    assert_close(value_of(cal, "time_s", "&global_grid=64x64x32"),
                 value_of(cal, "time_s", "&local_grid=16x16x16"), 0);
    assert_close(value_of(cal, "load_balance_factor", "&global_grid=65x64x32"),
                 17 * 16.0 / (65 * 4), 1e-15);
}

/* 8 rows of 3 entries, two neighbors, 4 bytes an index, 3 + 2 vectors
 * (docs/models/krylov_problem.md#bytes-and-memory). */
TEST(memory_is_that_of_the_parts)
{
    static const char line[] = "&local_grid=8&stencil=star&preconditioner=none";
    const struct fr_calibration *cal = ((const struct machines *)*state)->uniform;

    assert_close(value_of(cal, "memory_bytes_per_process", line),
                 24 * 12 + 6 * 4 * 8 + 8 * 8 * 5 + 2 * 12 + 8 * 4, 1e-15);
    assert_close(value_of(cal, "working_set_bytes", line), 24 * 12 + 4 * 8 + 8 * 8 * 5, 1e-15);
}

TEST(every_solver_takes_no_less_than_its_bound)
{
    const struct machines *m = *state;
    const struct fr_calibration *const cal[] = { m->uniform, m->torus, m->dragonfly };

    for (int solver = 0; solver < KRYLOV_SOLVERS; solver++)
        for (size_t i = 0; i < 3; i++)
            for (int progress = 0; progress < 3; progress++) {
                static const char *const names[] = { "penalties", "eager", "all" };
                char query[200];
                struct fr_prediction got;

                snprintf(query, sizeof query,
                         "solver=%s&iterations=33&nodes=12&processes_per_node=3&progress=%s"
                         "&local_grid=7x9x5&restart=10",
                         krylov_solver_names[solver], names[progress]);
                got = predicted("solve", query, cal[i]);
                assert_true(got.bound_s > 0);
                if (got.time_s < got.bound_s * (1 - 1e-12))
                    fail_msg("%s: %g s, below %g s", query, got.time_s, got.bound_s);
            }
}

/* More of what communication may do beside computation never costs time. */
TEST(progress_never_costs_time)
{
    const struct fr_calibration *cal = ((const struct machines *)*state)->torus;
    const double penalties = value_of(cal, "time_s", "&local_grid=12x12x12&progress=penalties");
    const double eager = value_of(cal, "time_s", "&local_grid=12x12x12");
    const double all = value_of(cal, "time_s", "&local_grid=12x12x12&progress=all");

    assert_true(eager <= penalties && all <= eager);
}

static const struct krylov_partition *find_facts(void *context, const char *matrix,
                                                 const char *partition, int64_t processes,
                                                 struct fr_faults *faults)
{
    (void)matrix, (void)partition, (void)processes, (void)faults;
    return context;
}

/* Two processes of three rows each; `zeros` of the six have a zero on the diagonal. */
static struct fr_prediction solved(int64_t zeros, const char *preconditioner, const char *more,
                                   const struct fr_calibration *cal, struct fr_arena *arena)
{
    int64_t rows[] = { 3, 3 }, diagonal[] = { 7, 7 }, offdiagonal[] = { 1, 1 };
    struct krylov_words message[] = { { 0, 1, 1 }, { 1, 0, 1 } };
    struct krylov_partition facts = { .processes = 2,
                                      .rows = rows,
                                      .diagonal = diagonal,
                                      .offdiagonal = offdiagonal,
                                      .message_count = 2,
                                      .message = message,
                                      .structural_symmetry = 1,
                                      .zero_diagonals = zeros };
    const struct fr_partition_source source = { &facts, find_facts };
    struct fr_faults faults = { 0 };
    const struct fr_model *model;
    char query[200];
    void *values;

    snprintf(query, sizeof query,
             "matrix=m&iterations=20&nodes=2&processes_per_node=1&preconditioner=%s%s",
             preconditioner, more);
    model = ask("solve", query, arena, &values, &faults);
    model->set_partitions(values, &source);
    assert_int_equal(fr_model_resolve(model, values, cal, &faults), FR_OK);
    return predicted_of(model, values, cal, arena);
}

/* docs/models/krylov_problem.md#preconditioners-and-the-diagonal */
TEST(preconditioners_that_divide_by_a_zero_diagonal_warn)
{
    static const char *const general[] = { "ilu", "jacobi" };
    const struct fr_calibration *cal = ((const struct machines *)*state)->uniform;
    struct fr_arena *arena = fr_arena_new(1 << 24);
    struct fr_prediction out;
    char words[400];

    for (size_t i = 0; i < 2; i++) {
        out = solved(2, general[i], "&solver=gmres", cal, arena);
        assert_true(has_warning(&out, FR_WARN_ZERO_DIAGONAL, general[i]));
    }
    out = solved(2, "icc", "&system=spd", cal, arena);
    assert_true(has_warning(&out, FR_WARN_ZERO_DIAGONAL, "icc"));
    for (size_t i = 0; i < out.warning_count; i++)
        if (out.warning[i].code == FR_WARN_ZERO_DIAGONAL)
            fr_warning_print(&out.warning[i], &out, cal, words, sizeof words);
    assert_non_null(
        strstr(words, "2 of 6 rows have no entry on the diagonal, or a zero, by which icc"));

    out = solved(2, "none", "&solver=gmres", cal, arena);
    assert_false(fr_has_warned(&out, FR_WARN_ZERO_DIAGONAL));
    for (int64_t zeros = -1; zeros < 1; zeros++) { /* -1: unknown */
        out = solved(zeros, "ilu", "&solver=gmres", cal, arena);
        assert_false(fr_has_warned(&out, FR_WARN_ZERO_DIAGONAL));
    }
    fr_arena_free(arena);
}

/* By trying all, larger extents first. */
static struct fr_vector best_grid(int64_t processes, const struct fr_vector *points,
                                  struct krylov_stencil stencil)
{
    struct fr_vector best = { 0 }, grid = { .count = 3 };
    double least = INFINITY;

    for (grid.at[0] = points->at[0]; grid.at[0] > 0; grid.at[0]--)
        for (grid.at[1] = points->at[1]; grid.at[1] > 0; grid.at[1]--) {
            const int64_t plane = grid.at[0] * grid.at[1];

            grid.at[2] = processes / plane;
            if (processes % plane || grid.at[2] > points->at[2])
                continue;
            stencil.local_grid = krylov_divided_grid(points, &grid);
            if (krylov_sent_bytes(&stencil, &grid) < least) {
                least = krylov_sent_bytes(&stencil, &grid);
                best = grid;
            }
        }
    return best;
}

TEST(a_fitted_grid_is_the_best_of_all)
{
    static const int64_t counts[] = { 1, 8, 12, 31, 36, 60, 64, 120, 360, 720, 1001, 2520 };
    uint64_t seed = 11;

    for (int i = 0; i < 300; i++) {
        const int64_t processes = counts[i % 12];
        const struct fr_vector points = { 3,
                                          { random_between(&seed, 1, 40),
                                            random_between(&seed, 1, 40),
                                            random_between(&seed, 1, 40) } };
        const struct krylov_stencil stencil = {
            .dimensions = 3, .is_full = i & 1, .message_bytes = NAN, .values_per_point = 1 + i % 3
        };
        const struct fr_vector got = krylov_fitted_grid(processes, &points, &stencil);
        const struct fr_vector want = best_grid(processes, &points, stencil);

        assert_true(fr_vector_equal(&got, &want));
    }
}

/* 735134400 has 1344 divisors and 136080 factorizations. */
TEST(a_grid_of_very_many_factorizations_is_found)
{
    const struct fr_vector points = { 3, { 1000000000, 7, 3000000 } };
    const struct krylov_stencil stencil = { .dimensions = 3,
                                            .message_bytes = NAN,
                                            .values_per_point = 1 };
    const struct fr_vector got = krylov_fitted_grid(735134400, &points, &stencil);

    assert_close(fr_vector_product(&got), 735134400, 0);
}

TEST(a_fitted_grid_sends_no_more_than_a_balanced_one)
{
    const struct fr_vector points = { 3, { 500, 40, 30 } };
    struct krylov_stencil stencil = { .dimensions = 3,
                                      .message_bytes = NAN,
                                      .values_per_point = 1 };

    for (int64_t processes = 1; processes <= 200; processes++) {
        const struct fr_vector fitted = krylov_fitted_grid(processes, &points, &stencil);
        const struct fr_vector balanced = krylov_dims_create(processes, 3);
        double least;

        stencil.local_grid = krylov_divided_grid(&points, &fitted);
        least = krylov_sent_bytes(&stencil, &fitted);
        assert_true(fr_vector_product(&fitted) == (double)processes);
        if (balanced.at[1] > 40 || balanced.at[2] > 30)
            continue;
        stencil.local_grid = krylov_divided_grid(&points, &balanced);
        assert_true(least <= krylov_sent_bytes(&stencil, &balanced));
    }
}

GROUP(machines_begin, place_end)
