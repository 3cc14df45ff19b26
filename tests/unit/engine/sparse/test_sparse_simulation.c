/* Counts and clocks on random structures: equality with a direct implementation, and invariants. */
#include "tests/unit/support/draws.h"
#include "tests/unit/support/sparse_naive.h"

#include <stdio.h>
#include <stdlib.h>

/* Caches so small that blocks evict each other, exceed a level, or fit exactly. */
static struct sparse_machine machine_of(uint64_t seed)
{
    struct sparse_machine machine = {
        .flop_s = 0.25e-9,
        .memory_latency_s = 100e-9,
        .levels = 1 + seed % 3,
        .index_bytes = seed % 2 ? 4 : 8,
        .dgemm_block = { 4 + (int64_t)(seed % 5), 6, 5 },
        .dgemm_unroll = { 4, 2 },
        .dger_unroll = 4,
        .dtrsv_unroll = 3,
        .dgemm_counts = seed % 5 ? SPARSE_RATIO : SPARSE_EXACT,
        .dtrsv_loads_linear = seed % 7 ? 2 : 1.5,
        .counts_scatter = seed % 3 == 0,
        .destination = seed % 2 ? SPARSE_WHOLE_BLOCK : SPARSE_TOUCHED_LINES,
    };
    double lines = 5 + (double)(seed % 17);

    for (size_t q = 0; q < machine.levels; q++) {
        machine.level[q] =
            (struct sparse_level){ 32 * lines + 8, 32, (seed >> q) % 2 ? SPARSE_LRU : SPARSE_FIFO,
                                   (0.5 + 9 * (double)q) * 1e-9 };
        lines *= 1 + (double)(seed % 4);
    }
    return machine;
}

static struct sparse_network network_of(uint64_t seed)
{
    return (struct sparse_network){
        .latency_s = 1e-6,
        .bandwidth = seed % 5 == 1 ? SPARSE_EFFECTIVE : SPARSE_ASYMPTOTIC,
        .points = 3,
        .point = { { 10, 1e7 }, { 500, 2e8 }, { 1e5, 1e9 } },
        .index_bytes = seed % 2 ? 4 : 8,
        .messages_per_panel = 1 + (int64_t)(seed % 2),
        .overlap = seed % 3 ? SPARSE_PAPER : SPARSE_EVENT,
    };
}

static struct sparse_structure *structure_of(uint64_t seed)
{
    const int32_t supernodes = 2 + (int32_t)(seed % 24);

    return sparse_valid(sparse_random(seed, supernodes, 1 + (int32_t)(seed % 9),
                                      supernodes * (0.5 + (double)(seed % 5))));
}

static struct sparse_grid grid_of(uint64_t seed)
{
    static const struct sparse_grid grids[] = { { 1, 1 }, { 1, 2 }, { 2, 1 }, { 2, 2 }, { 2, 3 },
                                                { 3, 2 }, { 4, 1 }, { 4, 4 }, { 5, 3 } };

    return grids[seed % (sizeof grids / sizeof *grids)];
}

struct drawn {
    struct sparse_structure *s;
    struct sparse_grid grid;
    struct sparse_machine machine;
    struct sparse_network network;
    struct sparse_work_counts *counts;
    char name[60];
};

static struct drawn draw(uint64_t seed)
{
    struct fr_faults faults = { 0 };
    struct drawn drawn = { .s = structure_of(seed),
                           .grid = grid_of(seed / 3),
                           .machine = machine_of(seed),
                           .network = network_of(seed) };

    assert_int_equal(sparse_machine_check(&drawn.machine, &faults), FR_OK);
    assert_int_equal(sparse_network_check(&drawn.network, &faults), FR_OK);
    drawn.counts = sparse_work_counts_paper(drawn.s, drawn.grid, &drawn.machine, &faults);
    assert_non_null(drawn.counts);
    assert_int_equal(sparse_work_counts_count_all(drawn.counts, &faults), FR_OK);
    snprintf(drawn.name, sizeof drawn.name, "seed %d, %dx%d", (int)seed, drawn.grid.rows,
             drawn.grid.columns);
    return drawn;
}

static void end(struct drawn *drawn)
{
    sparse_work_counts_free(drawn->counts);
    sparse_structure_free(drawn->s);
}

static void same(double got, double wanted, const char *what, const char *where)
{
    if (!(fabs(got - wanted) <= 1e-10 * fabs(wanted)))
        fail_msg("%s: %s is %.17g instead of %.17g", where, what, got, wanted);
}

/* Compares the next operation of a process, if there is one; returns the terms after it. */
static const double *compare_operation(const double *term, bool has,
                                       const struct naive_operation *wanted,
                                       const struct drawn *drawn, bool is_update)
{
    if (has != wanted->is_there)
        fail_msg("%s: a operation is %s", drawn->name, has ? "too many" : "missing");
    if (!has)
        return term;
    if (is_update)
        same(*term++, wanted->flops, "flops", drawn->name);
    same(*term++, wanted->loads + wanted->stores, "loads and stores", drawn->name);
    for (size_t q = 0; q < drawn->machine.levels; q++)
        if (*term++ != wanted->misses[q])
            fail_msg("%s: %g misses of level %zu instead of %g", drawn->name, term[-1], q + 1,
                     wanted->misses[q]);
    return term;
}

static void compare_process(const struct drawn *drawn, int64_t rank,
                            const struct naive_counts *wanted)
{
    const struct sparse_process *process = &drawn->counts->process[rank];
    const double *term = process->term;

    term =
        compare_operation(term, process->has[0] & SPARSE_FACTOR, &wanted->of[0][0], drawn, false);
    for (int32_t k = 0; k < drawn->s->supernodes; k++) {
        const uint8_t has = process->has[k];

        term = compare_operation(term, has & SPARSE_SOLVE, &wanted->of[k][1], drawn, false);
        term = compare_operation(term, has & SPARSE_UPDATE_NEXT, &wanted->of[k][2], drawn, true);
        if (k + 1 < drawn->s->supernodes)
            term = compare_operation(term, process->has[k + 1] & SPARSE_FACTOR,
                                     &wanted->of[k + 1][0], drawn, false);
        term = compare_operation(term, has & SPARSE_UPDATE_REST, &wanted->of[k][3], drawn, true);
    }
    assert_int_equal(term - process->term, process->terms);
}

TEST(counts_and_clocks_are_those_of_the_pseudo_code)
{
    static struct naive_counts wanted[NAIVE_PROCESSES];

    for (int i = 0; i < draws_of(250); i++) {
        const uint64_t seed = draws_from(1) + (uint64_t)i;
        struct drawn drawn = draw(seed);
        const struct sparse_costs costs = sparse_costs_paper(&drawn.machine);
        const int64_t processes = sparse_processes(drawn.grid);
        double clock_s[NAIVE_PROCESSES], load_s[NAIVE_PROCESSES];
        struct naive_times naive;
        struct sparse_times times;

        for (int64_t p = 0; p < processes; p++) {
            naive_count(drawn.s, drawn.grid, &drawn.machine, (int32_t)p, &wanted[p]);
            compare_process(&drawn, p, &wanted[p]);
        }
        naive_walk(drawn.s, drawn.grid, &drawn.machine, &drawn.network, wanted, &naive);
        assert_int_equal(
            sparse_clocks(drawn.counts, &costs, &drawn.network, &times, clock_s, load_s), FR_OK);
        for (int64_t p = 0; p < processes; p++) {
            same(clock_s[p], naive.clock_s[p], "clock", drawn.name);
            same(load_s[p], naive.load_s[p], "load", drawn.name);
        }
        same(times.critical_load_s, naive.critical_load_s, "critical load", drawn.name);
        same(times.computation_s, naive.computation_s[times.rank_last], "computation", drawn.name);
        end(&drawn);
    }
}

static struct sparse_times walk(const struct drawn *drawn, const struct sparse_machine *machine,
                                const struct sparse_network *network)
{
    const struct sparse_costs costs = sparse_costs_paper(machine);
    struct sparse_times times;

    assert_int_equal(sparse_clocks(drawn->counts, &costs, network, &times, NULL, NULL), FR_OK);
    return times;
}

TEST(what_must_always_hold)
{
    for (int i = 0; i < draws_of(400); i++) {
        const uint64_t seed = draws_from(1000) + (uint64_t)i;
        struct drawn drawn = draw(seed);
        struct sparse_network slower = drawn.network, event = drawn.network, paper = drawn.network;
        struct sparse_machine farther = drawn.machine;
        struct sparse_times times = walk(&drawn, &drawn.machine, &drawn.network), other;
        const struct sparse_totals totals = sparse_work_counts_totals(drawn.counts);

        same(times.computation_s + times.communication_s, times.time_s, "sum", drawn.name);
        same(times.load_s, sparse_totals_s(&totals, &drawn.machine), "work", drawn.name);
        assert_true(times.load_balance >= 1 - 1e-12);
        assert_true(times.time_s * (1 + 1e-12) >= times.most_load_s);
        assert_true(times.time_s * (1 + 1e-12) >= times.critical_path_s);
        assert_true(times.time_s * (1 + 1e-12) >= times.most_sending_s);
        assert_true(times.most_load_s > 0 && times.critical_path_s > 0);
        assert_true(times.time_s * (1 + 1e-12) >=
                    times.load_s / (double)sparse_processes(drawn.grid));
        if (sparse_processes(drawn.grid) == 1) {
            same(times.load_balance, 1, "LB of one process", drawn.name);
            same(times.time_s, times.load_s, "time of one process", drawn.name);
            assert_true(times.messages == 0 && times.communication_s == 0);
        }
        event.overlap = SPARSE_EVENT;
        paper.overlap = SPARSE_PAPER;
        other = walk(&drawn, &drawn.machine, &paper);
        assert_true(walk(&drawn, &drawn.machine, &event).time_s <= other.time_s * (1 + 1e-12));
        same(walk(&drawn, &drawn.machine, &event).critical_path_s, other.critical_path_s,
             "chain of panels with any overlap", drawn.name);
        slower.latency_s *= 3;
        other = walk(&drawn, &drawn.machine, &slower);
        if (drawn.network.overlap == SPARSE_EVENT)
            assert_true(other.time_s >= times.time_s * (1 - 1e-12));
        farther.memory_latency_s *= 2;
        other = walk(&drawn, &farther, &event);
        times = walk(&drawn, &drawn.machine, &event);
        assert_true(other.time_s >= times.time_s * (1 - 1e-12));
        end(&drawn);
    }
}

/* x of block (i,j): the steps in which it is a destination. */
static double updates_of(const struct sparse_structure *s, int32_t i, int32_t j)
{
    double x = 0;

    for (int32_t k = 0; k < s->supernodes; k++)
        for (int64_t a = s->l_at[k]; a < s->l_at[k + 1]; a++)
            for (int64_t b = s->u_at[k]; s->l[a].i == i && b < s->u_at[k + 1]; b++)
                x += s->u[b].j == j;
    return x;
}

TEST(estimates_are_those_of_the_equations)
{
    for (int i = 0; i < draws_of(100); i++) {
        const uint64_t seed = draws_from(2000) + (uint64_t)i;
        struct sparse_structure *s = structure_of(seed);
        const struct sparse_machine machine = machine_of(seed);
        const double line = 4, ib = (double)machine.index_bytes;
        struct sparse_bounds bounds;
        double low = 0, high = 0;

        for (int32_t k = 0; k < s->supernodes; k++) {
            const double z = (double)(s->u_at[k + 1] - s->u_at[k]);
            const double below = (double)(s->l_at[k + 1] - s->l_at[k]);

            for (int64_t b = s->l_at[k] - 1; b < s->l_at[k + 1]; b++) {
                const bool is_diagonal = b < s->l_at[k];
                const int32_t rows = is_diagonal ? s->width[k] : s->l[b].rows;
                const double x = updates_of(s, is_diagonal ? k : s->l[b].i, k);
                const double y = ceil((2 + rows) * ib / (8 * line));
                const double lines = s->width[k] * ceil(rows / line) + y;

                low += lines + y;
                high += (x + z + 1) * lines + x * y;
            }
            for (int64_t b = s->u_at[k]; b < s->u_at[k + 1]; b++) {
                const double x = updates_of(s, k, s->u[b].j);
                const double y = ceil((2 + s->width[s->u[b].j]) * ib / (8 * line));
                const double lines = ceil(s->u[b].sum / line) + y;

                low += lines + y;
                high += (x + below + 1) * lines + x * y;
            }
        }
        assert_int_equal(sparse_miss_bounds(s, &machine, &bounds), FR_OK);
        assert_true(bounds.low_paper == low && bounds.high_paper == high);
        sparse_structure_free(s);
    }
}

TEST(simulated_misses_lie_between_their_bounds)
{
    for (int i = 0; i < draws_of(400); i++) {
        const uint64_t seed = draws_from(4000) + (uint64_t)i;
        struct sparse_structure *s = structure_of(seed);
        const struct sparse_machine machine = machine_of(seed);
        struct fr_faults faults = { 0 };
        struct sparse_work_counts *counts =
            sparse_work_counts_paper(s, (struct sparse_grid){ 1, 1 }, &machine, &faults);
        struct sparse_bounds bounds;
        struct sparse_totals totals;

        assert_int_equal(sparse_work_counts_count_all(counts, &faults), FR_OK);
        assert_int_equal(sparse_miss_bounds(s, &machine, &bounds), FR_OK);
        totals = sparse_work_counts_totals(counts);
        for (size_t q = 0; q < machine.levels; q++)
            if (totals.misses[q] < bounds.low || totals.misses[q] > bounds.high)
                fail_msg("seed %d: %g misses of level %zu outside %g to %g", (int)seed,
                         totals.misses[q], q + 1, bounds.low, bounds.high);
        sparse_work_counts_free(counts);
        sparse_structure_free(s);
    }
}

TEST(counts_hold_for_machines_that_decide_alike)
{
    for (int i = 0; i < draws_of(100); i++) {
        const uint64_t seed = draws_from(3000) + (uint64_t)i;
        struct drawn drawn = draw(seed), again;
        struct sparse_machine other = drawn.machine;
        struct fr_faults faults = { 0 };
        struct sparse_totals a, b;

        other.memory_latency_s *= 7;
        other.level[0].latency_s *= 1 + (double)(seed % 10) / 5;
        again = drawn;
        again.counts = sparse_work_counts_paper(drawn.s, drawn.grid, &other, &faults);
        assert_int_equal(sparse_work_counts_count_all(again.counts, &faults), FR_OK);
        a = sparse_work_counts_totals(drawn.counts);
        b = sparse_work_counts_totals(again.counts);
        if (sparse_work_counts_hold(drawn.counts, &other)) {
            assert_true(a.flops_dgemm == b.flops_dgemm && a.loads == b.loads);
            same(walk(&drawn, &other, &drawn.network).time_s,
                 walk(&again, &other, &drawn.network).time_s, "time", drawn.name);
        } else {
            assert_true(a.dgemms_flops_bound != b.dgemms_flops_bound);
        }
        sparse_work_counts_free(again.counts);
        other = drawn.machine;
        other.level[0].capacity_bytes += 32;
        assert_false(sparse_work_counts_hold(drawn.counts, &other));
        end(&drawn);
    }
}
