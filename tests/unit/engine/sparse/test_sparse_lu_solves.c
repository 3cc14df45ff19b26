/* The model sparse_lu: triangular solves. */
#include "tests/unit/support/sparse_asked.h"

#include <stdio.h>

#define GRID "matrix=r13&process_rows=2&process_columns=2"

SPARSE_CASE(both_parts_are_one_factorization_and_its_solves)
{
    const struct fr_calibration *cal = sparse_calibration(sparse_node, asked->arena);
    const struct fr_prediction factor = sparse_answered(asked, GRID, cal);
    const struct fr_prediction solve = sparse_answered(asked, GRID "&part=solve&nrhs=3", cal);
    const struct fr_prediction both =
        sparse_answered(asked, GRID "&part=both&nrhs=3&solves=1000", cal);
    const double solve_s = sparse_output(&both, "solve_time_s");

    assert_true(isnan(sparse_output(&factor, "solve_time_s")) &&
                isnan(sparse_output(&solve, "loads")));
    assert_close(solve.time_s, solve_s, 1e-12);
    assert_close(both.time_s, factor.time_s + 1000 * solve_s, 1e-12);
    assert_int_equal(both.phase_count, 4);
    assert_close(both.flops, factor.flops + 1000 * solve.flops, 1e-12);
    assert_close(solve.flops, 6 * sparse_output(&solve, "nnz_lu"), 1e-12);
    assert_close(sparse_output(&both, "messages"),
                 sparse_output(&factor, "messages") + 1000 * sparse_output(&both, "solve_messages"),
                 1e-12);
    assert_close(sparse_output(&both, "sequential_time_s"),
                 sparse_output(&factor, "sequential_time_s") +
                     1000 * sparse_output(&solve, "sequential_time_s"),
                 1e-12);
    assert_close(solve.memory_bytes_per_process, factor.memory_bytes_per_process, 0);
    assert_true(sparse_output(&both, "forward_s") + sparse_output(&both, "backward_s") < solve_s);
    assert_true(both.bound_s <= both.time_s && both.bound_s > factor.bound_s);
}

SPARSE_CASE(solves_take_constants_of_another_machine_with_a_warning)
{
    static const char query[] = "matrix=r13&process_rows=1&process_columns=1&part=solve";
    const struct fr_calibration *fitted =
        sparse_calibration("{'sparse': {'solve_fit': {'entry_s': 1.38e-9, 'flop_s': 5.6e-10,"
                           " 'block_s': 1.24e-7, 'supernode_s': 3.4e-7}}}",
                           asked->arena);
    struct fr_prediction out =
        sparse_answered(asked, query, sparse_calibration(sparse_node, asked->arena));
    const double assumed_s = out.time_s;

    assert_true(has_warning(&out, FR_WARN_SOLVE_FIT, NULL));
    out = sparse_answered(asked, query, fitted);
    assert_false(has_warning(&out, FR_WARN_SOLVE_FIT, NULL));
    assert_close(out.time_s, 2 * assumed_s, 1e-12);
    assert_close(sparse_output(&out, "speedup"), 1, 1e-12);
    out = sparse_answered(asked, "matrix=r13&process_rows=1&process_columns=1",
                          sparse_calibration(sparse_node, asked->arena));
    assert_false(has_warning(&out, FR_WARN_SOLVE_FIT, NULL));
}

SPARSE_CASE(solves_are_refused_beyond_their_limits)
{
    static const char *const wrong[][2] = {
        { "part=invert", "part" },
        { "part=solve&nrhs=0", "nrhs" },
        { "part=both&nrhs=10001", "nrhs" },
        { "part=both&solves=0", "solves" },
        { "part=both&solves=1000001", "solves" },
        { "nrhs=3", "nrhs" },
        { "part=factor&solves=2", "solves" },
    };
    const struct fr_calibration *cal = sparse_calibration(sparse_node, asked->arena);
    struct fr_prediction out;

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char query[160];

        snprintf(query, sizeof query, GRID "&%s", wrong[i][0]);
        assert_true(sparse_answer(asked, query, cal, &out) != FR_OK);
        assert_string_equal(sparse_faults.fault[0].where, wrong[i][1]);
    }
}

GROUP(sparse_asked_load, sparse_asked_unload)
