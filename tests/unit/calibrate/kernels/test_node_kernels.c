/* What the calibrator runs on every core: the kernels compute what they say, the counters of ports
 * are read as Linux shows them. */
#include "tests/unit/support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calibrations/calibrate/kernels/cnc_kernel.h"
#include "calibrations/calibrate/kernels/stencil.h"
#include "calibrations/calibrate/network/port_counters.h"
#include "server/json/writer.h"

enum { SIDE = 5, ROWS = SIDE * SIDE * SIDE };

static void a_block_product_is_one_at_every_order(void **state)
{
    static const int orders[] = { 1, 7, 33, 129, 513 };

    (void)state;
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
static void the_stencil_multiplies(void **state)
{
    struct fr_stencil *s = fr_stencil_new(SIDE);

    (void)state;
    assert_non_null(s);
    fr_stencil_multiply(s);
    assert_close(s->y[ROWS / 2], 1, 1e-14);
    assert_close(s->y[0], 20, 1e-14);
    assert_int_equal(s->start[ROWS], 13 * 13 * 13); /* (3 * 5 - 2) cubed */
    assert_int_equal(s->upper_start[ROWS], (13 * 13 * 13 - ROWS) / 2);
    fr_stencil_free(s);
}

/* (U' D U) y gives x again. */
static void the_stencil_solves(void **state)
{
    struct fr_stencil *s = fr_stencil_new(SIDE);
    double t[ROWS], back[ROWS];

    (void)state;
    assert_non_null(s);
    for (int i = 0; i < ROWS; i++)
        s->x[i] = 1 + i % 7;
    fr_stencil_solve(s);
    for (int i = 0; i < ROWS; i++) {
        t[i] = s->y[i];
        for (int k = s->upper_start[i]; k < s->upper_start[i + 1]; k++)
            t[i] += s->upper_value[k] * s->y[s->upper_column[k]];
        t[i] /= s->inverse_diagonal[i];
        back[i] = t[i];
    }
    for (int i = 0; i < ROWS; i++)
        for (int k = s->upper_start[i]; k < s->upper_start[i + 1]; k++)
            back[s->upper_column[k]] += s->upper_value[k] * t[i];
    for (int i = 0; i < ROWS; i++)
        assert_close(back[i], s->x[i], 1e-12);
    fr_stencil_free(s);
}

/* docs/models/krylov.md#computation with the entries present and indices of four bytes. */
static void bytes_are_counted_as_the_model_counts_them(void **state)
{
    struct fr_stencil *s = fr_stencil_new(SIDE);
    const double entries = 13 * 13 * 13, rows = ROWS;

    (void)state;
    assert_non_null(s);
    assert_close(fr_stencil_multiply_bytes(s), entries * 12 + rows * 20, 1e-14);
    assert_close(fr_stencil_solve_bytes(s), 2 * ((entries + rows) / 2 * 12 + rows * 4) + 32 * rows,
                 1e-14);
    assert_close(fr_stencil_update_bytes(s), 96 * rows, 1e-14);
    fr_stencil_free(s);
}

static void solves_and_updates_stay_finite(void **state)
{
    struct fr_stencil *s = fr_stencil_new(SIDE);

    (void)state;
    assert_non_null(s);
    for (int i = 0; i < 2000; i++) {
        fr_stencil_multiply(s);
        fr_stencil_solve(s);
        fr_stencil_update(s);
    }
    for (int i = 0; i < ROWS; i++)
        assert_true(fabs(s->x[i]) < 10 && fabs(s->y[i]) < 1e3 && fabs(s->z[i]) < 1e3);
    fr_stencil_free(s);
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

static void what_a_test_adds_to_the_counters_is_told(void **state)
{
    static struct fr_port_counters before, after;
    struct fr_writer out;

    (void)state;
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

static void without_ports_there_is_nothing_to_tell(void **state)
{
    static struct fr_port_counters counters = { .count = 3 };

    (void)state;
    fr_port_counters_read("/nonexistent", &counters);
    assert_int_equal(counters.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_product_is_one_at_every_order),
        cmocka_unit_test(the_stencil_multiplies),
        cmocka_unit_test(the_stencil_solves),
        cmocka_unit_test(bytes_are_counted_as_the_model_counts_them),
        cmocka_unit_test(solves_and_updates_stay_finite),
        cmocka_unit_test_setup_teardown(what_a_test_adds_to_the_counters_is_told, begin_ports,
                                        end_ports),
        cmocka_unit_test(without_ports_there_is_nothing_to_tell),
    };
    return cmocka_run_group_tests_name("node_kernels", tests, NULL, NULL);
}
