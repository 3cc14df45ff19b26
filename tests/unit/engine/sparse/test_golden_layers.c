/* The golden cases of several layers: forests, messages and bytes exactly, times within 1e-9; and
 * what holds for any structure (docs/models/sparse_lu.md#how-the-model-is-tested). */
#include "engine/sparse/clocks/clocks.h"
#include "tests/unit/support/sparse_golden.h"

/* A factorization on the layers of its forests. */
struct factored {
    struct sparse_schedule schedule;
    struct sparse_shares shares;
    struct sparse_window_work work;
    struct sparse_times times;
    double clock_s[256], load_s[256];
};

static void factor(struct factored *of, const struct sparse_structure *s, struct sparse_grid grid,
                   const struct sparse_forests *forests, int32_t window,
                   const struct sparse_fit *fit, const struct sparse_network *network,
                   struct sparse_tables *tables)
{
    assert_int_equal(sparse_schedule_init(&of->schedule, s, true, forests), FR_OK);
    assert_int_equal(sparse_shares_init(&of->shares, s, grid, network->index_bytes), FR_OK);
    assert_int_equal(sparse_window_work_init(&of->work, &of->shares, &of->schedule, window, tables),
                     FR_OK);
    assert_int_equal(
        sparse_window_clocks(&of->work, fit, network, &of->times, of->clock_s, of->load_s), FR_OK);
}

static void forget(struct factored *of)
{
    sparse_window_work_free(&of->work);
    sparse_shares_free(&of->shares);
    sparse_schedule_free(&of->schedule);
}

/* ---- golden cases --------------------------------------------------------------------------- */

/* Lists [level, first layer, supernodes]. */
static void check_forests(const struct sparse_forests *forests, int32_t supernodes, json_t *wanted,
                          const char *id)
{
    json_t *list = json_object_get(wanted, "forests"), *item;
    size_t f;

    assert_int_equal(json_array_size(list), forests->count);
    json_array_foreach(list, f, item)
    {
        int32_t size = 0;

        for (int32_t k = 0; k < supernodes; k++)
            size += forests->of[k] == (int32_t)f;
        if (size != json_number_value(json_array_get(item, 2)))
            fail_msg("%s: forest %zu has %d supernodes", id, f, (int)size);
    }
}

static void check_layers(json_t *item, const char *id)
{
    json_t *wanted = json_object_get(item, "expect");
    struct sparse_structure *s = sparse_golden_structure(item);
    const struct sparse_network network = sparse_golden_network(item);
    const struct sparse_fit fit = sparse_golden_fit(item);
    struct sparse_tables tables = sparse_golden_tables(item);
    struct sparse_forests forests;
    struct factored of;

    assert_int_equal(sparse_forests_init(&forests, s, (int32_t)golden_number(item, "layers")),
                     FR_OK);
    check_forests(&forests, s->supernodes, wanted, id);
    factor(&of, s, sparse_golden_grid(item), &forests,
           (int32_t)golden_number(item, "lookahead_panels"), &fit, &network, &tables);
    sparse_golden_times(&of.times, wanted, id);
    sparse_golden_list(of.clock_s, wanted, "clock_s", id);
    sparse_golden_equal(of.times.reduced_bytes, wanted, "reduced_bytes", id);
    forget(&of);
    sparse_forests_free(&forests);
    sparse_tables_free(&tables);
    sparse_structure_free(s);
}

TEST(layers_are_timed)
{
    sparse_golden_each("layers", 4, check_layers);
}

/* ---- any structure -------------------------------------------------------------------------- */

static const struct sparse_fit round_fit = { 1, 1.6, 5e-10, 4e-8, 6e-9, 3e-6 };
static const struct sparse_network round_network = { .points = 1,
                                                     .point = { { 1, 1e9 } },
                                                     .latency_s = 1e-6,
                                                     .index_bytes = 4,
                                                     .messages_per_panel = 2 };

static struct sparse_structure *drawn(uint64_t seed)
{
    return sparse_valid(sparse_random(seed, 3 + (int32_t)(seed % 30), 7, (double)(seed * 7 % 60)));
}

/* A supernode is in the forest of the first one that it updates, or below. */
static void check_division(const struct sparse_structure *s, const struct sparse_forests *forests)
{
    assert_int_equal(forests->count, 2 * forests->layers - 1);
    for (int32_t k = 0; k < s->supernodes; k++) {
        int32_t first = s->supernodes;

        assert_in_range(forests->of[k], 0, forests->count - 1);
        if (s->l_at[k] < s->l_at[k + 1])
            first = s->l[s->l_at[k]].i;
        if (s->u_at[k] < s->u_at[k + 1] && s->u[s->u_at[k]].j < first)
            first = s->u[s->u_at[k]].j;
        if (first < s->supernodes)
            assert_true(sparse_forest_reaches(forests, forests->of[k], forests->of[first]));
    }
}

TEST(layers_keep_work_and_bounds)
{
    struct sparse_tables tables = sparse_flat_tables();

    for (uint64_t seed = 1; seed < 60; seed++) {
        struct sparse_structure *s = drawn(seed);
        const struct sparse_grid grid = { 1 + (int32_t)(seed % 3), 1 + (int32_t)(seed % 4) };
        double panel_s = -1;

        for (int32_t layers = 1; layers <= 16; layers *= 2) {
            const int64_t processes = layers * sparse_processes(grid);
            struct sparse_forests forests;
            struct factored of;
            double load_s;

            assert_int_equal(sparse_forests_init(&forests, s, layers), FR_OK);
            check_division(s, &forests);
            factor(&of, s, grid, &forests, (int32_t)(seed % 12), &round_fit, &round_network,
                   &tables);
            load_s = sparse_sums_s(&of.work.sums, &round_fit) +
                     of.times.reduced_bytes / 8 * round_fit.scatter_s;
            assert_close(of.times.load_s, load_s, 1e-12);
            assert_true(of.work.updates == s->facts.updates);
            assert_true(of.times.critical_path_s <= of.times.time_s * (1 + 1e-12));
            assert_true(of.times.most_load_s <= of.times.time_s * (1 + 1e-12));
            assert_true(of.times.most_sending_s <= of.times.time_s * (1 + 1e-12));
            assert_true(of.times.rank_last < sparse_processes(grid));
            for (int64_t p = 0; p < processes; p++)
                assert_true(of.clock_s[p] <= of.times.time_s);
            if (layers > 1)
                assert_close(of.work.sums.panel_s, panel_s, 1e-12);
            panel_s = of.work.sums.panel_s;
            forget(&of);
            sparse_forests_free(&forests);
        }
        sparse_structure_free(s);
    }
    sparse_tables_free(&tables);
}

/* Supernode 0 updates block (3,3), but the trees are 0, 1, 2 and 3, since row 1 of U is empty: the
 * layer of 3 does not wait for 0, and no chain of panels leads there. */
TEST(chains_do_not_cross_trees)
{
    static const char text[] =
        "{\"n\": 102, \"width\": [40, 1, 1, 60], \"L\": [[[3, 60]], [[2, 1], [3, 1]], [], []],"
        " \"U\": [[[1, 1, 1, 1, 1], [3, 60, 2400, 96000, 40]], [], [], []]}";
    json_t *document = json_loads(text, 0, NULL);
    struct sparse_structure *s = sparse_valid(sparse_structure_of(document));
    struct sparse_tables tables = sparse_flat_tables();
    struct sparse_forests forests;
    struct factored of;

    assert_int_equal(sparse_forests_init(&forests, s, 2), FR_OK);
    assert_true(forests.of[0] == 0 && forests.of[2] == 0 && forests.of[3] == 1);
    factor(&of, s, (struct sparse_grid){ 1, 1 }, &forests, 10, &round_fit, &round_network, &tables);
    assert_true(of.times.critical_path_s > 0);
    assert_true(of.times.critical_path_s <= of.times.time_s);
    forget(&of);
    sparse_forests_free(&forests);
    sparse_tables_free(&tables);
    sparse_structure_free(s);
    json_decref(document);
}

/* One forest of all supernodes is the plain walk, bit for bit. */
TEST(one_layer_changes_nothing)
{
    struct sparse_tables tables = sparse_flat_tables();

    for (uint64_t seed = 1; seed < 40; seed++) {
        struct sparse_structure *s = drawn(seed);
        const struct sparse_grid grid = { 1 + (int32_t)(seed % 4), 1 + (int32_t)(seed % 3) };
        struct sparse_forests forests;
        struct factored one, plain;

        assert_int_equal(sparse_forests_init(&forests, s, 1), FR_OK);
        factor(&one, s, grid, &forests, 10, &round_fit, &round_network, &tables);
        factor(&plain, s, grid, NULL, 10, &round_fit, &round_network, &tables);
        assert_memory_equal(&one.times, &plain.times, sizeof one.times);
        assert_memory_equal(one.clock_s, plain.clock_s,
                            (size_t)sparse_processes(grid) * sizeof *one.clock_s);
        assert_true(one.times.reduced_bytes == 0);
        forget(&one);
        forget(&plain);
        sparse_forests_free(&forests);
        sparse_structure_free(s);
    }
    sparse_tables_free(&tables);
}

/* Twice the layers shorten the path of a dissected grid, though not to the half. */
TEST(the_longest_path_is_short)
{
    struct sparse_structure *s = sparse_valid(sparse_dissected(12, 32));
    double before = INFINITY;

    for (int32_t layers = 1; layers <= 8; layers *= 2) {
        struct sparse_forests forests;
        double flops[15] = { 0 }, longest = 0;

        assert_int_equal(sparse_forests_init(&forests, s, layers), FR_OK);
        for (int32_t k = 0; k < s->supernodes; k++)
            flops[forests.of[k]] += sparse_useful_flops(s, k);
        for (int32_t z = 0; z < layers; z++) {
            double path = 0;

            for (int32_t f = z; f < forests.count; f = sparse_forest_above(&forests, f))
                path += flops[f];
            longest = fmax(longest, path);
        }
        assert_true(longest < before);
        assert_true(longest >= s->facts.useful_flops / layers);
        before = longest;
        sparse_forests_free(&forests);
    }
    sparse_structure_free(s);
}

/* Each layer has a grid of its own, and a copy of the top. */
TEST(layers_divide_all_but_the_top)
{
    const struct sparse_grid grid = { 2, 2 };
    struct sparse_structure *s = sparse_valid(sparse_dissected(12, 32));
    double before = INFINITY;

    for (int32_t layers = 1; layers <= 8; layers *= 2) {
        struct sparse_forests forests;
        struct sparse_memory memory;

        assert_int_equal(sparse_forests_init(&forests, s, layers), FR_OK);
        assert_int_equal(sparse_memory_find(s, grid, &forests, 4, 10, &memory), FR_OK);
        assert_true(memory.factors < before);
        assert_true(layers == 1 || memory.factors > before / 2);
        before = memory.factors;
        sparse_forests_free(&forests);
    }
    sparse_structure_free(s);
}
