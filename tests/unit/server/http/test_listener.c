/* Requests over a real socket: event loop, workers and the way between them. */
#include "server/http/call.h"
#include "server/http/listener.h"
#include "server/serve.h"
#include "server/store/store.h"
#include "tests/unit/support/check.h"
#include "tests/unit/support/moved_clock.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PATIENCE_S = 120 };

/* Waits for a fact of the event loops, which tell nobody of it. */
#define AWAIT(fact) \
    while (!(fact)) \
    sched_yield()

static int quick(struct fr_request *rq, struct fr_reply *reply)
{
    fr_json_object(&reply->body);
    fr_json_pair(&reply->body, "name", rq->segment[0]);
    fr_json_pair_bool(&reply->body, "on_worker", rq->store != NULL);
    fr_json_pair_integer(&reply->body, "body_bytes", (int64_t)rq->body_length);
    fr_json_object_end(&reply->body);
    return 200;
}

/* Has second thoughts: what it wrote on the event loop must not show. */
static int undecided(struct fr_request *rq, struct fr_reply *reply)
{
    fr_writer_text(&reply->body, "half an answer");
    if (!rq->store)
        return FR_NEEDS_WORKER;
    reply->body.length = 0;
    return quick(rq, reply);
}

/* What is slow lasts until the gate opens. */
static struct tally slow_begun, gate;

static int slow(struct fr_request *rq, struct fr_reply *reply)
{
    tally_add(&slow_begun, 1);
    tally_await(&gate, 1);
    return quick(rq, reply);
}

static const size_t large_bytes = 16 << 20;

/* More than the buffers of a socket hold. */
static int large(struct fr_request *rq, struct fr_reply *reply)
{
    char *text = malloc(large_bytes);

    (void)rq;
    assert_non_null(text);
    memset(text, 'a', large_bytes);
    fr_writer_append(&reply->body, text, large_bytes);
    free(text);
    return 200;
}

/* clang-format off */
const struct fr_route fr_routes[] = {
    { .method = FR_GET, .path = "/api/quick/{name}", .handle = quick, .formats = FR_JSON,
      .is_inline = true },
    { .method = FR_GET, .path = "/api/undecided/{name}", .handle = undecided, .formats = FR_JSON,
      .is_inline = true },
    { .method = FR_GET, .path = "/api/queued/{name}", .handle = quick, .formats = FR_JSON },
    { .method = FR_GET, .path = "/api/slow/{name}", .handle = slow, .formats = FR_JSON,
      .is_long = true },
    { .method = FR_GET, .path = "/api/large/{name}", .handle = large, .formats = FR_JSON },
    { .method = FR_POST, .path = "/api/things", .handle = quick, .formats = FR_JSON,
      .body = FR_BODY_JSON, .body_limit = 1000 },
    { .method = FR_DELETE, .path = "/api/things/{name}", .handle = quick, .formats = FR_JSON,
      .scope = FR_ADMIN },
    { .path = NULL },
};
/* clang-format on */

/* A server with settings, `name value` in turn, ended by NULL. */
static void start_with(struct fr_server *server, const char *const *settings)
{
    struct fr_faults faults = { 0 };

    slow_begun = gate = (struct tally)TALLY;
    fr_config_init(&server->config);
    snprintf(server->config.listen, sizeof server->config.listen, "127.0.0.1:0");
    server->config.idle_timeout_s = 3600; /* libmicrohttpd has a clock of its own */
    server->log.level = FR_LOG_ERROR;
    fr_metrics_init(&server->metrics);
    for (; *settings; settings += 2)
        assert_int_equal(fr_config_set(&server->config, fr_setting_find(settings[0]), settings[1],
                                       FR_FROM_ARGUMENTS, &faults),
                         FR_OK);
    server->pool = fr_pool_new(
        &(struct fr_pool_options){ .workers = 2,
                                   .queue_limit = (size_t)server->config.queue_limit,
                                   .long_queue_limit = (size_t)server->config.long_queue_limit,
                                   .store_path = ":memory:" },
        &server->log);
    assert_non_null(server->pool);
    server->listener = fr_listener_start(server);
    assert_non_null(server->listener);
}

static void start(struct fr_server *server, const char *queue_limit)
{
    start_with(server, (const char *const[]){ "queue_limit", queue_limit, "long_queue_limit",
                                              queue_limit, NULL });
}

static void stop(struct fr_server *server)
{
    assert_true(fr_listener_drain(server->listener, PATIENCE_S));
    fr_pool_stop(server->pool);
    fr_listener_stop(server->listener);
    fr_pool_free(server->pool);
}

static int set_up(void **state)
{
    struct fr_server *server = calloc(1, sizeof *server);

    start(server, "64");
    *state = server;
    return 0;
}

static int tear_down(void **state)
{
    stop(*state);
    free(*state);
    return 0;
}

static int connected(struct fr_server *server)
{
    const struct timeval patience = { .tv_sec = PATIENCE_S };
    const char *port = strrchr(fr_listener_url(server->listener), ':') + 1;
    struct sockaddr_in address = { .sin_family = AF_INET,
                                   .sin_port = htons((uint16_t)atoi(port)),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    const int fd = socket(AF_INET, SOCK_STREAM, 0);

    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

static void send_text(int fd, const char *text)
{
    assert_int_equal(send(fd, text, strlen(text), MSG_NOSIGNAL), strlen(text));
}

static int asked_slowly(struct fr_server *server)
{
    const int fd = connected(server);

    send_text(fd, "GET /api/slow/a HTTP/1.1\r\nHost: t\r\n\r\n");
    return fd;
}

struct answer {
    int status;
    char text[8192]; /* head and body */
    const char *body;
};

/* Reads one answer: the head, then as much as its Content-Length says. */
static void receive(int fd, bool is_head, struct answer *answer)
{
    size_t length = 0, wanted = sizeof answer->text - 1;

    answer->body = NULL;
    while (length < wanted) {
        const ssize_t got = recv(fd, answer->text + length, answer->body ? wanted - length : 1, 0);
        const char *size;

        if (got <= 0)
            break;
        length += (size_t)got;
        answer->text[length] = '\0';
        if (answer->body || length < 4 || strcmp(answer->text + length - 4, "\r\n\r\n") != 0)
            continue;
        answer->body = answer->text + length;
        size = strstr(answer->text, "Content-Length: ");
        wanted = length + (size && !is_head ? (size_t)atol(size + 16) : 0);
        assert_true(wanted < sizeof answer->text);
    }
    assert_non_null(answer->body);
    assert_int_equal(length, wanted);
    answer->status = atoi(answer->text + strlen("HTTP/1.1 "));
}

static void ask(int fd, const char *line, struct answer *answer)
{
    char request[512];

    snprintf(request, sizeof request, "%s HTTP/1.1\r\nHost: test\r\n\r\n", line);
    send_text(fd, request);
    receive(fd, strncmp(line, "HEAD", 4) == 0, answer);
}

#define CASE(name) TEST_WITH(name, set_up, tear_down)

CASE(one_connection_serves_loop_and_workers_in_turn)
{
    const int fd = connected(*state);
    struct answer answer;

    for (int i = 0; i < 50; i++) {
        ask(fd, "GET /api/quick/a", &answer);
        assert_string_equal(answer.body, "{\"name\":\"a\",\"on_worker\":false,\"body_bytes\":0}");
        ask(fd, "GET /api/queued/b.json", &answer);
        assert_string_equal(answer.body, "{\"name\":\"b\",\"on_worker\":true,\"body_bytes\":0}");
        ask(fd, "GET /api/undecided/c", &answer);
        assert_string_equal(answer.body, "{\"name\":\"c\",\"on_worker\":true,\"body_bytes\":0}");
    }
    close(fd);
}

CASE(requests_may_be_sent_ahead)
{
    const int fd = connected(*state);
    struct answer answer;

    send_text(fd, "GET /api/queued/a HTTP/1.1\r\nHost: t\r\n\r\nGET /api/quick/b HTTP/1.1\r\nHost: "
                  "t\r\n\r\n");
    receive(fd, false, &answer);
    assert_non_null(strstr(answer.body, "\"a\""));
    receive(fd, false, &answer);
    assert_non_null(strstr(answer.body, "\"b\""));
    close(fd);
}

CASE(head_has_the_length_and_no_body)
{
    const int fd = connected(*state);
    struct answer answer;

    ask(fd, "HEAD /api/quick/a", &answer);
    assert_int_equal(answer.status, 200);
    assert_non_null(strstr(answer.text, "Content-Length: 45\r\n"));
    ask(fd, "GET /api/quick/b", &answer);
    assert_int_equal(answer.status, 200);
    close(fd);
}

CASE(refusals_leave_the_connection_usable)
{
    const int fd = connected(*state);
    struct answer answer;

    ask(fd, "GET /api/nothing", &answer);
    assert_int_equal(answer.status, 404);
    assert_non_null(strstr(answer.text, "Content-Type: application/problem+json"));
    ask(fd, "PUT /api/things", &answer);
    assert_int_equal(answer.status, 405);
    assert_non_null(strstr(answer.text, "\r\nAllow: POST\r\n"));
    ask(fd, "DELETE /api/things/a", &answer);
    assert_int_equal(answer.status, 401);
    assert_non_null(strstr(answer.text, "\r\nWWW-Authenticate: Bearer\r\n"));
    ask(fd, "GET /api/quick/a.svg", &answer);
    assert_int_equal(answer.status, 406);
    ask(fd, "GET /api/quick/a%00b?x=%zz", &answer);
    assert_int_equal(answer.status, 400);
    ask(fd, "OPTIONS /api/things", &answer);
    assert_int_equal(answer.status, 204);
    ask(fd, "GET /api/quick/a", &answer);
    assert_int_equal(answer.status, 200);
    close(fd);
}

static void post(int fd, const char *headers, size_t length, struct answer *answer)
{
    char *body = malloc(length + 1), head[256];

    memset(body, ' ', length);
    body[length] = '\0';
    snprintf(head, sizeof head,
             "POST /api/things HTTP/1.1\r\nHost: t\r\n%sContent-Length: %zu\r\n\r\n", headers,
             length);
    send_text(fd, head);
    send_text(fd, body);
    receive(fd, false, answer);
    free(body);
}

CASE(bodies_are_limited_by_the_route)
{
    const int fd = connected(*state);
    struct answer answer;

    post(fd, "Content-Type: application/json\r\n", 1000, &answer);
    assert_non_null(strstr(answer.body, "\"body_bytes\":1000"));
    post(fd, "Content-Type: application/json\r\n", 500000, &answer);
    assert_int_equal(answer.status, 413);
    post(fd, "Content-Type: text/plain\r\n", 10, &answer);
    assert_int_equal(answer.status, 415);
    post(fd, "Content-Type: application/json\r\nContent-Encoding: br\r\n", 10, &answer);
    assert_int_equal(answer.status, 415);
    post(fd, "Content-Type: application/json\r\nContent-Encoding: gzip\r\n", 10, &answer);
    assert_int_equal(answer.status, 400);
    post(fd, "", 0, &answer);
    assert_int_equal(answer.status, 200);
    close(fd);
}

CASE(a_body_on_a_route_without_one_is_skipped)
{
    const int fd = connected(*state);
    struct answer answer;

    send_text(fd, "GET /api/quick/a HTTP/1.1\r\nHost: t\r\nContent-Length: 16\r\n\r\n"
                  "GET /api/nothing");
    receive(fd, false, &answer);
    assert_int_equal(answer.status, 200);
    ask(fd, "GET /api/quick/b", &answer);
    assert_int_equal(answer.status, 200);
    close(fd);
}

CASE(one_too_long_url_is_refused_in_json)
{
    const int fd = connected(*state);
    char line[20000] = "GET /api/quick/", *request;
    struct answer answer;

    memset(line + strlen(line), 'a', 17000);
    assert_true(asprintf(&request, "%s HTTP/1.1\r\nHost: t\r\n\r\n", line) > 0);
    send_text(fd, request);
    receive(fd, false, &answer);
    assert_int_equal(answer.status, 414);
    assert_non_null(strstr(answer.text, "application/problem+json"));
    free(request);
    close(fd);
}

TEST(a_full_queue_is_503_with_a_time_to_retry)
{
    struct fr_server *server = calloc(1, sizeof *server);
    int under_way, waiting, refused;
    struct answer answer;

    start(server, "1");
    under_way = asked_slowly(server);
    tally_await(&slow_begun, 1);
    waiting = asked_slowly(server);
    AWAIT(fr_pool_state(server->pool).queued == 1);
    refused = asked_slowly(server);
    receive(refused, false, &answer);
    assert_int_equal(answer.status, 503);
    assert_non_null(strstr(answer.text, "\r\nRetry-After: 5\r\n"));
    tally_add(&gate, 1);
    for (int i = 0; i < 2; i++) {
        receive(i ? waiting : under_way, false, &answer);
        assert_int_equal(answer.status, 200);
    }
    for (int i = 0; i < 3; i++)
        close((int[]){ under_way, waiting, refused }[i]);
    stop(server);
    free(server);
}

static void *stop_meanwhile(void *server)
{
    stop(server);
    return NULL;
}

TEST(a_drain_lets_requests_under_way_end)
{
    struct fr_server *server = calloc(1, sizeof *server);
    struct answer answer;
    pthread_t stopper;
    int fd;

    start(server, "64");
    fd = asked_slowly(server);
    tally_await(&slow_begun, 1);
    assert_int_equal(pthread_create(&stopper, NULL, stop_meanwhile, server), 0);
    AWAIT(atomic_load(&server->listener->is_draining));
    tally_add(&gate, 1);
    receive(fd, false, &answer);
    pthread_join(stopper, NULL);
    assert_int_equal(answer.status, 200);
    assert_non_null(strstr(answer.text, "Connection: close"));
    close(fd);
    free(server);
}

/* libmicrohttpd aborts if this fails: it does so in two threads at once when a listener drains. */
TEST(a_file_may_be_removed_twice_from_an_epoll_set)
{
    int (*of_libraries)(int, int, int, struct epoll_event *);
    const int set = epoll_create1(EPOLL_CLOEXEC), file = eventfd(0, EFD_CLOEXEC);
    struct epoll_event event = { .events = EPOLLIN };

    *(void **)&of_libraries = dlsym(RTLD_DEFAULT, "epoll_ctl");
    assert_int_equal(of_libraries(set, EPOLL_CTL_ADD, file, &event), 0);
    assert_int_equal(of_libraries(set, EPOLL_CTL_ADD, file, &event), -1);
    assert_int_equal(of_libraries(set, EPOLL_CTL_DEL, file, NULL), 0);
    assert_int_equal(of_libraries(set, EPOLL_CTL_DEL, file, NULL), 0);
    assert_int_equal(of_libraries(set, EPOLL_CTL_MOD, file, &event), -1);
    close(file);
    assert_int_equal(of_libraries(set, EPOLL_CTL_DEL, file, NULL), -1);
    close(set);
}

CASE(lost_connections_do_no_harm)
{
    for (int i = 0; i < 20; i++) {
        const int fd = connected(*state);

        send_text(fd, i % 2 ? "GET /api/slow/a HTTP/1.1\r\nHost: t\r\n\r\n"
                            : "POST /api/things HTTP/1.1\r\nContent-Length: 900\r\n\r\nabc");
        close(fd);
    }
    tally_add(&gate, 1);
}

/* Reads the head of an answer; the rest waits. */
static int status_of_head(int fd)
{
    struct answer answer;

    receive(fd, true, &answer);
    return answer.status;
}

TEST(answers_that_wait_for_readers_are_bounded_together)
{
    enum { READERS = 8 };
    struct fr_server *server = calloc(1, sizeof *server);
    int fd[READERS], sent = 0, other;
    struct answer answer;

    start(server, "64");
    server->listener->answers.limit_bytes = 3 * large_bytes;
    for (int i = 0; i < READERS; i++) {
        fd[i] = connected(server);
        send_text(fd[i], "GET /api/large/a HTTP/1.1\r\nHost: t\r\n\r\n");
        sent += status_of_head(fd[i]) == 200;
    }
    assert_int_equal(sent, 3);
    other = connected(server);
    ask(other, "GET /api/queued/a", &answer);
    assert_int_equal(answer.status, 200);
    ask(other, "GET /api/large/a", &answer);
    assert_int_equal(answer.status, 503);
    assert_non_null(strstr(answer.text, "\r\nRetry-After: 10\r\n"));
    for (int i = 0; i < READERS; i++)
        close(fd[i]);
    /* The room comes back when the event loops notice that the readers have left. */
    do
        ask(other, "HEAD /api/large/a", &answer);
    while (answer.status == 503);
    assert_int_equal(answer.status, 200);
    close(other);
    stop(server);
    free(server);
}

/* Whether the peer ends the connection, with or without further bytes. */
static bool is_ended(int fd)
{
    char bytes[65536];
    ssize_t got;

    while ((got = recv(fd, bytes, sizeof bytes, 0)) > 0)
        continue;
    return got == 0 || errno == ECONNRESET;
}

TEST(an_address_has_a_share_of_the_connections)
{
    enum { MOST = 20 };
    struct fr_server *server = calloc(1, sizeof *server);
    int fd[MOST], one;
    struct answer answer;

    start_with(server, (const char *const[]){ "connections_per_address", "20", NULL });
    for (int i = 0; i < MOST; i++) {
        fd[i] = connected(server);
        ask(fd[i], "GET /api/quick/a", &answer);
    }
    one = connected(server);
    assert_true(is_ended(one));
    assert_int_equal(server->metrics.single[FR_METRIC_TURNED_AWAY], 1);
    for (int i = 0; i < MOST; i++)
        close(fd[i]);
    /* The event loops notice soon that the others have left. */
    do {
        close(one);
        one = connected(server);
        send_text(one, "GET /api/quick/a HTTP/1.1\r\nHost: t\r\n\r\n");
    } while (recv(one, answer.text, 1, MSG_PEEK) <= 0);
    receive(one, false, &answer);
    assert_int_equal(answer.status, 200);
    close(one);
    stop(server);
    free(server);
}

TEST(the_connections_of_a_proxy_are_not_limited)
{
    enum { COUNT = 40 };
    struct fr_server *server = calloc(1, sizeof *server);
    struct answer answer;
    int fd[COUNT];

    start_with(server, (const char *const[]){ "connections_per_address", "1", "proxies",
                                              "::1, 127.0.0.1", NULL });
    for (int i = 0; i < COUNT; i++) {
        fd[i] = connected(server);
        ask(fd[i], "GET /api/quick/a", &answer);
        assert_int_equal(answer.status, 200);
    }
    for (int i = 0; i < COUNT; i++)
        close(fd[i]);
    stop(server);
    free(server);
}

TEST(a_proxy_that_is_no_address_is_refused)
{
    struct fr_server *server = calloc(1, sizeof *server);

    fr_config_init(&server->config);
    server->log.level = -1;
    snprintf(server->config.proxies, sizeof server->config.proxies, "127.0.0.1,proxy.example");
    assert_null(fr_listener_start(server));
    free(server);
}

/* Those that have a deadline. */
static int connections(struct fr_listener *listener)
{
    int count = 0;

    pthread_mutex_lock(&listener->lock);
    for (const struct fr_call *call = listener->calls; call; call = call->next)
        count++;
    pthread_mutex_unlock(&listener->lock);
    return count;
}

TEST(slow_headers_bodies_and_readers_are_ended_and_slow_work_is_not)
{
    struct fr_server *server = calloc(1, sizeof *server);
    int silent, headers, body, reader, worker, next;
    struct moved_clock clock;
    struct answer answer;
    uint64_t requests;

    moved_clock_init(&clock);
    server->clock = &clock.clock;
    start_with(server, (const char *const[]){ "header_timeout_s", "1", "least_bytes_per_s",
                                              "1073741824", NULL });
    requests = atomic_load(&server->listener->next_id);
    silent = connected(server);
    headers = connected(server);
    send_text(headers, "GET /api/quick/a HTTP/1.1\r\nHost: ");
    body = connected(server);
    send_text(body, "POST /api/things HTTP/1.1\r\nHost: t\r\nContent-Length: 900\r\n"
                    "Expect: 100-continue\r\n\r\n");
    assert_int_equal(status_of_head(body), 100);
    send_text(body, "{");
    reader = connected(server);
    send_text(reader, "GET /api/large/a HTTP/1.1\r\nHost: t\r\n\r\n");
    assert_int_equal(status_of_head(reader), 200);
    worker = asked_slowly(server);
    tally_await(&slow_begun, 1);
    AWAIT(connections(server->listener) == 5 &&
          atomic_load(&server->listener->next_id) == requests + 4);
    moved_clock_by_ms(&clock, 1000);
    next = connected(server);
    ask(next, "GET /api/quick/a", &answer);
    fr_deadlines_check(server->listener);
    assert_int_equal(server->metrics.single[FR_METRIC_LATE], 0);
    moved_clock_by_ms(&clock, 100);
    fr_deadlines_check(server->listener);
    assert_int_equal(server->metrics.single[FR_METRIC_LATE], 4);
    assert_true(is_ended(silent) && is_ended(headers) && is_ended(body) && is_ended(reader));
    tally_add(&gate, 1);
    receive(worker, false, &answer);
    assert_int_equal(answer.status, 200);
    ask(next, "GET /api/quick/a", &answer);
    assert_int_equal(answer.status, 200);
    for (size_t i = 0; i < 6; i++)
        close((int[]){ silent, headers, body, reader, worker, next }[i]);
    stop(server);
    free(server);
}

int main(void)
{
    return unit_tests_run("test_listener");
}
