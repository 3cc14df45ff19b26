/* What the calibrator runs on every core: the kernels compute what they say, the counters of ports
 * are read as Linux shows them. */
#include "tests/unit/support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calibrations/calibrate/core/environment.h"
#include "calibrations/calibrate/core/options.h"
#include "calibrations/calibrate/kernels/stencil.h"
#include "calibrations/calibrate/network/traffic.h"
#include "server/json/writer.h"

/* Of world.c, which needs MPI. */
_Noreturn void fr_world_out_of_memory(void);
_Noreturn void fr_world_out_of_memory(void)
{
    abort();
}

enum { SIDE = 5, ROWS = SIDE * SIDE * SIDE };

TEST(a_block_product_is_one_at_every_order)
{
    static const int orders[] = { 1, 7, 33, 129, 513 };

    for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
        const int n = orders[o];
        const size_t elements = (size_t)n * (size_t)n;
        float *a = calloc(3 * elements, sizeof *a), *b = a + elements, *c = b + elements;

        assert_non_null(a);
        /* A moves every row up by one, and doubles it. */
        for (int i = 0; i < n; i++)
            a[(size_t)i * n + (i + 1) % n] = 2;
        for (size_t i = 0; i < elements; i++) {
            b[i] = (float)(i % 1009);
            c[i] = 1;
        }
        fr_cnc_multiply(n, a, b, c, NULL, NULL);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                assert_true(c[(size_t)i * n + j] == 1 + 2 * b[(size_t)((i + 1) % n) * n + j]);
        free(a);
    }
}

/* Inside, a row sums up 27 less its 26 neighbours; at a corner, less 7. */
TEST(the_stencil_multiplies)
{
    struct fr_stencil *s = fr_stencil_new(SIDE);

    assert_non_null(s);
    fr_stencil_multiply(s);
    assert_close(s->y[ROWS / 2], 1, 1e-14);
    assert_close(s->y[0], 20, 1e-14);
    assert_int_equal(s->matrix.start[ROWS], 13 * 13 * 13); /* (3 * 5 - 2) cubed */
    assert_int_equal(s->cholesky.start[ROWS], (13 * 13 * 13 + ROWS) / 2);
    assert_int_equal(s->lower.start[ROWS], (13 * 13 * 13 - ROWS) / 2);
    assert_int_equal(s->upper.start[ROWS], (13 * 13 * 13 - ROWS) / 2);
    fr_stencil_free(s);
}

static double row_times(const struct fr_sparse *sparse, int row, const double *x)
{
    double sum = 0;

    for (int k = sparse->start[row]; k < sparse->start[row + 1]; k++)
        sum += sparse->value[k] * x[sparse->column[k]];
    return sum;
}

static struct fr_stencil *stencil_with_x(void)
{
    struct fr_stencil *s = fr_stencil_new(SIDE);

    assert_non_null(s);
    for (int i = 0; i < ROWS; i++)
        s->x[i] = 1 + i % 7;
    return s;
}

/* (U' D U) z gives x again.  The rows of U end with the inverse of D. */
TEST(the_stencil_solves_with_cholesky_factors)
{
    struct fr_stencil *s = stencil_with_x();
    const struct fr_sparse *u = &s->cholesky;
    double t[ROWS], back[ROWS];

    fr_stencil_solve_cholesky(s);
    for (int i = 0; i < ROWS; i++) {
        const double inverse = u->value[u->start[i + 1] - 1];

        t[i] = back[i] = (s->z[i] + row_times(u, i, s->z) - inverse * s->z[i]) / inverse;
    }
    for (int i = 0; i < ROWS; i++)
        for (int k = u->start[i]; k < u->start[i + 1] - 1; k++)
            back[u->column[k]] += u->value[k] * t[i];
    for (int i = 0; i < ROWS; i++)
        assert_close(back[i], s->x[i], 1e-12);
    fr_stencil_free(s);
}

/* (L U) t gives x again. */
TEST(the_stencil_solves_with_lu_factors)
{
    struct fr_stencil *s = stencil_with_x();
    double u[ROWS];

    fr_stencil_solve_lu(s);
    for (int i = 0; i < ROWS; i++)
        u[i] = s->t[i] / s->upper_inverse[ROWS - 1 - i] + row_times(&s->upper, ROWS - 1 - i, s->t);
    for (int i = 0; i < ROWS; i++)
        assert_close(u[i] + row_times(&s->lower, i, u), s->x[i], 1e-12);
    fr_stencil_free(s);
}

/* docs/models/krylov.md#computation with the entries present and indices of four bytes. */
TEST(bytes_are_counted_as_the_model_counts_them)
{
    struct fr_stencil *s = fr_stencil_new(SIDE);
    const double entries = 13 * 13 * 13, rows = ROWS, triangle = (entries + rows) / 2;

    assert_non_null(s);
    assert_close(fr_stencil_multiply_bytes(s), entries * 12 + rows * 20, 1e-14);
    assert_close(fr_stencil_solve_cholesky_bytes(s), 2 * (triangle * 12 + rows * 4) + 32 * rows,
                 1e-14);
    assert_close(fr_stencil_solve_lu_bytes(s), entries * 12 + 8 * rows + 32 * rows, 1e-14);
    assert_close(fr_stencil_update_bytes(s), 96 * rows, 1e-14);
    assert_close(fr_stencil_update_fused_bytes(s), 8 * 22 * rows, 1e-14);
    fr_stencil_free(s);
}

/* Each array once: the matrix, both preconditioners with their diagonals, 14 vectors. */
TEST(a_turn_touches_every_array_once)
{
    struct fr_stencil *s = fr_stencil_new(SIDE);
    const double entries = 13 * 13 * 13, rows = ROWS, triangle = (entries - rows) / 2;
    const double matrix = 12 * entries + 4 * rows;
    const double cholesky = 12 * (triangle + rows) + 4 * rows,
                 lu = 2 * (12 * triangle + 4 * rows) + 8 * rows;

    assert_non_null(s);
    assert_close(fr_stencil_bytes(s), matrix + cholesky + lu + 14 * 8 * rows, 1e-14);
    assert_true(fr_stencil_memory_bytes(SIDE) >= fr_stencil_bytes(s));
    fr_stencil_free(s);
}

/* In the sequence in which they are timed. */
TEST(solves_and_updates_stay_finite)
{
    struct fr_stencil *s = fr_stencil_new(SIDE);

    assert_non_null(s);
    for (int i = 0; i < 2000; i++) {
        fr_stencil_multiply(s);
        fr_stencil_solve_cholesky(s);
        fr_stencil_solve_lu(s);
        fr_stencil_update(s);
        fr_stencil_update_fused(s);
    }
    for (int i = 0; i < ROWS; i++) {
        assert_true(fabs(s->x[i]) < 10 && fabs(s->y[i]) < 1e3 && fabs(s->z[i]) < 1e3);
        for (int k = 0; k < FR_STENCIL_FUSED; k++)
            assert_true(fabs(s->fused[k][i]) < 1e3 && fabs(s->fused[k][i]) > 1e-3);
    }
    fr_stencil_free(s);
}

/* Two steps of each pair (direction, residual), from ones.  Only the last residual changes: it
 * loses 1 and gains 3. */
TEST(the_fused_loop_updates_ten_vectors)
{
    struct fr_stencil *s = fr_stencil_new(SIDE);

    assert_non_null(s);
    for (int i = 0; i < ROWS; i++) {
        s->y[i] = 1e12;
        s->z[i] = 3e12;
    }
    fr_stencil_update_fused(s);
    for (int k = 0; k < FR_STENCIL_FUSED / 2; k++) /* residual - (1 + 1/2) / 2 */
        assert_close(s->fused[k][ROWS - 1], k == 4 ? -0.75 : 0.25, 1e-10);
    for (int k = FR_STENCIL_FUSED / 2; k < FR_STENCIL_FUSED; k++)
        assert_close(s->fused[k][ROWS - 1], k == 9 ? 3 : 1, 1e-10);
    assert_close(s->sum, ROWS * (4 * 0.25 + -0.75 * 3), 1e-10);
    fr_stencil_free(s);
}

/* A clock of each thread that gets faster: from the look n to the next one pass 2 n + 1. */
static double faster_s(void)
{
    static _Thread_local double looks;

    looks++;
    return looks * looks;
}

TEST(turns_measure_every_kernel)
{
    const struct fr_cores cores = { .count = 2, .is_unpinned = true };
    const struct fr_list processes = { 2, { 1, 2 } };
    const struct fr_turns turns = {
        .cores = &cores, .processes = &processes, .side = SIDE, .count = 5, .clock_s = faster_s
    };
    /* 200 looks find the time of a look, 3; a turn has 6, and one comes before the others.  The
     * median is the third of five turns.  With two processes the first has had five before. */
    const double look = 200 + 6 + 2 * 6 + 1,
                 typical_s[2] = { 2 * look + 1 - 3, 2 * (look + 5 * 6 / 2) + 1 - 3 };
    struct fr_turned turned[2];
    struct fr_stencil *s = fr_stencil_new(SIDE);
    const double bytes[FR_STENCIL_KERNELS] = {
        [FR_STENCIL_MULTIPLY] = fr_stencil_multiply_bytes(s),
        [FR_STENCIL_SOLVE_CHOLESKY] = fr_stencil_solve_cholesky_bytes(s),
        [FR_STENCIL_SOLVE_LU] = fr_stencil_solve_lu_bytes(s),
        [FR_STENCIL_UPDATE] = fr_stencil_update_bytes(s),
        [FR_STENCIL_UPDATE_FUSED] = fr_stencil_update_fused_bytes(s),
    };

    assert_non_null(s);
    fr_turns_run(&turns, turned);
    for (int i = 0; i < 2; i++) {
        assert_close(turned[i].working_set_bytes, fr_stencil_bytes(s), 1e-14);
        for (int k = 0; k < FR_STENCIL_KERNELS; k++)
            assert_close(turned[i].bandwidth_bytes_per_s[k], bytes[k] / (typical_s[i] + 2 * k),
                         1e-12);
    }
    fr_stencil_free(s);
}

TEST(small_grids_take_more_turns)
{
    assert_true(fr_turns_choose(6, false) > fr_turns_choose(16, false));
    assert_int_equal(fr_turns_choose(96, false), 7);
    assert_int_equal(fr_turns_choose(6, true), 3);
}

/* ---- counters of ports ---- */

static char folder[] = "/tmp/forerun-ports-XXXXXX";

static void write_counter(const char *name, const char *text)
{
    char path[200];
    FILE *file;

    snprintf(path, sizeof path, "%s/mlx5_0/ports/1/counters/%s", folder, name);
    file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static int begin_ports(void **state)
{
    static const char *const below[] = { "mlx5_0", "mlx5_0/ports", "mlx5_0/ports/1",
                                         "mlx5_0/ports/1/counters" };
    char path[200];

    (void)state;
    if (!mkdtemp(folder))
        return -1;
    for (size_t i = 0; i < sizeof below / sizeof *below; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, below[i]);
        if (mkdir(path, 0700))
            return -1;
    }
    return 0;
}

static int end_ports(void **state)
{
    static const char *const below[] = { "mlx5_0/ports/1/counters/port_xmit_data",
                                         "mlx5_0/ports/1/counters/port_xmit_wait",
                                         "mlx5_0/ports/1/counters/symbol_error",
                                         "mlx5_0/ports/1/counters/wrapped",
                                         "mlx5_0/ports/1/counters",
                                         "mlx5_0/ports/1",
                                         "mlx5_0/ports",
                                         "mlx5_0" };
    char path[200];

    (void)state;
    for (size_t i = 0; i < sizeof below / sizeof *below; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, below[i]);
        remove(path);
    }
    return rmdir(folder);
}

TEST_WITH(what_a_test_adds_to_the_counters_is_told, begin_ports, end_ports)
{
    static struct fr_port_counters before, after;
    struct fr_writer out;

    write_counter("port_xmit_data", "1000\n");
    write_counter("port_xmit_wait", "18446744073709551615\n");
    write_counter("symbol_error", "none\n");
    write_counter("wrapped", "4294967295\n");
    fr_port_counters_read(folder, &before);
    assert_int_equal(before.count, 3);
    write_counter("port_xmit_data", "1250\n");
    write_counter("wrapped", "12\n");
    fr_port_counters_read(folder, &after);
    fr_writer_init(&out);
    fr_port_counters_difference(&before, &after, "pingpong,0", &out);
    fr_writer_append(&out, "", 1);
    assert_string_equal(out.text, "pingpong,0,mlx5_0,1,port_xmit_data,250\n"
                                  "pingpong,0,mlx5_0,1,wrapped,12\n");
    fr_writer_free(&out);
}

TEST(without_ports_there_is_nothing_to_tell)
{
    static struct fr_port_counters counters = { .count = 3 };

    fr_port_counters_read("/nonexistent", &counters);
    assert_int_equal(counters.count, 0);
}

int main(void)
{
    return unit_tests_run("test_node_kernels");
}
