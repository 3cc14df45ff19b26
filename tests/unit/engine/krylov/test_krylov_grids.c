/* Grids and classes of processes, compared with a visit of every process. */
#include "engine/krylov/communication/krylov.h"
#include "tests/unit/support/check.h"
#include "tests/unit/support/draws.h"

static bool is_before(const struct fr_vector *a, const struct fr_vector *b)
{
    for (size_t d = 0; d < a->count; d++)
        if (a->at[d] != b->at[d])
            return a->at[d] < b->at[d];
    return false;
}

static struct fr_vector factors_by_search(int64_t count, size_t dimensions)
{
    struct fr_vector best = { 0 };

    for (int64_t a = 1; a <= count; a++)
        for (int64_t b = 1; count % a == 0 && b <= a; b++) {
            const int64_t c = count / a / b;
            const struct fr_vector grid = { dimensions, { a, b, c } };

            if (a * b * c != count || c > b || (dimensions < 3 && c > 1) ||
                (dimensions < 2 && b > 1))
                continue;
            if (!best.count || is_before(&grid, &best))
                best = grid;
        }
    return best;
}

TEST(factors_are_as_equal_as_possible)
{
    for (int64_t count = 1; count <= 400; count++)
        for (size_t dimensions = 1; dimensions <= 3; dimensions++) {
            const struct fr_vector got = krylov_dims_create(count, dimensions);
            const struct fr_vector want = factors_by_search(count, dimensions);

            if (!fr_vector_equal(&got, &want))
                fail_msg("%d in %zu dimensions", (int)count, dimensions);
        }
}

TEST(factors_of_the_largest_counts_are_found)
{
    const struct fr_vector prime = { 3, { 999999937, 1, 1 } };
    const struct fr_vector cube = { 3, { 1000, 1000, 1000 } };
    struct fr_vector got = krylov_dims_create(999999937, 3);

    assert_true(fr_vector_equal(&got, &prime));
    got = krylov_dims_create(1000000000, 3);
    assert_true(fr_vector_equal(&got, &cube));
    got = krylov_dims_create(735134400, 3); /* no smaller number has more divisors */
    assert_true(fr_vector_product(&got) == 735134400);
}

/* Whether every block of c ranks fills a box of these extents. */
static bool is_box(const struct fr_vector *grid, const struct fr_vector *box, int64_t c)
{
    for (int64_t rank = 0; rank < (int64_t)fr_vector_product(grid); rank++) {
        int64_t rest = rank, node = 0, at[3];

        for (size_t d = 3; d-- > 0;) {
            at[d] = rest % grid->at[d] / box->at[d];
            rest /= grid->at[d];
        }
        for (size_t d = 0; d < 3; d++)
            node = node * (grid->at[d] / box->at[d]) + at[d];
        if (node != rank / c)
            return false;
    }
    return true;
}

TEST(blocks_of_ranks_fill_the_default_grid)
{
    uint64_t random = draws_from(1);
    int boxes = 0, others = 0;

    for (int i = 0; i < 2000; i++) {
        const struct fr_vector grid = { 3,
                                        { random_between(&random, 1, 12),
                                          random_between(&random, 1, 12),
                                          random_between(&random, 1, 12) } };
        const int64_t c = random_between(&random, 1, 40);
        struct fr_vector box;

        if ((int64_t)fr_vector_product(&grid) % c)
            continue;
        box = krylov_default_grid(&grid, c);
        others += !box.count;
        if (!box.count)
            continue;
        assert_true((int64_t)fr_vector_product(&box) == c);
        if (!is_box(&grid, &box, c))
            fail_msg("%d ranks of %d x %d x %d", (int)c, (int)grid.at[0], (int)grid.at[1],
                     (int)grid.at[2]);
        boxes++;
    }
    assert_true(boxes > 100 && others > 100);
}

/* Weighted sums over processes, which differ for different message counts. */
struct moments {
    double processes, first, second, third;
    double weight[KINDS][PLACES];
};

static void add(void *context, double processes, const struct halo_counts *counts)
{
    struct moments *moments = context;
    double sum = 0;

    for (unsigned kind = 0; kind < KINDS; kind++)
        for (unsigned place = 0; place < PLACES; place++)
            sum += counts->count[kind][place] * moments->weight[kind][place];
    moments->processes += processes;
    moments->first += processes * sum;
    moments->second += processes * sum * sum;
    moments->third += processes * sum * sum * sum;
}

/* The place of a message, from the coordinates of both processes. */
static unsigned place_of(const struct halo_grid *grid, const int64_t *from, const int64_t *to)
{
    const int64_t rank = (from[0] * grid->process[1] + from[1]) * grid->process[2] + from[2];
    const int64_t other = (to[0] * grid->process[1] + to[1]) * grid->process[2] + to[2];
    bool is_off = !grid->is_boxed && rank / grid->c != other / grid->c;
    unsigned crossings = 0;

    for (size_t d = 0; grid->is_boxed && d < 3; d++) {
        const int64_t router = grid->on_node[d] * grid->host[d];

        is_off = is_off || from[d] / grid->on_node[d] != to[d] / grid->on_node[d];
        crossings += from[d] / router != to[d] / router;
    }
    return is_off ? OFF_NODE + crossings : ON_NODE;
}

static void count_process(const struct halo_grid *grid, const int64_t *at,
                          struct halo_counts *counts)
{
    for (int i = 0; i < 27; i++) {
        const int64_t step[] = { i / 9 - 1, i / 3 % 3 - 1, i % 3 - 1 };
        unsigned kind = 0;
        bool is_there = true;
        int64_t to[3];

        for (size_t d = 0; d < 3; d++) {
            const int64_t extent = grid->process[d];

            to[d] = at[d] + step[d];
            if (step[d])
                kind |= 1u << d;
            is_there = is_there && !(step[d] && extent == 1) &&
                       !(grid->is_one_sided && step[d] > 0) &&
                       (grid->is_periodic || (to[d] >= 0 && to[d] < extent));
            to[d] = (to[d] + extent) % extent;
        }
        if (kind && is_there && (grid->is_full || !(kind & (kind - 1))))
            counts->count[kind][place_of(grid, at, to)] += 1;
    }
}

static void visit_each(const struct halo_grid *grid, struct moments *moments)
{
    const int64_t *p = grid->process;

    for (int64_t i = 0; i < p[0]; i++)
        for (int64_t j = 0; j < p[1]; j++)
            for (int64_t k = 0; k < p[2]; k++) {
                const int64_t at[] = { i, j, k };
                struct halo_counts counts = { { { 0 } } };

                count_process(grid, at, &counts);
                add(moments, 1, &counts);
            }
}

static void draw_grid(struct halo_grid *grid, bool is_boxed, uint64_t *random)
{
    grid->is_boxed = is_boxed;
    grid->is_periodic = random_between(random, 0, 1);
    grid->is_full = random_between(random, 0, 1);
    grid->is_one_sided = random_between(random, 0, 1);
    for (size_t d = 0; d < 3; d++) {
        grid->on_node[d] = random_between(random, 1, 4);
        grid->host[d] = random_between(random, 1, 2);
        grid->process[d] = is_boxed
                               ? grid->on_node[d] * grid->host[d] * random_between(random, 1, 4)
                               : random_between(random, 1, 9);
    }
    grid->c = random_between(random, 1, 50);
}

static void check_classes(bool is_boxed)
{
    uint64_t random = draws_from(3);

    for (int i = 0; i < draws_of(500); i++) {
        struct moments got = { 0 }, want;
        struct halo_grid grid;

        draw_grid(&grid, is_boxed, &random);
        for (unsigned kind = 0; kind < KINDS; kind++)
            for (unsigned place = 0; place < PLACES; place++)
                got.weight[kind][place] = random_share(&random);
        want = got;
        visit_each(&grid, &want);
        if (is_boxed)
            halo_visit_boxes(&grid, (struct halo_visitor){ add, &got });
        else
            halo_visit_ranks(&grid, (struct halo_visitor){ add, &got });
        assert_close(got.processes, want.processes, 0);
        assert_close(got.first, want.first, 1e-12);
        assert_close(got.second, want.second, 1e-12);
        assert_close(got.third, want.third, 1e-12);
    }
}

TEST(classes_of_boxes_stand_for_all_processes)
{
    check_classes(true);
}

/* Here the last block may be shorter than c. */
TEST(classes_of_ranks_stand_for_all_processes)
{
    check_classes(false);
}

/* Bytes that leave the nodes of a periodic grid. */
TEST(node_aware_boxes_keep_most_bytes_on_the_node)
{
    const struct krylov_stencil stencil = {
        .dimensions = 3,
        .is_full = true,
        .message_bytes = NAN,
        .local_grid = { 3, { 5, 7, 11 } },
    };
    const struct fr_vector grid = { 3, { 24, 24, 24 } };
    const struct fr_vector best = krylov_node_aware_grid(&grid, 24, &stencil, true);
    double least = INFINITY, of_best = NAN;

    for (int64_t a = 1; a <= 24; a++)
        for (int64_t b = 1; b <= 24; b++) {
            const struct fr_vector box = { 3, { a, b, 24 / a / b } };
            struct halo_grid all = {
                .process = { 24, 24, 24 },
                .on_node = { a, b, box.at[2] },
                .host = { 1, 1, 1 },
                .is_boxed = true,
                .is_periodic = true,
                .is_full = true,
            };
            struct moments moments = { 0 };

            if (a * b * box.at[2] != 24)
                continue;
            for (unsigned kind = 1; kind < KINDS; kind++)
                for (unsigned place = OFF_NODE; place < PLACES; place++)
                    moments.weight[kind][place] = krylov_message_bytes(&stencil, kind);
            halo_visit_boxes(&all, (struct halo_visitor){ add, &moments });
            least = fmin(least, moments.first);
            if (fr_vector_equal(&box, &best))
                of_best = moments.first;
        }
    assert_close(of_best, least, 1e-12);
}

TEST(the_block_of_a_torus_is_laid_out_as_in_the_paper)
{
    const struct fr_vector cube = { 3, { 6, 6, 6 } }, want = { 3, { 24, 24, 12 } };
    const struct fr_vector slab = { 3, { 4, 2, 3 } };
    struct krylov_layout layout = krylov_torus_layout(&cube, 2, 16, 3);

    assert_true(fr_vector_equal(&layout.process_grid, &want));
    /* extents 4 and 6: the smaller gets the larger factor, the other both nodes of a router */
    layout = krylov_torus_layout(&slab, 2, 8, 2);
    assert_int_equal(layout.process_grid.count, 2);
    assert_int_equal(layout.process_grid.at[0], 16);
    assert_int_equal(layout.process_grid.at[1], 24);
    layout = krylov_torus_layout(&slab, 2, 8, 1);
    assert_int_equal(layout.process_grid.at[0], 384);
    assert_int_equal(layout.host_grid.at[0], 2);
}

static void check_block(int64_t nodes, int64_t a, int64_t b, int64_t c)
{
    double sides[] = { 4, 16, 6 };
    const struct fr_topology torus = { .type = FR_TORUS,
                                       .nodes_per_router = 2,
                                       .dimensions = { .row = sides, .count = 3 } };
    const struct fr_vector block = krylov_assumed_allocation(&torus, nodes);

    assert_int_equal(block.count, 3);
    assert_int_equal(block.at[0], a);
    assert_int_equal(block.at[1], b);
    assert_int_equal(block.at[2], c);
}

TEST(an_assumed_block_is_cubic_or_spans_short_sides)
{
    check_block(54, 3, 3, 3);
    check_block(128, 4, 4, 4);
    check_block(200, 4, 5, 5);
    check_block(288, 4, 6, 6);
    check_block(480, 4, 10, 6); /* a square of the rest would be 8 x 8 */
    check_block(768, 4, 16, 6);
    check_block(10000, 4, 16, 6); /* too many nodes: all of it */
}
