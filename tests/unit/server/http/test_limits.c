/* The limits of clients: what a bucket gives, when it gives again, and what a refusal says. */
#include "server/http/server.h"
#include "tests/unit/support/check.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static const uint64_t second_ns = 1000000000;

static int make_limits(void **state)
{
    *state = calloc(1, sizeof(struct fr_limits));
    return *state ? 0 : -1;
}

static int free_limits(void **state)
{
    free(*state);
    return 0;
}

static unsigned take(struct fr_limits *limits, unsigned client, double amount, uint64_t now_s)
{
    return fr_limit_take(limits, FR_LIMIT_REQUESTS, client, 0, amount, 60, now_s * second_ns);
}

/* After `taken` by the same. */
static unsigned take_more(struct fr_limits *limits, unsigned client, double taken, double amount,
                          uint64_t now_s)
{
    return fr_limit_take(limits, FR_LIMIT_REQUESTS, client, taken, amount, 60, now_s * second_ns);
}

#define LIMIT_TEST(name) TEST_WITH(name, make_limits, free_limits)

LIMIT_TEST(an_allowance_is_taken_at_once_and_refills_evenly)
{
    for (int i = 0; i < 60; i++)
        assert_int_equal(take(*state, 7, 1, 1000), 0);
    assert_int_equal(take(*state, 7, 1, 1000), 1);
    assert_int_equal(take(*state, 7, 10, 1000), 10);
    /* A refusal takes nothing. */
    assert_int_equal(take(*state, 7, 1, 1001), 0);
    assert_int_equal(take(*state, 7, 1, 1001), 1);
    assert_int_equal(take(*state, 7, 10, 1011), 0);
    assert_int_equal(take(*state, 7, 60, 1071), 0);
}

LIMIT_TEST(clients_and_limits_are_apart)
{
    assert_int_equal(take(*state, 1, 60, 1000), 0);
    assert_int_equal(take(*state, 1, 1, 1000), 1);
    assert_int_equal(take(*state, 2, 60, 1000), 0);
    assert_int_equal(fr_limit_take(*state, FR_LIMIT_LONG, 1, 0, 60, 60, 1000 * second_ns), 0);
    assert_int_not_equal(fr_limit_client_of_token(5), fr_limit_client_of_address(5));
    assert_true(fr_limit_client_of_address(FR_ADDRESS_SLOTS - 1) < FR_LIMIT_CLIENTS);
    assert_true(fr_limit_client_of_token(INT64_MAX) < FR_LIMIT_CLIENTS);
}

LIMIT_TEST(more_than_an_allowance_is_given_to_a_full_bucket_and_paid_back)
{
    assert_int_equal(take(*state, 3, 600, 1000), 0);
    assert_int_equal(take(*state, 3, 1, 1000), 541);
    assert_int_equal(take(*state, 3, 1, 1540), 1);
    assert_int_equal(take(*state, 3, 1, 1541), 0);
    assert_int_equal(take(*state, 3, 60, 1602), 0);
    /* Another large one waits until the bucket is full, no longer. */
    assert_int_equal(take(*state, 3, 600, 1602), 60);
    assert_int_equal(take(*state, 3, 600, 1662), 0);
    /* Whatever was taken, the bucket is full again after a year. */
    assert_int_equal(take(*state, 4, 1e300, 1000), 0);
    assert_int_equal(take(*state, 4, 1, 1000), 365 * 86400 - 60);
}

LIMIT_TEST(a_full_bucket_gives_as_much_in_parts_but_only_to_one)
{
    assert_int_equal(take(*state, 6, 1, 1000), 0);
    assert_int_equal(take_more(*state, 6, 1, 59, 1000), 0);
    assert_int_equal(take_more(*state, 6, 60, 540, 1000), 0);
    assert_int_equal(take_more(*state, 6, 600, 100, 1300), 0); /* half of it has come back */
    assert_int_equal(take(*state, 6, 1, 1300), 341);
    /* Who began with a little of the full bucket does not find it full after another. */
    assert_int_equal(take(*state, 7, 1, 1000), 0);
    assert_int_equal(take(*state, 7, 2, 1000), 0);
    assert_int_equal(take_more(*state, 7, 1, 600, 1000), 3);
    assert_int_equal(take_more(*state, 7, 1, 57, 1000), 0);
}

LIMIT_TEST(what_is_not_used_comes_back_but_no_more)
{
    assert_int_equal(take(*state, 5, 60, 1000), 0);
    fr_limit_give_back(*state, FR_LIMIT_REQUESTS, 5, 20, 60, 1000 * second_ns);
    assert_int_equal(take(*state, 5, 20, 1000), 0);
    assert_int_equal(take(*state, 5, 1, 1000), 1);
    fr_limit_give_back(*state, FR_LIMIT_REQUESTS, 5, 1e300, 60, 1000 * second_ns);
    assert_int_equal(take(*state, 5, 60, 1000), 0);
    assert_int_equal(take(*state, 5, 1, 1000), 1);
    fr_limit_give_back(*state, FR_LIMIT_REQUESTS, 6, 60, 60, 1000 * second_ns); /* a full one */
    assert_int_equal(take(*state, 6, 60, 1000), 0);
    assert_int_equal(take(*state, 6, 1, 1000), 1);
}

static void *take_many(void *limits)
{
    uintptr_t taken = 0;

    for (int i = 0; i < 5000; i++)
        taken += fr_limit_take(limits, FR_LIMIT_REQUESTS, 0, 0, 1, 7000, second_ns) == 0;
    return (void *)taken; /* NOLINT: a number in a pointer */
}

LIMIT_TEST(threads_take_no_more_than_there_is)
{
    pthread_t other;
    uintptr_t mine;
    void *theirs;

    assert_int_equal(pthread_create(&other, NULL, take_many, *state), 0);
    mine = (uintptr_t)take_many(*state);
    pthread_join(other, &theirs);
    assert_in_range(mine + (uintptr_t)theirs, 6999, 7001); /* the rounding of nanoseconds */
}

TEST(a_refusal_names_the_limit_and_is_counted)
{
    struct fr_server *server = calloc(1, sizeof *server);
    struct fr_request rq = { .server = server, .payer = fr_limit_client_of_token(3) };
    struct fr_reply reply;

    assert_non_null(server);
    fr_config_init(&server->config);
    atomic_store(&server->config.writes_per_minute, 2);
    fr_reply_init(&reply);
    assert_int_equal(fr_request_charge(&rq, FR_LIMIT_WRITES, 2, &reply), 0);
    snprintf(rq.token_name, sizeof rq.token_name, "ann");
    assert_int_equal(fr_request_charge(&rq, FR_LIMIT_WRITES, 1, &reply), 429);
    assert_in_range(reply.retry_after_s, 29, 30);
    fr_writer_append(&reply.body, "", 1);
    assert_non_null(
        strstr(reply.body.text, "This token may have 2 writes in a minute (`writes_per_minute`)"));
    assert_int_equal(server->metrics.limited[FR_LIMIT_WRITES], 1);
    fr_reply_free(&reply);
    atomic_store(&server->config.writes_per_minute, 0);
    fr_reply_init(&reply);
    assert_int_equal(fr_request_charge(&rq, FR_LIMIT_WRITES, 1, &reply), 0);
    fr_reply_free(&reply);
    free(server);
}
