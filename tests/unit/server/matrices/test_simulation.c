/* The cache of structures and counts: loaded once, counted once, within its limits. */
#include "tests/unit/support/handler_fixture.h"
#include "tests/unit/support/sparse.h"

#include "engine/sparse/counts/work.h"
#include "server/http/client.h"
#include "server/matrices/simulation.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

/* With the limits of the upload. */
#define KEY(name) (&(struct sparse_structure_key){ .ordering = name, .row_permutation = "auto" })

enum { THREADS = 8 };

struct shop {
    struct handler_fixture *fixture;
    struct fr_simulations *simulations;
    struct sparse_structure *s; /* as it was stored */
};

static int begin_with(void **state, const struct fr_simulation_limits *limits)
{
    struct shop *shop = calloc(1, sizeof *shop);
    void *fixture;

    if (fixture_open_empty(&fixture) != 0)
        return -1;
    shop->fixture = fixture;
    shop->simulations = fr_simulations_new(limits);
    shop->s = sparse_valid(sparse_dissected(5, 6));
    fixture_store_matrix(shop->fixture->store, shop->s);
    *state = shop;
    return 0;
}

static int begin(void **state)
{
    return begin_with(state, &(struct fr_simulation_limits){ 1 << 24, 1 << 24, 1e6, 0, NULL });
}

static int begin_small(void **state)
{
    return begin_with(state, &(struct fr_simulation_limits){ 1000, 130000, 1e6, 0, NULL });
}

static int begin_hurried(void **state)
{
    return begin_with(state, &(struct fr_simulation_limits){ 1 << 24, 1 << 24, 1e6, 1e-9, NULL });
}

static int end(void **state)
{
    struct shop *shop = *state;
    void *fixture = shop->fixture;

    fr_simulations_free(shop->simulations);
    sparse_structure_free(shop->s);
    free(shop);
    return fixture_close(&fixture);
}

static struct sparse_machine machine(double latency_s, double capacity_bytes)
{
    return (struct sparse_machine){
        .flop_s = 1e-9,
        .memory_latency_s = latency_s,
        .levels = 1,
        .level = { { capacity_bytes, 64, SPARSE_LRU, 1e-9 } },
        .index_bytes = 4,
        .dgemm_block = { 8, 8, 8 },
        .dgemm_unroll = { 4, 2 },
        .dger_unroll = 4,
        .dtrsv_unroll = 4,
        .dtrsv_loads_linear = 2,
    };
}

static struct fr_structures *visit(const struct shop *shop)
{
    struct fr_structures *structures =
        fr_structures_begin(shop->simulations, shop->fixture->store, shop->fixture->arena);

    assert_non_null(structures);
    return structures;
}

static const struct sparse_structure *find(struct fr_structures *structures, const char *matrix,
                                           const char *ordering, struct fr_faults *faults)
{
    const struct fr_structure_source *source = fr_structures_source(structures);

    faults->count = 0;
    return source->find(source->context, matrix, KEY(ordering), true, faults);
}

static const struct sparse_structure *found(struct fr_structures *structures)
{
    struct fr_faults faults;
    const struct sparse_structure *s = find(structures, "shop", "metis", &faults);

    if (!s)
        fail_msg("%s: %s", faults.fault[0].where, faults.fault[0].message);
    return s;
}

static const struct sparse_work_counts *count(struct fr_structures *structures,
                                              struct sparse_grid grid,
                                              const struct sparse_machine *on,
                                              struct fr_faults *faults)
{
    const struct fr_structure_source *source = fr_structures_source(structures);

    faults->count = 0;
    return source->counts(source->context, found(structures), grid, on, faults);
}

static void give_back(struct fr_structures *structures, const struct sparse_work_counts *counts)
{
    const struct fr_structure_source *source = fr_structures_source(structures);

    source->release(source->context, counts);
}

/* ---- structures ----------------------------------------------------------------------------- */

#define CASE(name) TEST_OF(name, struct shop *shop, begin, end)

CASE(a_structure_is_decoded_once)
{
    struct fr_structures *one = visit(shop), *other = visit(shop);
    const struct sparse_structure *s = found(one);
    struct fr_faults faults;

    assert_int_equal(s->supernodes, shop->s->supernodes);
    assert_true(s->facts.updates == shop->s->facts.updates);
    assert_int_equal(s->entries, 200);
    assert_ptr_equal(s, found(other));
    assert_ptr_equal(s, find(one, DESK_MATRIX, "metis", &faults));
    fr_structures_end(one);
    assert_ptr_equal(s, found(other));
    fr_structures_end(other);
}

CASE(what_there_is_not_is_named)
{
    struct fr_structures *structures = visit(shop);
    struct fr_faults faults;
    char long_name[200];

    assert_null(find(structures, "other", "metis", &faults));
    assert_string_equal(faults.fault[0].where, "matrix");
    memset(long_name, 'a', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    assert_null(find(structures, long_name, "metis", &faults));
    assert_string_equal(faults.fault[0].where, "matrix");
    assert_null(find(structures, "shop", "amd", &faults));
    assert_string_equal(faults.fault[0].where, "ordering");
    assert_non_null(strstr(faults.fault[0].message, "queued"));
    assert_null(find(structures, "shop", "natural", &faults));
    assert_non_null(strstr(faults.fault[0].message, "has no structure with ordering natural"));
    assert_int_equal(faults.fault[0].code, FR_STRUCTURE_MISSING);
    fr_structures_end(structures);
}

CASE(a_structure_of_the_request_is_its_own)
{
    struct fr_structures *structures = visit(shop);
    const struct fr_structure_source *source = fr_structures_source(structures);
    const struct sparse_machine on = machine(1e-8, 4096);
    struct sparse_structure *s = sparse_valid(sparse_random(1, 9, 4, 20));
    const struct sparse_work_counts *counts;
    struct fr_faults faults;

    assert_int_equal(fr_structures_name(structures, "mine", s, &faults), FR_OK);
    assert_ptr_equal(find(structures, "mine", "amd", &faults), s);
    counts = source->counts(source->context, s, (struct sparse_grid){ 2, 2 }, &on, &faults);
    assert_non_null(counts);
    source->release(source->context, counts);
    fr_structures_forget(structures);
    assert_null(find(structures, "mine", "amd", &faults));
    assert_non_null(found(structures));
    fr_structures_end(structures);
}

CASE(an_etag_follows_the_analysis)
{
    struct fr_structures *structures = visit(shop);
    char before[FR_MATRIX_STATE_BYTES], after[FR_MATRIX_STATE_BYTES];
    struct fr_matrix_task task;

    fr_structures_state(structures, "shop", before);
    assert_int_equal(fr_store_task_take(shop->fixture->store, FR_TASKS_ORDERINGS, &task),
                     FR_STORE_OK);
    fr_structures_state(structures, "shop", after);
    assert_string_not_equal(before, after);
    fr_structures_state(structures, "nobody", after);
    assert_string_equal(after, "");
    fr_structures_end(structures);
}

/* ---- counts -------------------------------------------------------------------------------- */

CASE(what_was_counted_serves_other_latencies)
{
    struct fr_structures *one = visit(shop), *other = visit(shop);
    const struct sparse_machine near = machine(1e-8, 4096), far = machine(1e-6, 4096);
    const struct sparse_machine larger = machine(1e-8, 8192);
    const struct sparse_grid grid = { 2, 3 };
    struct fr_faults faults;
    const struct sparse_work_counts *first = count(one, grid, &near, &faults);
    const struct sparse_work_counts *again = count(other, grid, &far, &faults);
    const struct sparse_work_counts *unlike = count(other, grid, &larger, &faults);

    assert_non_null(first);
    assert_ptr_equal(first, again);
    assert_ptr_not_equal(first, unlike);
    give_back(one, first);
    give_back(other, again);
    give_back(other, unlike);
    again = count(one, grid, &near, &faults);
    assert_ptr_equal(first, again);
    give_back(one, again);
    fr_structures_end(one);
    fr_structures_end(other);
}

CASE(one_process_has_bounds)
{
    struct fr_structures *structures = visit(shop);
    const struct sparse_machine on = machine(1e-8, 4096);
    struct fr_faults faults;
    const struct sparse_work_counts *alone =
        count(structures, (struct sparse_grid){ 1, 1 }, &on, &faults);

    assert_true(alone->bounds.low > 0 && alone->bounds.high > alone->bounds.low);
    give_back(structures, alone);
    fr_structures_end(structures);
}

struct visitor {
    struct fr_structures *structures;
    const struct sparse_work_counts *counts[4];
};

static void *count_all(void *context)
{
    static const struct sparse_grid grids[] = { { 1, 1 }, { 2, 2 }, { 3, 2 }, { 4, 4 } };
    struct visitor *visitor = context;
    const struct sparse_machine on = machine(1e-8, 4096);
    struct fr_faults faults;

    for (size_t i = 0; i < 4; i++)
        visitor->counts[i] = count(visitor->structures, grids[i], &on, &faults);
    return NULL;
}

CASE(those_who_ask_at_once_share_one_count)
{
    struct visitor visitor[THREADS];
    pthread_t thread[THREADS];

    for (int i = 0; i < THREADS; i++) {
        visitor[i].structures = visit(shop);
        found(visitor[i].structures);
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, count_all, &visitor[i]), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < THREADS; i++) {
        for (size_t g = 0; g < 4; g++) {
            assert_non_null(visitor[i].counts[g]);
            assert_ptr_equal(visitor[i].counts[g], visitor[0].counts[g]);
            give_back(visitor[i].structures, visitor[i].counts[g]);
        }
        fr_structures_end(visitor[i].structures);
    }
}

/* Threads count what one thread counts. */
CASE(cores_change_nothing)
{
    const struct sparse_machine on = machine(1e-8, 4096);
    struct sparse_structure *s = sparse_valid(sparse_dissected(12, 4));
    struct fr_structures *structures = visit(shop);
    const struct fr_structure_source *source = fr_structures_source(structures);
    const struct sparse_grid grid = { 4, 3 };
    struct sparse_work_counts *alone;
    const struct sparse_work_counts *together;
    struct fr_faults faults = { 0 };

    assert_true(s->facts.updates > 2e5); /* so many that threads are started */
    alone = sparse_work_counts_paper(s, grid, &on, &faults);
    assert_int_equal(sparse_work_counts_count_all(alone, &faults), FR_OK);
    assert_int_equal(fr_structures_name(structures, "large", s, &faults), FR_OK);
    together = source->counts(source->context, s, grid, &on, &faults);
    assert_non_null(together);
    for (int64_t p = 0; p < sparse_processes(grid); p++) {
        assert_int_equal(together->process[p].terms, alone->process[p].terms);
        assert_memory_equal(together->process[p].term, alone->process[p].term,
                            alone->process[p].terms * sizeof(double));
    }
    source->release(source->context, together);
    sparse_work_counts_free(alone);
    fr_structures_end(structures);
}

TEST_WITH(what_finds_no_room_is_made_anew, begin_small, end)
{
    struct shop *shop = *state;
    struct fr_structures *structures = visit(shop);
    const struct sparse_machine on = machine(1e-8, 4096);
    struct fr_faults faults;

    for (int32_t rows = 1; rows <= 4; rows++)
        for (int times = 0; times < 2; times++) {
            const struct sparse_work_counts *counts =
                count(structures, (struct sparse_grid){ rows, 2 }, &on, &faults);

            assert_non_null(counts);
            assert_int_equal(counts->grid.rows, rows);
            give_back(structures, counts);
        }
    fr_structures_end(structures);
}

CASE(a_request_counts_so_much_and_no_more)
{
    struct fr_structures *structures = visit(shop);
    const struct sparse_machine on_first = machine(1e-8, 640);
    const struct sparse_work_counts *first;
    struct fr_faults faults = { 0 };
    int counted = 0;

    for (double capacity = 640; faults.count == 0 && counted < 10000; capacity += 64) {
        const struct sparse_machine on = machine(1e-8, capacity);
        const struct sparse_work_counts *counts =
            count(structures, (struct sparse_grid){ 1, 1 }, &on, &faults);

        if (!counts)
            break;
        give_back(structures, counts);
        counted++;
    }
    assert_int_equal(counted,
                     (int)(1e6 / sparse_paper_updates(shop->s, (struct sparse_grid){ 1, 1 })));
    assert_int_equal(faults.fault[0].code, FR_TOO_LONG);
    assert_string_equal(faults.fault[0].where, "matrix");
    fr_structures_end(structures);
    structures = visit(shop);
    first = count(structures, (struct sparse_grid){ 1, 1 }, &on_first, &faults);
    give_back(structures, first);
    assert_int_equal(faults.count, 0);
    fr_structures_end(structures);
}

TEST_WITH(more_processes_than_memory_are_refused, begin_small, end)
{
    struct shop *shop = *state;
    struct fr_structures *structures = visit(shop);
    const struct sparse_machine on = machine(1e-8, 4096);
    struct fr_faults faults;

    assert_null(count(structures, (struct sparse_grid){ 60, 60 }, &on, &faults));
    assert_int_equal(faults.fault[0].code, FR_TOO_LONG);
    fr_structures_end(structures);
}

/* Both kernel models share the allowance for work and the limit on memory. */
CASE(other_work_is_bounded_too)
{
    struct fr_structures *structures = visit(shop);
    const struct fr_structure_source *source = fr_structures_source(structures);
    const struct sparse_machine on = machine(1e-8, 4096);
    struct fr_faults faults = { 0 };
    bool is_partial = false;

    fr_structures_watch(structures, NULL, &is_partial);
    assert_int_equal(source->allow(source->context, 9e5, 1e6, &faults), FR_OK);
    assert_false(is_partial);
    assert_int_equal(source->allow(source->context, 1, 1 << 25, &faults), FR_TOO_LONG);
    assert_true(is_partial);
    is_partial = false;
    assert_int_equal(source->allow(source->context, 2e5, 1e6, &faults), FR_TOO_LONG);
    assert_true(is_partial);
    assert_int_equal(source->allow(source->context, 1e5, 1e6, &faults), FR_OK);
    assert_null(count(structures, (struct sparse_grid){ 1, 1 }, &on, &faults));
    assert_int_equal(faults.fault[0].code, FR_TOO_LONG);
    fr_structures_end(structures);
}

/* A large ordering is refused without being read. */
CASE(a_large_ordering_is_refused_unread)
{
    struct fr_structures *structures = visit(shop);
    const struct fr_structure_source *source = fr_structures_source(structures);
    const struct fr_matrix_ordering large = { .ordering = sparse_orderings[1],
                                              .status = FR_MATRIX_READY,
                                              .updates = 5000000 };
    struct fr_matrix_task task;
    struct fr_faults faults;

    assert_int_equal(fr_store_task_take(shop->fixture->store, FR_TASKS_ORDERINGS, &task),
                     FR_STORE_OK);
    assert_int_equal(fr_store_analysis_end(shop->fixture->store, &task, &large, 100, "identity",
                                           "no structure", 12),
                     FR_STORE_OK);
    assert_null(find(structures, "shop", "amd", &faults));
    assert_int_equal(faults.fault[0].code, FR_TOO_LONG);
    assert_string_equal(faults.fault[0].where, "ordering");
    faults.count = 0;
    assert_null(source->find(source->context, "shop", KEY("amd"), false, &faults));
    assert_int_equal(faults.fault[0].code, FR_NOT_FOUND);
    assert_non_null(strstr(faults.fault[0].message, "damaged"));
    fr_structures_end(structures);
}

static void refuse_to_count(struct shop *shop)
{
    struct fr_structures *structures = visit(shop);
    const struct sparse_machine on = machine(1e-8, 4096);
    struct fr_faults faults;
    bool is_partial = false;

    fr_structures_watch(structures, NULL, &is_partial);
    assert_null(count(structures, (struct sparse_grid){ 2, 2 }, &on, &faults));
    assert_int_equal(faults.fault[0].code, FR_TOO_LONG);
    assert_non_null(strstr(faults.fault[0].message, "stopped"));
    assert_true(is_partial);
    fr_structures_end(structures);
}

TEST_WITH(counting_ends_with_its_time, begin_hurried, end)
{
    refuse_to_count(*state);
}

CASE(counting_ends_when_its_client_leaves)
{
    struct fr_structures *structures = visit(shop);
    const struct sparse_machine on = machine(1e-8, 4096), other = machine(1e-8, 8192);
    const struct sparse_work_counts *counts;
    struct fr_faults faults;
    _Atomic bool is_over = false;
    struct fr_client client;

    fr_client_init(&client, NULL);
    client.is_over = &is_over;
    fr_structures_watch(structures, &client, NULL);
    counts = count(structures, (struct sparse_grid){ 2, 2 }, &on, &faults);
    assert_non_null(counts);
    give_back(structures, counts);
    is_over = true;
    assert_null(count(structures, (struct sparse_grid){ 2, 2 }, &other, &faults));
    assert_int_equal(faults.fault[0].code, FR_TOO_LONG);
    fr_structures_end(structures);
    fr_client_destroy(&client);
}

CASE(counting_ends_with_the_daemon)
{
    fr_simulations_stop(shop->simulations);
    refuse_to_count(shop);
}
