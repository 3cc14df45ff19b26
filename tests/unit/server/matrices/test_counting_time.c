/* The time limit of a request for counting, which includes waiting for other requests. */
#include "tests/unit/support/handler_fixture.h"
#include "tests/unit/support/sparse.h"
#include "tests/unit/support/tally.h"

#include "server/core/clock.h"
#include "server/matrices/simulation.h"

#include <pthread.h>

/* With the limits of the upload. */
#define KEY(name) (&(struct sparse_structure_key){ .ordering = name, .row_permutation = "auto" })

enum { REQUESTS = 8 };
#define COUNTING_S 0.2

/* A clock that stands still until all requests have begun, which each does with its first look at
 * it; then their time is over. */
static struct tally begun = TALLY;
static _Thread_local bool begins;

static uint64_t now_ns(struct fr_clock *clock)
{
    const uint64_t start_ns = 1000000000;

    (void)clock;
    if (begins) {
        begins = false;
        tally_add(&begun, 1);
        return start_ns;
    }
    tally_await(&begun, REQUESTS);
    return start_ns + (uint64_t)(1e9 * COUNTING_S) + 1;
}

struct request {
    struct fr_structures *structures;
    struct fr_faults faults;
};

/* All threads request the same count of one process, which takes seconds. */
static void *request_counts(void *context)
{
    const struct sparse_machine machine = {
        .flop_s = 1e-9,
        .memory_latency_s = 1e-8,
        .levels = 1,
        .level = { { 1 << 20, 64, SPARSE_LRU, 1e-9 } },
        .index_bytes = 4,
        .dgemm_block = { 8, 8, 8 },
        .dgemm_unroll = { 4, 2 },
        .dger_unroll = 4,
        .dtrsv_unroll = 4,
        .dtrsv_loads_linear = 2,
    };
    struct request *request = context;
    const struct fr_structure_source *source = fr_structures_source(request->structures);
    const struct sparse_structure *s =
        source->find(source->context, "shop", KEY("metis"), true, &request->faults);

    begins = true;
    if (s && source->counts(source->context, s, (struct sparse_grid){ 1, 1 }, &machine,
                            &request->faults))
        fr_fault(&request->faults, FR_RANGE, "", "counted in time");
    return NULL;
}

/* Otherwise the last request would wait for the limit of each other request. */
TEST_WITH(it_passes_while_another_counts_the_same, fixture_open_empty, fixture_close)
{
    struct fr_clock clock = { .now_ns = now_ns };
    struct fr_simulations *simulations = fr_simulations_new(
        &(struct fr_simulation_limits){ 1 << 28, 1 << 28, 1e12, COUNTING_S, &clock });
    struct sparse_structure *s = sparse_valid(sparse_random(1, 500, 8, 60000));
    struct handler_fixture *fixture = *state;
    struct request request[REQUESTS];
    pthread_t thread[REQUESTS];
    struct fr_faults faults = { 0 };

    fixture_store_matrix(fixture->store, s);
    for (int i = 0; i < REQUESTS; i++) {
        struct fr_structures *structures =
            fr_structures_begin(simulations, fixture->store, fixture->arena);
        const struct fr_structure_source *source = fr_structures_source(structures);

        assert_non_null(source->find(source->context, "shop", KEY("metis"), true, &faults));
        request[i] = (struct request){ .structures = structures };
    }
    for (int i = 0; i < REQUESTS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, request_counts, &request[i]), 0);
    for (int i = 0; i < REQUESTS; i++) {
        pthread_join(thread[i], NULL);
        assert_int_equal(request[i].faults.count, 1);
        assert_int_equal(request[i].faults.fault[0].code, FR_TOO_LONG);
        fr_structures_end(request[i].structures);
    }
    fr_simulations_free(simulations);
    sparse_structure_free(s);
}
