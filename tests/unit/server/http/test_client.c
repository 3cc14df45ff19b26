/* Lines ahead of an answer: their order and end, slow and absent readers, the end of the daemon. */
#include "server/http/call.h"
#include "server/http/client.h"
#include "server/http/listener.h"
#include "server/serve.h"
#include "tests/unit/support/check.h"
#include "tests/unit/support/moved_clock.h"

#include <arpa/inet.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LINE_BYTES = 1000, PATIENCE_S = 120, LARGE_LINES = 20000, WAIT_MS = 50 };

/* What the handlers that wait for their clients to leave have come to. */
static _Atomic long lines_sent;
static struct tally begun, ended;

static void write_line(struct fr_request *rq, struct fr_reply *reply, long number)
{
    char padding[LINE_BYTES];

    memset(padding, 'x', sizeof padding - 1);
    padding[sizeof padding - 1] = '\0';
    fr_json_object(&reply->body);
    fr_json_pair_integer(&reply->body, "row", number);
    fr_json_pair(&reply->body, "padding", padding);
    fr_json_object_end(&reply->body);
    fr_reply_end_line(reply);
    fr_reply_send_lines(rq, reply);
}

static int finish(struct fr_reply *reply)
{
    fr_json_object(&reply->body);
    fr_json_object_end(&reply->body);
    return 200;
}

static int short_answer(struct fr_request *rq, struct fr_reply *reply)
{
    (void)rq;
    return finish(reply);
}

static int lines(struct fr_request *rq, struct fr_reply *reply)
{
    const long count = atol(rq->segment[0]);

    for (long i = 0; i < count; i++)
        write_line(rq, reply, i);
    return finish(reply);
}

static int failing(struct fr_request *rq, struct fr_reply *reply)
{
    for (long i = 0; i < atol(rq->segment[0]); i++)
        write_line(rq, reply, i);
    fr_json_object(&reply->body); /* half an answer, which must not show */
    return fr_reply_problem(reply, 413, "Too much.");
}

/* Writes lines, or at least one, until nobody reads them. */
static int endless(struct fr_request *rq, struct fr_reply *reply)
{
    const bool is_quiet = strcmp(rq->segment[0], "quiet") == 0;

    write_line(rq, reply, 0);
    while (!fr_client_has_left(rq->client)) {
        if (is_quiet)
            sched_yield();
        else
            write_line(rq, reply, atomic_fetch_add(&lines_sent, 1));
    }
    tally_add(&ended, 1);
    return finish(reply);
}

/* An ordinary answer that is awaited by nobody. */
static int silent(struct fr_request *rq, struct fr_reply *reply)
{
    tally_add(&begun, 1);
    while (!fr_client_has_left(rq->client))
        sched_yield();
    tally_add(&ended, 1);
    return finish(reply);
}

/* clang-format off */
const struct fr_route fr_routes[] = {
    { .method = FR_GET, .path = "/api/short", .handle = short_answer, .formats = FR_JSON | FR_NDJSON },
    { .method = FR_GET, .path = "/api/lines/{count}", .handle = lines, .formats = FR_JSON | FR_NDJSON },
    { .method = FR_GET, .path = "/api/failing/{count}", .handle = failing, .formats = FR_JSON | FR_NDJSON },
    { .method = FR_GET, .path = "/api/endless/{how}", .handle = endless, .formats = FR_JSON | FR_NDJSON,
      .is_long = true },
    { .method = FR_GET, .path = "/api/silent", .handle = silent, .formats = FR_JSON },
    { .path = NULL },
};
/* clang-format on */

static struct moved_clock moved;

static int set_up(void **state)
{
    struct fr_server *server = calloc(1, sizeof *server);

    moved_clock_init(&moved);
    server->clock = &moved.clock;
    begun = ended = (struct tally)TALLY;
    atomic_store(&lines_sent, 0);
    fr_config_init(&server->config);
    snprintf(server->config.listen, sizeof server->config.listen, "127.0.0.1:0");
    server->config.idle_timeout_s = 3600; /* libmicrohttpd has a clock of its own */
    server->log.level = FR_LOG_ERROR;
    fr_metrics_init(&server->metrics);
    server->pool = fr_pool_new(
        &(struct fr_pool_options){
            .workers = 3, .queue_limit = 64, .long_queue_limit = 64, .store_path = ":memory:" },
        &server->log);
    assert_non_null(server->pool);
    server->listener = fr_listener_start(server);
    assert_non_null(server->listener);
    *state = server;
    return 0;
}

static void stop(struct fr_server *server)
{
    fr_pool_stop(server->pool);
    fr_listener_stop(server->listener);
    fr_pool_free(server->pool);
}

static int tear_down(void **state)
{
    struct fr_server *server = *state;

    if (server->listener) {
        assert_true(fr_listener_drain(server->listener, PATIENCE_S));
        stop(server);
    }
    free(server);
    return 0;
}

/* Sends a request whose answer ends with the connection. */
static int asked(struct fr_server *server, const char *line)
{
    const struct timeval patience = { .tv_sec = PATIENCE_S };
    const char *port = strrchr(fr_listener_url(server->listener), ':') + 1;
    struct sockaddr_in address = { .sin_family = AF_INET,
                                   .sin_port = htons((uint16_t)atoi(port)),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    char request[256];

    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    snprintf(request, sizeof request, "%s HTTP/1.0\r\nHost: test\r\n\r\n", line);
    assert_int_equal(send(fd, request, strlen(request), MSG_NOSIGNAL), strlen(request));
    return fd;
}

/* The whole answer; free it. */
static char *received(int fd)
{
    size_t length = 0, capacity = 1 << 16;
    char *text = malloc(capacity);

    for (;;) {
        ssize_t got;

        if (capacity - length < 4096)
            text = realloc(text, capacity *= 2);
        got = recv(fd, text + length, capacity - length - 1, 0);
        if (got <= 0)
            break;
        length += (size_t)got;
    }
    close(fd);
    text[length] = '\0';
    return text;
}

static char *answer_of(struct fr_server *server, const char *line)
{
    return received(asked(server, line));
}

static const char *body_of(const char *answer)
{
    const char *end = strstr(answer, "\r\n\r\n");

    assert_non_null(end);
    return end + 4;
}

#define CASE(name) TEST_OF(name, struct fr_server *server, set_up, tear_down)

CASE(an_answer_without_lines_is_one_line)
{
    char *answer = answer_of(*state, "GET /api/short.ndjson");

    assert_non_null(strstr(answer, "200 OK"));
    assert_non_null(strstr(answer, "Content-Length: 14"));
    assert_non_null(strstr(answer, "ETag: "));
    assert_non_null(strstr(answer, "Content-Type: application/x-ndjson\r\n"));
    assert_string_equal(body_of(answer), "{\"answer\":{}}\n");
    free(answer);
}

CASE(lines_come_in_order_before_the_answer)
{
    char *answer = answer_of(*state, "GET /api/lines/20000.ndjson");
    const char *at = body_of(answer);

    assert_non_null(strstr(answer, "Content-Type: application/x-ndjson\r\n"));
    assert_null(strstr(answer, "ETag: "));
    for (long i = 0; i < LARGE_LINES; i++) {
        char expected[32];

        snprintf(expected, sizeof expected, "{\"row\":%ld,", i);
        assert_memory_equal(at, expected, strlen(expected));
        at = strchr(at, '\n') + 1;
    }
    assert_string_equal(at, "{\"answer\":{}}\n");
    free(answer);
}

CASE(a_failure_after_lines_is_the_last_line)
{
    char *answer = answer_of(*state, "GET /api/failing/2.ndjson");
    const char *at = strchr(strchr(body_of(answer), '\n') + 1, '\n') + 1;
    static const char expected[] = "{\"problem\":{\"type\":\"urn:forerun:problem:too-large\"";

    assert_memory_equal(at, expected, sizeof expected - 1);
    assert_string_equal(answer + strlen(answer) - 3, "}}\n");
    assert_true(strchr(at, '\n') == answer + strlen(answer) - 1);
    free(answer);
}

CASE(a_failure_before_lines_has_its_status)
{
    char *answer = answer_of(*state, "GET /api/failing/0.ndjson");

    assert_non_null(strstr(answer, " 413 "));
    assert_non_null(strstr(answer, "Content-Type: application/problem+json"));
    assert_memory_equal(body_of(answer), "{\"type\"", 7);
    free(answer);
}

CASE(head_gets_no_lines)
{
    char *answer = answer_of(*state, "HEAD /api/lines/3.ndjson");

    assert_non_null(strstr(answer, "200 OK"));
    assert_non_null(strstr(answer, "Content-Length: "));
    assert_string_equal(body_of(answer), "");
    free(answer);
}

CASE(work_ends_when_a_reader_of_lines_leaves)
{
    static const char *const how[] = { "GET /api/endless/busy.ndjson",
                                       "GET /api/endless/quiet.ndjson" };

    for (int i = 0; i < 2; i++) {
        const int fd = asked(*state, how[i]);
        char first[100];

        assert_true(recv(fd, first, sizeof first, MSG_WAITALL) == sizeof first);
        assert_int_equal(tally_count(&ended), i);
        close(fd);
        tally_await(&ended, i + 1);
    }
}

CASE(work_ends_when_the_client_of_an_ordinary_answer_leaves)
{
    const int fd = asked(*state, "GET /api/silent");

    tally_await(&begun, 1);
    assert_int_equal(tally_count(&ended), 0);
    close(fd);
    tally_await(&ended, 1);
}

/* Moves the clock until a handler has ended; returns how often one waited for room in vain. */
static int waits_in_vain(void)
{
    while (tally_count(&ended) == 0) {
        moved_clock_by_ms(&moved, WAIT_MS);
        sched_yield();
    }
    return tally_count(&moved.vain);
}

/* Only what the sockets and the buffer hold is written ahead of a reader. */
CASE(a_writer_waits_for_a_slow_reader_but_not_without_end)
{
    const int fd = asked(*state, "GET /api/endless/busy.ndjson");

    assert_int_equal(waits_in_vain(), FR_CLIENT_MOST_WAITING_MS / WAIT_MS);
    assert_in_range(atomic_load(&lines_sent), 1, 64 * 1000); /* the sockets' buffers: megabytes */
    close(fd);
}

/* Two of the three workers may have long requests: both have readers that do not read. */
CASE(a_slow_reader_leaves_its_worker_to_others_that_wait)
{
    int slow[2], fd;
    char first[100];

    for (int i = 0; i < 2; i++) {
        slow[i] = asked(server, "GET /api/endless/busy.ndjson");
        assert_true(recv(slow[i], first, sizeof first, MSG_WAITALL) == sizeof first);
    }
    fd = asked(server, "GET /api/endless/quiet.ndjson");
    while (fr_pool_state(server->pool).queued_long == 0)
        sched_yield();
    assert_in_range(waits_in_vain(), FR_CLIENT_SHARED_WAITING_MS / WAIT_MS,
                    2 * FR_CLIENT_SHARED_WAITING_MS / WAIT_MS + 1);
    assert_true(recv(fd, first, sizeof first, MSG_WAITALL) == sizeof first);
    close(fd);
    for (int i = 0; i < 2; i++)
        close(slow[i]);
}

CASE(the_end_of_the_daemon_cuts_lines_off)
{
    const int fd = asked(server, "GET /api/endless/quiet.ndjson");
    char first[100], *rest;

    assert_true(recv(fd, first, sizeof first, MSG_WAITALL) == sizeof first);
    assert_false(fr_listener_drain(server->listener, 0));
    tally_await(&ended, 1);
    stop(server);
    server->listener = NULL;
    rest = received(fd);
    assert_null(strstr(rest, "\"answer\""));
    free(rest);
}

CASE(the_end_of_the_daemon_ends_ordinary_work)
{
    const int fd = asked(server, "GET /api/silent");

    tally_await(&begun, 1);
    assert_false(fr_listener_drain(server->listener, 0));
    tally_await(&ended, 1);
    stop(server);
    server->listener = NULL;
    close(fd);
}

TEST(counted_work_ends_when_the_daemon_waits_no_longer)
{
    struct fr_arena *arena = fr_arena_new(0);
    struct fr_client client;
    _Atomic bool is_over = false;

    fr_client_init(&client, NULL);
    client.is_over = &is_over;
    fr_client_watch(&client, arena);
    assert_true(fr_arena_spend(arena, FR_WATCH_STEPS));
    atomic_store(&is_over, true);
    assert_false(fr_arena_spend(arena, FR_WATCH_STEPS));
    fr_arena_renew(arena);
    fr_client_watch(NULL, arena);
    assert_true(fr_arena_spend(arena, FR_WATCH_STEPS));
    fr_arena_free(arena);
    fr_client_destroy(&client);
}

int main(void)
{
    return unit_tests_run("test_client");
}
