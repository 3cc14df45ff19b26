
#include "engine/core/arena.h"
#include "server/core/clock.h"
#include "server/http/call.h"

#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* A worker that waits wakes so often to see whether anything else ends its waiting. */
enum { WAIT_MS = 50 };

void fr_client_init(struct fr_client *client, struct fr_clock *clock)
{
    memset(client, 0, sizeof *client);
    client->clock = clock;
    pthread_mutex_init(&client->lock, NULL);
    pthread_cond_init(&client->has_room, NULL);
}

void fr_client_destroy(struct fr_client *client)
{
    pthread_cond_destroy(&client->has_room);
    pthread_mutex_destroy(&client->lock);
    free(client->buffer);
}

void fr_client_park(struct fr_client *client, struct MHD_Connection *connection,
                    const _Atomic bool *is_over, bool takes_lines)
{
    pthread_mutex_lock(&client->lock);
    client->connection = connection;
    client->is_over = is_over;
    client->takes_lines = takes_lines;
    client->is_begun = client->has_left = client->is_complete = false;
    client->waited_ms = client->delayed_ms = 0;
    client->start = client->length = 0;
    client->is_working = client->is_parked = true;
    MHD_suspend_connection(connection);
    pthread_mutex_unlock(&client->lock);
}

/* Called locked, while the connection is suspended, so that the socket is its own. */
static bool has_disconnected(struct fr_client *client)
{
    const int fd =
        MHD_get_connection_info(client->connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    struct pollfd end = { .fd = fd, .events = POLLRDHUP };
    char byte;

    /* The last bytes of TLS are an alert that nobody reads. */
    if (MHD_get_connection_info(client->connection, MHD_CONNECTION_INFO_GNUTLS_SESSION))
        return poll(&end, 1, 0) > 0;
    return recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

/* Called locked. */
static bool has_left(struct fr_client *client)
{
    if (!client->has_left)
        client->has_left = *client->is_over || (client->is_parked && has_disconnected(client));
    return client->has_left;
}

bool fr_client_has_left(struct fr_client *client)
{
    bool left;

    if (!client)
        return false;
    pthread_mutex_lock(&client->lock);
    left = has_left(client);
    pthread_mutex_unlock(&client->lock);
    return left;
}

static bool is_awaited(void *client)
{
    return !*((const struct fr_client *)client)->is_over;
}

void fr_client_watch(struct fr_client *client, struct fr_arena *arena)
{
    fr_arena_watch(arena, client ? is_awaited : NULL, client);
}

bool fr_client_is_behind(struct fr_client *client)
{
    bool is_behind;

    pthread_mutex_lock(&client->lock);
    is_behind = client->length > 0;
    pthread_mutex_unlock(&client->lock);
    return is_behind;
}

/* Called locked. */
static void resume(struct fr_client *client)
{
    if (client->is_parked)
        MHD_resume_connection(client->connection);
    client->is_parked = false;
}

/* Waits for a moment, or until there is room.  Called locked. */
static void await_room(struct fr_client *client, const struct fr_pool *pool)
{
    const uint64_t until_ns = fr_clock_in_ms(client->clock, WAIT_MS);

    if (fr_clock_wait(client->clock, &client->has_room, &client->lock, until_ns))
        return;
    client->waited_ms += WAIT_MS;
    if (fr_pool_has_long_waiting(pool))
        client->delayed_ms += WAIT_MS;
    if (client->waited_ms >= FR_CLIENT_MOST_WAITING_MS ||
        client->delayed_ms >= FR_CLIENT_SHARED_WAITING_MS)
        client->has_left = true;
}

/* Puts the first bytes of a text into the buffer; returns how many.  Called locked. */
static size_t put(struct fr_client *client, const char *text, size_t length)
{
    const size_t room = FR_CLIENT_BUFFER_BYTES - client->length;
    const size_t taken = length < room ? length : room;

    if (client->start + client->length + taken > FR_CLIENT_BUFFER_BYTES) {
        memmove(client->buffer, client->buffer + client->start, client->length);
        client->start = 0;
    }
    memcpy(client->buffer + client->start + client->length, text, taken);
    client->length += taken;
    return taken;
}

bool fr_client_send(struct fr_client *client, const char *text, size_t length,
                    const struct fr_pool *pool)
{
    if (!client || !client->takes_lines)
        return false;
    pthread_mutex_lock(&client->lock);
    if (!client->buffer)
        client->buffer = malloc(FR_CLIENT_BUFFER_BYTES);
    if (!client->buffer) {
        pthread_mutex_unlock(&client->lock);
        return false;
    }
    if (!client->is_begun)
        client->is_begun = true; /* once: the event loop reads it */
    while (length && !has_left(client)) {
        const size_t taken = put(client, text, length);

        text += taken;
        length -= taken;
        resume(client);
        if (length)
            await_room(client, pool);
    }
    pthread_mutex_unlock(&client->lock);
    return true;
}

bool fr_client_complete(struct fr_client *client, const char *text, size_t length)
{
    bool is_closed;

    pthread_mutex_lock(&client->lock);
    client->end = text;
    client->end_length = length;
    client->is_complete = true;
    client->is_working = false;
    is_closed = client->is_closed;
    if (!is_closed)
        resume(client);
    pthread_mutex_unlock(&client->lock);
    return is_closed;
}

void fr_client_resume(struct fr_client *client)
{
    pthread_mutex_lock(&client->lock);
    client->is_working = false;
    resume(client);
    pthread_mutex_unlock(&client->lock);
}

bool fr_client_abandon(struct fr_client *client, bool is_closed)
{
    bool is_working;

    pthread_mutex_lock(&client->lock);
    is_working = client->is_working;
    if (is_working) {
        client->has_left = true;
        client->is_closed = is_closed;
        pthread_cond_signal(&client->has_room);
    }
    pthread_mutex_unlock(&client->lock);
    return is_working;
}

/* Copies bytes of the lines, then of the end.  Called locked. */
static size_t take(struct fr_client *client, char *out, size_t most)
{
    size_t taken = client->length < most ? client->length : most;

    if (taken) {
        memcpy(out, client->buffer + client->start, taken);
        client->start += taken;
        client->length -= taken;
        pthread_cond_signal(&client->has_room);
    } else if (client->is_complete && !client->has_left && client->end_length) {
        taken = client->end_length < most ? client->end_length : most;
        memcpy(out, client->end, taken);
        client->end += taken;
        client->end_length -= taken;
    }
    return taken;
}

ssize_t fr_client_read(void *context, uint64_t position, char *out, size_t most)
{
    struct fr_client *client = context;
    ssize_t result;

    (void)position;
    pthread_mutex_lock(&client->lock);
    result = (ssize_t)take(client, out, most);
    if (!result && client->is_complete) {
        /* Without its end the answer must not look complete. */
        result =
            client->has_left ? MHD_CONTENT_READER_END_WITH_ERROR : MHD_CONTENT_READER_END_OF_STREAM;
    } else if (!result) {
        client->is_parked = true;
        MHD_suspend_connection(client->connection);
    }
    pthread_mutex_unlock(&client->lock);
    return result;
}
