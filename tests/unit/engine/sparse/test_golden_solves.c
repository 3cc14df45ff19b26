/* The golden cases of the triangular solves: messages exactly, times within 1e-9
 * (docs/models/sparse_lu.md#how-the-model-is-tested); and properties on random structures. */
#include "engine/sparse/clocks/clocks.h"
#include "tests/unit/support/sparse_golden.h"

static struct sparse_solve_fit fit_of(json_t *item)
{
    json_t *fit = sparse_golden_named(item, "solve", "solve");

    return (struct sparse_solve_fit){ golden_number(fit, "entry_s"), golden_number(fit, "flop_s"),
                                      golden_number(fit, "block_s"),
                                      golden_number(fit, "supernode_s") };
}

static void check_solve(json_t *item, const char *id)
{
    json_t *wanted = json_object_get(item, "expect");
    struct sparse_structure *s = sparse_golden_structure(item);
    const struct sparse_network network = sparse_golden_network(item);
    const struct sparse_solve_fit fit = fit_of(item);
    struct sparse_solve_times got;
    double load_s[64];

    assert_int_equal(sparse_solve_clocks(s, sparse_golden_grid(item),
                                         (int64_t)golden_number(item, "nrhs"), &fit, &network, &got,
                                         NULL, load_s),
                     FR_OK);
    sparse_golden_times(&got.times, wanted, id);
    sparse_golden_same(got.forward_s, wanted, "forward_s", id);
    sparse_golden_same(got.backward_s, wanted, "backward_s", id);
    sparse_golden_list(load_s, wanted, "load_s", id);
    sparse_structure_free(s);
}

TEST(solves_are_timed)
{
    sparse_golden_each("solve", 8, check_solve);
}

/* Each entry, block and supernode once in each sweep, whatever the grid; no process works longer
 * than the solve, and more right-hand sides never take less time. */
TEST(grids_divide_the_work_of_one_process)
{
    const struct sparse_network network = {
        .points = 1, .point = { { 1, 1e9 } }, .latency_s = 1e-6, .index_bytes = 4
    };

    for (uint64_t seed = 1; seed < 80; seed++) {
        struct sparse_structure *s =
            sparse_valid(sparse_random(seed, 3 + (int32_t)(seed % 30), 7, (double)(seed % 60)));
        const struct sparse_grid grid = { 1 + (int32_t)(seed % 3), 1 + (int32_t)(seed % 4) };
        const struct sparse_solve_fit *fit = &sparse_solve_default;
        const int64_t nrhs = 1 + (int64_t)(seed % 9);
        const double entries = s->facts.nnz + s->facts.nnz_diagonal;
        const double blocks = (double)(s->facts.l_blocks + s->facts.u_blocks);
        const double load_s = entries * (fit->entry_s + (double)nrhs * fit->flop_s) +
                              blocks * fit->block_s + 2 * (double)s->supernodes * fit->supernode_s;
        struct sparse_solve_times got, more;

        assert_int_equal(sparse_solve_clocks(s, grid, nrhs, fit, &network, &got, NULL, NULL),
                         FR_OK);
        assert_close(got.times.load_s, load_s, 1e-12);
        assert_true(got.times.most_load_s <= got.times.time_s * (1 + 1e-12));
        assert_true(got.forward_s + got.backward_s <= got.times.time_s * (1 + 1e-12));
        if (sparse_processes(grid) == 1) {
            assert_close(got.times.time_s, load_s, 1e-12);
            assert_true(got.times.messages == 0);
        }
        assert_int_equal(sparse_solve_clocks(s, grid, 2 * nrhs, fit, &network, &more, NULL, NULL),
                         FR_OK);
        assert_true(more.times.time_s > got.times.time_s);
        assert_true(more.times.messages == got.times.messages);
        sparse_structure_free(s);
    }
}
