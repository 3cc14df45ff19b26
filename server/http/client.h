/* The client of a request that a worker answers: whether it still waits, and the lines that go to
 * it ahead of the answer.
 *
 * The worker writes lines into a buffer of fixed size and waits while it is full; the event loop
 * reads them when the socket has room.  While there is nothing to read, the connection is suspended
 * (parked).  MHD does not look at the socket of a suspended connection, so the worker does.
 */
#ifndef FR_CLIENT_H
#define FR_CLIENT_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct MHD_Connection;
struct fr_arena;
struct fr_clock;
struct fr_pool;

enum {
    FR_CLIENT_BUFFER_BYTES = 64 * 1024,
    /* So long may the lines of one request wait for their reader, all together. */
    FR_CLIENT_MOST_WAITING_MS = 30 * 1000,
    /* And so long in all while others wait for a worker. */
    FR_CLIENT_SHARED_WAITING_MS = 3 * 1000,
};

struct fr_client {
    struct fr_clock *clock;
    struct MHD_Connection *connection;
    const _Atomic bool *is_over; /* the daemon waits for no request any more */
    bool takes_lines;
    bool is_begun; /* lines were sent, so the answer is their end; the worker writes it before it
                      resumes the connection */

    pthread_mutex_t lock; /* protects what follows */
    pthread_cond_t has_room;
    bool is_working;     /* a worker has the request */
    bool is_parked;      /* the connection is suspended */
    bool has_left;       /* nobody reads any more, or too slowly */
    bool is_closed;      /* the connection has ended, so the worker frees the call */
    bool is_complete;    /* `end` is all that follows the buffer */
    unsigned waited_ms;  /* by the worker, for room */
    unsigned delayed_ms; /* of these, while others waited for a worker */
    char *buffer;        /* allocated with the first line */
    size_t start, length;
    const char *end; /* borrowed until the request ends */
    size_t end_length;
};

void fr_client_init(struct fr_client *client, struct fr_clock *clock);
void fr_client_destroy(struct fr_client *client);
/* Suspends the connection for a worker. */
void fr_client_park(struct fr_client *client, struct MHD_Connection *connection,
                    const _Atomic bool *is_over, bool takes_lines);

/* For the worker and the threads that work for it.  NULL: nobody is known, so nobody leaves. */
bool fr_client_has_left(struct fr_client *client);
/* Ends the work that is counted in the arena once the daemon waits for it no longer.  The client
 * itself may leave: what it asked for may be kept for others. */
void fr_client_watch(struct fr_client *client, struct fr_arena *arena);
/* Whether lines wait for their reader. */
bool fr_client_is_behind(struct fr_client *client);
/* Sends complete lines, after waiting for room, which keeps a worker of the pool; drops them if the
 * client has left.  Returns false if it takes none. */
bool fr_client_send(struct fr_client *client, const char *text, size_t length,
                    const struct fr_pool *pool);
/* Ends the lines; `text` is borrowed until the request ends.  Returns true if the connection has
 * ended: then the caller frees the call.  Otherwise the event loop may free it at once. */
bool fr_client_complete(struct fr_client *client, const char *text, size_t length);
/* Ends work without lines: the answer is ready, and the event loop goes on. */
void fr_client_resume(struct fr_client *client);

/* For the event loop.  Whether a worker still has the request; then it learns that nobody waits
 * and, if the connection is closed, that it frees the call. */
bool fr_client_abandon(struct fr_client *client, bool is_closed);
/* Reads lines; MHD's content reader. */
ssize_t fr_client_read(void *client, uint64_t position, char *out, size_t most);

#endif
