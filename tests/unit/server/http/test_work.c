/* The workers: bounds of the queue, the worker that long jobs leave free, the drain. */
#include "server/core/log.h"
#include "server/http/call.h"
#include "tests/unit/support/check.h"
#include "tests/unit/support/tally.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Jobs count how they end; long ones last until `gate` opens. */
struct counts {
    struct tally parked, done, cancelled, begun_long, gate;
    atomic_int running_long, most_long;
};
#define COUNTS                                                                                 \
    {                                                                                          \
        .parked = TALLY, .done = TALLY, .cancelled = TALLY, .begun_long = TALLY, .gate = TALLY \
    }

struct item {
    struct fr_job job;
    struct counts *counts;
};

/* Waits until the number is reached, and not exceeded. */
static void wait_for(struct tally *tally, int value)
{
    tally_await(tally, value);
    assert_int_equal(tally_count(tally), value);
}

static void park(struct fr_job *job)
{
    tally_add(&((struct item *)(void *)job)->counts->parked, 1);
}

static void run(struct fr_job *job, struct fr_store *store)
{
    struct counts *counts = ((struct item *)(void *)job)->counts;
    int now, most;

    if (!store) {
        tally_add(&counts->cancelled, 1);
        return;
    }
    if (job->is_long) {
        now = atomic_fetch_add(&counts->running_long, 1) + 1;
        most = atomic_load(&counts->most_long);
        while (now > most && !atomic_compare_exchange_weak(&counts->most_long, &most, now))
            continue;
        tally_add(&counts->begun_long, 1);
        tally_await(&counts->gate, 1);
        atomic_fetch_sub(&counts->running_long, 1);
    }
    tally_add(&counts->done, 1);
}

/* Seconds that jobs have spent on the only worker. */
static double spent_s;

static double spent(void)
{
    return spent_s;
}

static struct fr_pool *pool_with(unsigned workers, size_t queue_limit, size_t long_queue_limit)
{
    static struct fr_log log = { .level = FR_LOG_ERROR };
    struct fr_pool *pool =
        fr_pool_new(&(struct fr_pool_options){ .workers = workers,
                                               .queue_limit = queue_limit,
                                               .long_queue_limit = long_queue_limit,
                                               .store_path = ":memory:",
                                               .spent_s = workers == 1 ? spent : NULL },
                    &log);

    assert_non_null(pool);
    return pool;
}

/* One client alone fills half of each queue. */
static struct fr_pool *pool_of(unsigned workers, size_t most_of_one)
{
    return pool_with(workers, 2 * most_of_one, 2 * most_of_one);
}

static bool is_taken(struct fr_pool *pool, struct item *item)
{
    return fr_pool_submit(pool, &item->job) == FR_POOL_TAKEN;
}

static void set_up(struct item *items, size_t count, bool is_long, struct counts *counts)
{
    for (size_t i = 0; i < count; i++) {
        items[i].job = (struct fr_job){ .is_long = is_long, .park = park, .run = run };
        items[i].counts = counts;
    }
}

TEST(every_job_runs_once)
{
    enum { JOBS = 1000 };
    struct fr_pool *pool = pool_of(3, JOBS);
    struct item *items = calloc(JOBS, sizeof *items);
    struct counts counts = COUNTS;

    set_up(items, JOBS, false, &counts);
    for (int i = 0; i < JOBS; i++)
        assert_true(is_taken(pool, &items[i]));
    wait_for(&counts.done, JOBS);
    assert_int_equal(tally_count(&counts.parked), JOBS);
    assert_int_equal(fr_pool_state(pool).queued, 0);
    fr_pool_free(pool);
    free(items);
}

TEST(long_jobs_leave_a_worker_for_quick_ones)
{
    struct fr_pool *pool = pool_of(3, 100);
    struct item slow[6], quick[4];
    struct counts slow_counts = COUNTS, quick_counts = COUNTS;

    set_up(slow, 6, true, &slow_counts);
    set_up(quick, 4, false, &quick_counts);
    for (int i = 0; i < 6; i++)
        assert_true(is_taken(pool, &slow[i]));
    wait_for(&slow_counts.begun_long, 2);
    for (int i = 0; i < 4; i++)
        assert_true(is_taken(pool, &quick[i]));
    wait_for(&quick_counts.done, 4);
    assert_int_equal(tally_count(&slow_counts.done), 0);
    tally_add(&slow_counts.gate, 1);
    wait_for(&slow_counts.done, 6);
    assert_int_equal(slow_counts.most_long, 2);
    fr_pool_free(pool);
}

TEST(one_worker_runs_long_jobs_as_well)
{
    struct fr_pool *pool = pool_of(1, 10);
    struct counts counts = COUNTS;
    struct item items[3];

    tally_add(&counts.gate, 1);
    set_up(items, 3, true, &counts);
    for (int i = 0; i < 3; i++)
        assert_true(is_taken(pool, &items[i]));
    wait_for(&counts.done, 3);
    fr_pool_free(pool);
}

TEST(a_full_queue_refuses_without_parking)
{
    struct fr_pool *pool = pool_with(2, 10, 2);
    struct counts counts = COUNTS, quick_counts = COUNTS;
    struct item items[4], quick;

    set_up(items, 4, true, &counts);
    set_up(&quick, 1, false, &quick_counts);
    for (unsigned i = 0; i < 4; i++)
        items[i].job.client = i;
    assert_true(is_taken(pool, &items[0]));
    wait_for(&counts.begun_long, 1);
    assert_true(is_taken(pool, &items[1]));
    assert_true(is_taken(pool, &items[2]));
    assert_int_equal(fr_pool_submit(pool, &items[3].job), FR_POOL_FULL);
    assert_int_equal(tally_count(&counts.parked), 3);
    assert_int_equal(fr_pool_state(pool).queued, 2);
    assert_int_equal(fr_pool_state(pool).queued_long, 2);
    assert_int_equal(fr_pool_state(pool).busy, 1);
    /* The quick ones have a queue of their own. */
    assert_true(is_taken(pool, &quick));
    wait_for(&quick_counts.done, 1);
    tally_add(&counts.gate, 1);
    wait_for(&counts.done, 3);
    fr_pool_free(pool);
}

TEST(a_client_has_at_most_half_of_a_queue)
{
    struct fr_pool *pool = pool_with(2, 10, 4);
    struct counts counts = COUNTS;
    struct item items[5];

    set_up(items, 5, true, &counts);
    items[4].job.client = 1;
    assert_true(is_taken(pool, &items[0]));
    wait_for(&counts.begun_long, 1);
    assert_true(is_taken(pool, &items[1]));
    assert_true(is_taken(pool, &items[2]));
    assert_int_equal(fr_pool_submit(pool, &items[3].job), FR_POOL_SHARE);
    assert_true(is_taken(pool, &items[4]));
    tally_add(&counts.gate, 1);
    wait_for(&counts.done, 4);
    assert_true(is_taken(pool, &items[3]));
    wait_for(&counts.done, 5);
    fr_pool_free(pool);
}

/* Jobs of a pool with one worker note in which order they run. */
struct noted {
    struct fr_job job;
    char name, **end;
    struct tally *done;
};

static void note(struct fr_job *job, struct fr_store *store)
{
    struct noted *noted = (struct noted *)(void *)job;

    assert_non_null(store);
    spent_s += 1;
    *(*noted->end)++ = noted->name;
    tally_add(noted->done, 1);
}

static void park_nothing(struct fr_job *job)
{
    (void)job;
}

/* The urgent jobs are of client C, and cost it no turn. */
TEST(clients_take_turns)
{
    static const char names[] = "AAAAAABB!!!C";
    struct fr_pool *pool = pool_with(1, 100, 100);
    struct counts counts = COUNTS;
    struct noted jobs[sizeof names - 1];
    char order[sizeof names] = "", *end = order;
    struct tally done = TALLY;
    struct item first;

    set_up(&first, 1, true, &counts);
    assert_true(is_taken(pool, &first));
    wait_for(&counts.begun_long, 1);
    for (size_t i = 0; names[i]; i++) {
        jobs[i] = (struct noted){ { .client = names[i] == '!' ? 'C' : (unsigned)names[i],
                                    .is_urgent = names[i] == '!',
                                    .park = park_nothing,
                                    .run = note },
                                  names[i],
                                  &end,
                                  &done };
        assert_int_equal(fr_pool_submit(pool, &jobs[i].job), FR_POOL_TAKEN);
    }
    tally_add(&counts.gate, 1);
    wait_for(&done, sizeof names - 1);
    assert_string_equal(order, "!!!ABCABAAAA");
    fr_pool_free(pool);
}

/* Of A three times as long as of the others. */
static void note_and_spend(struct fr_job *job, struct fr_store *store)
{
    spent_s += job->client == 'A' ? 2 : 0;
    note(job, store);
}

TEST(clients_share_the_processor_time)
{
    static const char names[] = "AAAABBBBBBBCC";
    struct fr_pool *pool = pool_with(1, 100, 100);
    struct counts counts = COUNTS;
    struct noted jobs[sizeof names - 1];
    char order[sizeof names] = "", *end = order;
    struct tally done = TALLY;
    struct item first;

    set_up(&first, 1, true, &counts);
    assert_true(is_taken(pool, &first));
    wait_for(&counts.begun_long, 1);
    for (size_t i = 0; names[i]; i++) {
        jobs[i] = (struct noted){
            { .client = (unsigned)names[i], .park = park_nothing, .run = note_and_spend },
            names[i],
            &end,
            &done
        };
        assert_int_equal(fr_pool_submit(pool, &jobs[i].job), FR_POOL_TAKEN);
    }
    tally_add(&counts.gate, 1);
    wait_for(&done, sizeof names - 1);
    /* After 3 s of A each of the others has used 3 s, or has no more. */
    assert_string_equal(order, "ABCBCBABBBABA");
    fr_pool_free(pool);
}

TEST(an_urgent_job_is_never_refused)
{
    struct fr_pool *pool = pool_with(1, 1, 1);
    struct counts counts = COUNTS, urgent_counts = COUNTS;
    struct item running, waiting[2], urgent[3];

    set_up(&running, 1, true, &counts);
    set_up(waiting, 2, false, &counts);
    set_up(urgent, 3, false, &urgent_counts);
    assert_true(is_taken(pool, &running));
    wait_for(&counts.begun_long, 1);
    assert_true(is_taken(pool, &waiting[0]));
    assert_int_equal(fr_pool_submit(pool, &waiting[1].job), FR_POOL_FULL);
    for (int i = 0; i < 3; i++) {
        urgent[i].job.is_urgent = true;
        assert_true(is_taken(pool, &urgent[i]));
    }
    tally_add(&counts.gate, 1);
    wait_for(&urgent_counts.done, 3);
    fr_pool_free(pool);
}

/* Once the others are cancelled, the pool stops. */
static void *open_gate(void *context)
{
    struct counts *counts = context;

    tally_await(&counts->cancelled, 3);
    tally_add(&counts->gate, 1);
    return NULL;
}

TEST(stopping_ends_running_jobs_and_cancels_waiting_ones)
{
    struct fr_pool *pool = pool_of(2, 10);
    struct counts counts = COUNTS;
    struct item items[4];
    pthread_t opener;

    set_up(items, 4, true, &counts);
    for (int i = 0; i < 4; i++)
        assert_true(is_taken(pool, &items[i]));
    wait_for(&counts.begun_long, 1);
    assert_int_equal(pthread_create(&opener, NULL, open_gate, &counts), 0);
    fr_pool_free(pool);
    pthread_join(opener, NULL);
    assert_int_equal(tally_count(&counts.done), 1);
    assert_int_equal(tally_count(&counts.cancelled), 3);
}
